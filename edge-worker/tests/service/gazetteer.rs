//! A gazetteer of seven places: enough for every answer that the contract distinguishes.

use toponym_engine::coverage::{Continent, CountryFacts};
use toponym_engine::geo::Coordinate;
use toponym_engine::{About, Code, CodeScheme, DataSet, Gazetteer, Kind, Name, NameClass, PlaceFacts, Record, Role};

/// Creates the gazetteer.
pub fn gazetteer() -> Gazetteer {
    let france = place(1, Role::Country, "France", (46.6, 2.4), None, "FR", 0.95);
    let mut states = place(2, Role::Country, "United States", (39.8, -98.6), None, "US", 0.97);
    states.names.push(Name { text: "États-Unis".into(), class: NameClass::Other, lang: Some("fr".into()) });
    let texas = place(3, Role::State, "Texas", (31.5, -99.3), Some(2), "US", 0.85);
    let mut airport = place(6, Role::Airport, "Paris Charles de Gaulle Airport", (49.0097, 2.5479), Some(4), "FR", 0.7);
    airport.codes.push(Code { scheme: CodeScheme::Iata, text: "CDG".into() });
    Gazetteer {
        places: vec![
            france,
            states,
            texas,
            place(4, Role::City, "Paris", (48.8566, 2.3522), Some(1), "FR", 0.94),
            place(5, Role::City, "Paris", (33.6609, -95.5555), Some(3), "US", 0.45),
            airport,
            place(7, Role::City, "Parma Heights", (41.3900, -81.7596), Some(2), "US", 0.35),
        ],
        about: about(),
        facts: vec![
            facts(4, Some(2_138_551), "Europe/Paris", vec![]),
            facts(6, None, "Europe/Paris", vec![Code { scheme: CodeScheme::Iata, text: "CDG".into() }]),
        ],
        ..Gazetteer::default()
    }
}

fn facts(place: u64, population: Option<u32>, time_zone: &str, codes: Vec<Code>) -> PlaceFacts {
    PlaceFacts { place, population, time_zone: Some(time_zone.into()), codes }
}

fn about() -> About {
    let facts = |code: &[u8; 2], continent, population, people_in_places, cities_with_sites| CountryFacts {
        code: *code,
        continent,
        population,
        people_in_places,
        cities: 2,
        cities_with_sites,
    };
    About {
        title: "fixture".into(),
        data_date: "2026-01-01".into(),
        made_of: vec![DataSet { title: "Seven places".into(), version: "1".into(), date: "2026-01-01".into() }],
        attribution: vec!["Seven places of the tests, CC0".into()],
        countries: vec![
            facts(b"FR", Continent::Europe, 20_000, 10_000, 1),
            facts(b"US", Continent::NorthAmerica, 80_000, 20_000, 0),
        ],
    }
}

fn place(
    id: u64,
    role: Role,
    name: &str,
    at: (f64, f64),
    parent: Option<u64>,
    country: &str,
    importance: f64,
) -> Record {
    let (category, r#type) = match role {
        Role::Country => ("boundary", "country"),
        Role::State => ("boundary", "state"),
        Role::Airport => ("aeroway", "aerodrome"),
        _ => ("place", "city"),
    };
    Record {
        id,
        kind: Kind { role, category: category.into(), r#type: r#type.into() },
        names: vec![Name { text: name.into(), class: NameClass::Primary, lang: None }],
        codes: Vec::new(),
        position: Coordinate::new(at.0, at.1).expect("a position on the globe"),
        parent,
        country: country.as_bytes().try_into().expect("two letters"),
        importance,
        extent_m: if role.is_area() { 500_000.0 } else { 8_000.0 },
        bounds: None,
    }
}
