//! Installs everything that a fresh machine lacks. Parts that are already there in the right version are skipped;
//! incomplete ones are redone. Downloads use the usual clients: rustup, cargo, npm, pip, apt.

pub mod browser;
mod cargo_tools;
mod node_packages;
mod python_packages;
mod rust;
mod virtual_env;

use anyhow::Result;
use toponym_terminal::prerequisites::{Need, require};
use toponym_terminal::report;

use super::workspace::Workspace;
pub use virtual_env::VirtualEnv;

/// Requirements of the wheel's tests, of its tests on Spark, and of its measurements.
const PYTHON: &str = "engine/python/requirements.txt";
const SPARK: &str = "engine/python/requirements-spark.txt";
const PEERS: &str = "engine/python/bench/requirements.txt";

/// Installs all tools except the browser, which the tests that need it install.
pub fn everything(workspace: &Workspace) -> Result<()> {
    worker(workspace)?;
    wasm_tests(workspace)?;
    conformance(workspace)?;
    python(workspace)?;
    rust::lints(workspace)?;
    fuzzing(workspace)?;
    licences(workspace)?;
    mutants(workspace)?;
    report::remark("the tools are set up");
    Ok(())
}

/// Tools to build and run the Worker.
pub fn worker(workspace: &Workspace) -> Result<()> {
    require(&needs(workspace)?)?;
    rust::wasm_target(workspace)?;
    rust::library_source(workspace)?;
    node_packages::install(workspace, &workspace.edge())
}

/// Tools that run the wasm tests.
pub fn wasm_tests(workspace: &Workspace) -> Result<()> {
    cargo_tools::install(workspace, &cargo_tools::WASM_TESTS)
}

/// Tools that compare the running service with openapi.yaml.
pub fn conformance(workspace: &Workspace) -> Result<()> {
    python_packages::install(workspace)
}

/// The environment that builds and tests the wheel.
pub fn python(workspace: &Workspace) -> Result<VirtualEnv> {
    VirtualEnv::ensure(workspace, "python", &[PYTHON])
}

/// The same with Spark, which needs Java.
pub fn python_spark(workspace: &Workspace) -> Result<VirtualEnv> {
    require(&[Need::Java])?;
    VirtualEnv::ensure(workspace, "python-spark", &[PYTHON, SPARK])
}

/// The same with Spark and the packages that the wheel is compared with.
pub fn python_bench(workspace: &Workspace) -> Result<VirtualEnv> {
    require(&[Need::Java])?;
    VirtualEnv::ensure(workspace, "python-bench", &[PYTHON, SPARK, PEERS])
}

/// Further tools for the tests of the pages: the driver and the browser.
pub fn browser_tests(workspace: &Workspace) -> Result<browser::Browser> {
    node_packages::install(workspace, &workspace.root().join("tests"))?;
    browser::ensure(workspace)
}

/// Further tools that measure the pages: Lighthouse and the browser.
pub fn lighthouse(workspace: &Workspace) -> Result<browser::Browser> {
    node_packages::install(workspace, &workspace.root().join("tests").join("lighthouse"))?;
    browser::ensure(workspace)
}

/// Further tools for the tests of the npm package: a bundler, a type checker, the browser.
pub fn packaging_tests(workspace: &Workspace) -> Result<browser::Browser> {
    node_packages::install(workspace, &workspace.root().join("tests").join("packaging"))?;
    browser::ensure(workspace)
}

/// Further tools for the examples of the npm package: their bundlers, and Next.js, of some 350 MB.
pub fn examples_tests(workspace: &Workspace) -> Result<browser::Browser> {
    example_tools(workspace, "bundlers")?;
    example_tools(workspace, "next")?;
    packaging_tests(workspace)
}

/// The tools for the figures of all examples: Deno, Bun, frameworks and maps as well, of some 350 MB more.
pub fn examples(workspace: &Workspace) -> Result<browser::Browser> {
    example_tools(workspace, "runtimes")?;
    components_tests(workspace)?;
    examples_tests(workspace)
}

fn example_tools(workspace: &Workspace, name: &str) -> Result<()> {
    node_packages::install(workspace, &workspace.root().join("tests/packaging/examples").join(name))
}

/// What the tests of the MCP server need: the client of its protocol, and what the server itself depends on.
pub fn mcp_tests(workspace: &Workspace) -> Result<()> {
    node_packages::install(workspace, &workspace.root().join("tests").join("mcp"))
}

/// What the Worker needs on a machine of one's own.
pub fn selfhost(workspace: &Workspace) -> Result<()> {
    node_packages::install(workspace, &workspace.edge().join("selfhost"))
}

/// Further tools for the tests of the search field, its wrappers and the map adapters: frameworks, maps, a bundler.
pub fn components_tests(workspace: &Workspace) -> Result<browser::Browser> {
    node_packages::install(workspace, &workspace.root().join("tests").join("components"))?;
    packaging_tests(workspace)
}

/// Tools that build the fuzz targets.
pub fn fuzzing(workspace: &Workspace) -> Result<()> {
    cargo_tools::install(workspace, &cargo_tools::FUZZ)
}

/// Tools that check licences and advisories.
pub fn licences(workspace: &Workspace) -> Result<()> {
    cargo_tools::install(workspace, &cargo_tools::DENY)
}

/// Tools that run mutation tests.
pub fn mutants(workspace: &Workspace) -> Result<()> {
    cargo_tools::install(workspace, &cargo_tools::MUTANTS)
}

/// rustfmt and clippy.
pub fn lints(workspace: &Workspace) -> Result<()> {
    rust::lints(workspace)
}

/// Programs that the machine needs for the remaining steps, including the index. Checked before the first long step;
/// nothing is needed once everything is installed.
fn needs(workspace: &Workspace) -> Result<Vec<Need>> {
    let mut needs = Vec::new();
    if !node_packages::are_current(&workspace.edge())? {
        needs.push(Need::Npm);
    }
    if !workspace.index().is_file() {
        needs.extend([Need::Npm, Need::Pip]);
    }
    needs.dedup();
    Ok(needs)
}
