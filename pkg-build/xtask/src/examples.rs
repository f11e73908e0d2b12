//! The examples of the npm package: `cargo xtask examples` builds all of them with their bundlers, opens each in Chromium,
//! runs the package under every runtime, and writes tests/packaging/EXAMPLES.md. `cargo xtask test` does the same with the
//! quick ones, and writes nothing.

use std::path::Path;
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

/// Timeout of one test in milliseconds, as for the other tests in Node.
const TIMEOUT: &str = "--test-timeout=300000";

/// What builds the examples and writes the figures.
const FIGURES: &str = "tests/packaging/examples/figures.mjs";

/// Builds, opens and measures every example.
pub fn run(workspace: &Workspace) -> Result<()> {
    setup::worker(workspace)?;
    npm::build(workspace, Size::Small)?;
    let chromium = setup::examples(workspace)?.browser;
    process::run(in_node(workspace, &chromium, &[FIGURES])?)
}

/// The test of the examples that are built in seconds.
pub fn quick_tests(workspace: &Workspace) -> Result<Command> {
    let chromium = setup::quick_examples(workspace)?.browser;
    // A bundler keeps handles open after it is closed.
    in_node(workspace, &chromium, &["--test", "--test-force-exit", "--test-reporter=spec", TIMEOUT, TEST])
}

fn in_node(workspace: &Workspace, chromium: &Path, arguments: &[&str]) -> Result<Command> {
    let mut command = workspace.command("node")?;
    command.args(arguments).env("CHROMIUM", chromium).env("NEXT_TELEMETRY_DISABLED", "1").envs(wrangler::QUIET);
    Ok(command)
}
