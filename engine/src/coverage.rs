//! Coverage: how well the index covers each country, in two shares that anyone can check:
//!
//! - of places: the share of its people who live in a city, town or village of the index. People of a quarter are counted
//!   once, with their city;
//! - of sites: the share of its cities that have an airport, station or landmark of the index within 20 km.
//!
//! A city has 50,000 people or more; a country without one counts its largest town. The builder counts people and cities,
//! because an index does not hold the population of a place; the numbers of places and sites are counted from its rows. A
//! group of countries is measured like one country.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::index::Index;
use crate::record::Role;
pub use crate::record::{Continent, CountryFacts};

/// Coverage of one country.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CountryCoverage {
    /// ISO 3166-1 alpha-2, upper case.
    pub code: String,
    /// Display name of the country, or its code if the index has no place for it.
    pub name: String,
    /// The continent it is counted in.
    pub continent: Continent,
    /// Number of inhabitants.
    pub population: u64,
    /// Number of inhabitants of cities, towns and villages of the index.
    pub people_in_places: u64,
    /// Cities of the index, one at least.
    pub cities: u32,
    /// Cities with an airport, station or landmark nearby.
    pub cities_with_sites: u32,
    /// Places of the country in the index.
    pub by_kind: PlacesByKind,
}

/// Numbers of places by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlacesByKind {
    /// Cities, towns and villages.
    pub cities: u32,
    /// Parts of cities.
    pub quarters: u32,
    /// Airports.
    pub airports: u32,
    /// Stations.
    pub stations: u32,
    /// Landmarks.
    pub landmarks: u32,
    /// Regions; one of several countries is counted in each.
    pub regions: u32,
}

impl PlacesByKind {
    /// Counts cities, towns, villages and quarters.
    pub fn populated(self) -> u32 {
        self.cities + self.quarters
    }

    /// Counts airports, stations and landmarks.
    pub fn sites(self) -> u32 {
        self.airports + self.stations + self.landmarks
    }

    pub(crate) fn count(&mut self, role: Role) {
        match role {
            Role::City => self.cities += 1,
            Role::Quarter => self.quarters += 1,
            Role::Airport => self.airports += 1,
            Role::Station => self.stations += 1,
            Role::Landmark => self.landmarks += 1,
            Role::Region => self.regions += 1,
            Role::Country | Role::State | Role::County | Role::Postcode => {}
        }
    }
}

/// Returns the share of the people of some countries who live in a place of the index, 0 to 1.
///
/// # Example: compute the share of people who are covered
///
/// ```
/// # let engine = toponym_workload::example_engine();
///
/// use toponym_engine::coverage;
///
/// assert_eq!(coverage::of_places(&engine.coverage()), 0.5);
/// ```
pub fn of_places<'c>(countries: impl IntoIterator<Item = &'c CountryCoverage>) -> f64 {
    share(countries.into_iter().map(|country| (country.people_in_places, country.population)))
}

/// Returns the share of the cities of some countries that have an airport, station or landmark nearby, 0 to 1.
///
/// # Example: compute the share of cities with sites
///
/// ```
/// # let engine = toponym_workload::example_engine();
///
/// use toponym_engine::coverage;
///
/// assert_eq!(coverage::of_sites(&engine.coverage()), 1.0);
/// ```
pub fn of_sites<'c>(countries: impl IntoIterator<Item = &'c CountryCoverage>) -> f64 {
    share(countries.into_iter().map(|country| (country.cities_with_sites.into(), country.cities.into())))
}

/// Divides the sum of the first numbers by that of the second; 0 if the second is 0.
fn share(parts: impl Iterator<Item = (u64, u64)>) -> f64 {
    let (part, whole) = parts.fold((0, 0), |(part, whole), (a, b)| (part + a, whole + b));
    if whole > 0 { part as f64 / whole as f64 } else { 0.0 }
}

/// Lists every country with a populated place, sorted by code. Omits Antarctica and countries without facts.
pub(crate) fn countries(index: &Index) -> Vec<CountryCoverage> {
    let name = |iso2| index.country_place(iso2).map(|place| place.display_name().to_owned());
    of_counts(counts(index), &index.about().countries, name)
}

