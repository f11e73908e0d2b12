//! Counts the people and the cities of each country, for the coverage figures. They are counted when an index is built, because
//! an index may lack the population of its places, as that of the core pack does.

use std::cmp::Reverse;
use std::collections::HashMap;

use toponym_engine::coverage::CountryFacts;
use toponym_engine::geo::Coordinate;
use toponym_engine::{Record, Role};

use crate::sources::rows::Iso2;
use crate::spatial::Nearby;

/// A city has this many people: most of these have an airport, a station or a sight of their own.
const CITY_PEOPLE: u64 = 50_000;

/// A site at most this far from the middle of a city is at hand: half an hour by car.
const AT_HAND_M: f64 = 20_000.0;

/// Counts of people and cities, by country, of the places that were taken so far.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    of: HashMap<Iso2, OfCountry>,
    /// Airports, stations and landmarks of all countries: one across a border is at hand, too.
    sites: Vec<Coordinate>,
}

#[derive(Debug, Default)]
struct OfCountry {
    people: u64,
    cities: Vec<Coordinate>,
    /// The largest settlement, which stands for the cities where there is none.
    largest: Option<(u64, Reverse<u64>, Coordinate)>,
}

impl Counts {
    /// Takes a place; `people` is the population of a settlement. Parts of a city are not counted: its own number has their
    /// people in it.
    pub fn take(&mut self, place: &Record, people: u64) {
        match place.kind.role {
            Role::City => {
                let of = self.of.entry(place.country).or_default();
                // A file of one's own may have any number.
                of.people = of.people.saturating_add(people);
                if people >= CITY_PEOPLE {
                    of.cities.push(place.position);
                }
                let rank = (people, Reverse(place.id));
                if of.largest.is_none_or(|(most, id, _)| rank > (most, id)) {
                    of.largest = Some((rank.0, rank.1, place.position));
                }
            }
            Role::Airport | Role::Station | Role::Landmark => self.sites.push(place.position),
            _ => {}
        }
    }

    /// Writes the counts into the facts of `countries`.
    pub fn finish(self, countries: &mut [CountryFacts]) {
        let sites = Nearby::new(self.sites.into_iter().enumerate());
        let none = OfCountry::default();
        for country in countries {
            let of = self.of.get(&country.code).unwrap_or(&none);
            let largest = of.largest.map(|(.., at)| at);
            let cities = if of.cities.is_empty() { largest.as_slice() } else { &of.cities };
            country.people_in_places = of.people.min(country.population);
            country.cities = cities.len() as u32;
            country.cities_with_sites =
                cities.iter().filter(|city| sites.within(**city, AT_HAND_M).next().is_some()).count() as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use toponym_engine::Kind;
    use toponym_engine::coverage::Continent;

    use super::*;

    fn record(id: u64, role: Role, country: Iso2, at: (f64, f64)) -> Record {
        Record {
            id,
            kind: Kind { role, category: String::new(), r#type: String::new() },
            names: Vec::new(),
            codes: Vec::new(),
            position: Coordinate::new(at.0, at.1).expect("it is in range"),
            parent: None,
            country,
            importance: 0.5,
            extent_m: 1.0,
            bounds: None,
        }
    }

    fn count(countries: &mut [CountryFacts], places: &[Record], people: &HashMap<u64, u64>) {
        let mut counts = Counts::default();
        places.iter().for_each(|place| counts.take(place, people.get(&place.id).copied().unwrap_or(0)));
        counts.finish(countries);
    }

    fn facts(code: Iso2, population: u64) -> CountryFacts {
        let continent = Continent::Europe;
        CountryFacts { code, continent, population, people_in_places: 7, cities: 7, cities_with_sites: 7 }
    }

    #[test]
    fn people_and_cities_of_a_country() {
        check([50_000, 49_999, 1], 0.1, 1_000_000, (100_000, 1, 1));
        check([50_000, 49_999, 1], 0.2, 1_000_000, (100_000, 1, 0));
        check([50_000, 50_000, 1], 0.1, 1_000_000, (100_001, 2, 1));
        check([50_000, 50_000, 1], 0.1, 90_000, (90_000, 2, 1));
        check([20, 10, 0], 0.1, 1_000, (30, 1, 1));
        check([10, 20, 0], 0.1, 1_000, (30, 1, 0));
        check([0, 0, 0], 0.1, 1_000, (0, 1, 1));
        check([u64::MAX, 1, 0], 0.1, 1_000, (1_000, 1, 1));
    }

    fn check(people: [u64; 3], site: f64, population: u64, expect: (u64, u32, u32)) {
        let mut places: Vec<Record> =
            (1..=3).map(|id| record(id, Role::City, *b"FR", (48.0, 10.0 * id as f64))).collect();
        places.push(record(4, Role::Quarter, *b"FR", (48.0, 10.0)));
        // Across a border it is at hand too.
        places.push(record(5, Role::Station, *b"BE", (48.0 + site, 10.0)));
        let people = (1..).zip(people).chain([(4, 90_000)]).collect();
        let mut found = [facts(*b"FR", population)];
        count(&mut found, &places, &people);
        let [france] = found;
        assert_eq!((france.people_in_places, france.cities, france.cities_with_sites), expect, "{people:?} {site}");
    }

    #[test]
    fn a_country_without_places() {
        let mut found = [facts(*b"AQ", 0)];
        count(&mut found, &[], &HashMap::new());
        assert_eq!((found[0].people_in_places, found[0].cities, found[0].cities_with_sites), (0, 0, 0));
    }

    /// Checks the counts over random places by sums that compare each pair of a city and a site.
    #[test]
    fn counts_are_those_of_brute_force() {
        let mut rng = fastrand::Rng::with_seed(16);
        let codes = [*b"FR", *b"BE", *b"NL"];
        let roles = [Role::City, Role::Quarter, Role::Airport, Role::Station, Role::Landmark, Role::County];
        let places: Vec<Record> = (1..=600)
            .map(|id| {
                let at = (48.0 + 4.0 * rng.f64(), 2.0 + 4.0 * rng.f64());
                record(id, roles[rng.usize(0..roles.len())], codes[rng.usize(0..codes.len())], at)
            })
            .collect();
        let people: HashMap<u64, u64> = (1..=600).map(|id| (id, rng.u64(0..100_000))).collect();
        let mut found = codes.map(|code| facts(code, 3_000_000));
        count(&mut found, &places, &people);
        for country in found {
            let of = |place: &&Record| place.country == country.code && place.kind.role == Role::City;
            let all: u64 = places.iter().filter(of).map(|city| people[&city.id]).sum();
            let cities: Vec<&Record> =
                places.iter().filter(of).filter(|city| people[&city.id] >= CITY_PEOPLE).collect();
            let with = cities.iter().filter(|city| {
                places
                    .iter()
                    .filter(|place| matches!(place.kind.role, Role::Airport | Role::Station | Role::Landmark))
                    .any(|site| is_near(city, site))
            });
            assert_eq!(country.people_in_places, all.min(3_000_000));
            assert_eq!((country.cities as usize, country.cities_with_sites as usize), (cities.len(), with.count()));
        }
    }

    fn is_near(city: &Record, site: &Record) -> bool {
        city.position.distance_m(site.position) <= AT_HAND_M
    }
}
