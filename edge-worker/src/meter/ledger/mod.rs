//! The usage of one key: its rolling minute and its month, which are always charged together.
//!
//! The ledger counts in memory. Storage has one row of it, [`Saved`]: what was counted when it was written, and how many units
//! may have been used since, the reserve. A charge within the reserve writes nothing. One beyond it writes the row anew, with as
//! many units in reserve as the key is expected to use in the next seconds: none, if it is used rarely. What a ledger that ends
//! without a word had left of its reserve counts as used at the last instant for which it was made. So a crash admits nothing
//! over the limit, and the month is too high by one reserve at most. An alarm writes what was really used: [`Ledger::wake`].
//!
//! If the clock steps back, the latest instant seen is used.
//!
//! Leases that no isolate has reported yet count beside the window, in a minute and in a month, until they leave the minute.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};

use super::Standing;
use super::allowance::{Allowance, LARGEST_COST, MonthLeft};
use super::lease::demand::Demand;
use super::lease::granted::{self, GrantedLease, Left};
use super::lease::{IsolateQuestion, Lease, Report};
use super::month::Month;
use super::plan::Limits;
use super::window::{Opening, Slot, Window, fits};
use crate::durable::rows::is_default;
use crate::refusal::Refusal;

/// Questions about leases a second above which isolates are to ask as rarely as they can: half of what one object
/// answers.
const CROWD: u32 = 600;

/// Time that a reserve lasts, milliseconds. Its alarm comes before the platform puts an object to sleep, ten seconds after its
/// last request.
pub const RESERVE_MS: u64 = 5_000;

/// Changes in that time from which on a key has a reserve: it takes two rows, one of them for the alarm, and the alarm's call.
const LEAST_CHANGES: u32 = 6;

/// A reserve is at most this part of what is left of a month with a cap: its last units are not for crashes.
const PART_OF_MONTH: u64 = 8;

/// Time for which a charge can be given back, milliseconds: as long as the platform lets the work behind a request go on.
const KEPT_MS: u64 = 30_000;

/// The usage of a key so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    window: Window,
    month: Month,
    month_used: u64,
    now_ms: u64,
    /// When something was counted last.
    counted_ms: u64,
    /// Leases that were not reported.
    grants: Vec<GrantedLease>,
    /// Units of leases that never were, by month.
    lost: BTreeMap<Month, u64>,
    /// Charges that can be given back, the earliest first. They are not stored.
    charges: VecDeque<Charged>,
    /// Questions about leases.
    questions: Demand,
    /// Changes, and the units that they counted.
    changes: Demand<RESERVE_MS>,
    taken: Demand<RESERVE_MS>,
    reserve: Reserve,
}

/// A charge by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Charged {
    id: u64,
    at_ms: u64,
    units: u32,
    month: Month,
}

/// Lag of storage behind the ledger.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Reserve {
    /// Units that may be counted without a write.
    left: u32,
    /// End of the reserve, milliseconds since the epoch. An alarm comes then.
    until_ms: u64,
    /// Set if something differs from what is stored.
    is_changed: bool,
    /// Set if something counts that storage does not cover.
    is_exceeded: bool,
}

/// The stored row of a ledger.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Saved {
    /// When something was counted last, milliseconds since the epoch. Nothing counts before: a clock that was ahead without
    /// counting is forgotten.
    pub counted_ms: u64,
    /// The numbers of the slots that count and their units, the oldest first.
    pub slots: Vec<(u64, u32)>,
    /// The month of the latest charge.
    pub month: Month,
    /// Units of that month.
    pub used: u64,
    /// Units in reserve.
    #[serde(default, skip_serializing_if = "is_default")]
    pub reserve: u32,
    /// The end of the reserve, milliseconds since the epoch.
    #[serde(default, skip_serializing_if = "is_default")]
    pub until_ms: u64,
    /// Leases that were not reported.
    #[serde(default, skip_serializing_if = "is_default")]
    pub grants: Vec<GrantedLease>,
    /// Units of leases that never were, by month.
    #[serde(default, skip_serializing_if = "is_default")]
    pub lost: Vec<(Month, u64)>,
}

/// Units that a report brings to a month before that of the ledger, or takes from it.
pub type Earlier = (Month, i64);

