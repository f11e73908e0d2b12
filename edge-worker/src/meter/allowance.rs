//! The units that a key may use from a given time on if nothing more is charged. Its object sends this to isolates.

use serde::{Deserialize, Serialize};

use super::Standing;
use super::window::Opening;
use crate::refusal::Refusal;

/// Largest cost of a request: a batch of 100.
pub const LARGEST_COST: u32 = 100;

/// Time for which an isolate repeats the refusal of a key that leases, milliseconds. With many isolates at the limit, each unit
/// that leaves the minute would make all of them ask.
const PACE_MS: u64 = 250;

/// Time for which an isolate repeats the refusal of a key that leases when very many isolates ask, milliseconds: one object
/// answers a thousand of them so often.
const CROWDED_PACE_MS: u64 = 800;

/// The state of a key's counts at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Allowance {
    /// The moment, by the clock of the key's object, milliseconds since the epoch.
    pub at_ms: u64,
    /// The standing in a response that is not refused for its cost.
    pub standing: Standing,
    /// The rest of the month, if it has a cap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub month: Option<MonthLeft>,
    /// When costs up to [`LARGEST_COST`] fit the minute.
    pub openings: Vec<Opening>,
}

/// The rest of a month.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MonthLeft {
    /// Units.
    pub units: u64,
    /// Start of the next month, milliseconds since the epoch.
    pub reset_ms: u64,
}

/// Returns how long an isolate repeats the refusal of a key that leases, milliseconds.
pub fn pace_ms(is_crowded: bool) -> u64 {
    if is_crowded { CROWDED_PACE_MS } else { PACE_MS }
}

impl Allowance {
    /// Refuses what exceeds the rest of the month or of the minute at `now_ms`, with the standing then. The month is checked first
    /// (decision 6). What only the object knows is not refused.
    pub fn check(&self, cost: u32, now_ms: u64) -> Result<(), (Refusal, Standing)> {
        match self.month {
            Some(month) if now_ms >= month.reset_ms => return Ok(()),
            Some(MonthLeft { units, reset_ms }) if u64::from(cost) > units => {
                return Err((Refusal::Month { reset_ms }, self.standing(None, now_ms)));
            }
            _ => {}
        }
        match self.openings.iter().find(|opening| opening.cost >= cost) {
            Some(opening) if opening.at_ms > now_ms => {
                let standing = self.standing(Some(opening.at_ms), now_ms);
                Err((Refusal::Rate { retry_after: standing.wait_seconds(now_ms) }, standing))
            }
            _ => Ok(()),
        }
    }

    /// Delays the openings and the reset of a key that leases, whose units leave the minute all the time: an isolate that is
    /// refused does not ask again at once.
    pub fn with_pace(mut self, is_crowded: bool) -> Self {
        let not_before_ms = self.at_ms + pace_ms(is_crowded);
        for opening in self.openings.iter_mut().filter(|opening| opening.at_ms > 0) {
            opening.at_ms = opening.at_ms.max(not_before_ms);
        }
        self.standing.reset = self.standing.reset.max(not_before_ms.div_ceil(1_000));
        self
    }

    /// Returns the standing at `now_ms`. After a refusal, its reset is `fits_at_ms`, when the refused request fits.
    pub fn standing(&self, fits_at_ms: Option<u64>, now_ms: u64) -> Standing {
        let Standing { limit, remaining, reset } = self.standing;
        let reset = match fits_at_ms {
            Some(fits_at_ms) => fits_at_ms.div_ceil(1_000),
            None if remaining == limit => now_ms.div_ceil(1_000),
            None => reset,
        };
        Standing { limit, remaining, reset }
    }

    /// Tells whether nothing is left of the minute or of the month.
    pub fn is_spent(&self) -> bool {
        self.standing.remaining == 0 || self.month.is_some_and(|month| month.units == 0)
    }

    /// Returns until when [`Allowance::standing`] is true, if nothing more is charged: the oldest counted unit leaves then.
    pub fn holds_until_ms(&self) -> u64 {
        if self.standing.remaining == self.standing.limit { u64::MAX } else { self.standing.reset * 1_000 }
    }
}
