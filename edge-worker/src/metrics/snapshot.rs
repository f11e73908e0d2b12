//! The coverage figures of the index, which the board keeps for a day.

use serde::{Deserialize, Serialize};
use toponym_engine::coverage::CountryCoverage;

/// The coverage of the index at an instant. One of an earlier version that lacks a field is left out like any row that
/// cannot be read, and the figures are computed anew: a default would stand for a day as if it were measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// Milliseconds since the epoch.
    pub at_ms: u64,
    /// Every covered country, in order of the code.
    pub countries: Vec<CountryCoverage>,
}

impl Snapshot {
    /// Creates the coverage at `now_ms`, milliseconds since the epoch.
    pub fn of(countries: Vec<CountryCoverage>, now_ms: u64) -> Self {
        Self { at_ms: now_ms, countries }
    }
}
