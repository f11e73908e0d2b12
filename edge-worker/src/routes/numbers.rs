//! Reads numbers from parameters, strictly.

use toponym_engine::geo::Coordinate;

use crate::error::Failure;

/// Seven decimal places are kept: steps of 11 millimetres.
const PLACES: f64 = 1e7;

/// The greatest number that every JSON reader keeps: ids are not greater.
const MAX_ID: u64 = (1 << 53) - 1;

/// The point with these two parameters.
pub fn point(lat: &str, lon: &str) -> Result<Coordinate, Failure> {
    point_at(degrees(lat), degrees(lon))
}

/// The point with this latitude and longitude. `None` stands for a text that is no number, and is as wrong as one out of
/// range.
pub fn point_at(lat: Option<f64>, lon: Option<f64>) -> Result<Coordinate, Failure> {
    let lat = lat.and_then(|lat| within(lat, 90.0)).ok_or(Failure::bad_request("lat must be between -90 and 90"))?;
    let lon = lon.and_then(|lon| within(lon, 180.0)).ok_or(Failure::bad_request("lon must be between -180 and 180"))?;
    Coordinate::new(lat, lon).ok_or(Failure::Unexpected)
}

/// A decimal number. It may have an exponent, because JavaScript writes numbers below a millionth with one.
pub fn degrees(text: &str) -> Option<f64> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E'));
    if plain { text.parse().ok() } else { None }
}

/// The number rounded to seven places, if it is then within `bound` of zero (decision 23).
pub fn within(value: f64, bound: f64) -> Option<f64> {
    let rounded = (value * PLACES).round() / PLACES;
    (-bound..=bound).contains(&rounded).then_some(rounded)
}

/// The value of `limit`. Digits only: no sign, no space, no fraction.
pub fn read_limit(limit: Option<String>, most: usize) -> Result<Option<usize>, Failure> {
    let number = |text: &str| if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None };
    let wrong = || Failure::bad_request(format!("limit must be an integer between 1 and {most}"));
    let checked = |text: String| number(&text).filter(|n| (1..=most).contains(n)).ok_or_else(wrong);
    limit.map(checked).transpose()
}

/// The `place_id` in the parameter `name`. Digits only.
pub fn read_id(name: &str, text: &str) -> Result<u64, Failure> {
    let id = if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None };
    id.filter(|id| (1..=MAX_ID).contains(id))
        .ok_or_else(|| Failure::bad_request(format!("{name} must be an integer between 1 and {MAX_ID}")))
}
