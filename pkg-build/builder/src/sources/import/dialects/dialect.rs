//! A place of another project in the words of the plain schema.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// Type of a place by class: `overture:town`, `wikidata:Q515`.
pub(crate) type Classes = BTreeMap<String, String>;

/// What an object is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Dialect {
    /// The plain schema.
    Plain,
    /// A place of another project, with the fields of the plain schema.
    Place(Value),
    /// One that is not imported: its class is not in the table, it is no longer current, or it has no position.
    Skipped,
}

/// A place with these fields, without those that are null; skipped without a type.
pub(super) fn place<const N: usize>(r#type: Option<&String>, fields: [(&str, Value); N]) -> Dialect {
    let Some(r#type) = r#type else { return Dialect::Skipped };
    let fields = fields.into_iter().filter(|(_, value)| !value.is_null());
    let mut object: Map<String, Value> = fields.map(|(name, value)| (name.to_owned(), value)).collect();
    object.insert("type".to_owned(), r#type.as_str().into());
    Dialect::Place(Value::Object(object))
}
