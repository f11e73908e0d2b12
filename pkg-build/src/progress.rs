//! What a long build says while it runs: one bar per step with its rate and the time left, one line per finished step.

use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar, ProgressStyle};

/// One step of the build. Dropping it clears the bar.
pub(crate) struct Step {
    bar: ProgressBar,
    name: &'static str,
    started: Instant,
}

impl Step {
    /// A step over `total` things.
    pub fn counted(name: &'static str, total: usize) -> Self {
        let style = ProgressStyle::with_template("{msg:<24} {bar:32} {human_pos}/{human_len} {per_sec}, {eta} left")
            .expect("the template is valid");
        Self::start(name, ProgressBar::new(total as u64).with_style(style))
    }

    /// A step of unknown length.
    pub fn open(name: &'static str) -> Self {
        let style = ProgressStyle::with_template("{msg:<24} {spinner} {elapsed}").expect("the template is valid");
        Self::start(name, ProgressBar::new_spinner().with_style(style))
    }

    fn start(name: &'static str, bar: ProgressBar) -> Self {
        bar.set_message(name);
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar, name, started: Instant::now() }
    }

    /// One more thing is done.
    pub fn advance(&self) {
        self.bar.inc(1);
    }

    /// Replaces the bar by a line that stays.
    pub fn finish(self, count: usize) {
        self.bar.finish_and_clear();
        let seconds = self.started.elapsed().as_secs_f64();
        eprintln!("{:<24} {:>9} in {seconds:.1} s", self.name, HumanCount(count as u64).to_string());
    }
}

impl Drop for Step {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
