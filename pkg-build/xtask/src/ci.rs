//! `cargo xtask ci`: all checks that a change must pass.

use anyhow::Result;

use super::ahead::Ahead;
use super::checks::{self, Checks};
use super::deny;
use super::fuzz;
use super::mutants;
use super::platforms;
use super::prepared::{Prepared, Step};
use super::python;
use super::setup;
use super::suite::{self, Run, Suite};
use super::test;
use super::workspace::Workspace;

/// Clippy on everything compiled to wasm: the Worker, the JavaScript module, and their tests.
const CLIPPY_WASM: [&str; 18] = [
    "clippy",
    "--target",
    "wasm32-unknown-unknown",
    "--package",
    "toponym-edge",
    "--package",
    "toponym-js",
    "--package",
    "toponym-tests",
    "--lib",
    "--test",
    "anywhere",
    "--test",
    "web",
    "--no-deps",
    "--",
    "--deny",
    "warnings",
];

/// The same on the Worker that `cargo xtask bench --crossing` measures, so that it stays one that compiles.
const CLIPPY_LIBRARY: [&str; 12] = [
    "clippy",
    "--target",
    "wasm32-unknown-unknown",
    "--package",
    "toponym-edge",
    "--lib",
    "--features",
    "library-crossing",
    "--no-deps",
    "--",
    "--deny",
    "warnings",
];

/// What a person compiles who only geocodes.
const CHECK_TERMINAL: [&str; 4] = ["check", "--package", "toponym-cli", "--no-default-features"];

/// What not everybody has: Java, and half a gigabyte of packages.
const ON_SPARK: Suite =
    Suite { name: "Python on Spark", needs: Some(Step::Index), run: Run::Other(python::tests_on_spark) };

/// The suites of `cargo xtask test`, those of `cargo xtask platforms`, and Spark.
fn suites() -> impl Iterator<Item = &'static Suite> {
    test::SUITES.iter().chain(&platforms::SUITES).chain([&ON_SPARK])
}

/// Checks format, lints, documentation and dependencies, then runs every suite, the fuzz targets and mutants of changed
/// lines.
pub fn run(workspace: &Workspace) -> Result<()> {
    let mut checks = Checks::default();
    let lints = checks.run("rustfmt and clippy are installed", || checks::preparation(|| setup::lints(workspace)));
    checks.run_after(lints, "format", || checks::command(workspace.cargo(&["fmt", "--all", "--check"])?));
    checks.run_after(lints, "clippy", || {
        let arguments = ["clippy", "--workspace", "--all-targets", "--keep-going", "--", "--deny", "warnings"];
        checks::command(workspace.cargo(&arguments)?)
    });
    checks.run("documentation", || {
        let mut command =
            workspace.cargo(&["doc", "--workspace", "--no-deps", "--document-private-items", "--keep-going"])?;
        command.env("RUSTDOCFLAGS", "--deny warnings");
        checks::command(command)
    });
    let mut prepared = Prepared::new(workspace);
    let tools = prepared.reach(Step::Tools, &mut checks);
    checks.run_after(lints && tools, "clippy on wasm", || checks::command(workspace.cargo(&CLIPPY_WASM)?));
    checks.run_after(lints && tools, "clippy on the crossing by the crate", || {
        checks::command(workspace.cargo(&CLIPPY_LIBRARY)?)
    });
    checks.run("the terminal without the builder", || checks::command(workspace.cargo(&CHECK_TERMINAL)?));
    let ahead = prepared.reach(Step::Index, &mut checks).then(|| Ahead::start("ci"));
    suite::add(workspace, suites(), &mut prepared, &mut checks);
    checks.run("what the last checks need", || {
        ahead.into_iter().for_each(Ahead::finish);
        Ok(checks::passed("prepared beside the tests"))
    });
    checks.run("licences and sources", || deny::licences_and_sources(workspace));
    checks.run("advisories", || deny::advisories(workspace));
    checks.run("fuzz targets", || fuzz::briefly(workspace));
    checks.run("changed lines are tested", || mutants::in_ci(workspace));
    checks.finish()
}

/// Prepares what the suites and the last checks need, after the index.
pub fn prepare(workspace: &Workspace) -> Result<()> {
    test::prepare(workspace)?;
    setup::licences(workspace)?;
    setup::mutants(workspace)?;
    fuzz::compile_briefly(workspace)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::path::Path;

    use super::*;

    /// The end of the names of tests in Node.
    const TEST: &str = ".test.mjs";

    #[test]
    fn every_suite_has_a_name_of_its_own() {
        let names: BTreeSet<_> = suites().map(|suite| suite.name).collect();
        assert_eq!(names.len(), suites().count(), "{names:?}");
    }

    #[test]
    fn every_test_in_node_belongs_to_one_suite() {
        let root = Workspace::find().root().to_path_buf();
        let mut files = BTreeSet::new();
        collect(&root, "tests", &mut files);
        assert!(!files.is_empty(), "the folder of tests is elsewhere");
        let mut runs: BTreeMap<&str, Vec<&str>> = files.iter().map(|file| (file.as_str(), Vec::new())).collect();
        for suite in suites() {
            let Run::Node(pattern, _) = suite.run else { continue };
            let of_suite: Vec<_> = files.iter().filter(|file| matches(pattern, file)).collect();
            assert!(!of_suite.is_empty(), "{}: no file is {pattern}", suite.name);
            of_suite.iter().for_each(|file| runs.entry(file).or_default().push(suite.name));
        }
        let wrong: Vec<_> = runs.iter().filter(|(_, suites)| suites.len() != 1).collect();
        assert!(wrong.is_empty(), "not in one suite: {wrong:?}");
    }

    /// Whether the pattern is the path of the file, or that of its folder before `*.test.mjs`.
    fn matches(pattern: &str, file: &str) -> bool {
        let of_folder = pattern.strip_suffix(TEST).and_then(|start| start.strip_suffix('*'));
        of_folder.map_or(pattern == file, |folder| file.strip_prefix(folder).is_some_and(|name| !name.contains('/')))
    }

    fn collect(root: &Path, folder: &str, files: &mut BTreeSet<String>) {
        for entry in fs_err::read_dir(root.join(folder)).expect("the folder is there") {
            let entry = entry.expect("the folder can be read");
            let name = entry.file_name().into_string().expect("names are text");
            let path = format!("{folder}/{name}");
            if name == "node_modules" {
                continue;
            } else if entry.path().is_dir() {
                collect(root, &path, files);
            } else if name.ends_with(TEST) {
                files.insert(path);
            }
        }
    }
}
