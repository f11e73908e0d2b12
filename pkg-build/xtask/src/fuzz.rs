//! `cargo xtask fuzz`: runs libFuzzer on the targets of `tests/fuzz`.
//!
//! A run starts from `tests/fuzz/inputs` and keeps useful inputs in `target/fuzz/corpus` for the next one. Failing inputs are
//! written to `target/fuzz/failed`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use indicatif::HumanCount;
use toponym_terminal::process;
use toponym_terminal::report;
use toponym_terminal::workspace::Workspace;

use super::checks::Summary;
use super::checks::output::Output;
use super::toponym;

/// Arguments of `cargo xtask fuzz`.
#[derive(Args)]
pub struct Arguments {
    /// A target, named by its file in tests/fuzz/inputs [default: all, one after the other]
    target: Option<String>,
    /// Minutes for each target
    #[arg(long, value_name = "NUMBER", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    minutes: u64,
    /// Run only this input
    #[arg(long, value_name = "FILE", requires = "target")]
    input: Option<PathBuf>,
    /// Look for the smallest input that fails in the same way
    #[arg(long, value_name = "FILE", requires = "target", conflicts_with = "input")]
    minimise: Option<PathBuf>,
}

/// Seconds for each target in CI: enough for defects that many inputs show. 16 targets take little more than a minute.
const SECONDS_IN_CI: u64 = 5;

/// CI uses a fixed seed, so that a failure comes from the change. Long runs draw new inputs.
const SEED_IN_CI: u32 = 1;

/// Folders of the useful inputs that runs have found.
const FOUND: &str = "corpus";
const FOUND_IN_CI: &str = "corpus-of-ci";

/// Timeout of one input in seconds. The most expensive query takes about 50 ms of processor time when instrumented; the
/// margin is for busy machines.
const TIMEOUT: &str = "-timeout=10";

/// Memory limit of a target in MB: the default index and libFuzzer's data take about 200. A single allocation has the
/// same limit.
const MEMORY: &str = "-rss_limit_mb=1024";

/// Limits the executions for minimising an input.
const MINIMISING: [&str; 2] = ["-minimize_crash=1", "-runs=100000"];

/// Flags that cargo-fuzz compiles with, except its sanitizer: that looks for errors in unsafe code, which is forbidden here, and
/// halves the speed. The passes count which branches an input takes, and what it compares.
const COVERAGE: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares --cfg=fuzzing -Cdebug-assertions";

/// Optimisation for a run of seconds: better code would not pay for the time in which it is compiled.
const BRIEF_OPTIMISATION: &str = "1";
const OPTIMISATION: &str = "3";

/// The variable by which the program knows its target.
const TARGET: &str = "TOPONYM_FUZZ_TARGET";

/// Runs the targets.
pub fn run(workspace: &Workspace, arguments: Arguments) -> Result<()> {
    let known = targets(workspace)?;
    let wanted = match &arguments.target {
        Some(name) if known.contains(name) => vec![name.clone()],
        Some(name) => bail!("there is no target {name}; there are: {}", known.join(", ")),
        None => known,
    };
    toponym::ensure_index(workspace)?;
    let fuzzer = Fuzzer::build(workspace, OPTIMISATION)?;
    match (&arguments.input, &arguments.minimise, wanted.as_slice()) {
        (Some(input), _, [target]) => process::run(fuzzer.again(target, input)?),
        (_, Some(input), [target]) => fuzzer.minimise(target, input),
        _ => fuzzer.search_all(&wanted, Duration::from_secs(arguments.minutes * 60), FOUND, None).map(drop),
    }
}

/// Runs every target briefly, over every input in the repository.
pub fn briefly(workspace: &Workspace, _output: &mut Output<'_>) -> Result<Summary> {
    let targets = targets(workspace)?;
    let fuzzer = Fuzzer::build(workspace, BRIEF_OPTIMISATION)?;
    // Reading the corpus of long runs would take all of the time.
    let found = workspace.target().join("fuzz").join(FOUND_IN_CI);
    if found.is_dir() {
        fs_err::remove_dir_all(&found)?;
    }
    let executions = fuzzer.search_all(&targets, Duration::from_secs(SECONDS_IN_CI), FOUND_IN_CI, Some(SEED_IN_CI))?;
    Ok(Summary::passed(format!("{} targets, {} executions", targets.len(), HumanCount(executions))))
}

