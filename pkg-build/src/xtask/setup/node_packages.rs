//! The npm packages of the Worker, exactly as its lock file has them.
//!
//! A copy of the lock file inside `node_modules` tells which one they were installed from. `npm ci` begins by removing the
//! folder, so that the copy is there only after an installation that ran to its end.

use std::path::PathBuf;

use anyhow::Result;

use super::super::process;
use super::super::report;
use super::super::workspace::Workspace;

const STAMP: &str = ".installed-from-lock.json";

/// Installs the packages, unless they are those of the lock file.
pub fn install(workspace: &Workspace) -> Result<()> {
    if are_current(workspace)? {
        return Ok(());
    }
    let mut command = workspace.command("npm")?;
    command.current_dir(workspace.edge()).args(["ci", "--no-audit", "--no-fund", "--loglevel=http"]);
    report::step("npm ci in edge-worker", |line| process::run_behind(line, command))?;
    fs_err::write(stamp(workspace), lock(workspace)?)?;
    Ok(())
}

/// Whether the packages are those of the lock file.
pub fn are_current(workspace: &Workspace) -> Result<bool> {
    Ok(is_current(&lock(workspace)?, fs_err::read(stamp(workspace)).ok().as_deref()))
}

fn lock(workspace: &Workspace) -> Result<Vec<u8>> {
    Ok(fs_err::read(workspace.edge().join("package-lock.json"))?)
}

fn stamp(workspace: &Workspace) -> PathBuf {
    workspace.node_modules().join(STAMP)
}

fn is_current(lock: &[u8], stamp: Option<&[u8]>) -> bool {
    stamp == Some(lock)
}

#[cfg(test)]
mod tests {
    use super::is_current;

    #[test]
    fn packages_are_current_only_with_the_same_lock() {
        let check = |stamp: Option<&str>, expect| {
            assert_eq!(is_current(b"{\"a\":1}", stamp.map(str::as_bytes)), expect, "{stamp:?}");
        };
        check(Some("{\"a\":1}"), true);
        check(Some("{\"a\":2}"), false);
        check(Some("{\"a\":"), false);
        check(Some(""), false);
        check(None, false);
    }
}
