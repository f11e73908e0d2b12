//! `toponym forward`, `reverse` and `autocomplete`: one question as an argument, or one on each line of a file.
//!
//! The options are the parameters of the service, read by the same code, and JSON answers are those of the service.

mod answers;
mod questions;
mod shown;
mod table;

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use toponym_edge::error::Failure;
use toponym_engine::request::{self, Fault, Operation, Options, PointRequest, Values};
use toponym_engine::{Engine, Place, Suggestion};
use toponym_terminal::report;

use crate::index_files::IndexFiles;
use crate::parameters::{AUTOCOMPLETE, FORWARD, Flags, REVERSE, put, put_focus, split_point};
use answers::{Answers, Output, Shape};
use questions::Source;
use shown::Shown;

/// The exit code if nothing was found for any question, as grep's is 1: 1 is for errors here, 2 for wrong arguments.
pub const NOTHING_FOUND: u8 = 3;

/// Arguments of `toponym forward`.
#[derive(Args)]
pub struct Forward {
    /// The text, such as "Paris, TX"; or else fields, or questions from --file or standard input
    query: Option<String>,
    #[command(flatten)]
    flags: Flags<FORWARD>,
    #[command(flatten)]
    near: Near,
    #[command(flatten)]
    common: Common,
}

/// Arguments of `toponym autocomplete`.
#[derive(Args)]
pub struct Autocomplete {
    /// The unfinished text; or else questions from --file or standard input
    query: Option<String>,
    #[command(flatten)]
    flags: Flags<AUTOCOMPLETE>,
    #[command(flatten)]
    near: Near,
    #[command(flatten)]
    common: Common,
}

/// Arguments of `toponym reverse`.
#[derive(Args)]
pub struct Reverse {
    /// Latitude and longitude, as 48.85,2.35, or the latitude alone; or else points from --file or standard input
    #[arg(allow_hyphen_values = true)]
    point: Option<String>,
    /// The longitude, if it is a word of its own
    #[arg(allow_hyphen_values = true)]
    longitude: Option<String>,
    #[command(flatten)]
    flags: Flags<REVERSE>,
    #[command(flatten)]
    common: Common,
}

#[derive(Args)]
struct Near {
    /// Prefers places near this point: latitude,longitude
    #[arg(long, value_name = "POINT", allow_hyphen_values = true)]
    focus: Option<String>,
}

#[derive(Args)]
struct Common {
    #[command(flatten)]
    index: IndexFiles,
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    output: Output,
}

/// Prints the places for texts.
pub fn forward(root: &Path, arguments: &Forward) -> Result<ExitCode> {
    let Forward { query, flags, near, common } = arguments;
    let mut usual = flags.values();
    put_focus(&mut usual, Operation::Forward, near.focus.as_deref())?;
    let fields = flags.fields().collect::<Vec<_>>().join(", ");
    let ask = |engine: &Engine, question: &str| {
        let mut values = usual.clone();
        // A question without a text is that of the fields.
        if fields.is_empty() {
            put(&mut values, Operation::Forward, "query", question);
        }
        Ok(Answer { places: request::FORWARD.read(&values)?.forward(engine)?.unwrap(), is_array: true })
    };
    let one = query.clone().or_else(|| Some(fields.clone()).filter(|fields| !fields.is_empty()));
    run::<Place>(root, common, &flags.values(), one, ask)
}

/// Prints suggestions for unfinished texts.
pub fn autocomplete(root: &Path, arguments: &Autocomplete) -> Result<ExitCode> {
    let Autocomplete { query, flags, near, common } = arguments;
    let mut usual = flags.values();
    put_focus(&mut usual, Operation::Autocomplete, near.focus.as_deref())?;
    let ask = |engine: &Engine, question: &str| {
        let mut values = usual.clone();
        put(&mut values, Operation::Autocomplete, "q", question);
        Ok(Answer { places: request::AUTOCOMPLETE.read(&values)?.autocomplete(engine)?.unwrap(), is_array: true })
    };
    run::<Suggestion>(root, common, &flags.values(), query.clone(), ask)
}

/// Prints the places at points.
pub fn reverse(root: &Path, arguments: &Reverse) -> Result<ExitCode> {
    let Reverse { point, longitude, flags, common } = arguments;
    let ask = |engine: &Engine, question: &str| {
        let wrong = || Fault::new(format!("a point is latitude,longitude, not {question}"));
        let (lat, lon) = split_point(question).ok_or_else(wrong)?;
        let mut values = flags.values();
        put(&mut values, Operation::Reverse, "lat", lat);
        put(&mut values, Operation::Reverse, "lon", lon);
        let asked = PointRequest::read(&values)?;
        let places = asked.near.places(asked.point, engine)?.unwrap();
        Ok(Answer { places, is_array: asked.near.limit.is_some() })
    };
    let words = [point.as_deref(), longitude.as_deref()];
    let one = point.is_some().then(|| words.into_iter().flatten().collect::<Vec<_>>().join(","));
    run::<Place>(root, common, &flags.values(), one, ask)
}

/// The places of one question.
struct Answer<T> {
    places: Vec<T>,
    /// True if the service answers with an array, rather than with one place or a 404.
    is_array: bool,
}

fn run<T: Shown>(
    root: &Path,
    common: &Common,
    values: &Values,
    one: Option<String>,
    ask: impl Fn(&Engine, &str) -> Result<Answer<T>, Fault>,
) -> Result<ExitCode> {
    let engine = common.index.open(root)?.engine;
    let out = std::io::stdout().lock();
    let is_one = one.is_some();
    let facts = Options::read(values).map(|options| options.facts).unwrap_or_default();
    let mut answers = Answers::new(&common.output, Shape { is_one, facts }, out);
    let mut has_found = false;
    for question in common.source.questions(one)? {
        let question = question?;
        let answer = ask(&engine, &question);
        if is_one && let Err(fault) = &answer {
            return Err(fault.clone().into());
        }
        if is_one && answer.as_ref().is_ok_and(|answer| !answer.is_array && answer.places.is_empty()) {
            // The service answers 404.
            report::say(&Failure::NoLocation.message());
            return Ok(ExitCode::from(NOTHING_FOUND));
        }
        has_found |= answer.as_ref().is_ok_and(|answer| !answer.places.is_empty());
        let answer = answer.map(|Answer { places, is_array }| (places, is_array));
        answers.add(&question, answer.map_err(|fault| fault.to_string()))?;
    }
    answers.finish()?.flush()?;
    Ok(if has_found { ExitCode::SUCCESS } else { ExitCode::from(NOTHING_FOUND) })
}
