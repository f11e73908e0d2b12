//! Counts tests from the summary lines of their runners.
//!
//! Supports libtest, whose summary line wasm-bindgen-test prints too, the `spec` reporter of node:test, and pytest.

use std::fmt;

/// Number of tests, summed over any number of summary lines.
#[derive(Debug, Default, PartialEq)]
pub struct Tally {
    /// Tests that passed.
    pub passed: u64,
    /// Tests that failed or were cancelled.
    pub failed: u64,
    /// Tests that are ignored, skipped or still to be written.
    pub skipped: u64,
}

impl Tally {
    /// Adds the counts of an output line; returns whether it was a summary line.
    pub fn see(&mut self, line: &str) -> bool {
        let line = console::strip_ansi_codes(line);
        let counts = match (line.strip_prefix("test result: "), line.strip_prefix("ℹ ")) {
            (Some(libtest), _) => libtest_counts(libtest),
            (None, Some(node)) => node_count(node).into_iter().collect(),
            (None, None) => pytest_counts(&line),
        };
        for (word, count) in &counts {
            *match word.as_str() {
                "passed" | "pass" => &mut self.passed,
                "failed" | "fail" | "cancelled" | "error" | "errors" => &mut self.failed,
                "ignored" | "skipped" | "todo" => &mut self.skipped,
                _ => continue,
            } += count;
        }
        !counts.is_empty()
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

/// Reads the counts of `ok. 12 passed; 0 failed; 1 ignored; ...`
fn libtest_counts(line: &str) -> Vec<(String, u64)> {
    let counts = line.split_once(". ").map_or("", |(_, counts)| counts);
    counts.split("; ").filter_map(|part| part.split_once(' ')).filter_map(|(n, word)| count(word, n)).collect()
}

/// Reads the counts of `===== 1 failed, 12 passed, 1 skipped in 0.05s =====`
fn pytest_counts(line: &str) -> Vec<(String, u64)> {
    let line = line.trim_matches('=').trim();
    let counts = line
        .rsplit_once(" in ")
        .filter(|(_, time)| time.split(' ').next().is_some_and(|time| time.ends_with('s')))
        .map_or("", |(counts, _)| counts);
    let read: Option<Vec<_>> =
        counts.split(", ").map(|part| part.split_once(' ').and_then(|(n, word)| count(word, n))).collect();
    read.unwrap_or_default()
}

/// Reads the count of `pass 12`
fn node_count(line: &str) -> Option<(String, u64)> {
    line.split_once(' ').and_then(|(word, n)| count(word, n))
}

fn count(word: &str, n: &str) -> Option<(String, u64)> {
    n.trim().parse().ok().map(|n| (word.to_owned(), n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_lines_are_counted() {
        let check = |lines: &[&str], passed, failed, skipped| {
            let mut tally = Tally::default();
            lines.iter().for_each(|line| {
                tally.see(line);
            });
            assert_eq!(tally, Tally { passed, failed, skipped }, "{lines:?}");
        };
        check(
            &["test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 3 filtered out; finished in 0.05s"],
            12,
            0,
            1,
        );
        check(&["test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out"], 2, 1, 0);
        check(&["test result: \u{1b}[32mok\u{1b}[0m. 7 passed; 0 failed; 0 ignored; 0 filtered out"], 7, 0, 0);
        check(
            &["ℹ tests 9", "ℹ pass 5", "ℹ fail 1", "ℹ cancelled 1", "ℹ skipped 1", "ℹ todo 1", "ℹ duration_ms 81.2"],
            5,
            2,
            2,
        );
        check(&["\u{1b}[34mℹ pass 5\u{1b}[39m", "test result: ok. 1 passed; 0 failed"], 6, 0, 0);
        check(&["===== 1 failed, 12 passed, 2 skipped, 1 deselected in 3.20s ====="], 12, 1, 2);
        check(&["=== 4 passed, 1 error in 71.35s (0:01:11) ===", "=== no tests ran in 0.01s ==="], 4, 1, 0);
        check(&["1 thing, 2 passed things in use", "=== short test summary info ==="], 0, 0, 0);
        check(&["test a_test ... ok", "running 3 tests", "ℹ a remark", "pass 12", ""], 0, 0, 0);
    }
}
