//! Checks what a program can see of the words: beginnings of docs, names, messages, lengths. CONTRIBUTING.md has the rules with their
//! reasons, and the table of measurements.
//!
//! ```text
//! cargo test --test answers words -- --nocapture                       # the table, and all messages
//! TOPONYM_TREE=../before cargo test --test answers words::table -- --nocapture    # the table of another checkout
//! ```

mod docs;
mod messages;
mod names;
mod shape;
mod source;

use std::path::{Path, PathBuf};

use docs::Docs;
use source::{Source, files_below};

/// Crates and folders with code of the project.
const PARTS: [&str; 10] = [
    "engine/src",
    "engine/js",
    "engine/python",
    "engine/tests",
    "edge-worker",
    "pkg-build/builder",
    "pkg-build/cli",
    "pkg-build/terminal",
    "pkg-build/xtask",
    "tests",
];

/// Returns the root of the checkout that is measured.
fn tree() -> PathBuf {
    std::env::var_os("TOPONYM_TREE").map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join(".."), PathBuf::from)
}

/// Reads the Rust files of a part.
fn sources(part: &str) -> Vec<Source> {
    let root = tree();
    let read = |path: &PathBuf| {
        let source = Source::read(path);
        let name = path.strip_prefix(&root).unwrap_or(path).display().to_string();
        Source { name, ..source }
    };
    files_below(&root.join(part), &["rs"]).iter().map(read).collect()
}

/// Fails with what breaks a rule in any part, if it is more than is allowed.
fn refuse(rule: &str, allowed: usize, list: impl Fn(&[Source]) -> Vec<String>) {
    let found: Vec<String> = PARTS.iter().flat_map(|part| list(&sources(part))).collect();
    assert!(found.len() <= allowed, "{rule}: {} of at most {allowed}:\n{}", found.len(), found.join("\n"));
}

/// Prints the table of measurements in CONTRIBUTING.md.
#[test]
fn table() {
    println!(
        "| Part | weak docs | docs of functions with a verb | examples | long test names | participles | \
         functions over {} lines | closures bound, in 1,000 lines | tuple `let`s, in 1,000 lines | \"is no\" |",
        shape::LONGEST
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for part in PARTS {
        let files = sources(part);
        let docs = Docs::of(&files);
        let lines: usize = files.iter().map(|file| file.lines.len()).sum();
        let in_thousand = |count: usize| count as f64 * 1_000.0 / lines.max(1) as f64;
        println!(
            "| {part} | {:.1} % | {:.0} % | {} | {} | {} | {} | {:.1} | {:.2} | {} |",
            docs.weak_share() * 100.0,
            docs.verb_share() * 100.0,
            docs.with_example,
            names::long_test_names(&files).len(),
            names::participles(&files).len(),
            shape::long_functions(&files).len(),
            in_thousand(shape::bound_closures(&files)),
            in_thousand(shape::tuple_lets(&files)),
            messages::with_no(&files).len(),
        );
        assert!(lines > 200, "{part} has {lines} lines");
    }
}
