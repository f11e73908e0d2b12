//! `cargo xtask build selfhost`: the folder that runs the service on a machine of one's own, `build/selfhost`.
//! `edge-worker/SELFHOST.md` describes it.

use anyhow::Result;
use toponym_terminal::report::{self, Work};

use super::indexes::Indexes;
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

/// Makes the folder of the Worker, which is built.
pub fn make(workspace: &Workspace) -> Result<()> {
    setup::npm(workspace, &["edge-worker/selfhost"])?;
    let mut command = workspace.command("node")?;
    command.arg(MAKE).envs(super::wrangler::QUIET);
    report::step(&format!("make build/selfhost ({BUNDLE})"), |line| process::run_behind(line, command))
}
