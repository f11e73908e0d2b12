//! Elided articles: a name is found with and without one, and a name that has one comes first.

use toponym_engine::geo::Coordinate;
use toponym_engine::{Engine, Gazetteer, Kind, Lexicon, Name, NameClass, Record, Role, Search, index};

/// Places: id, role, name, parent, importance.
const PLACES: [(u64, Role, &str, u64, f64); 13] = [
    (1, Role::Country, "France", 0, 0.9),
    (2, Role::Country, "Italia", 0, 0.9),
    (3, Role::County, "Ardèche", 1, 0.5),
    (4, Role::City, "L'Aquila", 2, 0.55),
    (5, Role::City, "Aquila", 1, 0.5),
    (6, Role::State, "Umbria", 2, 0.6),
    (7, Role::City, "Privas", 3, 0.45),
    (8, Role::City, "Villeneuve-d'Ascq", 1, 0.5),
    (9, Role::City, "Lardeches", 1, 0.5),
    (10, Role::County, "El Paraíso", 1, 0.5),
    (11, Role::City, "Paraíso", 1, 0.6),
    (12, Role::State, "Île-de-France", 1, 0.6),
    (13, Role::County, "Indre-et-Loire", 1, 0.5),
];

fn engine() -> Engine {
    let lexicon = Lexicon {
        kinds: vec![
            ("departement".into(), vec![Role::County]),
            ("ile".into(), vec![Role::Region]),
            ("regione".into(), vec![Role::State]),
        ],
        fillers: vec!["de".into(), "el".into(), "et".into()],
        types: Vec::new(),
    };
    let gazetteer = Gazetteer { places: PLACES.iter().map(record).collect(), lexicon, ..Gazetteer::default() };
    Engine::open(index::write(&gazetteer).expect("the places are sound")).expect("an index just written opens")
}

fn record(&(id, role, name, parent, importance): &(u64, Role, &str, u64, f64)) -> Record {
    Record {
        id,
        kind: Kind { role, category: "place".into(), r#type: "place".into() },
        names: vec![Name { text: name.into(), class: NameClass::Primary, lang: None }],
        codes: Vec::new(),
        position: Coordinate::new(45.0, id as f64).expect("it is in range"),
        parent: Some(parent).filter(|&parent| parent > 0),
        country: if parent == 2 || id == 2 { *b"IT" } else { *b"FR" },
        importance,
        extent_m: 1_000.0,
        bounds: None,
    }
}

#[test]
fn a_name_is_found_with_an_elided_article() {
    let engine = engine();
    let check = |text: &str, expect: &str| {
        let found = engine.forward(&Search::new(text, 1));
        assert_eq!(found.first().map_or("", |place| &place.display_name), expect, "{text}");
    };
    check("l'Ardèche", "Ardèche, France");
    check("L’ARDECHE", "Ardèche, France");
    check("d'Ardèche", "Ardèche, France");
    check("dell'Umbria", "Umbria, Italia");
    check("Département de l'Ardèche", "Ardèche, France");
    check("Département d'El Paraíso", "El Paraíso, France");
    check("regione dell'Umbria", "Umbria, Italia");
    check("regione d'Île-de-France", "Île-de-France, France");
    check("Île-de-France regione", "Île-de-France, France");
    check("Département d'Indre-et-Loire", "Indre-et-Loire, France");
    check("Privas, l'Ardèche", "Privas, Ardèche, France");
    check("L'Aquila", "L'Aquila, Italia");
    check("l'aquila", "L'Aquila, Italia");
    check("laquila", "L'Aquila, Italia");
    check("Aquila", "Aquila, France");
    check("Villeneuve d'Ascq", "Villeneuve-d'Ascq, France");
}

#[test]
fn a_name_is_suggested_after_an_elided_article() {
    let engine = engine();
    let check = |text: &str, expect: &str| {
        let found = engine.autocomplete(&Search::new(text, 1));
        assert_eq!(found.first().map_or("", |place| &place.display_name), expect, "{text}");
    };
    check("l'it", "Italia");
    check("l'aq", "L'Aquila, Italia");
    check("d'omb", "");
    check("dell'umb", "Umbria, Italia");
}
