//! Asks the default index for the facts of `golden/facts.csv`, as a caller of the service writes the requests.
//!
//! A case has a tag, a request, a path in the first answer (`codes.iata`, `ancestors.0.name`), and what is there: a text or a
//! number as it is written, a range `1000..2000` of numbers, or nothing if the answer must lack it. Written from common
//! knowledge of places.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::{BTreeMap, HashSet};
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::Value;
use toponym_edge::error::Failure;
use toponym_edge::routes::{place, reverse, text};
use toponym_engine::{Engine, FactSet, Reference, Shown};

const INDEX: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../build/index.toponym");
const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/facts.csv");

/// The fewest cases of the file.
const FEWEST: usize = 40;

static ENGINE: LazyLock<Engine> = LazyLock::new(|| {
    let bytes = std::fs::read(INDEX).expect("run `cargo xtask index` first");
    Engine::open_trusted(bytes).expect("the index is whole")
});

#[derive(Deserialize)]
struct Case {
    tag: String,
    request: String,
    path: String,
    expect: String,
}

/// The first answer to a request.
fn first(request: &str) -> Value {
    let (route, raw) = request.split_once('?').expect("a request has parameters");
    let body = match route {
        "forward" => json(request, text::FORWARD.read(raw, None).and_then(|read| read.forward(&ENGINE))),
        "autocomplete" => json(request, text::AUTOCOMPLETE.read(raw, None).and_then(|read| read.autocomplete(&ENGINE))),
        "reverse" => of_body(request, reverse::read(raw, None).and_then(|read| read.answer(&ENGINE))),
        "place" => of_body(request, place::read(None, raw, None).and_then(|read| read.answer(&ENGINE))),
        other => panic!("no route {other}"),
    };
    body.get(0).cloned().unwrap_or(body)
}

fn json<T: serde::Serialize>(request: &str, found: Result<T, Failure>) -> Value {
    serde_json::to_value(sound(request, found)).expect("an answer is JSON")
}

fn of_body(request: &str, found: Result<toponym_edge::response::Response, Failure>) -> Value {
    let body = sound(request, found).body.expect("an answer has a body");
    serde_json::from_slice(&body).expect("an answer is JSON")
}

fn sound<T>(request: &str, found: Result<T, Failure>) -> T {
    found.unwrap_or_else(|failure| panic!("{request}: {failure:?}"))
}

fn is_as_expected(found: Option<&Value>, expect: &str) -> bool {
    let range =
        expect.split_once("..").and_then(|(from, to)| Some(from.parse::<f64>().ok()?..=to.parse::<f64>().ok()?));
    match (found, range) {
        (None, _) => expect.is_empty(),
        (Some(found), Some(range)) => found.as_f64().is_some_and(|number| range.contains(&number)),
        (Some(Value::String(text)), None) => !expect.is_empty() && text == expect,
        (Some(other), None) => format!("{other}") == expect,
    }
}

#[test]
fn the_facts_are_as_expected() {
    let mut reader = csv::Reader::from_path(CASES).expect("the cases are there");
    let cases: Vec<Case> = reader.deserialize().collect::<Result<_, _>>().expect("the cases are sound");
    assert!(cases.len() >= FEWEST, "only {} cases", cases.len());
    let (mut seen, mut counts, mut wrong) = (HashSet::new(), BTreeMap::<&str, u32>::new(), Vec::new());
    for Case { tag, request, path, expect } in &cases {
        assert!(seen.insert((request, path)), "{request} {path} is there twice");
        *counts.entry(tag).or_default() += 1;
        let answer = first(request);
        assert!(answer.get("display_name").is_some(), "{request} has no answer");
        let found = answer.pointer(&format!("/{}", path.replace('.', "/")));
        if !is_as_expected(found, expect) {
            wrong.push(format!("{request}: expected {path} {expect:?}, got {found:?} of {}", answer["display_name"]));
        }
    }
    println!("{counts:?}");
    assert!(wrong.is_empty(), "{} of {} are wrong:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

/// Codes that answers show lead back to their places, as far as they are references.
#[test]
fn codes_are_references() {
    let shown = Shown { facts: FactSet::ALL, lang: None };
    let mut found = 0;
    for reference in
        ["iata:CDG", "iata:LHR", "iata:JFK", "icao:EDDM", "iso:FR", "iso:FR-IDF", "iso:US-TX", "iso:DEU", "iata:HND"]
    {
        let reference: Reference = reference.parse().expect("it is a reference");
        let place = ENGINE.place(&reference, shown).expect("it is there");
        let codes = place.facts.and_then(|facts| facts.codes).expect("it has codes");
        let geonames = codes.geonames.map(|id| format!("geonames:{id}"));
        let of = |list: &str, code: Option<String>| code.map(|code| format!("{list}:{code}"));
        for text in
            [of("iata", codes.iata), of("icao", codes.icao), of("iso", codes.iso), geonames].into_iter().flatten()
        {
            let again = ENGINE.place(&text.parse().expect("a code is a reference"), shown).expect("it is there");
            assert_eq!(again.place_id, place.place_id, "{text}");
            found += 1;
        }
    }
    assert!(found >= 14, "{found}");
}
