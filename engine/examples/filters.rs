//! Measures what filters cost: `cargo run --release --example filters -- build/index.toponym`.
//!
//! Each row is a question with a filter beside the same question without it. The questions are those that are worst for a
//! filter: many names match, and few places pass.

mod measure;

use toponym_engine::geo::{Bounds, Coordinate};
use toponym_engine::{AreaNames, Filter, Nearby, Search};

/// Runs of each question.
const RUNS: usize = 200;

/// The id of France, and of Monaco.
const FRANCE: u64 = 3_017_382;
const MONACO: u64 = 2_993_457;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = measure::engine()?;
    let (open, monaco) = (Filter::default(), [*b"MC"]);
    let manhattan = Some(Bounds { south: 40.70, north: 40.80, west: -74.02, east: -73.93 });
    let fiji = Some(Bounds { south: -20.0, north: -15.0, west: 177.0, east: -178.0 });
    let in_brazil = AreaNames { country: Some("Brasilien"), ..AreaNames::default() };
    let misspelt = AreaNames { state: Some("Bavria"), country: Some("Germny"), ..AreaNames::default() };
    let filters = [
        ("countrycodes=MC", Filter::in_countries(&monaco)),
        ("types=airport", Filter { types: &["airport"], ..open }),
        ("types=region", Filter { types: &["region"], ..open }),
        ("bbox of Manhattan", Filter { bounds: manhattan, ..open }),
        ("bbox over the date line", Filter { bounds: fiji, ..open }),
        ("types=station in Manhattan", Filter { types: &["station"], bounds: manhattan, ..open }),
        ("within=France", Filter { within: Some(FRANCE), ..open }),
        ("within=Monaco", Filter { within: Some(MONACO), ..open }),
        ("country=Brasilien", Filter { areas: in_brazil, ..open }),
        ("state=Bavria, country=Germny", Filter { areas: misspelt, ..open }),
    ];
    measure::header(&title("operation", "text", "filter"));
    for text in ["s", "sa", "san", "Springfield", "Saint-Pirre"] {
        for (name, filter) in filters {
            let search = Search { filter, ..Search::new(text, 5) };
            let plain = Search::new(text, 5);
            row(
                "autocomplete",
                text,
                name,
                || drop(engine.autocomplete(&search)),
                || drop(engine.autocomplete(&plain)),
            );
            row("forward", text, name, || drop(engine.forward(&search)), || drop(engine.forward(&plain)));
        }
    }
    for (place, lat, lon) in [("Paris", 48.8566, 2.3522), ("Sahara", 23.0, 5.0), ("Pacific", 0.0, -140.0)] {
        let point = Coordinate::new(lat, lon).ok_or("a point")?;
        for (name, types) in [("limit=10", &[][..]), ("types=airport", &["airport"][..]), ("types=region", &["region"])]
        {
            let nearby = Nearby { filter: Filter { types, ..open }, radius_m: 500_000.0, ..Nearby::new(point, 10) };
            row("reverse", place, name, || drop(engine.nearby(&nearby)), || drop(engine.reverse(point, None)));
        }
    }
    Ok(())
}

fn row(operation: &str, text: &str, name: &str, with: impl Fn(), without: impl Fn()) {
    measure::row(&title(operation, text, name), RUNS, with, without);
}

fn title(operation: &str, text: &str, filter: &str) -> String {
    format!("{operation:<14}{text:<14}{filter:<32}")
}
