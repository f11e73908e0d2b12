//! The tests of the search field, its wrappers for React and Vue, and the adapters for maps.

use std::process::Command;

use anyhow::Result;

use super::setup;
use super::workspace::Workspace;
use super::wrangler;

/// Timeout of one test in milliseconds.
const TIMEOUT: &str = "--test-timeout=120000";

/// The tests, which need the packages, the Worker and their npm packages.
pub fn tests(workspace: &Workspace) -> Result<Command> {
    let chromium = setup::components_tests(workspace)?.browser;
    let mut command = workspace.command("node")?;
    // A bundler keeps handles open after it is closed. Two files at a time: they mostly wait for the browser.
    let arguments = ["--test", "--test-force-exit", "--test-concurrency=2", "--test-reporter=spec", TIMEOUT];
    command.args(arguments).arg("tests/components/*.test.mjs");
    command.env("CHROMIUM", chromium).envs(wrangler::QUIET);
    Ok(command)
}
