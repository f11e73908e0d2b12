//! The usage of one key: its rolling minute and its month, which are always charged together.
//!
//! Storage is a log of [`Entry`]s, one per slot of the window: each carries the month's running total, so that a charge
//! writes one row, and the newest rows restore everything. If the clock steps back, the latest instant seen is used.
//!
//! Leases that no isolate has reported yet count beside the log, in a minute and in a month, until they leave the
//! minute.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::Standing;
use super::lease::demand::Demand;
use super::lease::grant::{self, Grant, Left};
use super::lease::{Lease, TTL_MS, Used};
use super::month::Month;
use super::outlook::{LARGEST_COST, MonthLeft, Outlook};
use super::plan::Limits;
use super::window::{Opening, SLOT_MS, Slot, WINDOW_MS, Window, fits};

/// How long a row is kept after it stops counting, milliseconds: a clock that was ahead by less has deleted no row that
/// still counts once it is corrected.
const CLOCK_ERROR_MS: u64 = 60_000;

/// Questions about leases a second above which isolates are to ask as rarely as they can: half of what one object
/// answers.
const CROWD: u32 = 600;

/// Number of the first slot whose row is kept at `now_ms`. Earlier rows can be deleted, except the newest of a log, which
/// holds the month's total.
pub fn first_kept_slot(now_ms: u64) -> u64 {
    now_ms.saturating_sub(SLOT_MS + WINDOW_MS + CLOCK_ERROR_MS) / SLOT_MS
}

/// The usage of a key so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    window: Window,
    month: Month,
    month_used: u64,
    now_ms: u64,
    /// Leases that were not reported.
    grants: Vec<Grant>,
    /// Units of leases that never were, by month.
    lost: BTreeMap<Month, u64>,
    /// Questions about leases.
    questions: Demand,
}

/// What a report of a lease changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// Rows to store, each in place of the one with the same slot.
    pub entries: Vec<Entry>,
    /// Units of an earlier month than that of the log.
    pub earlier: Option<(Month, u64)>,
}

/// One row of the log: a slot, and the month's total after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Number of the slot.
    pub slot: u64,
    /// Units in the slot.
    pub units: u32,
    /// Month of the slot's latest unit.
    pub month: Month,
    /// Units of that month so far.
    pub month_used: u64,
}

/// The outcome of a charge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Charged: store the entry in place of the one with the same slot.
    Admitted(Entry),
    /// Refused for the rest of the month.
    MonthFull {
        /// Start of the next month, milliseconds since the epoch.
        reset_ms: u64,
    },
    /// Refused for now.
    RateLimited {
        /// Seconds after which the same request fits.
        retry_after: u64,
    },
}

impl Ledger {
    /// Restores the ledger from its `entries`, oldest first.
    pub fn restore(entries: impl IntoIterator<Item = Entry>) -> Self {
        let mut ledger = Self::default();
        for entry in entries {
            ledger.now_ms = entry.slot * SLOT_MS;
            ledger.window.add(ledger.now_ms, entry.units);
            (ledger.month, ledger.month_used) = (entry.month, entry.month_used);
        }
        ledger
    }

    /// Charges `cost` units at `clock_ms`, or returns why not, and the standing for the response. The month is checked
    /// first (decision 6), and neither count changes unless both allow it (decisions 1 and 4).
    pub fn charge(&mut self, limits: &Limits, cost: u32, clock_ms: u64) -> (Verdict, Standing) {
        self.advance(clock_ms);
        let month = Month::of(self.now_ms);
        let used = if month == self.month { self.month_used } else { 0 };
        if self.month_left(limits).is_some_and(|left| u64::from(cost) > left) {
            return (Verdict::MonthFull { reset_ms: month.next().start_ms() }, self.standing(limits));
        }
        if !fits(self.used(), limits.per_minute, cost) {
            return self.refuse(limits, cost);
        }
        (self.month, self.month_used) = (month, used + u64::from(cost));
        let slot = self.window.add(self.now_ms, cost);
        let entry = Entry { slot: slot.at, units: slot.units, month, month_used: self.month_used };
        (Verdict::Admitted(entry), self.standing(limits))
    }

