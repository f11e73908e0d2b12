//! The paths of the repository, and commands that use its own tools.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::process;

/// The configuration of the Worker, in the root folder.
pub const CONFIGURATION: &str = "wrangler.toml";

/// Turns off wrangler's metrics, error reports and look-ups, and local traces, which cost most of a local run's speed.
const QUIET: [(&str, &str); 4] = [
    ("WRANGLER_SEND_METRICS", "false"),
    ("WRANGLER_SEND_ERROR_REPORTS", "false"),
    ("CLOUDFLARE_CF_FETCH_ENABLED", "false"),
    ("X_LOCAL_OBSERVABILITY", "false"),
];

/// The program of wrangler.
const WRANGLER: &str = "edge-worker/node_modules/wrangler/bin/wrangler.js";

/// The repository, by its root folder.
pub struct Workspace {
    root: PathBuf,
}

impl Workspace {
    /// Finds the repository that this program is part of.
    pub fn find() -> Self {
        Self { root: crate::repository() }
    }

    /// Takes the repository in the folder `root`.
    pub fn at(root: &Path) -> Self {
        Self { root: root.to_path_buf() }
    }

    /// Returns the root folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the folder for tools, as given to `cargo install --root`.
    pub fn tools(&self) -> PathBuf {
        self.root.join(".tools")
    }

    /// Returns the folder of the Worker's crate, with its package.json.
    pub fn edge(&self) -> PathBuf {
        self.root.join("edge-worker")
    }

    /// Returns the folder of the npm packages that build and run the Worker.
    pub fn node_modules(&self) -> PathBuf {
        self.edge().join("node_modules")
    }

    /// Returns the index that the Worker is built with.
    pub fn index(&self) -> PathBuf {
        self.root.join("build").join("index.toponym")
    }

    /// Returns the folder for temporary output of builds and tests, outside git.
    pub fn target(&self) -> PathBuf {
        env::var_os("CARGO_TARGET_DIR").map_or_else(|| self.root.join("target"), PathBuf::from)
    }

    /// Returns the command that runs `program` in the root folder, with the repository's tools before those of the machine.
    ///
    /// # Errors
    /// If the path of the repository contains a separator of PATH.
    pub fn command(&self, program: &str) -> Result<Command> {
        let own = [self.node_modules().join(".bin"), self.tools().join("bin")];
        let inherited = env::var_os("PATH").unwrap_or_default();
        let path = env::join_paths(own.into_iter().chain(env::split_paths(&inherited)))
            .context("the path of the repository contains a separator of PATH: move it elsewhere")?;
        let mut command = Command::new(program);
        command.current_dir(&self.root).env("PATH", path);
        for (name, _) in env::vars_os() {
            if name.to_str().is_some_and(is_of_this_package) {
                command.env_remove(name);
            }
        }
        Ok(command)
    }

    /// Runs `program` in the root folder, and returns what it prints.
    ///
    /// # Errors
    /// As [`Self::command`] and [`process::output`].
    pub fn output(&self, program: &str, arguments: &[&str]) -> Result<String> {
        let mut command = self.command(program)?;
        command.args(arguments);
        process::output(command)
    }

    /// Returns the command that runs a script below the root in the Node of the npm packages, or Node with an option.
    ///
    /// # Errors
    /// As [`Self::command`].
    pub fn node(&self, script: &str) -> Result<Command> {
        let mut command = self.command("node")?;
        command.arg(script).envs(QUIET);
        Ok(command)
    }

    /// Returns the command that runs the pinned wrangler. Without `configuration` its arguments have to name one, because a
    /// wrangler.json in a parent folder takes precedence over what it finds by itself.
    ///
    /// # Errors
    /// As [`Self::command`].
    pub fn wrangler(&self, configuration: Option<&str>) -> Result<Command> {
        let mut command = self.node(WRANGLER)?;
        command.args(configuration.map(|file| ["-c", file]).into_iter().flatten());
        Ok(command)
    }

    /// Returns the command that runs cargo with `arguments`.
    ///
    /// # Errors
    /// As [`Self::command`].
    pub fn cargo(&self, arguments: &[&str]) -> Result<Command> {
        let mut command = self.command("cargo")?;
        command.args(arguments);
        Ok(command)
    }
}

/// Tells whether cargo uses the variable to describe this program's own package. A cargo run from here would pass it on to
/// build scripts, some of which would then rebuild half of the dependencies.
fn is_of_this_package(variable: &str) -> bool {
    ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_", "CARGO_CRATE_", "CARGO_PRIMARY_"]
        .iter()
        .any(|beginning| variable.starts_with(beginning))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_do_not_inherit_variables_of_this_package() {
        assert!(env::var_os("CARGO_PKG_NAME").is_some(), "cargo runs tests with it");
        let command = Workspace::at(Path::new(".")).command("cargo").expect("the path is valid");
        let removed: Vec<_> = command.get_envs().filter(|(_, value)| value.is_none()).map(|(name, _)| name).collect();
        assert!(removed.contains(&"CARGO_PKG_NAME".as_ref()) && removed.contains(&"CARGO_MANIFEST_DIR".as_ref()));
        assert!(!is_of_this_package("CARGO_HOME") && !is_of_this_package("CARGO_TARGET_DIR"));
    }
}
