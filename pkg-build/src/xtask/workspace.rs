//! Where everything lies in the repository, and its programs.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

/// The repository, by its root folder.
pub struct Workspace {
    root: PathBuf,
}

impl Workspace {
    /// The repository that this program is part of.
    pub fn find() -> Result<Self> {
        // Cargo sets the variable when it runs a program; the value at compile time serves a program started by hand.
        let package = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        let root = Path::new(&package).parent().context("pkg-build lies in no repository")?;
        Ok(Self { root: root.to_path_buf() })
    }

    /// The root folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where cargo puts tools: what `cargo install --root` is given.
    pub fn tools(&self) -> PathBuf {
        self.root.join(".tools")
    }

    /// The crate of the Worker, with its package.json.
    pub fn edge(&self) -> PathBuf {
        self.root.join("edge-worker")
    }

    /// The npm packages.
    pub fn node_modules(&self) -> PathBuf {
        self.edge().join("node_modules")
    }

    /// The index that the Worker is built with.
    pub fn index(&self) -> PathBuf {
        self.root.join("build").join("index.toponym")
    }

    /// What only builds and tests need, outside git.
    pub fn target(&self) -> PathBuf {
        env::var_os("CARGO_TARGET_DIR").map_or_else(|| self.root.join("target"), PathBuf::from)
    }

    /// Secrets of local runs.
    pub fn dev_vars(&self) -> PathBuf {
        self.root.join(".dev.vars")
    }

    /// Secrets of what was deployed from here.
    pub fn deploy_vars(&self) -> PathBuf {
        self.root.join(".deploy.vars")
    }

    /// `program` in the root folder, with the repository's own tools before those of the machine.
    pub fn command(&self, program: &str) -> Result<Command> {
        let own = [self.node_modules().join(".bin"), self.tools().join("bin")];
        let inherited = env::var_os("PATH").unwrap_or_default();
        let path = env::join_paths(own.into_iter().chain(env::split_paths(&inherited)))
            .context("the path of the repository contains a separator of PATH: move it elsewhere")?;
        let mut command = Command::new(program);
        command.current_dir(&self.root).env("PATH", path);
        Ok(command)
    }

    /// Cargo with `arguments`.
    pub fn cargo(&self, arguments: &[&str]) -> Result<Command> {
        let mut command = self.command("cargo")?;
        command.args(arguments);
        Ok(command)
    }
}
