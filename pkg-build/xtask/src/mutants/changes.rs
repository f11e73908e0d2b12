//! What differs from what has landed.

use std::path::PathBuf;

use anyhow::Result;

use super::super::process;
use super::super::workspace::Workspace;

/// Where commits land, the nearest first: the branch that this one is based on, and the main one of the usual remote.
const LANDED: [&str; 3] = ["@{upstream}", "origin/HEAD", "origin/main"];

/// The changes as a diff: the commits of this branch and what is not committed yet; on what has landed itself, as a clean
/// clone has it, the last commit. `None` where git knows none, as in a clone of one commit.
pub fn since_landed(workspace: &Workspace) -> Result<Option<PathBuf>> {
    let Some(base) = base(workspace)? else { return Ok(None) };
    let mut command = workspace.command("git")?;
    command.args(["diff", "--no-ext-diff", "--no-color", "--src-prefix=a/", "--dst-prefix=b/", &base, "--", "*.rs"]);
    let diff = workspace.target().join("mutants/changes.diff");
    fs_err::create_dir_all(workspace.target().join("mutants"))?;
    fs_err::write(&diff, process::output(command)? + "\n")?;
    Ok(Some(diff))
}

fn base(workspace: &Workspace) -> Result<Option<String>> {
    let Some(head) = ask(workspace, &["rev-parse", "--verify", "HEAD"])? else { return Ok(None) };
    for landed in LANDED {
        let common = ask(workspace, &["merge-base", "HEAD", landed])?;
        if let Some(common) = common.filter(|common| *common != head) {
            return Ok(Some(common));
        }
    }
    ask(workspace, &["rev-parse", "--verify", "HEAD~1"])
}

/// What git answers; `None` where it fails or is not there.
fn ask(workspace: &Workspace, arguments: &[&str]) -> Result<Option<String>> {
    let mut command = workspace.command("git")?;
    command.args(arguments).stderr(std::process::Stdio::null());
    let answer = command.output().ok().filter(|output| output.status.success());
    Ok(answer.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()))
}
