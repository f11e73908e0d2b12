//! A gazetteer of one country, for tests of what is made of one.

use toponym_engine::geo::Coordinate;
use toponym_engine::{Gazetteer, Kind, Name, NameClass, Record, Role};

/// Returns a gazetteer of France alone.
pub(crate) fn france() -> Gazetteer {
    let place = Record {
        id: 1,
        kind: Kind { role: Role::Country, category: "place".into(), r#type: "country".into() },
        names: vec![Name { text: "France".into(), class: NameClass::Primary, lang: None }],
        codes: Vec::new(),
        position: Coordinate::new(46.6, 2.4).expect("it is in range"),
        parent: None,
        country: *b"FR",
        importance: 0.9,
        extent_m: 500_000.0,
        bounds: None,
    };
    Gazetteer { places: vec![place], ..Gazetteer::default() }
}
