//! Says on standard error what a command does, and how long it took.
//!
//! On a terminal the present step is one line that moves. Elsewhere, as in CI, it is a line when the step starts and one when
//! it ends.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};

const TICK: Duration = Duration::from_millis(100);

/// The line of the present step.
pub struct Line {
    bar: ProgressBar,
}

impl Line {
    /// Shows `text` beside the step until the next one.
    pub fn detail(&self, text: &str) {
        self.bar.set_message(console::strip_ansi_codes(text).trim().to_owned());
    }
}

/// Does `work` under the name `what`.
pub fn step<T>(what: &str, work: impl FnOnce(&Line) -> Result<T>) -> Result<T> {
    let start = Instant::now();
    let line = begin(what);
    let outcome = work(&line);
    line.bar.finish_and_clear();
    let mark = if outcome.is_ok() { "✓" } else { "✗" };
    say(&format!("{mark} {what} ({})", duration(start.elapsed())));
    outcome
}

/// A remark on what was found.
pub fn remark(text: &str) {
    say(&format!("• {text}"));
}

/// A line on standard error, in one write: wrangler, which runs `cargo xtask`, puts its mark before every piece it reads.
pub fn say(line: &str) {
    // Nobody reads it any more: no reason to fail.
    let _ = std::io::stderr().write_all(format!("{line}\n").as_bytes());
}

/// A duration to three figures or so: `85 ms`, `12.3 s`, `2 min 5 s`.
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
    bar.set_style(style.expect("the template is well formed: a test draws it"));
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
    fn a_step_hands_its_outcome_on() {
        let value = step("a step", |line| {
            line.detail("\u{1b}[32mcoloured\u{1b}[0m\n");
            Ok(line.bar.message())
        });
        assert_eq!(value.expect("it succeeds"), "coloured");
        assert!(step("a step", |_| anyhow::bail!("no")).map(|(): ()| ()).is_err());
    }
}
