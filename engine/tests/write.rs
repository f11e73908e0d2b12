//! The writer rejects invalid gazetteers, with a message that names the fault.

use toponym_engine::geo::{Bounds, Coordinate};
use toponym_engine::index::{self, WriteError};
use toponym_engine::{
    Beside, Border, Bordered, Capital, Code, CodeScheme, Engine, Gazetteer, Kind, Lexicon, Name, NameClass, PlaceFacts,
    Record, Role, Spelling, Spellings,
};

fn at(lat: f64, lon: f64) -> Coordinate {
    Coordinate::new(lat, lon).expect("a test coordinate is in range")
}

fn place(id: u64, role: Role, parent: Option<u64>) -> Record {
    Record {
        id,
        kind: Kind { role, category: "place".into(), r#type: "place".into() },
        names: vec![Name { text: format!("Place {id}"), class: NameClass::Primary, lang: None }],
        codes: vec![Code { scheme: CodeScheme::Iata, text: "AB1".into() }],
        position: at(1.0, 2.0),
        parent,
        country: *b"AA",
        importance: 0.5,
        extent_m: 1_000.0,
        bounds: Some(Bounds { south: 0.0, north: 2.0, west: 1.0, east: 3.0 }),
    }
}

fn facts(place: u64) -> PlaceFacts {
    let codes = vec![Code { scheme: CodeScheme::State, text: "13".into() }];
    PlaceFacts { place, population: Some(7), time_zone: Some("Africa/Cairo".into()), codes }
}

fn gazetteer() -> Gazetteer {
    let ring = [(0.0, 0.0), (0.0, 9.0), (9.0, 9.0), (0.0, 0.0)].map(|(lat, lon)| at(lat, lon)).to_vec();
    Gazetteer {
        places: vec![place(1, Role::Country, None), place(2, Role::City, Some(1))],
        lexicon: Lexicon {
            kinds: vec![("airport".into(), vec![Role::Airport]), ("gare".into(), vec![Role::Station])],
            fillers: vec!["de".into(), "of".into()],
            types: Vec::new(),
        },
        borders: vec![Border { of: Bordered::Country(*b"AA"), rings: vec![ring] }],
        capitals: vec![Capital { area: 1, city: 2 }],
        facts: [1, 2].map(facts).to_vec(),
        transliteration: vec![('ж', "zh".into()), ('ь', String::new()), ('北', "bei".into())],
        spellings: vec![spellings(Beside::Anything), spellings(Beside::Before('а'))],
        ..Gazetteer::default()
    }
}

fn spellings(beside: Beside) -> Spellings {
    Spellings { letter: 'ж', beside, all: vec![spelling(2, "zh"), spelling(30, ""), spelling(30, "j")] }
}

fn spelling(cost: u8, latin: &str) -> Spelling {
    Spelling { cost, latin: latin.into() }
}

#[test]
fn a_sound_gazetteer_is_written() {
    let bytes = index::write(&gazetteer()).expect("it is sound");
    Engine::open(bytes).expect("it is whole");
}

/// Checks that a changed gazetteer is rejected with a message that contains `expect`.
#[track_caller]
fn check(change: impl FnOnce(&mut Gazetteer), expect: &str) {
    let mut changed = gazetteer();
    change(&mut changed);
    let refused = index::write(&changed).map_err(|error: WriteError| error.to_string());
    assert!(refused.as_ref().is_err_and(|message| message.contains(expect)), "not {expect:?} but {:?}", refused.err());
}

#[test]
fn places() {
    check(|it| it.places[1].id = 1, "place id 1 must be unique");
    check(|it| it.places[1].id = 1 << 53, "place id 9007199254740992 must be unique and from 1 to 2^53 - 1");
    check(|it| it.places[1].parent = Some(7), "place 2 names 7 as its parent");
    check(|it| it.places[1].names[0].text = "--".into(), "place 2 needs a display name");
    check(|it| it.places[1].names[0].text = "a".repeat(256), "place 2 needs a display name of 1 to 255 bytes");
    check(|it| it.places[1].names.clear(), "place 2 needs a display name");
    check(|it| it.places[1].importance = 1.5, "place 2: importance");
    check(|it| it.places[1].extent_m = f64::NAN, "place 2: extent_m");
    check(|it| it.places[1].country = *b"aa", "place 2: country");
    check(|it| it.capitals[0].city = 1, "1 cannot be the capital of 1");
}

#[test]
fn codes() {
    for code in ["", "ab1", "A B", "A\0B", "Ä"] {
        check(|it| it.places[1].codes[0].text = code.into(), "place 2: codes");
    }
}

#[test]
fn facts_of_places() {
    check(|it| it.facts[1].place = 1, "facts of place 1");
    check(|it| it.facts[1].place = 3, "facts of place 3");
    check(|it| it.facts[1].time_zone = Some("".into()), "facts of place 2");
    check(|it| it.facts[1].time_zone = Some("a".repeat(256).into()), "facts of place 2");
    for code in ["", "ab", "A-B", "ABCDEFGH"] {
        check(|it| it.facts[1].codes[0].text = code.into(), "facts of place 2");
    }
    check(add_many_time_zones, "time zones of a country");
}

/// Adds places of one country with more time zones than the format can number.
fn add_many_time_zones(it: &mut Gazetteer) {
    it.places.extend((10..300).map(|id| place(id, Role::City, Some(1))));
    it.facts = (10..300).map(|id| PlaceFacts { time_zone: Some(format!("Zone {id}").into()), ..facts(id) }).collect();
}

#[test]
fn bounds() {
    let sound = Bounds { south: 0.0, north: 2.0, west: 1.0, east: 3.0 };
    for bounds in [
        Bounds { south: 3.0, ..sound },
        Bounds { south: -90.1, ..sound },
        Bounds { north: 90.1, ..sound },
        Bounds { west: -180.1, ..sound },
        Bounds { east: f64::INFINITY, ..sound },
        Bounds { north: f64::NAN, ..sound },
    ] {
        check(|it| it.places[1].bounds = Some(bounds), "place 2: bounds");
    }
    let mut over_date_line = gazetteer();
    over_date_line.places[1].bounds = Some(Bounds { west: 179.0, east: -179.0, ..sound });
    assert!(index::write(&over_date_line).is_ok());
}

#[test]
fn transliteration() {
    check(|it| it.transliteration.swap(0, 1), "transliteration of 'ж' (U+0436)");
    check(|it| it.transliteration[1].0 = 'ж', "transliteration of 'ж' (U+0436)");
    check(|it| it.transliteration[0].1 = "a".repeat(256), "transliteration of 'ж' (U+0436)");
}

#[test]
fn spellings_of_letters() {
    check(|it| it.spellings.swap(0, 1), "spellings of 'ж' (U+0436)");
    check(|it| it.spellings[1].beside = Beside::Anything, "spellings of 'ж' (U+0436)");
    check(|it| it.spellings[1].all.clear(), "spellings of 'ж' (U+0436)");
    check(|it| it.spellings[1].all.swap(1, 2), "spellings of 'ж' (U+0436)");
    check(|it| it.spellings[0].all[0].latin = "Zh".into(), "spellings of 'ж' (U+0436)");
    check(|it| it.spellings[0].all[0].latin = "zhzhzhz".into(), "spellings of 'ж' (U+0436)");
}

#[test]
fn lexicon() {
    check(|it| it.lexicon.kinds.swap(0, 1), "lexicon: \"airport\"");
    check(|it| it.lexicon.kinds[1].0 = "airport".into(), "lexicon: \"airport\"");
    check(|it| it.lexicon.kinds[1].0 = "Gare".into(), "lexicon: \"Gare\"");
    check(|it| it.lexicon.kinds[1].1.clear(), "lexicon: \"gare\"");
    check(|it| it.lexicon.fillers.swap(0, 1), "lexicon: \"de\"");
    check(|it| it.lexicon.fillers[1] = "de".into(), "lexicon: \"de\"");
    check(|it| it.lexicon.fillers[0] = String::new(), "lexicon: \"\"");
}

#[test]
fn borders() {
    check(|it| it.borders[0].of = Bordered::Country(*b"a1"), "border of \"a1\"");
    check(|it| it.borders[0].rings[0].truncate(3), "border of \"AA\", ring 1");
    check(|it| (it.borders[0].of, it.borders[0].rings[0]) = (Bordered::State(7), vec![]), "border of state 7, ring 1");
    check(|it| it.borders[0].rings.push(vec![]), "border of \"AA\", ring 2");
    check(|it| it.borders[0].rings.push(vec![at(1.0, 1.0); 3]), "border of \"AA\", ring 2");
}
