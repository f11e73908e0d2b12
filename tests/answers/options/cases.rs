//! The cases of a file, one after the other, and what the routes of the service answer.

use std::collections::{BTreeMap, HashSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use toponym_edge::error::Failure;
use toponym_edge::routes::{place, reverse, text};

use crate::default_index::ENGINE;

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/golden");

/// A row of a file of cases.
#[derive(Deserialize)]
pub struct Case {
    tag: String,
    /// A route with its parameters, such as `forward?query=Paris`.
    pub request: String,
    /// The part of the answer that the case is about; empty in a file without this column.
    #[serde(default)]
    pub path: String,
    pub expect: String,
}

/// Tests each case of a file in `golden`, which has at least `fewest`. `mistake` says what is wrong with the answer, if
/// anything is.
pub fn check(file: &str, fewest: usize, mistake: impl Fn(&Case) -> Option<String>) {
    let mut reader = csv::Reader::from_path(format!("{GOLDEN}/{file}")).expect("the cases are there");
    let cases: Vec<Case> = reader.deserialize().collect::<Result<_, _>>().expect("the cases are sound");
    assert!(cases.len() >= fewest, "only {} cases", cases.len());
    let (mut seen, mut counts, mut wrong) = (HashSet::new(), BTreeMap::<&str, u32>::new(), Vec::new());
    for case in &cases {
        let Case { tag, request, path, .. } = case;
        assert!(seen.insert((request, path)), "{request} {path} is there twice");
        *counts.entry(tag).or_default() += 1;
        wrong.extend(mistake(case).map(|mistake| format!("{request}: {mistake}")));
    }
    println!("{counts:?}");
    assert!(wrong.is_empty(), "{} of {} are wrong:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

/// The first place of the answer to a request; null if there is none. Any other failure is a mistake in the request.
pub fn first(request: &str) -> Value {
    let (route, raw) = request.split_once('?').expect("a request has parameters");
    let response = match route {
        "forward" => {
            let found = text::FORWARD.read(raw, None).and_then(|read| Ok(read.forward(&*ENGINE)?.unwrap()));
            return first_of(json(sound(request, found)));
        }
        "autocomplete" => {
            let found = text::AUTOCOMPLETE.read(raw, None).and_then(|read| Ok(read.autocomplete(&*ENGINE)?.unwrap()));
            return first_of(json(sound(request, found)));
        }
        "reverse" => reverse::read(raw, None).and_then(|read| read.shown(&read.places(&*ENGINE)?.unwrap())),
        "place" => place::read(None, raw, None).and_then(|read| read.answer(&*ENGINE).unwrap()),
        other => panic!("no route {other}"),
    };
    if matches!(response, Err(Failure::NoLocation | Failure::UnknownPlace)) {
        return Value::Null;
    }
    let body = sound(request, response).body.expect("an answer has a body");
    first_of(serde_json::from_slice(&body).expect("an answer is JSON"))
}

/// What was found for a request, or a panic that names the request.
fn sound<T>(request: &str, found: Result<T, Failure>) -> T {
    found.unwrap_or_else(|failure| panic!("{request}: {failure:?}"))
}

fn json(found: impl Serialize) -> Value {
    serde_json::to_value(found).expect("an answer is JSON")
}

/// A list gives its first place, anything else itself.
fn first_of(body: Value) -> Value {
    match body {
        Value::Array(places) => places.into_iter().next().unwrap_or_default(),
        one => one,
    }
}
