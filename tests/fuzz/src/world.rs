//! A gazetteer with a little of everything that an index can hold, and every kind of query on it.

use toponym_engine::coverage::{Continent, CountryFacts};
use toponym_engine::geo::{Bounds, Coordinate};
use toponym_engine::{
    About, Beside, Border, Bordered, Capital, Code, CodeScheme, Engine, Filter, Gazetteer, Kind, LandGrid, Lexicon,
    Name, NameClass, Record, Role, Search, Spelling, Spellings,
};

/// Makes the gazetteer: a country with every kind of data, and another country on the date line.
pub fn gazetteer() -> Gazetteer {
    let mut france = place(1, Role::Country, "France", (46.6, 2.4), None, *b"FR", 0.95);
    france.codes = vec![code(CodeScheme::Iso2, "FR"), code(CodeScheme::Iso3, "FRA")];
    france.bounds = Some(Bounds { south: 42.0, north: 51.0, west: -5.0, east: 9.0 });
    france.names.push(name("Frankreich", NameClass::Other, Some("de")));
    let fiji = place(2, Role::Country, "Fiji", (-17.8, 179.0), None, *b"FJ", 0.7);
    let mut region = place(3, Role::State, "Île-de-France", (48.7, 2.5), Some(1), *b"FR", 0.8);
    region.codes = vec![code(CodeScheme::State, "IDF")];
    let county = place(4, Role::County, "Seine", (48.85, 2.3), Some(3), *b"FR", 0.5);
    let mut paris = place(5, Role::City, "Paris", (48.8566, 2.3522), Some(4), *b"FR", 0.94);
    paris.names.extend([
        name("Parigi", NameClass::Other, Some("it")),
        name("巴黎", NameClass::Other, Some("zh")),
        name("パリ", NameClass::Other, Some("ja")),
        name("Lutetia", NameClass::Weak, Some("la")),
    ]);
    let quarter = place(6, Role::Quarter, "Montmartre", (48.8867, 2.3431), Some(5), *b"FR", 0.4);
    let mut airport = place(7, Role::Airport, "Paris Charles de Gaulle", (49.0097, 2.5479), Some(5), *b"FR", 0.7);
    airport.codes = vec![code(CodeScheme::Iata, "CDG"), code(CodeScheme::Icao, "LFPG")];
    let station = place(8, Role::Station, "Gare du Nord", (48.8809, 2.3553), Some(5), *b"FR", 0.5);
    let tower = place(9, Role::Landmark, "Tour Eiffel", (48.8584, 2.2945), Some(5), *b"FR", 0.6);
    let lyon = place(10, Role::City, "Lyon", (45.7485, 4.8467), Some(1), *b"FR", 0.7);
    let namesake = place(11, Role::City, "Paris", (46.3, 0.4), Some(1), *b"FR", 0.1);
    let far = place(12, Role::City, "Tavua", (-17.44, 179.99), Some(2), *b"FJ", 0.3);
    Gazetteer {
        places: vec![france, fiji, region, county, paris, quarter, airport, station, tower, lyon, namesake, far],
        about: About {
            title: "fuzz".into(),
            data_date: "2026-01-01".into(),
            made_of: Vec::new(),
            attribution: vec!["Twelve places of the tests".into()],
            countries: vec![facts(*b"FJ", Continent::Oceania, 900_000), facts(*b"FR", Continent::Europe, 68_000_000)],
        },
        lexicon: Lexicon {
            kinds: vec![
                ("airport".into(), vec![Role::Airport]),
                ("gare".into(), vec![Role::Station]),
                ("tour".into(), vec![Role::Landmark]),
            ],
            fillers: vec!["de".into(), "du".into(), "of".into()],
            types: Vec::new(),
        },
        capitals: vec![Capital { area: 1, city: 5 }, Capital { area: 3, city: 5 }],
        transliteration: vec![('а', "a".into()), ('п', "p".into()), ('リ', "ri".into()), ('巴', "ba".into())],
        spellings: spellings(),
        ..Gazetteer::default()
    }
}

/// Makes spellings of two letters, one of which depends on what stands beside it.
fn spellings() -> Vec<Spellings> {
    vec![
        spellings_of('ا', Beside::Anything, &[(5, "a"), (40, "")]),
        spellings_of('ر', Beside::Anything, &[(2, "r"), (30, "ri")]),
        spellings_of('ر', Beside::After('ا'), &[(1, "r")]),
    ]
}

