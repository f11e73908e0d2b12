//! Everything that a fresh machine lacks. Each part is skipped where it is there in the right version, and done anew where
//! an interruption left half of it. Downloads go through the ordinary clients: rustup, cargo, npm, pip, apt.

pub mod browser;
mod cargo_tools;
mod node_packages;
mod python_packages;
mod rust;

use anyhow::Result;
use toponym_terminal::prerequisites::{Need, require};
use toponym_terminal::report;

use super::workspace::Workspace;

/// All tools; the browser is left to the tests that need it.
pub fn everything(workspace: &Workspace) -> Result<()> {
    worker(workspace)?;
    conformance(workspace)?;
    rust::lints(workspace)?;
    fuzzing(workspace)?;
    licences(workspace)?;
    mutants(workspace)?;
    report::remark("the tools are set up");
    Ok(())
}

/// What building and running the Worker takes, and the wasm tests.
pub fn worker(workspace: &Workspace) -> Result<()> {
    require(&needs(workspace)?)?;
    rust::wasm_target(workspace)?;
    rust::library_source(workspace)?;
    cargo_tools::install(workspace, &cargo_tools::WORKER)?;
    node_packages::install(workspace, &workspace.edge())
}

/// What compares the running service with its description.
pub fn conformance(workspace: &Workspace) -> Result<()> {
    python_packages::install(workspace)
}

/// What the tests of the pages take besides: the driver, and the browser.
pub fn browser_tests(workspace: &Workspace) -> Result<browser::Browser> {
    node_packages::install(workspace, &workspace.root().join("tests"))?;
    browser::ensure(workspace)
}

/// What the tests of the npm package take besides: a bundler, a type checker, the browser.
pub fn packaging_tests(workspace: &Workspace) -> Result<browser::Browser> {
    node_packages::install(workspace, &workspace.root().join("tests").join("packaging"))?;
    browser::ensure(workspace)
}

/// What builds the fuzz targets.
pub fn fuzzing(workspace: &Workspace) -> Result<()> {
    cargo_tools::install(workspace, &cargo_tools::FUZZ)
}

/// What checks licences and advisories.
pub fn licences(workspace: &Workspace) -> Result<()> {
    cargo_tools::install(workspace, &cargo_tools::DENY)
}

/// What changes the code to see whether a test notices.
pub fn mutants(workspace: &Workspace) -> Result<()> {
    cargo_tools::install(workspace, &cargo_tools::MUTANTS)
}

/// rustfmt and clippy.
pub fn lints(workspace: &Workspace) -> Result<()> {
    rust::lints(workspace)
}

/// What the machine must have for all that is still to be done, the index included: asked for before the first long step,
/// and of a machine that is set up not at all.
fn needs(workspace: &Workspace) -> Result<Vec<Need>> {
    let mut needs = Vec::new();
    if !cargo_tools::are_installed(workspace, &cargo_tools::WORKER)? {
        needs.push(Need::Compiler);
    }
    if !node_packages::are_current(&workspace.edge())? {
        needs.push(Need::Npm);
    }
    if !workspace.index().is_file() {
        needs.extend([Need::Npm, Need::Pip]);
    }
    needs.dedup();
    Ok(needs)
}
