//! Degrees as integers, the form in which positions are stored.

use crate::geo::Coordinate;

/// Degrees of one unit of a stored coordinate: about 1.1 m.
pub(crate) const DEGREE_UNIT: f64 = 1e-5;

pub(crate) fn to_degrees(stored: i32) -> f64 {
    // Division gives the nearest double of the decimal: 4885341 is 48.85341, not 48.853410000000004.
    f64::from(stored) / 1e5
}

pub(crate) fn from_degrees(degrees: f64) -> i32 {
    (degrees / DEGREE_UNIT).round() as i32
}

/// Rounds a position as in the index.
pub(crate) fn as_stored(position: Coordinate) -> Coordinate {
    fn round(degrees: f64) -> f64 {
        to_degrees(from_degrees(degrees))
    }
    Coordinate { lat: round(position.lat), lon: round(position.lon) }
}
