//! A rolling window of 60 seconds as sparse slots of 100 milliseconds.
//!
//! Conservative: all units of a slot count until 60 seconds after the slot's end, so that no 60 seconds, wherever they
//! start, hold more than the limit. The price is that a unit may count up to 100 ms longer than it must. Traces show no
//! over-admission and at most 0.5 % fewer admissions than an exact log (with slots of 250 ms), at a few hundred bytes.
//!
//! Time never runs backwards here: [`super::ledger`] passes a `now` that does not decrease.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

/// Length of the window.
pub const WINDOW_MS: u64 = 60_000;

/// Length of a slot.
pub const SLOT_MS: u64 = 100;

/// The units of one slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Number of the slot since the epoch.
    pub at: u64,
    /// Units charged in it.
    pub units: u32,
}

impl Slot {
    /// Returns when the slot begins, milliseconds since the epoch. A stored number may be any.
    pub fn starts_ms(self) -> u64 {
        self.at.saturating_mul(SLOT_MS)
    }

    /// Returns when the slot no longer counts, milliseconds since the epoch.
    pub fn leaves_ms(self) -> u64 {
        self.starts_ms().saturating_add(SLOT_MS + WINDOW_MS)
    }
}

/// The time from which on costs up to some cost fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening {
    /// The largest cost that fits; [`u32::MAX`] when nothing counts any more.
    pub cost: u32,
    /// Milliseconds since the epoch; 0 if it fits now.
    pub at_ms: u64,
}

/// Tells whether `cost` more units fit where `used` count. A cost above the limit itself (a batch of 100 on a plan of
/// 30 a minute) fits when nothing counts: decision 1.
pub fn fits(used: u32, limit: u32, cost: u32) -> bool {
    if cost > limit { used == 0 } else { used + cost <= limit }
}

/// The units of the last 60 seconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// Oldest first, with distinct numbers, none without units.
    slots: VecDeque<Slot>,
    used: u32,
}

impl Window {
    /// Returns the units that count, as of the last [`Window::expire`].
    pub fn units_used(&self) -> u32 {
        self.used
    }

    /// Forgets the slots that no longer count and returns how many they were.
    pub fn expire(&mut self, now_ms: u64) -> usize {
        let gone = self.slots.iter().take_while(|slot| slot.leaves_ms() <= now_ms).count();
        self.used = self.slots.drain(..gone).fold(self.used, |used, slot| used.saturating_sub(slot.units));
        gone
    }

    /// Tells whether `cost` more units fit.
    pub fn fits(&self, limit: u32, cost: u32) -> bool {
        fits(self.used, limit, cost)
    }

    /// Counts `units` at `at_ms`, which may be earlier than the newest slot.
    pub fn add(&mut self, at_ms: u64, units: u32) {
        let at = at_ms / SLOT_MS;
        self.used = self.used.saturating_add(units);
        let place = self.slots.partition_point(|slot| slot.at < at);
        match self.slots.get_mut(place) {
            Some(slot) if slot.at == at => slot.units = slot.units.saturating_add(units),
            _ => self.slots.insert(place, Slot { at, units }),
        }
    }

    /// Takes back what was counted at `at_ms`, as far as it still counts.
    pub fn remove(&mut self, at_ms: u64, units: u32) {
        let at = at_ms / SLOT_MS;
        let Ok(place) = self.slots.binary_search_by_key(&at, |slot| slot.at) else { return };
        let slot = &mut self.slots[place];
        let units = units.min(slot.units);
        slot.units -= units;
        if slot.units == 0 {
            self.slots.remove(place);
        }
        self.used = self.used.saturating_sub(units);
    }

    /// Returns this window and `others` in one.
    pub fn with(&self, others: impl IntoIterator<Item = Slot>) -> Self {
        let mut slots: Vec<Slot> = self.slots.iter().copied().chain(others).collect();
        slots.sort_unstable_by_key(|slot| slot.at);
        let mut together = Self::default();
        for slot in slots {
            together.add(slot.starts_ms(), slot.units);
        }
        together
    }

    /// Returns the oldest slot that counts.
    pub fn oldest(&self) -> Option<Slot> {
        self.slots.front().copied()
    }

    /// Iterates over the slots that count, the oldest first.
    pub fn slots(&self) -> impl Iterator<Item = Slot> {
        self.slots.iter().copied()
    }

    /// Returns when `cost` units fit if nothing else is charged, milliseconds since the epoch; 0 when they fit now.
    pub fn fits_at_ms(&self, limit: u32, cost: u32) -> u64 {
        let room = limit.saturating_sub(cost);
        let mut left = self.used;
        let leaving = self.slots.iter().take_while(|slot| {
            let too_many = left > room;
            left = left.saturating_sub(slot.units);
            too_many
        });
        leaving.last().map_or(0, |slot| slot.leaves_ms())
    }

    /// Returns when costs of up to `max` fit if nothing else is charged. Cost and time increase from entry to entry.
    pub fn openings(&self, limit: u32, max: u32) -> Vec<Opening> {
        let largest = |left: u32| if left == 0 { u32::MAX } else { limit.saturating_sub(left) };
        let mut openings = vec![Opening { cost: largest(self.used), at_ms: 0 }];
        let mut left = self.used;
        for slot in &self.slots {
            if openings.last().is_some_and(|opening| opening.cost >= max) {
                break;
            }
            left -= slot.units;
            openings.push(Opening { cost: largest(left), at_ms: slot.leaves_ms() });
        }
        openings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_count_for_a_minute_after_their_slot() {
        let mut window = Window::default();
        [(1_000, 3), (1_099, 1), (1_100, 1), (1_050, 1)]
            .into_iter()
            .for_each(|(at_ms, units)| window.add(at_ms, units));
        assert!(
            window.slots().eq([Slot { at: 10, units: 5 }, Slot { at: 11, units: 1 }]),
            "an earlier slot takes units too"
        );
        let mut check = |now: u64, used: u32| {
            window.expire(now);
            assert_eq!(window.units_used(), used, "at {now}");
        };
        check(61_000, 6);
        check(61_099, 6);
        check(61_100, 1);
        check(61_199, 1);
        check(61_200, 0);
    }

    #[test]
    fn what_fits_and_when() {
        let mut window = Window::default();
        for (now, units) in [(0, 10), (5_000, 15), (10_000, 5)] {
            window.add(now, units);
        }
        let check = |cost: u32, fits: bool, at: u64| {
            assert_eq!((window.fits(30, cost), window.fits_at_ms(30, cost)), (fits, at), "cost {cost}");
            let openings = window.openings(30, 100);
            let opening = openings.iter().find(|opening| opening.cost >= cost).expect("every cost fits some time");
            assert_eq!(opening.at_ms, at, "cost {cost}");
        };
        check(1, false, 60_100);
        check(10, false, 60_100);
        check(11, false, 65_100);
        check(25, false, 65_100);
        check(30, false, 70_100);
        check(31, false, 70_100);
        assert!(window.fits(31, 1) && window.fits_at_ms(31, 1) == 0);
        assert!(Window::default().fits(30, 100) && Window::default().fits_at_ms(30, 100) == 0);
    }
}