/// Returns the names of the targets, as the program that writes their inputs knows them.
fn targets(workspace: &Workspace) -> Result<Vec<String>> {
    let inputs = inputs(workspace);
    let mut command = workspace.cargo(&["run", "--quiet", "--bin", "fuzz-inputs", "--"])?;
    command.arg(&inputs);
    process::run(command)?;
    let mut names = Vec::new();
    for entry in fs_err::read_dir(&inputs)? {
        let entry = entry?;
        if entry.path().is_dir() {
            names.push(entry.file_name().into_string().ok().context("names of targets are text")?);
        }
    }
    names.sort();
    Ok(names)
}

/// Returns the folder with the inputs of the repository as libFuzzer reads them.
fn inputs(workspace: &Workspace) -> PathBuf {
    workspace.target().join("fuzz").join("inputs")
}

/// The built program.
struct Fuzzer<'w> {
    workspace: &'w Workspace,
    program: PathBuf,
}

impl<'w> Fuzzer<'w> {
    /// Compiles the program with all targets.
    fn build(workspace: &'w Workspace, optimisation: &str) -> Result<Self> {
        let host = workspace.output("rustc", &["--print", "host-tuple"])?;
        let folder = workspace.target().join("fuzz");
        let arguments = ["build", "--package", "toponym-fuzz", "--bin", "fuzz", "--features", "libfuzzer", "--release"];
        let mut command = workspace.cargo(&arguments)?;
        // With a target, the flags leave build scripts and macros alone.
        command.args(["--target", &host, "--target-dir"]).arg(&folder).env("RUSTFLAGS", COVERAGE);
        command.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", optimisation);
        // Link-time optimisation would take longer than most runs.
        command.env("CARGO_PROFILE_RELEASE_LTO", "off").env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
        process::run_as("build the fuzz targets", command)?;
        Ok(Self { workspace, program: folder.join(host).join("release/fuzz") })
    }

    /// Runs each target for `time`, continuing after failures, and keeps useful inputs in the folder `found`. Returns
    /// the number of executions.
    fn search_all(&self, targets: &[String], time: Duration, found: &str, seed: Option<u32>) -> Result<u64> {
        let mut executions = 0;
        let mut failures = Vec::new();
        for target in targets {
            match self.search(target, time, found, seed) {
                Ok(count) => executions += count,
                Err(error) => failures.push(format!("{error:#}")),
            }
        }
        ensure!(failures.is_empty(), "{}", failures.join("\n\n"));
        Ok(executions)
    }

    /// Runs a target and returns the number of executions.
    fn search(&self, target: &str, time: Duration, found: &str, seed: Option<u32>) -> Result<u64> {
        let mut seen = Seen::default();
        let mut command = self.command(target)?;
        command.args(["-print_final_stats=1", &format!("-max_total_time={}", time.as_secs())]);
        command.args(seed.map(|seed| format!("-seed={seed}")));
        command.arg(self.folder(found, target)?).arg(inputs(self.workspace).join(target));
        let dictionary = inputs(self.workspace).join(target).with_extension("dict");
        if dictionary.is_file() {
            command.arg(with_path("-dict=", &dictionary));
        }
        let what = format!("fuzz {target} ({})", report::duration(time));
        let outcome = report::step(&what, |line| {
            let mut output = Vec::new();
            let status = process::watch(command, |text| {
                seen.see(text);
                output.push(text.to_owned());
                // libFuzzer says how much it has tried, how fast, and what it covers.
                line.detail(text);
            })?;
            ensure!(status.success(), "{}", output.join("\n"));
            Ok(())
        });
        report::remark(&format!("{target}: {} executions", HumanCount(seen.executions)));
        match (outcome, &seen.failed) {
            (Ok(()), _) => Ok(seen.executions),
            (Err(error), None) => Err(error),
            (Err(error), Some(input)) => {
                report::say(&format!("{error:#}"));
                let input = Path::new(input).strip_prefix(self.workspace.root()).unwrap_or(Path::new(input));
                bail!("{}", advice(target, &input.display().to_string()))
            }
        }
    }

