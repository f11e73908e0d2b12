//! What cargo-deny says of the dependencies, for `cargo xtask ci`: `deny.toml` has what it lets pass, and why.

use anyhow::Result;

use super::checks::{self, Summary};
use super::process;
use super::setup;
use super::workspace::Workspace;

/// Whether each dependency is under a licence that is allowed, and comes from the registry.
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

/// Whether a dependency has a known defect, or was withdrawn. The RustSec database comes from a host that closed networks
/// refuse: without it nothing is checked, and the table of checks says so.
pub fn advisories(workspace: &Workspace) -> Result<Summary> {
    setup::licences(workspace)?;
    if !process::succeeds(workspace.cargo(&["deny", "--locked", "fetch", "db"])?) {
        return Ok(checks::left_out("the RustSec database cannot be fetched from here"));
    }
    checks::command(workspace.cargo(&["deny", "--locked", "check", "--disable-fetch", "advisories"])?)
}