fn spellings_of(letter: char, beside: Beside, all: &[(u8, &str)]) -> Spellings {
    Spellings { letter, beside, all: all.iter().map(|&(cost, latin)| Spelling { cost, latin: latin.into() }).collect() }
}

/// Makes the gazetteer with borders and coasts, which take 400 kB in every index.
pub fn with_borders() -> Gazetteer {
    let mut land = LandGrid::empty();
    for point in POINTS.iter().filter(|point| point.lat().abs() < 89.0) {
        let (row, column) = LandGrid::cell(*point);
        land.mark(row, column);
    }
    Gazetteer {
        borders: vec![
            Border {
                of: Bordered::Country(*b"FR"),
                rings: vec![square(44.5, -0.5, 6.0, 6.7), square(46.7, 3.2, 0.4, 0.4)],
            },
            Border { of: Bordered::Country(*b"FJ"), rings: vec![square(-19.0, 178.5, 3.0, 1.5)] },
            Border { of: Bordered::State(3), rings: vec![square(47.5, 1.0, 2.5, 4.0)] },
        ],
        land,
        ..gazetteer()
    }
}

fn square(south: f64, west: f64, height: f64, width: f64) -> Vec<Coordinate> {
    let corners = [(0.0, 0.0), (0.0, width), (height, width), (height, 0.0), (0.0, 0.0)];
    corners.map(|(y, x)| at(south + y, west + x)).to_vec()
}

fn place(
    id: u64,
    role: Role,
    called: &str,
    at: (f64, f64),
    parent: Option<u64>,
    country: [u8; 2],
    importance: f64,
) -> Record {
    Record {
        id,
        kind: Kind { role, category: "place".into(), r#type: format!("{role:?}").to_lowercase() },
        names: vec![name(called, NameClass::Primary, None)],
        codes: Vec::new(),
        position: self::at(at.0, at.1),
        parent,
        country,
        importance,
        extent_m: if role.is_area() { 300_000.0 } else { 5_000.0 },
        bounds: None,
    }
}

const fn at(lat: f64, lon: f64) -> Coordinate {
    Coordinate::new(lat, lon).expect("it is on the globe")
}

fn name(text: &str, class: NameClass, lang: Option<&str>) -> Name {
    Name { text: text.into(), class, lang: lang.map(str::to_owned) }
}

fn code(scheme: CodeScheme, text: &str) -> Code {
    Code { scheme, text: text.into() }
}

/// Points in a city, beside a border, in the hole of a border, at sea, on the date line and at a pole.
const POINTS: [Coordinate; 8] = [
    at(48.8566, 2.3522),
    at(44.51, -0.49),
    at(46.9, 3.4),
    at(0.0, 0.0),
    at(-17.44, 180.0),
    at(-17.44, -180.0),
    at(49.0097, 2.5479),
    at(90.0, 0.0),
];

/// Texts that use every stage: names, alternates, codes, sounds, other scripts, contexts, kinds, typing errors.
const TEXTS: [&str; 12] = [
    "paris",
    "Parigi, Frankreich",
    "пари",
    "巴黎",
    "パリ",
    "cdg airport",
    "gare du nord, paris",
    "pariss",
    "lyno france",
    "lutetia",
    "montmartre 75018",
    "zyx of nowhere",
];

/// Runs every kind of query.
pub fn ask_everything(engine: &Engine) {
    for text in TEXTS {
        engine.forward(&Search::new(text, 50));
        engine.autocomplete(&Search::new(text, 10));
    }
    let france = [*b"FR"];
    let filter = Filter::in_countries(&france);
    let focus = Some(POINTS[0]);
    engine.forward(&Search { lang: Some("de"), filter, focus, ..Search::new("paris", 3) });
    engine.autocomplete(&Search { lang: Some("zh-Hant-TW"), filter, focus, ..Search::new("p", 3) });
    engine.batch(&TEXTS);
    for point in POINTS {
        engine.reverse(point, None);
        engine.country_at(point);
    }
    engine.coverage();
    engine.about();
    for country in [*b"FR", *b"FJ", *b"XX"] {
        engine.capital(country);
    }
}

fn facts(code: [u8; 2], continent: Continent, population: u64) -> CountryFacts {
    CountryFacts { code, continent, population, people_in_places: population / 2, cities: 2, cities_with_sites: 1 }
}
