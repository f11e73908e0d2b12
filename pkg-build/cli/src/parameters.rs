//! The options that are parameters of the service, and their query string, so that the same code reads both.

use clap::Args;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

/// Which places may be answers, and what is shown of them: the words of the HTTP API.
#[derive(Args, Clone, Debug, Default)]
pub struct Shared {
    /// Language of the names: a BCP 47 tag such as fr
    #[arg(long, value_name = "TAG")]
    pub lang: Option<String>,
    /// Facts to show beside the usual answer, such as population,timezone; or all
    #[arg(long, value_name = "FACTS")]
    pub fields: Option<String>,
    /// Only places in these countries: ISO 3166-1 alpha-2, separated by commas
    #[arg(long, value_name = "CODES")]
    pub countrycodes: Option<String>,
    /// Only places of these kinds, such as city,airport
    #[arg(long, value_name = "KINDS")]
    pub types: Option<String>,
    /// Only places in this box: west,south,east,north
    #[arg(long, value_name = "BOX", allow_hyphen_values = true)]
    pub bbox: Option<String>,
    /// Only places in the place with this place_id
    #[arg(long, value_name = "ID")]
    pub within: Option<String>,
}

impl Shared {
    /// The options that are set, by the names of their parameters.
    pub fn pairs(&self) -> Pairs<'_> {
        let Self { lang, fields, countrycodes, types, bbox, within } = self;
        let all = [
            ("lang", lang),
            ("fields", fields),
            ("countrycodes", countrycodes),
            ("types", types),
            ("bbox", bbox),
            ("within", within),
        ];
        all.into_iter().filter_map(|(name, value)| Some((name, value.as_deref()?))).collect()
    }
}

/// Names and values of parameters.
pub type Pairs<'a> = Vec<(&'static str, &'a str)>;

/// The query string of parameters.
pub fn query_string(pairs: &[(&'static str, &str)]) -> String {
    let encoded = |(name, value): &(&str, &str)| format!("{name}={}", utf8_percent_encode(value, NON_ALPHANUMERIC));
    pairs.iter().map(encoded).collect::<Vec<_>>().join("&")
}

/// Latitude and longitude of `48.85,2.35`, not checked yet.
pub fn split_point(text: &str) -> Option<(&str, &str)> {
    let (lat, lon) = text.split_once(',').or_else(|| text.split_once(char::is_whitespace))?;
    Some((lat.trim(), lon.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_of_parameters() {
        assert_eq!(query_string(&[("query", "São & 1=%"), ("limit", "3")]), "query=S%C3%A3o%20%26%201%3D%25&limit=3");
        assert_eq!(query_string(&[]), "");
    }

    #[test]
    fn points() {
        let check = |text: &str, expect| assert_eq!(split_point(text), expect, "{text}");
        check("48.8,-2.3", Some(("48.8", "-2.3")));
        check("48.8, 2.3", Some(("48.8", "2.3")));
        check("48.8 2.3", Some(("48.8", "2.3")));
        check("48.8", None);
    }
}
