//! Checks what `data/ADDING.md` promises of the rows of added files, beside a small world.

use std::sync::Arc;

use toponym_engine::coverage::Continent;
use toponym_engine::geo::{Bounds, Coordinate, METRES_PER_DEGREE};
use toponym_engine::{NameClass, Record, Role};

use super::{Files, Inputs, Merged, test_files, test_merged, test_settlement};
use crate::feature::Feature;
use crate::sources::import::ImportFile;
use crate::sources::regions::Region;
use crate::sources::rows::{Country, Origin, Patch, Settlement, Site};

const BERLIN: u64 = 2_950_159;
const PEOPLE_OF_BERLIN: u64 = 3_426_354;

/// The header of the files in the plain schema.
const HEADER: &str = "id,name,country,lat,lon,type,population,prominence,names\n";

/// Creates a world: Germany with Berlin, a village and a lake.
fn world() -> Inputs {
    let mut inputs = Inputs {
        settlements: vec![
            german(Feature::Place, test_settlement(7, "Altdorf", (52.0, 10.0), 900)),
            german(Feature::Capital, test_settlement(BERLIN, "Berlin", (52.52437, 13.41053), PEOPLE_OF_BERLIN)),
        ],
        countries: vec![Country {
            iso2: *b"DE",
            iso3: "DEU".into(),
            id: 2_921_044,
            name: "Germany".into(),
            capital: "Berlin".into(),
            area_km2: 357_021.0,
            population: 82_927_922,
            continent: Continent::Europe,
            languages: vec!["de".into()],
        }],
        regions: vec![Region {
            slug: "bodden".into(),
            name: "Grosser Bodden".into(),
            names: Vec::new(),
            words: Vec::new(),
            countries: vec![*b"DE"],
            category: "water".into(),
            r#type: "lake".into(),
            position: Coordinate::new(54.0, 12.0).expect("it is on the globe"),
            bounds: Bounds { south: 53.9, north: 54.1, west: 11.9, east: 12.1 },
            prominence: 2,
        }],
        ..Inputs::default()
    };
    let types = [
        ("city", Role::City),
        ("village", Role::City),
        ("suburb", Role::Quarter),
        ("aerodrome", Role::Airport),
        ("station", Role::Station),
        ("lake", Role::Landmark),
        ("market", Role::Landmark),
        ("museum", Role::Landmark),
    ];
    let tables = Arc::make_mut(&mut inputs.tables);
    tables.types = types.map(|(name, role)| (name.to_owned(), role)).into();
    let classes = [("geonames:S.MUS", "museum"), ("geonames:H.LK", "lake")];
    tables.classes = classes.map(|(class, name)| (class.to_owned(), name.to_owned())).into();
    inputs
}

fn german(feature: Feature, settlement: Settlement) -> Settlement {
    Settlement { country: *b"DE", feature, timezone: "Europe/Berlin".into(), ..settlement }
}

/// Merges the world with files, each a name and its rows.
fn merge_files(files: &[(&str, &str)]) -> Merged {
    merged_with(world(), files)
}

fn merged_with(inputs: Inputs, files: &[(&str, &str)]) -> Merged {
    let files = test_files(files.iter().map(file)).expect("the formats are known");
    test_merged(inputs, &files).expect("the rows are whole")
}

fn file(&(name, rows): &(&str, &str)) -> ImportFile {
    let header = if name.ends_with(".csv") { HEADER } else { "" };
    ImportFile::InMemory(name.into(), format!("{header}{rows}").into())
}

/// Returns the places that the world does not have.
fn new_places(merged: &Merged) -> Vec<&Record> {
    let known: Vec<u64> = test_merged(world(), &Files::default())
        .expect("it is whole")
        .gazetteer
        .places
        .iter()
        .map(|place| place.id)
        .collect();
    merged.gazetteer.places.iter().filter(|place| !known.contains(&place.id)).collect()
}

fn place(merged: &Merged, id: u64) -> &Record {
    merged.gazetteer.places.iter().find(|place| place.id == id).expect("it is there")
}

