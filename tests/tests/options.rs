//! Asks the default index the questions of `golden/options.csv`, as a caller of the service writes them, and compares the
//! first answers.
//!
//! A case has a tag, a request, and how the display name of the first answer begins. With an empty `expect` there must be
//! no answer. Written from common knowledge of places.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::{BTreeMap, HashSet};
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::Value;
use toponym_edge::error::Failure;
use toponym_edge::routes::{place, reverse, text};
use toponym_engine::Engine;

const INDEX: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../build/index.toponym");
const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/options.csv");

/// The fewest cases of the file.
const FEWEST: usize = 150;

static ENGINE: LazyLock<Engine> = LazyLock::new(|| {
    let bytes = std::fs::read(INDEX).expect("run `cargo xtask index` first");
    Engine::open_trusted(bytes).expect("the index is whole")
});

#[derive(Deserialize)]
struct Case {
    tag: String,
    request: String,
    expect: String,
}

/// The display name of the first answer to a request.
fn first(request: &str) -> Option<String> {
    let (route, raw) = request.split_once('?').expect("a request has parameters");
    let response = match route {
        "forward" => {
            let found = text::FORWARD.read(raw, None).and_then(|read| read.forward(&ENGINE));
            return sound(request, found).into_iter().next().map(|place| place.display_name);
        }
        "autocomplete" => {
            let found = text::AUTOCOMPLETE.read(raw, None).and_then(|read| read.autocomplete(&ENGINE));
            return sound(request, found).into_iter().next().map(|suggestion| suggestion.display_name);
        }
        "reverse" => reverse::read(raw, None).and_then(|read| read.answer(&ENGINE)),
        "place" => place::read(None, raw, None).and_then(|read| read.answer(&ENGINE)),
        other => panic!("no route {other}"),
    };
    let body: Value = serde_json::from_slice(&response.ok()?.body?).expect("an answer is JSON");
    let place = body.get(0).unwrap_or(&body);
    place["display_name"].as_str().map(str::to_owned)
}

fn sound<T>(request: &str, found: Result<T, Failure>) -> T {
    found.unwrap_or_else(|failure| panic!("{request}: {failure:?}"))
}

#[test]
fn the_first_answers_are_as_expected() {
    let mut reader = csv::Reader::from_path(CASES).expect("the cases are there");
    let cases: Vec<Case> = reader.deserialize().collect::<Result<_, _>>().expect("the cases are sound");
    assert!(cases.len() >= FEWEST, "only {} cases", cases.len());
    let (mut seen, mut counts, mut wrong) = (HashSet::new(), BTreeMap::<&str, u32>::new(), Vec::new());
    for Case { tag, request, expect } in &cases {
        assert!(seen.insert(request), "{request} is there twice");
        *counts.entry(tag).or_default() += 1;
        let found = first(request);
        let is_right = found.as_ref().map_or(expect.is_empty(), |name| !expect.is_empty() && name.starts_with(expect));
        if !is_right {
            wrong.push(format!("{request}: expected {expect:?}, got {found:?}"));
        }
    }
    println!("{counts:?}");
    assert!(wrong.is_empty(), "{} of {} are wrong:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}
