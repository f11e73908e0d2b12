//! Shows how far a batch is: a bar with rate and time left on a terminal, a line now and then elsewhere.

use std::io::IsTerminal;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use toponym_terminal::report;

use super::input::Count;

/// Time between two lines where there is no terminal.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// Time between two moves of the bar.
const BETWEEN_TICKS: Duration = Duration::from_millis(200);

/// The progress of a run.
pub struct Progress {
    bar: ProgressBar,
    is_terminal: bool,
    is_quiet: bool,
    read: Count,
    total: Option<u64>,
    since: Instant,
    shown: Instant,
    /// Rows that this run wrote.
    rows: u64,
    /// Bytes that were read when it wrote its first rows: those of an earlier run are not its speed.
    read_before: Option<u64>,
}

impl Progress {
    /// Creates the progress of an input of `total` bytes, if that is known.
    pub fn new(read: Count, total: Option<u64>, is_quiet: bool) -> Self {
        let is_terminal = std::io::stderr().is_terminal();
        let bar = if is_quiet || !is_terminal {
            ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden())
        } else {
            ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr())
        };
        let template = if total.is_some() { "{wide_bar} {percent} %  {msg}" } else { "{spinner} {msg}" };
        bar.set_style(ProgressStyle::with_template(template).expect("the template is valid"));
        let now = Instant::now();
        Self { bar, is_terminal, is_quiet, read, total, since: now, shown: now, rows: 0, read_before: None }
    }

    /// Counts rows that were written.
    pub fn add(&mut self, rows: u64) {
        self.rows += rows;
        let read = self.read.load(Ordering::Relaxed);
        self.read_before.get_or_insert(read);
        let waits = if self.is_terminal { BETWEEN_TICKS } else { BETWEEN_LINES };
        if self.is_quiet || self.shown.elapsed() < waits {
            return;
        }
        self.shown = Instant::now();
        let message = message(self.rows, self.since.elapsed(), self.left(read));
        if self.is_terminal {
            self.bar.set_position(read);
            self.bar.set_message(message);
        } else {
            let share = self.total.map(|total| format!("{} %, ", 100 * read / total.max(1))).unwrap_or_default();
            report::say(&format!("… {share}{message}"));
        }
    }

    /// Estimates the time that the rest of the input takes at the speed so far.
    fn left(&self, read: u64) -> Option<Duration> {
        let done = read.checked_sub(self.read_before?).filter(|done| *done > 0)?;
        let rest = self.total?.saturating_sub(read);
        Some(self.since.elapsed().mul_f64(rest as f64 / done as f64))
    }

    /// Removes the bar. Returns how many rows were written and in what time.
    pub fn finish(self) -> (u64, Duration) {
        self.bar.finish_and_clear();
        (self.rows, self.since.elapsed())
    }
}

fn message(rows: u64, took: Duration, left: Option<Duration>) -> String {
    let left = left.map(|left| format!(", {} left", report::duration(left))).unwrap_or_default();
    format!("{} rows, {} rows/s{left}", HumanCount(rows), HumanCount(rate(rows, took)))
}

/// Computes the rows per second.
pub fn rate(rows: u64, took: Duration) -> u64 {
    (rows as f64 / took.as_secs_f64().max(1e-3)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages() {
        let second = Duration::from_secs(1);
        assert_eq!(message(1_200, second, None), "1,200 rows, 1,200 rows/s");
        assert_eq!(message(90_000, 2 * second, Some(75 * second)), "90,000 rows, 45,000 rows/s, 1 min 15 s left");
    }
}