fn population(merged: &Merged, id: u64) -> Option<u32> {
    merged.gazetteer.facts.iter().find(|facts| facts.place == id)?.population
}

/// Returns the lines of the report without its header.
fn report(merged: &Merged) -> Vec<String> {
    let csv = String::from_utf8(merged.merges.csv()).expect("it is UTF-8");
    csv.lines().skip(1).map(str::to_owned).collect()
}

/// Returns the latitude of a place so many metres north of 51°.
fn north(metres: f64) -> f64 {
    51.0 + metres / METRES_PER_DEGREE
}

#[test]
fn two_rows_of_one_file_are_two_places() {
    for (r#type, metres) in [
        ("market", 750.0),
        ("village", 750.0),
        ("city", 750.0),
        ("suburb", 750.0),
        ("station", 300.0),
        ("aerodrome", 2_000.0),
    ] {
        check_two_places(["Neustadt", "Neustadt"], r#type, metres);
        check_two_places(["Neustadt", "Neustadt an der Aue"], r#type, metres);
    }
}

fn check_two_places(names: [&str; 2], r#type: &str, metres: f64) {
    let [one, other] = names;
    let rows = format!("a,{one},DE,51.0,10.0,{type},,,\nb,{other},DE,{},10.0,{type},,,de:{one}\n", north(metres));
    let found = merge_files(&[("own.csv", &rows)]);
    assert_eq!(new_places(&found).len(), 2, "{names:?} {type} {metres}");
    assert_eq!(report(&found), Vec::<String>::new(), "{names:?} {type} {metres}");
}

#[test]
fn the_nearer_row_is_the_known_place() {
    let rows = "a,Altdorf,DE,52.01,10.0,village,,,\nb,Altdorf,DE,52.001,10.0,village,,,\n";
    let found = merge_files(&[("own.csv", rows)]);
    let names: Vec<&str> = new_places(&found).iter().map(|place| place.names[0].text.as_str()).collect();
    assert_eq!((names.as_slice(), place(&found, 7).position.lat()), (&["Altdorf"][..], 52.001));
    assert_eq!(report(&found), ["own/b,Altdorf,7,Altdorf,\"name, kind and distance\",111,settlement,DE,52.001,10"]);
}

#[test]
fn two_rows_stay_two_beside_another_file() {
    let own = format!("a,Neustadt,DE,51.0,10.0,market,,,\nb,Neustadt,DE,{},10.0,market,,,\n", north(750.0));
    let other = "1,Neustadt,DE,51.001,10.0,market,,,\n";
    for files in [[("own.csv", own.as_str()), ("other.csv", other)], [("other.csv", other), ("own.csv", &own)]] {
        let found = merge_files(&files);
        assert_eq!(new_places(&found).len(), 2, "{files:?}");
        assert_eq!(report(&found).len(), 1, "{files:?}");
    }
}

#[test]
fn the_nearer_row_is_the_known_lake() {
    let rows = "a,Grosser Bodden,DE,54.05,12.0,lake,,,\nb,Grosser Bodden,DE,54.01,12.0,lake,,,\n";
    let found = merge_files(&[("own.csv", rows)]);
    let latitudes: Vec<f64> = new_places(&found).iter().map(|place| place.position.lat()).collect();
    assert_eq!(latitudes, [54.05]);
    let report = report(&found);
    assert!(report.len() == 1 && report[0].starts_with("own/b,Grosser Bodden,"), "{report:?}");
}

#[test]
fn a_missing_population_keeps_the_known_one() {
    let without = check_population("city,,", PEOPLE_OF_BERLIN);
    let importance = place(&merge_files(&[]), BERLIN).importance;
    assert!((place(&without, BERLIN).importance - importance).abs() < 1e-9);
    check_population("city,,1", PEOPLE_OF_BERLIN);
    check_population("village,,", PEOPLE_OF_BERLIN);
    check_population("city,3500000,", 3_500_000);
}

fn check_population(columns: &str, expect: u64) -> Merged {
    let found = merge_files(&[("own.csv", &format!("1,Berlin,DE,52.52,13.405,{columns},\n"))]);
    assert_eq!(population(&found, BERLIN).map(u64::from), Some(expect), "{columns}");
    assert_eq!(found.gazetteer.about.countries[0].people_in_places, expect + 900, "{columns}");
    assert!(new_places(&found).is_empty(), "{columns}");
    assert_eq!(report(&found).len(), 1, "{columns}");
    found
}

/// A city ranks as one, but nobody has counted its people.
#[test]
fn a_missing_population_is_none() {
    check_new_place("city,,", "city", 0.55, None);
    check_new_place("village,,", "village", 0.17, None);
    check_new_place("village,,3", "town", 0.425, None);
    check_new_place("city,1000,", "village", 0.3, Some(1_000));
}

fn check_new_place(columns: &str, r#type: &str, importance: f64, people: Option<u32>) {
    let found = merge_files(&[("own.csv", &format!("1,Neustadt,DE,51.0,10.0,{columns},\n"))]);
    let new = new_places(&found);
    assert_eq!((new.len(), new[0].kind.r#type.as_str()), (1, r#type), "{columns}");
    assert!((new[0].importance - importance).abs() < 1e-9, "{columns} {}", new[0].importance);
    assert_eq!(population(&found, new[0].id), people, "{columns}");
    let counted = u64::from(people.unwrap_or(0)) + PEOPLE_OF_BERLIN + 900;
    assert_eq!(found.gazetteer.about.countries[0].people_in_places, counted, "{columns}");
}

#[test]
fn a_city_without_population_is_the_surrounding_one() {
    let own = "1,Neustadt,DE,51.0,10.0,city,,,\n2,Alter Markt,DE,51.05,10.0,market,,,\n";
    // In another file it is a village.
    let other = "1,Neustadt,DE,51.01,10.0,village,,,\n";
    let found = merge_files(&[("own.csv", own), ("other.csv", other)]);
    let (city, market) = match new_places(&found)[..] {
        [one, other] if one.kind.role == Role::City => (one, other),
        [one, other] => (other, one),
        ref others => panic!("{} places", others.len()),
    };
    assert_eq!((city.kind.r#type.as_str(), market.parent), ("city", Some(city.id)));
}

#[test]
fn historic_and_colloquial_names_of_landmarks_are_weak() {
    let row = "500\tAltes Museum\t\t\t52.519\t13.398\tS\tMUS\tDE\t\t\t\t\t\t0\t\t\tEurope/Berlin\t2020-01-01\n";
    let names = "1\t500\tde\tAltes Museum\t1\t\t\t\t\t\n\
                 2\t500\tde\tKönigliches Museum\t\t\t\t1\t\t\n\
                 3\t500\tde\tDas Alte\t\t\t1\t\t\t\n\
                 4\t500\tde\tAltes Haus\t\t\t\t\t\t\n\
                 5\t500\tfr\tVieux Musée\t\t\t\t\t\t\n";
    let found = merge_files(&[("DE.txt", row), ("alternateNamesV2.txt", names)]);
    let museum = new_places(&found)[0];
    let class = |text: &str| {
        let name = museum.names.iter().find(|name| name.text == text);
        name.unwrap_or_else(|| panic!("no {text} in {:?}", museum.names)).class
    };
    assert_eq!((class("Königliches Museum"), class("Das Alte")), (NameClass::Weak, NameClass::Weak));
    assert!(class("Vieux Musée") < NameClass::Weak && class("Altes Haus") < NameClass::Weak);
    assert_eq!(museum.names[0].text, "Altes Museum");
}

/// Checks that the names of a lake go to the region.
#[test]
fn historic_names_of_lakes_are_weak() {
    let row = "500\tGrosser Bodden\t\t\t54.01\t12.0\tH\tLK\tDE\t\t\t\t\t\t0\t\t\tEurope/Berlin\t2020-01-01\n";
    let names = "1\t500\tde\tBodden\t\t\t\t\t\t\n2\t500\tde\tAlte See\t\t\t\t1\t\t\n";
    let found = merge_files(&[("DE.txt", row), ("alternateNamesV2.txt", names)]);
    let lake = found.gazetteer.places.iter().find(|place| place.kind.role == Role::Region).expect("it is there");
    let class = |text: &str| lake.names.iter().find(|name| name.text == text).map(|name| name.class);
    assert_eq!((class("Bodden"), class("Alte See")), (Some(NameClass::Primary), Some(NameClass::Weak)));
    assert!(new_places(&found).is_empty());
}

#[test]
fn historic_names_of_airports_are_weak() {
    let row = "500\tFeldhausen Airport\t\t\t51.0\t10.0\tS\tAIRP\tDE\t\t\t\t\t\t0\t\t\tEurope/Berlin\t2020-01-01\n";
    let names = "1\t500\tde\tFlughafen Feldhausen\t\t\t\t\t\t\n2\t500\tde\tFeldhaus Airport\t\t\t\t1\t\t\n";
    let found = merge_files(&[("DE.txt", row), ("alternateNamesV2.txt", names)]);
    let airport = new_places(&found)[0];
    let weak = airport.names.iter().filter(|name| name.class == NameClass::Weak).map(|name| name.text.as_str());
    assert_eq!(weak.collect::<Vec<_>>(), ["Feldhaus Airport"]);
}

#[test]
fn display_names_of_own_rows_are_never_cut() {
    for (name, r#type) in [
        ("Hoengg/Affoltern", "suburb"),
        ("Höngg / Affoltern", "village"),
        ("\"Sand, Am Bühl\"", "village"),
        ("Brandenburg (Havel)", "city"),
        ("Alt/Neu", "market"),
        ("\"Halle, Saale\"", "station"),
    ] {
        let found = merge_files(&[("own.csv", &format!("1,{name},DE,51.0,10.0,{type},,,\n"))]);
        assert_eq!(new_places(&found)[0].names[0].text, name.trim_matches('"'), "{type}");
    }
    // Also on a known place, and as its only name with a part of the other.
    let found = merge_files(&[(
        "own.csv",
        "1,Berlin,DE,52.52,13.405,city,,,\n2,Altdorf/Neudorf,DE,52.0,10.0,village,,,de:Altdorf\n",
    )]);
    assert_eq!(place(&found, 7).names[0].text, "Altdorf/Neudorf");
}

/// Each merge makes one place of two, so what is missing is what the report has.
#[test]
fn every_merge_is_in_the_report() {
    let of = |id: u32, name: &str, lat: f64, code: &str, people: u32| {
        let (class, code) = code.split_once('.').expect("it has both");
        format!(
            "{id}\t{name}\t\t\t{lat}\t10.0\t{class}\t{code}\tDE\t\t\t\t\t\t{people}\t\t\tEurope/Berlin\t2020-01-01\n"
        )
    };
    let table = [
        of(7, "Altdorf", 52.0, "P.PPL", 950),
        // A town and its centre, and a town without people where its name stands on a map.
        of(501, "Neustadt", 51.0, "P.PPL", 5_000),
        of(502, "Neustadt", 51.01, "P.PPLX", 0),
        of(503, "Neustadt", 51.06, "P.PPL", 0),
        of(504, "Altes Museum", 51.3, "S.MUS", 0),
        of(505, "Feld", 51.5, "S.AIRP", 0),
    ];
    // The same file with another name has nothing new.
    let (table, rows) = (table.concat(), 2 * table.len() + 6);
    let own = "1,Altdorf,DE,52.001,10.0,village,,,\n\
               2,Neustadt,DE,51.002,10.0,village,,,\n\
               3,Museum im Park,DE,51.301,10.0,museum,,,de:Altes Museum\n\
               4,Feld,DE,51.501,10.0,aerodrome,,,\n\
               5,Neuer Markt,DE,51.7,10.0,market,,,de:Neumarkt\n";
    let other = "1,Neumarkt,DE,51.702,10.0,market,,,\n";
    let found = merge_files(&[("DE.txt", &table), ("again.txt", &table), ("own.csv", own), ("other.csv", other)]);
    let known = test_merged(world(), &Files::default()).expect("it is whole").gazetteer.places.len();
    let report = report(&found);
    assert_eq!(report.len(), known + rows - found.gazetteer.places.len(), "{report:#?}");
    assert!(found.gazetteer.places.len() < known + 6, "{report:#?}");
}

/// Creates the world with a curated museum, and with the classes of sources that have an adapter.
fn world_of_sources() -> Inputs {
    let museum = Site {
        slug: "altes-museum".into(),
        origin: Origin::Curated,
        name: "Altes Museum".into(),
        tagged: Vec::new(),
        ranked: Vec::new(),
        alternates: Vec::new(),
        merged: Vec::new(),
        country: *b"DE",
        city: "Berlin".into(),
        position: Coordinate::new(52.519, 13.398).expect("it is on the globe"),
        r#type: "museum".into(),
        prominence: 0.5,
        extent_m: Some(900.0),
        bounds: None,
    };
    let corners = [(45.0, 5.0), (45.0, 15.0), (55.0, 15.0), (55.0, 5.0), (45.0, 5.0)];
    let patch = Patch {
        owner: Some(*b"DE"),
        rings: vec![corners.map(|(lat, lon)| Coordinate::new(lat, lon).expect("it is on the globe")).to_vec()],
    };
    let mut inputs = Inputs { landmarks: vec![museum], patches: vec![patch], ..world() };
    let classes = [
        ("geonames:S.MUS", "museum"),
        ("overture:locality", "village"),
        ("overture:neighborhood", "suburb"),
        ("wikidata:Q33506", "museum"),
    ];
    let tables = Arc::make_mut(&mut inputs.tables);
    tables.classes = classes.map(|(class, name)| (class.to_owned(), name.to_owned())).into();
    inputs
}

/// Writes a line of Overture: a division of a kind, with a name that has no language beside it.
fn division(id: &str, subtype: &str, name: &str, lat: f64) -> String {
    format!(
        r#"{{"type": "Feature", "id": "{id}", "geometry": {{"type": "Point", "coordinates": [10.0, {lat}]}}, "properties":
        {{"names": {{"primary": "{name}", "common": [["fr", "{name} (fr)"]], "rules": [{{"variant": "alternate", "language": null,
        "value": "Alt-{name}"}}]}}, "country": "DE", "subtype": "{subtype}"}}}}"#
    )
    .replace('\n', "")
        + "\n"
}

/// Writes a line of Wikidata: a museum at a latitude.
fn item(id: &str, name: &str, lat: f64) -> String {
    format!(
        r#"{{"id": "{id}", "labels": {{"en": {{"value": "{name}"}}, "fr": {{"value": "Vieux musée"}}}}, "claims": {{
        "P625": [{{"mainsnak": {{"datavalue": {{"value": {{"latitude": {lat}, "longitude": 13.398}}}}}}}}],
        "P31": [{{"mainsnak": {{"datavalue": {{"value": {{"id": "Q33506"}}}}}}}}]}}}}"#
    )
    .replace('\n', "")
        + "\n"
}

