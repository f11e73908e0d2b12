//! Names and addresses: how a row is presented.

use crate::geo::Coordinate;
use crate::index::{Index, Language, Places, UNIT};
use crate::place::{Address, Place, Suggestion};
use crate::record::Role;

/// Presents the rows of an index in a language.
pub(crate) struct Labels<'i> {
    index: &'i Index,
    languages: Vec<Language>,
}

impl<'i> Labels<'i> {
    /// Labels in the language of `tag`, as far as the index has names in it; else, and without a tag, display names.
    pub fn new(index: &'i Index, tag: Option<&str>) -> Self {
        Self { index, languages: tag.map(|tag| index.translations.languages(tag)).unwrap_or_default() }
    }

    pub fn name(&self, row: u32) -> &'i str {
        let mut translated = self.languages.iter().filter_map(|&language| self.index.translations.name(row, language));
        translated.next().unwrap_or_else(|| self.index.places.display_name(row))
    }

    fn places(&self) -> &'i Places {
        &self.index.places
    }

    /// The address of a place, from the smallest component to the country.
    pub fn address(&self, row: u32) -> Address {
        let places = self.places();
        let mut address = Address::default();
        for part in std::iter::once(row).chain(places.ancestors(row)) {
            let name = self.name(part);
            match places.role(part) {
                Role::Quarter if places.kind(part).r#type == "suburb" => address.add("suburb", name),
                Role::Quarter => address.add("quarter", name),
                Role::City => address.add("city", name),
                Role::County => address.add("county", name),
                Role::State => address.add("state", name),
                Role::Country | Role::Airport | Role::Station | Role::Landmark => {}
            }
        }
        let code = places.country(row).iso2;
        address.add("country", self.country_name(row));
        address.add("country_code", String::from_utf8_lossy(&code).to_ascii_lowercase());
        address
    }

    /// Name of the country a place lies in; its code where the index does not hold the country.
    fn country_name(&self, row: u32) -> String {
        let places = self.places();
        let country = places.country(row);
        let name = places.of_country(country).map(|row| self.name(row)).filter(|name| !name.is_empty());
        name.map_or_else(|| String::from_utf8_lossy(&country.iso2).into_owned(), str::to_owned)
    }

    /// The place's name, then what tells it from others of that name: its city, for a small place its county, its state
    /// (even if it bears the same name), its country.
    fn display_name(&self, row: u32) -> String {
        let places = self.places();
        let name = self.name(row);
        let kind = places.kind(row);
        if kind.role == Role::Country {
            return name.to_owned();
        }
        let mut parts = vec![name.to_owned()];
        for part in places.ancestors(row) {
            let shown = match places.role(part) {
                Role::City | Role::Quarter => kind.role > Role::City,
                Role::County => kind.role == Role::City && kind.r#type != "city",
                Role::State => true,
                _ => false,
            };
            let other = self.name(part);
            if shown && (other != name || places.role(part) == Role::State) {
                parts.push(other.to_owned());
            }
        }
        parts.push(self.country_name(row));
        parts.join(", ")
    }

    /// The city a place is or lies in.
    fn city(&self, row: u32) -> Option<String> {
        let places = self.places();
        let mut chain = std::iter::once(row).chain(places.ancestors(row));
        chain.find(|&part| places.role(part) == Role::City).map(|part| self.name(part).to_owned())
    }

    pub fn place(&self, row: u32, confidence: f64) -> Place {
        let places = self.places();
        let Coordinate { lat, lon } = places.position(row);
        let bounds = places.bounds(row);
        let kind = places.kind(row);
        Place {
            place_id: places.id(row),
            display_name: self.display_name(row),
            lat,
            lon,
            country: self.country_name(row),
            city: self.city(row),
            category: kind.category.clone(),
            kind: kind.r#type.clone(),
            importance: round(f64::from(places.importance(row)) / f64::from(UNIT - 1)),
            boundingbox: [bounds.south, bounds.north, bounds.west, bounds.east].map(round_degrees),
            address: self.address(row),
            confidence,
        }
    }

    pub fn suggestion(&self, row: u32) -> Suggestion {
        let places = self.places();
        let Coordinate { lat, lon } = places.position(row);
        Suggestion {
            display_name: self.display_name(row),
            lat,
            lon,
            country: self.country_name(row),
            city: self.city(row),
            kind: places.kind(row).r#type.clone(),
        }
    }
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
