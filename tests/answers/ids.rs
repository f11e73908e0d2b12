//! Tests that ids are stable across releases: callers keep them.
//!
//! `golden/ids.csv` has the ids of 10,000 places of all kinds and where they are, as an earlier build had them. Each must
//! still be the id of a place there. A place that its source gives up takes its row with it, by hand; a changed rule for ids
//! must not.

use std::collections::BTreeMap;

use fastrand::Rng;
use serde::{Deserialize, Serialize};
use toponym_engine::geo::Coordinate;
use toponym_engine::{Filter, Nearby, Reference, Role};

use crate::default_index::ENGINE;

const IDS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/ids.csv");

/// Number of rows that are written, and the fewest that may be left.
const WRITTEN: usize = 10_000;
const FEWEST: usize = 9_900;

/// Greatest distance in metres by which a source may move a place between releases: a better position, or another
/// centre of a division.
const MOVED_M: f64 = 100_000.0;

/// Degrees with four digits are enough, and short.
const DIGITS: f64 = 1e4;

#[derive(Deserialize, Serialize)]
struct Row {
    place_id: u64,
    lat: f64,
    lon: f64,
    name: String,
}

fn at(lat: f64, lon: f64) -> Coordinate {
    Coordinate::new(lat, lon).expect("it is on the Earth")
}

#[test]
fn ids_are_those_of_earlier_builds() {
    let engine = &*ENGINE;
    let mut reader = csv::Reader::from_path(IDS).expect("the ids are there");
    let rows: Vec<Row> = reader.deserialize().collect::<Result<_, _>>().expect("the rows are sound");
    assert!(rows.len() >= FEWEST, "only {} rows", rows.len());
    let is_held = |row: &&Row| {
        let place = engine.place(&Reference::Id(row.place_id), None);
        place.is_some_and(|place| at(place.lat, place.lon).distance_m(at(row.lat, row.lon)) <= MOVED_M)
    };
    let gone: Vec<_> = rows.iter().filter(|row| !is_held(row)).collect();
    let lines: Vec<_> = gone.iter().map(|row| format!("{} {}", row.place_id, row.name)).collect();
    assert!(gone.is_empty(), "{} of {} ids are gone or elsewhere:\n{}", gone.len(), rows.len(), lines.join("\n"));
}

#[test]
#[ignore = "writes golden/ids.csv anew: for ids that are meant to change, with a new major version"]
fn write_ids() {
    let engine = &*ENGINE;
    let mut rows = BTreeMap::new();
    let mut rng = Rng::with_seed(18);
    while rows.len() < WRITTEN {
        // Uniform on the sphere; at sea there are only regions, airports and islands, which are few otherwise.
        let point = at((rng.f64() * 2.0 - 1.0).asin().to_degrees(), rng.f64() * 360.0 - 180.0);
        for role in Role::ALL {
            let types = [role.name()];
            let filter = Filter { types: &types, ..Filter::default() };
            let near = Nearby { radius_m: toponym_engine::MAX_RADIUS_M, filter, ..Nearby::new(point, 1) };
            for (place, _) in engine.nearby(&near) {
                let [lat, lon] = [place.lat, place.lon].map(|degrees| (degrees * DIGITS).round() / DIGITS);
                let name = place.display_name.split(", ").next().unwrap_or_default().to_owned();
                rows.insert(place.place_id, Row { place_id: place.place_id, lat, lon, name });
            }
        }
    }
    let mut writer = csv::Writer::from_path(IDS).expect("it can be written");
    for row in rows.into_values().take(WRITTEN) {
        writer.serialize(row).expect("it can be written");
    }
    writer.flush().expect("it can be written");
}
