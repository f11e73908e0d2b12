//! Programs that belong to the machine, so that no command installs them: names all that are missing at once, and says where
//! they come from.

use std::process::{Command, Stdio};

use anyhow::{Result, ensure};

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

/// Fails unless the machine has all of `needs`.
///
/// # Errors
/// Names everything that is missing.
pub fn require(needs: &[Need]) -> Result<()> {
    let missing = needs.iter().filter(|need| !need.probes().iter().any(|probe| succeeds(probe)));
    let missing: Vec<_> = missing.map(|need| format!("  - {}", need.advice())).collect();
    ensure!(missing.is_empty(), "this machine lacks, please install and start again:\n{}", missing.join("\n"));
    Ok(())
}

fn succeeds(line: &[&str]) -> bool {
    let mut command = Command::new(line[0]);
    command.args(&line[1..]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
