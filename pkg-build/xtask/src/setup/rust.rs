//! Adds to the Rust toolchain: the wasm target, the source of the standard library (the Worker is built with one that
//! unwinds), rustfmt and clippy.

use std::path::PathBuf;

use anyhow::Result;
use toponym_terminal::prerequisites::{Need, require};
use toponym_terminal::process;
use toponym_terminal::report::Work;
use toponym_terminal::workspace::Workspace;

/// The target of the Worker.
const WASM: &str = "wasm32-unknown-unknown";

/// Unpacking a component.
const ADDITION: Work = Work::alone(5);

/// Adds the target wasm32-unknown-unknown.
pub fn wasm_target(workspace: &Workspace) -> Result<()> {
    let library = rustc_path(workspace, &["--print", "target-libdir", "--target", WASM])?;
    if library.is_dir() { Ok(()) } else { rustup(workspace, &["target", "add", WASM]) }
}

/// Adds the source of the standard library.
pub fn library_source(workspace: &Workspace) -> Result<()> {
    let sysroot = rustc_path(workspace, &["--print", "sysroot"])?;
    let manifest = sysroot.join("lib/rustlib/src/rust/library/Cargo.toml");
    if manifest.is_file() { Ok(()) } else { rustup(workspace, &["component", "add", "rust-src"]) }
}

/// Adds rustfmt and clippy to the toolchain.
pub fn lints(workspace: &Workspace) -> Result<()> {
    for (subcommand, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        if !process::succeeds(workspace.cargo(&[subcommand, "--version"])?) {
            rustup(workspace, &["component", "add", component])?;
        }
    }
    Ok(())
}

fn rustc_path(workspace: &Workspace, arguments: &[&str]) -> Result<PathBuf> {
    Ok(workspace.output("rustc", arguments)?.into())
}

fn rustup(workspace: &Workspace, arguments: &[&str]) -> Result<()> {
    require(&[Need::Rustup])?;
    let mut command = workspace.command("rustup")?;
    command.args(arguments);
    process::run_as(&format!("rustup {} ({ADDITION}, and the download)", arguments.join(" ")), command)
}
