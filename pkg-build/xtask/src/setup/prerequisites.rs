//! What this program does not install, because it belongs to the machine: named all at once, with where it comes from.

use anyhow::{Result, bail};

use super::super::process;
use super::super::workspace::Workspace;

/// Something that a machine has to have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Need {
    /// A C compiler: Rust links with it.
    Compiler,
    /// Node and npm, of any version: the packages bring the Node that the Worker's tools need.
    Npm,
    /// pip: some of the data are Python packages.
    Pip,
    /// rustup, to add to the toolchain.
    Rustup,
}

impl Need {
    /// Command lines of which one has to succeed.
    fn probes(self) -> &'static [&'static [&'static str]] {
        match self {
            // Windows has a linker of its own, which rustc finds by itself.
            Self::Compiler if cfg!(windows) => &[&["rustc", "--version"]],
            Self::Compiler => &[&["cc", "--version"], &["clang", "--version"], &["gcc", "--version"]],
            Self::Npm => &[&["npm", "--version"]],
            Self::Pip => &[&["python3", "-m", "pip", "--version"]],
            Self::Rustup => &[&["rustup", "--version"]],
        }
    }

    fn advice(self) -> &'static str {
        match self {
            Self::Compiler => "a C compiler (Debian: apt-get install build-essential; macOS: xcode-select --install)",
            Self::Npm => "Node.js with npm (https://nodejs.org; Debian: apt-get install nodejs npm)",
            Self::Pip => "Python 3 with pip (https://www.python.org; Debian: apt-get install python3-pip)",
            Self::Rustup => {
                "rustup (https://rustup.rs), or by other means the target wasm32-unknown-unknown and the \
                             components rust-src, rustfmt and clippy"
            }
        }
    }
}

/// An error that names everything of `needs` that the machine lacks.
pub fn require(workspace: &Workspace, needs: &[Need]) -> Result<()> {
    let mut missing = Vec::new();
    for &need in needs {
        if !is_there(workspace, need)? {
            missing.push(format!("  - {}", need.advice()));
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    bail!("this machine lacks, please install and start again:\n{}", missing.join("\n"))
}

fn is_there(workspace: &Workspace, need: Need) -> Result<bool> {
    for &probe in need.probes() {
        let mut command = workspace.command(probe[0])?;
        command.args(&probe[1..]);
        if process::succeeds(command) {
            return Ok(true);
        }
    }
    Ok(false)
}
