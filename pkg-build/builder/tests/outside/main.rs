//! Compares the data with sources that it was not made from, and the borders with each other.
//!
//! Each measure has a share and a floor in the code. The snapshot `tests/snapshots/data.txt` has the shares and what differs
//! most, so that a change of the data shows in the diff; renewing it cannot bless a loss. After an intended change run
//! `UPDATE_EXPECT=1 cargo test --test outside` and check the diff.
//!
//! The snapshot `tests/snapshots/languages.txt` has, by language, the share of countries and states with a name in it.
//!
//! The packages are those of `data/sources.toml`; `yardstick` are fetched by this test alone.

mod airports;
mod borders;
mod capitals;
mod curated;
mod geonames;
mod languages;
mod measure;
mod packages;
mod time_zones;
mod twice;
mod world;

use std::path::Path;

use expect_test::expect_file;

use measure::Measure;
use packages::Packages;
use world::World;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

#[test]
fn the_data_agree_with_other_sources() {
    let packages = Packages::new(Path::new(ROOT));
    let world = World::read(Path::new(ROOT), &packages);
    let measures: Vec<Measure> = [
        airports::measures(&world, &packages),
        capitals::measures(&world, &packages),
        borders::measures(&world),
        curated::measures(&world, &packages),
        twice::measures(&world),
        time_zones::measures(&world, &packages),
    ]
    .into_iter()
    .flatten()
    .collect();
    let table = measure::table(&measures);
    expect_file![concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/snapshots/data.txt")].assert_eq(&table);
    let below: Vec<String> = measures.iter().filter_map(Measure::below_floor).collect();
    assert!(below.is_empty(), "below their floors:\n{}", below.join("\n"));
}

#[test]
fn countries_and_states_have_translated_names() {
    let packages = Packages::new(Path::new(ROOT));
    let bytes = std::fs::read(Path::new(ROOT).join("build/index.toponym")).expect("run `cargo toponym index` first");
    let engine = toponym_engine::Engine::open(bytes).expect("the index is whole");
    let (table, below) = languages::table(&engine, &packages);
    expect_file![concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/snapshots/languages.txt")].assert_eq(&table);
    assert!(below.is_empty(), "below their floors:\n{}", below.join("\n"));
}
