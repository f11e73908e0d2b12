//! The tools that cargo installs, into `.tools`, each in one version.

use std::env::consts::EXE_SUFFIX;
use std::path::PathBuf;

use anyhow::Result;
use toponym_terminal::report;

use super::super::process;
use super::super::versions;
use super::super::workspace::Workspace;

/// A tool.
pub struct Tool {
    package: &'static str,
    version: Version,
    /// As in `opt-level`: what runs for a moment is not worth its optimisation.
    optimisation: &'static str,
}

/// Which version of a tool it has to be.
enum Version {
    /// That of the library it goes with, in Cargo.lock.
    Of(&'static str),
    /// This one.
    Pinned(&'static str),
}

/// What building the Worker takes.
pub const WORKER: [Tool; 2] = [
    Tool { package: "wasm-bindgen-cli", version: Version::Of("wasm-bindgen"), optimisation: "1" },
    Tool { package: "worker-build", version: Version::Of("worker"), optimisation: "0" },
];

/// What builds the fuzz targets.
pub const FUZZ: [Tool; 1] = [Tool { package: "cargo-fuzz", version: Version::Pinned("0.13.2"), optimisation: "0" }];

/// What checks licences and advisories.
pub const DENY: [Tool; 1] = [Tool { package: "cargo-deny", version: Version::Pinned("0.20.2"), optimisation: "0" }];

/// What changes the code to see whether a test notices.
pub const MUTANTS: [Tool; 1] =
    [Tool { package: "cargo-mutants", version: Version::Pinned("27.1.0"), optimisation: "0" }];

/// Installs what of `tools` is not there in its version.
pub fn install(workspace: &Workspace, tools: &[Tool]) -> Result<()> {
    for (tool, version) in missing(workspace, tools)? {
        install_tool(workspace, tool, &version)?;
    }
    if scratch(workspace).is_dir() {
        fs_err::remove_dir_all(scratch(workspace))?;
    }
    Ok(())
}

/// Whether each of `tools` is there in its version.
pub fn are_installed(workspace: &Workspace, tools: &[Tool]) -> Result<bool> {
    Ok(missing(workspace, tools)?.is_empty())
}

fn missing<'t>(workspace: &Workspace, tools: &'t [Tool]) -> Result<Vec<(&'t Tool, String)>> {
    let lock = fs_err::read_to_string(workspace.root().join("Cargo.lock"))?;
    let mut missing = Vec::new();
    for tool in tools {
        let version = match tool.version {
            Version::Of(library) => versions::locked(&lock, library)?,
            Version::Pinned(version) => version.to_owned(),
        };
        if !is_installed(workspace, tool.package, &version) {
            missing.push((tool, version));
        }
    }
    Ok(missing)
}

fn is_installed(workspace: &Workspace, package: &str, version: &str) -> bool {
    let record = fs_err::read_to_string(workspace.tools().join(".crates.toml")).unwrap_or_default();
    let program_is_there = |program: &String| {
        let file = format!("{}{EXE_SUFFIX}", program.trim_end_matches(EXE_SUFFIX));
        workspace.tools().join("bin").join(file).is_file()
    };
    versions::installed(&record, package, version).is_some_and(|programs| programs.iter().all(program_is_there))
}

/// A debug build: it takes a third of the time of a release build to compile.
fn install_tool(workspace: &Workspace, tool: &Tool, version: &str) -> Result<()> {
    // `--force`: a program without its line in the record, or the reverse, is what an interruption leaves.
    let arguments = ["install", "--debug", "--locked", "--force", "--version", version, tool.package];
    let mut command = workspace.cargo(&arguments)?;
    command.arg("--root").arg(workspace.tools()).arg("--target-dir").arg(scratch(workspace));
    command.env("CARGO_PROFILE_DEV_DEBUG", "0").env("CARGO_PROFILE_DEV_OPT_LEVEL", tool.optimisation);
    let what = format!("cargo install {} {version} (some minutes, once)", tool.package);
    report::step(&what, |line| process::run_behind(line, command))
}

/// Kept until all tools are there, so that an interrupted installation goes on where it was.
fn scratch(workspace: &Workspace) -> PathBuf {
    workspace.tools().join("target")
}