#[test]
fn a_global_id_is_one_place_everywhere() {
    let old = division("0a1", "locality", "Neustadt", 51.0);
    let new = division("0a1", "locality", "Neustadt", 51.01);
    let alone = ids_of_neustadt(&[("a.geojsonl", &old)]);
    assert_eq!(alone.len(), 1);
    assert_eq!(ids_of_neustadt(&[("b.geojsonl", &old)]), alone, "whatever the file is called");
    assert_eq!(ids_of_neustadt(&[("a.geojsonl", &old), ("b.geojsonl", &new)]), alone, "in two files");
}

fn ids_of_neustadt(files: &[(&str, &str)]) -> Vec<u64> {
    let found = merged_with(world_of_sources(), files);
    new_places(&found).iter().filter(|place| place.names[0].text == "Neustadt").map(|place| place.id).collect()
}

#[test]
fn names_of_overture_are_translations_or_weak() {
    let found = merged_with(world_of_sources(), &[("a.geojsonl", &division("0a1", "locality", "Neustadt", 51.0))]);
    let place = new_places(&found).into_iter().find(|place| place.names[0].text == "Neustadt").expect("it is there");
    let name = |text: &str| place.names.iter().find(|name| name.text == text).expect("it has the name");
    assert_eq!(name("Neustadt (fr)").lang.as_deref(), Some("fr"));
    assert_eq!((name("Alt-Neustadt").class, &name("Alt-Neustadt").lang), (NameClass::Weak, &None));
}

