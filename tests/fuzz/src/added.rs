//! Fuzz targets for imported files, from their bytes to the index.

use std::sync::LazyLock;

use toponym_builder::BuildError;
use toponym_builder::fuzz::index_with;
use toponym_builder::inspect::{Contents, verify};
use toponym_engine::Engine;

use crate::world::ask_everything;

/// The line before each further file of an input.
const NEXT_FILE: &[u8] = b"\n===\n";

/// Builds an index with a CSV file: the plain schema, or that of OurAirports.
pub fn csv(data: &[u8]) {
    build(&[("places.csv", data)]);
}

/// Builds an index with a GeoJSON file, or one of a JSON object per line.
pub fn json(data: &[u8]) {
    build(&[("places.geojson", data)]);
    build(&[("places.ndjson", data)]);
}

/// Builds an index with files of GeoNames, each known by its first row, between lines of `===`.
pub fn geonames(data: &[u8]) {
    let mut files = Vec::new();
    let mut rest = data;
    while let Some(at) = rest.windows(NEXT_FILE.len()).position(|bytes| bytes == NEXT_FILE) {
        files.push(("places.txt", &rest[..at + 1]));
        rest = &rest[at + NEXT_FILE.len()..];
    }
    files.push(("places.txt", rest));
    build(&files);
}

/// Builds an index with the files: either it is rejected with the file's name and line, or it is valid.
fn build(files: &[(&str, &[u8])]) {
    let bytes = match index_with(files) {
        Ok(bytes) => bytes,
        Err(
            BuildError::Unrecognised { .. }
            | BuildError::SameName { .. }
            | BuildError::Broken { .. }
            | BuildError::TooManyBad { .. },
        ) => return,
        // The message names the two places with the same id.
        Err(BuildError::Collision { .. }) => return,
        Err(error) => panic!("no file is named: {error}"),
    };
    let contents = Contents::open(bytes.clone()).expect("an index just written opens");
    let new = || verify(&contents).lines().filter(|line| !USUAL_FAULTS.contains(line)).collect::<Vec<_>>();
    assert!(new().is_empty(), "{:?}", new());
    ask_everything(&Engine::open(bytes).expect("an index just written opens"));
}

/// The errors of verifying the small world without any file, which lacks data of the real one.
static USUAL_FAULTS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let bytes = index_with(&[]).expect("the world by itself is sound");
    verify(&Contents::open(bytes).expect("an index just written opens")).lines().collect()
});