    /// Leases units at `clock_ms` to an isolate that saw `seen` units in the last second. A lease with units is to be
    /// stored; [`Ledger::grants`] has it. A question that comes twice gets nothing the second time.
    pub fn lease(&mut self, limits: &Limits, id: u64, seen: u32, clock_ms: u64) -> Lease {
        self.advance(clock_ms);
        let month = Month::of(self.now_ms);
        let left = Left {
            minute: limits.per_minute.saturating_sub(self.used()),
            month: self.month_left(limits),
            month_ms: month.next().start_ms().saturating_sub(self.now_ms),
        };
        let seen = if self.grants.iter().any(|grant| grant.id == id) { 0 } else { seen };
        let lease = grant::lease(id, seen, left);
        if lease.units > 0 {
            self.grants.push(Grant { id, ends_ms: self.now_ms + lease.ttl_ms, units: lease.units, month });
        }
        lease
    }

    /// Counts a question about leases at `clock_ms`. Returns whether there were so many in the last second that isolates
    /// are to ask less.
    pub fn is_crowded(&mut self, clock_ms: u64) -> bool {
        self.advance(clock_ms);
        self.questions.note(1, self.now_ms);
        self.questions.per_second(self.now_ms) > CROWD
    }

    /// Takes the report of a lease at `clock_ms`: what was used counts from now on or from the lease's end, the rest is
    /// free. `None` if there is no such lease, or no longer.
    pub fn settle(&mut self, used: Used, clock_ms: u64) -> Option<Settled> {
        self.advance(clock_ms);
        let place = self.grants.iter().position(|grant| grant.id == used.id && self.counts(grant))?;
        let Grant { ends_ms, units, month, .. } = self.grants.swap_remove(place);
        let units = used.units.min(units);
        let mut settled = Settled { entries: Vec::new(), earlier: None };
        if units == 0 {
            return Some(settled);
        }
        if month < self.month {
            settled.earlier = Some((month, units.into()));
        } else {
            self.month_used = u64::from(units) + if month == self.month { self.month_used } else { 0 };
            self.month = month;
        }
        let slot = self.window.add(self.now_ms.min(ends_ms), units);
        // The newest row of the log holds the month's total.
        let newest = self.window.newest().filter(|newest| newest.at != slot.at);
        let entry =
            |slot: Slot| Entry { slot: slot.at, units: slot.units, month: self.month, month_used: self.month_used };
        settled.entries.extend([Some(slot), newest].into_iter().flatten().map(entry));
        Some(settled)
    }

    /// Forgets the leases that left the minute without a report, and counts them as lost.
    pub fn lapse(&mut self, clock_ms: u64) -> Vec<Grant> {
        self.advance(clock_ms);
        let now_ms = self.now_ms;
        let lapsed: Vec<Grant> = self.grants.extract_if(.., |grant| grant.slot().leaves_ms() <= now_ms).collect();
        for grant in &lapsed {
            *self.lost.entry(grant.month).or_default() += u64::from(grant.units);
        }
        lapsed
    }

    /// Adds what is stored of leases: those that were not reported, and the lost units of each month.
    pub fn with_leases(mut self, grants: Vec<Grant>, lost: impl IntoIterator<Item = (Month, u64)>) -> Self {
        // A lease ends in the future; it was granted in the past.
        let granted_ms = grants.iter().map(|grant| grant.ends_ms.saturating_sub(TTL_MS)).max();
        self.now_ms = self.now_ms.max(granted_ms.unwrap_or(0));
        self.grants = grants;
        self.lost = lost.into_iter().collect();
        self
    }

    /// Leases that were not reported.
    pub fn grants(&self) -> &[Grant] {
        &self.grants
    }

    /// Units of leases that were never reported, by month.
    pub fn lost(&self) -> &BTreeMap<Month, u64> {
        &self.lost
    }

    /// The standing at `clock_ms`, without a charge.
    pub fn look(&mut self, limits: &Limits, clock_ms: u64) -> Standing {
        self.advance(clock_ms);
        self.standing(limits)
    }

    /// The minute until `clock_ms`, and the time used, which ignores a clock that stepped back.
    pub fn window(&mut self, clock_ms: u64) -> (&Window, u64) {
        self.advance(clock_ms);
        (&self.window, self.now_ms)
    }

    /// The costs that fit from `clock_ms` on.
    pub fn outlook(&mut self, limits: &Limits, clock_ms: u64) -> Outlook {
        self.advance(clock_ms);
        let reset_ms = Month::of(self.now_ms).next().start_ms();
        Outlook {
            at_ms: self.now_ms,
            standing: self.standing(limits),
            month: self.month_left(limits).map(|units| MonthLeft { units, reset_ms }),
            openings: self.openings(limits),
        }
    }

