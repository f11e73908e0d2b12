//! Compares the searches of an index with brute force, on random gazetteers with fixed seeds.

use fastrand::Rng;

use super::format::{self, Header, SECTIONS, Section};
use super::{Index, Layer, write};
use crate::geo::Coordinate;
use crate::query::{Mode, Search};
use crate::record::{Code, CodeScheme, Gazetteer, Kind, Name, NameClass, Record, Role};
use crate::reverse;
use crate::search::candidates;

/// Number of random points that are looked up.
pub(super) const POINTS: usize = 100_000;

/// Creates places with short pronounceable names, so that many share prefixes or differ by few edits; many near the
/// date line and the poles.
pub(super) fn gazetteer(rng: &mut Rng, size: usize) -> Gazetteer {
    let places = (1..=size as u64)
        .map(|id| Record {
            id,
            kind: Kind { role: Role::City, category: "place".into(), r#type: "town".into() },
            names: (0..rng.usize(1..4)).map(|_| Name { text: word(rng), class: class(rng), lang: None }).collect(),
            codes: vec![],
            position: position(rng),
            parent: None,
            country: *b"XX",
            importance: rng.f64(),
            extent_m: 1_000.0,
            bounds: None,
        })
        .collect();
    Gazetteer { places, ..Gazetteer::default() }
}

pub(super) fn word(rng: &mut Rng) -> String {
    const SYLLABLES: [&str; 14] =
        ["ka", "ro", "min", "so", "te", "lu", "an", "st", "par", "is", "нов", "ó", "თბ", "市"];
    (0..rng.usize(1..5)).map(|_| SYLLABLES[rng.usize(0..SYLLABLES.len())]).collect()
}

fn class(rng: &mut Rng) -> NameClass {
    [NameClass::Primary, NameClass::English, NameClass::Other, NameClass::Weak][rng.usize(0..4)]
}

/// Creates a position: uniform on the sphere, with more near the date line and the poles, where plane geometry fails.
pub(super) fn position(rng: &mut Rng) -> Coordinate {
    let lat = (rng.f64() * 2.0 - 1.0).asin().to_degrees();
    let lon = rng.f64() * 360.0 - 180.0;
    let (lat, lon) = match rng.u8(0..10) {
        0 => (lat, 180.0 - rng.f64() * 0.5),
        1 => (lat, -180.0 + rng.f64() * 0.5),
        2 => (90.0 - rng.f64(), lon),
        3 => (-90.0 + rng.f64(), lon),
        _ => (lat, lon),
    };
    Coordinate::new(round_as_stored(lat), round_as_stored(lon)).expect("generated in range")
}

pub(super) fn open(gazetteer: &Gazetteer) -> Index {
    Index::open(write(gazetteer).expect("the gazetteer is sound").into()).expect("the index is whole")
}

pub(super) fn round_as_stored(degrees: f64) -> f64 {
    (degrees * 1e5).round() / 1e5
}

/// Checks a file with more rows than are listed by id: areas are found in the runs of their roles, others by a look at all.
#[test]
fn ids_find_rows_in_a_large_file() {
    const PLACES: u64 = 70_000;
    let roles = [Role::City, Role::Landmark, Role::Postcode, Role::Region, Role::County, Role::State, Role::Country];
    let mut rng = Rng::with_seed(21);
    let places: Vec<Record> = (1..=PLACES)
        .map(|id| {
            // Every role has ids from everywhere, and countries are few.
            let at = rng.usize(0..roles.len());
            let role = if at + 1 == roles.len() && !id.is_multiple_of(100) { Role::City } else { roles[at] };
            Record {
                id: 3 * id,
                kind: Kind { role, category: "place".into(), r#type: format!("{role:?}") },
                names: vec![Name { text: "Place".into(), class: NameClass::Primary, lang: None }],
                codes: vec![],
                position: position(&mut rng),
                parent: None,
                country: *b"XX",
                importance: 0.5,
                extent_m: 1_000.0,
                bounds: None,
            }
        })
        .collect();
    let index = open(&Gazetteer { places, ..Gazetteer::default() });
    let file = index.segment(0).file;
    let areas = file.header.layer(Layer::Areas);
    for row in areas.clone().chain((0..areas.start).step_by(97)) {
        assert_eq!(file.places.row_of(file.places.id(row)), Some(row));
    }
    assert!(areas.len() > 10_000 && [0, 1, 3 * PLACES + 1].iter().all(|&id| file.places.row_of(id).is_none()));
}

/// Checks a forged file: its header has no places, kinds or countries, and its other sections are those of places.
#[test]
fn names_and_codes_without_places_are_ignored() {
    let mut of_places = gazetteer(&mut Rng::with_seed(11), 300);
    for place in &mut of_places.places {
        place.codes = vec![Code { scheme: CodeScheme::Iata, text: "CDG".to_owned() }];
    }
    let whole = bytes::Bytes::from(write(&of_places).expect("it is sound"));
    let (header, _) = format::open(whole.clone()).expect("the index is whole");
    // Without the header, which comes first.
    let sections = format::sections(whole).expect("the index is whole").split_off(1);
    let of_rows = [
        Section::Latitude,
        Section::Longitude,
        Section::Importance,
        Section::Kind,
        Section::Country,
        Section::Parent,
        Section::Id,
        Section::Extent,
        Section::DisplayName,
        Section::PopulatedTiles,
        Section::SiteTiles,
    ];
    let kept: [Vec<u8>; SECTIONS.len()] = std::array::from_fn(|number| {
        let is_empty = of_rows.iter().any(|&of_rows| of_rows as usize == number);
        if is_empty { Vec::new() } else { sections[number].1.to_vec() }
    });
    let header = Header { populated: 0, sites: 0, areas: 0, kinds: Vec::new(), countries: Vec::new(), ..header };
    let bytes = format::assemble(header, kept).expect("it fits");
    let index = Index::open(bytes.into()).expect("no section contradicts the header");
    let texts = of_places.places.iter().flat_map(|place| &place.names).map(|name| name.text.as_str());
    for text in texts.chain(["cdg", "airport cdg", "ka", "karominso"]) {
        for mode in [Mode::Forward, Mode::Autocomplete] {
            assert!(candidates(&index, &Search::new(text, 5), mode).is_empty(), "{text}");
        }
    }
    assert!(reverse::place_at(&index, Coordinate { lat: 0.0, lon: 0.0 }).is_none());
}

/// Checks half-width kana, letters with marks behind them, and capitals: a table has one form of each.
#[test]
fn every_form_of_a_text_is_transliterated() {
    let transliteration = [('й', "j"), ('ガ', "ga")].map(|(letter, latin)| (letter, latin.to_owned())).to_vec();
    let file = write(&Gazetteer { transliteration, ..Gazetteer::default() }).expect("the gazetteer is sound");
    let index = Index::open(file.into()).expect("the index is whole");
    let check =
        |text: &str, expect: Option<&str>| assert_eq!(index.scripts().transliterate(text).as_deref(), expect, "{text}");
    check("й", Some("j"));
    check("Й", Some("j"));
    check("и\u{306}", Some("j"));
    check("ガ", Some("ga"));
    check("カ\u{3099}", Some("ga"));
    check("\u{ff76}\u{ff9e}", Some("ga"));
    check("Ulm", None);
}
