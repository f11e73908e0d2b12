//! `cargo xtask mutants`: makes small changes to the code, one at a time, and checks that a test notices each.
//!
//! A change that no test notices is either a gap in the tests or has no effect. Those without effect are listed in
//! `tests/mutants/equivalent.txt` ([`equivalent`]); any other fails the command.
//!
//! Each change is first tested with the unit tests of its crate, which take seconds; only changes that these miss run
//! all other tests.
//!
//! cargo-mutants works on a copy of the repository ([`tree`]), so that an interruption leaves the sources unchanged.

mod changes;
mod equivalent;
mod tree;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use toponym_terminal::report;

use super::checks::{self, Summary};
use super::process;
use super::setup;
use super::toponym;
use super::workspace::Workspace;
use equivalent::{Equivalent, Mutant};
use tree::Tree;

/// Arguments of `cargo xtask mutants`.
#[derive(Args)]
pub struct Arguments {
    /// Files or folders [default: the most critical ones: metering, credentials, objects, geometry, search, merging]
    paths: Vec<PathBuf>,
    /// Only lines that differ from the base branch, as in CI but without a time limit
    #[arg(long, conflicts_with = "paths")]
    changed: bool,
}

/// Files to change, and the tests that must notice.
struct Suite {
    name: &'static str,
    /// Globs below the root.
    files: &'static [&'static str],
    /// Globs of files that are only compiled for the platform, which no native test covers.
    except: &'static [&'static str],
    /// Tests to run if the unit tests of the changed crate miss a change: arguments of cargo-mutants.
    tests: &'static [&'static str],
    /// Timeout of the tests in seconds if they are not timed first: several times their duration.
    patience: u32,
}

const SUITES: [Suite; 2] = [
    Suite {
        name: EDGE,
        files: &[
            "edge-worker/src/auth/**/*.rs",
            "edge-worker/src/durable/**/*.rs",
            "edge-worker/src/meter/**/*.rs",
            "edge-worker/src/query.rs",
            "edge-worker/src/admission/**/*.rs",
        ],
        except: &[
            "edge-worker/src/durable/*object.rs",
            "edge-worker/src/durable/asked.rs",
            "edge-worker/src/durable/sql.rs",
        ],
        tests: &TESTS_OF_CRATE,
        patience: 60,
    },
    Suite {
        name: "engine and builder",
        files: &[
            "engine/src/geo.rs",
            "engine/src/index/points/borders.rs",
            "engine/src/index/points/nearest.rs",
            "engine/src/index/points/window.rs",
            "engine/src/reverse.rs",
            "engine/src/search/**/*.rs",
            "pkg-build/builder/src/gazetteer/import/**",
            "pkg-build/builder/src/gazetteer/same_sites.rs",
            "pkg-build/builder/src/gazetteer/settlements.rs",
        ],
        except: &[],
        tests: &TESTS_OF_ALL,
        patience: 300,
    },
];

/// The suite whose own crate's tests are enough.
const EDGE: &str = "edge";
const EDGE_FOLDER: &str = "edge-worker";

/// Time limit for changed lines in CI. The command reports how many changes it skipped.
const TIME_IN_CI: Duration = Duration::from_secs(240);

/// The profile that the tests are built with.
const PROFILE: &str = "--profile=mutant";

/// The unit tests of the changed crate, except those that fold every character: they take longer than all others.
const UNIT_TESTS: [&str; 4] =
    ["--test-workspace=false", "--cargo-arg=--lib", "--cargo-test-arg=--", "--cargo-test-arg=--skip=text::fold"];

/// All tests of the changed crate, or of all crates; not the examples in the documentation, each of which is a separate
/// build.
const TESTS_OF_CRATE: [&str; 2] = ["--test-workspace=false", "--cargo-arg=--tests"];
const TESTS_OF_ALL: [&str; 2] = ["--test-workspace=true", "--cargo-arg=--tests"];

/// No time limit in practice.
const FOR_EVER: Duration = Duration::from_secs(365 * 86_400);

/// The message if there is no base to compare with.
const NO_BASE: &str = "git knows no earlier commit here";

/// Exit codes of a complete run of cargo-mutants: all changes noticed, some missed, some timed out.
const TO_THE_END: [i32; 3] = [0, 2, 3];

/// Number of mutants between checks of the time limit.
const PER_SHARD: usize = 3;

