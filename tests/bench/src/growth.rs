//! Runs the same queries on gazetteers of growing size. The queries are for places of the smallest one, so all
//! gazetteers hold the results and only the number of other places changes.

use std::path::Path;
use std::time::Instant;

use anyhow::{Result, anyhow};
use serde::{Deserialize, Serialize};
use toponym_engine::{Engine, Gazetteer, index};
use toponym_workload::{Operation, Workload, gazetteer, synthetic};

use crate::judge::percentile;
use crate::measure::ask;
use crate::peers::Peer;
use crate::peers::toponym::Toponym;
use crate::prepare::{INDEX, Known, Questions};

/// Questions of each kind.
const QUESTIONS: usize = 300;

/// The file of the measurements.
pub const FILE: &str = "growth.json";

/// Measurements at one size.
#[derive(Deserialize, Serialize)]
pub struct Size {
    /// Places in the gazetteer.
    pub places: usize,
    /// Size of the index in MB.
    pub megabytes: f64,
    /// Time to write it, in seconds.
    pub build_s: f64,
    /// Name, p50 and p99 in microseconds of each operation.
    pub operations: Vec<(String, f64, f64)>,
}

/// Measures at each size, and writes all.
pub fn run(sizes: &[usize], work: &Path) -> Result<()> {
    let whole = gazetteer(fs_err::read(work.join(INDEX))?)?;
    let smallest = sizes.iter().copied().min().unwrap_or_default();
    let questions = Workload::of(&synthetic(&whole, smallest), QUESTIONS).operations.into_iter();
    let questions: Vec<Questions> = questions.map(questions_of).collect();
    let sizes = sizes.iter().map(|&size| measure(&whole, size, &questions)).collect::<Result<Vec<_>>>()?;
    fs_err::write(work.join(FILE), serde_json::to_vec(&sizes)?)?;
    Ok(())
}

fn questions_of(operation: Operation) -> Questions {
    let known =
        operation.cases.into_iter().map(|case| Known { question: case.question, right: case.right, countries: vec![] });
    Questions { name: operation.name, cases: known.collect() }
}

fn measure(whole: &Gazetteer, size: usize, questions: &[Questions]) -> Result<Size> {
    let gazetteer = synthetic(whole, size);
    let places = gazetteer.places.len();
    eprintln!("{places} places");
    let started = Instant::now();
    let bytes = index::write(&gazetteer).map_err(|error| anyhow!("{places} places: {error}"))?;
    drop(gazetteer);
    let build_s = started.elapsed().as_secs_f64();
    let megabytes = bytes.len() as f64 / 1e6;
    let engine = Toponym(Engine::open(bytes)?);
    let operations = questions.iter().filter_map(|operation| times(&engine, operation)).collect();
    Ok(Size { places, megabytes, build_s, operations })
}

fn times(engine: &dyn Peer, operation: &Questions) -> Option<(String, f64, f64)> {
    let mut asked = ask(engine, operation)?;
    asked.micros.sort_by(f64::total_cmp);
    Some((asked.name, percentile(&asked.micros, 0.5), percentile(&asked.micros, 0.99)))
}
