//! Makes a virtual environment of Python with the packages of a requirements file, each in one version.
//!
//! A copy of the requirements inside the folder records the installed version; it is written last.

use std::path::{Path, PathBuf};

use anyhow::Result;
use toponym_terminal::prerequisites::{Need, require};
use toponym_terminal::process;
use toponym_terminal::report;
use toponym_terminal::workspace::Workspace;

const STAMP: &str = ".installed-from-requirements.txt";

/// The folder of programs in a virtual environment.
#[cfg(not(windows))]
const PROGRAMS: &str = "bin";
#[cfg(windows)]
const PROGRAMS: &str = "Scripts";

/// A virtual environment.
pub struct VirtualEnv(PathBuf);

impl VirtualEnv {
    /// Makes the environment `name` below `.tools` with the packages of `requirements`, unless it is there and matches
    /// them.
    pub fn ensure(workspace: &Workspace, name: &str, requirements: &[&str]) -> Result<Self> {
        let environment = Self(workspace.tools().join(name));
        let files: Vec<_> = requirements.iter().map(|file| workspace.root().join(file)).collect();
        let wanted = files.iter().map(fs_err::read).collect::<Result<Vec<_>, _>>()?.concat();
        if fs_err::read(environment.0.join(STAMP)).is_ok_and(|installed| installed == wanted) {
            return Ok(environment);
        }
        require(&[Need::Pip, Need::Venv])?;
        let mut make = workspace.command("python3")?;
        make.args(["-m", "venv", "--clear"]).arg(&environment.0);
        let mut install = environment.command(workspace, "pip")?;
        install.args(["install", "--disable-pip-version-check", "--no-input"]);
        for file in &files {
            install.arg("--requirement").arg(file);
        }
        report::step(&format!("pip install {}", requirements.join(", ")), |line| {
            process::run_behind(line, make)?;
            process::run_behind(line, install)
        })?;
        fs_err::write(environment.0.join(STAMP), wanted)?;
        Ok(environment)
    }

    /// Creates a command of a program of the environment, run in the root folder of the repository.
    pub fn command(&self, workspace: &Workspace, program: &str) -> Result<std::process::Command> {
        let mut command = workspace.command(&self.program(program).to_string_lossy())?;
        command.env("VIRTUAL_ENV", &self.0).env_remove("PYTHONPATH").env_remove("PYTHONHOME");
        Ok(command)
    }

    fn program(&self, name: &str) -> PathBuf {
        let folder: &Path = &self.0.join(PROGRAMS);
        folder.join(name)
    }
}
