//! The object's side of a lease: how much it grants, and what it remembers of a grant.

use serde::{Deserialize, Serialize};

use super::{IsolateQuestion, Lease, TTL_MS};
use crate::meter::month::Month;
use crate::meter::plan::{Limits, Plan};
use crate::meter::window::{SLOT_MS, Slot};

/// Least limit a minute of a key that leases: ten times Growth. One object serves such a key without leases too; from
/// here on they save callers its distance.
const LEAST_LIMIT: u32 = 6_000;

/// Least demand for a lease, units a second in one isolate: below it a lease would save few questions.
const LEAST_DEMAND: u32 = 10;

/// A lease holds at most this part of what is left, so that other isolates find something too.
const PART: u64 = 8;

/// The last units are leased this many at a time, or else every isolate would ask for each of them.
const LAST_UNITS: u64 = 8;

/// Most units that are lent to whoever types: the rest of a word.
const FEW: u32 = 5;

/// Divisor that gives the largest part of the limit that is lent to whoever types.
const PART_OF_LIMIT: u32 = 6;

/// Shortest time of a lease, milliseconds. Only the last lease of a month is shorter than [`TTL_MS`].
const LEAST_TTL_MS: u64 = 200;

/// A lease that its isolate has not reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GrantedLease {
    /// The isolate's name for it.
    pub id: u64,
    /// When it can no longer be used, by the object's clock, milliseconds since the epoch.
    pub ends_ms: u64,
    /// Units.
    pub units: u32,
    /// Month that it counts for.
    pub month: Month,
}

impl GrantedLease {
    /// Returns the slot as which the lease counts: all units in its last instant.
    pub fn slot(&self) -> Slot {
        Slot { at: self.ends_ms / SLOT_MS, units: self.units }
    }
}

/// Tells whether isolates may lease what they need of a key.
pub fn is_large(plan: Plan, limits: &Limits) -> bool {
    plan == Plan::Enterprise && limits.per_minute >= LEAST_LIMIT
}

/// Units and time that a key has left when an isolate asks.
#[derive(Clone, Copy, Debug)]
pub struct Left {
    /// Units of the minute.
    pub minute: u32,
    /// The limit of the minute.
    pub limit: u32,
    /// Units of the month, if it has a cap.
    pub month: Option<u64>,
    /// Milliseconds of the month: no lease outlives it.
    pub month_ms: u64,
}

/// Tells whether an isolate that saw `seen` units in the last second leases what it needs of a large key.
pub fn is_demand(seen: u32) -> bool {
    seen >= LEAST_DEMAND
}

/// Answers a question with a lease, which has no units if there is none now.
pub fn lease(&IsolateQuestion { id, seen, types, .. }: &IsolateQuestion, left: Left) -> Lease {
    let ttl_ms = TTL_MS.min(left.month_ms);
    // Requests come at random: two standard deviations more than before are enough nearly always, and what is left over
    // comes back.
    let seen_or_more = u64::from(seen) + 2 * u64::from(seen).isqrt();
    let is_half_left = left.minute > left.limit / 2;
    let units = if is_demand(seen) {
        (seen_or_more * ttl_ms / TTL_MS).min(part_of(left.minute.into())).min(left.month.map_or(u64::MAX, part_of))
    } else if types && is_half_left {
        // Near the end of a month a lease could keep its last units from others.
        u64::from(FEW.min(left.limit / PART_OF_LIMIT)).min(left.month.map_or(u64::MAX, |units| units / PART))
    } else {
        0
    };
    let units = if ttl_ms >= LEAST_TTL_MS { u32::try_from(units).unwrap_or(0) } else { 0 };
    Lease { id, units, ttl_ms, ..Lease::NONE }
}

fn part_of(units: u64) -> u64 {
    (units / PART).max(units.min(LAST_UNITS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meter::plan::Overrides;

    #[test]
    fn who_leases() {
        for plan in [Plan::Free, Plan::PayAsYouGo, Plan::Starter, Plan::Growth] {
            check_large(plan, None, false);
            check_large(plan, Some(1_000_000), false);
        }
        check_large(Plan::Enterprise, None, true);
        check_large(Plan::Enterprise, Some(5_999), false);
    }

    fn check_large(plan: Plan, per_minute: Option<u32>, expect: bool) {
        let limits = plan.limits(Overrides { per_minute, per_month: None });
        assert_eq!(is_large(plan, &limits), expect, "{plan:?} {per_minute:?}");
    }

    #[test]
    fn how_much() {
        const LONG: u64 = 1_000_000;
        let check = |seen: u32, minute: u32, month: Option<u64>, month_ms: u64, expect: (u32, u64)| {
            let lease = lease(
                &IsolateQuestion { id: 1, seen, ..IsolateQuestion::default() },
                Left { minute, limit: 100_000, month, month_ms },
            );
            assert_eq!((lease.units, lease.ttl_ms), expect, "{seen} seen, {minute} and {month:?} left");
        };
        check(9, 100_000, None, LONG, (0, 1_000));
        check(100, 100_000, None, LONG, (120, 1_000));
        check(10, 100_000, None, LONG, (16, 1_000));
        check(100, 400, None, LONG, (50, 1_000));
        check(100, 40, None, LONG, (8, 1_000));
        check(100, 5, None, LONG, (5, 1_000));
        check(100, 0, None, LONG, (0, 1_000));
        check(100, 100_000, Some(160), LONG, (20, 1_000));
        check(100, 100_000, Some(0), LONG, (0, 1_000));
        check(100, 100_000, None, 500, (60, 500));
        check(100, 100_000, None, 199, (0, 199));
    }

    #[test]
    fn a_few_for_whoever_types() {
        let check = |limit: u32, minute: u32, month: Option<u64>, month_ms: u64, expect: u32| {
            let lease = lease(
                &IsolateQuestion { id: 1, types: true, ..IsolateQuestion::default() },
                Left { minute, limit, month, month_ms },
            );
            assert_eq!(lease.units, expect, "{minute} of {limit} and {month:?} left");
        };
        check(30, 29, None, 1_000, 5);
        check(30, 16, None, 1_000, 5);
        check(30, 15, None, 1_000, 0);
        check(12, 11, None, 1_000, 2);
        check(5, 4, None, 1_000, 0);
        check(600, 599, Some(1_000), 1_000, 5);
        check(600, 599, Some(17), 1_000, 2);
        check(600, 599, Some(7), 1_000, 0);
        check(600, 599, None, 199, 0);
    }
}
