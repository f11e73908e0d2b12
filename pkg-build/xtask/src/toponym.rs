//! `toponym`, the operator's command: what a task needs of the builder, the engine or the Worker's settings, it asks of it.
//!
//! Cargo builds it when it has changed, and then only it: no task is compiled anew.

use std::env;
use std::ffi::{OsStr, OsString};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use crate::process;
use crate::workspace::Workspace;

/// Optimised, as in `.cargo/config.toml`.
const RUN: [&str; 5] = ["run", "--profile", "xtask", "--package", "toponym-cli"];

/// Builds the index if there is none, or none that this version can read. Whatever runs `toponym` later finds it built.
pub fn ensure_index(workspace: &Workspace) -> Result<()> {
    let mut command = workspace.cargo(&RUN)?;
    command.args(["--", "index", "--if-missing"]);
    process::run(command).context("the index could not be built")
}

/// `toponym` with `arguments`, in the root folder.
pub fn command<A: AsRef<OsStr>>(workspace: &Workspace, arguments: &[A]) -> Result<Command> {
    let mut command = workspace.cargo(&RUN)?;
    // What cargo has to say would stand between the lines of a task.
    command.args(["--quiet", "--"]).args(arguments);
    Ok(command)
}

/// Runs `toponym` with `arguments` in place of this task: in the same folder, so that paths mean the same, and with its exit
/// code.
pub fn instead(workspace: &Workspace, arguments: impl Iterator<Item = OsString>) -> Result<ExitCode> {
    let mut command = workspace.cargo(&RUN)?;
    command.current_dir(env::current_dir()?).arg("--").args(arguments);
    replace(command)
}

/// As the same process, so that signals reach it.
#[cfg(unix)]
fn replace(mut command: Command) -> Result<ExitCode> {
    use std::os::unix::process::CommandExt;
    Err(command.exec()).context("cargo could not be started")
}

#[cfg(not(unix))]
fn replace(mut command: Command) -> Result<ExitCode> {
    let status = command.status().context("cargo could not be started")?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}
