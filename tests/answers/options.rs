//! Asks the default index the questions of `golden/options.csv` (filters, fields, look-up and nearest places) and
//! `golden/facts.csv`, as a caller of the service writes them. Written from common knowledge of places.

use std::collections::{BTreeMap, HashSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use toponym_edge::routes::parameters::Source;
use toponym_engine::request::{AUTOCOMPLETE, FORWARD, Lookup, Operation, PointRequest};
use toponym_engine::{FactSet, Reference, Shown};

use crate::default_index::ENGINE;

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/golden");

/// The fewest cases of `options.csv`.
const FEWEST_OPTIONS: usize = 150;

/// The fewest cases of `facts.csv`.
const FEWEST_FACTS: usize = 40;

/// A row of a file of cases.
#[derive(Deserialize)]
struct Case {
    tag: String,
    /// A route with its parameters, such as `forward?query=Paris`.
    request: String,
    /// The part of the answer that the case is about; empty in a file without this column.
    #[serde(default)]
    path: String,
    expect: String,
}

/// Compares the first answers to `golden/options.csv`: a case has a tag, a request, and how the display name of the first answer
/// begins. With an empty `expect` there must be no answer.
#[test]
fn the_first_answers_are_as_expected() {
    check("options.csv", FEWEST_OPTIONS, |Case { request, expect, .. }| {
        let found = first(request)["display_name"].as_str().map(str::to_owned);
        let is_right = found.as_ref().map_or(expect.is_empty(), |name| !expect.is_empty() && name.starts_with(expect));
        (!is_right).then(|| format!("expected {expect:?}, got {found:?}"))
    });
}

/// Compares facts of the first answers to `golden/facts.csv`: a case has a tag, a request, a path in the first answer
/// (`codes.iata`, `ancestors.0.name`), and what is there: a text or a number as it is written, a range `1000..2000` of numbers, or
/// nothing if the answer must lack it.
#[test]
fn the_facts_are_as_expected() {
    check("facts.csv", FEWEST_FACTS, |Case { request, path, expect, .. }| {
        let answer = first(request);
        assert!(answer.get("display_name").is_some(), "{request} has no answer");
        let found = answer.pointer(&format!("/{}", path.replace('.', "/")));
        let is_right = is_as_expected(found, expect);
        (!is_right).then(|| format!("expected {path} {expect:?}, got {found:?} of {}", answer["display_name"]))
    });
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
        for text in [
            code_reference("iata", codes.iata),
            code_reference("icao", codes.icao),
            code_reference("iso", codes.iso),
            geonames,
        ]
        .into_iter()
        .flatten()
        {
            let again = ENGINE.place(&text.parse().expect("a code is a reference"), shown).expect("it is there");
            assert_eq!(again.place_id, place.place_id, "{text}");
            found += 1;
        }
    }
    assert!(found >= 14, "{found}");
}

fn code_reference(list: &str, code: Option<String>) -> Option<String> {
    code.map(|code| format!("{list}:{code}"))
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

/// Tests each case of a file in `golden`, which has at least `fewest`. `mistake` says what is wrong with the answer, if
/// anything is.
fn check(file: &str, fewest: usize, mistake: impl Fn(&Case) -> Option<String>) {
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
fn first(request: &str) -> Value {
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
