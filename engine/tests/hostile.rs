//! Forged files with a correct checksum: opening them may fail, but neither that nor a later query panics, loops forever or
//! needs memory out of proportion to the file.

use std::ops::Range;

use bytes::Bytes;
use fastrand::Rng;
use toponym_engine::geo::{Bounds, Coordinate};
use toponym_engine::index::{self, sections};
use toponym_engine::{
    About, Beside, Border, Bordered, Capital, Code, CodeScheme, Engine, FactSet, Filter, Gazetteer, Kind, LandGrid,
    Lexicon, Name, NameClass, PlaceFacts, Record, Role, Search, Shown, Spelling, Spellings,
};
use xxhash_rust::xxh3::xxh3_64;

fn at(lat: f64, lon: f64) -> Coordinate {
    Coordinate::new(lat, lon).expect("a test coordinate is in range")
}

fn place(id: u64, role: Role, names: &[&str], position: Coordinate, parent: Option<u64>) -> Record {
    let classes = [NameClass::Primary, NameClass::English, NameClass::Other, NameClass::Weak];
    let languages = [None, Some("en"), Some("de"), Some("zh-Hant")];
    let numbered = names.iter().zip(0..);
    let names = numbered.map(|(text, at)| Name {
        text: (*text).into(),
        class: classes[at % 4],
        lang: languages[at % 4].map(str::to_owned),
    });
    Record {
        id,
        kind: Kind { role, category: "place".into(), r#type: format!("{role:?}") },
        names: names.collect(),
        codes: vec![],
        position,
        parent,
        country: *b"FR",
        importance: 1.0 / (1.0 + id as f64 / 10.0),
        extent_m: 3_000.0,
        bounds: None,
    }
}

/// Creates a gazetteer with data for every section but borders and land, which are large.
fn small() -> Gazetteer {
    let mut france = place(1, Role::Country, &["France", "France", "Frankreich"], at(47.0, 2.0), None);
    france.codes = vec![code(CodeScheme::Iso2, "FR"), code(CodeScheme::Iso3, "FRA")];
    france.bounds = Some(Bounds { south: 42.0, north: 51.0, west: -5.0, east: 8.0 });
    let mut places = vec![
        france,
        place(2, Role::State, &["Île-de-France", "Ile de France"], at(48.5, 2.5), Some(1)),
        place(3, Role::County, &["Paris"], at(48.8, 2.3), Some(2)),
        place(4, Role::City, &["Paris", "Parigi", "Paname", "Lutetia"], at(48.85, 2.35), Some(3)),
        place(5, Role::Quarter, &["Le Marais", "Marais"], at(48.86, 2.36), Some(4)),
        place(
            6,
            Role::Landmark,
            &["Tour Eiffel", "Eiffel Tower", "Eiffelturm", "艾菲爾鐵塔"],
            at(48.858, 2.294),
            Some(4),
        ),
    ];
    let mut airport = place(7, Role::Airport, &["Charles de Gaulle", "Roissy"], at(49.01, 2.55), Some(1));
    airport.codes = vec![code(CodeScheme::Iata, "CDG"), code(CodeScheme::Icao, "LFPG")];
    places.push(airport);
    for id in 8..90 {
        let name = format!("{}{}", ["Saint-", "Mont", "Paris ", "Bois", "Roissy "][id as usize % 5], id % 31);
        let role = if id % 3 == 0 { Role::Station } else { Role::City };
        places.push(place(id, role, &[&name, "Москва", "Par"], at(40.0 + id as f64 / 9.0, id as f64 / 7.0), Some(2)));
    }
    Gazetteer {
        places,
        about: About { title: "test".into(), ..About::default() },
        lexicon: Lexicon {
            kinds: vec![("airport".into(), vec![Role::Airport]), ("gare".into(), vec![Role::Station])],
            fillers: vec!["de".into(), "of".into()],
            types: Vec::new(),
        },
        capitals: vec![Capital { area: 1, city: 4 }],
        facts: facts(),
        transliteration: vec![('а', "a".into()), ('и', "i".into()), ('п', "p".into()), ('р', "r".into())],
        spellings: spellings(),
        ..Gazetteer::default()
    }
}

fn code(scheme: CodeScheme, text: &str) -> Code {
    Code { scheme, text: text.into() }
}

/// Creates spellings of the letters of `فرساي`, of which one depends on what stands beside it.
fn spellings() -> Vec<Spellings> {
    vec![
        spellings_of('ا', Beside::Anything, &[(5, "a"), (40, "")]),
        spellings_of('ر', Beside::Anything, &[(2, "r"), (30, "ri")]),
        spellings_of('س', Beside::Anything, &[(4, "s")]),
        spellings_of('ف', Beside::Anything, &[(9, "p"), (12, "v")]),
        spellings_of('ف', Beside::After(' '), &[(3, "p")]),
        spellings_of('ي', Beside::Anything, &[(8, "i"), (20, "y"), (30, "")]),
    ]
}

fn spellings_of(letter: char, beside: Beside, all: &[(u8, &str)]) -> Spellings {
    Spellings { letter, beside, all: all.iter().map(|&(cost, latin)| Spelling { cost, latin: latin.into() }).collect() }
}

/// Creates facts of half of the places, with several time zones in the country.
fn facts() -> Vec<PlaceFacts> {
    (1..45)
        .map(|place| PlaceFacts {
            place,
            population: Some(1_000 * place as u32),
            time_zone: (!place.is_multiple_of(3)).then(|| format!("Europe/Zone_{}", place % 5).into()),
            codes: match place {
                1 => vec![Code { scheme: CodeScheme::Iso2, text: "FR".into() }],
                2 => vec![Code { scheme: CodeScheme::State, text: "75C".into() }],
                7 => [(CodeScheme::Iata, "CDG"), (CodeScheme::Icao, "LFPG")]
                    .map(|(scheme, text)| Code { scheme, text: text.into() })
                    .to_vec(),
                _ => vec![],
            },
        })
        .collect()
}

/// Creates a gazetteer like [`small`] with land and with borders that share a cell.
fn large() -> Gazetteer {
    let mut land = LandGrid::empty();
    (0..LandGrid::ROWS).for_each(|row| (0..LandGrid::COLUMNS).for_each(|column| land.mark(row, column)));
    let borders = vec![
        border_of_country(b"FR", ring_of_square(40.3, -5.0, 11.0)),
        border_of_country(b"DE", ring_of_square(40.3, 6.0, 8.0)),
        border_of_state(2, ring_of_square(41.0, 2.0, 7.3)),
        border_of_state(3, ring_of_square(48.3, 2.0, 5.0)),
    ];
    Gazetteer { borders, land, ..small() }
}

fn ring_of_square(south: f64, west: f64, size: f64) -> Vec<Coordinate> {
    let corners = [(0.0, 0.0), (0.0, size), (size, size), (size, 0.0), (0.0, 0.0)];
    corners.map(|(y, x)| at(south + y, west + x)).to_vec()
}

fn border_of_country(country: &[u8; 2], ring: Vec<Coordinate>) -> Border {
    Border { of: Bordered::Country(*country), rings: vec![ring] }
}

fn border_of_state(id: u64, ring: Vec<Coordinate>) -> Border {
    Border { of: Bordered::State(id), rings: vec![ring] }
}

/// Creates a gazetteer with land and borders, and without places.
fn without_places() -> Gazetteer {
    let Gazetteer { borders, land, lexicon, about, .. } = large();
    Gazetteer { borders, land, lexicon, about, ..Gazetteer::default() }
}

fn query_everything(engine: &Engine) {
    let texts = [
        "paris",
        "par",
        "Saint 12",
        "CDG",
        "airport paris",
        "eifel tower",
        "mont 3, france",
        "париж",
        "فاريس",
        "Москва",
        "q",
        "",
        "le marais paris ile de france",
        "gare roissy 5",
        "7",
        "zzzzzzzz",
        "lutetai",
    ];
    let countries = [*b"FR"];
    for (number, text) in texts.into_iter().enumerate() {
        let lang = [None, Some("de"), Some("zh-Hant-TW")][number % 3];
        let focus = (number % 2 == 0).then(|| at(48.0, 2.0));
        let countries = if number % 4 == 0 { countries.as_slice() } else { &[] };
        let filter = Filter::in_countries(countries);
        let facts = FactSet::ALL;
        let search = Search { lang, focus, filter, facts, ..Search::new(text, 10) };
        engine.forward(&search);
        engine.autocomplete(&search);
    }
    engine.explain_forward(&Search::new("paris", 5));
    engine.batch(&["roissy, france", ""]);
    let points =
        [(48.86, 2.34), (48.858, 2.294), (49.01, 2.55), (0.0, -30.0), (41.0, 6.0), (67.0, 180.0), (-90.0, 5.0)];
    for (lat, lon) in points {
        engine.reverse(at(lat, lon), Shown { lang: Some("de"), facts: FactSet::ALL });
        engine.country_at(at(lat, lon));
    }
    let cells = (40..52).flat_map(|lat| (-6..15).map(move |lon| at(f64::from(lat) + 0.25, f64::from(lon) + 0.75)));
    cells.for_each(|point| {
        engine.country_at(point);
    });
    engine.capital(*b"FR");
    engine.coverage();
    let _ = format!("{:?}", engine.about());
}

/// Fixes length and checksum in the frame of `bytes`.
fn seal(bytes: &mut [u8]) {
    let length = bytes.len() as u64;
    if bytes.len() >= FRAME {
        bytes[16..24].copy_from_slice(&length.to_le_bytes());
        let checksum = xxh3_64(&bytes[FRAME..]);
        bytes[24..32].copy_from_slice(&checksum.to_le_bytes());
    }
}

/// Fixes the frame and checksum of `bytes`, opens them with and without trust, and runs all queries. Whether they open.
fn forge(mut bytes: Vec<u8>) -> bool {
    seal(&mut bytes);
    let bytes = Bytes::from(bytes);
    let opened = Engine::open(bytes.clone());
    let trusted = Engine::open_trusted(bytes);
    assert_eq!(opened.is_ok(), trusted.is_ok(), "both find all errors but the checksum");
    opened.iter().for_each(query_everything);
    opened.is_ok()
}

/// Fixes `bytes` like [`forge`], and runs all queries on them before and behind a sound index. Tells whether they open.
fn forge_beside(sound: &Bytes, mut bytes: Vec<u8>) -> bool {
    seal(&mut bytes);
    let bytes = Bytes::from(bytes);
    for is_first in [false, true] {
        let sound = Engine::open_trusted(sound.clone()).expect("the index is whole");
        let Ok(forged) = Engine::open_trusted(bytes.clone()) else { return false };
        let [mut first, second] = if is_first { [forged, sound] } else { [sound, forged] };
        first.join(second);
        query_everything(&first);
    }
    true
}

const FRAME: usize = 32;

/// Returns the byte ranges of the parts of an index (the header and sections) whose names start with `prefix`.
fn parts(file: &Bytes, prefix: &str) -> Vec<Range<usize>> {
    let parts = sections(file.clone()).expect("the index is whole");
    let range = |part: &Bytes| {
        let start = part.as_ptr() as usize - file.as_ptr() as usize;
        start.max(FRAME)..start + part.len()
    };
    let named = parts.iter().filter(|(name, part)| name.starts_with(prefix) && !part.is_empty());
    named.map(|(_, part)| range(part)).collect()
}

/// Values that are likely to be out of range as a length, an offset or a number.
const ODD: [u32; 12] =
    [0, 1, 2, 0x7f, 0xff, 0xffff, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0xffff_fffe, 0xffff_ffff, 0x0fff_ffff];

fn damage(bytes: &mut [u8], parts: &[Range<usize>], rng: &mut Rng) {
    let part = &parts[rng.usize(0..parts.len())];
    // The large sections are mostly zeros, which are never read.
    let at = (0..1_000).map(|_| rng.usize(part.clone())).find(|&at| bytes[at] != 0).unwrap_or(part.start);
    match rng.u8(0..4) {
        0 => bytes[at] ^= 1 << rng.u8(0..8),
        1 => bytes[at] = rng.u8(..),
        2 => {
            let value = ODD[rng.usize(0..ODD.len())].to_le_bytes();
            let at = at - (at - part.start) % 4;
            let end = (at + 4).min(part.end);
            bytes[at..end].copy_from_slice(&value[..end - at]);
        }
        // Copy one piece of the part over another.
        _ => {
            let length = rng.usize(1..=16.min(part.len()));
            let [from, to] = [(); 2].map(|()| rng.usize(part.start..=part.end - length));
            bytes.copy_within(from..from + length, to);
        }
    }
}

fn check_damaged(gazetteer: &Gazetteer, prefix: &str, seed: u64, times: usize, forge: impl Fn(Vec<u8>) -> bool) {
    let whole = Bytes::from(index::write(gazetteer).expect("the gazetteer is sound"));
    let parts = parts(&whole, prefix);
    let mut rng = Rng::with_seed(seed);
    assert!(forge(whole.to_vec()), "the whole index opens");
    let mut opened = 0;
    for _ in 0..times {
        let mut bytes = whole.to_vec();
        (0..rng.usize(1..6)).for_each(|_| damage(&mut bytes, &parts, &mut rng));
        opened += usize::from(forge(bytes));
    }
    assert!(opened > times / 4, "too few damaged files open: {opened} of {times}");
}

#[test]
fn damage_is_answered() {
    check_damaged(&small(), "", 13, 5_000, forge);
}

#[test]
fn damaged_borders_are_answered() {
    check_damaged(&large(), "border", 14, 500, forge);
}

/// Damages an index beside a sound one, which has most of the same places.
#[test]
fn damage_beside_a_sound_index_is_answered() {
    let sound = Bytes::from(index::write(&small()).expect("the gazetteer is sound"));
    check_damaged(&small(), "", 16, 1_000, |bytes| forge_beside(&sound, bytes));
}

#[test]
fn damage_of_an_index_without_places_is_answered() {
    check_damaged(&without_places(), "", 17, 300, forge);
}

#[test]
fn what_is_cut_off_is_answered() {
    let whole = index::write(&small()).expect("the gazetteer is sound");
    let mut rng = Rng::with_seed(15);
    for _ in 0..2_000 {
        let mut bytes = whole[..rng.usize(0..whole.len())].to_vec();
        forge(bytes.clone());
        bytes.resize(whole.len(), rng.u8(..));
        forge(bytes);
    }
}
