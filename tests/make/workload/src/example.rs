//! A small index for the examples of the documentation: France and Texas, each with a Paris, and an airport and a museum.

use toponym_engine::coverage::{Continent, CountryFacts};
use toponym_engine::geo::Coordinate;
use toponym_engine::{
    About, Border, Bordered, Capital, Code, CodeScheme, Engine, Gazetteer, Kind, Lexicon, Name, NameClass, PlaceFacts,
    Record, Role, index,
};

/// Ids of GeoNames.
const FRANCE: u64 = 3_017_382;
const ILE_DE_FRANCE: u64 = 3_012_874;
const PARIS: u64 = 2_988_507;
const UNITED_STATES: u64 = 6_252_001;
const TEXAS: u64 = 4_736_286;

/// Id, role, category and type, and parent.
type Row = (u64, Role, [&'static str; 2], Option<u64>);

/// Position, importance, extent in metres.
type Numbers = ((f64, f64), f64, f64);

/// Kind of a place, its names (`de:Frankreich` in a language), its code, where it is.
type Line = (Row, &'static [&'static str], Option<(CodeScheme, &'static str)>, Numbers);

const PLACES: [Line; 9] = [
    (
        (FRANCE, Role::Country, ["boundary", "country"], None),
        &["France", "de:Frankreich"],
        Some((CodeScheme::Iso2, "FR")),
        ((46.6, 2.4), 0.95, 500_000.0),
    ),
    (
        (ILE_DE_FRANCE, Role::State, ["boundary", "state"], Some(FRANCE)),
        &["Île-de-France"],
        Some((CodeScheme::State, "IDF")),
        ((48.7, 2.5), 0.7, 60_000.0),
    ),
    (
        (PARIS, Role::City, ["place", "city"], Some(ILE_DE_FRANCE)),
        &["Paris", "it:Parigi", "ja:パリ"],
        None,
        ((48.85341, 2.3488), 0.9, 9_000.0),
    ),
    (
        (2_992_508, Role::Quarter, ["place", "quarter"], Some(PARIS)),
        &["Montmartre"],
        None,
        ((48.88667, 2.34), 0.45, 1_000.0),
    ),
    (
        (6_269_554, Role::Airport, ["aeroway", "aerodrome"], Some(ILE_DE_FRANCE)),
        &["Paris Charles de Gaulle Airport"],
        Some((CodeScheme::Iata, "CDG")),
        ((49.01278, 2.55), 0.8, 4_000.0),
    ),
    (
        (6_452_370, Role::Landmark, ["tourism", "museum"], Some(PARIS)),
        &["Louvre", "de:Louvre-Museum"],
        None,
        ((48.86111, 2.33639), 0.7, 300.0),
    ),
    (
        (UNITED_STATES, Role::Country, ["boundary", "country"], None),
        &["United States", "de:Vereinigte Staaten"],
        Some((CodeScheme::Iso2, "US")),
        ((39.8, -98.6), 0.98, 2_000_000.0),
    ),
    (
        (TEXAS, Role::State, ["boundary", "state"], Some(UNITED_STATES)),
        &["Texas"],
        Some((CodeScheme::State, "TX")),
        ((31.25, -99.25), 0.75, 600_000.0),
    ),
    ((4_717_560, Role::City, ["place", "town"], Some(TEXAS)), &["Paris"], None, ((33.66094, -95.55551), 0.4, 6_000.0)),
];

/// Boxes in place of borders: south, north, west, east.
const BORDERS: [(Bordered, [f64; 4]); 3] = [
    (Bordered::Country(*b"FR"), [42.0, 51.0, -5.0, 8.0]),
    (Bordered::Country(*b"US"), [25.0, 49.0, -125.0, -67.0]),
    (Bordered::State(TEXAS), [26.0, 36.0, -106.0, -94.0]),
];

/// Number of inhabitants of the Paris in France.
const PEOPLE_OF_PARIS: u32 = 2_138_551;

/// Returns the places of [`example_engine`].
pub fn example_gazetteer() -> Gazetteer {
    let paris = PlaceFacts {
        place: PARIS,
        population: Some(PEOPLE_OF_PARIS),
        time_zone: Some("Europe/Paris".into()),
        codes: Vec::new(),
    };
    Gazetteer {
        places: PLACES.iter().map(record).collect(),
        about: About {
            title: "example".into(),
            data_date: "2026-11-01".into(),
            attribution: vec!["GeoNames, CC BY 4.0".into()],
            countries: vec![country_facts(*b"FR", 68_000_000), country_facts(*b"US", 340_000_000)],
            ..About::default()
        },
        lexicon: Lexicon { kinds: vec![("airport".into(), vec![Role::Airport])], ..Lexicon::default() },
        borders: BORDERS.iter().map(|&(of, sides)| Border { of, rings: vec![ring(sides)] }).collect(),
        capitals: vec![Capital { area: FRANCE, city: PARIS }],
        facts: vec![paris],
        ..Gazetteer::default()
    }
}

/// Opens an index of France and Texas, which examples of the documentation ask.
pub fn example_engine() -> Engine {
    let bytes = index::write(&example_gazetteer()).expect("the places break no rule of a gazetteer");
    Engine::open(bytes).expect("an index just written is whole")
}

fn record(&((id, role, [category, r#type], parent), names, code, ((lat, lon), importance, extent_m)): &Line) -> Record {
    let is_french = matches!(id, FRANCE | ILE_DE_FRANCE | PARIS) || matches!(parent, Some(ILE_DE_FRANCE | PARIS));
    Record {
        id,
        kind: Kind { role, category: category.into(), r#type: r#type.into() },
        names: names.iter().map(|text| name(text)).collect(),
        codes: code.map(|(scheme, text)| Code { scheme, text: text.into() }).into_iter().collect(),
        position: at(lat, lon),
        parent,
        country: if is_french { *b"FR" } else { *b"US" },
        importance,
        extent_m,
        bounds: None,
    }
}

fn name(text: &str) -> Name {
    match text.split_once(':') {
        Some((lang, text)) => Name { text: text.into(), class: NameClass::Other, lang: Some(lang.into()) },
        None => Name { text: text.into(), class: NameClass::Primary, lang: None },
    }
}

fn country_facts(code: [u8; 2], population: u64) -> CountryFacts {
    CountryFacts {
        code,
        continent: if code == *b"FR" { Continent::Europe } else { Continent::NorthAmerica },
        population,
        people_in_places: population / 2,
        cities: 1,
        cities_with_sites: 1,
    }
}

/// Returns the closed ring around a box.
fn ring([south, north, west, east]: [f64; 4]) -> Vec<Coordinate> {
    [(south, west), (south, east), (north, east), (north, west), (south, west)].map(|(lat, lon)| at(lat, lon)).into()
}

fn at(lat: f64, lon: f64) -> Coordinate {
    Coordinate::new(lat, lon).expect("the positions of the table are in range")
}
