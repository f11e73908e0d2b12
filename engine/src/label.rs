//! Labels: the display name, address and other fields of a row, as results show them.

use std::borrow::Cow;

use crate::city;
use crate::facts::{FactSet, Facts, Finding, facts};
use crate::geo::Coordinate;
use crate::index::{Index, Languages, Near, PlaceRef, UNIT};
use crate::place::{Address, Place, Suggestion};
use crate::record::{Lexicon, Role};
use crate::reverse;
use crate::search::{Terms, is_filler, without_kinds};
use crate::shown::Shown;
use crate::text::fold;

/// Separator between the names of a display name.
const SEPARATOR: &str = ", ";

/// The most names of a display name before the country: a place, a quarter, a city, a county, a state.
const MAX_PARTS: usize = 6;

/// Letters of a part that an area which repeats it has somewhere.
const LETTERS_COMPARED: usize = 2;

/// Letters that two spellings of one name have at least: Harar is not Harari, nor Tromsø Troms.
const LETTERS_OF_A_SPELLING: usize = 6;

/// Letters in which spellings of one name differ at most: with two, the town Nagawa was Nagano.
const EDITS_OF_A_SPELLING: usize = 1;

fn beginning(part: &str) -> &str {
    part.char_indices().nth(LETTERS_COMPARED).map_or(part, |(end, _)| &part[..end])
}

/// A place and the areas it lies in, the smallest first, each with its role and its name. All parts of a label are made of it:
/// to read the names of a place anew for every part takes as long as all the rest.
struct Lineage<'i> {
    places: Vec<(PlaceRef<'i>, Role, &'i str)>,
    /// Name of the country, or its code if the index lacks the country; empty if the place lies in none.
    country: Cow<'i, str>,
}

impl<'i> Lineage<'i> {
    fn place(&self) -> PlaceRef<'i> {
        self.places[0].0
    }

    /// Builds the address, from the smallest component to the country.
    fn address(&self) -> Address {
        let mut address = Address(Vec::with_capacity(self.places.len() + 2));
        for &(part, role, name) in &self.places {
            match role {
                Role::Quarter if part.kind().r#type == "suburb" => address.add("suburb", name),
                Role::Quarter => address.add("quarter", name),
                Role::City => address.add("city", name),
                Role::County => address.add("county", name),
                Role::State => address.add("state", name),
                Role::Postcode => address.add("postcode", name),
                Role::Country | Role::Airport | Role::Station | Role::Landmark | Role::Region => {}
            }
        }
        if let Some(code) = country_code(self.place()) {
            address.add("country", &*self.country);
            address.add("country_code", code);
        }
        address
    }

    /// Writes the name of the place, the areas that say which of that name it is (its city, the county of a small place, its
    /// state), and its country, which is always last. Leaves out an area that repeats a part before it or the country: `Tokyo,
    /// Japan`. `also` is the role of an area that is shown in any case.
    fn display_name(&self, lexicon: &Lexicon, also: Option<Role>) -> String {
        let (first, areas) = self.places.split_first().expect("the place itself is first");
        let &(place, role, name) = first;
        // A region of several countries has no parent.
        if role == Role::Country || (role == Role::Region && areas.is_empty()) {
            return name.to_owned();
        }
        let mut parts = [name; MAX_PARTS];
        let mut count = 1;
        for &(_, area, other) in areas {
            let is_shown = match area {
                Role::City | Role::Quarter => role > Role::City,
                Role::County => role == Role::City && place.kind().r#type != "city",
                Role::State => true,
                _ => false,
            };
            if !(is_shown || also == Some(area)) || count == MAX_PARTS {
                continue;
            }
            let is_country = is_called(other, &self.country);
            let is_state = area == Role::State;
            let is_said = |part: &&str| repeats(lexicon, other, part) || (is_state && is_respelled(other, part));
            if !is_country && !parts[..count].iter().any(is_said) {
                parts[count] = other;
                count += 1;
            }
        }
        let parts = parts[..count].iter().copied().chain([&*self.country]);
        let mut text = String::with_capacity(parts.clone().map(|part| part.len() + SEPARATOR.len()).sum());
        for part in parts {
            if !text.is_empty() {
                text.push_str(SEPARATOR);
            }
            text.push_str(part);
        }
        text
    }

    /// Returns the city that the place is or lies in.
    fn city(&self) -> Option<String> {
        self.places.iter().find(|(_, role, _)| *role == Role::City).map(|&(.., name)| name.to_owned())
    }
}

/// Tells whether an area may repeat a part of the label. Folding takes most of the time of a label, and nearly all areas share no
/// beginning of a word with what is before them.
fn may_repeat(area: &str, part: &str) -> bool {
    fn first(text: &str) -> Option<char> {
        text.chars().next().map(|letter| letter.to_ascii_lowercase())
    }
    first(area) == first(part) || area.contains(beginning(part))
}

/// Tells whether two parts are the same name, but for case and diacritics: the province Panamá and its country.
fn is_called(area: &str, part: &str) -> bool {
    area == part || (may_repeat(area, part) && fold(area) == fold(part))
}

/// Tells whether an area is called as a part of the label before it, but for words for kinds and articles: Kyiv City repeats Kyiv and
/// La Paz Department repeats La Paz, but Quebec does not repeat Quebec City.
fn repeats(lexicon: &Lexicon, area: &str, part: &str) -> bool {
    is_called(area, part) || (may_repeat(area, part) && is_part_with_kind(lexicon, area, part))
}