/// Tests all suites, or the files at the paths.
pub fn run(workspace: &Workspace, arguments: &Arguments) -> Result<()> {
    if arguments.changed {
        let summary = of_changes(workspace, FOR_EVER)?.context(NO_BASE)?;
        report::remark(&summary);
        return Ok(());
    }
    let mutation = Mutation::prepare(workspace)?;
    let mut seen = Seen::default();
    for suite in &SUITES {
        let files = chosen(workspace, suite, &arguments.paths)?;
        if !files.is_empty() {
            seen.add(mutation.run(suite, &["--baseline=run".into()], &of_files(files), &[])?);
        }
    }
    ensure!(seen.all() > 0, "there is nothing to change in the given paths");
    report::remark(&seen.summary());
    let known = Equivalent::read(workspace)?;
    let wrong = known.missed(&seen.missed);
    if arguments.paths.is_empty() {
        known.stale(&seen.missed).iter().for_each(|entry| report::remark(&format!("a test now notices: {entry}")));
    }
    verdict(&wrong)
}

/// Tests the changed lines within the time limit of CI.
pub fn in_ci(workspace: &Workspace) -> Result<Summary> {
    let outcome = of_changes(workspace, TIME_IN_CI)?;
    Ok(outcome.map_or_else(|| checks::skipped(NO_BASE), checks::passed))
}

/// Tests the changed lines for at most `time` and returns a summary; `None` if git has no base.
fn of_changes(workspace: &Workspace, time: Duration) -> Result<Option<String>> {
    let Some(diff) = changes::since_base(workspace)? else { return Ok(None) };
    let mutation = Mutation::prepare(workspace)?;
    let in_diff = ["--in-diff".into(), diff.into()];
    let selections = SUITES.each_ref().map(|suite| [&in_diff, of_files(suite.files).as_slice()].concat());
    let counts = SUITES.iter().zip(&selections).map(|(suite, selection)| mutation.count(suite, selection));
    let counts: Vec<usize> = counts.collect::<Result<_>>()?;
    if counts.iter().any(|count| *count > 0) {
        mutation.build_tests()?;
    }
    let deadline = Instant::now() + time;
    let (mut seen, mut left) = (Seen::default(), 0);
    for ((suite, selection), count) in SUITES.iter().zip(&selections).zip(counts) {
        let shards = count.div_ceil(PER_SHARD);
        let before = seen.all();
        // The same tests have already passed on the unchanged code.
        let options = ["--baseline=skip".into(), format!("--timeout={}", suite.patience).into()];
        for shard in (0..shards).take_while(|_| Instant::now() < deadline) {
            let shard = OsString::from(format!("--shard={shard}/{shards}"));
            seen.add(mutation.run(suite, &options, selection, &[shard])?);
        }
        left += count.saturating_sub(seen.all() - before);
    }
    verdict(&Equivalent::read(workspace)?.missed(&seen.missed))?;
    let rest = if left > 0 { format!(", no time for {left}") } else { String::new() };
    Ok(Some(format!("{}{rest}", seen.summary())))
}

fn verdict(wrong: &[Mutant]) -> Result<()> {
    if wrong.is_empty() {
        return Ok(());
    }
    let lines = wrong.iter().map(|mutant| format!("  {}", mutant.shown)).collect::<Vec<_>>().join("\n");
    bail!(
        "no test notices {} changes:\n{lines}\nwrite a test that does, or list it with a reason in {}",
        wrong.len(),
        equivalent::PATH
    )
}

/// The files of the suite below the given paths; all of them without paths.
fn chosen(workspace: &Workspace, suite: &Suite, paths: &[PathBuf]) -> Result<Vec<OsString>> {
    if paths.is_empty() {
        return Ok(suite.files.iter().map(OsString::from).collect());
    }
    let mut globs = Vec::new();
    for path in paths {
        let full = workspace.root().join(path);
        ensure!(full.exists(), "{} is not there", full.display());
        let path = full.strip_prefix(workspace.root()).context("what is changed lies in the repository")?;
        if path.starts_with(EDGE_FOLDER) == (suite.name == EDGE) {
            globs.push(if full.is_dir() { path.join("**/*.rs") } else { path.to_owned() }.into());
        }
    }
    Ok(globs)
}

/// The arguments that select files by globs.
fn of_files(globs: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Vec<OsString> {
    globs.into_iter().flat_map(|glob| ["--file".into(), glob.as_ref().to_owned()]).collect()
}

/// cargo-mutants on a copy of the repository.
struct Mutation<'w> {
    workspace: &'w Workspace,
    tree: Tree,
}

impl<'w> Mutation<'w> {
    fn prepare(workspace: &'w Workspace) -> Result<Self> {
        setup::mutants(workspace)?;
        toponym::ensure_index(workspace)?;
        let tree = report::step("copy the repository", |_| Tree::copy(workspace))?;
        Ok(Self { workspace, tree })
    }

    /// The number of mutants that `selection` chooses in a suite.
    fn count(&self, suite: &Suite, selection: &[OsString]) -> Result<usize> {
        let mut command = self.command(suite, selection)?;
        command.arg("--list");
        Ok(process::output(command)?.lines().count())
    }

