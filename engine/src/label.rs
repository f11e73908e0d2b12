//! Labels: the display name, address and other fields of a row, as results show them.

use crate::facts::{FactSet, Facts, Finding, facts};
use crate::geo::Coordinate;
use crate::index::{Index, Languages, Nearest, PlaceRef, UNIT};
use crate::place::{Address, Place, Suggestion};
use crate::record::{NO_COUNTRY, Role};
use crate::reverse;
use crate::shown::Shown;

/// Makes the labels of rows in one language.
pub(crate) struct Labels<'i> {
    index: &'i Index,
    languages: Languages,
    asked: FactSet,
}

impl<'i> Labels<'i> {
    /// Uses names in the language of `shown` where the index has them, and display names otherwise.
    pub fn new<'q>(index: &'i Index, shown: impl Into<Shown<'q>>) -> Self {
        let Shown { lang, facts } = shown.into();
        Self { index, languages: index.languages(lang), asked: facts }
    }

    fn name(&self, place: PlaceRef<'i>) -> &'i str {
        place.name_in(&self.languages)
    }

    /// The facts that are asked for, if any are.
    fn facts(&self, place: PlaceRef<'i>, finding: Finding) -> Option<Box<Facts>> {
        (!self.asked.is_empty()).then(|| Box::new(facts(place, &self.languages, self.asked, finding)))
    }

    /// The address of a place, from the smallest component to the country.
    fn address(&self, place: PlaceRef<'i>) -> Address {
        let mut address = Address::default();
        for part in place.with_ancestors() {
            let name = self.name(part);
            match part.role() {
                Role::Quarter if part.kind().r#type == "suburb" => address.add("suburb", name),
                Role::Quarter => address.add("quarter", name),
                Role::City => address.add("city", name),
                Role::County => address.add("county", name),
                Role::State => address.add("state", name),
                Role::Postcode => address.add("postcode", name),
                Role::Country | Role::Airport | Role::Station | Role::Landmark | Role::Region => {}
            }
        }
        if let Some(code) = country_code(place) {
            address.add("country", self.country_name(place));
            address.add("country_code", code);
        }
        address
    }

    /// Name of the country of a place, or its code if the index lacks the country; empty if it lies in none.
    fn country_name(&self, place: PlaceRef<'i>) -> String {
        if place.country().iso2 == NO_COUNTRY {
            return String::new();
        }
        let name = place.country_place().map(|country| self.name(country)).filter(|name| !name.is_empty());
        name.map_or_else(|| String::from_utf8_lossy(&place.country().iso2).into_owned(), str::to_owned)
    }

    /// The name of the place, followed by what distinguishes it from others of the same name: its city, the county of a
    /// small place, its state (even if it has the same name) and its country.
    fn display_name(&self, place: PlaceRef<'i>) -> String {
        let (name, kind) = (self.name(place), place.kind());
        // A region of several countries has no parent.
        let is_alone = kind.role == Role::Region && place.ancestors().next().is_none();
        if kind.role == Role::Country || is_alone {
            return name.to_owned();
        }
        let mut parts = vec![name.to_owned()];
        for part in place.ancestors() {
            let shown = match part.role() {
                Role::City | Role::Quarter => kind.role > Role::City,
                Role::County => kind.role == Role::City && kind.r#type != "city",
                Role::State => true,
                _ => false,
            };
            let other = self.name(part);
            if shown && (other != name || part.role() == Role::State) {
                parts.push(other.to_owned());
            }
        }
        parts.push(self.country_name(place));
        parts.join(", ")
    }

    /// The city that a place is or lies in.
    fn city(&self, place: PlaceRef<'i>) -> Option<String> {
        place.with_ancestors().find(|part| part.role() == Role::City).map(|part| self.name(part).to_owned())
    }

    pub fn place(&self, row: u32, confidence: f64, finding: Finding) -> Place {
        let place = self.index.place(row);
        let Coordinate { lat, lon } = place.position();
        let (bounds, kind) = (place.bounds(), place.kind());
        Place {
            place_id: place.id(),
            display_name: self.display_name(place),
            lat,
            lon,
            country: self.country_name(place),
            city: self.city(place),
            category: kind.category.clone(),
            kind: kind.r#type.clone(),
            importance: round(f64::from(place.importance()) / f64::from(UNIT - 1)),
            boundingbox: [bounds.south, bounds.north, bounds.west, bounds.east].map(round_degrees),
            address: self.address(place),
            confidence,
            facts: self.facts(place, finding),
        }
    }

    /// The place of a point, as reverse answers it: the address begins with the name of an airport, a station or a landmark.
    pub fn reversed(&self, near: Nearest) -> Place {
        let found = self.index.place(near.row);
        let distance_m = if found.role().is_area() { 0.0 } else { near.distance_m };
        let finding = Finding { distance_m: Some(distance_m), ..Finding::default() };
        let mut place = self.place(near.row, reverse::confidence(self.index, near), finding);
        if matches!(found.role(), Role::Airport | Role::Station | Role::Landmark) {
            place.address.0.insert(0, (place.category.clone().into(), self.name(found).to_owned()));
        }
        place
    }

    pub fn suggestion(&self, row: u32, finding: Finding) -> Suggestion {
        let place = self.index.place(row);
        let Coordinate { lat, lon } = place.position();
        Suggestion {
            place_id: place.id(),
            country_code: country_code(place),
            role: place.role(),
            display_name: self.display_name(place),
            lat,
            lon,
            country: self.country_name(place),
            city: self.city(place),
            kind: place.kind().r#type.clone(),
            facts: self.facts(place, finding),
        }
    }
}

