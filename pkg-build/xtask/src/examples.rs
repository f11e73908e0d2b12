//! The examples of the npm package: `cargo xtask examples` builds all of them with their bundlers, opens each in Chromium,
//! runs the package under every runtime, and writes tests/packaging/EXAMPLES.md. `cargo xtask test` does the same with the
//! quick ones, and writes nothing.

use std::process::Command;

use anyhow::Result;

use super::node_tests;
use super::npm;
use super::process;
use super::setup;
use super::size::Size;
use super::workspace::Workspace;
use super::wrangler;

/// The test of the examples.
const TEST: &str = "tests/packaging/examples/examples.test.mjs";

/// What builds the examples and writes the figures.
const FIGURES: &str = "tests/packaging/examples/figures.mjs";

/// Builds, opens and measures every example.
pub fn run(workspace: &Workspace) -> Result<()> {
    setup::worker(workspace)?;
    npm::build(workspace, Size::Small)?;
    let chromium = setup::examples(workspace)?.browser;
    let mut command = workspace.command("node")?;
    command.arg(FIGURES).env("CHROMIUM", chromium).env("NEXT_TELEMETRY_DISABLED", "1").envs(wrangler::QUIET);
    process::run(command)
}

/// The test of the examples that are built in seconds.
pub fn quick_tests(workspace: &Workspace) -> Result<Command> {
    let chromium = setup::quick_examples(workspace)?.browser;
    node_tests::of_pages(workspace, &[], TEST, &chromium)
}
