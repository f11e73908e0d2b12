//! `GET /coverage` (section 2.8 of the interface) and `GET /coverage/countries`, the same figures country by country.
//!
//! The figures are computed from the index once a day, and the board keeps them with their instant. The first request to a
//! deployment computes them too. The formula is that of [`toponym_engine::coverage`]:
//!
//! - `addressCoverage`: populated places relative to people, because an address here ends at the city or quarter;
//! - `poiCoverage`: airports, stations and landmarks relative to people;
//! - `roadCoverage`: 0, because the index holds no roads (decision 32).

use std::rc::Rc;

use serde::Serialize;
use toponym_engine::coverage::{Continent, CountryCoverage, weighted};

use crate::error::Failure;
use crate::etag::tagged;
use crate::http::Request;
use crate::meter::month::iso_instant;
use crate::metrics::board::{Answer, Message};
use crate::metrics::shared::shared;
use crate::metrics::snapshot::Snapshot;
use crate::platform::Platform;
use crate::response::Response;

/// How long clients may cache an answer, seconds.
const HOLDS_S: u64 = 3_600;

/// How long an isolate caches the figures before it asks the board again, milliseconds.
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
struct Country<'s> {
    code: &'s str,
    name: &'s str,
    region: Continent,
    coverage: f64,
    places: u32,
    sites: u32,
}

/// One of the two routes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// `/coverage`.
    Regions,
    /// `/coverage/countries`.
    Countries,
}

/// The answer, or 304 if the client has it.
pub async fn coverage<P: Platform>(platform: &P, request: &Request<P::Body>, view: View) -> Result<Response, Failure> {
    let snapshot = current(platform).await?;
    let response = match view {
        View::Regions => Response::public(&Coverage::of(&snapshot), HOLDS_S)?,
        View::Countries => Response::public(&Countries::of(&snapshot), HOLDS_S)?,
    };
    Ok(tagged(response, request.header("if-none-match")))
}

/// Computes the figures anew and stores them on the board.
pub async fn refresh<P: Platform>(platform: &P) -> Result<Snapshot, Failure> {
    let snapshot = Snapshot::of(&*platform.engine().await?, platform.now_ms());
    platform.board(Message::Refresh(Box::new(snapshot.clone()))).await?;
    Ok(snapshot)
}

async fn current<P: Platform>(platform: &P) -> Result<Rc<Snapshot>, Failure> {
    let ask = async || match platform.board(Message::Coverage).await? {
        Answer::Coverage(Some(snapshot)) => Ok((*snapshot).into()),
        Answer::Coverage(None) => refresh(platform).await.map(Rc::new),
        Answer::Noted | Answer::Metrics(_) | Answer::History(_) => Err(Failure::Unexpected),
    };
    shared(platform, &platform.memory().coverage, MEMO_MS, ask).await
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
                address_coverage: percent(weighted(all, CountryCoverage::of_places)),
                poi_coverage: percent(weighted(all, CountryCoverage::of_sites)),
                road_coverage: 0.0,
            },
        }
    }
}

impl<'s> Region<'s> {
    /// Of countries with equal coverage, the one with more places comes first.
    fn of(mut countries: Vec<&'s CountryCoverage>) -> Self {
        let coverage = percent(weighted(countries.iter().copied(), CountryCoverage::of_places));
        countries.sort_by(|a, b| b.of_places().total_cmp(&a.of_places()).then(b.places.cmp(&a.places)));
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
            coverage: percent(country.of_places()),
            places: country.places,
            sites: country.sites,
        });
        Self { last_updated: iso_instant(snapshot.at_ms), countries: countries.collect() }
    }
}

/// A share in percent with one decimal.
fn percent(share: f64) -> f64 {
    (share * 1_000.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn country(code: &str, continent: Continent, population: u64, places: u32, sites: u32) -> CountryCoverage {
        CountryCoverage { code: code.into(), name: format!("land {code}"), continent, population, places, sites }
    }

    fn snapshot() -> Snapshot {
        let countries = vec![
            country("AA", Continent::Europe, 100_000, 10, 0),
            country("BB", Continent::Europe, 200_000, 50, 5),
            country("CC", Continent::Europe, 700_000, 7, 7),
            country("DD", Continent::NorthAmerica, 0, 1, 0),
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
            "global": { "addressCoverage": 37.0, "poiCoverage": 48.0, "roadCoverage": 0.0 },
        });
        assert_eq!(body, expect);
    }

    #[test]
    fn figures_by_country() {
        let body = serde_json::to_value(Countries::of(&snapshot())).expect("figures are JSON");
        let line =
            json!({ "code": "CC", "name": "land CC", "region": "europe", "coverage": 10.0, "places": 7, "sites": 7 });
        assert_eq!((body["countries"].as_array().map(Vec::len), &body["countries"][2]), (Some(4), &line));
    }
}
