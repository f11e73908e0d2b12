//! Runs cargo-deny on the dependencies for `cargo xtask ci`. `deny.toml` lists what is allowed, and why.

use anyhow::Result;

use super::checks::{self, Summary};
use super::process;
use super::setup;
use super::workspace::Workspace;

/// Checks that each dependency has an allowed licence and comes from the registry.
pub fn licences_and_sources(workspace: &Workspace) -> Result<Summary> {
    setup::licences(workspace)?;
    checks::command(workspace.cargo(&[
        "deny",
        "--locked",
        "check",
        "--hide-inclusion-graph",
        "licenses",
        "bans",
        "sources",
    ])?)
}

/// Checks that no dependency has a known vulnerability or was yanked. The RustSec database is on a host that some
/// networks block: then the check is skipped, and the table says so.
pub fn advisories(workspace: &Workspace) -> Result<Summary> {
    setup::licences(workspace)?;
    if !process::succeeds(workspace.cargo(&["deny", "--locked", "fetch", "db"])?) {
        return Ok(checks::skipped("the RustSec database cannot be fetched"));
    }
    checks::command(workspace.cargo(&["deny", "--locked", "check", "--disable-fetch", "advisories"])?)
}