/// Lists the coverage of countries as `countries` does, given the numbers of places of each country.
pub(crate) fn of_counts(
    counts: BTreeMap<[u8; 2], PlacesByKind>,
    facts: &[CountryFacts],
    name: impl Fn([u8; 2]) -> Option<String>,
) -> Vec<CountryCoverage> {
    let covered = counts.into_iter().filter_map(|(iso2, by_kind)| {
        let facts = facts.iter().find(|facts| facts.code == iso2)?;
        if by_kind.populated() == 0 || facts.continent == Continent::Antarctica {
            return None;
        }
        let code = String::from_utf8_lossy(&iso2).into_owned();
        let CountryFacts { continent, population, people_in_places, cities, cities_with_sites, .. } = *facts;
        Some(CountryCoverage {
            name: name(iso2).unwrap_or_else(|| code.clone()),
            code,
            continent,
            population,
            people_in_places,
            cities,
            cities_with_sites,
            by_kind,
        })
    });
    covered.collect()
}

/// Counts the places of each country of the index by kind.
fn counts(index: &Index) -> BTreeMap<[u8; 2], PlacesByKind> {
    let mut counts: BTreeMap<[u8; 2], PlacesByKind> = BTreeMap::new();
    for place in index.places() {
        place.countries().for_each(|country| counts.entry(country).or_default().count(place.role()));
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geo::Coordinate;
    use crate::{About, Engine, Gazetteer, Kind, Name, NameClass, Record};

    fn place(id: u64, role: Role, name: &str, country: [u8; 2]) -> Record {
        Record {
            id,
            kind: Kind { role, category: "place".into(), r#type: "city".into() },
            names: vec![Name { text: name.into(), class: NameClass::Primary, lang: None }],
            codes: vec![],
            position: Coordinate { lat: 10.0, lon: id as f64 },
            parent: None,
            country,
            importance: 0.5,
            extent_m: 1_000.0,
            bounds: None,
        }
    }

    fn coverage_of(facts: &[(&[u8; 2], Continent, u64)]) -> Vec<CountryCoverage> {
        let places = vec![
            place(1, Role::Country, "France", *b"FR"),
            place(2, Role::City, "Paris", *b"FR"),
            place(3, Role::Quarter, "Marais", *b"FR"),
            place(4, Role::Landmark, "Louvre", *b"FR"),
            place(5, Role::City, "Dakar", *b"SN"),
            place(8, Role::Station, "Gare du Nord", *b"FR"),
            place(9, Role::Region, "Ardennes", *b"FR"),
            place(6, Role::City, "Base", *b"AQ"),
            place(7, Role::Airport, "Strip", *b"BV"),
        ];
        let facts = facts.iter().map(|&(code, continent, population)| CountryFacts {
            code: *code,
            continent,
            population,
            people_in_places: population / 2,
            cities: 4,
            cities_with_sites: 3,
        });
        let about = About { countries: facts.collect(), ..About::default() };
        let bytes = crate::index::write(&Gazetteer { places, about, ..Gazetteer::default() }).expect("sound records");
        Engine::open(bytes).expect("an index just written opens").coverage()
    }

    #[test]
    fn counts_and_shares() {
        let facts = [
            (b"AQ", Continent::Antarctica, 0),
            (b"BV", Continent::Antarctica, 0),
            (b"FR", Continent::Europe, 40_000),
            (b"SN", Continent::Africa, 5_000),
        ];
        let found = coverage_of(&facts);
        let lines = found.iter().map(|country| {
            let CountryCoverage { code, name, by_kind, .. } = country;
            let PlacesByKind { cities, quarters, airports, stations, landmarks, regions } = by_kind;
            let counts = [cities, quarters, airports, stations, landmarks, regions];
            format!("{code} {name} {counts:?} {:.2} {:.2}", of_places([country]), of_sites([country]))
        });
        assert_eq!(
            lines.collect::<Vec<_>>(),
            ["FR France [1, 1, 0, 1, 1, 1] 0.50 0.75", "SN SN [1, 0, 0, 0, 0, 0] 0.50 0.75"]
        );
        assert_eq!((of_places(&[]), of_sites(&[])), (0.0, 0.0));
    }

    #[test]
    fn several_countries_are_measured_like_one() {
        let country = |population, people_in_places, cities, cities_with_sites| CountryCoverage {
            code: "FR".into(),
            name: "France".into(),
            continent: Continent::Europe,
            population,
            people_in_places,
            cities,
            cities_with_sites,
            by_kind: PlacesByKind::default(),
        };
        let both = [country(1_000, 900, 10, 9), country(3_000, 300, 1, 0)];
        assert_eq!((of_places(&both), of_sites(&both)), (0.3, 9.0 / 11.0));
    }

    #[test]
    fn a_country_without_facts_is_left_out() {
        assert_eq!(coverage_of(&[(b"SN", Continent::Africa, 5_000)]).len(), 1);
        assert_eq!(coverage_of(&[]), []);
    }
}