    /// Builds the tests once, so that every change only rebuilds a part.
    fn build_tests(&self) -> Result<()> {
        let mut command = self.workspace.cargo(&["test", "--no-run", "--workspace", PROFILE, "--tests"])?;
        command.current_dir(self.tree.root()).env("CARGO_TARGET_DIR", self.workspace.target());
        report::step("build the tests", |line| process::run_behind(line, command))
    }

    /// Tests each change of a part of `selection` with the unit tests of the changed crate, which take seconds; then
    /// the missed ones with all tests of the suite.
    fn run(&self, suite: &Suite, options: &[OsString], selection: &[OsString], part: &[OsString]) -> Result<Seen> {
        let mut seen = self.run_tests(suite, &UNIT_TESTS, &[options, selection, part].concat())?;
        if !seen.missed.is_empty() {
            let patterns = seen.missed.iter().flat_map(|mutant| ["--re".into(), mutant.pattern().into()]);
            let patterns: Vec<OsString> = patterns.collect();
            let again = self.run_tests(suite, suite.tests, &[options, selection, &patterns].concat())?;
            // Not a sum: deleting a field of a struct expression is tried again, whatever the patterns are.
            let tried = seen.missed.len();
            seen.missed.retain(|mutant| again.missed.contains(mutant));
            seen.noticed += tried - seen.missed.len();
        }
        Ok(seen)
    }

    fn run_tests(&self, suite: &Suite, tests: &[&str], selection: &[OsString]) -> Result<Seen> {
        let mut command = self.command(suite, selection)?;
        let folder = self.tree.home().join("out");
        if folder.is_dir() {
            fs_err::remove_dir_all(&folder)?;
        }
        fs_err::create_dir_all(&folder)?;
        command.arg(PROFILE).args(tests).arg("--in-place").arg("--output").arg(&folder);
        let what = format!("change {} and test", suite.name);
        report::step(&what, |line| process::run_hidden(command, &TO_THE_END, |text| line.detail(text)))?;
        Seen::read(&folder.join("mutants.out"))
    }

    fn command(&self, suite: &Suite, selection: &[OsString]) -> Result<std::process::Command> {
        let mut command =
            self.workspace.cargo(&["mutants", "--no-times", "--colors=never", "--annotations=none", "--dir"])?;
        command.arg(self.tree.root()).args(selection);
        command.args(suite.except.iter().flat_map(|glob| ["--exclude", glob]));
        // Uses the same target folder: libraries are already built there, and crates of the copy differ from those of
        // the repository.
        command.env("CARGO_TARGET_DIR", self.workspace.target());
        Ok(command)
    }
}

/// The results of the changes.
#[derive(Debug, Default)]
struct Seen {
    noticed: usize,
    missed: Vec<Mutant>,
    /// Changes that did not compile.
    unviable: usize,
}

impl Seen {
    /// Reads the results of a run, which exist only if it completed.
    fn read(folder: &Path) -> Result<Self> {
        let list = |name: &str| fs_err::read_to_string(folder.join(format!("{name}.txt")));
        let count = |name: &str| list(name).map(|text| text.lines().count());
        Ok(Self {
            // A timeout counts as noticed.
            noticed: count("caught")? + count("timeout")?,
            missed: list("missed")?.lines().map(Mutant::of_line).collect(),
            unviable: count("unviable")?,
        })
    }

    fn add(&mut self, other: Self) {
        self.noticed += other.noticed;
        self.missed.extend(other.missed);
        self.unviable += other.unviable;
    }

    fn all(&self) -> usize {
        self.noticed + self.missed.len() + self.unviable
    }

    fn summary(&self) -> String {
        let Self { noticed, missed, unviable } = self;
        format!("{} changes, {noticed} noticed, {} not, {unviable} do not compile", self.all(), missed.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_glob_names_files() {
        let workspace = Workspace::find();
        for glob in SUITES.iter().flat_map(|suite| suite.files.iter().chain(suite.except)) {
            let folder = glob.split(['*']).next().expect("a glob has a beginning");
            let folder =
                folder.rsplit_once('/').map_or(folder, |(folder, rest)| if rest.is_empty() { folder } else { glob });
            let path = folder.split("/*").next().unwrap_or(folder);
            assert!(workspace.root().join(path).exists(), "{glob}");
        }
    }

    #[test]
    fn paths_choose_their_suite() {
        let workspace = Workspace::find();
        let check = |path: &str, expect: [&[&str]; 2]| {
            let found = SUITES.each_ref().map(|suite| chosen(&workspace, suite, &[path.into()]).expect("it is there"));
            assert_eq!(
                found.each_ref().map(|globs| globs.iter().map(|g| g.to_string_lossy()).collect::<Vec<_>>()),
                expect
            );
        };
        check("edge-worker/src/query.rs", [&["edge-worker/src/query.rs"], &[]]);
        check("engine/src/search", [&[], &["engine/src/search/**/*.rs"]]);
        assert!(chosen(&workspace, &SUITES[0], &["nowhere".into()]).is_err());
    }
}
