//! Reads `GET /v1/geocoding/reverse`.

use toponym_engine::geo::Coordinate;

use super::parameters::parameters;
use crate::error::Failure;

/// Decimal places that are kept: 11 millimetres.
const PLACES: f64 = 1e7;

/// Reads the query string.
pub fn read(raw: &str) -> Result<Coordinate, Failure> {
    let [lat, lon] = parameters(raw, ["lat", "lon"])?;
    let (Some(lat), Some(lon)) = (present(lat), present(lon)) else {
        return Err(Failure::bad_request("lat and lon parameters are required"));
    };
    point(&lat, &lon)
}

/// The point with these two parameters.
pub fn point(lat: &str, lon: &str) -> Result<Coordinate, Failure> {
    let lat = degrees(lat, 90.0).ok_or(Failure::bad_request("lat must be between -90 and 90"))?;
    let lon = degrees(lon, 180.0).ok_or(Failure::bad_request("lon must be between -180 and 180"))?;
    Coordinate::new(lat, lon).ok_or(Failure::Unexpected)
}

fn present(value: Option<String>) -> Option<String> {
    value.filter(|value| !value.trim().is_empty())
}

/// A decimal number, rounded to seven places and then within `bound` of zero (decision 23). It may have an exponent,
/// because JavaScript writes numbers below a millionth with one.
fn degrees(text: &str, bound: f64) -> Option<f64> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E'));
    let value: f64 = if plain { text.parse().ok()? } else { return None };
    let rounded = (value * PLACES).round() / PLACES;
    (-bound..=bound).contains(&rounded).then_some(rounded)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(raw: &str, expect: Result<(f64, f64), &str>) {
        let got = read(raw);
        let got = got.as_ref().map(|point| (point.lat(), point.lon())).map_err(|failure| failure.message());
        assert_eq!(got, expect.map_err(Into::into), "{raw}");
    }

    #[test]
    fn points() {
        check("lat=48.8584&lon=2.2945", Ok((48.8584, 2.2945)));
        check("lat=-90&lon=-180", Ok((-90.0, -180.0)));
        check("lat=90&lon=180", Ok((90.0, 180.0)));
        check("lat=1.234567849&lon=%2B1.23456785", Ok((1.2345678, 1.2345679)));
        check("lat=1e-7&lon=.5", Ok((1e-7, 0.5)));
        check("lat=90.00000001&lon=-180.00000001", Ok((90.0, -180.0)));
        check("lat=-90.00000004999&lon=180.00000004999", Ok((-90.0, 180.0)));
    }

    #[test]
    fn what_is_no_point() {
        for raw in ["", "lat=1", "lon=1", "lat=&lon=1", "lat=1&lon=+"] {
            check(raw, Err("lat and lon parameters are required"));
        }
        for lat in [
            "90.0000001",
            "90.00000006",
            "-90.00000006",
            "-91",
            "NaN",
            "inf",
            "-Infinity",
            "0x10",
            "1,5",
            "1.2.3",
            "abc",
            "%201",
            "1e999",
            "e",
            "٤",
        ] {
            check(&format!("lat={lat}&lon=1"), Err("lat must be between -90 and 90"));
        }
        check("lat=1&lon=180.00000006", Err("lon must be between -180 and 180"));
        check("lat=1&lon=180.5", Err("lon must be between -180 and 180"));
        check("lat=1&lon=nan", Err("lon must be between -180 and 180"));
        check("lat=1&lat=1&lon=1", Err("lat parameter must be given once"));
    }
}
