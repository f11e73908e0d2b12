//! Items of Wikidata's JSON dump: label, coordinate (P625), instance of (P31), population (P1082).
//! <https://doc.wikimedia.org/Wikibase/master/php/docs_topics_json.html>

use serde_json::{Map, Value};

use super::dialect::{Classes, Dialect, place};
use crate::sources::tagged_names::is_language;

/// Languages whose label is the display name, best first; else the first of all.
const DISPLAYED: [&str; 2] = ["en", "mul"];

/// The item.
pub(super) fn read(item: &Value, classes: &Classes) -> Option<Dialect> {
    let (claims, labels) = (item.get("claims")?, item.get("labels")?);
    let at = values(claims, "P625").next();
    let r#type = values(claims, "P31").find_map(|class| classes.get(&format!("wikidata:{}", class["id"].as_str()?)));
    let label = |lang: &str| labels[lang]["value"].as_str();
    let names: Map<String, Value> = labels
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(lang, _)| is_language(lang) && *lang != "mul")
        .map(|(lang, label)| (lang.clone(), label["value"].clone()))
        .collect();
    let name = DISPLAYED.into_iter().find_map(label).or_else(|| names.values().find_map(Value::as_str));
    let (Some(at), Some(name)) = (at, name) else { return Some(Dialect::Skipped) };
    let people = values(claims, "P1082")
        .filter_map(|value| value["amount"].as_str()?.trim_start_matches('+').parse::<u64>().ok());
    Some(place(
        r#type,
        [
            ("id", item["id"].clone()),
            ("name", name.into()),
            ("names", Value::Object(names.clone())),
            ("lat", at["latitude"].clone()),
            ("lon", at["longitude"].clone()),
            ("population", people.max().map_or(Value::Null, Value::from)),
        ],
    ))
}

/// The values of a property.
fn values<'v>(claims: &'v Value, property: &str) -> impl Iterator<Item = &'v Value> {
    let claims = claims[property].as_array().into_iter().flatten();
    claims.map(|claim| &claim["mainsnak"]["datavalue"]["value"]).filter(|value| !value.is_null())
}
