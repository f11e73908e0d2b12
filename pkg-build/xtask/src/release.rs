//! `cargo xtask release`: everything that people install, in build/release/VERSION. `pkg-build/release/release.py` makes it.

use std::ffi::OsStr;
use std::process::Command;

use anyhow::Result;
use toponym_terminal::process;
use toponym_terminal::workspace::Workspace;

use super::checks::Summary;
use super::checks::output::Output;
use super::setup::{self, VirtualEnv};
use super::{node_tests, python, toponym};

/// Makes the files, as the arguments say.
pub fn run(workspace: &Workspace, arguments: &[String]) -> Result<()> {
    process::run(make(workspace, arguments)?)
}

/// Makes the files as for tests, and installs them as strangers do. Their version is that of the workspace, so that nothing is
/// compiled again.
pub fn test(workspace: &Workspace, output: &mut Output<'_>) -> Result<Summary> {
    setup::npm(workspace, &["tests", "tests/packaging/installed"])?;
    output.run(make(workspace, &[env!("CARGO_PKG_VERSION"), "--dry-run", "--quick"])?)?;
    output.tests(node_tests::command(workspace, "tests/packaging/installed/*.test.mjs")?)
}

fn make<A: AsRef<OsStr>>(workspace: &Workspace, arguments: &[A]) -> Result<Command> {
    setup::worker(workspace)?;
    toponym::ensure_index_and_core(workspace)?;
    python::beside(workspace)?;
    let environment = VirtualEnv::ensure(workspace, "release", &["pkg-build/release/requirements.txt"])?;
    let mut command = environment.command(workspace, "python")?;
    command.args(["-B", "pkg-build/release/release.py"]).args(arguments);
    Ok(command)
}
