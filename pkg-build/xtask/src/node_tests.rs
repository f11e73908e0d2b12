//! Tests in Node.

use std::process::Command;

use anyhow::Result;

use super::workspace::Workspace;
use super::wrangler;

/// Timeout of one test in milliseconds, so that a hanging one does not block the whole run.
pub const TIMEOUT: &str = "--test-timeout=300000";

/// What runs the tests in `files`, a pattern.
pub fn command(workspace: &Workspace, files: &str) -> Result<Command> {
    let mut command = workspace.command("node")?;
    command.args(["--test", "--test-reporter=spec", TIMEOUT, files]);
    command.envs(wrangler::QUIET);
    Ok(command)
}