impl Ledger {
    /// Restores the ledger from its row. What is left of the reserve counts as used.
    pub fn restore(saved: Saved) -> Self {
        let Saved { counted_ms, slots, month, used, reserve, until_ms, grants, lost } = saved;
        let mut ledger = Self { month, month_used: used, now_ms: counted_ms, counted_ms, grants, ..Self::default() };
        ledger.lost = lost.into_iter().collect();
        slots.into_iter().for_each(|(at, units)| ledger.window.add(Slot { at, units }.starts_ms(), units));
        if reserve > 0 {
            ledger.window.add(until_ms, reserve);
            ledger.month_used = used.saturating_add(u64::from(reserve));
            ledger.reserve.is_changed = true;
        }
        ledger
    }

    /// Returns the row to store before anybody learns of the changes, if storage does not cover them.
    pub fn take_unsaved(&mut self, limits: &Limits) -> Option<Saved> {
        let is_covered = !self.reserve.is_exceeded && self.now_ms < self.reserve.until_ms;
        let has_news = self.reserve.is_changed || self.reserve.is_exceeded;
        (has_news && !is_covered).then(|| self.save(self.expected_units(limits)))
    }

    /// Ends a reserve whose time is over at `clock_ms`, or renews it if the key is busy. Returns the row to store. Without
    /// limits there is no new reserve.
    pub fn wake(&mut self, limits: Option<&Limits>, clock_ms: u64) -> Option<Saved> {
        self.advance(clock_ms);
        if clock_ms < self.reserve.until_ms {
            return None;
        }
        let is_behind = self.reserve.until_ms > 0 || self.reserve.is_changed || self.reserve.is_exceeded;
        is_behind.then(|| self.save(limits.map_or(0, |limits| self.expected_units(limits))))
    }

    /// Ends the reserve before its time, and returns the row with what was really used.
    pub fn end_reserve(&mut self, clock_ms: u64) -> Saved {
        self.advance(clock_ms);
        self.save(0)
    }

    /// Returns the end of the reserve, if there is one: when the alarm is to come.
    pub fn alarm_ms(&self) -> Option<u64> {
        Some(self.reserve.until_ms).filter(|until_ms| *until_ms > 0)
    }

    /// Returns the units that the key is expected to use while a reserve lasts, and may use.
    fn expected_units(&self, limits: &Limits) -> u32 {
        if self.changes.units(self.now_ms) < LEAST_CHANGES {
            return 0;
        }
        let month =
            self.month_left(limits).map_or(u32::MAX, |left| u32::try_from(left / PART_OF_MONTH).unwrap_or(u32::MAX));
        self.taken.units(self.now_ms).min(limits.per_minute.saturating_sub(self.units_used())).min(month)
    }

    fn save(&mut self, reserve: u32) -> Saved {
        // A reserve belongs to the month that it is counted for.
        let until_ms = (self.now_ms + RESERVE_MS).min(Month::of(self.now_ms).next().start_ms());
        let until_ms = if reserve > 0 { until_ms } else { 0 };
        self.reserve = Reserve { left: reserve, until_ms, is_changed: false, is_exceeded: false };
        Saved {
            counted_ms: self.counted_ms,
            slots: self.window.slots().map(|slot| (slot.at, slot.units)).collect(),
            month: self.month,
            used: self.month_used,
            reserve,
            until_ms,
            grants: self.grants.clone(),
            lost: self.lost.iter().map(|(month, units)| (*month, *units)).collect(),
        }
    }

    /// Notes that `units` count that are not stored, until `until_ms` at least.
    fn take(&mut self, units: u32, until_ms: u64) {
        self.counted_ms = self.now_ms;
        self.changes.note(1, self.now_ms);
        self.taken.note(units, self.now_ms);
        let reserve = &mut self.reserve;
        reserve.is_changed = true;
        match reserve.left.checked_sub(units).filter(|_| until_ms < reserve.until_ms) {
            Some(left) => reserve.left = left,
            None => reserve.is_exceeded = true,
        }
    }

    /// Charges `cost` units at `clock_ms`, or refuses them. Returns the standing for the response too. The month is checked
    /// first (decision 6), and neither count changes unless both allow it (decisions 1 and 4).
    pub fn charge(&mut self, limits: &Limits, cost: u32, clock_ms: u64) -> (Result<(), Refusal>, Standing) {
        self.advance(clock_ms);
        let month = Month::of(self.now_ms);
        let used = if month == self.month { self.month_used } else { 0 };
        if self.month_left(limits).is_some_and(|left| u64::from(cost) > left) {
            return (Err(Refusal::Month { reset_ms: month.next().start_ms() }), self.standing(limits));
        }
        if !fits(self.units_used(), limits.per_minute, cost) {
            return self.refuse(limits, cost);
        }
        (self.month, self.month_used) = (month, used + u64::from(cost));
        self.window.add(self.now_ms, cost);
        self.take(cost, self.now_ms);
        (Ok(()), self.standing(limits))
    }

