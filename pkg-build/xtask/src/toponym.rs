//! Runs `toponym`, the operator's command, for tasks that need the builder, the engine or the deployment.
//!
//! Cargo rebuilds only this program when it has changed; no task is recompiled.

use std::env::consts::EXE_EXTENSION;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};
use clap::Args;
use toponym_terminal::process;
use toponym_terminal::report::{self, Work};
use toponym_terminal::workspace::Workspace;

/// Arguments of cargo that run the crate, with the same features as in the native tests, so that none is compiled
/// again.
const RUN: [&str; 3] = ["run", "--package", "toponym-cli"];

/// Compiling `toponym` for the first time. Cargo shows what it compiles.
const COMPILATION: Work = Work::shared(150);

/// The indexes that a Worker answers from.
#[derive(Args, Debug, Default)]
pub struct Indexes {
    /// The index, or the folder of one in pages; several answer together, of which the first may be in pages [default: build/index.toponym]
    #[arg(long, value_name = "FILE")]
    index: Vec<PathBuf>,
}

impl Indexes {
    /// Returns the arguments by which `toponym` knows them, in whatever folder it runs.
    pub fn arguments(&self) -> Result<Vec<OsString>> {
        let absolute = self.index.iter().map(|path| Ok(["--index".into(), std::path::absolute(path)?.into()]));
        Ok(absolute.collect::<Result<Vec<[OsString; 2]>>>()?.into_iter().flatten().collect())
    }
}

/// Brings the index that the Worker is built with up to date. Afterwards `toponym` is compiled.
pub fn ensure_index(workspace: &Workspace) -> Result<()> {
    up_to_date(workspace, &[])
}

/// Brings the index and those of the core pack and of the first one up to date, of the same places if they are not.
pub fn ensure_index_and_core(workspace: &Workspace) -> Result<()> {
    up_to_date(workspace, &["--with-core"])
}

/// Brings the indexes of these options of `toponym index` up to date.
pub fn up_to_date(workspace: &Workspace, which: &[&str]) -> Result<()> {
    let program = workspace.target().join("debug").join("toponym").with_extension(EXE_EXTENSION);
    if !program.is_file() {
        report::remark(&format!("`toponym`, which builds the index, is compiled first ({COMPILATION})"));
    }
    let mut command = workspace.cargo(&RUN)?;
    command.args(["--", "index", "--if-stale"]).args(which);
    process::run(command).context("the index could not be built")
}

/// Creates the command `toponym` with `arguments`, run in the root folder.
pub fn command<A: AsRef<OsStr>>(workspace: &Workspace, arguments: &[A]) -> Result<Command> {
    let mut command = workspace.cargo(&RUN)?;
    // Cargo's own output would mix with that of the task.
    command.args(["--quiet", "--"]).args(arguments);
    Ok(command)
}
