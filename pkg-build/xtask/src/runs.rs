//! `cargo xtask test`, `ci` and `nightly`: which checks run. `serve` prepares by the same ones.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use toponym_terminal::workspace::Workspace;

use super::checks::proof::Proofs;
use super::checks::{Check, conclude, lanes};
use super::suites::{FURTHER, NIGHTLY, TEST};

/// Runs the tests, or the checks `names` with what they need. Without names, as in `go test`, a suite that has passed in this clone
/// runs again only if its inputs have changed since.
pub fn test(workspace: &Workspace, names: &[String]) -> Result<()> {
    if !names.is_empty() {
        return conclude(&lanes::run(workspace, &lanes::chosen(&all(), names)?, &Proofs::default()));
    }
    let path = workspace.root().join("build/made/passed.toml");
    let mut proofs = Proofs::read(&path).unwrap_or_default();
    let finished = lanes::run(workspace, &TEST, &proofs);
    proofs.add(workspace, &TEST, &finished)?;
    proofs.write(&path)?;
    conclude(&finished)
}

/// Runs all checks that a change must pass. Long ones run if their inputs have changed since they passed.
pub fn ci(workspace: &Workspace) -> Result<()> {
    let checks: Vec<Check> = TEST.into_iter().chain(FURTHER).collect();
    conclude(&lanes::run(workspace, &checks, &Proofs::read(&of_nightly(workspace))?))
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
    let path = of_nightly(workspace);
    let mut proofs = Proofs::read(&path)?;
    // The suites of `test` run in CI always.
    let long: Vec<Check> = FURTHER.into_iter().chain(NIGHTLY).collect();
    proofs.add(workspace, &long, &finished)?;
    proofs.write(&path)?;
    conclude(&finished)
}

/// Returns the path of the proofs that are committed.
fn of_nightly(workspace: &Workspace) -> PathBuf {
    workspace.root().join("tests/nightly.toml")
}

fn all() -> Vec<Check> {
    TEST.into_iter().chain(FURTHER).chain(NIGHTLY).collect()
}