    /// Gives the name `id` to the latest charge, which was of `cost` units. If it came twice, one of them keeps the name.
    pub fn name(&mut self, id: u64, cost: u32) {
        let old = self.charges.iter().take_while(|charge| charge.at_ms + KEPT_MS <= self.now_ms).count();
        self.charges.drain(..old);
        if self.charges.iter().all(|charge| charge.id != id) {
            self.charges.push_back(Charged { id, at_ms: self.now_ms, units: cost, month: self.month });
        }
    }

    /// Gives back the charge of the name `id`, if it was not given back before. Returns what an earlier month loses.
    pub fn give_back(&mut self, id: u64, clock_ms: u64) -> Option<Earlier> {
        self.advance(clock_ms);
        let place = self.charges.iter().position(|charge| charge.id == id && self.now_ms < charge.at_ms + KEPT_MS)?;
        let Charged { at_ms, units, month, .. } = self.charges.remove(place)?;
        self.window.remove(at_ms, units);
        // What is stored is too high, by more than a reserve.
        self.reserve.is_exceeded = true;
        if month < self.month {
            return Some((month, -i64::from(units)));
        }
        self.month_used = self.month_used.saturating_sub(units.into());
        None
    }

    /// Leases units at `clock_ms` to an isolate. A question that comes twice gets nothing the second time.
    pub fn lease(&mut self, limits: &Limits, question: &IsolateQuestion, clock_ms: u64) -> Lease {
        self.advance(clock_ms);
        let month = Month::of(self.now_ms);
        let left = Left {
            minute: limits.per_minute.saturating_sub(self.units_used()),
            limit: limits.per_minute,
            month: self.month_left(limits),
            month_ms: month.next().start_ms().saturating_sub(self.now_ms),
        };
        let id = question.id;
        let is_first = self.grants.iter().all(|grant| grant.id != id);
        let lease = if is_first { granted::lease(question, left) } else { Lease { id, ..Lease::NONE } };
        if lease.units > 0 {
            let ends_ms = self.now_ms + lease.ttl_ms;
            self.grants.push(GrantedLease { id, ends_ms, units: lease.units, month });
            self.take(lease.units, ends_ms);
        }
        lease
    }

    /// Counts a question about leases at `clock_ms`. Returns whether there were so many in the last second that isolates
    /// are to ask less.
    pub fn is_crowded(&mut self, clock_ms: u64) -> bool {
        self.advance(clock_ms);
        self.questions.note(1, self.now_ms);
        self.questions.units(self.now_ms) > CROWD
    }

    /// Takes the report of a lease at `clock_ms`, if there is such a lease: what was used counts from now on or from the lease's
    /// end, the rest is free. Returns what was used of an earlier month.
    pub fn settle(&mut self, used: Report, clock_ms: u64) -> Option<Earlier> {
        self.advance(clock_ms);
        let place = self.grants.iter().position(|grant| grant.id == used.id && self.counts(grant))?;
        let GrantedLease { ends_ms, units, month, .. } = self.grants.swap_remove(place);
        let units = used.units.min(units);
        // What is stored of the lease is not billed: the month needs cover for what was used of it.
        self.take(units, self.now_ms);
        if units == 0 {
            return None;
        }
        self.window.add(self.now_ms.min(ends_ms), units);
        if month < self.month {
            return Some((month, i64::from(units)));
        }
        self.month_used = u64::from(units) + if month == self.month { self.month_used } else { 0 };
        self.month = month;
        None
    }

    /// Forgets the leases that left the minute without a report, and counts them as lost. Returns how many units they had.
    pub fn lapse(&mut self, clock_ms: u64) -> u64 {
        self.advance(clock_ms);
        let now_ms = self.now_ms;
        let lapsed: Vec<GrantedLease> =
            self.grants.extract_if(.., |grant| grant.slot().leaves_ms() <= now_ms).collect();
        self.reserve.is_changed |= !lapsed.is_empty();
        for grant in &lapsed {
            *self.lost.entry(grant.month).or_default() += u64::from(grant.units);
        }
        lapsed.iter().map(|grant| u64::from(grant.units)).sum()
    }

    /// Returns the leases that were not reported.
    pub fn grants(&self) -> &[GrantedLease] {
        &self.grants
    }

