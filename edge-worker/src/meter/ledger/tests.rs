//! Tests of the ledger: charges, months, leases and reserves one by one, then long random traces against an exact log.

use super::*;
use crate::meter::window::{SLOT_MS, WINDOW_MS};

/// 2026-11-30T23:59:00Z, a minute before a month ends.
const T0: u64 = 1_796_083_140_000;

fn limits(per_minute: u32, month_cap: Option<u64>) -> Limits {
    Limits { per_minute, month_cap, included: month_cap }
}

fn seen(id: u64, seen: u32) -> IsolateQuestion {
    IsolateQuestion { id, seen, ..IsolateQuestion::default() }
}

#[test]
fn a_known_charge_is_refunded_once() {
    let mut ledger = Ledger::default();
    let limits = limits(30, Some(40));
    for id in 1..=3 {
        assert!(is_admitted(ledger.charge(&limits, 4, T0 + id * 10).0));
        ledger.name(id, 4);
    }
    for id in [2, 2, 9] {
        assert_eq!(ledger.give_back(id, T0 + 500), None);
        assert_eq!((ledger.look(&limits, T0 + 500).remaining, ledger.month().1), (22, 8));
    }
    let saved = ledger.take_unsaved(&limits).expect("it is stored");
    assert_eq!((saved.used, saved.slots), (8, vec![(T0 / SLOT_MS, 8)]));
    assert_eq!(ledger.take_unsaved(&limits), None);
    // In the next month the earlier one is less.
    assert!(is_admitted(ledger.charge(&limits, 5, T0 + 60_000).0));
    let mut late = ledger.clone();
    ledger.charges.push_back(Charged { id: 4, at_ms: T0 + 50_000, units: 6, month: Month::of(T0) });
    assert_eq!((ledger.give_back(4, T0 + 60_000), ledger.month().1), (Some((Month::of(T0), -6)), 5));
    late.name(5, 5);
    assert_eq!((late.give_back(1, T0 + 60_000), late.look(&limits, T0 + 60_000).remaining), (None, 17), "too late");
}

#[test]
fn a_minute_fills_and_empties() {
    let mut ledger = Ledger::default();
    let limits = limits(3, None);
    for remaining in [2, 1, 0] {
        let (charged, standing) = ledger.charge(&limits, 1, T0);
        assert!(is_admitted(charged));
        assert_eq!(standing, Standing { limit: 3, remaining, reset: T0 / 1_000 + 61 });
    }
    let (charged, standing) = ledger.charge(&limits, 1, T0 + 500);
    assert_eq!(charged, Err(Refusal::Rate { retry_after: 61 }));
    assert_eq!(standing, Standing { limit: 3, remaining: 0, reset: T0 / 1_000 + 61 });
    assert!(is_admitted(ledger.charge(&limits, 1, T0 + 61_000).0));
}

#[test]
fn the_month_is_checked_first_and_whole() {
    let mut ledger = Ledger::default();
    let limits = limits(30, Some(40));
    assert!(is_admitted(ledger.charge(&limits, 30, T0).0));
    let full = Err(Refusal::Month { reset_ms: T0 + 60_000 });
    assert_eq!(ledger.charge(&limits, 11, T0).0, full, "both limits are exceeded");
    assert!(matches!(ledger.charge(&limits, 10, T0).0, Err(Refusal::Rate { .. })));
    assert_eq!(ledger.month().1, 30, "a refusal charges nothing");
    assert_eq!(Ledger::default().finished_month(T0), None);
    assert_eq!(
        (ledger.finished_month(T0 + 59_999), ledger.finished_month(T0 + 60_000)),
        (None, Some((Month::of(T0), 30)))
    );
    assert!(is_admitted(ledger.charge(&limits, 11, T0 + 60_100).0));
    assert_eq!((ledger.month().1, ledger.finished_month(T0 + 60_100)), (11, None));
}

#[test]
fn a_batch_above_the_limit_needs_emptiness() {
    let mut ledger = Ledger::default();
    let limits = limits(30, None);
    let (charged, standing) = ledger.charge(&limits, 100, T0);
    assert!(is_admitted(charged));
    assert_eq!(standing.remaining, 0);
    assert!(matches!(ledger.charge(&limits, 1, T0 + 60_099).0, Err(Refusal::Rate { retry_after: 1 })));
    assert!(is_admitted(ledger.charge(&limits, 1, T0 + 60_100).0));
    assert!(matches!(ledger.charge(&limits, 31, T0 + 60_100).0, Err(Refusal::Rate { .. })));
}

