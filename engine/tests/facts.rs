//! Facts on request: answers have those that are asked for and that the index knows, and no other byte changes.

use std::sync::Arc;

use fastrand::Rng;
use serde_json::{Value, json};
use toponym_engine::coverage::{Continent, CountryFacts};
use toponym_engine::geo::Coordinate;
use toponym_engine::{
    About, Capital, Code, CodeScheme, Engine, Fact, FactSet, Gazetteer, Kind, Name, NameClass, Nearby, NoFacts,
    Outcome, PlaceFacts, Question, Record, Reference, Role, Search, Shown, index,
};

fn at(lat: f64, lon: f64) -> Coordinate {
    Coordinate::new(lat, lon).expect("a test coordinate is in range")
}

/// Id, role, type, names with their languages, position and parent.
type Line = (u64, Role, &'static str, &'static [(&'static str, &'static str)], (f64, f64), Option<u64>);

const HASHED: u64 = 1 << 49;

const PLACES: [Line; 6] = [
    (
        1,
        Role::Country,
        "country",
        &[("Germany", ""), ("Deutschland", "de"), ("Tyskland", "da"), ("Tyskland", "sv")],
        (51.0, 10.0),
        None,
    ),
    (HASHED, Role::State, "state", &[("Bavaria", ""), ("Bayern", "de")], (49.0, 11.5), Some(1)),
    (
        HASHED + 1,
        Role::County,
        "administrative",
        &[("Upper Bavaria", ""), ("Oberbayern", "de")],
        (48.0, 11.6),
        Some(HASHED),
    ),
    (
        4,
        Role::City,
        "city",
        &[("Munich", ""), ("München", "de"), ("München", "sv"), ("Monaco di Baviera", "it"), ("Minga", "")],
        (48.137, 11.575),
        Some(HASHED + 1),
    ),
    (HASHED + 5, Role::Airport, "aerodrome", &[("Munich Airport", "")], (48.354, 11.786), Some(4)),
    (6, Role::City, "village", &[("Nowhere", "")], (50.0, 12.0), Some(1)),
];

fn gazetteer() -> Gazetteer {
    fn berlin() -> Option<Arc<str>> {
        Some("Europe/Berlin".into())
    }
    let fact = |place, population, time_zone, codes| PlaceFacts { place, population, time_zone, codes };
    let facts = vec![
        fact(1, None, None, vec![code(CodeScheme::Iso2, "DE"), code(CodeScheme::Iso3, "DEU")]),
        fact(HASHED, None, berlin(), vec![code(CodeScheme::State, "BY")]),
        fact(4, Some(1_260_391), berlin(), vec![]),
        fact(HASHED + 5, None, berlin(), vec![code(CodeScheme::Iata, "MUC"), code(CodeScheme::Icao, "EDDM")]),
        fact(6, None, Some("Europe/Busingen".into()), vec![]),
    ];
    let germany = CountryFacts {
        code: *b"DE",
        continent: Continent::Europe,
        population: 82_000_000,
        people_in_places: 0,
        cities: 1,
        cities_with_sites: 1,
    };
    Gazetteer {
        places: PLACES.iter().map(record).collect(),
        capitals: vec![Capital { area: HASHED, city: 4 }],
        about: About { countries: vec![germany], ..About::default() },
        facts,
        ..Gazetteer::default()
    }
}

fn code(scheme: CodeScheme, text: &str) -> Code {
    Code { scheme, text: text.into() }
}

