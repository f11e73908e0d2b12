//! The cases of a file, one after the other, and what the routes of the service answer.

use std::collections::{BTreeMap, HashSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use toponym_edge::routes::parameters::Source;
use toponym_engine::request::{AUTOCOMPLETE, FORWARD, Lookup, Operation, PointRequest};

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

/// Returns the first place of the answer to a request; null if there is none. Any other failure is a mistake in the
/// request.
pub fn first(request: &str) -> Value {
    let (route, raw) = request.split_once('?').expect("a request has parameters");
    let operation = match route {
        "forward" => Operation::Forward,
        "autocomplete" => Operation::Autocomplete,
        "reverse" => Operation::Reverse,
        "place" => Operation::Place,
        other => panic!("no route {other}"),
    };
    let values = Source::Query(raw).values(operation, None).unwrap_or_else(|failure| panic!("{request}: {failure:?}"));
    let engine = &*ENGINE;
    let found = match operation {
        Operation::Forward => FORWARD.read(&values).and_then(|read| Ok(json(read.forward(engine)?.unwrap()))),
        Operation::Autocomplete => {
            AUTOCOMPLETE.read(&values).and_then(|read| Ok(json(read.autocomplete(engine)?.unwrap())))
        }
        Operation::Reverse => {
            PointRequest::read(&values).and_then(|read| Ok(json(read.near.places(read.point, engine)?.unwrap())))
        }
        _ => Lookup::read(None, &values).map(|read| json(read.place(engine).unwrap())),
    };
    first_of(found.unwrap_or_else(|fault| panic!("{request}: {fault}")))
}

fn json(found: impl Serialize) -> Value {
    serde_json::to_value(found).expect("an answer is JSON")
}

/// Returns the first place of a list, anything else itself.
fn first_of(body: Value) -> Value {
    match body {
        Value::Array(places) => places.into_iter().next().unwrap_or_default(),
        one => one,
    }
}
