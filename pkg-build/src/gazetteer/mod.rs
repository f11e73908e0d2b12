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
pub(crate) mod land;
mod lands;
mod locator;
mod settlements;
mod sites;
mod subdivisions;
mod tidy;

use toponym_engine::{Name, Record};

use crate::error::BuildError;
use crate::progress::Step;
use crate::sources::rows::Feature;

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
    let lands = Lands::new(&inputs.countries, &inputs.tables.scripts, |country| {
        let namesakes = inputs.settlements.iter().filter(|place| {
            let is_capital = place.feature == Feature::Capital && place.alternates.contains(&country.name);
            place.country == country.iso2 && (is_capital || place.name == country.name)
        });
        namesakes.map(|place| place.importance()).max_by(f64::total_cmp)
    });
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
pub(crate) fn test_settlement(
    id: u64,
    name: &str,
    at: (f64, f64),
    population: u64,
) -> crate::sources::rows::Settlement {
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use toponym_engine::Role;

    use super::*;
    use crate::sources::{self, test_file};

    const CITIES: &str = r#"{
        "1": {"name": "Paris", "latitude": 48.85, "longitude": 2.35, "countrycode": "FR", "population": 2000000,
            "timezone": "Europe/Paris", "admin1code": "11", "alternatenames": ["Parigi", "PAR", "XYZ", "Париж"]},
        "2": {"name": "Paris 06 Luxembourg", "latitude": 48.86, "longitude": 2.35, "countrycode": "FR",
            "population": 40000, "timezone": "Europe/Paris", "admin1code": "11", "alternatenames": [""]},
        "3": {"name": "Nulle Part", "latitude": 47.0, "longitude": 1.0, "countrycode": "FR", "population": 0,
            "timezone": "Europe/Paris", "admin1code": "00", "alternatenames": []},
        "4": {"name": "Orly", "latitude": 48.74, "longitude": 2.4, "countrycode": "FR", "population": 20000,
            "timezone": "Europe/Paris", "admin1code": "11", "alternatenames": []}}"#;
    const COUNTRIES: &str = r#"{"FR": {"geonameid": 9, "name": "France", "iso3": "FRA", "capital": "Paris",
        "areakm2": 547030, "continentcode": "EU", "population": 66000000, "languages": "fr-FR"}}"#;
    const STATES: &str = r#"[{"code": "FR.11", "name": "Île-de-France"}, {"code": "FR.99", "name": "Empty"}]"#;
    const AIRPORTS: &str = "icao,iata,name,city,subd,country,elevation,lat,lon,tz,lid\n\
        LFPO,ORY,Paris-Orly Airport,Paris,Ile-de-France,FR,291,48.72,2.37,Europe/Paris,\n";
    const METROPOLISES: &str = "Country,City Code,City Name,Airport Code,Airport Name\nFR,PAR,Paris,ORY,Orly\n";
    const LANDMARKS: &str = "id,name,names,country,city,lat,lon,type,prominence,extent_m\n\
        eiffel-tower,Eiffel Tower,fr:Tour Eiffel,FR,Paris,48.8584,2.2945,tower,5,100\n\
        lost-stone,Lost Stone,,FR,,47.2,1.0,monument,1,30\n";
    const BORDERS: &str = r#"{"features": [{"properties": {"iso1A2": "FX", "country": "FR"}, "geometry":
        {"coordinates": [[[[-1, 44], [6, 44], [6, 50], [-1, 50], [-1, 44]]]]}}]}"#;

    fn inputs() -> Result<Inputs, BuildError> {
        let divisions = sources::admin::divisions(&test_file("admin1.json", STATES), 2)?;
        Ok(Inputs {
            settlements: sources::cities::read(&test_file("cities500.json", CITIES))?,
            countries: sources::countries::read(&test_file("countries.json", COUNTRIES))?,
            states: divisions,
            airports: sources::airports::read(
                &test_file("airports.csv", AIRPORTS),
                &test_file("iata_macs.csv", METROPOLISES),
            )?,
            landmarks: sources::curated::read(&test_file("landmarks.csv", LANDMARKS))?,
            outlines: sources::borders::read(&test_file("borders.json", BORDERS), &BTreeSet::from([*b"FR"]))?,
            ..Inputs::default()
        })
    }

    #[test]
    fn a_small_gazetteer() {
        let records = inputs().and_then(merge).expect("the files are whole");
        let check = |name: &str, role: Role, hierarchy: &str| {
            let record = records.iter().find(|record| record.names[0].text == name && record.kind.role == role);
            let mut parents = Vec::new();
            let mut next = record.unwrap_or_else(|| panic!("no {name}")).parent;
            while let Some(id) = next {
                let parent = records.iter().find(|record| record.id == id).expect("a parent is a record");
                parents.push(parent.names[0].text.as_str());
                next = parent.parent;
            }
            assert_eq!(parents.join(", "), hierarchy, "{name}");
        };
        check("France", Role::Country, "");
        check("Île-de-France", Role::State, "France");
        check("Paris", Role::City, "Île-de-France, France");
        check("Paris 06 Luxembourg", Role::Quarter, "Paris, Île-de-France, France");
        check("Nulle Part", Role::City, "France");
        check("Paris-Orly Airport", Role::Airport, "Paris, Île-de-France, France");
        check("Eiffel Tower", Role::Landmark, "Paris, Île-de-France, France");
        check("Lost Stone", Role::Landmark, "France");
        assert_eq!(records.len(), 9, "a division without settlements is left out");
    }

    #[test]
    fn codes_among_names() {
        let records = inputs().and_then(merge).expect("the files are whole");
        let names: Vec<&str> = records[0].names.iter().map(|name| name.text.as_str()).collect();
        assert_eq!(names, ["Paris", "Parigi", "Париж", "PAR"]);
    }

    #[test]
    fn two_places_of_one_id_are_refused() {
        let mut inputs = inputs().expect("the files are whole");
        inputs.landmarks.push(inputs.landmarks[0].clone());
        let message = merge(inputs).expect_err("an id is there twice").to_string();
        assert!(message.contains("Eiffel Tower (Landmark, FR)"), "{message}");
    }
}
