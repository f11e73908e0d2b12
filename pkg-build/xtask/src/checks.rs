//! Runs a list of checks to the end, even if some fail, and prints a table of durations and results.

use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Result, bail, ensure};
use comfy_table::{CellAlignment, Table, presets};
use toponym_terminal::report;

use super::process;
use super::tally::Tally;

/// The checks that have run.
#[derive(Default)]
pub struct Checks {
    done: Vec<Check>,
}

/// A completed or skipped check.
struct Check {
    name: &'static str,
    elapsed: Duration,
    outcome: Result<Summary>,
}

/// The result of a check that did not fail.
#[derive(Default)]
pub struct Summary {
    /// Whether it could not run here, which is not a failure but must be visible.
    skipped: bool,
    /// Short note for the table.
    note: String,
    /// The summary lines of its test runner.
    closing: Vec<String>,
}

impl Checks {
    /// Runs `work` as the check `name` and returns whether it passed.
    pub fn run(&mut self, name: &'static str, work: impl FnOnce() -> Result<Summary>) -> bool {
        report::say(&format!("\n── {name} ──"));
        let start = Instant::now();
        let outcome = work();
        match &outcome {
            Err(error) => report::say(&format!("✗ {name}: {error:#}")),
            Ok(summary) if summary.skipped => report::say(&format!("! {name}: skipped: {}", summary.note)),
            Ok(_) => {}
        }
        self.done.push(Check { name, elapsed: start.elapsed(), outcome });
        self.done.last().is_some_and(|check| check.outcome.is_ok())
    }

    /// Like [`Checks::run`], for a check that fails unless an earlier one `prepared` it.
    pub fn run_after(&mut self, prepared: bool, name: &'static str, work: impl FnOnce() -> Result<Summary>) -> bool {
        self.run(name, || if prepared { work() } else { bail!("not run: a check that it depends on failed") })
    }

    /// Prints the summary lines and the table; an error if a check failed.
    pub fn finish(self) -> Result<()> {
        report::say("");
        for check in &self.done {
            for line in check.outcome.iter().flat_map(|summary| &summary.closing) {
                println!("{}: {line}", check.name);
            }
        }
        println!("\n{}", table(&self.done));
        let failed: Vec<_> = self.done.iter().filter(|check| check.outcome.is_err()).map(|check| check.name).collect();
        ensure!(failed.is_empty(), "{} of {} checks failed: {}", failed.len(), self.done.len(), failed.join(", "));
        Ok(())
    }
}

/// Runs a command whose exit status is the result.
pub fn command(command: Command) -> Result<Summary> {
    process::run(command)?;
    Ok(Summary::default())
}

/// Runs a preparation that has no result of its own.
pub fn preparation(work: impl FnOnce() -> Result<()>) -> Result<Summary> {
    work()?;
    Ok(Summary::default())
}

/// A passed check, with `note` for the table.
pub fn passed(note: impl Into<String>) -> Summary {
    Summary { note: note.into(), ..Summary::default() }
}

/// A check that could not run here, and why.
pub fn skipped(reason: impl Into<String>) -> Summary {
    Summary { skipped: true, note: reason.into(), ..Summary::default() }
}

/// Runs a test command. It fails if no test ran.
pub fn tests(command: Command) -> Result<Summary> {
    let mut tally = Tally::default();
    let mut closing = Vec::new();
    let ended = process::run_watched(command, |line| {
        if tally.see(line) {
            closing.push(console::strip_ansi_codes(line).into_owned());
        }
    });
    ensure!(tally.failed == 0, "{tally}");
    ended?;
    ensure!(tally.passed > 0, "no test ran");
    Ok(Summary { closing, ..passed(tally.to_string()) })
}

fn table(checks: &[Check]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_BORDERS_ONLY).set_header(["check", "time", "verdict", ""]);
    for check in checks {
        let (verdict, note) = match &check.outcome {
            Ok(summary) if summary.skipped => ("! SKIPPED", summary.note.clone()),
            Ok(summary) => ("✓ passed", summary.note.clone()),
            Err(error) => ("✗ FAILED", last_line(&error.to_string())),
        };
        table.add_row([check.name, &report::duration(check.elapsed), verdict, &note]);
    }
    if let Some(times) = table.column_mut(1) {
        times.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// If an error holds the output of a program, its last line says what failed.
fn last_line(text: &str) -> String {
    text.lines().next_back().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_failure_fails_all_and_stops_nothing() {
        let mut checks = Checks::default();
        assert!(checks.run("first", || Ok(Summary { closing: vec!["closing".into()], ..passed("7 passed") })));
        let prepared = checks.run("second", || bail!("much output\nbroken"));
        assert!(!prepared && !checks.run_after(prepared, "third", || Ok(Summary::default())));
        assert!(checks.run("fourth", || Ok(Summary::default())));
        assert!(checks.run("fifth", || Ok(skipped("no network"))), "it is no failure");
        let table = table(&checks.done).to_string();
        for part in ["first", "7 passed", "✗ FAILED", "broken", "not run", "fourth", "! SKIPPED", "no network"] {
            assert!(table.contains(part), "{part} is missing from\n{table}");
        }
        assert!(!table.contains("much output"), "{table}");
        let error = checks.finish().expect_err("two checks failed").to_string();
        assert_eq!(error, "2 of 5 checks failed: second, third");
    }

    #[cfg(unix)]
    #[test]
    fn a_run_of_tests_is_judged_by_its_counts_and_its_end() {
        let check = |script: &str, expect: Result<&str, &str>| {
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            match (tests(command), expect) {
                (Ok(summary), Ok(note)) => assert_eq!(summary.note, note, "{script}"),
                (Err(error), Err(part)) => assert!(error.to_string().contains(part), "{script}: {error}"),
                (Ok(_), Err(part)) => panic!("{script}: held, yet it should say {part}"),
                (Err(error), Ok(_)) => panic!("{script}: {error}"),
            }
        };
        check("echo 'test result: ok. 3 passed; 0 failed; 1 ignored'", Ok("3 passed, 0 failed, 1 skipped"));
        check("echo 'ℹ pass 2'; echo 'ℹ fail 0'", Ok("2 passed, 0 failed, 0 skipped"));
        check("echo 'test result: FAILED. 3 passed; 1 failed'; exit 101", Err("3 passed, 1 failed"));
        check("echo 'test result: FAILED. 3 passed; 1 failed'", Err("3 passed, 1 failed"));
        check("echo 'test result: ok. 3 passed; 0 failed'; exit 101", Err("exit status: 101"));
        check("echo 'test result: ok. 0 passed; 0 failed'", Err("no test ran"));
        check("echo 'no tests to run!'", Err("no test ran"));
    }

    #[test]
    fn all_held() {
        let mut checks = Checks::default();
        checks.run("only", || Ok(Summary::default()));
        assert!(checks.finish().is_ok());
    }
}
