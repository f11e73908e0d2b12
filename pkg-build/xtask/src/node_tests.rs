//! Tests in Node.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::workspace::Workspace;
use super::wrangler;

/// Timeout of one test in milliseconds, so that a hanging one does not block the whole run.
const TIMEOUT: &str = "--test-timeout=300000";

/// For tests that mostly wait, for the browser or the clock. The integration tests take 3.6 minutes this way, and 6.6 one by one.
pub const TWO_FILES_AT_A_TIME: &str = "--test-concurrency=2";

/// What runs the tests in `files`, a pattern.
pub fn command(workspace: &Workspace, files: &str) -> Result<Command> {
    with_flags(workspace, &[], files)
}

/// The same with flags of Node.
pub fn with_flags(workspace: &Workspace, flags: &[&str], files: &str) -> Result<Command> {
    let mut command = workspace.command("node")?;
    command.args(["--test", "--test-reporter=spec", TIMEOUT]).args(flags).arg(files).envs(wrangler::QUIET);
    Ok(command)
}

/// The same for tests that build pages and open them in Chromium. A bundler keeps handles open after it is closed: the run ends
/// with its last test.
pub fn of_pages(workspace: &Workspace, flags: &[&str], files: &str, chromium: &Path) -> Result<Command> {
    let mut command = with_flags(workspace, &[&["--test-force-exit"], flags].concat(), files)?;
    command.env("CHROMIUM", chromium);
    Ok(command)
}
