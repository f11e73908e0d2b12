//! `cargo xtask mutants`: makes small changes to the code, one at a time, and checks that a test notices each.
//!
//! `.cargo/mutants.toml` says which files are changed, and which changes have no effect. A change is first tested with the unit
//! tests of its crate, which take seconds; only changes that these miss meet all other tests. cargo-mutants works on a copy
//! of the repository ([`tree`]), so that an interruption leaves the sources unchanged.

mod tree;

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;
use toponym_terminal::process;
use toponym_terminal::report;
use toponym_terminal::workspace::Workspace;

use super::checks::Summary;
use super::checks::output::Output;
use super::setup;
use super::toponym;
use tree::Tree;

/// Arguments of `cargo xtask mutants`.
#[derive(Args)]
pub struct Arguments {
    /// Files or folders below the root [default: all of .cargo/mutants.toml]
    paths: Vec<PathBuf>,
}

/// The version of cargo-mutants.
const VERSION: &str = "27.1.0";

/// The unit tests of the changed crate, except those that fold every character: they take longer than all others.
const UNIT_TESTS: [&str; 4] =
    ["--test-workspace=false", "--cargo-arg=--lib", "--cargo-test-arg=--", "--cargo-test-arg=--skip=text::fold"];

/// All tests; not the examples in the documentation, each of which is a separate build.
const ALL_TESTS: [&str; 2] = ["--test-workspace=true", "--cargo-arg=--tests"];

/// Timeout of the tests in seconds: several times their duration.
const PATIENCE: &str = "--timeout=300";

/// Exit codes of a complete run of cargo-mutants: all changes noticed, some missed, some timed out.
const TO_THE_END: [i32; 3] = [0, 2, 3];

/// Tests what the arguments select.
pub fn run(workspace: &Workspace, arguments: &Arguments) -> Result<()> {
    let mut selection: Vec<OsString> = Vec::new();
    for path in &arguments.paths {
        let full = workspace.root().join(path);
        ensure!(full.exists(), "{} is not there", full.display());
        let glob = if full.is_dir() { path.join("**/*.rs") } else { path.clone() };
        selection.extend(["--file".into(), glob.into()]);
    }
    report::remark(&test(workspace, &selection)?.note);
    Ok(())
}

/// Tests every change of the files of `.cargo/mutants.toml`.
pub fn all(workspace: &Workspace, _output: &mut Output<'_>) -> Result<Summary> {
    test(workspace, &[])
}

fn test(workspace: &Workspace, selection: &[OsString]) -> Result<Summary> {
    setup::cargo_install(workspace, "cargo-mutants", VERSION)?;
    toponym::ensure_index(workspace)?;
    let tree = report::step("copy the repository", |_| Tree::copy(workspace))?;
    let first = Results::of(workspace, &tree, &UNIT_TESTS, selection)?;
    let mut missed = first.missed;
    if !missed.is_empty() {
        let patterns = missed.iter().flat_map(|mutant| ["--re".into(), pattern(mutant).into()]);
        missed = Results::of(workspace, &tree, &ALL_TESTS, &patterns.collect::<Vec<_>>())?.missed;
    }
    let lines = missed.iter().map(|mutant| format!("  {mutant}")).collect::<Vec<_>>().join("\n");
    ensure!(
        missed.is_empty(),
        "no test notices {} changes:\n{lines}\nwrite a test that does, or list it with a reason in .cargo/mutants.toml",
        missed.len()
    );
    let (count, unviable) = (first.count, first.unviable);
    Ok(Summary::passed(format!("{count} changes, each is noticed or does not compile ({unviable})")))
}

/// Returns a regular expression that matches only this mutant.
fn pattern(mutant: &str) -> String {
    // `\<` and `\>` would match word boundaries.
    let escape = |letter: char| letter.is_ascii_punctuation() && !"<>".contains(letter);
    let letters = mutant.chars().flat_map(|letter| escape(letter).then_some('\\').into_iter().chain([letter]));
    format!("^{}$", letters.collect::<String>())
}

/// The results of a run.
struct Results {
    count: usize,
    unviable: usize,
    missed: Vec<String>,
}

impl Results {
    /// Changes the code and runs `tests`.
    fn of(workspace: &Workspace, tree: &Tree, tests: &[&str], selection: &[OsString]) -> Result<Self> {
        let folder = tree.home().join("out");
        if folder.is_dir() {
            fs_err::remove_dir_all(&folder)?;
        }
        fs_err::create_dir_all(&folder)?;
        let mut command =
            workspace.cargo(&["mutants", "--no-times", "--colors=never", "--annotations=none", "--dir"])?;
        command.arg(tree.root()).args(selection).args(tests).args(["--in-place", "--baseline=skip", PATIENCE]);
        // Libraries are built in this target folder already, and crates of the copy are others than those of the repository.
        command.arg("--output").arg(&folder).env("CARGO_TARGET_DIR", workspace.target());
        report::step("change the code and test it", |line| {
            let status = process::watch(command, |text| line.detail(text))?;
            ensure!(status.code().is_some_and(|code| TO_THE_END.contains(&code)), "cargo-mutants failed ({status})");
            Ok(())
        })?;
        // The lists exist only if the run completed.
        let list = |name: &str| fs_err::read_to_string(folder.join("mutants.out").join(format!("{name}.txt")));
        let count = |name: &str| list(name).map(|text| text.lines().count());
        let missed: Vec<String> = list("missed")?.lines().map(str::to_owned).collect();
        let unviable = count("unviable")?;
        // A timeout counts as noticed.
        Ok(Self { count: count("caught")? + count("timeout")? + missed.len() + unviable, unviable, missed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_matches_only_its_mutant() {
        assert_eq!(pattern("src/a.rs:1:2: replace <= with * in f"), r"^src\/a\.rs\:1\:2\: replace <\= with \* in f$");
    }

    #[test]
    fn configured_files_are_there() {
        let workspace = Workspace::find();
        let text = fs_err::read_to_string(workspace.root().join(".cargo/mutants.toml")).expect("it is there");
        let table: toml::Table = text.parse().expect("it is TOML");
        for glob in
            ["examine_globs", "exclude_globs"].iter().flat_map(|name| table[*name].as_array().into_iter().flatten())
        {
            let glob = glob.as_str().expect("globs are text");
            let folder = glob.split('*').next().unwrap_or_default();
            assert!(workspace.root().join(folder).exists(), "{glob} names nothing");
        }
    }
}
