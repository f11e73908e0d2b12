//! Measures what facts cost: `cargo run --release --example facts -- build/index.toponym`.
//!
//! Each row is a question with all facts beside the same question without any.

mod measure;

use toponym_engine::geo::Coordinate;
use toponym_engine::{FactSet, Search, Shown};

/// Runs of each question.
const RUNS: usize = 2_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = measure::engine()?;
    measure::header(&title("operation", "question"));
    let focus = Coordinate::new(48.8566, 2.3522);
    for text in ["par", "Paris", "München", "Londres", "amstredam", "CDG"] {
        let plain = Search { focus, ..Search::new(text, 5) };
        let asked = Search { facts: FactSet::ALL, ..plain };
        row("forward", text, || drop(engine.forward(&asked)), || drop(engine.forward(&plain)));
        row("autocomplete", text, || drop(engine.autocomplete(&asked)), || drop(engine.autocomplete(&plain)));
    }
    for (place, lat, lon) in [("Paris", 48.8566, 2.3522), ("Sahara", 23.0, 5.0)] {
        let point = Coordinate::new(lat, lon).ok_or("a point")?;
        let shown = Shown { facts: FactSet::ALL, lang: None };
        row("reverse", place, || drop(engine.reverse(point, shown)), || drop(engine.reverse(point, None)));
    }
    Ok(())
}

fn row(operation: &str, question: &str, with: impl Fn(), without: impl Fn()) {
    measure::row(&title(operation, question), RUNS, with, without);
}

fn title(operation: &str, question: &str) -> String {
    format!("{operation:<14}{question:<14}")
}
