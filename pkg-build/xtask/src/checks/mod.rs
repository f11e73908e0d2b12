//! Checks: tasks that pass or fail. Two lanes run them at the same time ([`lanes`]), each writes all that it prints into a
//! file ([`output`]), and a table at the end shows durations and results.

pub mod lanes;
pub mod output;
pub mod proof;
mod tally;

use std::time::Duration;

use anyhow::{Result, ensure};
use comfy_table::{CellAlignment, Table, presets};
use toponym_terminal::report;

use super::workspace::Workspace;
use output::Output;

/// A check, as data.
#[derive(Clone, Copy)]
pub struct Check {
    /// The name in the table, in arguments, and in what others are `after`.
    pub name: &'static str,
    /// The lane that runs it.
    pub lane: Lane,
    /// The checks that have to pass first.
    pub after: &'static [&'static str],
    /// Files and folders that decide its result, if it is long: CI runs it if they have changed since it passed ([`proof`]).
    /// Without any it runs always.
    pub inputs: &'static [&'static str],
    /// What it does.
    pub run: fn(&Workspace, &mut Output<'_>) -> Result<Summary>,
}

/// Which of two workers runs a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// Compiles or computes, one check after another: cargo uses all cores by itself.
    Compute,
    /// Waits most of its time: for downloads, a browser, a service.
    Wait,
}

/// The result of a check that did not fail.
#[derive(Debug, Default)]
pub struct Summary {
    /// The check could not run here, which is not a failure but must be visible.
    pub is_skipped: bool,
    /// A short note for the table.
    pub note: String,
    /// The summary lines of its test runner.
    pub closing: Vec<String>,
}

impl Summary {
    /// A passed check, with `note` for the table.
    pub fn passed(note: impl Into<String>) -> Self {
        Self { note: note.into(), ..Self::default() }
    }

    /// A check that could not run here, and why.
    pub fn skipped(reason: impl Into<String>) -> Self {
        Self { is_skipped: true, note: reason.into(), ..Self::default() }
    }
}

/// A finished check.
#[derive(Debug)]
pub struct Finished {
    pub name: &'static str,
    pub elapsed: Duration,
    pub outcome: Result<Summary>,
}

/// Prints the summary lines of all test runners and a table of the checks.
///
/// # Errors
/// If a check failed.
pub fn conclude(finished: &[Finished]) -> Result<()> {
    report::say("");
    for check in finished {
        for line in check.outcome.iter().flat_map(|summary| &summary.closing) {
            println!("{}: {line}", check.name);
        }
    }
    println!("\n{}", table(finished));
    let failed: Vec<_> = finished.iter().filter(|check| check.outcome.is_err()).map(|check| check.name).collect();
    ensure!(failed.is_empty(), "{} of {} checks failed: {}", failed.len(), finished.len(), failed.join(", "));
    Ok(())
}

fn table(finished: &[Finished]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_BORDERS_ONLY).set_header(["check", "time", "verdict", ""]);
    for check in finished {
        let (verdict, note) = match &check.outcome {
            Ok(summary) if summary.is_skipped => ("! SKIPPED", summary.note.clone()),
            Ok(summary) => ("✓ passed", summary.note.clone()),
            // If an error holds the output of a program, its last line says what failed.
            Err(error) => ("✗ FAILED", error.to_string().lines().next_back().unwrap_or_default().to_owned()),
        };
        table.add_row([check.name, &report::duration(check.elapsed), verdict, &note]);
    }
    if let Some(times) = table.column_mut(1) {
        times.set_cell_alignment(CellAlignment::Right);
    }
    table
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;

    use super::*;

    #[test]
    fn a_failure_fails_the_run() {
        let check = |name, outcome| Finished { name, elapsed: Duration::from_secs(1), outcome };
        let mut finished = vec![
            check("first", Ok(Summary { closing: vec!["closing".into()], ..Summary::passed("7 passed") })),
            check("second", Ok(Summary::skipped("no network"))),
        ];
        assert!(conclude(&finished).is_ok(), "a skipped check is not a failure");
        finished.push(check("third", Err(anyhow!("much output\nbroken"))));
        let table = table(&finished).to_string();
        for part in ["first", "7 passed", "! SKIPPED", "no network", "✗ FAILED", "broken"] {
            assert!(table.contains(part), "{part} is missing from\n{table}");
        }
        assert!(!table.contains("much output"), "{table}");
        let error = conclude(&finished).expect_err("a check failed").to_string();
        assert_eq!(error, "1 of 3 checks failed: third");
    }
}
