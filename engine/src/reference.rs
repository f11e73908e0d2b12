//! References: what names exactly one place, or a few that share a code.

use std::str::FromStr;

use crate::record::CodeScheme;

/// The greatest id of GeoNames as a `place_id`. Ids of other sources lie above it.
pub(crate) const MAX_GEONAMES_ID: u64 = (1 << 48) - 1;

/// Longest code: a first-level division in ISO 3166-2, `US-CA`, has at most three characters after its country.
const MAX_CODE_LETTERS: usize = 4;

/// A place by an id or a code of a list that others keep. Reads, in any case:
///
/// | Text | Place |
/// |---|---|
/// | `geonames:2988507` | the city, town, village or country, by its id at GeoNames |
/// | `iata:CDG`, `icao:LFPG` | the airport; of a metropolitan code (`iata:LON`) the most important one |
/// | `iso:FR`, `iso:FRA` | the country, by ISO 3166-1 |
/// | `iso:FR-IDF`, `iso:JP-13` | the first-level division, by ISO 3166-2 |
///
/// ```
/// # use toponym_engine::{CodeScheme, Reference};
/// let airport = Reference::Code { scheme: CodeScheme::Iata, code: "CDG".into(), country: None };
/// assert_eq!("iata:cdg".parse(), Ok(airport));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reference {
    /// The place with this `place_id`.
    Id(u64),
    /// The most important place with a code.
    Code {
        /// The list of codes.
        scheme: CodeScheme,
        /// Upper case.
        code: String,
        /// The country that the place lies in, ISO 3166-1 alpha-2 in upper case; `None`: any.
        country: Option<[u8; 2]>,
    },
}

/// The text is not a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoReference;

impl FromStr for Reference {
    type Err = NoReference;

    fn from_str(text: &str) -> Result<Self, NoReference> {
        let upper = text.to_ascii_uppercase();
        let (list, code) = upper.split_once(':').ok_or(NoReference)?;
        fn of_length(letters: usize, code: &str) -> bool {
            is_code_text(code) && code.len() == letters
        }
        let (scheme, code, country) = match (list, code.split_once('-')) {
            ("GEONAMES", None) if code.bytes().all(|byte| byte.is_ascii_digit()) => {
                let id = code.parse().ok().filter(|id| (1..=MAX_GEONAMES_ID).contains(id));
                return id.map(Self::Id).ok_or(NoReference);
            }
            ("IATA", None) if of_length(3, code) => (CodeScheme::Iata, code, None),
            ("ICAO", None) if of_length(4, code) => (CodeScheme::Icao, code, None),
            ("ISO", None) if of_length(2, code) => (CodeScheme::Iso2, code, None),
            ("ISO", None) if of_length(3, code) => (CodeScheme::Iso3, code, None),
            ("ISO", Some((country, state))) if of_length(2, country) && is_code_text(state) => {
                (CodeScheme::State, state, country.as_bytes().try_into().ok())
            }
            _ => return Err(NoReference),
        };
        Ok(Self::Code { scheme, code: code.to_owned(), country })
    }
}

fn is_code_text(code: &str) -> bool {
    (1..=MAX_CODE_LETTERS).contains(&code.len()) && code.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_and_what_is_none() {
        fn check(text: &str, expect: Result<Reference, NoReference>) {
            assert_eq!(text.parse(), expect, "{text}")
        }
        fn code(scheme: CodeScheme, code: &str, country: Option<&[u8; 2]>) -> Result<Reference, NoReference> {
            Ok(Reference::Code { scheme, code: code.into(), country: country.copied() })
        }
        check("geonames:2988507", Ok(Reference::Id(2_988_507)));
        check("iata:CDG", code(CodeScheme::Iata, "CDG", None));
        check("ICAO:lfpg", code(CodeScheme::Icao, "LFPG", None));
        check("iso:fr", code(CodeScheme::Iso2, "FR", None));
        check("iso:FRA", code(CodeScheme::Iso3, "FRA", None));
        check("iso:FR-IDF", code(CodeScheme::State, "IDF", Some(b"FR")));
        check("iso:de-by", code(CodeScheme::State, "BY", Some(b"DE")));
        check("iso:JP-13", code(CodeScheme::State, "13", Some(b"JP")));
        for none in [
            "",
            "CDG",
            "iata:",
            "iata:CD",
            "iata:CDGX",
            "iata:CD G",
            "iata:CÐG",
            "iso:F",
            "iso:FR-",
            "iso:FR-IDF-X",
            "iso:FRA-IDF",
            "icao:LF-PG",
            "geonames:",
            "geonames:0",
            "geonames:-1",
            "geonames:+1",
            "geonames:281474976710656",
            "wikidata:Q90",
        ] {
            check(none, Err(NoReference));
        }
    }
}
