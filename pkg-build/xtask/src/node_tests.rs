//! Tests in Node.

use std::process::Command;

use anyhow::Result;
use toponym_terminal::workspace::Workspace;

use super::setup;

/// Timeout of one test in milliseconds, so that a hanging one does not block the whole run.
const TIMEOUT: &str = "--test-timeout=300000";

/// For tests that mostly wait, for the browser or the clock.
const TWO_FILES_AT_A_TIME: &str = "--test-concurrency=2";

/// Returns what runs the tests in `files`, a pattern.
pub fn command(workspace: &Workspace, files: &str) -> Result<Command> {
    let mut command = workspace.node("--test")?;
    command.args(["--test-reporter=spec", TIMEOUT, TWO_FILES_AT_A_TIME]).arg(files);
    Ok(command)
}

/// Returns what runs tests that build pages and open them in Chromium. A bundler keeps handles open after it is closed: the run
/// ends with its last test.
pub fn in_chromium(workspace: &Workspace, files: &str) -> Result<Command> {
    let mut command = workspace.node("--test")?;
    command.args(["--test-force-exit", "--test-reporter=spec", TIMEOUT, TWO_FILES_AT_A_TIME]).arg(files);
    command.env("CHROMIUM", setup::browser::ensure(workspace)?.browser);
    Ok(command)
}
