//! Prints progress and durations to standard error.
//!
//! On a terminal the current step is one animated line. Elsewhere, as in CI, a line is printed when a step starts and
//! another when it ends.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};

const TICK: Duration = Duration::from_millis(100);

/// The line of the current step.
pub struct Line {
    bar: ProgressBar,
}

impl Line {
    /// Shows `text` after the step until the next call.
    pub fn detail(&self, text: &str) {
        self.bar.set_message(console::strip_ansi_codes(text).trim().to_owned());
    }
}

/// Runs `work` as a step called `what`.
pub fn step<T>(what: &str, work: impl FnOnce(&Line) -> Result<T>) -> Result<T> {
    let start = Instant::now();
    let line = begin(what);
    let outcome = work(&line);
    line.bar.finish_and_clear();
    let mark = if outcome.is_ok() { "✓" } else { "✗" };
    say(&format!("{mark} {what} ({})", duration(start.elapsed())));
    outcome
}

/// Prints a remark.
pub fn remark(text: &str) {
    say(&format!("• {text}"));
}

/// Prints a line to standard error in one write: wrangler, which runs `cargo xtask`, prefixes every chunk that it
/// reads.
pub fn say(line: &str) {
    // An unread standard error is no reason to fail.
    let _ = std::io::stderr().write_all(format!("{line}\n").as_bytes());
}

/// Formats a duration to about three digits: `85 ms`, `12.3 s`, `2 min 5 s`.
pub fn duration(elapsed: Duration) -> String {
    match elapsed.as_secs() {
        0 => format!("{} ms", elapsed.as_millis()),
        1..60 => format!("{:.1} s", elapsed.as_secs_f64()),
        seconds => format!("{} min {} s", seconds / 60, seconds % 60),
    }
}

fn begin(what: &str) -> Line {
    if !std::io::stderr().is_terminal() {
        say(&format!("… {what}"));
    }
    let style = ProgressStyle::with_template("{spinner} {prefix} ({elapsed}) {wide_msg:.dim}");
    let bar = ProgressBar::new_spinner().with_prefix(what.to_owned());
    bar.set_style(style.expect("the template is valid"));
    bar.enable_steady_tick(TICK);
    Line { bar }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        let check = |milliseconds, expect: &str| assert_eq!(duration(Duration::from_millis(milliseconds)), expect);
        check(0, "0 ms");
        check(85, "85 ms");
        check(12_340, "12.3 s");
        check(60_000, "1 min 0 s");
        check(125_900, "2 min 5 s");
    }

    #[test]
    fn a_step_returns_its_result() {
        let value = step("a step", |line| {
            line.detail("\u{1b}[32mcoloured\u{1b}[0m\n");
            Ok(line.bar.message())
        });
        assert_eq!(value.expect("it succeeds"), "coloured");
        assert!(step("a step", |_| anyhow::bail!("no")).map(|(): ()| ()).is_err());
    }
}
