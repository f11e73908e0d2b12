//! A gazetteer of a dozen places, enough for every operation: places of one name, marks, areas, codes, the date line.

use toponym_engine::geo::{Bounds, Coordinate};
use toponym_engine::{
    About, Border, Bordered, Code, CodeScheme, Gazetteer, Kind, Lexicon, Name, NameClass, Record, Role,
};

/// Writes the index over a dozen places.
pub fn index() -> Vec<u8> {
    toponym_engine::index::write(&gazetteer()).expect("the gazetteer is well formed")
}

fn gazetteer() -> Gazetteer {
    let places = vec![
        area(1, Role::Country, "France", None, "FR", (46.6, 2.4), 0.93),
        area(2, Role::Country, "United States", None, "US", (39.8, -98.6), 0.97),
        area(3, Role::Country, "Switzerland", None, "CH", (46.8, 8.2), 0.88),
        Record { bounds: Some(fiji_bounds()), ..area(4, Role::Country, "Fiji", None, "FJ", (-17.8, 178.0), 0.78) },
        area(11, Role::State, "Île-de-France", Some(1), "FR", (48.7, 2.5), 0.75),
        with_code(area(12, Role::State, "Texas", Some(2), "US", (31.3, -99.3), 0.8), CodeScheme::State, "TX"),
        city(101, "Paris", 11, "FR", (48.85341, 2.3488), 0.9, 9_000.0),
        city(102, "Paris", 12, "US", (33.66094, -95.55551), 0.41, 4_000.0),
        with_name(city(103, "Zürich", 3, "CH", (47.36667, 8.55), 0.7, 6_000.0), "Цюрих", "ru"),
        city(104, "Taveuni", 4, "FJ", (-16.8, 179.98), 0.3, 3_000.0),
        with_code(airport(201, "Paris Charles de Gaulle Airport", 101, "FR", (49.0128, 2.55)), CodeScheme::Iata, "CDG"),
        landmark(301, "Eiffel Tower", 101, "FR", (48.8583, 2.2945)),
    ];
    let about = About { title: "a dozen places".into(), data_date: "2026-01-01".into(), ..About::default() };
    let lexicon =
        Lexicon { kinds: vec![("airport".into(), vec![Role::Airport])], fillers: vec!["of".into()], types: Vec::new() };
    let transliteration =
        vec![('и', "i".into()), ('р', "r".into()), ('х', "kh".into()), ('ц', "ts".into()), ('ю', "yu".into())];
    Gazetteer { places, about, lexicon, borders: vec![swiss_border()], transliteration, ..Gazetteer::default() }
}

/// Makes a box with a hole, where Liechtenstein is.
fn swiss_border() -> Border {
    let outside = ring([(45.8, 5.9), (45.8, 10.5), (47.8, 10.5), (47.8, 5.9), (45.8, 5.9)]);
    let hole = ring([(47.0, 9.5), (47.0, 9.6), (47.3, 9.6), (47.3, 9.5), (47.0, 9.5)]);
    Border { of: Bordered::Country(*b"CH"), rings: vec![outside, hole] }
}

fn ring(points: [(f64, f64); 5]) -> Vec<Coordinate> {
    points.map(|(lat, lon)| position(lat, lon)).to_vec()
}

/// Returns bounds across the date line.
fn fiji_bounds() -> Bounds {
    Bounds { south: -20.7, north: -12.5, west: 176.9, east: -178.2 }
}

fn area(
    id: u64,
    role: Role,
    name: &str,
    parent: Option<u64>,
    country: &str,
    at: (f64, f64),
    importance: f64,
) -> Record {
    let kind = match role {
        Role::Country => kind(role, "place", "country"),
        _ => kind(role, "boundary", "state"),
    };
    Record { importance, ..record(id, kind, name, parent, country, at) }
}

fn city(id: u64, name: &str, parent: u64, country: &str, at: (f64, f64), importance: f64, extent_m: f64) -> Record {
    Record { importance, extent_m, ..record(id, kind(Role::City, "place", "city"), name, Some(parent), country, at) }
}

fn airport(id: u64, name: &str, parent: u64, country: &str, at: (f64, f64)) -> Record {
    record(id, kind(Role::Airport, "aeroway", "aerodrome"), name, Some(parent), country, at)
}

fn landmark(id: u64, name: &str, parent: u64, country: &str, at: (f64, f64)) -> Record {
    record(id, kind(Role::Landmark, "tourism", "monument"), name, Some(parent), country, at)
}

fn record(id: u64, kind: Kind, name: &str, parent: Option<u64>, country: &str, (lat, lon): (f64, f64)) -> Record {
    Record {
        id,
        kind,
        names: vec![Name { text: name.into(), class: NameClass::Primary, lang: None }],
        codes: Vec::new(),
        position: position(lat, lon),
        parent,
        country: country.as_bytes().try_into().expect("a country code has two letters"),
        importance: 0.5,
        extent_m: 1_000.0,
        bounds: None,
    }
}

fn position(lat: f64, lon: f64) -> Coordinate {
    Coordinate::new(lat, lon).expect("the position is on the Earth")
}

fn kind(role: Role, category: &str, r#type: &str) -> Kind {
    Kind { role, category: category.into(), r#type: r#type.into() }
}

fn with_code(mut record: Record, scheme: CodeScheme, text: &str) -> Record {
    record.codes.push(Code { scheme, text: text.into() });
    record
}

fn with_name(mut record: Record, text: &str, lang: &str) -> Record {
    record.names.push(Name { text: text.into(), class: NameClass::Other, lang: Some(lang.into()) });
    record
}
