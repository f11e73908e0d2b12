//! From the rows of all sources to one gazetteer: merged, cleaned, in a hierarchy, with ids that a rebuild keeps.
//!
//! The order is from the largest to the smallest, because a place needs the areas it lies in: countries, states,
//! counties, cities and quarters, airports, stations, landmarks. Records come out in order of their id, and nothing
//! depends on the order of a hash map.
//!
//! Precedence where sources overlap: settlements and divisions are those of GeoNames; languages come from CLDR and
//! ISO before anything inferred; a curated station is kept before the same one of a timetable source.

mod airports;
mod area;
mod borders;
mod borrowed;
mod cities;
mod countries;
mod divisions;
mod inputs;
mod lands;
mod locator;
mod settlements;
mod sites;
mod subdivisions;
mod tidy;

use toponym_engine::{Name, Record};

use crate::error::BuildError;
use crate::progress::Step;

pub(crate) use borders::borders;
pub(crate) use inputs::Inputs;
use lands::Lands;
use locator::Locator;

/// The records of the gazetteer in order of their id.
///
/// # Errors
/// When two places have one id, or a table names a place that is not there.
pub(crate) fn merge(mut inputs: Inputs) -> Result<Vec<Record>, BuildError> {
    let step = Step::open("places");
    inputs.settlements = settlements::merge_duplicates(std::mem::take(&mut inputs.settlements));
    settlements::mark_districts(&mut inputs.settlements);
    settlements::tag_zone_cities(&mut inputs.settlements, &inputs.zones, &inputs.tables.zones);
    let lands = Lands::new(&inputs.countries, &inputs.tables.scripts);
    let countries = countries::records(&inputs, &lands);
    let divisions = divisions::divisions(&inputs, &lands);
    let aliases = settlements::aliases(&inputs.settlements, &inputs.tables.cities)?;
    let cities = cities::records(&inputs, &lands, &divisions, &aliases);
    step.finish(countries.len() + divisions.len() + cities.len());

    let step = Step::open("sites");
    let locator = Locator::new(&inputs.settlements, &cities);
    let airports = airports::records(&inputs.airports, &inputs.tables.hubs, &lands, &locator);
    let stations = sites::stations(&inputs.stations, &lands, &locator);
    let landmarks = sites::landmarks(&inputs.landmarks, &lands, &locator);
    step.finish(airports.len() + stations.len() + landmarks.len());

    let all = [countries, divisions.into_records(), cities, airports, stations, landmarks];
    let mut records = in_order(all.into_iter().flatten().collect())?;
    borrowed::weaken(&mut records);
    Ok(records)
}

/// Sorts by id and refuses two of one.
fn in_order(mut records: Vec<Record>) -> Result<Vec<Record>, BuildError> {
    records.sort_by_key(|record| record.id);
    match records.windows(2).find(|pair| pair[0].id == pair[1].id) {
        None => Ok(records),
        Some(pair) => Err(BuildError::Collision { id: pair[0].id, first: label(&pair[0]), second: label(&pair[1]) }),
    }
}

fn label(record: &Record) -> String {
    let name = record.names.first().map_or("", |name: &Name| &name.text);
    format!("{} ({:?}, {})", name, record.kind.role, String::from_utf8_lossy(&record.country))
}

#[cfg(test)]
pub(crate) fn test_settlement(id: u64, name: &str, at: (f64, f64), population: u64) -> crate::sources::rows::Settlement {
    crate::sources::rows::Settlement {
        id,
        name: name.to_owned(),
        alternates: Vec::new(),
        tagged: Vec::new(),
        position: toponym_engine::geo::Coordinate::new(at.0, at.1).expect("a test coordinate is in range"),
        country: *b"FR",
        admin1: String::new(),
        admin2: String::new(),
        feature: crate::sources::rows::Feature::Place,
        population,
        timezone: "Europe/Paris".to_owned(),
    }
}
