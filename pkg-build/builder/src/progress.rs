//! Progress output of a build: a bar for each running step with its rate and remaining time, and a line for each
//! finished step.

use std::io::Read;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Number of callers whose work says nothing at the moment.
static SILENT: AtomicUsize = AtomicUsize::new(0);

/// Turns output off, for programs that build thousands of small indexes a second.
pub(crate) fn silence() {
    SILENT.fetch_add(1, Ordering::Relaxed);
}

/// Does work that says nothing, because it is part of a step that does. That step goes on.
pub(crate) fn quietly<T>(work: impl FnOnce() -> T) -> T {
    SILENT.fetch_add(1, Ordering::Relaxed);
    let done = work();
    SILENT.fetch_sub(1, Ordering::Relaxed);
    done
}

fn is_silent() -> bool {
    SILENT.load(Ordering::Relaxed) > 0
}

/// Prints a permanent line.
pub(crate) fn say(line: &str) {
    if !is_silent() {
        eprintln!("{line}");
    }
}

/// One step of the build. Dropping it clears the bar.
pub(crate) struct Step {
    bar: ProgressBar,
    name: String,
    started: Instant,
}

impl Step {
    /// Starts a step over `total` items.
    pub fn with_total(name: &str, total: usize) -> Self {
        let style = ProgressStyle::with_template("{msg:<24} {bar:32} {human_pos}/{human_len} {per_sec}, {eta} left")
            .expect("the template is valid");
        Self::start(name, ProgressBar::new(total as u64).with_style(style))
    }

    /// Starts a step over a file of `total` bytes; [`Step::watch`] moves the bar.
    pub fn bytes(name: &str, total: u64) -> Self {
        let style = "{msg:<24} {bar:32} {decimal_bytes}/{decimal_total_bytes} {decimal_bytes_per_sec}, {eta} left";
        let style = ProgressStyle::with_template(style).expect("the template is valid");
        Self::start(name, ProgressBar::new(total).with_style(style))
    }

    /// Starts a step of `total` pieces of work, whose number says nothing.
    pub fn share(name: &str, total: usize) -> Self {
        let style =
            ProgressStyle::with_template("{msg:<24} {bar:32} {percent} %, {eta} left").expect("the template is valid");
        Self::start(name, ProgressBar::new(total as u64).with_style(style))
    }

    /// Starts a step of unknown length.
    pub fn open(name: &str) -> Self {
        let style = ProgressStyle::with_template("{msg:<24} {spinner} {elapsed}").expect("the template is valid");
        Self::start(name, ProgressBar::new_spinner().with_style(style))
    }

    fn start(name: &str, bar: ProgressBar) -> Self {
        if is_silent() {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        } else {
            bar.set_message(name.to_owned());
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        Self { bar, name: name.to_owned(), started: Instant::now() }
    }

    /// Wraps `reader` so that the bar advances with every byte read.
    pub fn watch<R: Read>(&self, reader: R) -> impl Read + use<R> {
        self.bar.wrap_read(reader)
    }

    /// Marks one more item as done.
    pub fn advance(&self) {
        self.bar.inc(1);
    }

    /// Marks more items as done.
    pub fn advance_by(&self, items: usize) {
        self.bar.inc(items as u64);
    }

    /// Replaces the bar by a permanent line.
    pub fn finish(self, count: usize) {
        self.bar.finish_and_clear();
        say(&finish_line(&self.name, count, self.started.elapsed()));
    }
}

/// A step that took less time has no rate worth reading.
const SHORTEST_WITH_RATE: Duration = Duration::from_secs(1);

/// Formats the permanent line of a step.
fn finish_line(name: &str, count: usize, took: Duration) -> String {
    let seconds = took.as_secs_f64();
    let line = format!("{name:<24} {:>9} in {seconds:.1} s", HumanCount(count as u64).to_string());
    let rate = (count as f64 / seconds).round();
    if took < SHORTEST_WITH_RATE || rate < 1.0 { line } else { format!("{line}, {}/s", HumanCount(rate as u64)) }
}

impl Drop for Step {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finished_step_has_its_rate() {
        check(272_729, 9_900, "places                     272,729 in 9.9 s, 27,548/s");
        check(1_451, 40, "places                       1,451 in 0.0 s");
        check(0, 2_000, "places                           0 in 2.0 s");
        check(10, 49_600, "places                          10 in 49.6 s");
    }

    fn check(count: usize, milliseconds: u64, expect: &str) {
        assert_eq!(finish_line("places", count, Duration::from_millis(milliseconds)), expect);
    }
}
