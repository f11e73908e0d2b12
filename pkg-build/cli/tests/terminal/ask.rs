//! `toponym forward`, `reverse` and `autocomplete`.

use expect_test::expect;
use serde_json::Value;

use crate::support::{Folder, finish, program};

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn one_question_in_every_format() {
    let folder = Folder::new();
    let found = json(&folder.run("forward Paris,US --format json").out);
    assert_eq!((found[0]["place_id"].as_u64(), found[0]["address"]["country_code"].as_str()), (Some(5), Some("us")));
    let line = folder.run("forward Paris,US --limit 1 --format ndjson").out;
    assert_eq!(json(&line), found[0]);
    let features = json(&folder.run("forward Paris,US --limit 1 --format geojson").out);
    assert_eq!(features["features"][0]["properties"], found[0]);
    let rows = folder.run("forward Paris,US --limit 1 --format csv").out;
    expect![[r#"
        query,place_id,display_name,lat,lon,country,country_code,city,category,type,importance,confidence,error
        "Paris,US",5,"Paris, United States",33.66094,-95.55551,United States,us,Paris,place,city,0.4,0.9793,
    "#]]
    .assert_eq(&rows);
    // Not a terminal: as the service answers.
    assert_eq!(json(&folder.run("forward Paris,US").out), found);
    expect![[r#"
        ──────────────────────────────────────────────────────────────────────
         display name      type   lat        lon        confidence   place id 
        ══════════════════════════════════════════════════════════════════════
         Munich, Germany   city   48.13743   11.57549   0.98         6        
        ──────────────────────────────────────────────────────────────────────
    "#]]
    .assert_eq(&folder.run("forward München --format table").out);
    expect![[r#"
        query,display_name,lat,lon,country,city,type,name,error
        Mün,"Munich, Germany",48.13743,11.57549,Germany,Munich,city,Munich,
    "#]]
    .assert_eq(&folder.run("autocomplete Mün --format csv --fields name").out);
    assert_eq!(json(&folder.run("reverse 48.86,2.34").out)["place_id"], 4);
    let nowhere = folder.run("reverse -60.5 -120");
    assert_eq!(
        (nowhere.code, nowhere.err.trim(), &*nowhere.out),
        (Some(3), "No location found at these coordinates", "")
    );
}

#[test]
fn fields_and_filters_are_those_of_the_service() {
    let folder = Folder::new();
    let first = |line: &str| json(&folder.run(line).out)[0]["place_id"].as_u64();
    assert_eq!(first("forward --city Paris --country US"), Some(5));
    assert_eq!(first("forward Paris --countrycodes us"), Some(5));
    assert_eq!(first("forward Paris --focus 33,-95 --bbox -100,30,-90,40"), Some(5));
    assert_eq!(first("forward Paris --within 3"), Some(5));
    assert_eq!(first("forward Paris --types city --lang de"), Some(4));
    assert_eq!(first("reverse 48.86 2.34 --limit 1 --types city --radius 100000"), Some(4));
}

#[test]
fn many_questions() {
    let folder = Folder::new();
    folder.write("questions.txt", "\u{feff}Paris\r\n\r\nMünchen\nqqqqqqqq\n");
    let lines = folder.run("forward --file questions.txt --limit 1").out;
    let lines: Vec<Value> = lines.lines().map(json).collect();
    let ids = lines.iter().map(|line| (line["query"].as_str(), line["results"][0]["place_id"].as_u64()));
    let expect = [(Some("Paris"), Some(4)), (Some("München"), Some(6)), (Some("qqqqqqqq"), None)];
    assert_eq!(ids.collect::<Vec<_>>(), expect);
    let array = folder.run_with(&["forward", "--limit", "1", "--format", "json"], "Paris\nMünchen\nqqqqqqqq\n").out;
    assert_eq!(json(&array), Value::Array(lines));
    assert_eq!(json(&folder.run_with(&["forward", "--format", "json"], "").out), Value::Array(vec![]));
    // White space finishes a word that is being typed, also at the end of a line.
    let suggested = folder.run_with(&["autocomplete", "--format", "ndjson"], "Par\nPar \n \n").out;
    let found = suggested.lines().map(|line| json(line)["results"].as_array().is_some_and(|found| !found.is_empty()));
    assert_eq!(found.collect::<Vec<_>>(), [true, false]);
    let features = json(&folder.run("forward --file questions.txt --limit 1 --format geojson").out);
    let queries =
        features["features"].as_array().expect("an array").iter().map(|it| it["properties"]["query"].as_str());
    assert_eq!(queries.collect::<Vec<_>>(), [Some("Paris"), Some("München")]);
    let reversed = folder.run_with(&["reverse", "--format", "csv"], "48.85,2.35\nx\n91 0\n").out;
    expect![[r#"
        query,place_id,display_name,lat,lon,country,country_code,city,category,type,importance,confidence,error
        "48.85,2.35",4,"Paris, France",48.85341,2.3488,France,fr,Paris,place,city,0.9,0.95,
        x,,,,,,,,,,,,"a point is latitude,longitude, not x"
        91 0,,,,,,,,,,,,lat must be between -90 and 90
    "#]]
    .assert_eq(&reversed);
}

#[test]
fn what_goes_wrong() {
    let folder = Folder::new();
    let check = |line: &str, code: i32, part: &str| {
        let run = folder.run(line);
        assert_eq!(run.code, Some(code), "{line}: {run:?}");
        assert!(run.err.contains(part), "{line}: {}", run.err);
    };
    check("forward Paris --limit 0", 1, "limit must be an integer between 1 and 50");
    check("forward Paris --countrycodes fra", 1, "countrycodes must be ISO 3166-1 alpha-2 codes");
    check("forward Paris --fields x", 1, "fields must be all, or some of these");
    check("forward Paris --types xyz", 1, ", not xyz");
    check("forward Paris --focus 5", 1, "--focus is latitude,longitude, not 5");
    check("reverse 91 0", 1, "lat must be between -90 and 90");
    check("reverse 5", 1, "a point is latitude,longitude, not 5");
    check("forward qqqqqqqq", 3, "");
    check("forward Paris --city Paris", 2, "cannot be used with");
    check("forward Paris --index gone.toponym", 1, "no index at gone.toponym");
    folder.write("broken.toponym", "no index");
    check("forward Paris --index broken.toponym", 1, "broken.toponym cannot be opened");
}

#[test]
fn several_indexes_answer_as_one() {
    let folder = Folder::new();
    let run = folder.run("forward Paris --limit 1 --index places.toponym --index places.toponym");
    assert_eq!(json(&run.out)[0]["place_id"], 4);
}

/// Outside of a repository: the program does not know one that is gone, and says what to do.
#[test]
fn an_index_is_named_by_option_or_variable() {
    let folder = Folder::new();
    let mut command = program(&folder.path(""));
    command.args(["forward", "Paris", "--limit", "1"]).env("CARGO_MANIFEST_DIR", folder.path("no/such/repository"));
    let run = finish(command, "");
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.err.contains("--index FILE or in the variable TOPONYM_INDEX"), "{}", run.err);
}
