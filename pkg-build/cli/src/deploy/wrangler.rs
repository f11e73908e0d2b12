//! The pinned wrangler.

use anyhow::Result;
use toponym_terminal::process;
use toponym_terminal::workspace::Workspace;

/// Installs the pinned wrangler, and the Node that runs it, if they are missing.
pub fn install(workspace: &Workspace) -> Result<()> {
    let command = workspace.cargo(&["xtask", "wrangler", "--version"])?;
    process::run_as("find wrangler, or install it", command)
}
