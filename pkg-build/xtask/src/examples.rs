//! The examples of the npm packages: `cargo xtask examples` builds all of them with their bundlers, opens each in Chromium,
//! runs the package under every runtime, has packages and pages judged, and writes tests/packaging/EXAMPLES.md. `cargo xtask
//! platforms` builds and opens those of pkg-build/examples, and writes nothing.

use std::process::Command;

use anyhow::Result;

use super::node_tests;
use super::npm;
use super::process;
use super::setup;
use super::workspace::Workspace;
use super::wrangler;

/// The test of the examples.
pub const TEST: &str = "tests/packaging/examples/examples.test.mjs";

/// What builds the examples and writes the figures.
const FIGURES: &str = "tests/packaging/examples/figures.mjs";

/// Builds, opens and measures every example.
pub fn run(workspace: &Workspace) -> Result<()> {
    npm::run(workspace, None)?;
    let chromium = setup::examples(workspace)?.browser;
    let mut command = workspace.command("node")?;
    command.arg(FIGURES).env("CHROMIUM", chromium).env("NEXT_TELEMETRY_DISABLED", "1").envs(wrangler::QUIET);
    process::run(command)
}

/// What runs the test of the examples of pkg-build/examples.
pub fn tests(workspace: &Workspace, test: &str) -> Result<Command> {
    let chromium = setup::examples_tests(workspace)?.browser;
    node_tests::of_pages(workspace, &[], test, &chromium)
}
