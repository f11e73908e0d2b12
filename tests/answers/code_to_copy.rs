//! Compiles and runs the Rust that the playground offers to copy, on the index of the core pack. The code is the snapshot
//! `snapshots/code_to_copy.rs`, which `tests/code` writes, and compares with the page.

use serde_json::Value;

const INDEX: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../build/core.toponym");

include!("../snapshots/code_to_copy.rs");

/// Result of a test of code, since `?` ends it early.
type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Reads the bytes of the index, where the code reads those of its user.
fn index() -> Vec<u8> {
    std::fs::read(INDEX).expect("run `cargo toponym index --with-core` first")
}

/// Returns the display name of the first place in an answer as JSON: an array, one place, places with distances, or
/// GeoJSON.
fn first(json: &str) -> String {
    fn name(value: &Value) -> Option<&str> {
        let inner = match value {
            Value::Array(items) => items.first(),
            Value::Object(object) => {
                return object
                    .get("display_name")
                    .and_then(Value::as_str)
                    .or_else(|| object.get("features").or(object.get("properties")).and_then(name));
            }
            _ => None,
        };
        inner.and_then(name)
    }
    let value: Value = serde_json::from_str(json).expect("it is JSON");
    name(&value).unwrap_or("nothing").to_owned()
}
