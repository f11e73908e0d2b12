//! The language of a query: which of two places with the same name comes first.

use toponym_engine::geo::Coordinate;
use toponym_engine::{Engine, Gazetteer, Kind, Name, NameClass, Record, Role, Search, index};

fn place(id: u64, importance: f64, names: &[(&str, NameClass, Option<&str>)]) -> Record {
    Record {
        id,
        kind: Kind { role: Role::City, category: "place".into(), r#type: "city".into() },
        names: names
            .iter()
            .map(|&(text, class, lang)| Name { text: text.into(), class, lang: lang.map(str::to_owned) })
            .collect(),
        codes: vec![],
        position: Coordinate::new(id as f64, 2.0).expect("in range"),
        parent: None,
        country: *b"XX",
        importance,
        extent_m: 5_000.0,
        bounds: None,
    }
}

#[test]
fn an_exonym_comes_first_in_its_own_language() {
    use NameClass::{Other, Primary};
    let places = vec![
        place(1, 0.75, &[("Venice", Primary, None), ("Venecia", Other, Some("es")), ("Venedig", Other, Some("de"))]),
        place(2, 0.62, &[("Venecia", Primary, None)]),
    ];
    let bytes = index::write(&Gazetteer { places, ..Gazetteer::default() }).expect("the records are sound");
    let engine = Engine::open(bytes).expect("the index is whole");
    let first = |text, lang| {
        let search = Search { lang, ..Search::new(text, 5) };
        let suggested = engine.autocomplete(&search).first().map(|suggestion| suggestion.lat as u64);
        (engine.forward(&search).first().map(|place| place.place_id), suggested)
    };
    let check = |text, lang, expect| assert_eq!(first(text, lang), (Some(expect), Some(expect)), "{text} {lang:?}");
    check("Venecia", None, 2);
    check("Venecia", Some("de"), 2);
    check("Venecia", Some("es"), 1);
    check("Venecia", Some("es-MX"), 1);
    check("venecia", Some("tlh"), 2);
    check("Venedig", Some("es"), 1);
}
