//! Reads requests to `forward` and `autocomplete`, which differ only in names and limits.

use toponym_engine::geo::Coordinate;
use toponym_engine::{MAX_QUERY_CHARS, Search};

use super::parameters::parameters;
use crate::error::Failure;

/// A text search.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// The query text.
    pub text: String,
    /// Largest number of results.
    pub limit: usize,
    /// Parameters beyond the contract.
    pub extensions: Extensions,
}

/// Optional parameters beyond the contract. Without them, results are those of the contract.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extensions {
    /// `lang`: language of display names, a BCP 47 tag.
    pub lang: Option<String>,
    /// `countrycodes`: ISO 3166-1 alpha-2 codes separated by commas.
    pub countries: Vec<[u8; 2]>,
    /// `lat` and `lon`: among places of one name, prefer those near this point.
    pub focus: Option<Coordinate>,
}

impl Text {
    /// The search for the engine.
    pub fn search(&self) -> Search<'_> {
        Search {
            lang: self.extensions.lang.as_deref(),
            countries: &self.extensions.countries,
            focus: self.extensions.focus,
            ..Search::new(&self.text, self.limit)
        }
    }
}

/// The parameter name and the limit of a route.
#[derive(Debug)]
pub struct TextRoute {
    name: &'static str,
    max_limit: usize,
}

/// `GET /v1/geocoding/forward`.
pub const FORWARD: TextRoute = TextRoute { name: "query", max_limit: 50 };

/// `GET /v1/geocoding/autocomplete`.
pub const AUTOCOMPLETE: TextRoute = TextRoute { name: "q", max_limit: 10 };

/// Results if `limit` is absent.
const DEFAULT_LIMIT: usize = 5;

impl TextRoute {
    /// Reads the query string.
    pub fn read(&self, raw: &str) -> Result<Text, Failure> {
        let Self { name, max_limit } = self;
        let [text, limit, lang, countries, lat, lon] =
            parameters(raw, [name, "limit", "lang", "countrycodes", "lat", "lon"])?;
        let text = text.filter(|text| !text.trim().is_empty());
        let text = text.ok_or_else(|| Failure::bad_request(format!("{name} parameter is required")))?;
        if text.chars().count() > MAX_QUERY_CHARS {
            let message = format!("{name} parameter must be between 1 and {MAX_QUERY_CHARS} characters");
            return Err(Failure::bad_request(message));
        }
        let limit =
            limit.map_or(Some(DEFAULT_LIMIT), |limit| read_limit(&limit)).filter(|n| (1..=*max_limit).contains(n));
        let limit =
            limit.ok_or_else(|| Failure::bad_request(format!("limit must be an integer between 1 and {max_limit}")))?;
        let extensions = Extensions {
            lang: lang.map(read_lang).transpose()?,
            countries: countries.map_or(Ok(Vec::new()), |list| read_countries(&list))?,
            focus: read_focus(lat, lon)?,
        };
        Ok(Text { text, limit, extensions })
    }
}

/// Longest language tag that is accepted (RFC 5646 section 4.4.1).
const MAX_TAG: usize = 35;

fn read_lang(tag: String) -> Result<String, Failure> {
    let is_tag = !tag.is_empty() && tag.len() <= MAX_TAG && tag.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    if is_tag { Ok(tag) } else { Err(Failure::bad_request("lang must be a BCP 47 language tag")) }
}

fn read_countries(list: &str) -> Result<Vec<[u8; 2]>, Failure> {
    let code = |code: &str| match code.to_ascii_uppercase().as_bytes() {
        &[a, b] if a.is_ascii_uppercase() && b.is_ascii_uppercase() => Ok([a, b]),
        _ => Err(Failure::bad_request("countrycodes must be ISO 3166-1 alpha-2 codes separated by commas")),
    };
    list.split(',').map(code).collect()
}

fn read_focus(lat: Option<String>, lon: Option<String>) -> Result<Option<Coordinate>, Failure> {
    match (lat, lon) {
        (None, None) => Ok(None),
        (Some(lat), Some(lon)) => super::reverse::point(&lat, &lon).map(Some),
        _ => Err(Failure::bad_request("lat and lon parameters are required together")),
    }
}

/// Digits only: no sign, no space, no fraction.
fn read_limit(text: &str) -> Option<usize> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(route: &TextRoute, raw: &str, expect: Result<(&str, usize), &str>) {
        let got = route.read(raw);
        let got = got.as_ref().map(|text| (text.text.as_str(), text.limit)).map_err(|failure| failure.message());
        assert_eq!(got, expect.map_err(Into::into), "{raw}");
    }

    #[test]
    fn forward() {
        let check = |raw: &str, expect| check(&FORWARD, raw, expect);
        check("query=Paris", Ok(("Paris", 5)));
        check("query=%20Paris+&limit=50", Ok((" Paris ", 50)));
        check("limit=5", Err("query parameter is required"));
        check("query=", Err("query parameter is required"));
        check("query=%20%C2%A0+", Err("query parameter is required"));
        check("q=Paris", Err("query parameter is required"));
        check("query=a&query=b", Err("query parameter must be given once"));
        check("query=%zz", Err("query string must be percent-encoded UTF-8"));
        for limit in ["0", "51", "-1", "%2B5", "5.0", "", "five", "1e1", "99999999999999999999", "%D9%A5"] {
            check(&format!("query=Paris&limit={limit}"), Err("limit must be an integer between 1 and 50"));
        }
    }

    #[test]
    fn autocomplete() {
        let check = |raw: &str, expect| check(&AUTOCOMPLETE, raw, expect);
        check("q=Par&limit=10", Ok(("Par", 10)));
        check("query=Par", Err("q parameter is required"));
        check("q=Par&limit=11", Err("limit must be an integer between 1 and 10"));
    }

    #[test]
    fn extensions() {
        let check = |raw: &str, expect: Result<Extensions, &str>| {
            let got = FORWARD.read(&format!("query=Paris&{raw}"));
            let got = got.as_ref().map(|text| text.extensions.clone()).map_err(|failure| failure.message());
            assert_eq!(got, expect.map_err(Into::into), "{raw}");
        };
        let none = Extensions::default;
        check("other=1", Ok(none()));
        check("lang=pt-BR", Ok(Extensions { lang: Some("pt-BR".into()), ..none() }));
        check("lang=", Err("lang must be a BCP 47 language tag"));
        check("countrycodes=fr,US", Ok(Extensions { countries: vec![*b"FR", *b"US"], ..none() }));
        check("countrycodes=fra", Err("countrycodes must be ISO 3166-1 alpha-2 codes separated by commas"));
        check("countrycodes=", Err("countrycodes must be ISO 3166-1 alpha-2 codes separated by commas"));
        check("lat=1&lon=-2", Ok(Extensions { focus: Coordinate::new(1.0, -2.0), ..none() }));
        check("lat=1", Err("lat and lon parameters are required together"));
        check("lat=91&lon=0", Err("lat must be between -90 and 90"));
    }

    #[test]
    fn lengths_are_counted_in_scalar_values() {
        let check = |text: &str, fits: bool| assert_eq!(FORWARD.read(&format!("query={text}")).is_ok(), fits);
        check(&"a".repeat(500), true);
        check(&"a".repeat(501), false);
        check(&"%F0%9F%8D%93".repeat(500), true);
        check(&"%F0%9F%8D%93".repeat(501), false);
    }
}
