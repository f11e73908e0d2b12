//! Degrees as an index stores them: whole numbers of 1e-5 degrees.

use toponym_engine::geo::Coordinate;

/// Returns the point of stored coordinates, if it is on the globe.
pub(crate) fn coordinate(lat: i32, lon: i32) -> Option<Coordinate> {
    Coordinate::new(degrees(lat), degrees(lon))
}

pub(crate) fn degrees(stored: i32) -> f64 {
    f64::from(stored) / 1e5
}
