//! `GET /coverage` (section 2.8 of the interface) and `GET /coverage/countries`, the same figures country by country.
//!
//! The figures are computed from the index once a day, and the board keeps them with their instant. The first request to a
//! deployment computes them too. The shares are those of [`toponym_engine::coverage`]:
//!
//! - `coverage` and `addressCoverage`: of people who live in a place of the index, because an address here ends at the city
//!   or quarter;
//! - `poiCoverage`: of cities with an airport, station or landmark nearby;
//! - `roadCoverage`: 0, because the index holds no roads (decision 32).

use std::rc::Rc;

use serde::Serialize;
use toponym_engine::coverage::{Continent, CountryCoverage, PlacesByKind, of_places, of_sites};

use crate::error::Failure;
use crate::etag::add_tag;
use crate::http::Request;
use crate::meter::month::iso_instant;
use crate::metrics::board::{Answer, Message};
use crate::metrics::shared::share;
use crate::metrics::snapshot::Snapshot;
use crate::platform::Platform;
use crate::response::Response;

/// Time for which clients may cache an answer, seconds.
const HOLDS_S: u64 = 3_600;

/// Time for which an isolate caches the figures before it asks the board again, milliseconds.
const MEMO_MS: u64 = 60_000;

/// Number of countries listed in a region.
const TOP: usize = 5;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Coverage<'s> {
    last_updated: String,
    total_countries: usize,
    regions: Regions<'s>,
    global: Global,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Regions<'s> {
    europe: Region<'s>,
    north_america: Region<'s>,
    south_america: Region<'s>,
    asia: Region<'s>,
    africa: Region<'s>,
    oceania: Region<'s>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region<'s> {
    countries: usize,
    coverage: f64,
    top_countries: Vec<&'s str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Global {
    address_coverage: f64,
    poi_coverage: f64,
    road_coverage: f64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Countries<'s> {
    last_updated: String,
    countries: Vec<Country<'s>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Country<'s> {
    code: &'s str,
    name: &'s str,
    region: Continent,
    coverage: f64,
    poi_coverage: f64,
    population: u64,
    people_in_places: u64,
    cities: u32,
    cities_with_sites: u32,
    places: u32,
    sites: u32,
    places_by_kind: ByKind,
}

#[derive(Serialize)]
struct ByKind {
    city: u32,
    quarter: u32,
    airport: u32,
    station: u32,
    landmark: u32,
    region: u32,
}

impl From<PlacesByKind> for ByKind {
    fn from(of: PlacesByKind) -> Self {
        let PlacesByKind { cities, quarters, airports, stations, landmarks, regions } = of;
        Self {
            city: cities,
            quarter: quarters,
            airport: airports,
            station: stations,
            landmark: landmarks,
            region: regions,
        }
    }
}

/// One of the two routes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// `/coverage`.
    Regions,
    /// `/coverage/countries`.
    Countries,
}

/// Returns the coverage, or 304 if the client has it.
pub async fn coverage<P: Platform>(platform: &P, request: &Request<P::Body>, view: View) -> Result<Response, Failure> {
    let snapshot = current(platform).await?;
    let response = match view {
        View::Regions => Response::public(&Coverage::of(&snapshot), HOLDS_S)?,
        View::Countries => Response::public(&Countries::of(&snapshot), HOLDS_S)?,
    };
    Ok(add_tag(response, request.header("if-none-match")))
}

/// Computes the figures anew and stores them on the board.
pub async fn refresh<P: Platform>(platform: &P) -> Result<Snapshot, Failure> {
    let snapshot = Snapshot::of(platform.places().await?.coverage(), platform.now_ms());
    platform.board(Message::Refresh(Box::new(snapshot.clone()))).await?;
    Ok(snapshot)
}

async fn current<P: Platform>(platform: &P) -> Result<Rc<Snapshot>, Failure> {
    let ask = async || match platform.board(Message::Coverage).await? {
        Answer::Coverage(Some(snapshot)) => Ok((*snapshot).into()),
        Answer::Coverage(None) => refresh(platform).await.map(Rc::new),
        Answer::Noted | Answer::Metrics(_) | Answer::Metering(_) | Answer::History(_) => Err(Failure::Unexpected),
    };
    share(platform, &platform.memory().coverage, MEMO_MS, ask).await
}