fn is_admitted(charged: Result<(), Refusal>) -> bool {
    charged.is_ok()
}

#[test]
fn a_lease_counts_until_it_leaves_the_minute() {
    let mut ledger = Ledger::default();
    let limits = limits(100, None);
    assert_eq!(ledger.lease(&limits, &seen(1, 50), T0), Lease { id: 1, units: 12, ttl_ms: 1_000, ..Lease::NONE });
    assert_eq!(ledger.lease(&limits, &seen(1, 50), T0).units, 0, "the question came twice");
    assert!(is_admitted(ledger.charge(&limits, 88, T0).0));
    let check = |ledger: &Ledger, at_ms: u64, expect: u32| {
        assert_eq!(ledger.clone().look(&limits, T0 + at_ms).remaining, expect, "{at_ms}");
    };
    check(&ledger, 60_099, 0);
    check(&ledger, 60_100, 88);
    check(&ledger, 61_099, 88);
    check(&ledger, 61_100, 100);
    assert_eq!(ledger.clone().lapse(T0 + 61_099), 0);
    let mut dead = ledger.clone();
    assert_eq!((dead.lapse(T0 + 61_100), dead.lost().values().sum(), dead.grants().len()), (12, 12, 0));
    assert_eq!((dead.settle(Report { id: 1, units: 3 }, T0 + 61_100), dead.month().1), (None, 88), "too late");
    // What was used counts from its report on, or from the lease's end; the rest is free.
    let mut reported = ledger.clone();
    for _ in 0..2 {
        // It comes twice and counts once.
        assert_eq!((reported.settle(Report { id: 1, units: 3 }, T0 + 500), reported.month().1), (None, 91));
    }
    check(&reported, 500, 9);
    check(&reported, 60_599, 97);
    check(&reported, 60_600, 100);
    let mut late = ledger;
    // A new month has begun.
    assert!(is_admitted(late.charge(&limits, 50, T0 + 60_100).0));
    assert_eq!(late.settle(Report { id: 1, units: 99 }, T0 + 60_200), Some((Month::of(T0), 12)));
    assert_eq!(late.month().1, 50);
    check(&late, 61_099, 38);
    check(&late, 61_100, 50);
}

#[test]
fn granted_leases_count_and_reported_ones_are_billed() {
    let mut ledger = Ledger::default();
    let limits = limits(1_000, Some(100));
    assert_eq!(ledger.lease(&limits, &seen(1, 50), T0).units, 12);
    assert!(matches!(ledger.charge(&limits, 89, T0).0, Err(Refusal::Month { .. })));
    assert!(is_admitted(ledger.charge(&limits, 40, T0).0));
    assert_eq!(ledger.lease(&limits, &seen(2, 50), T0).units, 8);
    assert_eq!(ledger.month().1, 40);
    ledger.settle(Report { id: 1, units: 10 }, T0 + 1_000);
    assert_eq!(ledger.month().1, 50);
    // The other one is lost: it is not billed, and its units may have been used.
    assert!(matches!(ledger.charge(&limits, 43, T0 + 1_000).0, Err(Refusal::Month { .. })));
    assert!(is_admitted(ledger.charge(&limits, 42, T0 + 1_000).0));
    // No lease outlives its month; a report may come after it.
    let last = ledger.clone().lease(&super::tests::limits(1_000, None), &seen(3, 50), T0 + 59_500);
    assert_eq!((last.units, last.ttl_ms), (32, 500));
    assert!(is_admitted(ledger.charge(&limits, 1, T0 + 60_000).0));
    let earlier = ledger.settle(Report { id: 2, units: 5 }, T0 + 60_000);
    assert_eq!((earlier, ledger.month().1), (Some((Month::of(T0), 5)), 1));
}

