//! Installs the npm packages of a folder, exactly as in its lock file.
//!
//! A copy of the lock file inside `node_modules` records the installed version. `npm ci` starts by removing the folder,
//! so the copy exists only after a complete installation.

use std::path::{Path, PathBuf};

use anyhow::Result;
use toponym_terminal::process;
use toponym_terminal::report::Work;
use toponym_terminal::workspace::Workspace;

/// Unpacking what was downloaded.
const DOWNLOAD: Work = Work::alone(15);

const STAMP: &str = "node_modules/.installed-from-lock.json";

/// Installs the packages of `folder` unless they match its lock file.
pub fn install(workspace: &Workspace, folder: &Path) -> Result<()> {
    if are_current(folder)? {
        return Ok(());
    }
    let mut command = workspace.command("npm")?;
    command.current_dir(folder).args(["ci", "--no-audit", "--no-fund", "--loglevel=http"]);
    let name = folder.strip_prefix(workspace.root()).unwrap_or(folder).display();
    process::run_as(&format!("npm ci in {name} ({DOWNLOAD}, and the downloads)"), command)?;
    fs_err::write(stamp(folder), lock(folder)?)?;
    Ok(())
}

/// Tells whether the packages of `folder` match its lock file.
pub fn are_current(folder: &Path) -> Result<bool> {
    let lock = lock(folder)?;
    Ok(fs_err::read(stamp(folder)).is_ok_and(|installed| installed == lock))
}

fn lock(folder: &Path) -> Result<Vec<u8>> {
    Ok(fs_err::read(folder.join("package-lock.json"))?)
}

fn stamp(folder: &Path) -> PathBuf {
    folder.join(STAMP)
}
