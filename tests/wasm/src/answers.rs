//! Compares the results for the small index with `golden.json`, which a native run writes and every run checks.
//!
//! After an intended change, run `RENEW=1 cargo test --test answers in_wasm` and check the diff.

use serde_json::{Value, json};
use toponym_engine::geo::Coordinate;
use toponym_engine::{Engine, Search};

use crate::small;

const GOLDEN: &str = include_str!("../golden.json");

const SEARCHES: [&str; 12] = [
    "paris",
    "Paris, Texas",
    "paris tx",
    "PARIS france",
    "zurich",
    "цюрих",
    "CDG",
    "airport paris",
    "ile de france",
    "fiji",
    "eifel tower",
    "nowhere at all",
];

const BEGINNINGS: [&str; 5] = ["par", "zü", "united", "paris, t", "q"];

/// Points in a city, out of town, across the date line, inside a border, in the hole of it, at sea.
const POINTS: [(f64, f64); 6] =
    [(48.86, 2.34), (33.6, -95.5), (-16.8, -179.99), (47.0, 8.3), (47.1, 9.55), (0.0, -30.0)];

/// Compares with the golden answers part by part, so that differences are readable.
pub fn check() {
    let index = small::index();
    let mut actual = of(index.clone());
    // A hash, because the bytes would be long and unreadable.
    let digest = format!("{:016x}", xxhash_rust::xxh3::xxh3_64(&index));
    actual["index"] = json!({ "bytes": index.len(), "xxh3": digest });
    if is_renewed(&actual) {
        return;
    }
    let golden: Value = serde_json::from_str(GOLDEN).expect("golden.json is JSON");
    for part in ["index", "forward", "autocomplete", "reverse", "batch"] {
        assert_eq!(actual[part], golden[part], "{part} differs from golden.json");
    }
}

/// Returns every answer of an engine over `index`.
pub fn of(index: Vec<u8>) -> Value {
    let engine = Engine::open(index).expect("the index is whole");
    let point = |&(lat, lon): &(f64, f64)| Coordinate::new(lat, lon).expect("the point is on the Earth");
    json!({
        "forward": SEARCHES.map(|text| json!([text, engine.forward(&Search::new(text, 3))])),
        "autocomplete": BEGINNINGS.map(|text| json!([text, engine.autocomplete(&Search::new(text, 3))])),
        "reverse": POINTS.each_ref().map(|at| json!([[at.0, at.1], engine.reverse(point(at), None)])),
        "batch": engine.batch(&["Paris, Texas", "nowhere at all", " "]),
    })
}

/// Writes the golden file if RENEW is set. Wasm has neither environment nor files.
fn is_renewed(actual: &Value) -> bool {
    if cfg!(target_arch = "wasm32") || std::env::var_os("RENEW").is_none() {
        return false;
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/golden.json");
    std::fs::write(path, format!("{actual:#}\n")).expect("the golden file can be written");
    true
}
