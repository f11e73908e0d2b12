//! Checks the share-alike index of European stations, and that nothing of it is in the default index.

use std::collections::BTreeMap;
use std::path::Path;

use toponym_builder::inspect::{Contents, verify};
use toponym_engine::{Engine, Role};

/// Fewer stations than Trainline's list has in Europe, rounded down.
const FLOOR: usize = 20_000;

/// The least share of stations in the borders of their country: some at the end of a line lie across.
const IN_BORDERS: f64 = 0.995;

#[test]
#[ignore = "needs what `cargo toponym index --odbl-stations` builds; `cargo xtask test` runs it"]
fn the_stations_are_a_file_of_their_own() {
    let build = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../build");
    let read = |name: &str| {
        let path = build.join(name);
        let file = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Contents::open(file).expect("it is an index")
    };
    let stations = read("odbl-stations.toponym");
    let default = read("index.toponym");

    let faults = verify(&stations);
    assert!(faults.is_empty(), "{}", faults.lines().collect::<Vec<_>>().join("\n"));
    let mut roles: BTreeMap<Role, usize> = BTreeMap::new();
    (0..stations.rows()).filter_map(|row| stations.role(row)).for_each(|role| *roles.entry(role).or_default() += 1);
    assert!(roles[&Role::Station] >= FLOOR, "{roles:?}");
    let areas = [Role::Country, Role::State, Role::County, Role::City, Role::Quarter, Role::Station];
    assert!(roles.keys().all(|role| areas.contains(role)), "nothing but stations and what they lie in: {roles:?}");

    assert!(credits(&stations, "Trainline") && credits(&stations, "Open Database License"));
    assert!(
        !credits(&default, "Trainline") && !credits(&default, "Open Database"),
        "the default index is not share-alike"
    );

    let engine = Engine::open(default.file()).expect("it is an index");
    let rows: Vec<u32> = (0..stations.rows()).filter(|&row| stations.role(row) == Some(Role::Station)).collect();
    let is_in = |row: u32| Some(engine.country_at(stations.position(row)?)? == stations.country(row)?);
    let inside = rows.iter().filter(|&&row| is_in(row) == Some(true)).count();
    let share = inside as f64 / rows.len() as f64;
    assert!(share >= IN_BORDERS, "{inside} of {} stations lie in their country", rows.len());
}

fn credits(index: &Contents, text: &str) -> bool {
    index.about().attribution.iter().any(|line| line.contains(text))
}
