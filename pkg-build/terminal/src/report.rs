//! Prints progress and durations to standard error.
//!
//! On a terminal the current step is one animated line. Elsewhere, as in CI, a line is printed when a step starts and
//! another when it ends.

use std::fmt;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};

const TICK: Duration = Duration::from_millis(100);

/// Amount of work of a step, to say beforehand how long it will take: `about 50 s on 2 idle cores`.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    /// Seconds that one idle core takes, measured.
    pub seconds: u32,
    /// Number of cores that the work can use.
    pub threads: u32,
}

impl Work {
    /// Creates work for a single core.
    pub const fn alone(seconds: u32) -> Self {
        Self { seconds, threads: 1 }
    }

    /// Creates work for as many cores as there are: compilation.
    pub const fn shared(seconds: u32) -> Self {
        Self { seconds, threads: u32::MAX }
    }

    fn on(self, cores: u32) -> String {
        /// Longer times are given in minutes.
        const LONGEST_IN_SECONDS: u32 = 90;
        let used = self.threads.min(cores).max(1);
        let seconds = self.seconds.div_ceil(used).next_multiple_of(5);
        let time = match seconds {
            0..=LONGEST_IN_SECONDS => format!("{seconds} s"),
            _ => format!("{} min", seconds.div_ceil(60)),
        };
        match used {
            1 => format!("about {time}"),
            _ => format!("about {time} on {used} idle cores"),
        }
    }
}

impl fmt::Display for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
        f.write_str(&self.on(cores))
    }
}

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
    // An unread standard error is not a reason to fail.
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
    fn work_takes_less_time_on_more_cores() {
        let check = |work: Work, cores, expect: &str| assert_eq!(work.on(cores), expect, "{work:?} {cores}");
        check(Work::alone(18), 1, "about 20 s");
        check(Work::alone(18), 8, "about 20 s");
        check(Work::shared(150), 1, "about 3 min");
        check(Work::shared(150), 2, "about 75 s on 2 idle cores");
        check(Work::shared(150), 8, "about 20 s on 8 idle cores");
        check(Work { seconds: 150, threads: 2 }, 8, "about 75 s on 2 idle cores");
        check(Work::shared(3), 0, "about 5 s");
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
