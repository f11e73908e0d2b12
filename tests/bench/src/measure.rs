//! Measures one engine on all queries that it supports. It only writes times and results; `judge` evaluates them for
//! all engines, including those in Node.

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::peers::{self, Peer};
use crate::prepare::{Known, Questions, WORKLOAD};

/// Longest time of one operation of one engine: a slow engine answers fewer questions, not for longer.
const BUDGET: Duration = Duration::from_secs(8);

/// Rounds over the questions; the time of a question is that of its fastest round, so that what else runs on the machine
/// counts little. Rounds go over all questions, so that none is asked again while all it needs is in the cache.
const ROUNDS: usize = 5;

/// An operation with few questions is asked them so often, as in Node, where code that runs seldom is slow.
const CALLS: usize = 2_500;

/// Needs and answers of an engine.
#[derive(Default, Deserialize, Serialize)]
pub struct Measured {
    /// Name of the engine.
    pub engine: String,
    /// Time from a file to the first question, in milliseconds.
    pub load_ms: f64,
    /// Memory that it holds when it is loaded, in MB.
    pub memory_mb: f64,
    /// Size of what it loads, in MB; `None` where there is no file.
    pub file_mb: Option<f64>,
    /// The part of it that opens bytes in memory, in milliseconds, where it was measured.
    pub open_ms: Option<f64>,
    /// First answer after that, in milliseconds, where it was measured.
    pub first_answer_ms: Option<f64>,
    /// The operations that it has.
    pub operations: Vec<Asked>,
}

/// The questions of one operation, as far as the time reached.
#[derive(Deserialize, Serialize)]
pub struct Asked {
    /// The operation.
    pub name: String,
    /// Time of each question in microseconds.
    pub micros: Vec<f64>,
    /// Answers to each question.
    pub answers: Vec<Vec<Answer>>,
}

/// Latitude and longitude in 1e-5 degrees, and the country's code where the engine tells it.
pub type Answer = (i32, i32, Option<String>);

/// Measures `name` and writes what it measured.
pub fn run(name: peers::Name, work: &Path) -> Result<()> {
    let questions = questions(work)?;
    peers::prepare(name, work)?;
    let before = resident();
    let started = Instant::now();
    let peer = peers::load(name, work)?;
    let load_ms = started.elapsed().as_secs_f64() * 1e3;
    let memory_mb = resident().saturating_sub(before) as f64 / 1e6;
    let operations = questions.iter().filter_map(|operation| ask(&*peer, operation)).collect();
    let file_mb = peers::file(name).map(|file| fs_err::metadata(work.join(file))).transpose()?;
    let file_mb = file_mb.map(|file| file.len() as f64 / 1e6);
    let engine = peers::title(name).to_owned();
    let measured = Measured { engine, load_ms, memory_mb, file_mb, open_ms: None, first_answer_ms: None, operations };
    fs_err::write(work.join(format!("measured-{}.json", peers::title(name))), serde_json::to_vec(&measured)?)?;
    Ok(())
}

/// Asks Toponym the questions of one operation, `rounds` times.
pub fn repeat(operation: &str, rounds: usize, work: &Path) -> Result<()> {
    let questions = questions(work)?;
    let operation = questions.iter().find(|known| known.name == operation).context("there is no such operation")?;
    let peer = peers::load(peers::Name::Toponym, work)?;
    for case in std::iter::repeat_n(&operation.cases, rounds).flatten() {
        black_box(peer.ask(&case.question));
    }
    Ok(())
}

/// Reads the prepared questions.
pub fn questions(work: &Path) -> Result<Vec<Questions>> {
    let path = work.join(WORKLOAD);
    Ok(serde_json::from_slice(&fs_err::read(path)?)?)
}

fn resident() -> usize {
    memory_stats::memory_stats().map_or(0, |stats| stats.physical_mem)
}

/// Asks the questions of an operation; `None` when the engine has no such operation.
pub fn ask(peer: &dyn Peer, operation: &Questions) -> Option<Asked> {
    let started = Instant::now();
    let mut micros = Vec::new();
    let mut answers = Vec::new();
    for case in &operation.cases {
        let (time, answer) = timed(peer, case);
        micros.push(time);
        answers.push(answer?);
        if started.elapsed() > BUDGET {
            break;
        }
    }
    let round = started.elapsed();
    let rounds = ROUNDS.max(CALLS / operation.cases.len().max(1));
    for _ in (1..rounds).take_while(|&done| round * (done as u32 + 1) <= BUDGET) {
        for (best, case) in micros.iter_mut().zip(&operation.cases) {
            *best = best.min(timed(peer, case).0);
        }
    }
    Some(Asked { name: operation.name.clone(), micros, answers })
}

fn timed(peer: &dyn Peer, case: &Known) -> (f64, Option<Vec<Answer>>) {
    let started = Instant::now();
    let answer = black_box(peer.ask(black_box(&case.question)));
    (started.elapsed().as_secs_f64() * 1e6, answer)
}
