//! Installs tools with cargo into `.tools`, each in a fixed version.

use std::env::consts::EXE_SUFFIX;
use std::path::PathBuf;

use anyhow::Result;
use toponym_terminal::report::{self, Work};

use super::super::process;
use super::super::versions;
use super::super::workspace::Workspace;

/// A tool.
pub struct Tool {
    package: &'static str,
    version: Version,
}

/// The required version of a tool.
enum Version {
    /// The version of the library it belongs to, in Cargo.lock.
    Of(&'static str),
    /// This one.
    Pinned(&'static str),
}

/// The runner of the wasm tests.
pub const WASM_TESTS: [Tool; 1] = [Tool { package: "wasm-bindgen-cli", version: Version::Of("wasm-bindgen") }];

/// An installation of wasm-bindgen-cli, the largest; the others take less than half of it.
const INSTALLATION: Work = Work::shared(160);

/// Tools that build the fuzz targets.
pub const FUZZ: [Tool; 1] = [Tool { package: "cargo-fuzz", version: Version::Pinned("0.13.2") }];

/// Tools that check licences and advisories.
pub const DENY: [Tool; 1] = [Tool { package: "cargo-deny", version: Version::Pinned("0.20.2") }];

/// Tools that run mutation tests.
pub const MUTANTS: [Tool; 1] = [Tool { package: "cargo-mutants", version: Version::Pinned("27.1.0") }];

/// Installs those of `tools` that are missing or have another version.
pub fn install(workspace: &Workspace, tools: &[Tool]) -> Result<()> {
    let missing = missing(workspace, tools)?;
    if missing.is_empty() {
        // Leaves the scratch folder alone, where another run may be installing others.
        return Ok(());
    }
    for (tool, version) in missing {
        install_tool(workspace, tool, &version)?;
    }
    if scratch(workspace).is_dir() {
        fs_err::remove_dir_all(scratch(workspace))?;
    }
    Ok(())
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

/// A debug build without optimisation: tools run for seconds. wasm-bindgen-cli compiles in 134 s of the processor instead of 343
/// this way, and reads the largest module of tests in 12 s instead of 5.
fn install_tool(workspace: &Workspace, tool: &Tool, version: &str) -> Result<()> {
    // `--force` repairs an interrupted installation, in which a program or its record is missing.
    let arguments = ["install", "--debug", "--locked", "--force", "--version", version, tool.package];
    let mut command = workspace.cargo(&arguments)?;
    command.arg("--root").arg(workspace.tools()).arg("--target-dir").arg(scratch(workspace));
    command.env("CARGO_PROFILE_DEV_DEBUG", "0").env("CARGO_PROFILE_DEV_OPT_LEVEL", "0");
    let what = format!("cargo install {} {version} ({INSTALLATION} at most, once)", tool.package);
    report::step(&what, |line| process::run_behind(line, command))
}

/// Kept until all tools are installed, so that an interrupted installation can continue.
fn scratch(workspace: &Workspace) -> PathBuf {
    workspace.tools().join("target")
}
