//! Proofs of checks: `tests/nightly.toml` has those of long ones, which `cargo xtask nightly` writes for CI, and a file that git
//! ignores those of the tests that passed in this clone.
//!
//! A check with inputs runs only if they differ from those on which it last passed. Everything else runs always.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use fs_err as fs;
use serde::Deserialize;
use toponym_terminal::process;
use toponym_terminal::report;
use toponym_terminal::workspace::Workspace;

use super::check::{Check, Finished};
use crate::digest::Digest;

/// Inputs of every check that has any: what compiles, with what and how.
const OF_ALL: [&str; 4] = [".cargo", "Cargo.lock", "Cargo.toml", "rust-toolchain.toml"];

/// The head of a file.
const HEAD: &str = "# Checks: the commit and the inputs on which each last passed, and what it said. A check runs again if its inputs have\n\
                    # changed since.\n";

/// The checks that have passed once.
#[derive(Debug, Default, Deserialize, PartialEq, Eq)]
pub struct Proofs {
    #[serde(default)]
    check: Vec<Proof>,
}

/// A check that passed.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
struct Proof {
    name: String,
    /// The digest of its inputs.
    inputs: String,
    /// The commit that was checked out, and its day.
    commit: String,
    day: String,
    /// Time that the check took, and what it said.
    took: String,
    result: String,
}

impl Proofs {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path)?;
        toml::from_str(&text).with_context(|| format!("{} cannot be read: restore it from git", path.display()))
    }

    /// Returns what proves that a check would pass: it has inputs, and passed on those that are there now.
    pub fn of(&self, root: &Path, check: &Check) -> Result<Option<String>> {
        let Some(digest) = inputs(root, check)? else { return Ok(None) };
        let proof = self.check.iter().find(|proof| proof.name == check.name && proof.inputs == digest);
        Ok(proof
            .map(|proof| format!("unchanged since {}: {}", &proof.commit[..proof.commit.len().min(10)], proof.result)))
    }

    /// Adds those of `checks` that have inputs and passed on them.
    pub fn add(&mut self, workspace: &Workspace, checks: &[Check], finished: &[Finished]) -> Result<()> {
        let git = |arguments: &[&str]| workspace.output("git", arguments);
        let (commit, day) = (git(&["rev-parse", "HEAD"])?, git(&["show", "--no-patch", "--format=%cs", "HEAD"])?);
        for done in finished {
            let Ok(summary) = &done.outcome else { continue };
            let Some(check) = checks.iter().find(|check| check.name == done.name) else { continue };
            let Some(inputs) = inputs(workspace.root(), check)?.filter(|_| !summary.is_skipped) else { continue };
            let (took, result) = (report::duration(done.elapsed), summary.note.clone());
            let (commit, day) = (commit.clone(), day.clone());
            self.check.retain(|proof| proof.name != done.name);
            self.check.push(Proof { name: done.name.to_owned(), inputs, commit, day, took, result });
        }
        self.check.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(())
    }

    /// Writes a file.
    pub fn write(&self, path: &Path) -> Result<()> {
        Ok(fs::write(path, self.text())?)
    }

    fn text(&self) -> String {
        let mut text = HEAD.to_owned();
        for Proof { name, inputs, commit, day, took, result } in &self.check {
            let fields = [("name", name), ("inputs", inputs), ("commit", commit), ("day", day), ("took", took)];
            text += "\n[[check]]\n";
            for (field, value) in fields.into_iter().chain([("result", result)]) {
                // A string of JSON is one of TOML.
                text += &format!("{field} = {}\n", serde_json::Value::from(value.as_str()));
            }
        }
        text
    }
}

/// Returns the digest of a check's inputs; `None` if it has none, and so runs always.
fn inputs(root: &Path, check: &Check) -> Result<Option<String>> {
    if check.inputs.is_empty() {
        return Ok(None);
    }
    // What git ignores is made, and not there in a fresh clone.
    let mut git = Command::new("git");
    git.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"]);
    git.args(OF_ALL).args(check.inputs.split_whitespace()).current_dir(root);
    let listed = process::output(git)?;
    let files: Vec<&str> = listed.split('\0').filter(|file| root.join(file).is_file()).collect();
    Ok(Some(Digest::new(root, &files, &[])?.to_string()))
}

#[cfg(test)]
mod tests {
    use super::super::check::Lane;
    use super::super::summary::Summary;
    use super::*;

    fn proof(name: &str, inputs: &str) -> Proof {
        let result = "3 passed, \"0\" failed";
        let [name, inputs, commit, day, took, result] =
            [name, inputs, "0123456789abcdef", "2026-11-26", "1 min 2 s", result].map(str::to_owned);
        Proof { name, inputs, commit, day, took, result }
    }

    #[test]
    fn the_file_of_the_repository_can_be_read() {
        Proofs::read(&Workspace::find().root().join("tests/nightly.toml")).expect("the file is well formed");
    }

    #[test]
    fn written_proofs_are_read_back() {
        let proofs = Proofs { check: vec![proof("Python on Spark", "ab")] };
        assert_eq!(toml::from_str::<Proofs>(&proofs.text()).expect("it is TOML"), proofs);
    }

    #[test]
    fn a_proof_holds_for_its_inputs_alone() {
        let root = tempfile::tempdir().expect("the temporary folder can be written");
        let git = Command::new("git").args(["init", "--quiet"]).current_dir(root.path()).status();
        assert!(git.expect("git runs").success());
        let put = |file: &str, text: &str| fs::write(root.path().join(file), text).expect("the folder is ours");
        let write = |text: &str| put("input/file", text);
        fs::create_dir(root.path().join("input")).expect("the folder is ours");
        put(".gitignore", "made\n");
        let run = |_: &Workspace, _: &mut super::super::output::Output<'_>| Ok(Summary::default());
        let check = Check { name: "long", lane: Lane::Wait, after: &[], behind: "", inputs: "input", run };
        write("1");
        let digest = inputs(root.path(), &check).expect("it can be read").expect("it has inputs");
        let proofs = Proofs { check: vec![proof("long", &digest)] };
        let of = |check: &Check| proofs.of(root.path(), check).expect("it can be read");
        assert_eq!(of(&check).as_deref(), Some("unchanged since 0123456789: 3 passed, \"0\" failed"));
        assert_eq!(of(&Check { name: "other", ..check }), None);
        assert_eq!(of(&Check { inputs: "", ..check }), None, "it always runs");
        put("input/made", "by a check");
        assert!(of(&check).is_some(), "what git ignores is not there in a clone");
        write("2");
        assert_eq!(of(&check), None);
    }
}
