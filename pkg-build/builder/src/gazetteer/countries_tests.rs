//! Checks what becomes of places of several countries, which are drafted one by one.

use std::collections::BTreeSet;
use std::sync::Arc;

use toponym_engine::coverage::Continent;
use toponym_engine::geo::{Bounds, Coordinate};
use toponym_engine::{Record, Role};

use super::import::areas::test_division;
use super::{Files, Inputs, Merged, Rows, merge, read, test_airport, test_files, test_merged, test_settlement};
use crate::feature::Feature;
use crate::sources::import::ImportFile;
use crate::sources::regions::Region;
use crate::sources::rows::{Airport, Country, Iso2, Settlement, Tagged};

/// Creates two countries, each with two cities in two states, a part of the first city, and an airport.
fn pinned_inputs() -> Inputs {
    let lands = [(*b"BE", 50.0), (*b"FR", 47.0)];
    let settlements = lands.iter().zip(0u64..).flat_map(|(&(country, lat), land)| {
        let of = move |number: u64, name: &str, lon: f64, feature: Feature, population: u64| Settlement {
            country,
            feature,
            admin1: if lon < 3.0 { "11".into() } else { "22".into() },
            ..test_settlement(10 + land * 10 + number, name, (lat, lon), population)
        };
        let names = [["Brussel", "Sint", "Gent"], ["Paris", "Luxembourg", "Lyon"]][land as usize];
        [
            of(1, names[0], 2.0, Feature::Capital, 2_000_000),
            of(2, names[1], 2.01, Feature::Section, 20_000),
            of(3, names[2], 4.0, Feature::FirstSeat, 300_000),
        ]
    });
    let mut inputs = Inputs {
        settlements: settlements.collect(),
        countries: [(b"BE", 1), (b"FR", 2)].map(country).into(),
        states: [("BE.11", 3), ("BE.22", 4), ("FR.11", 5), ("FR.22", 6)]
            .map(|(code, id)| test_division(code, &format!("State {id}"), id, &[]))
            .into(),
        airports: vec![
            Airport { iata: Some("PAR".into()), ..test_airport("LFPX", "Paris Field", (47.1, 2.1)) },
            Airport { country: *b"BE", iata: Some("BRU".into()), ..test_airport("EBXX", "Brussel", (50.1, 2.1)) },
        ],
        regions: vec![
            region("lake", "Grand Lake", &[*b"BE", *b"FR"]),
            region("sea", "State 3", &[*b"FR", *b"BE"]),
            region("hills", "Hills", &[*b"FR"]),
        ],
        ..Inputs::default()
    };
    let types = [
        ("lake", Role::Landmark),
        ("village", Role::City),
        ("quarter", Role::Quarter),
        ("museum", Role::Landmark),
        ("station", Role::Station),
        ("aerodrome", Role::Airport),
    ];
    Arc::make_mut(&mut inputs.tables).types = types.map(|(name, role)| (name.to_owned(), role)).into();
    inputs
}

fn country((iso2, id): (&Iso2, u64)) -> Country {
    Country {
        iso2: *iso2,
        iso3: String::from_utf8_lossy(iso2).into_owned(),
        id,
        name: format!("Land {id}"),
        capital: String::new(),
        area_km2: 100_000.0,
        population: 20_000_000,
        continent: Continent::Europe,
        languages: vec!["fr".into()],
    }
}

/// Creates a region around all places of [`pinned`].
fn region(slug: &str, name: &str, countries: &[Iso2]) -> Region {
    Region {
        slug: slug.into(),
        name: name.into(),
        names: vec![Tagged { text: format!("{name} (nl)"), lang: "nl".into() }],
        words: Vec::new(),
        countries: countries.to_vec(),
        category: "water".into(),
        r#type: "lake".into(),
        position: Coordinate::new(48.5, 3.0).expect("it is on the globe"),
        bounds: Bounds { south: 46.0, north: 51.0, west: 1.0, east: 5.0 },
        prominence: 2,
    }
}