/// The data of a source is better than that of the packages, and worse than what an operator wrote, in any order of files.
#[test]
fn sources_come_between_packages_and_own_files() {
    let overture = division("0a1", "locality", "Altdorf", 52.001);
    let own = "1,Altdorf/Neudorf,DE,52.002,10.0,village,,,de:Altdorf\n";
    check_village(&[("a.geojsonl", &overture)], "Altdorf", 52.001);
    check_village(&[("a.geojsonl", &overture), ("own.csv", own)], "Altdorf/Neudorf", 52.002);
    check_village(&[("own.csv", own), ("a.geojsonl", &overture)], "Altdorf/Neudorf", 52.002);
}

fn check_village(files: &[(&str, &str)], name: &str, lat: f64) {
    let found = merged_with(world_of_sources(), files);
    let village = place(&found, 7);
    assert_eq!((village.names[0].text.as_str(), village.position.lat()), (name, lat), "{files:?}");
}

/// Only what an operator wrote is shown whole.
#[test]
fn display_names_of_sources_are_cleaned() {
    let found =
        merged_with(world_of_sources(), &[("a.geojsonl", &division("0a1", "neighborhood", "Höngg/Affoltern", 51.0))]);
    assert!(new_places(&found).iter().any(|place| place.names[0].text == "Affoltern"), "{:?}", new_places(&found));
}

