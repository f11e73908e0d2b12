//! `cargo xtask mcp`: the npm package of the MCP server, in `build/mcp`, beside the package that it answers from; and its
//! tests.

use std::path::Path;

use anyhow::{Result, ensure};
use fs_err as fs;

use super::checks::{self, Checks};
use super::npm;
use super::setup;
use super::size::Size;
use super::test;
use super::toponym;
use super::workspace::Workspace;

/// The placeholder for the version of the workspace, of the server and of the package that it depends on.
const NO_VERSION: &str = "\"0.0.0\"";

/// Builds both packages.
pub fn run(workspace: &Workspace) -> Result<()> {
    setup::worker(workspace)?;
    toponym::ensure_index_and_core(workspace)?;
    npm::build(workspace, Size::Small)?;
    build(workspace)
}

/// Adds the tests of the server on its own and on the service; they need the npm package and the Worker.
pub fn add_tests(workspace: &Workspace, built: bool, checks: &mut Checks) {
    checks.run_after(built, "MCP server, offline and on the service", || {
        setup::mcp_tests(workspace)?;
        build(workspace)?;
        checks::tests(test::node_tests(workspace, "tests/mcp/*.test.mjs")?)
    });
}

/// Copies the sources to `build/mcp`, with the version in place.
fn build(workspace: &Workspace) -> Result<()> {
    let sources = workspace.root().join("pkg-build").join("mcp");
    npm::place(workspace, "mcp", |folder| {
        npm::copy_all(&sources.join("src"), folder)?;
        for name in ["README.md", "LICENSE-APACHE", "LICENSE-MIT"] {
            fs::copy(sources.join(name), folder.join(name))?;
        }
        manifest(&sources, folder)
    })
}

fn manifest(sources: &Path, folder: &Path) -> Result<()> {
    let text = fs::read_to_string(sources.join("package.json"))?;
    ensure!(
        text.matches(NO_VERSION).count() == 2,
        "package.json of the MCP server lacks a placeholder for the version"
    );
    Ok(fs::write(folder.join("package.json"), text.replace(NO_VERSION, &npm::version()))?)
}