    fn again(&self, target: &str, input: &Path) -> Result<Command> {
        let mut command = self.command(target)?;
        command.arg(input);
        Ok(command)
    }

    fn minimise(&self, target: &str, input: &Path) -> Result<()> {
        let mut command = self.command(target)?;
        let smaller = input.with_extension("smallest");
        command.args(MINIMISING).arg(with_path("-exact_artifact_path=", &smaller)).arg(input);
        process::run_as(&format!("minimise {}", input.display()), command)?;
        report::remark(&format!("{} is the smallest input found", smaller.display()));
        Ok(())
    }

    /// Creates the command for a target, with the options common to all runs.
    fn command(&self, target: &str) -> Result<Command> {
        let mut command = self.workspace.command(&self.program.to_string_lossy())?;
        let mut failed = self.folder("failed", target)?.into_os_string();
        failed.push("/");
        command.env(TARGET, target).args([TIMEOUT, MEMORY]).arg(with_path("-artifact_prefix=", Path::new(&failed)));
        Ok(command)
    }

    /// Creates a folder for the output of runs.
    fn folder(&self, kind: &str, target: &str) -> Result<PathBuf> {
        let folder = self.workspace.target().join("fuzz").join(kind).join(target);
        fs_err::create_dir_all(&folder)?;
        Ok(folder)
    }
}

fn with_path(option: &str, path: &Path) -> OsString {
    let mut argument = OsString::from(option);
    argument.push(path);
    argument
}

/// Figures of libFuzzer's output at its end.
#[derive(Debug, Default, PartialEq)]
struct Seen {
    executions: u64,
    /// The input that failed.
    failed: Option<String>,
}

impl Seen {
    /// Reads a line of output.
    fn see(&mut self, text: &str) {
        if let Some(count) = text.strip_prefix("stat::number_of_executed_units: ") {
            self.executions = count.trim().parse().unwrap_or_default();
        }
        if let Some((_, path)) = text.split_once("Test unit written to ") {
            self.failed = Some(path.to_owned());
        }
    }
}

/// Writes instructions for a failing input.
fn advice(target: &str, input: &str) -> String {
    format!(
        "{target} fails with {input}\n  \
         once more:  cargo xtask fuzz {target} --input {input}\n  \
         smaller:    cargo xtask fuzz {target} --minimise {input}\n  \
         and then:   cargo run --bin fuzz-inputs -- --keep {target} NAME {input}\n\
         which adds it to tests/fuzz/inputs/{target}.txt, of which `cargo test --test replay` runs every input"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_of_libfuzzer() {
        let check = |lines: &[&str], executions, failed: Option<&str>| {
            let mut seen = Seen::default();
            lines.iter().for_each(|line| seen.see(line));
            assert_eq!((seen.executions, seen.failed.as_deref()), (executions, failed), "{lines:?}");
        };
        let pulse = "#4096\tpulse  cov: 2168 ft: 9453 corp: 415/4790b lim: 21 exec/s: 1052 rss: 70Mb";
        check(&[pulse, "stat::number_of_executed_units: 9000", "stat::average_exec_per_sec:     7"], 9_000, None);
        let written = "artifact_prefix='f/'; Test unit written to f/crash-1 2";
        check(&["==1== ERROR: libFuzzer: deadly signal", written, ""], 0, Some("f/crash-1 2"));
    }

    #[test]
    fn a_failure_says_what_to_do() {
        let advice = advice("fold", "target/fuzz/failed/fold/crash-1");
        for part in ["--input target/", "--minimise target/", "tests/fuzz/inputs/fold.txt"] {
            assert!(advice.contains(part), "no {part:?} in {advice}");
        }
    }
}
