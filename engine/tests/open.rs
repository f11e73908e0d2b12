//! Opening an index: complete bytes work, damaged and truncated ones are errors. `hostile.rs` tests forged ones.

use toponym_engine::geo::Coordinate;
use toponym_engine::index::{self, MAGIC, OpenError};
use toponym_engine::{Border, Bordered, Engine, Gazetteer, Kind, Name, NameClass, Record, Role, Search};

fn bytes() -> Vec<u8> {
    let places = vec![place(1, "Paris", 48.8), place(2, "Lyon", 45.7), place(3, "Marseille", 43.3)];
    index::write(&Gazetteer { places, ..Gazetteer::default() }).expect("the records are sound")
}

fn place(id: u64, name: &str, lat: f64) -> Record {
    Record {
        id,
        kind: Kind { role: Role::City, category: "place".into(), r#type: "city".into() },
        names: vec![Name { text: name.into(), class: NameClass::Primary, lang: None }],
        codes: vec![],
        position: Coordinate::new(lat, 2.0).expect("in range"),
        parent: None,
        country: *b"FR",
        importance: 0.5,
        extent_m: 5_000.0,
        bounds: None,
    }
}

fn open() -> Engine {
    Engine::open(bytes()).expect("the index is whole")
}

fn query_everything(engine: &Engine) {
    engine.forward(&Search::new("paris", 50));
    engine.autocomplete(&Search::new("l", 10));
    engine.forward(&Search::new("marsielle", 5));
    engine.batch(&["lyon, france", ""]);
    engine.reverse(Coordinate::new(45.7, 2.0).expect("in range"), None);
}

#[test]
fn a_whole_index_opens() {
    query_everything(&open());
}

#[test]
fn an_index_without_places_knows_its_borders() {
    let corners = [(40.0, 0.0), (40.0, 5.0), (50.0, 5.0), (50.0, 0.0), (40.0, 0.0)];
    let border = Border { of: Bordered::Country(*b"FR"), rings: vec![corners.map(|(lat, lon)| at(lat, lon)).to_vec()] };
    let bytes = index::write(&Gazetteer { borders: vec![border], ..Gazetteer::default() });
    let engine = Engine::open(bytes.expect("borders need no places")).expect("the index is whole");
    query_everything(&engine);
    assert_eq!((engine.country_at(at(48.0, 2.0)), engine.country_at(at(10.0, 2.0))), (Some(*b"FR"), None));
    assert_eq!((engine.reverse(at(48.0, 2.0), None), engine.coverage()), (None, vec![]));
    // Nor does it hide the places of another.
    for swapped in [false, true] {
        let empty = index::write(&Gazetteer::default()).expect("nothing is sound");
        let empty = Engine::open(empty).expect("the index is whole");
        let [mut first, second] = if swapped { [empty, open()] } else { [open(), empty] };
        first.join(second);
        assert_eq!(first.forward(&Search::new("Lyon", 1))[0].place_id, 2);
        assert_eq!(first.reverse(at(45.7, 2.0), None).map(|place| place.place_id), Some(2));
    }
}

fn at(lat: f64, lon: f64) -> Coordinate {
    Coordinate::new(lat, lon).expect("in range")
}

#[test]
fn any_limit_is_answered() {
    let engine = open();
    for limit in [0, 1, 3, 1 << 60, usize::MAX - 1, usize::MAX] {
        let search = Search::new("paris", limit);
        let expected = usize::from(limit > 0);
        assert_eq!(
            (engine.forward(&search).len(), engine.autocomplete(&search).len()),
            (expected, expected),
            "{limit}"
        );
    }
}

#[test]
fn every_truncation_is_an_error() {
    let whole = bytes();
    for length in 0..whole.len() {
        assert!(Engine::open(whole[..length].to_vec()).is_err(), "{length} of {} bytes", whole.len());
    }
}

#[test]
fn every_flipped_byte_is_an_error() {
    let whole = bytes();
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x10;
        assert!(Engine::open(damaged).is_err(), "byte {at}");
    }
}

#[test]
fn errors_name_the_fault() {
    fn check(change: fn(&mut Vec<u8>), expect: OpenError) {
        let mut changed = bytes();
        change(&mut changed);
        assert_eq!(Engine::open(changed).err(), Some(expect));
    }
    check(|bytes| bytes[0] = b'X', OpenError::NotAnIndex);
    check(|bytes| bytes[8] = 99, OpenError::Version { found: 99 });
    check(|bytes| *bytes.last_mut().expect("not empty") ^= 1, OpenError::Damaged);
    check(|bytes| bytes.truncate(8), OpenError::Truncated { expected: 32, found: 8 });
    assert_eq!(Engine::open(MAGIC[..4].to_vec()).err(), Some(OpenError::NotAnIndex));
}
