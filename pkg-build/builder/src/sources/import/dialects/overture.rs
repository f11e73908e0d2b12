//! Overture divisions as GeoJSON: <https://docs.overturemaps.org/schema/reference/divisions/division/>

use serde_json::{Map, Value};

use super::dialect::{Classes, Dialect, place};

/// The division with these properties.
pub(super) fn read(properties: &Value, classes: &Classes) -> Option<Dialect> {
    let primary = properties["names"].get("primary")?;
    let subtype = properties.get("subtype")?;
    let class = |name: &Value| classes.get(&format!("overture:{}", name.as_str()?));
    let r#type =
        if subtype == "locality" { class(&properties["class"]).or_else(|| class(subtype)) } else { class(subtype) };
    Some(place(
        r#type,
        [
            ("id", properties["id"].clone()),
            ("name", primary.clone()),
            ("names", common(&properties["names"]["common"])),
            ("country", properties["country"].clone()),
            ("population", properties["population"].clone()),
        ],
    ))
}

/// Names by language: an object, or a list of pairs, as some programs write maps.
fn common(names: &Value) -> Value {
    let Some(pairs) = names.as_array() else { return names.clone() };
    let pair = |pair: &Value| Some((pair["key"].as_str()?.to_owned(), pair["value"].clone()));
    Value::Object(pairs.iter().filter_map(pair).collect::<Map<_, _>>())
}