    /// Returns the units of leases that were never reported, by month.
    pub fn lost(&self) -> &BTreeMap<Month, u64> {
        &self.lost
    }

    /// Tells whether nothing is left of the minute or of the month.
    pub fn is_spent(&self, limits: &Limits) -> bool {
        self.units_used() >= limits.per_minute || self.month_left(limits) == Some(0)
    }

    /// Returns the standing at `clock_ms`, without a charge.
    pub fn look(&mut self, limits: &Limits, clock_ms: u64) -> Standing {
        self.advance(clock_ms);
        self.standing(limits)
    }

    /// Returns the costs that fit from `clock_ms` on.
    pub fn allowance(&mut self, limits: &Limits, clock_ms: u64) -> Allowance {
        self.advance(clock_ms);
        let reset_ms = Month::of(self.now_ms).next().start_ms();
        Allowance {
            at_ms: self.now_ms,
            standing: self.standing(limits),
            month: self.month_left(limits).map(|units| MonthLeft { units, reset_ms }),
            openings: self.openings(limits),
        }
    }

    /// Returns the month of the latest charge and its total.
    pub fn month(&self) -> (Month, u64) {
        (self.month, self.month_used)
    }

    /// Returns the month of the latest charge and its total, once it is over, unless the total is 0.
    pub fn finished_month(&self, clock_ms: u64) -> Option<(Month, u64)> {
        let is_over = Month::of(self.now_ms.max(clock_ms)) > self.month;
        Some(self.month()).filter(|(_, used)| is_over && *used > 0)
    }

    fn advance(&mut self, clock_ms: u64) {
        self.now_ms = self.now_ms.max(clock_ms);
        self.window.expire(self.now_ms);
    }

    fn refuse(&self, limits: &Limits, cost: u32) -> (Result<(), Refusal>, Standing) {
        let fits_at_ms = self.counted_minute().fits_at_ms(limits.per_minute, cost);
        let standing = Standing { reset: fits_at_ms.div_ceil(1_000), ..self.standing(limits) };
        (Err(Refusal::Rate { retry_after: standing.wait_seconds(self.now_ms) }), standing)
    }

    /// Returns the minute with the leases that were not reported.
    fn counted_minute(&self) -> Cow<'_, Window> {
        if self.grants.is_empty() {
            return Cow::Borrowed(&self.window);
        }
        Cow::Owned(self.window.with(self.grants.iter().filter(|grant| self.counts(grant)).map(GrantedLease::slot)))
    }

    /// Returns the units that count, without the work of putting them in order.
    fn units_used(&self) -> u32 {
        let granted = self.grants.iter().filter(|grant| self.counts(grant)).map(|grant| grant.units);
        self.window.units_used() + granted.sum::<u32>()
    }

    fn openings(&self, limits: &Limits) -> Vec<Opening> {
        let used = self.units_used();
        // While every cost fits there is one opening, now, and nothing has to be put in order.
        if used > 0 && fits(used, limits.per_minute, LARGEST_COST) && LARGEST_COST <= limits.per_minute {
            return vec![Opening { cost: limits.per_minute - used, at_ms: 0 }];
        }
        self.counted_minute().openings(limits.per_minute, LARGEST_COST)
    }

    fn counts(&self, grant: &GrantedLease) -> bool {
        grant.slot().leaves_ms() > self.now_ms
    }

    /// Returns the units that are left of the month, if it has a cap. Leases count when they are granted, and when they are lost.
    fn month_left(&self, limits: &Limits) -> Option<u64> {
        let cap = limits.month_cap?;
        let month = Month::of(self.now_ms);
        let used = if month == self.month { self.month_used } else { 0 };
        let granted = self.grants.iter().filter(|grant| grant.month == month).map(|grant| u64::from(grant.units));
        let lost = self.lost.get(&month).copied().unwrap_or(0);
        Some(cap.saturating_sub(used + lost + granted.sum::<u64>()))
    }

    fn standing(&self, limits: &Limits) -> Standing {
        let granted = self.grants.iter().filter(|grant| self.counts(grant)).map(GrantedLease::slot);
        let oldest_ms = self.window.oldest().into_iter().chain(granted).map(Slot::leaves_ms).min();
        let reset_ms = oldest_ms.unwrap_or(self.now_ms);
        Standing {
            limit: limits.per_minute,
            remaining: limits.per_minute.saturating_sub(self.units_used()),
            reset: reset_ms.div_ceil(1_000),
        }
    }
}
