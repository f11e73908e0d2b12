//! Rows for tests.

use toponym_engine::geo::{Coordinate, METRES_PER_DEGREE};

use super::import::{Files, Rows, read};
use super::inputs::Inputs;
use super::merged::Merged;
use crate::error::BuildError;
use crate::feature::Feature;
use crate::sources::rows::{Airport, Settlement};

/// Merges the places of `inputs` and of added files.
pub(crate) fn test_merged(mut inputs: Inputs, files: &Files) -> Result<Merged, BuildError> {
    let folder = std::env::temp_dir();
    let mut rows = Rows::new(&folder);
    read(&mut inputs, files, |country, row| rows.push(country, row))?;
    Merged::of(&inputs, rows, &folder)
}

/// Finds two points of a meridian that are exactly so far apart, to the last digit that is computed.
pub(crate) fn test_pair(metres: f64) -> (Coordinate, Coordinate) {
    let of_base = |base: f64| {
        let about = (base + metres / METRES_PER_DEGREE).to_bits();
        let mut near = (about - 50..about + 50).map(|bits| at(f64::from_bits(bits)));
        near.find(|&other| at(base).distance_m(other) == metres).map(|other| (at(base), other))
    };
    (0..9_000).find_map(|step| of_base(f64::from(step) / 1_000.0)).expect("one of so many is")
}

fn at(lat: f64) -> Coordinate {
    Coordinate::new(lat, 2.0).expect("a test coordinate is in range")
}

/// Creates an airport in France without codes.
pub(crate) fn test_airport(ident: &str, name: &str, at: (f64, f64)) -> Airport {
    Airport {
        served: String::new(),
        has_flights: None,
        is_large: false,
        ident: ident.to_owned(),
        iata: None,
        icao: None,
        metropolis: None,
        name: name.to_owned(),
        alternates: Vec::new(),
        weak_names: Vec::new(),
        city: String::new(),
        country: *b"FR",
        position: Coordinate::new(at.0, at.1).expect("a test coordinate is in range"),
    }
}

pub(crate) fn test_settlement(id: u64, name: &str, at: (f64, f64), population: u64) -> Settlement {
    Settlement {
        id,
        name: name.to_owned(),
        alternates: Vec::new(),
        tagged: Vec::new(),
        ranked: Vec::new(),
        position: Coordinate::new(at.0, at.1).expect("a test coordinate is in range"),
        country: *b"FR",
        admin1: "".into(),
        admin2: "".into(),
        feature: Feature::Place,
        population,
        counts_as: 0,
        timezone: "Europe/Paris".into(),
        bounds: None,
        has_own_name: false,
    }
}
