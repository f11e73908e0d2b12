//! Overture divisions as GeoJSON: <https://docs.overturemaps.org/schema/reference/divisions/division/>, and the areas of
//! divisions, which have the name and the kind of their division.

use serde_json::{Map, Value};

use super::adapter::{Adapter, Classes, Place};
use crate::sources::rows::Tagged;
use crate::sources::tagged_names::is_language;

pub(super) const ADAPTER: Adapter = Adapter { name: "overture", is_one, read };

fn is_one(feature: &Value) -> bool {
    let properties = &feature["properties"];
    properties["names"].get("primary").is_some() && properties["subtype"].is_string()
}

fn read(feature: &Value, classes: &Classes) -> Option<Place> {
    let properties = &feature["properties"];
    let subtype = &properties["subtype"];
    let names = &properties["names"];
    if properties["class"] == "maritime" {
        // The sea of a division, whose land is an area of its own.
        return None;
    }
    let class = |name: &Value| classes.get(&format!("overture:{}", name.as_str()?));
    let r#type =
        if subtype == "locality" { class(&properties["class"]).or_else(|| class(subtype)) } else { class(subtype) };
    // An area is its division, whose id is in both.
    let ids = [&properties["division_id"], &properties["id"], &feature["id"]];
    let id = ids.into_iter().find(|id| !id.is_null()).cloned().unwrap_or_default();
    Place::new(
        r#type,
        [
            ("id", id),
            ("name", names["primary"].clone()),
            ("names", common(&names["common"])),
            ("country", properties["country"].clone()),
            ("population", properties["population"].clone()),
        ],
        rules(&names["rules"]),
    )
}

/// Reads names by language. The schema has a map; tools write it as an object, as pairs (Overture's own), or as entries with
/// key and value.
fn common(names: &Value) -> Value {
    let Some(entries) = names.as_array() else { return names.clone() };
    Value::Object(entries.iter().filter_map(common_entry).collect::<Map<_, _>>())
}

fn common_entry(entry: &Value) -> Option<(String, Value)> {
    let (lang, name) = match entry.as_array() {
        Some(pair) => (pair.first()?, pair.get(1)?),
        None => (entry.get("key")?, entry.get("value")?),
    };
    Some((lang.as_str()?.to_owned(), name.clone()))
}

/// Reads the other names: official, alternate (historic or local), short, or common in some view of the world only.
fn rules(rules: &Value) -> Vec<Tagged> {
    rules.as_array().into_iter().flatten().filter_map(rule_name).collect()
}

fn rule_name(rule: &Value) -> Option<Tagged> {
    let lang = rule["language"].as_str().filter(|lang| is_language(lang)).unwrap_or_default();
    Some(Tagged { lang: lang.to_owned(), text: rule["value"].as_str()?.to_owned() })
}
