//! Checks of the sources: format, lints, documentation, dependencies.

use anyhow::Result;
use toponym_terminal::process;
use toponym_terminal::workspace::Workspace;

use super::checks::Summary;
use super::checks::output::Output;
use super::setup;

/// Checks the format.
pub fn format(workspace: &Workspace, output: &mut Output<'_>) -> Result<Summary> {
    setup::lints(workspace)?;
    output.run(workspace.cargo(&["fmt", "--all", "--check"])?)
}

/// Runs Clippy on everything that is compiled natively.
pub fn clippy(workspace: &Workspace, output: &mut Output<'_>) -> Result<Summary> {
    setup::lints(workspace)?;
    output.run(workspace.cargo(&[
        "clippy",
        "--workspace",
        "--all-targets",
        "--keep-going",
        "--",
        "--deny",
        "warnings",
    ])?)
}

/// Runs Clippy on everything that is compiled to wasm: the Worker, the JavaScript module, and their tests.
pub fn clippy_on_wasm(workspace: &Workspace, output: &mut Output<'_>) -> Result<Summary> {
    setup::lints(workspace)?;
    let target = ["clippy", "--target", "wasm32-unknown-unknown", "--no-deps"];
    let warnings = ["--", "--deny", "warnings"];
    let packages = ["--package", "toponym-edge", "--package", "toponym-js", "--lib"];
    let tests = ["--package", "toponym-wasm-tests", "--tests"];
    for part in [&packages[..], &tests] {
        output.run(workspace.cargo(&[&target, part, &warnings].concat())?)?;
    }
    Ok(Summary::default())
}

/// Builds the documentation of every crate, without warnings.
pub fn documentation(workspace: &Workspace, output: &mut Output<'_>) -> Result<Summary> {
    let mut command =
        workspace.cargo(&["doc", "--workspace", "--no-deps", "--document-private-items", "--keep-going"])?;
    command.env("RUSTDOCFLAGS", "--deny warnings");
    output.run(command)
}

/// Compiles what a person compiles who only geocodes.
pub fn terminal_without_builder(workspace: &Workspace, output: &mut Output<'_>) -> Result<Summary> {
    output.run(workspace.cargo(&["check", "--package", "toponym-cli", "--no-default-features"])?)
}

/// Checks that each dependency has an allowed licence and comes from the registry: `deny.toml` lists what is allowed, and why.
pub fn licences(workspace: &Workspace, output: &mut Output<'_>) -> Result<Summary> {
    let mut command = setup::cargo_deny(workspace)?;
    command.args(["--locked", "check", "--hide-inclusion-graph", "licenses", "bans", "sources"]);
    output.run(command)
}

/// Checks that no dependency has a known vulnerability or was yanked. The RustSec database is on a host that some networks
/// block: then the check is skipped, and the table says so.
pub fn advisories(workspace: &Workspace, output: &mut Output<'_>) -> Result<Summary> {
    let mut fetch = setup::cargo_deny(workspace)?;
    fetch.args(["--locked", "fetch", "db"]);
    if !process::succeeds(fetch) {
        return Ok(Summary::skipped("the RustSec database cannot be fetched"));
    }
    let mut command = setup::cargo_deny(workspace)?;
    command.args(["--locked", "check", "--disable-fetch", "advisories"]);
    output.run(command)
}
