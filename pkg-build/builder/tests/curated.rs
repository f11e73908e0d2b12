//! Checks every place of `data/curated` against the built index: it lies in its country, near its city, and is listed
//! once.

use std::path::Path;

/// Number of curated places, rounded down: a file that is not read at all is missed.
const FLOOR: usize = 33_500;

#[test]
fn every_curated_place_passes_the_check() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let index = root.join("build/index.toponym");
    let index = std::fs::read(&index).expect("`cargo toponym index` has built the index");
    let report = toponym_builder::check::check(root, &[], index).expect("every row can be read");
    let refused: Vec<String> = report.refused.iter().map(ToString::to_string).collect();
    assert!(refused.is_empty(), "{} rows are refused:\n{}", refused.len(), refused.join("\n"));
    assert!(report.rows >= FLOOR, "only {} rows: if many were removed on purpose, lower FLOOR", report.rows);
}
