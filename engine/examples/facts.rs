//! Measures what facts cost: `cargo run --release --example facts -- build/index.toponym`.
//!
//! Each row is a question with all facts beside the same question without any. It measures the processor time of the thread, so
//! that other programs do not count.

use cpu_time::ThreadTime;
use toponym_engine::geo::Coordinate;
use toponym_engine::{Engine, FactSet, Search, Shown};

/// Runs of each question.
const RUNS: usize = 2_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "build/index.toponym".to_owned());
    let engine = Engine::open(std::fs::read(path)?)?;
    println!("{:<14}{:<14}{:>10}{:>10}{:>10}{:>10}", "operation", "question", "p50 us", "p99 us", "without", "p99");
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
    let [(half, late), (plain_half, plain_late)] = [measured(with), measured(without)];
    println!("{operation:<14}{question:<14}{half:>10.1}{late:>10.1}{plain_half:>10.1}{plain_late:>10.1}");
}

/// Microseconds: the median, and what 99 of 100 runs take at most.
fn measured(run: impl Fn()) -> (f64, f64) {
    let once = |_| {
        let start = ThreadTime::now();
        run();
        start.elapsed().as_secs_f64() * 1e6
    };
    let mut times: Vec<f64> = (0..RUNS).map(once).collect();
    times.sort_by(f64::total_cmp);
    (times[RUNS / 2], times[RUNS * 99 / 100])
}
