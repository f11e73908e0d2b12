//! Reads the look-up of a place.

use super::fault::Fault;
use super::numbers::id;
use super::options::Options;
use super::value::{Value, Values};
use crate::answer::{Answer, Geocode};
use crate::place::Place;
use crate::reference::Reference;

/// A look-up of a place.
#[derive(Clone, Debug, PartialEq)]
pub struct Lookup {
    /// Reference to the place.
    pub reference: Reference,
    /// Language and facts.
    pub options: Options,
}

impl Lookup {
    /// Reads a request for the place with an id, or else with `ref`.
    ///
    /// # Errors
    /// If there is neither, or a value is not what its parameter takes.
    pub fn read(place_id: Option<&Value>, values: &Values) -> Result<Self, Fault> {
        let reference = match (place_id, values.text("ref")) {
            (Some(value), _) => Reference::Id(id("place_id", value)?),
            (None, Some(reference)) => reference.parse().map_err(|_| Fault::new(REFERENCE))?,
            (None, None) => return Err(Fault::new("ref parameter is required")),
        };
        Ok(Self { reference, options: Options::read(values)? })
    }

    /// Returns the place.
    pub fn place(&self, places: &dyn Geocode) -> Answer<Option<Place>> {
        places.place(&self.reference, self.options.to_shown(places))
    }
}

const REFERENCE: &str = "ref must be iata:, icao:, iso: or geonames: and a code, such as iata:CDG or iso:FR-IDF";

#[cfg(test)]
mod tests {
    use super::super::value::of_texts;
    use super::*;

    #[test]
    fn references() {
        fn check(place_id: Option<&str>, reference: Option<&str>, expect: Result<Reference, &'static str>) {
            let place_id = place_id.map(|id| Value::Text(id.to_owned()));
            let values = of_texts(&reference.map(|text| ("ref", text)).into_iter().collect::<Vec<_>>());
            let got = Lookup::read(place_id.as_ref(), &values).map(|lookup| lookup.reference);
            assert_eq!(got, expect.map_err(Fault::new), "{place_id:?} {reference:?}");
        }
        check(Some("2988507"), None, Ok(Reference::Id(2_988_507)));
        check(Some("4"), Some("iata:CDG"), Ok(Reference::Id(4)));
        check(None, Some("geonames:4"), Ok(Reference::Id(4)));
        for id in ["0", "x", "-1", "1.5", "%34", "9007199254740992"] {
            check(Some(id), None, Err("place_id must be an integer between 1 and 9007199254740991"));
        }
        check(None, None, Err("ref parameter is required"));
        for reference in ["", "CDG", "iata:", "wikidata:Q90"] {
            check(None, Some(reference), Err(REFERENCE));
        }
    }
}
