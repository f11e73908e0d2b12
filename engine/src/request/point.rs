//! Reads the questions for a point.

use super::fault::Fault;
use super::numbers::point_at;
use super::options::Options;
use super::parameter::Style;
use super::value::{Value, Values};
use crate::answer::{Answer, Geocode};
use crate::geo::Coordinate;
use crate::nearby::Nearby;
use crate::place::Place;
use crate::shown::Shown;

/// Largest `limit`.
const MAX_LIMIT: usize = 10;

/// A question for the place at a point, or for the places near it.
#[derive(Clone, Debug, PartialEq)]
pub struct PointRequest {
    /// Point that the request is about.
    pub point: Coordinate,
    /// Options that hold for every point.
    pub near: NearOptions,
}

/// Options that hold for every point. Without them, the answer is that of the HTTP contract: the place at the point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NearOptions {
    /// `limit`: at most this many of the nearest places, in a list.
    pub limit: Option<usize>,
    /// `radius`: only places at most this far away, metres.
    pub radius_m: Option<f64>,
    /// Language, filters and facts.
    pub options: Options,
}

impl PointRequest {
    /// Reads a request.
    ///
    /// # Errors
    /// If the point is missing, or a value is not what its parameter takes.
    pub fn read(values: &Values) -> Result<Self, Fault> {
        let [lat, lon] = ["lat", "lon"].map(|name| match values.get(name) {
            Some(Value::Text(text)) if text.trim().is_empty() => None,
            value => value,
        });
        if values.style == Style::Text && (lat.is_none() || lon.is_none()) {
            return Err(Fault::new("lat and lon parameters are required"));
        }
        let near = NearOptions::read(values)?;
        Ok(Self { point: point_at(lat.and_then(Value::number), lon.and_then(Value::number))?, near })
    }
}

impl NearOptions {
    /// Reads what holds for every point.
    ///
    /// # Errors
    /// If a value is not what its parameter takes.
    pub fn read(values: &Values) -> Result<Self, Fault> {
        let limit = values.limit(MAX_LIMIT)?;
        let radius_m = values.radius()?;
        Ok(Self { limit, radius_m, options: Options::read(values)? })
    }

    /// Returns the places at or near a point: at most one without `limit`.
    ///
    /// # Errors
    /// If the index has no place of a type that is asked for.
    pub fn places(&self, point: Coordinate, places: &dyn Geocode) -> Result<Answer<Vec<Place>>, Fault> {
        let Self { limit, radius_m, options } = self;
        let Shown { lang, facts } = options.to_shown(places);
        if limit.is_none() && radius_m.is_none() && options.filters.is_open() {
            return Ok(places.reverse(point, Shown { lang, facts }).map(|found| found.into_iter().collect()));
        }
        let types = options.filters.known_types(places)?;
        let plain = Nearby::new(point, limit.unwrap_or(1));
        let radius_m = radius_m.unwrap_or(plain.radius_m);
        let found = places.nearby(&Nearby { radius_m, filter: options.filters.filter(&types), lang, facts, ..plain });
        Ok(found.map(|found| found.into_iter().map(|(place, _)| place).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::value::of_texts;
    use super::*;

    fn check(lat: &str, lon: &str, expect: Result<(f64, f64), &'static str>) {
        fn at((lat, lon): (f64, f64)) -> PointRequest {
            PointRequest { point: Coordinate { lat, lon }, near: NearOptions::default() }
        }
        let got = PointRequest::read(&of_texts(&[("lat", lat), ("lon", lon)]));
        assert_eq!(got, expect.map(at).map_err(Fault::new), "{lat} {lon}");
    }

    #[test]
    fn points_and_what_is_none() {
        check("48.8584", "2.2945", Ok((48.8584, 2.2945)));
        check("-90", "-180", Ok((-90.0, -180.0)));
        check("1.234567849", "+1.23456785", Ok((1.2345678, 1.2345679)));
        check("1e-7", ".5", Ok((1e-7, 0.5)));
        check("90.00000001", "-180.00000001", Ok((90.0, -180.0)));
        check("-90.00000004999", "180.00000004999", Ok((-90.0, 180.0)));
        for (lat, lon) in [("", "1"), ("1", " ")] {
            check(lat, lon, Err("lat and lon parameters are required"));
        }
        let none = [
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
            " 1",
            "1e999",
            "e",
            "٤",
        ];
        for lat in none {
            check(lat, "1", Err("lat must be between -90 and 90"));
        }
        for lon in ["180.00000006", "180.5", "nan"] {
            check("1", lon, Err("lon must be between -180 and 180"));
        }
    }

    #[test]
    fn limits_and_radii() {
        fn check(name: &'static str, value: &str, expect: Result<NearOptions, &'static str>) {
            let got = NearOptions::read(&of_texts(&[(name, value)]));
            assert_eq!(got, expect.map_err(Fault::new), "{name}={value}");
        }
        let none = NearOptions::default;
        check("limit", "10", Ok(NearOptions { limit: Some(10), ..none() }));
        for limit in ["0", "11", "-1", "1.0", ""] {
            check("limit", limit, Err("limit must be an integer between 1 and 10"));
        }
        check("radius", "1", Ok(NearOptions { radius_m: Some(1.0), ..none() }));
        check("radius", "2500.5", Ok(NearOptions { radius_m: Some(2_500.5), ..none() }));
        for radius in ["0", "0.9", "500000.1", "-5", "1e3", "", "5km", "NaN", "."] {
            check("radius", radius, Err("radius must be between 1 and 500000 metres"));
        }
    }
}
