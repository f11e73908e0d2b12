//! Properties that must hold for any input. A target is a function of bytes that panics if a property is violated;
//! libFuzzer searches for such bytes (`cargo xtask fuzz`), and `tests/replay.rs` runs every target on the inputs in the
//! repository.
//!
//! | Path | What it holds |
//! |---|---|
//! | `inputs/TARGET.txt` | inputs to start from, inputs that failed once, and words that the search puts into inputs: [`inputs`] |
//! | `src/bin/fuzz.rs` | the program with libFuzzer |

pub mod added;
pub mod columns;
pub mod http;
pub mod index_bytes;
pub mod inputs;
pub mod ledger;
pub mod questions;
pub mod records;
pub mod service;
pub mod world;

#[path = "../../../edge-worker/tests/service/gazetteer.rs"]
mod gazetteer;
#[expect(dead_code, reason = "written for the tests of the service, which use more of it")]
#[path = "../../../edge-worker/tests/service/support/mod.rs"]
mod support;

/// A property, by the name of its files.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Name as in `cargo xtask fuzz NAME`.
    pub name: &'static str,
    /// Panics where something does not hold.
    pub run: fn(&[u8]),
}

/// Every target.
pub const TARGETS: [Target; 16] = [
    Target { name: "added_csv", run: added::csv },
    Target { name: "added_geonames", run: added::geonames },
    Target { name: "added_json", run: added::json },
    Target { name: "autocomplete", run: questions::autocomplete },
    Target { name: "bodies", run: http::bodies },
    Target { name: "columns", run: columns::columns },
    Target { name: "fold", run: questions::fold },
    Target { name: "forward", run: questions::forward },
    Target { name: "headers", run: http::headers },
    Target { name: "index_bytes", run: index_bytes::index_bytes },
    Target { name: "ledger", run: ledger::ledger },
    Target { name: "query", run: http::query },
    Target { name: "records", run: records::records },
    Target { name: "restrictions", run: http::restrictions },
    Target { name: "reverse", run: questions::reverse },
    Target { name: "service", run: service::service },
];
