//! Prints answers: as the service does, one JSON value a line, as rows, as GeoJSON, or as a table to read.

use std::io::{IsTerminal, Write};

use anyhow::Result;
use clap::{Args, ValueEnum};
use serde::Serialize;
use toponym_engine::geojson::{FeatureCollection, Located};
use toponym_engine::{Fact, FactSet};

use super::shown::Shown;
use super::table;
use crate::cells::fact_cells;

/// Options of how answers are printed.
#[derive(Args)]
pub struct Output {
    /// [default: table on a terminal, otherwise json for one question and ndjson for many]
    #[arg(long, value_enum)]
    format: Option<Format>,
}

/// The shapes of answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// To read
    Table,
    /// As the service answers; many questions give an array of query and results
    Json,
    /// One JSON value a line: a place, or of many questions the query with its results
    Ndjson,
    /// A row for each place
    Csv,
    /// A FeatureCollection (RFC 7946)
    Geojson,
}

/// Facts known before the first answer.
#[derive(Clone, Copy)]
pub struct Shape {
    /// True if there is one question, of the arguments.
    pub is_one: bool,
    /// Facts that answers have.
    pub facts: FactSet,
}

/// A place with the question that it answers.
#[derive(Serialize)]
struct OfQuery<'a, T> {
    query: &'a str,
    #[serde(flatten)]
    place: T,
}

impl<T: Located> Located for OfQuery<'_, T> {
    fn id(&self) -> Option<u64> {
        self.place.id()
    }

    fn position(&self) -> Option<[f64; 2]> {
        self.place.position()
    }

    fn bounds(&self) -> Option<[f64; 4]> {
        self.place.bounds()
    }
}

