//! Progress output of a build: a bar for each running step with its rate and remaining time, and a line for each
//! finished step.

use std::io::Read;
#[cfg(feature = "fuzz")]
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Whether output is off.
#[cfg(feature = "fuzz")]
static IS_SILENT: AtomicBool = AtomicBool::new(false);

/// Turns output off, for programs that build thousands of small indexes a second.
#[cfg(feature = "fuzz")]
pub(crate) fn silence() {
    IS_SILENT.store(true, Ordering::Relaxed);
}

fn is_silent() -> bool {
    #[cfg(feature = "fuzz")]
    let is_silent = IS_SILENT.load(Ordering::Relaxed);
    #[cfg(not(feature = "fuzz"))]
    let is_silent = false;
    is_silent
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
    /// A step over `total` items.
    pub fn counted(name: &str, total: usize) -> Self {
        let style = ProgressStyle::with_template("{msg:<24} {bar:32} {human_pos}/{human_len} {per_sec}, {eta} left")
            .expect("the template is valid");
        Self::start(name, ProgressBar::new(total as u64).with_style(style))
    }

    /// A step over a file of `total` bytes; [`Step::watch`] moves the bar.
    pub fn bytes(name: &str, total: u64) -> Self {
        let style = "{msg:<24} {bar:32} {decimal_bytes}/{decimal_total_bytes} {decimal_bytes_per_sec}, {eta} left";
        let style = ProgressStyle::with_template(style).expect("the template is valid");
        Self::start(name, ProgressBar::new(total).with_style(style))
    }

    /// A step of unknown length.
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

    /// Replaces the bar by a permanent line.
    pub fn finish(self, count: usize) {
        self.bar.finish_and_clear();
        let seconds = self.started.elapsed().as_secs_f64();
        say(&format!("{:<24} {:>9} in {seconds:.1} s", self.name, HumanCount(count as u64).to_string()));
    }
}

impl Drop for Step {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
