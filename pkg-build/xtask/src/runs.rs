//! `cargo xtask test`, `ci` and `nightly`: which checks run. `serve` prepares by the same ones.

use anyhow::{Context, Result, ensure};
use toponym_terminal::workspace::Workspace;

use super::checks::proof::Proofs;
use super::checks::{Check, conclude, lanes};
use super::suites::{FURTHER, NIGHTLY, TEST};

/// Runs the tests, or the checks `names` with what they need.
pub fn test(workspace: &Workspace, names: &[String]) -> Result<()> {
    let checks = if names.is_empty() { TEST.to_vec() } else { lanes::chosen(&all(), names)? };
    conclude(&lanes::run(workspace, &checks, &Proofs::default()))
}

/// Runs all checks that a change must pass. Long ones run if their inputs have changed since they passed.
pub fn ci(workspace: &Workspace) -> Result<()> {
    let checks: Vec<Check> = TEST.into_iter().chain(FURTHER).collect();
    conclude(&lanes::run(workspace, &checks, &Proofs::read(workspace)?))
}

/// Makes what the checks `names` make, and what they need: while one thing is compiled, another is downloaded.
pub fn prepare(workspace: &Workspace, names: &[&str]) -> Result<()> {
    let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
    let finished = lanes::run(workspace, &lanes::chosen(&TEST, &names)?, &Proofs::default());
    finished.into_iter().try_for_each(|check| check.outcome.map(drop).context(check.name))
}

/// Runs every check there is, or those of `names` with what they need, and writes down what passed.
pub fn nightly(workspace: &Workspace, names: &[String]) -> Result<()> {
    let changed = workspace.output("git", &["status", "--porcelain"])?;
    ensure!(changed.is_empty(), "commit first, so that the results belong to a commit; not committed:\n{changed}");
    let checks = if names.is_empty() { all() } else { lanes::chosen(&all(), names)? };
    let finished = lanes::run(workspace, &checks, &Proofs::default());
    let mut proofs = Proofs::read(workspace)?;
    proofs.add(workspace, &checks, &finished)?;
    proofs.write(workspace)?;
    conclude(&finished)
}

fn all() -> Vec<Check> {
    TEST.into_iter().chain(FURTHER).chain(NIGHTLY).collect()
}
