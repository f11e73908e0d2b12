//! Installs the Python packages of the conformance tests in a separate folder. It needs only pip, so it also works if
//! Python is managed by the system or lacks venv.
//!
//! A copy of the requirements inside the folder records the installed version; it is written last.

use std::path::PathBuf;

use anyhow::Result;
use toponym_terminal::prerequisites::{Need, require};
use toponym_terminal::report;

use super::super::process;
use super::super::workspace::Workspace;

const STAMP: &str = ".installed-from-requirements.txt";

/// Installs the packages unless they match the requirements.
pub fn install(workspace: &Workspace) -> Result<()> {
    let wanted = fs_err::read(requirements(workspace))?;
    let folder = workspace.tools().join("conformance");
    if fs_err::read(folder.join(STAMP)).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    require(&[Need::Pip])?;
    if folder.is_dir() {
        fs_err::remove_dir_all(&folder)?;
    }
    let mut command = workspace.command("python3")?;
    command.args(["-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--target"]).arg(&folder);
    command.arg("--requirement").arg(requirements(workspace));
    report::step("pip install schemathesis", |line| process::run_behind(line, command))?;
    fs_err::write(folder.join(STAMP), wanted)?;
    Ok(())
}

fn requirements(workspace: &Workspace) -> PathBuf {
    workspace.root().join("tests/conformance/requirements.txt")
}