#[test]
fn what_was_stored_counts_on() {
    let mut ledger = Ledger::default();
    let limits = limits(800, None);
    assert!(is_admitted(ledger.charge(&limits, 100, T0).0));
    ledger.lease(&limits, &seen(1, 50), T0);
    let saved = ledger.take_unsaved(&limits).expect("nothing is stored yet");
    assert_eq!((saved.reserve, ledger.take_unsaved(&limits)), (0, None), "the key is quiet, and all is stored");
    let mut restored = Ledger::restore(saved);
    assert_eq!(restored.now_ms, T0, "the end of a lease is not now");
    for at_ms in [0, 60_100, 61_100] {
        assert_eq!(restored.look(&limits, T0 + at_ms), ledger.look(&limits, T0 + at_ms), "{at_ms}");
    }
    restored.lapse(T0 + 61_100);
    assert_eq!(restored.lost().clone(), [(Month::of(T0), 64)].into());
}

#[test]
fn a_reserve_covers_the_next_busy_seconds() {
    let mut ledger = Ledger::default();
    let limits = limits(600, None);
    let mut charge = |at_ms: u64| {
        assert!(is_admitted(ledger.charge(&limits, 2, T0 + at_ms).0));
        (ledger.take_unsaved(&limits).map(|saved| saved.reserve), ledger.alarm_ms().map(|alarm_ms| alarm_ms - T0))
    };
    assert_eq!([0, 500, 1_000, 1_100, 1_200].map(&mut charge), [(Some(0), None); 5], "each is written");
    assert_eq!(charge(1_500), (Some(12), Some(6_500)));
    assert_eq!([1_600, 1_700, 1_800, 1_850, 1_900, 1_950].map(&mut charge), [(None, Some(6_500)); 6]);
    assert_eq!(charge(2_000), (Some(26), Some(7_000)), "the reserve is used up");
    assert_eq!(charge(7_000).0, Some(17), "it is over");
    // The alarm writes what was used.
    assert_eq!(ledger.wake(Some(&limits), T0 + 11_999), None);
    assert_eq!(wake_at(&mut ledger.clone(), Some(&limits), 12_000), Some((28, 0)));
    assert!((0..8).all(|_| is_admitted(ledger.charge(&limits, 2, T0 + 11_000).0)));
    assert_eq!(wake_at(&mut ledger.clone(), None, 12_000), Some((44, 0)));
    assert_eq!(wake_at(&mut ledger, Some(&limits), 12_000), Some((44, 17)), "it is busy still");
    assert_eq!(wake_at(&mut ledger, Some(&limits), 17_000), Some((44, 0)));
    assert_eq!(wake_at(&mut ledger, Some(&limits), 17_000), None);
}

fn wake_at(ledger: &mut Ledger, limits: Option<&Limits>, at_ms: u64) -> Option<(u64, u32)> {
    ledger.wake(limits, T0 + at_ms).map(|saved| (saved.used, saved.reserve))
}

#[test]
fn a_reserve_fits_and_ends_with_its_month() {
    assert_eq!(reserve(1_000, None), (30, 60_000));
    assert_eq!(reserve(37, None), (7, 60_000));
    assert_eq!(reserve(1_000, Some(54)), (3, 60_000));
    assert_eq!(reserve(30, None), (0, 0));
}

fn reserve(per_minute: u32, cap: Option<u64>) -> (u32, u64) {
    let mut ledger = Ledger::default();
    let limits = limits(per_minute, cap);
    let saved = (0..6)
        .filter_map(|_| (ledger.charge(&limits, 5, T0 + 57_000), ledger.take_unsaved(&limits)).1)
        .last()
        .expect("each is written");
    (saved.reserve, saved.until_ms.saturating_sub(T0))
}

#[test]
fn the_rest_of_a_reserve_counts_as_used() {
    let mut ledger = Ledger::default();
    let limits = limits(600, None);
    let saved = (0..6)
        .filter_map(|_| (ledger.charge(&limits, 5, T0), ledger.take_unsaved(&limits)).1)
        .last()
        .expect("each is written");
    assert_eq!((saved.used, saved.reserve), (30, 30));
    let mut restored = Ledger::restore(saved);
    assert_eq!(restored.month(), (Month::of(T0), 60));
    let used = [0, 60_099, 60_100, 65_099, 65_100].map(|at_ms| 600 - restored.look(&limits, T0 + at_ms).remaining);
    assert_eq!(used, [60, 60, 30, 30, 0]);
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
    /// Admits a request. Returns the units of the 60 seconds that end with `now_ms`, including this request.
    fn admit(&mut self, now_ms: u64, cost: u32) -> u32 {
        let now_ms = self.0.back().map_or(now_ms, |(latest, _)| now_ms.max(*latest));
        self.0.push_back((now_ms, cost));
        while self.0.front().is_some_and(|(at, _)| at + WINDOW_MS <= now_ms) {
            self.0.pop_front();
        }
        self.0.iter().map(|(_, units)| units).sum()
    }
}

