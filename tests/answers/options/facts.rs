//! Compares facts of the first answers to `golden/facts.csv`.
//!
//! A case has a tag, a request, a path in the first answer (`codes.iata`, `ancestors.0.name`), and what is there: a text or a
//! number as it is written, a range `1000..2000` of numbers, or nothing if the answer must lack it.

use serde_json::Value;
use toponym_engine::{FactSet, Reference, Shown};

use super::cases::{self, Case};
use crate::default_index::ENGINE;

/// The fewest cases of the file.
const FEWEST: usize = 40;

#[test]
fn the_facts_are_as_expected() {
    cases::check("facts.csv", FEWEST, |Case { request, path, expect, .. }| {
        let answer = cases::first(request);
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
