//! `cargo xtask lighthouse`: measures the pages `/` and `/status` with Lighthouse, against the service on this machine, and
//! writes tests/lighthouse/RESULTS.md. It fails if a score is below the floor.

use anyhow::Result;

use super::indexes::Indexes;
use super::process;
use super::setup;
use super::size::Size;
use super::toponym;
use super::worker;
use super::workspace::Workspace;
use super::wrangler;

/// What measures the pages.
const SCRIPT: &str = "tests/lighthouse/run.mjs";

/// Installs what is missing, builds the Worker with its pages as it is deployed, and measures them `runs` times each.
pub fn run(workspace: &Workspace, runs: u32) -> Result<()> {
    setup::worker(workspace)?;
    toponym::ensure_index(workspace)?;
    worker::build(workspace, Size::Small, &Indexes::default())?;
    let chromium = setup::lighthouse(workspace)?.browser;
    let mut command = workspace.command("node")?;
    command.arg(SCRIPT).env("CHROMIUM", chromium).env("RUNS", runs.to_string()).envs(wrangler::QUIET);
    process::run(command)
}
