//! How well the index covers each country, computed from its rows and the facts about countries.
//!
//! A country is fully covered if it has a city, town, village or quarter for every [`PEOPLE_PER_PLACE`] people, and a
//! site (airport, station, landmark) for every [`PEOPLE_PER_SITE`]. With fewer, its coverage is the fraction it has. The
//! coverage of a group of countries is the mean weighted by population, so that many small countries do not hide a large
//! one with few places.

use serde::{Deserialize, Serialize};

use crate::index::Index;
pub use crate::record::{Continent, CountryFacts};

/// People per populated place at full coverage. Where the sources are complete (France, Italy, Poland), they have one for
/// every 4,000 to 10,000 people.
pub const PEOPLE_PER_PLACE: f64 = 10_000.0;

/// People per airport, station or landmark at full coverage: two or three such sites in a city of 100,000 people.
pub const PEOPLE_PER_SITE: f64 = 40_000.0;

/// How well one country is covered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CountryCoverage {
    /// ISO 3166-1 alpha-2, upper case.
    pub code: String,
    /// Its display name, or its code if the index has no place for the country.
    pub name: String,
    /// The continent it is counted in.
    pub continent: Continent,
    /// Number of inhabitants.
    pub population: u64,
    /// Cities, towns, villages and quarters.
    pub places: u32,
    /// Airports, stations and landmarks.
    pub sites: u32,
}

impl CountryCoverage {
    /// Coverage of populated places, 0 to 1.
    pub fn of_places(&self) -> f64 {
        share(self.places, PEOPLE_PER_PLACE, self.population)
    }

    /// Coverage of sites, 0 to 1.
    pub fn of_sites(&self) -> f64 {
        share(self.sites, PEOPLE_PER_SITE, self.population)
    }
}

/// Mean of `share` over `countries`, weighted by population; 0 if the population is 0.
pub fn weighted<'c>(
    countries: impl IntoIterator<Item = &'c CountryCoverage>,
    share: impl Fn(&CountryCoverage) -> f64,
) -> f64 {
    let (covered, people) = countries.into_iter().fold((0.0, 0.0), |(covered, people), country| {
        let population = country.population as f64;
        (covered + share(country) * population, people + population)
    });
    if people > 0.0 { covered / people } else { 0.0 }
}

/// Every country with a populated place, sorted by code. Omits Antarctica and countries without facts.
pub(crate) fn countries(index: &Index) -> Vec<CountryCoverage> {
    let counts = counts(index);
    let facts = &index.about().countries;
    let covered = index.countries().iter().zip(counts).filter_map(|(country, (places, sites))| {
        let facts = facts.iter().find(|facts| facts.code == country.iso2)?;
        if places == 0 || facts.continent == Continent::Antarctica {
            return None;
        }
        let code = String::from_utf8_lossy(&country.iso2).into_owned();
        let place = index.country_place(*country);
        let name = place.map_or_else(|| code.clone(), |place| place.display_name().to_owned());
        let CountryFacts { continent, population, .. } = *facts;
        Some(CountryCoverage { code, name, continent, population, places, sites })
    });
    covered.collect()
}

/// Number of populated places and of sites of each country in the header.
fn counts(index: &Index) -> Vec<(u32, u32)> {
    let mut counts = vec![(0, 0); index.countries().len()];
    for row in index.populated_rows() {
        if let Some((places, _)) = counts.get_mut(usize::from(index.place(row).country_number())) {
            *places += 1;
        }
    }
    for row in index.site_rows() {
        if let Some((_, sites)) = counts.get_mut(usize::from(index.place(row).country_number())) {
            *sites += 1;
        }
    }
    counts
}

fn share(found: u32, people_per: f64, population: u64) -> f64 {
    if population == 0 { 1.0 } else { (f64::from(found) * people_per / population as f64).min(1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geo::Coordinate;
    use crate::{About, Engine, Gazetteer, Kind, Name, NameClass, Record, Role};

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

    fn covered(facts: &[(&[u8; 2], Continent, u64)]) -> Vec<CountryCoverage> {
        let places = vec![
            place(1, Role::Country, "France", *b"FR"),
            place(2, Role::City, "Paris", *b"FR"),
            place(3, Role::Quarter, "Marais", *b"FR"),
            place(4, Role::Landmark, "Louvre", *b"FR"),
            place(5, Role::City, "Dakar", *b"SN"),
            place(6, Role::City, "Base", *b"AQ"),
            place(7, Role::Airport, "Strip", *b"BV"),
        ];
        let facts =
            facts.iter().map(|&(code, continent, population)| CountryFacts { code: *code, continent, population });
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
        let found = covered(&facts);
        let lines = found.iter().map(|country| {
            let CountryCoverage { code, name, places, sites, .. } = country;
            format!("{code} {name} {places} {sites} {:.2} {:.2}", country.of_places(), country.of_sites())
        });
        assert_eq!(lines.collect::<Vec<_>>(), ["FR France 2 1 0.50 1.00", "SN SN 1 0 1.00 0.00"]);
        assert_eq!(weighted(&found, CountryCoverage::of_places), 25_000.0 / 45_000.0);
        assert_eq!(weighted(&[], CountryCoverage::of_places), 0.0);
    }

    #[test]
    fn a_country_without_facts_is_left_out() {
        assert_eq!(covered(&[(b"SN", Continent::Africa, 5_000)]).len(), 1);
        assert_eq!(covered(&[]), []);
    }
}
