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

use anyhow::{Result, anyhow};
use clap::Args;
use toponym_edge::error::Failure;
use toponym_edge::routes::{reverse, text};
use toponym_engine::{Engine, FactSet, Place, Suggestion};
use toponym_terminal::report;

use crate::index_files::IndexFiles;
use crate::parameters::{Pairs, Shared, query_string, split_point};
use answers::{Answers, Output, Shape};
use questions::Source;
use shown::Shown;

/// The exit code if nothing was found for any question, as grep's is 1: 1 is for errors here, 2 for wrong arguments.
pub const NOTHING_FOUND: u8 = 3;

/// Arguments of `toponym forward`.
#[derive(Args)]
pub struct Forward {
    /// The text, such as "Paris, TX"; or else fields, or questions from --file or standard input
    #[arg(conflicts_with_all = ["name", "city", "county", "state", "country"])]
    query: Option<String>,
    /// In place of the text: name of a place of any kind
    #[arg(long)]
    name: Option<String>,
    /// In place of the text: name of a city, town or village
    #[arg(long)]
    city: Option<String>,
    /// In place of the text: name of a second-level division
    #[arg(long)]
    county: Option<String>,
    /// In place of the text: name or code of a first-level division
    #[arg(long)]
    state: Option<String>,
    /// In place of the text: name or code of a country
    #[arg(long)]
    country: Option<String>,
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
    /// Only places at most this far away, in metres
    #[arg(long, value_name = "METRES")]
    radius: Option<String>,
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
    /// Largest number of results
    #[arg(long, value_name = "NUMBER")]
    limit: Option<String>,
    #[command(flatten)]
    shared: Shared,
    #[command(flatten)]
    index: IndexFiles,
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    output: Output,
}

impl Common {
    fn pairs(&self) -> Pairs<'_> {
        let mut pairs = self.shared.pairs();
        pairs.extend(self.limit.as_deref().map(|limit| ("limit", limit)));
        pairs
    }

    fn facts(&self) -> FactSet {
        self.shared.fields.as_deref().and_then(|fields| fields.parse().ok()).unwrap_or_default()
    }
}

impl Near {
    fn pairs(&self) -> Result<Pairs<'_>> {
        let Some(focus) = self.focus.as_deref() else { return Ok(Vec::new()) };
        let (lat, lon) = split_point(focus).ok_or_else(|| anyhow!("--focus is latitude,longitude, not {focus}"))?;
        Ok(vec![("lat", lat), ("lon", lon)])
    }
}

/// Prints the places for texts.
pub fn forward(root: &Path, arguments: &Forward) -> Result<ExitCode> {
    let Forward { query, name, city, county, state, country, near, common } = arguments;
    let fields = [("name", name), ("city", city), ("county", county), ("state", state), ("country", country)];
    let fields: Pairs = fields.into_iter().filter_map(|(name, value)| Some((name, value.as_deref()?))).collect();
    let usual = [common.pairs(), near.pairs()?].concat();
    let ask = |engine: &Engine, question: &str| {
        // A question without a text is that of the fields.
        let asked = if fields.is_empty() { vec![("query", question)] } else { fields.clone() };
        let places =
            text::FORWARD.read(&query_string(&[asked, usual.clone()].concat()), None)?.forward(engine)?.unwrap();
        Ok(Answer { places, is_array: true })
    };
    let shown_fields = fields.iter().map(|(_, value)| *value).collect::<Vec<_>>().join(", ");
    let one = query.clone().or((!fields.is_empty()).then_some(shown_fields));
    run::<Place>(root, common, one, ask)
}

/// Prints suggestions for unfinished texts.
pub fn autocomplete(root: &Path, arguments: &Autocomplete) -> Result<ExitCode> {
    let Autocomplete { query, near, common } = arguments;
    let usual = [common.pairs(), near.pairs()?].concat();
    let ask = |engine: &Engine, question: &str| {
        let raw = query_string(&[vec![("q", question)], usual.clone()].concat());
        Ok(Answer { places: text::AUTOCOMPLETE.read(&raw, None)?.autocomplete(engine)?.unwrap(), is_array: true })
    };
    run::<Suggestion>(root, common, query.clone(), ask)
}

/// Prints the places at points.
pub fn reverse(root: &Path, arguments: &Reverse) -> Result<ExitCode> {
    let Reverse { point, longitude, radius, common } = arguments;
    let mut usual = common.pairs();
    usual.extend(radius.as_deref().map(|radius| ("radius", radius)));
    let ask = |engine: &Engine, question: &str| {
        let (lat, lon) = split_point(question)
            .ok_or_else(|| Failure::bad_request(format!("a point is latitude,longitude, not {question}")))?;
        let asked = reverse::read(&query_string(&[vec![("lat", lat), ("lon", lon)], usual.clone()].concat()), None)?;
        Ok(Answer { places: asked.places(engine)?.unwrap(), is_array: asked.extensions.limit.is_some() })
    };
    let words = [point.as_deref(), longitude.as_deref()];
    let one = point.is_some().then(|| words.into_iter().flatten().collect::<Vec<_>>().join(","));
    run::<Place>(root, common, one, ask)
}

/// The places of one question.
struct Answer<T> {
    places: Vec<T>,
    /// Whether the service answers with an array, rather than with one place or a 404.
    is_array: bool,
}

fn run<T: Shown>(
    root: &Path,
    common: &Common,
    one: Option<String>,
    ask: impl Fn(&Engine, &str) -> Result<Answer<T>, Failure>,
) -> Result<ExitCode> {
    let engine = common.index.open(root)?.engine;
    let out = std::io::stdout().lock();
    let is_one = one.is_some();
    let mut answers = Answers::new(&common.output, Shape { is_one, facts: common.facts() }, out);
    let mut has_found = false;
    for question in common.source.questions(one)? {
        let question = question?;
        let answer = ask(&engine, &question);
        if is_one && let Err(failure) = &answer {
            return Err(anyhow!(failure.message().into_owned()));
        }
        if is_one && answer.as_ref().is_ok_and(|answer| !answer.is_array && answer.places.is_empty()) {
            // The service answers 404.
            report::say(&Failure::NoLocation.message());
            return Ok(ExitCode::from(NOTHING_FOUND));
        }
        has_found |= answer.as_ref().is_ok_and(|answer| !answer.places.is_empty());
        let answer = answer.map(|Answer { places, is_array }| (places, is_array));
        answers.add(&question, answer.map_err(|failure| failure.message().into_owned()))?;
    }
    answers.finish()?.flush()?;
    Ok(if has_found { ExitCode::SUCCESS } else { ExitCode::from(NOTHING_FOUND) })
}
