//! The examples of the npm package: `cargo xtask examples` builds all of them with their bundlers, opens each in Chromium,
//! runs the package under every runtime, and writes tests/packaging/EXAMPLES.md. `cargo xtask test` does the same with the
//! quick ones, and writes nothing.

use std::process::Command;

use anyhow::Result;

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
    setup::packaging_tests(workspace)?;
    process::run(command(workspace, &[FIGURES])?)
}

/// The test of the examples that take seconds.
pub fn quick_tests(workspace: &Workspace) -> Result<Command> {
    // A bundler keeps handles open after it is closed.
    command(workspace, &["--test", "--test-force-exit", "--test-reporter=spec", "--test-timeout=300000", TEST])
}

fn command(workspace: &Workspace, arguments: &[&str]) -> Result<Command> {
    let chromium = setup::examples(workspace)?.browser;
    let mut command = workspace.command("node")?;
    command.args(arguments).env("CHROMIUM", chromium).env("NEXT_TELEMETRY_DISABLED", "1").envs(wrangler::QUIET);
    Ok(command)
}
