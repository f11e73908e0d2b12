//! `cargo xtask ci`: all checks that a change must pass.

use anyhow::Result;

use super::ahead::Ahead;
use super::checks::{self, Checks};
use super::deny;
use super::fuzz;
use super::mutants;
use super::setup;
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

/// Checks format, lints, documentation and dependencies, then runs every test, the fuzz targets and mutants of changed
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
    let tools = test::prepare(workspace, &mut checks);
    checks.run_after(lints && tools, "clippy on wasm", || checks::command(workspace.cargo(&CLIPPY_WASM)?));
    checks.run_after(lints && tools, "clippy on the crossing by the crate", || {
        checks::command(workspace.cargo(&CLIPPY_LIBRARY)?)
    });
    // Not sooner: the tools are installed into the same folder.
    let ahead = Ahead::start();
    test::add(workspace, tools, &mut checks);
    checks.run("what the last checks need", || {
        ahead.finish();
        Ok(checks::passed("prepared beside the tests"))
    });
    checks.run("licences and sources", || deny::licences_and_sources(workspace));
    checks.run("advisories", || deny::advisories(workspace));
    checks.run("fuzz targets", || fuzz::briefly(workspace));
    checks.run("changed lines are tested", || mutants::in_ci(workspace));
    checks.finish()
}
