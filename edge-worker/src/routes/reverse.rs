//! Reads `GET /v1/geocoding/reverse`.

use toponym_engine::geo::Coordinate;
use toponym_engine::{Answer, FactSet, Geocode, MAX_RADIUS_M, Nearby, Place, Shown};

use super::facts;
use super::filters::{self, Filters};
use super::format::Format;
use super::language::Languages;
use super::numbers::{point, read_limit};
use super::parameters::parameters;
use crate::error::Failure;
use crate::response::Response;

/// Largest `limit`.
const MAX_LIMIT: usize = 10;

/// A question for the place at a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Reverse {
    /// Where.
    pub point: Coordinate,
    /// Parameters beyond the contract.
    pub extensions: Extensions,
}

/// Optional parameters beyond the contract. Without them, the result is that of the contract.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extensions {
    /// `limit`: at most this many of the nearest places, in an array.
    pub limit: Option<usize>,
    /// `radius`: only places at most this far away, metres.
    pub radius_m: Option<f64>,
    /// `lang`: language of names.
    pub languages: Languages,
    /// `countrycodes`, `types`, `bbox`, `within`: which places may be results.
    pub filters: Filters,
    /// `fields`: facts that each answer has beside those of the contract.
    pub facts: FactSet,
    /// `format`: the shape of the answer.
    pub format: Format,
}

/// Reads the query string, and `Accept-Language` if it asks for it.
pub fn read(raw: &str, accept_language: Option<&str>) -> Result<Reverse, Failure> {
    let [lat, lon, limit, radius, lang, facts, format] =
        parameters(raw, ["lat", "lon", "limit", "radius", "lang", "fields", "format"])?;
    let filters = parameters(raw, filters::NAMES)?;
    let (Some(lat), Some(lon)) = (present(lat), present(lon)) else {
        return Err(Failure::bad_request("lat and lon parameters are required"));
    };
    let extensions = Extensions {
        limit: read_limit(limit, MAX_LIMIT)?,
        radius_m: radius.map(|radius| read_radius(&radius)).transpose()?,
        languages: Languages::read(lang, accept_language)?,
        filters: Filters::read(filters)?,
        facts: facts::read(facts)?,
        format: Format::read(format.as_deref())?,
    };
    Ok(Reverse { point: point(&lat, &lon)?, extensions })
}

impl Reverse {
    /// One place, or with `limit` an array of places.
    pub fn shown(&self, found: &[Place]) -> Result<Response, Failure> {
        let Extensions { limit, format, .. } = self.extensions;
        match limit {
            Some(_) => format.many(found),
            None => format.one(found.first().ok_or(Failure::NoLocation)?),
        }
    }

    /// The places: at most one without `limit`.
    pub fn places(&self, places: &dyn Geocode) -> Result<Answer<Vec<Place>>, Failure> {
        let Extensions { limit, radius_m, languages, filters, facts, .. } = &self.extensions;
        let (lang, facts) = (languages.tag(places), *facts);
        if limit.is_none() && radius_m.is_none() && filters.is_open() {
            return Ok(places.reverse(self.point, Shown { lang, facts }).map(|found| found.into_iter().collect()));
        }
        let types = filters.known_types(places)?;
        let plain = Nearby::new(self.point, limit.unwrap_or(1));
        let radius_m = radius_m.unwrap_or(plain.radius_m);
        let found = places.nearby(&Nearby { radius_m, filter: filters.filter(&types), lang, facts, ..plain });
        Ok(found.map(|found| found.into_iter().map(|(place, _)| place).collect()))
    }
}

/// Metres, with or without a fraction.
fn read_radius(text: &str) -> Result<f64, Failure> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let metres: Option<f64> = if plain { text.parse().ok() } else { None };
    let wrong = || Failure::bad_request(format!("radius must be between 1 and {MAX_RADIUS_M} metres"));
    metres.filter(|metres| (1.0..=MAX_RADIUS_M).contains(metres)).ok_or_else(wrong)
}

fn present(value: Option<String>) -> Option<String> {
    value.filter(|value| !value.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(raw: &str, expect: Result<(f64, f64), &'static str>) {
        let expect = expect.map(|(lat, lon)| Reverse {
            point: Coordinate::new(lat, lon).expect("it is in range"),
            extensions: Extensions::default(),
        });
        assert_eq!(read(raw, Some("de")), expect.map_err(Failure::bad_request), "{raw}");
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

    #[test]
    fn extensions() {
        let check = |raw: &str, expect: Result<Extensions, &'static str>| {
            let got = read(&format!("lat=1&lon=2&{raw}"), Some("de")).map(|reverse| reverse.extensions);
            assert_eq!(got, expect.map_err(Failure::bad_request), "{raw}");
        };
        let none = Extensions::default;
        check("other=1", Ok(none()));
        check("limit=10", Ok(Extensions { limit: Some(10), ..none() }));
        for limit in ["0", "11", "-1", "1.0", ""] {
            check(&format!("limit={limit}"), Err("limit must be an integer between 1 and 10"));
        }
        check("radius=1", Ok(Extensions { radius_m: Some(1.0), ..none() }));
        check("radius=2500.5", Ok(Extensions { radius_m: Some(2_500.5), ..none() }));
        for radius in ["0", "0.9", "500000.1", "-5", "1e3", "", "5km", "NaN", "."] {
            check(&format!("radius={radius}"), Err("radius must be between 1 and 500000 metres"));
        }
        let languages = Languages::read(Some("de".into()), None).expect("it is a language");
        check("lang=auto", Ok(Extensions { languages, ..none() }));
        check(
            "types=airport",
            Ok(Extensions { filters: Filters { types: vec!["airport".into()], ..Filters::default() }, ..none() }),
        );
        check("format=geojson", Ok(Extensions { format: Format::GeoJson, ..none() }));
    }
}
