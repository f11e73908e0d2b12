//! Checks: tasks that pass or fail. Two lanes run them at the same time ([`lanes`]), each writes all that it prints into a
//! file ([`output`]), and a table at the end shows durations and results.

mod check;
pub mod lanes;
pub mod output;
pub mod proof;
mod summary;
mod tally;

use anyhow::{Result, ensure};
use comfy_table::{CellAlignment, Table, presets};
use toponym_terminal::report;

pub use check::{Check, Finished, Lane};
pub use summary::Summary;

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
    use std::time::Duration;

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
