//! The result of a check.

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
    /// Creates the summary of a passed check, with `note` for the table.
    pub fn passed(note: impl Into<String>) -> Self {
        Self { note: note.into(), ..Self::default() }
    }

    /// Creates the summary of a check that could not run here, and why.
    pub fn skipped(reason: impl Into<String>) -> Self {
        Self { is_skipped: true, note: reason.into(), ..Self::default() }
    }
}