fn record(&(id, role, r#type, names, (lat, lon), parent): &Line) -> Record {
    Record {
        id,
        kind: Kind { role, category: "place".into(), r#type: r#type.into() },
        names: names
            .iter()
            .enumerate()
            .map(|(at, (text, lang))| Name {
                text: (*text).into(),
                class: if at == 0 { NameClass::Primary } else { NameClass::Other },
                lang: Some((*lang).to_owned()).filter(|lang| !lang.is_empty()),
            })
            .collect(),
        codes: if role == Role::Airport { vec![code(CodeScheme::Iata, "MUC")] } else { vec![] },
        position: at(lat, lon),
        parent,
        country: *b"DE",
        importance: 0.5,
        extent_m: 3_000.0,
        bounds: None,
    }
}

fn engine_of(gazetteer: &Gazetteer) -> Engine {
    Engine::open(index::write(gazetteer).expect("the gazetteer is sound")).expect("the index is whole")
}

fn engine() -> Engine {
    engine_of(&gazetteer())
}

fn ask(facts: &str) -> FactSet {
    facts.parse().expect("these are facts")
}

/// Returns the fields of `with` that `without` lacks: nothing else may differ.
#[track_caller]
fn added_fields(with: Value, without: Value) -> Value {
    let (Value::Object(mut with), Value::Object(without)) = (with, without) else { panic!("answers are objects") };
    for (key, value) in without {
        assert_eq!(with.remove(&key), Some(value), "{key}");
    }
    Value::Object(with)
}

fn json<T: serde::Serialize>(value: &T) -> Value {
    serde_json::to_value(value).expect("it is JSON")
}

#[test]
fn names_of_facts() {
    assert_eq!("all".parse(), Ok(FactSet::ALL));
    assert_eq!("capital,name,capital".parse(), Ok(FactSet::default().with(Fact::Name).with(Fact::Capital)));
    for fact in Fact::ALL {
        assert_eq!(fact.name().parse(), Ok(FactSet::default().with(fact)));
        assert!(FactSet::ALL.contains(fact) && !FactSet::default().contains(fact));
    }
    for none in ["", "All", "name,", "name, codes", "all,name", "names"] {
        assert_eq!(none.parse::<FactSet>(), Err(NoFacts), "{none}");
    }
}

#[test]
fn what_is_known_of_places() {
    let engine = engine();
    let check = |id: u64, lang: Option<&str>, asked: &str, expect: Value| {
        let reference = Reference::Id(id);
        let with = engine.place(&reference, Shown { lang, facts: ask(asked) });
        assert_eq!(added_fields(json(&with), json(&engine.place(&reference, lang))), expect, "{id} {asked}");
    };
    check(4, None, "name,matched,distance", json!({ "name": "Munich" }));
    check(4, Some("de-CH"), "name", json!({ "name": "München" }));
    let ancestors = json!([
        { "place_id": HASHED + 1, "name": "Oberbayern", "type": "county" },
        { "place_id": HASHED, "name": "Bayern", "type": "state" },
        { "place_id": 1, "name": "Deutschland", "type": "country" },
    ]);
    check(4, Some("de"), "ancestors", json!({ "ancestors": ancestors }));
    check(
        4,
        None,
        "population,timezone,iso_3166_2,capital,codes",
        json!({ "population": 1_260_391, "timezone": "Europe/Berlin", "iso_3166_2": "DE-BY", "codes": { "geonames": 4 } }),
    );
    check(
        HASHED,
        Some("it"),
        "population,timezone,iso_3166_2,capital,codes",
        json!({ "timezone": "Europe/Berlin", "iso_3166_2": "DE-BY",
            "capital": { "place_id": 4, "name": "Monaco di Baviera" }, "codes": { "iso": "DE-BY" } }),
    );
    check(
        1,
        None,
        "population,timezone,iso_3166_2,capital,codes,ancestors",
        json!({ "population": 82_000_000, "codes": { "iso": "DE", "geonames": 1 }, "ancestors": [] }),
    );
    check(HASHED + 5, None, "codes,population", json!({ "codes": { "iata": "MUC", "icao": "EDDM" } }));
    check(HASHED + 1, None, "population,timezone,codes", json!({}));
    check(6, None, "population,timezone,iso_3166_2", json!({ "timezone": "Europe/Busingen" }));
}

#[test]
fn the_name_that_matched() {
    let engine = engine();
    let check = |text: &str, lang: Option<&str>, expect: Value| {
        let search = Search { facts: ask("matched"), lang, ..Search::new(text, 1) };
        for found in [json(&engine.forward(&search)), json(&engine.autocomplete(&search))] {
            assert_eq!(found[0]["matched"], expect, "{text} {lang:?}");
        }
    };
    check("munich", None, json!({ "name": "Munich" }));
    check("MUNCHEN", None, json!({ "name": "München", "languages": ["de", "sv"] }));
    check("Münchn", None, json!({ "name": "München", "languages": ["de", "sv"] }));
    check("Monaco di Baviera, Deutschland", Some("de"), json!({ "name": "Monaco di Baviera", "languages": ["it"] }));
    check("tyskland", None, json!({ "name": "Tyskland", "languages": ["da", "sv"] }));
    // A name without a language is stored folded alone.
    check("Minga", None, json!({ "name": "minga" }));
    check("MUC", None, json!({ "name": "MUC" }));
    let prefix = Search { facts: ask("matched"), ..Search::new("deutschl", 1) };
    assert_eq!(
        json(&engine.autocomplete(&prefix))[0]["matched"],
        json!({ "name": "Deutschland", "languages": ["de"] })
    );
}

#[test]
fn distances() {
    let engine = engine();
    let facts = ask("distance");
    let point = at(48.137, 11.585);
    let near = 742.0;
    let far = 28_351.0;
    fn distance(place: &Value) -> Value {
        place["distance"].clone()
    }
    let found = engine.reverse(point, Shown { facts, ..Shown::default() });
    assert_eq!(distance(&json(&found)), near);
    let nearby = engine.nearby(&Nearby { facts, ..Nearby::new(point, 2) });
    assert_eq!(nearby.iter().map(|(place, _)| distance(&json(place))).collect::<Vec<_>>(), [near, far]);
    assert!(nearby.iter().all(|(place, metres)| distance(&json(place)) == *metres));
    let filter = toponym_engine::Filter { types: &["state"], ..Default::default() };
    let areas = engine.nearby(&Nearby { facts, filter, ..Nearby::new(point, 1) });
    assert_eq!(distance(&json(&areas[0].0)), 0.0);
    let search = Search { facts, ..Search::new("Munich", 1) };
    assert_eq!(distance(&json(&engine.forward(&search))[0]), Value::Null);
    let search = Search { focus: Some(point), ..search };
    assert_eq!(distance(&json(&engine.forward(&search))[0]), near);
    let Outcome::Ok { facts: Some(facts), .. } = engine.outcome(Question::Point(point), Shown { facts, lang: None })
    else {
        panic!("there is a place with facts");
    };
    assert_eq!(facts.distance, Some(near));
}

/// Checks every operation, and an index without facts.
#[test]
fn nothing_else_changes() {
    let empty = engine_of(&Gazetteer { facts: vec![], ..gazetteer() });
    for engine in [engine(), empty] {
        for text in ["Munich", "münchen airport", "Bavaria", "germany", "muc"] {
            let plain = Search { lang: Some("de"), focus: Some(at(48.0, 11.0)), ..Search::new(text, 5) };
            let asked = Search { facts: FactSet::ALL, ..plain };
            for (with, without) in engine.forward(&asked).iter().zip(engine.forward(&plain)) {
                added_fields(json(with), json(&without));
            }
            for (with, without) in engine.autocomplete(&asked).iter().zip(engine.autocomplete(&plain)) {
                added_fields(json(with), json(&without));
            }
            let outcome = |facts| json(&engine.outcome(Question::Text(text), Shown { lang: None, facts }));
            added_fields(outcome(FactSet::ALL), outcome(FactSet::default()));
        }
    }
}

#[test]
fn an_index_may_have_no_facts() {
    let engine = engine_of(&Gazetteer { facts: vec![], about: About::default(), ..gazetteer() });
    let shown = Shown { facts: ask("population,timezone,iso_3166_2,codes"), ..Shown::default() };
    let place = |id| json(&engine.place(&Reference::Id(id), shown));
    assert_eq!(
        added_fields(place(4), json(&engine.place(&Reference::Id(4), None))),
        json!({ "codes": { "geonames": 4 } })
    );
    assert_eq!(added_fields(place(HASHED), json(&engine.place(&Reference::Id(HASHED), None))), json!({}));
}

fn random_place(id: u64, rng: &mut Rng) -> Record {
    let role = [Role::City, Role::Quarter, Role::Station, Role::State][rng.usize(0..4)];
    Record {
        id,
        kind: Kind { role, category: "place".into(), r#type: "town".into() },
        names: vec![Name { text: format!("Place {id}"), class: NameClass::Primary, lang: None }],
        codes: vec![],
        position: at(rng.f64() * 180.0 - 90.0, rng.f64() * 360.0 - 180.0),
        parent: None,
        country: [*b"AA", *b"BB", *b"CC", *b"DD"][rng.usize(0..4)],
        importance: rng.f64(),
        extent_m: 500.0,
        bounds: None,
    }
}

fn random_facts(place: u64, rng: &mut Rng) -> PlaceFacts {
    PlaceFacts {
        place,
        population: rng.bool().then(|| rng.u32(1..)),
        time_zone: rng.bool().then(|| format!("Zone/{}", rng.u8(0..200)).into()),
        codes: [CodeScheme::Iata, CodeScheme::Icao, CodeScheme::Iso2]
            .into_iter()
            .flat_map(|scheme| rng.bool().then(|| Code { scheme, text: format!("{:X}", rng.u16(..)) }))
            .collect(),
    }
}

/// Returns the code of a scheme among some facts.
fn code_of(facts: &PlaceFacts, scheme: CodeScheme) -> Option<String> {
    facts.codes.iter().find(|code| code.scheme == scheme).map(|code| code.text.clone())
}

/// Compares random facts of random places with their records, in two joined indexes too.
#[test]
fn facts_are_those_of_the_records() {
    let mut rng = Rng::with_seed(18);
    let places: Vec<Record> = (1..=2_000).map(|id| random_place(id, &mut rng)).collect();
    let with_facts = (1..=2_000).filter(|id| id % 7 > 0);
    let facts: Vec<PlaceFacts> = with_facts.map(|id| random_facts(id, &mut rng)).collect();
    let half = |is_in: fn(u64) -> bool| Gazetteer {
        places: places.iter().filter(|place| is_in(place.id)).cloned().collect(),
        facts: facts.iter().filter(|fact| is_in(fact.place)).cloned().collect(),
        ..Gazetteer::default()
    };
    let whole = engine_of(&half(|_| true));
    let mut joined = engine_of(&half(|id| id % 2 == 0));
    joined.join(engine_of(&half(|id| id % 2 == 1)));
    let shown = Shown { facts: ask("population,timezone,codes"), ..Shown::default() };
    for place in &places {
        let known = facts.iter().find(|fact| fact.place == place.id).cloned().unwrap_or_default();
        let has_people = matches!(place.kind.role, Role::City | Role::Quarter);
        let population = known.population.filter(|_| has_people).map(u64::from);
        for engine in [&whole, &joined] {
            let found = engine.place(&Reference::Id(place.id), shown).and_then(|place| place.facts).expect("facts");
            assert_eq!((found.population, found.timezone.as_deref()), (population, known.time_zone.as_deref()));
            let codes = found.codes.expect("it has an id");
            assert_eq!(codes.iata, code_of(&known, CodeScheme::Iata));
            assert_eq!(codes.icao, code_of(&known, CodeScheme::Icao));
            assert_eq!(codes.iso, code_of(&known, CodeScheme::Iso2));
            assert_eq!(codes.geonames, Some(place.id));
        }
    }
}