impl<'s> Coverage<'s> {
    fn of(snapshot: &'s Snapshot) -> Self {
        let all = &snapshot.countries;
        let region = |continent| Region::of(all.iter().filter(|country| country.continent == continent).collect());
        Self {
            last_updated: iso_instant(snapshot.at_ms),
            total_countries: all.len(),
            regions: Regions {
                europe: region(Continent::Europe),
                north_america: region(Continent::NorthAmerica),
                south_america: region(Continent::SouthAmerica),
                asia: region(Continent::Asia),
                africa: region(Continent::Africa),
                oceania: region(Continent::Oceania),
            },
            global: Global {
                address_coverage: percent(of_places(all)),
                poi_coverage: percent(of_sites(all)),
                road_coverage: 0.0,
            },
        }
    }
}

impl<'s> Region<'s> {
    /// Creates a region from its countries. Of countries with equal coverage, the one with more people comes first.
    fn of(mut countries: Vec<&'s CountryCoverage>) -> Self {
        let coverage = percent(of_places(countries.iter().copied()));
        countries.sort_by(|a, b| of_places([*b]).total_cmp(&of_places([*a])).then(b.population.cmp(&a.population)));
        let top_countries = countries.iter().take(TOP).map(|country| country.name.as_str()).collect();
        Self { countries: countries.len(), coverage, top_countries }
    }
}

impl<'s> Countries<'s> {
    fn of(snapshot: &'s Snapshot) -> Self {
        let countries = snapshot.countries.iter().map(|country| Country {
            code: &country.code,
            name: &country.name,
            region: country.continent,
            coverage: percent(of_places([country])),
            poi_coverage: percent(of_sites([country])),
            population: country.population,
            people_in_places: country.people_in_places,
            cities: country.cities,
            cities_with_sites: country.cities_with_sites,
            places: country.by_kind.populated(),
            sites: country.by_kind.sites(),
            places_by_kind: country.by_kind.into(),
        });
        Self { last_updated: iso_instant(snapshot.at_ms), countries: countries.collect() }
    }
}

/// Converts a share to percent with one decimal.
fn percent(share: f64) -> f64 {
    (share * 1_000.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Creates a country with these figures: population, people in places, cities, cities with sites.
    fn country(code: &str, continent: Continent, figures: [u64; 4]) -> CountryCoverage {
        let [population, people_in_places, cities, cities_with_sites] = figures;
        let [cities, cities_with_sites] = [cities as u32, cities_with_sites as u32];
        let (code, name) = (code.to_owned(), format!("land {code}"));
        let by_kind = PlacesByKind { cities: 60, quarters: 10, airports: 1, stations: 2, landmarks: 4, regions: 3 };
        CountryCoverage { code, name, continent, population, people_in_places, cities, cities_with_sites, by_kind }
    }

    fn snapshot() -> Snapshot {
        let countries = vec![
            country("AA", Continent::Europe, [100_000, 80_000, 2, 1]),
            country("BB", Continent::Europe, [200_000, 160_000, 3, 3]),
            country("CC", Continent::Europe, [700_000, 130_000, 4, 1]),
            country("DD", Continent::NorthAmerica, [0, 0, 1, 0]),
        ];
        Snapshot { at_ms: 1_795_176_000_000, countries }
    }

    #[test]
    fn figures_by_region() {
        let none = json!({ "countries": 0, "coverage": 0.0, "topCountries": [] });
        let body = serde_json::to_value(Coverage::of(&snapshot())).expect("figures are JSON");
        let expect = json!({
            "lastUpdated": "2026-11-20T12:00:00.000Z",
            "totalCountries": 4,
            "regions": {
                "europe": { "countries": 3, "coverage": 37.0, "topCountries": ["land BB", "land AA", "land CC"] },
                "northAmerica": { "countries": 1, "coverage": 0.0, "topCountries": ["land DD"] },
                "southAmerica": none, "asia": none, "africa": none, "oceania": none,
            },
            "global": { "addressCoverage": 37.0, "poiCoverage": 50.0, "roadCoverage": 0.0 },
        });
        assert_eq!(body, expect);
    }

    #[test]
    fn figures_by_country() {
        let body = serde_json::to_value(Countries::of(&snapshot())).expect("figures are JSON");
        let line = json!({
            "code": "CC", "name": "land CC", "region": "europe", "coverage": 18.6, "poiCoverage": 25.0,
            "population": 700_000, "peopleInPlaces": 130_000, "cities": 4, "citiesWithSites": 1, "places": 70, "sites": 7,
            "placesByKind": { "city": 60, "quarter": 10, "airport": 1, "station": 2, "landmark": 4, "region": 3 },
        });
        assert_eq!((body["countries"].as_array().map(Vec::len), &body["countries"][2]), (Some(4), &line));
    }
}
