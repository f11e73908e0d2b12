//! Tests that no two files of a crate import each other, directly or through others.
//!
//! An import is a path to an item in another file of the crate, in a `use` or anywhere in the code. A re-export counts as
//! an import of the file that defines the item. Code that is only compiled for tests may import what it tests.

mod module;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;

use module::Crate;

/// Root files of the crates.
const CRATES: [&str; 11] = [
    "engine/src/lib.rs",
    "engine/js/src/lib.rs",
    "edge-worker/src/lib.rs",
    "pkg-build/builder/src/lib.rs",
    "pkg-build/cli/src/main.rs",
    "pkg-build/terminal/src/lib.rs",
    "pkg-build/xtask/src/main.rs",
    "tests/src/lib.rs",
    "tests/make/workload/src/lib.rs",
    "tests/fuzz/src/lib.rs",
    "tests/wasm/src/lib.rs",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Finds the cycles of a crate, each as its files in alphabetical order.
fn cycles_of(file: &Path) -> Vec<Vec<String>> {
    let folder = file.parent().expect("a file lies in a folder");
    let source = Crate::read(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let cycles = cycles(&source.imports());
    cycles
        .into_iter()
        .map(|files| {
            files.iter().map(|file| file.strip_prefix(folder).expect("in the crate").display().to_string()).collect()
        })
        .collect()
}

/// Finds the groups of files that can all reach each other, each in order, the group of the last file first.
fn cycles(imports: &BTreeMap<PathBuf, BTreeSet<PathBuf>>) -> Vec<Vec<PathBuf>> {
    let edges = imports.iter().flat_map(|(from, to)| to.iter().map(move |to| (from.as_path(), to.as_path())));
    let graph = DiGraphMap::<_, ()>::from_edges(edges);
    let mut cycles: Vec<Vec<PathBuf>> = tarjan_scc(&graph)
        .into_iter()
        .filter(|group| group.len() > 1)
        .map(|group| group.into_iter().map(PathBuf::from).collect::<BTreeSet<_>>().into_iter().collect())
        .collect();
    cycles.sort_by(|a, b| b.cmp(a));
    cycles
}

#[test]
fn no_files_import_each_other() {
    for file in CRATES {
        assert_eq!(cycles_of(&root().join(file)), Vec::<Vec<String>>::new(), "files of {file} that import each other");
    }
}

/// A crate with one cycle through a re-export, one through a path in the code, and none through tests; one of its modules is in
/// another folder, with a module of its own.
const EXAMPLE: [(&str, &str); 9] = [
    (
        "lib.rs",
        "#[path = \"room/cellar/kept.rs\"]\nmod kept;\nmod deep;\nmod names;\nmod paths;\nmod room;\nmod tested;\n\npub use names::Name;\n",
    ),
    ("deep.rs", "pub fn two() -> u8 {\n    crate::paths::one() + 1\n}\n"),
    ("paths.rs", "use crate::deep;\n\npub fn one() -> u8 {\n    deep::two() - 1\n}\n"),
    ("names.rs", "use crate::room::Table;\n\npub struct Name(Option<Box<Table>>);\n"),
    ("room/mod.rs", "mod table;\n\npub use table::Table;\n"),
    ("room/table.rs", "use crate::Name;\n\npub struct Table(Vec<Name>);\n"),
    ("room/cellar/kept.rs", "mod shelf;\n"),
    ("room/cellar/shelf.rs", "pub struct Shelf;\n"),
    ("tested.rs", "pub fn three() -> u8 {\n    3\n}\n\n#[cfg(test)]\nmod tests {\n    use crate::paths::one;\n}\n"),
];

#[test]
fn a_circle_is_found() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("imports");
    for (name, text) in EXAMPLE {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().expect("it lies in a folder")).expect("the folder is ours");
        std::fs::write(path, text).expect("the folder is ours");
    }
    let found = cycles_of(&folder.join("lib.rs"));
    assert_eq!(found, [["names.rs", "room/table.rs"], ["deep.rs", "paths.rs"]].map(|files| files.map(str::to_owned)));
}
