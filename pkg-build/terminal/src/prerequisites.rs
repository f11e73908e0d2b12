//! Checks for programs that no command installs. Reports all missing ones at once, with how to get them.

use std::process::{Command, Stdio};

use anyhow::{Result, ensure};

/// A required program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Need {
    /// A C compiler, which Rust uses for linking.
    Compiler,
    /// Node and npm of any version: the packages include the Node that the Worker's tools need.
    Npm,
    /// pip, because some of the data are Python packages.
    Pip,
    /// The virtual environments of Python.
    Venv,
    /// A Java runtime, which Spark runs on.
    Java,
    /// rustup, to extend the toolchain.
    Rustup,
}

impl Need {
    /// Returns command lines, one of which must succeed.
    fn probes(self) -> &'static [&'static [&'static str]] {
        match self {
            // On Windows rustc finds the linker by itself.
            Self::Compiler if cfg!(windows) => &[&["rustc", "--version"]],
            Self::Compiler => &[&["cc", "--version"], &["clang", "--version"], &["gcc", "--version"]],
            Self::Npm => &[&["npm", "--version"]],
            Self::Pip => &[&["python3", "-m", "pip", "--version"]],
            Self::Venv => &[&["python3", "-c", "import venv, ensurepip"]],
            Self::Java => &[&["java", "-version"]],
            Self::Rustup => &[&["rustup", "--version"]],
        }
    }

    fn advice(self) -> &'static str {
        match self {
            Self::Compiler => "a C compiler (Debian: apt-get install build-essential; macOS: xcode-select --install)",
            Self::Npm => "Node.js with npm (https://nodejs.org; Debian: apt-get install nodejs npm)",
            Self::Pip => "Python 3 with pip (https://www.python.org; Debian: apt-get install python3-pip)",
            Self::Venv => "the venv module of Python 3 (Debian: apt-get install python3-venv)",
            Self::Java => "Java 17 or later (https://adoptium.net; Debian: apt-get install openjdk-17-jre-headless)",
            Self::Rustup => {
                "rustup (https://rustup.rs), or by other means the target wasm32-unknown-unknown and the \
                             components rust-src, rustfmt and clippy"
            }
        }
    }
}

/// Fails unless the machine has all `needs`.
///
/// # Errors
/// Lists everything that is missing.
pub fn require(needs: &[Need]) -> Result<()> {
    let missing = needs.iter().filter(|need| !need.probes().iter().any(|probe| succeeds(probe)));
    let missing: Vec<_> = missing.map(|need| format!("  - {}", need.advice())).collect();
    ensure!(missing.is_empty(), "missing programs, please install them and try again:\n{}", missing.join("\n"));
    Ok(())
}

fn succeeds(line: &[&str]) -> bool {
    let mut command = Command::new(line[0]);
    command.args(&line[1..]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