#[test]
fn curated_places_keep_their_position_and_extent() {
    let museum = crate::ids::hash_id(crate::ids::Namespace::Landmark, "altes-museum");
    let found = merged_with(world_of_sources(), &[("a.ndjson", &item("Q1", "Altes Museum", 52.52))]);
    let place_of = place(&found, museum);
    assert_eq!((place_of.position.lat(), place_of.extent_m), (52.519, 900.0));
    assert!(place_of.names.iter().any(|name| name.text == "Vieux musée"));
    // An operator corrects the position, and says nothing of the extent.
    let found = merged_with(world_of_sources(), &[("own.csv", "1,Altes Museum,DE,52.52,13.398,museum,,,\n")]);
    let own = new_places(&found).into_iter().find(|place| place.names[0].text == "Altes Museum").expect("it is there");
    assert_eq!((own.position.lat(), own.extent_m), (52.52, 900.0));
}

#[test]
fn a_file_has_places_of_one_source() {
    let good = (0..99).map(|at| item(&format!("Q{at}"), &format!("Haus {at}"), 50.0 + f64::from(at) / 50.0));
    let rows: String = good.chain([division("0a1", "locality", "Neustadt", 51.0)]).collect();
    let found = merged_with(world_of_sources(), &[("a.ndjson", &rows)]);
    let names: Vec<&str> = new_places(&found).iter().map(|place| place.names[0].text.as_str()).collect();
    assert!(names.contains(&"Haus 7") && !names.contains(&"Neustadt"), "{names:?}");
}

#[test]
fn a_place_without_source_id_is_refused() {
    let row = division("0a1", "locality", "Neustadt", 51.0).replace("\"id\": \"0a1\", ", "");
    let files = [ImportFile::InMemory("a.geojsonl".into(), row.into())];
    let message = test_merged(world_of_sources(), &test_files(files).expect("its first place says what it is"));
    let message = message.expect_err("it has no id").to_string();
    assert!(message.contains("line 1, field id: is missing"), "{message}");
}
