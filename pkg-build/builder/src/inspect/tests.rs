//! Tests with a valid index, and copies of it with one fault each.

use toponym_engine::geo::{Bounds, Coordinate};
use toponym_engine::{
    About, Beside, Border, Bordered, Capital, Code, CodeScheme, Gazetteer, Kind, Lexicon, Name, NameClass, Record,
    Role, Spelling, Spellings, index,
};
use xxhash_rust::xxh3::xxh3_64;

use super::*;

/// Position of the checksum in the frame. The bytes after it are covered.
const CHECKSUM: std::ops::Range<usize> = 24..32;

fn place(id: u64, role: Role, names: &[&str], parent: Option<u64>) -> Record {
    let lang = |index: usize| (index == 1).then(|| "fr".to_owned());
    let name = |(index, text): (usize, &&str)| Name {
        text: (*text).to_owned(),
        class: if index == 0 { NameClass::Primary } else { NameClass::Other },
        lang: lang(index),
    };
    Record {
        id,
        kind: Kind { role, category: "place".into(), r#type: format!("{role:?}").to_lowercase() },
        names: names.iter().enumerate().map(name).collect(),
        codes: if role == Role::Airport { vec![Code { scheme: CodeScheme::Iata, text: "ABC".into() }] } else { vec![] },
        // The id number without its namespace.
        position: at(10.5, 20.25 + f64::from(id as u16) / 10.0),
        parent,
        country: *b"AA",
        importance: 0.5,
        extent_m: 5_000.0,
        bounds: (id == 1).then_some(Bounds { south: 10.0, north: 11.0, west: 20.0, east: 21.0 }),
    }
}

fn at(lat: f64, lon: f64) -> Coordinate {
    Coordinate::new(lat, lon).expect("a test coordinate is in range")
}

fn file() -> Vec<u8> {
    let ring = [(10.0, 20.0), (10.0, 23.0), (12.5, 21.5), (10.0, 20.0)].map(|(lat, lon)| at(lat, lon));
    let gazetteer = Gazetteer {
        places: vec![
            place(1, Role::Country, &["Land", "Pays"], None),
            place(2, Role::City, &["Stad", "Ville"], Some(1)),
            place(3, Role::City, &["Stad"], Some(1)),
            place((3 << 48) + 4, Role::Airport, &["Luchthaven"], Some(2)),
        ],
        about: About { title: "test".into(), ..About::default() },
        lexicon: Lexicon {
            kinds: vec![("town".into(), vec![Role::City])],
            fillers: vec!["of".into()],
            types: Vec::new(),
        },
        borders: vec![
            Border { of: Bordered::Country(*b"AA"), rings: vec![ring.to_vec()] },
            Border { of: Bordered::State(1), rings: vec![ring.to_vec()] },
        ],
        transliteration: vec![('ж', "zh".into())],
        spellings: vec![Spellings {
            letter: 'ж',
            beside: Beside::Anything,
            all: vec![Spelling { cost: 3, latin: "zh".into() }],
        }],
        capitals: vec![Capital { area: 1, city: 2 }],
        ..Gazetteer::default()
    };
    index::write(&gazetteer).expect("the gazetteer is valid")
}

fn open(file: Vec<u8>) -> Contents {
    Contents::open(file).expect("it is an index")
}

/// Returns the faults after `change` is applied to a section and the checksum is updated.
fn faults_with(section: &str, change: fn(&mut [u8])) -> Vec<String> {
    let mut file = file();
    let index = open(file.clone());
    let mut start = 0;
    for (name, bytes) in index.sections() {
        if *name == section {
            change(&mut file[start..start + bytes.len()]);
        }
        start += bytes.len().next_multiple_of(8);
    }
    let checksum = xxh3_64(&file[CHECKSUM.end..]);
    file[CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
    verify(&open(file)).lines().collect()
}

#[test]
fn a_valid_index_has_no_faults() {
    let faults = verify(&open(file()));
    assert!(faults.is_empty(), "{:?}", faults.lines().collect::<Vec<_>>());
}

#[test]
fn each_fault_is_reported() {
    // Rows: 2 and 3, the airport, the country.
    check_fault(
        "latitude",
        |bytes| bytes[..4].copy_from_slice(&9_100_000i32.to_le_bytes()),
        "position out of range: 1 (place",
    );
    check_fault("latitude", |bytes| bytes[..4].copy_from_slice(&0i32.to_le_bytes()), "place outside its tile");
    check_fault(
        "latitude",
        |bytes| bytes[12..16].copy_from_slice(&0i32.to_le_bytes()),
        "bounds that do not hold the centre: 1 (place 1 \"Land\"",
    );
    check_fault("id", |bytes| bytes.copy_within(0..8, 8), "place id that is there twice");
    check_fault("id", |bytes| bytes[..8].fill(0), "place id out of range");
    check_fault("kind", |bytes| bytes.swap(0, 3), "kind that does not belong among its rows");
    check_fault("kind", |bytes| bytes[0] = 77, "kind that does not belong among its rows");
    check_fault("country", |bytes| bytes[0] = 9, "country that is not in the list");
    check_fault("parent", |bytes| bytes[0] = 2, "parent that is not a larger place");
    check_fault("parent", |bytes| bytes[0] = 200, "parent that is not there");
    check_fault("display name", |bytes| bytes[0] = 200, "display name that cannot be read");
    check_fault("text", |bytes| bytes[1] = 0xff, "display name that cannot be read");
    check_fault("text", |bytes| bytes[1] = b'Z', "place that its display name does not find");
    check_fault("bounds rows", |bytes| bytes[0] = 99, "bounds of a row that is not there");
    check_fault("bounds", |bytes| bytes[..4].copy_from_slice(&1_200_000i32.to_le_bytes()), "bounds out of range");
    check_fault("names", |bytes| bytes.fill(0xee), "fst that cannot be read: 1 (names)");
    check_fault(
        "postings",
        |bytes| bytes[..4].copy_from_slice(&0x0fff_ffffu32.to_le_bytes()),
        "name of a place that is not there",
    );
    check_fault(
        "postings",
        |bytes| bytes[..4].copy_from_slice(&u32::MAX.to_le_bytes()),
        "name whose places lie outside the file",
    );
    check_fault("posting lists", |bytes| bytes[0] = 0xff, "name whose places lie outside the file");
    check_fault("names", swap_two_numbers, "name that is not numbered as the alphabet has it: 2");
    check_fault("name costs", |bytes| bytes[0] ^= 1, "cost of a name that is not that of its cheapest place");
    check_fault("capital areas", |bytes| bytes[0] = 0, "capital that is not a city of an area: 1 (place 2");
    check_fault("capitals", |bytes| bytes[0] = 77, "capital that is not a city of an area");
    check_fault("importance", |bytes| bytes[..2].fill(0), "not in order of cost");
    check_fault("codes", |bytes| bytes.fill(0xee), "fst that cannot be read: 1 (codes)");
    check_fault(
        "populated tiles",
        |bytes| bytes[12..16].copy_from_slice(&(-1f32).to_le_bytes()),
        "place outside its tile",
    );
    check_fault("translation rows", |bytes| bytes[..4].fill(0x7f), "translation");
    check_fault("translations", |bytes| bytes[0] = 0xff, "translation that cannot be read");
    check_fault("border vertices", |bytes| bytes[..4].fill(0x7f), "vertex of a border out of range");
    check_fault(
        "border cells",
        |bytes| bytes.iter_mut().find(|byte| **byte != 0).into_iter().for_each(|byte| *byte = 0xfe),
        "border",
    );
    check_fault("border states", |bytes| bytes[0] = 0x7f, "border of a state that is not there");
    check_fault("border edges", |bytes| bytes[8..12].fill(0x7f), "edge of a border that is not there");
    check_fault("transliterated characters", |bytes| bytes[..4].fill(0xff), "letter that cannot be read");
    check_fault("spelled letters", |bytes| bytes.fill(0xff), "spelled letter that cannot be read");
    check_fault("spelling starts", |bytes| bytes.fill(0x7f), "spelled letter that cannot be read");
    check_fault("spellings", |bytes| bytes[1] = 9, "spelled letter that cannot be read");
    check_fault("spellings", |bytes| bytes[2] = b'Z', "spelled letter that cannot be read");
}

fn check_fault(section: &str, change: fn(&mut [u8]), expect: &str) {
    let faults = faults_with(section, change);
    assert!(faults.iter().any(|line| line.contains(expect)), "no {expect:?} in {faults:?}");
}

/// Swaps the numbers of the first two names.
fn swap_two_numbers(names: &mut [u8]) {
    let map = fst::Map::new(names.to_vec()).expect("it is an fst");
    let mut numbers: Vec<u64> = map.stream().into_values();
    numbers.swap(0, 1);
    let swapped = fst::Map::from_iter(map.stream().into_str_keys().expect("names are text").into_iter().zip(numbers));
    names.copy_from_slice(swapped.expect("names are sorted").as_fst().as_bytes());
}

#[test]
fn damaged_files_are_rejected() {
    check_damage(|file| file[0] = 0, "not a Toponym index");
    check_damage(|file| file[8] = 99, "format version 99");
    check_damage(|file| file.truncate(100), "should have");
    check_damage(|file| *file.last_mut().expect("it is not empty") ^= 1, "checksum differs");
    check_damage(|file| file[40] ^= 0xff, "checksum differs");
}

fn check_damage(change: fn(&mut Vec<u8>), expect: &str) {
    let mut file = file();
    change(&mut file);
    let message = Contents::open(file).err().expect("it is damaged").to_string();
    assert!(message.contains(expect), "no {expect:?} in {message:?}");
}

#[test]
fn facts_about_a_place() {
    let index = open(file());
    let row = index.row_of(2).expect("it is there");
    let city = facts(&index, row).expect("it is whole");
    assert_eq!(
        (city.id, city.source, city.display_name.as_str(), city.country.as_str()),
        (2, "GeoNames", "Stad", "AA")
    );
    assert_eq!(city.names, [("stad".to_owned(), NameClass::Primary), ("ville".to_owned(), NameClass::Other)]);
    assert_eq!(city.translations, [("fr".to_owned(), "Ville".to_owned())]);
    assert_eq!(city.parents, [(1, "Land".to_owned())]);
    assert_eq!(city.bounds, None);
    assert_eq!((city.capital.clone(), city.capital_of.clone()), (None, vec![(1, "Land".to_owned())]));
    let airport = facts(&index, index.row_of((3 << 48) + 4).expect("it is there")).expect("it is whole");
    assert_eq!(
        (airport.source, airport.codes.as_slice()),
        ("airports", [(CodeScheme::Iata, "ABC".to_owned())].as_slice())
    );
    assert_eq!(airport.parents.len(), 2);
    let country = facts(&index, index.row_of(1).expect("it is there")).expect("it is whole");
    assert_eq!(country.capital, Some((2, "Stad".to_owned())));
    assert_eq!(country.bounds.map(|bounds| bounds.north), Some(11.0));
    assert_eq!(index.row_of(77), None);
    assert_eq!(facts(&index, 77), None);
}

#[test]
fn what_an_index_holds() {
    let index = open(file());
    let kinds: Vec<_> = kinds(&index).into_iter().map(|count| (count.kind.r#type, count.places)).collect();
    assert_eq!(kinds, [("country".to_owned(), 1), ("city".to_owned(), 2), ("airport".to_owned(), 1)]);
    assert_eq!(countries(&index), [("AA".to_owned(), [2, 1, 1])]);
    assert_eq!(scripts(&index), [("Latin", 5)]);
    let sizes = section_sizes(&index);
    assert_eq!(sizes[0].name, "header");
    let total: usize = sizes.iter().map(|size| size.bytes.next_multiple_of(8)).sum();
    assert_eq!(total, file().len());
    assert!(sizes.iter().all(|size| size.gzip > 0));
}
