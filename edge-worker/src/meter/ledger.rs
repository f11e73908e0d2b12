//! The usage of one key: its rolling minute and its month, which are always charged together.
//!
//! Storage is a log of [`Entry`]s, one per slot of the window: each carries the month's running total, so that a charge
//! writes one row, and the newest rows restore everything. If the clock steps back, the latest instant seen is used.

use super::Standing;
use super::month::Month;
use super::outlook::{LARGEST_COST, MonthLeft, Outlook};
use super::plan::Limits;
use super::window::{SLOT_MS, WINDOW_MS, Window};

/// How long a row is kept after it stops counting, milliseconds: a clock that was ahead by less has deleted no row that
/// still counts once it is corrected.
const CLOCK_ERROR_MS: u64 = 60_000;

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
        if limits.month_cap.is_some_and(|cap| used + u64::from(cost) > cap) {
            return (Verdict::MonthFull { reset_ms: month.next().start_ms() }, self.standing(limits));
        }
        if !self.window.fits(limits.per_minute, cost) {
            return self.refuse(limits, cost);
        }
        (self.month, self.month_used) = (month, used + u64::from(cost));
        let slot = self.window.add(self.now_ms, cost);
        let entry = Entry { slot: slot.at, units: slot.units, month, month_used: self.month_used };
        (Verdict::Admitted(entry), self.standing(limits))
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
        let month = Month::of(self.now_ms);
        let left = |cap: u64| cap.saturating_sub(if month == self.month { self.month_used } else { 0 });
        Outlook {
            at_ms: self.now_ms,
            standing: self.standing(limits),
            month: limits.month_cap.map(|cap| MonthLeft { units: left(cap), reset_ms: month.next().start_ms() }),
            openings: self.window.openings(limits.per_minute, LARGEST_COST),
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
        let fits_at_ms = self.window.fits_at_ms(limits.per_minute, cost);
        let standing = Standing { reset: fits_at_ms.div_ceil(1_000), ..self.standing(limits) };
        (Verdict::RateLimited { retry_after: standing.wait_seconds(self.now_ms) }, standing)
    }

    fn standing(&self, limits: &Limits) -> Standing {
        let reset_ms = self.window.oldest().map_or(self.now_ms, |slot| slot.leaves_ms());
        Standing {
            limit: limits.per_minute,
            remaining: limits.per_minute.saturating_sub(self.window.used()),
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
        let admitted = |verdict| matches!(verdict, Verdict::Admitted(_));
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

    /// A generator of pseudo-random numbers with a fixed seed: SplitMix64.
    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: u64) -> u64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = self.0;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            (z ^ (z >> 31)) % bound
        }
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
        let mut random = Random(9);
        for trace in 0..300 {
            let (per_minute, cap) =
                (1 + random.below(200) as u32, [None, Some(random.below(400))][random.below(2) as usize]);
            let limits = limits(per_minute, cap);
            let (mut ledger, mut clock) = (Ledger::default(), T0 + random.below(60_000));
            for _ in 0..random.below(200) {
                clock += random.below(2 * 60_000 / u64::from(per_minute));
                ledger.charge(&limits, 1 + random.below(1 + u64::from(per_minute / 8)) as u32, clock);
            }
            let outlook = ledger.outlook(&limits, clock);
            let taken = [0, 1 + random.below(5) as u32][random.below(2) as usize];
            if taken > 0 && !matches!(ledger.charge(&limits, taken, clock).0, Verdict::Admitted(_)) {
                continue;
            }
            let later = clock + random.below(1_000);
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
        let mut random = Random(6);
        for trace in 0..1_000 {
            let per_minute = [30, 120, 180, 600][random.below(4) as usize];
            let limits = limits(per_minute, None);
            let (mut ledger, mut rows, mut log) =
                (Ledger::default(), std::collections::BTreeMap::new(), ExactLog::default());
            let mut clock = T0 + random.below(100);
            let pace = 1 + random.below(3 * 60_000 / u64::from(per_minute));
            for _ in 0..1_000 {
                clock += random.below(pace * 2);
                match random.below(200) {
                    0 => clock += random.below(200_000),
                    1 => clock -= random.below(5_000),
                    2 | 3 => ledger = Ledger::restore(rows.values().copied()),
                    _ => {}
                }
                let cost = if random.below(20) == 0 { 1 + random.below(100) as u32 } else { 1 };
                match ledger.charge(&limits, cost, clock).0 {
                    Verdict::Admitted(entry) => {
                        rows.insert(entry.slot, entry);
                        let used = log.admit(ledger.now_ms, cost);
                        assert!(used <= per_minute.max(cost), "trace {trace}: {used} units, limit {per_minute}");
                    }
                    Verdict::RateLimited { retry_after } if random.below(8) == 0 => {
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
