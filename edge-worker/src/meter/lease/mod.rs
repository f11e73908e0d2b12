//! Leases: units of a key that an isolate may charge alone, for a second at most.
//!
//! The key's object grants units at its time `t`, and counts all of them from `t` until `t` + [`TTL_MS`] + 60 s, as if
//! all were used at the last instant. So no 60 seconds hold more than the limit: of all leases that can be used in
//! them, the latest grant saw the others counted.
//!
//! No clock is compared with another. An isolate notes its own time before it asks, and stops that long after it. Only
//! the rate of its clock matters, for which it stops a little earlier ([`usable_ms`]).
//!
//! Large keys lease what an isolate is expected to need. Of every key a few units are lent to whoever types, while more than half
//! of its limit is left ([`granted`]). [`held`] is the isolate's side: what it may decide alone, and until when. With a later
//! question it reports what it used. The object then counts and bills that, and takes the rest back. What is never reported
//! counts until it leaves the window, and for a month's cap; it is not billed, but shown as lost.

pub mod demand;
pub mod granted;
pub mod held;

use serde::{Deserialize, Serialize};

use crate::durable::rows::is_default;

/// Longest time of a lease, milliseconds. Changes of a key take effect within it.
pub const TTL_MS: u64 = 1_000;

/// Question and reports of an isolate with a charge.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IsolateQuestion {
    /// Name of the charge, and of the lease that it asks for: a random number that it never uses again.
    pub id: u64,
    /// Units that were asked of the isolate in the last second, if it asks for a lease.
    pub seen: u32,
    /// True if somebody types, to whom any key may lend a few.
    #[serde(default, skip_serializing_if = "is_default")]
    pub types: bool,
    /// Reports of the isolate's leases that ended.
    #[serde(default, rename = "used", skip_serializing_if = "Vec::is_empty")]
    pub reports: Vec<Report>,
    /// Names of charges that are to be given back, because their requests failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub back: Vec<u64>,
}

impl IsolateQuestion {
    /// Tells whether the question reports anything.
    pub fn has_news(&self) -> bool {
        !self.reports.is_empty() || !self.back.is_empty()
    }
}

/// Units that were used of a lease that ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The lease.
    pub id: u64,
    /// Units.
    pub units: u32,
}

/// A lease, from the object to the isolate that asked for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lease {
    /// The isolate's name for it.
    pub id: u64,
    /// Units; none if the key leases, but not now.
    pub units: u32,
    /// Time for which the lease may be used from the question on, milliseconds.
    pub ttl_ms: u64,
    /// True if so many isolates ask that none should ask before it has to.
    #[serde(default, skip_serializing_if = "is_default")]
    pub is_crowded: bool,
    /// True if it is a few units for whoever types, and for nothing else.
    #[serde(default, skip_serializing_if = "is_default")]
    pub is_for_typing: bool,
}

impl Lease {
    /// No units: the key is a large one, and may be asked.
    pub const NONE: Self = Self { id: 0, units: 0, ttl_ms: 0, is_crowded: false, is_for_typing: false };
}

/// Largest difference in speed between the clocks of two machines, one part in this many: far more than clocks differ.
const DRIFT: u64 = 100;

/// Milliseconds that a clock's steps add to the difference.
const STEP_MS: u64 = 50;

/// Returns how long an isolate uses a lease of `ttl_ms`, by its own clock from its question on, milliseconds.
pub fn usable_ms(ttl_ms: u64) -> u64 {
    ttl_ms.saturating_sub(ttl_ms.div_ceil(DRIFT) + STEP_MS)
}

/// Turns a random number into the name of a lease. SQLite and JavaScript hold whole numbers exactly below 2^53.
pub fn id_of(random: u64) -> u64 {
    random >> 11
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leases_end_early_by_the_isolates_clock() {
        check(1_000, 940);
        check(101, 49);
        check(10, 0);
    }

    fn check(ttl_ms: u64, expect: u64) {
        assert_eq!(usable_ms(ttl_ms), expect, "{ttl_ms}");
    }
}