/// The code of the country of a place in lower case; `None` if it lies in none.
fn country_code(place: PlaceRef) -> Option<String> {
    let code = place.country().iso2;
    (code != NO_COUNTRY).then(|| String::from_utf8_lossy(&code).to_ascii_lowercase())
}

fn round(share: f64) -> f64 {
    libm::round(share * 1e4) / 1e4
}

fn round_degrees(degrees: f64) -> f64 {
    libm::round(degrees * 1e5) / 1e5
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Engine, Gazetteer, Kind, Name, NameClass, Record, Search};

    #[test]
    fn a_country_without_a_place_of_its_own_is_called_by_its_code() {
        let record = |id: u64, name: &str, country: [u8; 2]| Record {
            id,
            kind: Kind { role: Role::City, category: "place".into(), r#type: "city".into() },
            names: vec![Name { text: name.into(), class: NameClass::Primary, lang: None }],
            codes: vec![],
            position: Coordinate { lat: 48.0, lon: id as f64 },
            parent: None,
            country,
            importance: 0.5,
            extent_m: 5_000.0,
            bounds: None,
        };
        let france = Record {
            kind: Kind { role: Role::Country, category: "boundary".into(), r#type: "country".into() },
            ..record(3, "France", *b"FR")
        };
        let check = |places: Vec<Record>, expect: [&str; 3]| {
            let bytes =
                crate::index::write(&Gazetteer { places, ..Gazetteer::default() }).expect("the records are sound");
            let engine = Engine::open(bytes).expect("the index is whole");
            let place = engine.forward(&Search::new("Paris", 1)).pop().expect("there is one");
            let shown = [&place.country, place.address.get("country").unwrap_or_default(), &place.display_name];
            assert_eq!(shown, expect);
            assert_eq!(engine.capital(*b"FR"), None);
        };
        check(vec![record(1, "Paris", *b"FR")], ["FR", "FR", "Paris, FR"]);
        check(vec![record(1, "Paris", *b"FR"), france.clone()], ["France", "France", "Paris, France"]);
        check(vec![record(1, "Paris", *b"US"), france], ["US", "US", "Paris, US"]);
    }
}
