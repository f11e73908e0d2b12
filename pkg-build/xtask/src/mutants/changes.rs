//! Finds the changes of this branch.

use std::path::PathBuf;

use anyhow::Result;
use toponym_terminal::process;
use toponym_terminal::workspace::Workspace;

/// Branches to compare with, nearest first: the upstream of this branch, and the main branch of the usual remote.
const BASES: [&str; 3] = ["@{upstream}", "origin/HEAD", "origin/main"];

/// The changes as a diff: the commits of this branch and uncommitted changes; on the base branch itself, as in a clean
/// clone, the last commit. `None` if git has no base, as in a clone of one commit.
pub fn since_base(workspace: &Workspace) -> Result<Option<PathBuf>> {
    let Some(base) = base(workspace)? else { return Ok(None) };
    let mut command = workspace.command("git")?;
    command.args(["diff", "--no-ext-diff", "--no-color", "--src-prefix=a/", "--dst-prefix=b/", &base, "--", "*.rs"]);
    let diff = workspace.target().join("mutants/changes.diff");
    fs_err::create_dir_all(workspace.target().join("mutants"))?;
    fs_err::write(&diff, process::output(command)? + "\n")?;
    Ok(Some(diff))
}

fn base(workspace: &Workspace) -> Result<Option<String>> {
    let Some(head) = git(workspace, &["rev-parse", "--verify", "HEAD"])? else { return Ok(None) };
    for base in BASES {
        let common = git(workspace, &["merge-base", "HEAD", base])?;
        if let Some(common) = common.filter(|common| *common != head) {
            return Ok(Some(common));
        }
    }
    git(workspace, &["rev-parse", "--verify", "HEAD~1"])
}

fn git(workspace: &Workspace, arguments: &[&str]) -> Result<Option<String>> {
    let mut command = workspace.command("git")?;
    command.args(arguments);
    Ok(process::output_if_any(command))
}