/// Writes rows of all kinds: of known places, by name, id or code, and of others, of which some have one name.
fn own_file() -> String {
    const NAMES: [&str; 6] = ["Ville", "Paris", "Brussel", "Sint", "Älmé", "Gent"];
    const TYPES: [&str; 5] = ["village", "quarter", "museum", "station", "aerodrome"];
    let mut rng = fastrand::Rng::with_seed(3);
    let row = |at: usize| {
        let (land, lat) = if rng.bool() { ("FR", 47.0) } else { ("BE", 50.0) };
        // Some lie where a known place lies, and have its name.
        let spread = if rng.bool() { 0.01 } else { 1.0 };
        let lat = lat + spread * rng.f64() / 10.0;
        let lon = 2.0 + spread * 2.0 * rng.f64();
        let name = format!("{} {}", NAMES[rng.usize(..6)], rng.u32(..4)).replace(" 0", "");
        format!("{at},{name},{land},{lat},{lon},{},{},,\n", TYPES[at % 5], rng.u32(..50_000))
    };
    let rows: String = (0..400).map(row).collect();
    // In both countries, what a region of both is called.
    let lakes = "l,Grand Lake,FR,47.1,2.5,lake,,,fr:Grand Lac\nm,Grand Lake,BE,50.1,2.5,lake,,,af:Groot Meer\n";
    let header = "id,name,country,lat,lon,type,population,geonameid,names\n";
    format!("{header}{rows}{lakes}y,Gand,BE,50.0,4.0,village,300001,13,\n")
}

fn files(own: &str) -> Files {
    let file = ImportFile::InMemory("own.csv".into(), own.to_owned().into());
    test_files([file]).expect("it has the plain schema")
}

fn merge_with_own(own: &str) -> Merged {
    test_merged(pinned_inputs(), &files(own)).expect("every row is whole")
}

/// Finds the places with a display name.
fn with_name<'m>(merged: &'m Merged, name: &str) -> Vec<&'m Record> {
    merged.gazetteer.places.iter().filter(|place| place.names[0].text == name).collect()
}

#[test]
fn every_row_becomes_a_place_or_is_reported() {
    let own = own_file();
    let found = merge_with_own(&own);
    let lines: BTreeSet<String> =
        String::from_utf8(found.merges.csv()).expect("it is text").lines().skip(1).map(str::to_owned).collect();
    assert!(lines.len() > 6, "{lines:?}");
    let known = merge_with_own("id,name,country,lat,lon,type\n").gazetteer.places.len();
    // Each merge makes one place of two.
    assert_eq!(lines.len(), known + own.lines().count() - 1 - found.gazetteer.places.len());
    // Rows that are not capitals took the place of the others.
    assert_eq!(found.gazetteer.capitals.len(), 4);
}

/// Checks a region that has a row of the same name in each of its countries.
#[test]
fn a_shared_region_has_the_names_of_both() {
    let found = merge_with_own(&own_file());
    let lakes = with_name(&found, "Grand Lake");
    let names: Vec<&str> = lakes[0].names.iter().map(|name| name.text.as_str()).collect();
    assert_eq!((lakes.len(), names), (1, vec!["Grand Lake", "Grand Lake (nl)", "Groot Meer", "Grand Lac"]));
    assert!(found.added.contains(&lakes[0].id));
    // One of the name of a state of the second country gives way to it.
    let seas = with_name(&found, "State 3");
    let [sea, state] = [Role::Region, Role::State].map(|role| seas.iter().find(|place| place.kind.role == role));
    assert!(sea.expect("it is a region").importance < state.expect("it is a state").importance);
}

#[test]
fn a_place_changing_country_stays_one() {
    let found = merge_with_own("id,name,country,lat,lon,type,geonameid\nx,Parijs,BE,50.2,2.0,village,21\n");
    let of_it: Vec<&Record> = found.gazetteer.places.iter().filter(|place| place.id == 21).collect();
    let [place] = of_it[..] else { panic!("it is there {} times", of_it.len()) };
    assert_eq!((place.names[0].text.as_str(), &place.country), ("Parijs", b"BE"));
}

/// Checks that the places of a file are the same when memory holds them and when they are too many for it.
#[test]
fn drafts_on_disk_equal_drafts_in_memory() {
    let own = own_file();
    let expect = merge_with_own(&own);
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let mut inputs = pinned_inputs();
    let mut rows = Rows::new(folder.path());
    read(&mut inputs, &files(&own), |country, row| rows.push(country, row)).expect("every row is whole");
    let mut places = Vec::new();
    let take = |place: super::Place| {
        places.push(place.record);
        Ok(())
    };
    let drafts = super::Drafts::with_most(folder.path(), 30);
    let rest = merge(&inputs, rows, drafts, take).expect("the folder can be written");
    places.sort_by_key(|place| place.id);
    assert_eq!(places, expect.gazetteer.places);
    assert_eq!(rest.merges.csv(), expect.merges.csv());
    assert_eq!(std::fs::read_dir(folder.path()).expect("it is there").count(), 0, "no file is left");
}