/// The answer to one of many questions.
#[derive(Serialize)]
#[serde(untagged)]
enum Answered<'a, T> {
    Found { query: &'a str, results: Vec<T> },
    Failed { query: &'a str, error: String },
}

/// The places of a question and whether the service answers with an array, or the message of its error.
type Outcome<T> = Result<(Vec<T>, bool), String>;

/// Answers on their way out.
pub struct Answers<W> {
    out: W,
    format: Format,
    shape: Shape,
    count: usize,
    /// True if a feature was printed, so that the next one needs a comma.
    has_feature: bool,
}

impl<W: Write> Answers<W> {
    /// Prints to `out`.
    pub fn new(output: &Output, shape: Shape, out: W) -> Self {
        let usual = || match (std::io::stdout().is_terminal(), shape.is_one) {
            (true, _) => Format::Table,
            (false, true) => Format::Json,
            (false, false) => Format::Ndjson,
        };
        Self { out, format: output.format.unwrap_or_else(usual), shape, count: 0, has_feature: false }
    }

    /// Prints the answer to a question.
    pub fn add<T: Shown>(&mut self, query: &str, outcome: Outcome<T>) -> Result<()> {
        self.count += 1;
        match (self.format, self.shape.is_one) {
            (Format::Table, is_one) => self.table(query, outcome, is_one),
            (Format::Csv, _) => self.rows(query, outcome),
            (Format::Json, true) => self.as_the_service(outcome),
            (Format::Ndjson, true) => self.lines(outcome),
            (Format::Json, false) => self.of_many(query, outcome, if self.count == 1 { "[" } else { ",\n" }, ""),
            (Format::Ndjson, false) => self.of_many(query, outcome, "", "\n"),
            (Format::Geojson, is_one) => self.features(query, outcome, is_one),
        }
    }

    /// Ends the output.
    pub fn finish(mut self) -> Result<W> {
        let format = self.format;
        let is_one = self.shape.is_one;
        match (format, is_one, self.count) {
            (Format::Json, false, 0) => self.out.write_all(b"[]\n")?,
            (Format::Json, false, _) => self.out.write_all(b"]\n")?,
            (Format::Geojson, false, 0) => self.out.write_all(b"{\"type\":\"FeatureCollection\",\"features\":[]}\n")?,
            (Format::Geojson, false, _) => self.out.write_all(b"]}\n")?,
            _ => {}
        }
        Ok(self.out)
    }

    fn table<T: Shown>(&mut self, query: &str, outcome: Outcome<T>, is_one: bool) -> Result<()> {
        if !is_one {
            writeln!(self.out, "{query}")?;
        }
        match outcome {
            Ok((places, _)) if places.is_empty() => writeln!(self.out, "nothing found")?,
            Ok((places, _)) => writeln!(self.out, "{}", table::of(&places, self.shape.facts))?,
            Err(error) => writeln!(self.out, "error: {error}")?,
        }
        Ok(())
    }

    fn rows<T: Shown>(&mut self, query: &str, outcome: Outcome<T>) -> Result<()> {
        let facts: Vec<Fact> = Fact::ALL.into_iter().filter(|fact| self.shape.facts.contains(*fact)).collect();
        let mut rows = csv::Writer::from_writer(&mut self.out);
        if self.count == 1 {
            let columns = T::COLUMNS.iter().copied().chain(facts.iter().map(|fact| fact.name()));
            rows.write_record(["query"].into_iter().chain(columns).chain(["error"]))?;
        }
        let blank = vec![String::new(); T::COLUMNS.len() + facts.len()];
        let (rows_of, error) = match outcome {
            Ok((places, _)) if places.is_empty() => (vec![blank], String::new()),
            Ok((places, _)) => (
                places
                    .iter()
                    .map(|place| Ok([place.cells(), fact_cells(place, &facts)?].concat()))
                    .collect::<Result<_>>()?,
                String::new(),
            ),
            Err(error) => (vec![blank], error),
        };
        for row in rows_of {
            rows.write_record([query.to_owned()].into_iter().chain(row).chain([error.clone()]))?;
        }
        Ok(rows.flush()?)
    }

    /// Writes the bytes of the service, and a line end.
    fn as_the_service<T: Shown>(&mut self, outcome: Outcome<T>) -> Result<()> {
        match outcome {
            Ok((places, true)) => serde_json::to_writer(&mut self.out, &places)?,
            Ok((places, false)) => serde_json::to_writer(&mut self.out, &places.first())?,
            Err(error) => anyhow::bail!(error),
        }
        Ok(writeln!(self.out)?)
    }

    fn lines<T: Shown>(&mut self, outcome: Outcome<T>) -> Result<()> {
        for place in outcome.map_err(anyhow::Error::msg)?.0 {
            serde_json::to_writer(&mut self.out, &place)?;
            writeln!(self.out)?;
        }
        Ok(())
    }

    fn of_many<T: Shown>(&mut self, query: &str, outcome: Outcome<T>, before: &str, after: &str) -> Result<()> {
        let answered = match outcome {
            Ok((results, _)) => Answered::Found { query, results },
            Err(error) => Answered::Failed { query, error },
        };
        Ok(write!(self.out, "{before}{}{after}", serde_json::to_string(&answered)?)?)
    }

    fn features<T: Shown>(&mut self, query: &str, outcome: Outcome<T>, is_one: bool) -> Result<()> {
        let places = match outcome {
            Ok((places, _)) => places,
            // A FeatureCollection has no room for an error.
            Err(error) => anyhow::bail!("{query}: {error}"),
        };
        if is_one {
            serde_json::to_writer(&mut self.out, &FeatureCollection(&places))?;
            return Ok(writeln!(self.out)?);
        }
        let places: Vec<_> = places.into_iter().map(|place| OfQuery { query, place }).collect();
        let whole = serde_json::to_string(&FeatureCollection(&places))?;
        let (head, rest) = whole.split_at(whole.find('[').map_or(0, |at| at + 1));
        let features = rest.strip_suffix("]}").unwrap_or(rest);
        let before = if self.count == 1 { head } else { "" };
        let comma = if self.has_feature && !features.is_empty() { ",\n" } else { "" };
        self.has_feature |= !features.is_empty();
        Ok(write!(self.out, "{before}{comma}{features}")?)
    }
}
