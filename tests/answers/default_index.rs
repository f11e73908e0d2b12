//! The default index, read once for all tests: its bytes, the engine over it, and its places.

use std::sync::LazyLock;

use toponym_engine::{Engine, Gazetteer};
use toponym_workload::gazetteer;

/// The bytes of `build/index.toponym`, or of the index that TOPONYM_INDEX names.
pub static BYTES: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../build/index.toponym");
    let path = std::env::var("TOPONYM_INDEX").unwrap_or_else(|_| default.to_owned());
    let remedy = "build it with `cargo toponym index`, or name another one in TOPONYM_INDEX";
    std::fs::read(&path).unwrap_or_else(|error| panic!("no index at {path} ({error}): {remedy}"))
});

/// The engine over the index.
pub static ENGINE: LazyLock<Engine> = LazyLock::new(|| Engine::open(BYTES.clone()).expect("the index is whole"));

/// The places of the index.
pub static GAZETTEER: LazyLock<Gazetteer> =
    LazyLock::new(|| gazetteer(BYTES.clone()).expect("the index can be read back"));
