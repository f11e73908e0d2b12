//! Items of Wikidata's JSON dump: label, coordinate (P625), instance of (P31), population (P1082).
//! <https://doc.wikimedia.org/Wikibase/master/php/docs_topics_json.html>
//!
//! Of the statements of a property, those of the best rank count: the preferred ones, else the normal ones, never the deprecated.

use serde_json::{Map, Value};

use super::adapter::{Adapter, Classes, Place};
use crate::sources::tagged_names::is_language;

pub(super) const ADAPTER: Adapter = Adapter { name: "wikidata", is_one, read };

/// Languages whose label is the display name, best first; else the first of all.
const DISPLAYED: [&str; 2] = ["en", "mul"];

/// The end of the address of the globe that coordinates are on: others are on the Moon and on Mars.
const EARTH: &str = "/Q2";

fn is_one(item: &Value) -> bool {
    item.get("claims").is_some() && item.get("labels").is_some()
}

fn read(item: &Value, classes: &Classes) -> Option<Place> {
    let claims = &item["claims"];
    let labels = &item["labels"];
    let at = best(claims, "P625").into_iter().filter_map(value).find(|at| is_on_earth(at))?;
    let r#type = best(claims, "P31")
        .into_iter()
        .find_map(|claim| classes.get(&format!("wikidata:{}", value(claim)?["id"].as_str()?)));
    let label = |lang: &str| labels[lang]["value"].as_str();
    let names: Map<String, Value> = labels
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(lang, _)| is_language(lang) && *lang != "mul")
        .map(|(lang, label)| (lang.clone(), label["value"].clone()))
        .collect();
    let name = DISPLAYED.into_iter().find_map(label).or_else(|| names.values().find_map(Value::as_str))?;
    Place::new(
        r#type,
        [
            ("id", item["id"].clone()),
            ("name", name.into()),
            ("names", Value::Object(names.clone())),
            ("lat", at["latitude"].clone()),
            ("lon", at["longitude"].clone()),
            ("population", population(claims).map_or(Value::Null, Value::from)),
        ],
        Vec::new(),
    )
}

/// Year, month and day.
type Date = (i64, u32, u32);

/// Reads the population: of several of the best rank, the latest by its point in time (P585).
fn population(claims: &Value) -> Option<u64> {
    // Of several without a time, the first.
    let latest = best(claims, "P1082").into_iter().rev().filter_map(people_at).max_by_key(|(time, _)| *time);
    latest.map(|(_, people)| people)
}

fn people_at(claim: &Value) -> Option<(Option<Date>, u64)> {
    let people = value(claim)?["amount"].as_str()?.trim_start_matches('+').parse::<u64>().ok()?;
    Some((time(claim), people))
}

/// Reads the year, month and day of a statement: `+2019-01-01T00:00:00Z`, with zeros for what is unknown.
fn time(claim: &Value) -> Option<Date> {
    let text = claim["qualifiers"]["P585"][0]["datavalue"]["value"]["time"].as_str()?;
    let (date, _) = text.split_once('T')?;
    let mut parts = date.rsplitn(3, '-');
    let day = parts.next()?;
    let month = parts.next()?;
    let year = parts.next()?;
    Some((year.parse().ok()?, month.parse().ok()?, day.parse().ok()?))
}

/// Returns the statements of the best rank. A statement without a rank is a normal one.
fn best<'v>(claims: &'v Value, property: &str) -> Vec<&'v Value> {
    let has_rank = |claim: &&Value, rank: &str| claim["rank"].as_str().unwrap_or("normal") == rank;
    let all: Vec<&Value> = claims[property].as_array().into_iter().flatten().collect();
    let of = |rank| all.iter().copied().filter(|claim| has_rank(claim, rank)).collect::<Vec<_>>();
    let preferred = of("preferred");
    if preferred.is_empty() { of("normal") } else { preferred }
}

/// Returns the value of a statement, unless it is unknown.
fn value(claim: &Value) -> Option<&Value> {
    Some(&claim["mainsnak"]["datavalue"]["value"]).filter(|value| !value.is_null())
}

fn is_on_earth(at: &Value) -> bool {
    at["globe"].as_str().is_none_or(|globe| globe.ends_with(EARTH))
}
