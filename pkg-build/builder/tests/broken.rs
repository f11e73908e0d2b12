//! Message of each file of `tests/broken` when it is added: the file, the line, the field, and what to do.
//! `UPDATE_EXPECT=1 cargo test --test broken` renews the table.

use std::fmt::Write;
use std::path::Path;

use expect_test::expect_file;
use toponym_builder::check::check;
use toponym_engine::geo::Coordinate;
use toponym_engine::{Gazetteer, Kind, Name, NameClass, Record, Role, index};

/// Writes an index that knows some countries.
fn countries() -> Vec<u8> {
    let places = [
        (2_077_456, *b"AU", "Australia", -25.0, 135.0),
        (3_017_382, *b"FR", "France", 46.6, 2.4),
        (1_861_060, *b"JP", "Japan", 35.7, 139.1),
    ];
    let places = places.map(country).to_vec();
    index::write(&Gazetteer { places, ..Gazetteer::default() }).expect("the gazetteer is valid")
}

fn country((id, code, name, lat, lon): (u64, [u8; 2], &str, f64, f64)) -> Record {
    Record {
        id,
        kind: Kind { role: Role::Country, category: "place".into(), r#type: "country".into() },
        names: vec![Name { text: name.into(), class: NameClass::Primary, lang: None }],
        codes: Vec::new(),
        position: Coordinate::new(lat, lon).expect("it is in range"),
        parent: None,
        country: code,
        importance: 0.9,
        extent_m: 500_000.0,
        bounds: None,
    }
}

#[test]
fn every_broken_file_says_what_to_do() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/broken"));
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let index = countries();
    let files = std::fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<_> = files.map(|entry| entry.expect("it can be read").path()).collect();
    files.retain(|path| path.extension().is_none_or(|end| end != "md"));
    files.sort();
    let mut table = String::from("| File | What it says |\n|---|---|\n");
    for path in files {
        let name = path.file_name().expect("it has a name").to_string_lossy().into_owned();
        let message = check(root, std::slice::from_ref(&path), index.clone());
        let message = message.expect_err(&name).to_string().replace(&*path.to_string_lossy(), "FILE");
        let message = message.replace("\n  ", "<br>").replace('\n', "<br>").replace('|', "\\|");
        writeln!(table, "| {name} | {message} |").expect("memory can be written");
    }
    expect_file!["broken/SAYS.md"].assert_eq(&table);
}
