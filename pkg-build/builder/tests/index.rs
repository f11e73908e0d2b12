//! Checks that the built index is valid and has no junk names.

use std::path::Path;

use toponym_builder::inspect::{Contents, facts, verify};
use toponym_builder::receipt::{Receipt, Recipe, digest_of};
use toponym_engine::{Engine, NameClass, Search};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn index() -> Contents {
    let file =
        std::fs::read(Path::new(ROOT).join("build/index.toponym")).expect("`cargo toponym index` has built the index");
    Contents::open(file).expect("it is an index")
}

/// Checks that the same inputs give the same bytes on every machine, so a change of the index shows in the diff of the
/// snapshot.
#[test]
fn the_default_index_matches_its_snapshot() {
    let path = Path::new(ROOT).join("build/index.toponym");
    if Receipt::beside(&path).is_some_and(|receipt| receipt.recipe != Recipe::default()) {
        eprintln!("not compared: {} was built with arguments", path.display());
        return;
    }
    let found = format!("{}\n", digest_of(&std::fs::read(&path).expect("`cargo toponym index` has built the index")));
    let snapshot = Path::new(ROOT).join("tests/snapshots/index.txt");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&snapshot, found).expect("the snapshot can be written");
    } else {
        let expect = std::fs::read_to_string(&snapshot).expect("there is a snapshot");
        let advice = "`cargo toponym index --if-stale` brings it up to date, UPDATE_EXPECT=1 renews the snapshot";
        assert_eq!(found, expect, "XXH3 of build/index.toponym; {advice}");
    }
}

#[test]
fn the_index_is_valid() {
    let faults = verify(&index());
    assert!(faults.is_empty(), "{}", faults.lines().collect::<Vec<_>>().join("\n"));
}

/// The sources write these differently: "Ile de France", "00", names with surrounding spaces.
#[test]
fn names_are_clean() {
    let index = index();
    let engine = Engine::open(index.file()).expect("it is an index");
    let check = |query: &str, expect: &str| {
        let found = engine.forward(&Search::new(query, 1));
        assert_eq!(found[0].display_name, expect, "{query:?}");
    };
    check("Île-de-France", "Île-de-France, France");
    check("Ile de France", "Île-de-France, France");
    check("Ain", "Ain, Auvergne-Rhône-Alpes, France");
    for row in 0..index.rows() {
        let name = index.display_name(row).expect("the index is valid");
        assert!(name != "00" && name.trim() == name && !name.is_empty(), "{name:?}");
    }
}

/// Machine transliterations, single characters and descriptions are not names of a city.
#[test]
fn junk_is_not_a_name() {
    let index = index();
    let moscow = facts(&index, index.row_of(524_901).expect("the city is there")).expect("the index is valid");
    for junk in ["moseukeuba", "mo si ke"] {
        assert!(!moscow.names.iter().any(|(name, _)| name == junk), "Moscow is called {junk:?}");
    }
    assert!(moscow.names.iter().all(|(name, _)| (2..=60).contains(&name.chars().count())), "{:?}", moscow.names);
    assert_eq!(moscow.names[0].1, NameClass::Primary);
}
