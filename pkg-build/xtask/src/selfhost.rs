//! `cargo xtask build selfhost`: the folder that runs the service on a machine of one's own, `build/selfhost`.
//! `edge-worker/SELFHOST.md` describes it.

use anyhow::Result;
use toponym_terminal::process;
use toponym_terminal::report::{self, Work};
use toponym_terminal::workspace::Workspace;

use super::setup;
use super::size::Size;
use super::toponym::{self, Indexes};
use super::worker;

/// The script that makes the folder.
const MAKE: &str = "edge-worker/selfhost/make.mjs";

/// Work to bundle the Worker, and to copy it with workerd.
const BUNDLE: Work = Work::alone(5);

/// Builds the Worker with these indexes, and the folder.
pub fn run(workspace: &Workspace, indexes: &Indexes) -> Result<()> {
    setup::worker(workspace)?;
    toponym::ensure_index_and_core(workspace)?;
    worker::build_with(workspace, Size::Small, indexes)?;
    make(workspace)?;
    report::remark("build/selfhost is ready; its README.md says how to install it");
    Ok(())
}

/// Makes the folder of the Worker, which is built.
pub fn make(workspace: &Workspace) -> Result<()> {
    setup::npm(workspace, &["edge-worker/selfhost"])?;
    let command = workspace.node(MAKE)?;
    process::run_as(&format!("make build/selfhost ({BUNDLE})"), command)
}