/// Tells whether a state is called as its city, but in another spelling: Samarqand beside Samarkand, Vinnytsia beside Vinnytsya.
fn is_respelled(state: &str, city: &str) -> bool {
    let is_long = |name: &str| name.chars().nth(LETTERS_OF_A_SPELLING - 1).is_some();
    beginning(state) == beginning(city)
        && is_long(state)
        && is_long(city)
        && strsim::levenshtein(&fold(state), &fold(city)) <= EDITS_OF_A_SPELLING
}

/// Tells whether an area is called by a part and a term for its kind.
fn is_part_with_kind(lexicon: &Lexicon, area: &str, part: &str) -> bool {
    let area = Terms::of(&fold(area));
    let part = Terms::of(&fold(part)).rewritten(|term| (!is_filler(lexicon, term)).then_some(term));
    let named = without_kinds(lexicon, &area, false);
    named.is_some_and(|(rest, _)| rest.phrase(0..rest.len()) == part.phrase(0..part.len()))
}

/// Makes the labels of places in one language.
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

    /// Returns the facts that are asked for, if any are.
    fn facts(&self, place: PlaceRef<'i>, finding: Finding) -> Option<Box<Facts>> {
        (!self.asked.is_empty()).then(|| Box::new(facts(place, &self.languages, self.asked, finding)))
    }

    /// Collects a place, the areas it lies in, and their names.
    fn lineage(&self, place: PlaceRef<'i>) -> Lineage<'i> {
        let places: Vec<_> = place.with_ancestors().map(|part| (part, part.role(), self.name(part))).collect();
        let code = city::country_code(place);
        let country = place.country_place().filter(|_| code.is_some()).map(|country| {
            // Nearly always it is the last area.
            let last = places.last().filter(|(last, ..)| last.row == country.row);
            last.map_or_else(|| self.name(country), |&(.., name)| name)
        });
        let country = match country.filter(|name| !name.is_empty()) {
            Some(name) => Cow::Borrowed(name),
            None => Cow::Owned(code.map(|code| code.map(char::from).iter().collect()).unwrap_or_default()),
        };
        Lineage { places, country }
    }

    pub fn place(&self, place: PlaceRef<'i>, confidence: f64, finding: Finding) -> Place {
        let lineage = self.lineage(place);
        let Coordinate { lat, lon } = place.position();
        let bounds = place.bounds();
        let kind = place.kind();
        Place {
            place_id: place.id(),
            display_name: lineage.display_name(self.index.lexicon(), None),
            lat,
            lon,
            country: lineage.country.to_string(),
            city: lineage.city(),
            category: kind.category.clone(),
            kind: kind.r#type.clone(),
            importance: round(f64::from(place.importance()) / f64::from(UNIT - 1)),
            boundingbox: [bounds.south, bounds.north, bounds.west, bounds.east].map(round_degrees),
            address: lineage.address(),
            confidence,
            facts: self.facts(place, finding),
        }
    }

    /// Returns the place of a point, as reverse answers it: the address begins with the name of an airport, a station or a
    /// landmark.
    pub fn place_near(&self, near: Near<'i>) -> Place {
        let found = near.place;
        let distance_m = if found.role().is_area() { 0.0 } else { near.distance_m };
        let finding = Finding { distance_m: Some(distance_m), ..Finding::default() };
        let mut place = self.place(found, reverse::confidence(near), finding);
        if matches!(found.role(), Role::Airport | Role::Station | Role::Landmark) {
            place.address.0.insert(0, (place.category.clone().into(), self.name(found).to_owned()));
        }
        place
    }

    /// Writes the display name with the county, which tells the place from one of the same name in the same state.
    pub fn longer_name(&self, place: PlaceRef<'i>) -> String {
        self.lineage(place).display_name(self.index.lexicon(), Some(Role::County))
    }

    pub fn suggestion(&self, place: PlaceRef<'i>, finding: Finding) -> Suggestion {
        let lineage = self.lineage(place);
        let Coordinate { lat, lon } = place.position();
        Suggestion {
            place_id: place.id(),
            country_code: country_code(place),
            role: place.role(),
            display_name: lineage.display_name(self.index.lexicon(), None),
            lat,
            lon,
            country: lineage.country.to_string(),
            city: lineage.city(),
            kind: place.kind().r#type.clone(),
            facts: self.facts(place, finding),
        }
    }
}

/// Returns the code of the country of a place in lower case; `None` if it lies in none.
fn country_code(place: PlaceRef) -> Option<String> {
    city::country_code(place).map(|code| code.map(|letter| char::from(letter.to_ascii_lowercase())).iter().collect())
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
    fn a_country_without_a_place_shows_its_code() {
        fn record(id: u64, name: &str, country: [u8; 2]) -> Record {
            Record {
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
            }
        }
        let france = Record {
            kind: Kind { role: Role::Country, category: "boundary".into(), r#type: "country".into() },
            ..record(3, "France", *b"FR")
        };
        fn check(places: Vec<Record>, expect: [&str; 3]) {
            let bytes =
                crate::index::write(&Gazetteer { places, ..Gazetteer::default() }).expect("the records are sound");
            let engine = Engine::open(bytes).expect("the index is whole");
            let place = engine.forward(&Search::new("Paris", 1)).pop().expect("there is one");
            let shown = [&place.country, place.address.get("country").unwrap_or_default(), &place.display_name];
            assert_eq!(shown, expect);
            assert_eq!(engine.capital(*b"FR"), None);
        }
        check(vec![record(1, "Paris", *b"FR")], ["FR", "FR", "Paris, FR"]);
        check(vec![record(1, "Paris", *b"FR"), france.clone()], ["France", "France", "Paris, France"]);
        check(vec![record(1, "Paris", *b"US"), france], ["US", "US", "Paris, US"]);
    }
}
