//! Adapter of a source in JSON, and what it makes of an object.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::sources::rows::Tagged;

/// Type of a place by class: `overture:town`, `wikidata:Q515`.
pub(crate) type Classes = BTreeMap<String, String>;

/// Reads the places of one source. Its entry in `data/sources.toml` has the same name, and says the rest: licence, credit,
/// precedence, id space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Adapter {
    /// The `format` of its entry in `data/sources.toml`.
    pub name: &'static str,
    /// Recognises an object of the source, or a GeoJSON feature.
    pub is_one: fn(&Value) -> bool,
    /// Reads such an object. `None` if it is not imported: its class is not in `data/tables/foreign-classes.csv`, it is no longer
    /// current, or it has no position.
    pub read: fn(&Value, &Classes) -> Option<Place>,
}

/// A place of a source.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Place {
    /// The fields of the plain schema that the source states. What it does not state is not guessed.
    pub fields: Value,
    /// Historic, short and colloquial names, with an empty language if it is unknown.
    pub weak_names: Vec<Tagged>,
}

impl Place {
    /// Makes a place with these fields, without those that are null. `None` without a type.
    pub fn new<const N: usize>(
        r#type: Option<&String>,
        fields: [(&str, Value); N],
        weak_names: Vec<Tagged>,
    ) -> Option<Self> {
        let fields = fields.into_iter().filter(|(_, value)| !value.is_null());
        let mut object: Map<String, Value> = fields.map(|(name, value)| (name.to_owned(), value)).collect();
        object.insert("type".to_owned(), r#type?.as_str().into());
        Some(Self { fields: Value::Object(object), weak_names })
    }
}
