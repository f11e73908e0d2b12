//! `cargo xtask selfhost`: the folder that runs the service on a machine of one's own, `build/selfhost`; and its tests.
//! `edge-worker/SELFHOST.md` describes it.

use std::process::Command;

use anyhow::Result;
use toponym_terminal::report::{self, Work};

use super::indexes::Indexes;
use super::node_tests;
use super::process;
use super::setup;
use super::size::Size;
use super::toponym;
use super::worker;
use super::workspace::Workspace;

/// The script that makes the folder.
const MAKE: &str = "edge-worker/selfhost/make.mjs";

/// It bundles the Worker, and copies it with workerd.
const BUNDLE: Work = Work::alone(5);

/// Builds the Worker with these indexes, and the folder.
pub fn run(workspace: &Workspace, indexes: &Indexes) -> Result<()> {
    setup::worker(workspace)?;
    toponym::ensure_index_and_core(workspace)?;
    worker::build(workspace, Size::Small, indexes)?;
    make(workspace)?;
    report::remark("build/selfhost is ready; its README.md says how to install it");
    Ok(())
}

/// Makes the folder of the Worker, which is built, and returns what runs its tests.
pub fn tests(workspace: &Workspace, files: &str) -> Result<Command> {
    make(workspace)?;
    node_tests::command(workspace, files)
}

fn make(workspace: &Workspace) -> Result<()> {
    setup::selfhost(workspace)?;
    let mut command = workspace.command("node")?;
    command.arg(MAKE).envs(super::wrangler::QUIET);
    report::step(&format!("make build/selfhost ({BUNDLE})"), |line| process::run_behind(line, command))
}
