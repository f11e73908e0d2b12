//! Reads numbers, strictly.

use super::fault::Fault;
use super::value::{Value, Values};
use crate::geo::{Bounds, Coordinate};
use crate::nearby::MAX_RADIUS_M;
use crate::text::decimal;

/// Seven decimal places are kept: steps of 11 millimetres.
const PLACES: f64 = 1e7;

/// The greatest number that every JSON reader keeps: ids are not greater.
const MAX_ID: u64 = (1 << 53) - 1;

/// Returns the point with these two texts.
///
/// # Errors
/// As for [`point_at`].
///
/// # Example: read the point of a request
///
/// ```
/// use toponym_engine::request;
///
/// assert_eq!(request::point("48.85", "2.35").unwrap().lat(), 48.85);
/// assert_eq!(request::point("91", "2.35").unwrap_err().to_string(), "lat must be between -90 and 90");
/// ```
pub fn point(lat: &str, lon: &str) -> Result<Coordinate, Fault> {
    point_at(decimal(lat), decimal(lon))
}

/// Returns the point with this latitude and longitude. `None` stands for what is not a number, and is as wrong as one out of range.
///
/// # Errors
/// If one is not within its range.
pub fn point_at(lat: Option<f64>, lon: Option<f64>) -> Result<Coordinate, Fault> {
    let lat = lat.and_then(|lat| within(lat, 90.0)).ok_or(Fault::new("lat must be between -90 and 90"))?;
    let lon = lon.and_then(|lon| within(lon, 180.0)).ok_or(Fault::new("lon must be between -180 and 180"))?;
    Ok(Coordinate { lat, lon })
}

/// Rounds a number to seven places; `None` if it is then not within `bound` of zero (decision 23).
fn within(value: f64, bound: f64) -> Option<f64> {
    let rounded = libm::round(value * PLACES) / PLACES;
    (-bound..=bound).contains(&rounded).then_some(rounded)
}

impl Values {
    /// Reads `limit`: digits only, without sign, space and fraction.
    pub(super) fn limit(&self, most: usize) -> Result<Option<usize>, Fault> {
        let Some(value) = self.get("limit") else { return Ok(None) };
        let limit =
            value.whole().and_then(|limit| usize::try_from(limit).ok()).filter(|limit| (1..=most).contains(limit));
        limit.map(Some).ok_or_else(|| self.fault("limit", format!("be an integer between 1 and {most}")))
    }

    /// Reads `within`.
    pub(super) fn within(&self) -> Result<Option<u64>, Fault> {
        self.get("within").map(|value| id("within", value)).transpose()
    }

    /// Reads `radius`: metres, with or without a fraction.
    pub(super) fn radius(&self) -> Result<Option<f64>, Fault> {
        let Some(value) = self.get("radius") else { return Ok(None) };
        let metres = match value {
            Value::Text(text) if !text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') => None,
            value => value.number(),
        };
        let metres = metres.filter(|metres| (1.0..=MAX_RADIUS_M).contains(metres));
        metres.map(Some).ok_or_else(|| self.fault("radius", format!("be between 1 and {} metres", MAX_RADIUS_M as u32)))
    }

    /// Reads `bbox`: west, south, east and north (RFC 7946, section 5). West may be greater than east: the box crosses the date line.
    pub(super) fn bounds(&self) -> Result<Option<Bounds>, Fault> {
        let Some(sides) = self.numbers("bbox") else { return Ok(None) };
        let bounds = || {
            let &[west, south, east, north] = sides.as_slice() else { return None };
            let bounds = Bounds {
                south: within(south?, 90.0)?,
                north: within(north?, 90.0)?,
                west: within(west?, 180.0)?,
                east: within(east?, 180.0)?,
            };
            (bounds.south <= bounds.north).then_some(bounds)
        };
        let must =
            "be west,south,east,north: degrees between -180 and 180 and between -90 and 90, with south at most north";
        bounds().map(Some).ok_or_else(|| self.fault("bbox", must))
    }
}

/// Reads the `place_id` in the parameter `name`.
pub(super) fn id(name: &str, value: &Value) -> Result<u64, Fault> {
    let id = value.whole().filter(|id| (1..=MAX_ID).contains(id));
    id.ok_or_else(|| Fault::new(format!("{name} must be an integer between 1 and {MAX_ID}")))
}
