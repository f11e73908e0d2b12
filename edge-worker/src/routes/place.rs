//! Reads the look-up: `GET /v1/geocoding/place/{place_id}` and `GET /v1/geocoding/place?ref=...`.

use toponym_engine::{Answer, FactSet, Geocode, Reference, Shown};

use super::facts;
use super::format::Format;
use super::language::Languages;
use super::numbers::read_id;
use super::parameters::parameters;
use crate::error::Failure;
use crate::response::Response;

/// A look-up of a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lookup {
    /// Which place.
    pub reference: Reference,
    /// `lang`: language of names.
    pub languages: Languages,
    /// `fields`: facts that the answer has beside those of the contract.
    pub facts: FactSet,
    /// `format`: the shape of the answer.
    pub format: Format,
}

/// Reads the id from the end of the path, or else `ref` from the query string, and `Accept-Language` if it asks for it.
pub fn read(id: Option<&str>, raw: &str, accept_language: Option<&str>) -> Result<Lookup, Failure> {
    let [reference, lang, facts, format] = parameters(raw, ["ref", "lang", "fields", "format"])?;
    let reference = match (id, reference) {
        (Some(id), _) => Reference::Id(read_id("place_id", id)?),
        (None, Some(reference)) => reference.parse().map_err(|_| Failure::bad_request(REFERENCE))?,
        (None, None) => return Err(Failure::bad_request("ref parameter is required")),
    };
    let languages = Languages::read(lang, accept_language)?;
    Ok(Lookup { reference, languages, facts: facts::read(facts)?, format: Format::read(format.as_deref())? })
}

const REFERENCE: &str = "ref must be iata:, icao:, iso: or geonames: and a code, such as iata:CDG or iso:FR-IDF";

impl Lookup {
    /// The place.
    pub fn answer(&self, places: &dyn Geocode) -> Answer<Result<Response, Failure>> {
        let place = places.place(&self.reference, Shown { lang: self.languages.tag(places), facts: self.facts });
        place.map(|place| self.format.one(&place.ok_or(Failure::UnknownPlace)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references() {
        let check = |id: Option<&str>, raw: &str, expect: Result<Reference, &'static str>| {
            let got = read(id, raw, None).map(|lookup| lookup.reference);
            assert_eq!(got, expect.map_err(Failure::bad_request), "{id:?} {raw}");
        };
        check(Some("2988507"), "", Ok(Reference::Id(2_988_507)));
        check(Some("4"), "ref=iata:CDG", Ok(Reference::Id(4)));
        check(None, "ref=geonames:4", Ok(Reference::Id(4)));
        for id in ["0", "x", "-1", "1.5", "%34", "9007199254740992"] {
            check(Some(id), "", Err("place_id must be an integer between 1 and 9007199254740991"));
        }
        check(None, "", Err("ref parameter is required"));
        for reference in ["", "CDG", "iata:", "wikidata:Q90"] {
            check(None, &format!("ref={reference}"), Err(REFERENCE));
        }
        check(Some("4"), "lang=%FF", Err("query string must be percent-encoded UTF-8"));
    }
}