    /// The month of the latest charge and its total.
    pub fn month(&self) -> (Month, u64) {
        (self.month, self.month_used)
    }

    /// The month of the latest charge and its total, once it is over.
    pub fn finished(&self, clock_ms: u64) -> Option<(Month, u64)> {
        let is_over = Month::of(self.now_ms.max(clock_ms)) > self.month;
        Some(self.month()).filter(|(_, used)| is_over && *used > 0)
    }

    fn advance(&mut self, clock_ms: u64) {
        self.now_ms = self.now_ms.max(clock_ms);
        self.window.expire(self.now_ms);
    }

    fn refuse(&self, limits: &Limits, cost: u32) -> (Verdict, Standing) {
        let fits_at_ms = self.counted().fits_at_ms(limits.per_minute, cost);
        let standing = Standing { reset: fits_at_ms.div_ceil(1_000), ..self.standing(limits) };
        (Verdict::RateLimited { retry_after: standing.wait_seconds(self.now_ms) }, standing)
    }

    /// The minute with the leases that were not reported.
    fn counted(&self) -> Cow<'_, Window> {
        if self.grants.is_empty() {
            return Cow::Borrowed(&self.window);
        }
        Cow::Owned(self.window.with(self.grants.iter().filter(|grant| self.counts(grant)).map(Grant::slot)))
    }

    /// Units that count, without the work of putting them in order.
    fn used(&self) -> u32 {
        let granted = self.grants.iter().filter(|grant| self.counts(grant)).map(|grant| grant.units);
        self.window.used() + granted.sum::<u32>()
    }

    fn openings(&self, limits: &Limits) -> Vec<Opening> {
        let used = self.used();
        // While every cost fits there is one opening, now, and nothing has to be put in order.
        if used > 0 && fits(used, limits.per_minute, LARGEST_COST) && LARGEST_COST <= limits.per_minute {
            return vec![Opening { cost: limits.per_minute - used, at_ms: 0 }];
        }
        self.counted().openings(limits.per_minute, LARGEST_COST)
    }

    fn counts(&self, grant: &Grant) -> bool {
        grant.slot().leaves_ms() > self.now_ms
    }

    /// Units that are left of the month, if it has a cap. Leases count when they are granted, and when they are lost.
    fn month_left(&self, limits: &Limits) -> Option<u64> {
        let cap = limits.month_cap?;
        let month = Month::of(self.now_ms);
        let used = if month == self.month { self.month_used } else { 0 };
        let granted = self.grants.iter().filter(|grant| grant.month == month).map(|grant| u64::from(grant.units));
        let lost = self.lost.get(&month).copied().unwrap_or(0);
        Some(cap.saturating_sub(used + lost + granted.sum::<u64>()))
    }

    fn standing(&self, limits: &Limits) -> Standing {
        let granted = self.grants.iter().filter(|grant| self.counts(grant)).map(Grant::slot);
        let oldest_ms = self.window.oldest().into_iter().chain(granted).map(Slot::leaves_ms).min();
        let reset_ms = oldest_ms.unwrap_or(self.now_ms);
        Standing {
            limit: limits.per_minute,
            remaining: limits.per_minute.saturating_sub(self.used()),
            reset: reset_ms.div_ceil(1_000),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meter::outlook::Fate;

    /// 2026-11-30T23:59:00Z, a minute before a month ends.
    const T0: u64 = 1_796_083_140_000;

    fn limits(per_minute: u32, month_cap: Option<u64>) -> Limits {
        Limits { per_minute, month_cap, included: month_cap }
    }

    #[test]
    fn rows_are_kept_for_two_minutes() {
        let slot = T0 / SLOT_MS;
        let check = |now_ms: u64, expect: u64| assert_eq!(first_kept_slot(now_ms), expect, "at {now_ms}");
        check(T0 + 120_099, slot - 1);
        check(T0 + 120_100, slot);
        check(0, 0);
    }

    #[test]
    fn a_minute_fills_and_empties() {
        let (mut ledger, limits) = (Ledger::default(), limits(3, None));
        for remaining in [2, 1, 0] {
            let (verdict, standing) = ledger.charge(&limits, 1, T0);
            assert!(matches!(verdict, Verdict::Admitted(_)));
            assert_eq!(standing, Standing { limit: 3, remaining, reset: T0 / 1_000 + 61 });
        }
        let (verdict, standing) = ledger.charge(&limits, 1, T0 + 500);
        assert_eq!(verdict, Verdict::RateLimited { retry_after: 61 });
        assert_eq!(standing, Standing { limit: 3, remaining: 0, reset: T0 / 1_000 + 61 });
        assert!(matches!(ledger.charge(&limits, 1, T0 + 61_000).0, Verdict::Admitted(_)));
    }

    #[test]
    fn the_month_comes_first_and_is_all_or_nothing() {
        let (mut ledger, limits) = (Ledger::default(), limits(30, Some(40)));
        assert!(admitted(ledger.charge(&limits, 30, T0).0));
        let full = Verdict::MonthFull { reset_ms: T0 + 60_000 };
        assert_eq!(ledger.charge(&limits, 11, T0).0, full, "both limits are exceeded");
        assert!(matches!(ledger.charge(&limits, 10, T0).0, Verdict::RateLimited { .. }));
        assert_eq!(ledger.month().1, 30, "a refusal charges nothing");
        assert_eq!(Ledger::default().finished(T0), None);
        assert_eq!((ledger.finished(T0 + 59_999), ledger.finished(T0 + 60_000)), (None, Some((Month::of(T0), 30))));
        let (verdict, _) = ledger.charge(&limits, 11, T0 + 60_100);
        let Verdict::Admitted(entry) = verdict else { panic!("{verdict:?}") };
        assert_eq!((entry.month_used, ledger.finished(T0 + 60_100)), (11, None));
    }

    #[test]
    fn a_batch_above_the_limit_needs_an_empty_window() {
        let (mut ledger, limits) = (Ledger::default(), limits(30, None));
        let (verdict, standing) = ledger.charge(&limits, 100, T0);
        assert!(matches!(verdict, Verdict::Admitted(_)));
        assert_eq!(standing.remaining, 0);
        assert!(matches!(ledger.charge(&limits, 1, T0 + 60_099).0, Verdict::RateLimited { retry_after: 1 }));
        assert!(matches!(ledger.charge(&limits, 1, T0 + 60_100).0, Verdict::Admitted(_)));
        assert!(matches!(ledger.charge(&limits, 31, T0 + 60_100).0, Verdict::RateLimited { .. }));
    }

    fn admitted(verdict: Verdict) -> bool {
        matches!(verdict, Verdict::Admitted(_))
    }

    #[test]
    fn a_lease_counts_until_its_end_has_left_the_minute() {
        let (mut ledger, limits) = (Ledger::default(), limits(100, None));
        assert_eq!(ledger.lease(&limits, 1, 50, T0), Lease { id: 1, units: 12, ttl_ms: 1_000, is_crowded: false });
        assert_eq!(ledger.lease(&limits, 1, 50, T0).units, 0, "the question came twice");
        assert!(admitted(ledger.charge(&limits, 88, T0).0));
        let check = |ledger: &Ledger, at_ms: u64, expect: u32| {
            assert_eq!(ledger.clone().look(&limits, T0 + at_ms).remaining, expect, "{at_ms}");
        };
        check(&ledger, 60_099, 0);
        check(&ledger, 60_100, 88);
        check(&ledger, 61_099, 88);
        check(&ledger, 61_100, 100);
        assert!(ledger.clone().lapse(T0 + 61_099).is_empty());
        let lost = |ledger: &Ledger| ledger.lost().values().sum::<u64>();
        let mut dead = ledger.clone();
        assert_eq!((dead.lapse(T0 + 61_100).len(), lost(&dead), dead.grants().len()), (1, 12, 0));
        assert_eq!(dead.settle(Used { id: 1, units: 3 }, T0 + 61_100), None, "too late");
        // What was used counts from its report on, or from the lease's end; the rest is free.
        let mut reported = ledger.clone();
        let entries = reported.settle(Used { id: 1, units: 3 }, T0 + 500).expect("it is there").entries;
        assert_eq!(entries.iter().map(|entry| (entry.units, entry.month_used)).collect::<Vec<_>>(), [(3, 91)]);
        assert_eq!(reported.settle(Used { id: 1, units: 3 }, T0 + 500), None, "it came twice");
        check(&reported, 500, 9);
        check(&reported, 60_599, 97);
        check(&reported, 60_600, 100);
        let mut late = ledger;
        // A new month has begun: the row of the past slot carries its total too.
        assert!(admitted(late.charge(&limits, 50, T0 + 60_100).0));
        let entries = late.settle(Used { id: 1, units: 99 }, T0 + 60_200).expect("it is there").entries;
        assert_eq!(
            entries.iter().map(|entry| (entry.units, entry.month_used)).collect::<Vec<_>>(),
            [(12, 50), (50, 50)]
        );
        check(&late, 61_099, 38);
        check(&late, 61_100, 50);
    }

    #[test]
    fn leases_count_for_the_month_when_granted_and_are_billed_when_reported() {
        let (mut ledger, limits) = (Ledger::default(), limits(1_000, Some(100)));
        assert_eq!(ledger.lease(&limits, 1, 50, T0).units, 12);
        assert!(matches!(ledger.charge(&limits, 89, T0).0, Verdict::MonthFull { .. }));
        assert!(admitted(ledger.charge(&limits, 40, T0).0));
        assert_eq!(ledger.lease(&limits, 2, 50, T0).units, 8);
        assert_eq!(ledger.month().1, 40);
        ledger.settle(Used { id: 1, units: 10 }, T0 + 1_000);
        assert_eq!(ledger.month().1, 50);
        // The other one is lost: it is not billed, and its units may have been used.
        assert!(matches!(ledger.charge(&limits, 43, T0 + 1_000).0, Verdict::MonthFull { .. }));
        assert!(admitted(ledger.charge(&limits, 42, T0 + 1_000).0));
        // No lease outlives its month; a report may come after it.
        let last = ledger.clone().lease(&super::tests::limits(1_000, None), 3, 50, T0 + 59_500);
        assert_eq!((last.units, last.ttl_ms), (32, 500));
        assert!(admitted(ledger.charge(&limits, 1, T0 + 60_000).0));
        let earlier = ledger.settle(Used { id: 2, units: 5 }, T0 + 60_000).expect("it is there").earlier;
        assert_eq!((earlier, ledger.month().1), (Some((Month::of(T0), 5)), 1));
    }

    #[test]
    fn what_was_stored_of_leases_counts_on_and_is_no_later_than_now() {
        let (mut ledger, limits) = (Ledger::default(), limits(800, None));
        let (Verdict::Admitted(entry), _) = ledger.charge(&limits, 100, T0) else { panic!("it fits") };
        ledger.lease(&limits, 1, 50, T0);
        let mut restored = Ledger::restore([entry]).with_leases(ledger.grants().to_vec(), [(Month::of(T0), 7)]);
        assert_eq!(restored.window(T0).1, T0, "the end of a lease is not now");
        for at_ms in [0, 60_100, 61_100] {
            assert_eq!(restored.look(&limits, T0 + at_ms), ledger.look(&limits, T0 + at_ms), "{at_ms}");
        }
        restored.lapse(T0 + 61_100);
        assert_eq!(restored.lost().clone(), [(Month::of(T0), 71)].into());
    }

    #[test]
    fn many_questions_are_a_crowd_for_a_second() {
        let mut ledger = Ledger::default();
        let crowded = (0..1_000).filter(|at| ledger.is_crowded(T0 + at)).count();
        assert_eq!(crowded, 1_000 - CROWD as usize);
        assert!(!ledger.is_crowded(T0 + 2_000));
    }

    /// The exact log of admitted requests in the ledger's time, which steps back at most by the part of a slot that an
    /// eviction forgets.
    #[derive(Default)]
    struct ExactLog(std::collections::VecDeque<(u64, u32)>);

    impl ExactLog {
        /// Units of the 60 seconds that end with `now_ms`, including this request.
        fn admit(&mut self, now_ms: u64, cost: u32) -> u32 {
            let now_ms = self.0.back().map_or(now_ms, |(latest, _)| now_ms.max(*latest));
            self.0.push_back((now_ms, cost));
            while self.0.front().is_some_and(|(at, _)| at + WINDOW_MS <= now_ms) {
                self.0.pop_front();
            }
            self.0.iter().map(|(_, units)| units).sum()
        }
    }

    /// For each cost, the ledger does what the outlook predicts, at once and in the second after it.
    #[test]
    fn an_outlook_says_what_the_ledger_does() {
        let mut random = fastrand::Rng::with_seed(9);
        for trace in 0..300 {
            let (per_minute, cap) =
                (1 + random.u64(..200) as u32, [None, Some(random.u64(..400))][random.u64(..2) as usize]);
            let limits = limits(per_minute, cap);
            let (mut ledger, mut clock) = (Ledger::default(), T0 + random.u64(..60_000));
            for _ in 0..random.u64(..200) {
                clock += random.u64(..2 * 60_000 / u64::from(per_minute));
                ledger.charge(&limits, 1 + random.u64(..1 + u64::from(per_minute / 8)) as u32, clock);
            }
            let outlook = ledger.outlook(&limits, clock);
            let taken = [0, 1 + random.u64(..5) as u32][random.u64(..2) as usize];
            if taken > 0 && !matches!(ledger.charge(&limits, taken, clock).0, Verdict::Admitted(_)) {
                continue;
            }
            let later = clock + random.u64(..1_000);
            for (cost, now_ms) in (1..=LARGEST_COST).flat_map(|cost| [(cost, clock), (cost, later)]) {
                let (verdict, standing) = ledger.clone().charge(&limits, cost, now_ms);
                let expect = match outlook.fate(cost, taken, now_ms) {
                    Fate::Fits => None,
                    Fate::MonthFull { reset_ms } => Some((Verdict::MonthFull { reset_ms }, None)),
                    Fate::RateLimited { fits_at_ms } => {
                        let standing = outlook.standing(taken, Some(fits_at_ms), now_ms);
                        Some((
                            Verdict::RateLimited { retry_after: standing.wait_seconds(now_ms) },
                            Some(standing.reset),
                        ))
                    }
                    Fate::Unknown => continue,
                };
                let got = (!matches!(verdict, Verdict::Admitted(_))).then_some(verdict);
                assert_eq!(expect.map(|(verdict, _)| verdict), got, "trace {trace}, cost {cost}");
                if let Some((_, Some(reset))) = expect {
                    assert_eq!(reset, standing.reset, "trace {trace}, cost {cost}");
                }
                if got.is_some() && now_ms == clock {
                    assert_eq!(outlook.standing(taken, None, now_ms).remaining, standing.remaining);
                }
            }
        }
    }

    /// A million requests of mixed cost against an exact log, with evictions and a clock that steps both ways: no 60
    /// seconds hold more than the limit or one batch, and a retry at the stated moment succeeds.
    #[test]
    fn never_more_than_the_limit_in_any_minute() {
        let mut random = fastrand::Rng::with_seed(6);
        for trace in 0..1_000 {
            let per_minute = [30, 120, 180, 600][random.u64(..4) as usize];
            let limits = limits(per_minute, None);
            let (mut ledger, mut rows, mut log) =
                (Ledger::default(), std::collections::BTreeMap::new(), ExactLog::default());
            let mut clock = T0 + random.u64(..100);
            let pace = 1 + random.u64(..3 * 60_000 / u64::from(per_minute));
            for _ in 0..1_000 {
                clock += random.u64(..pace * 2);
                match random.u64(..200) {
                    0 => clock += random.u64(..200_000),
                    1 => clock -= random.u64(..5_000),
                    2 | 3 => ledger = Ledger::restore(rows.values().copied()),
                    _ => {}
                }
                let cost = if random.u64(..20) == 0 { 1 + random.u64(..100) as u32 } else { 1 };
                match ledger.charge(&limits, cost, clock).0 {
                    Verdict::Admitted(entry) => {
                        rows.insert(entry.slot, entry);
                        let used = log.admit(ledger.now_ms, cost);
                        assert!(used <= per_minute.max(cost), "trace {trace}: {used} units, limit {per_minute}");
                    }
                    Verdict::RateLimited { retry_after } if random.u64(..8) == 0 => {
                        let mut later = ledger.clone();
                        let (verdict, _) = later.charge(&limits, cost, ledger.now_ms + retry_after * 1_000);
                        assert!(matches!(verdict, Verdict::Admitted(_)), "trace {trace}: a truthful Retry-After");
                    }
                    Verdict::RateLimited { .. } => {}
                    Verdict::MonthFull { .. } => panic!("there is no monthly cap"),
                }
            }
        }
    }
}