/// Checks that for each cost the ledger does what the allowance predicts, at once and in the second after it.
#[test]
fn an_allowance_says_what_the_ledger_does() {
    let mut random = fastrand::Rng::with_seed(9);
    for trace in 0..300 {
        let per_minute = 1 + random.u64(..200) as u32;
        let cap = [None, Some(random.u64(..400))][random.u64(..2) as usize];
        let limits = limits(per_minute, cap);
        let mut ledger = Ledger::default();
        let mut clock = T0 + random.u64(..60_000);
        for _ in 0..random.u64(..200) {
            clock += random.u64(..2 * 60_000 / u64::from(per_minute));
            let _ = ledger.charge(&limits, 1 + random.u64(..1 + u64::from(per_minute / 8)) as u32, clock);
        }
        let allowance = ledger.allowance(&limits, clock);
        let later = clock + random.u64(..1_000);
        for (cost, now_ms) in (1..=LARGEST_COST).flat_map(|cost| [(cost, clock), (cost, later)]) {
            let (charged, standing) = ledger.clone().charge(&limits, cost, now_ms);
            // What only the ledger knows: it is over what is left of the month, or the month is over.
            let is_known = limits.month_cap.is_none() || now_ms < Month::of(clock).next().start_ms();
            let foretold = allowance.check(cost, now_ms);
            if is_known && cost <= allowance.openings.last().map_or(0, |opening| opening.cost) {
                let refusal = foretold.clone().map_err(|(refusal, _)| refusal);
                assert_eq!(refusal, charged, "trace {trace}, cost {cost}");
            }
            if let Err((Refusal::Rate { .. }, foretold)) = foretold {
                assert_eq!(foretold.reset, standing.reset, "trace {trace}, cost {cost}");
            }
            if charged.is_err() && now_ms == clock {
                assert_eq!(allowance.standing(None, now_ms).remaining, standing.remaining);
            }
        }
    }
}

/// Checks a million requests of mixed cost against an exact log, with evictions and a clock that steps both ways: no 60
/// seconds hold more than the limit or one batch, and a retry at the stated moment succeeds.
#[test]
fn never_more_than_the_limit_in_any_minute() {
    let mut random = fastrand::Rng::with_seed(6);
    for trace in 0..1_000 {
        let per_minute = [30, 120, 180, 600][random.u64(..4) as usize];
        let limits = limits(per_minute, None);
        let mut ledger = Ledger::default();
        let mut saved = Saved::default();
        let mut log = ExactLog::default();
        let mut clock = T0 + random.u64(..100);
        let pace = 1 + random.u64(..3 * 60_000 / u64::from(per_minute));
        for _ in 0..1_000 {
            clock += random.u64(..pace * 2);
            match random.u64(..200) {
                0 => clock += random.u64(..200_000),
                1 => clock -= random.u64(..5_000),
                2 | 3 => ledger = Ledger::restore(saved.clone()),
                _ => {}
            }
            let cost = if random.u64(..20) == 0 { 1 + random.u64(..100) as u32 } else { 1 };
            match ledger.charge(&limits, cost, clock).0 {
                Ok(()) => {
                    saved = ledger.take_unsaved(&limits).unwrap_or(saved);
                    let used = log.admit(ledger.now_ms, cost);
                    assert!(used <= per_minute.max(cost), "trace {trace}: {used} units, limit {per_minute}");
                }
                Err(Refusal::Rate { retry_after }) if random.u64(..8) == 0 => {
                    let mut later = ledger.clone();
                    let (charged, _) = later.charge(&limits, cost, ledger.now_ms + retry_after * 1_000);
                    assert!(is_admitted(charged), "trace {trace}: a truthful Retry-After");
                }
                Err(Refusal::Rate { .. }) => {}
                Err(other) => panic!("there is no monthly cap: {other:?}"),
            }
        }
    }
}
