//! Token exchanges of one key: 100 in any 60 seconds (section 8.5 of the contract, decision 11).
//!
//! Tokens show their key, so anybody who has seen one can present the key with wrong secrets. If those counted like right
//! ones, a hundred a minute would lock the owner out. Therefore
//!
//! - an exchange with the right secret counts for the key, so that at most 100 tokens are issued a minute;
//! - an exchange with a wrong secret counts for its network, together with the right ones. A caller who sends both sees
//!   one limit of 100, as in the contract, and is not affected by the wrong secrets of others;
//! - wrong secrets of all networks together have a limit of their own, which only refuses wrong secrets.
//!
//! An owner who shares a network with a sender of wrong secrets is limited with them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Standing;
use super::window::{SLOT_MS, Slot, Window};

/// Exchanges in any 60 seconds.
pub const PER_MINUTE: u32 = 100;

/// Wrong secrets of all networks in any 60 seconds that are counted. Beyond it a wrong secret is refused without being
/// counted, so that what is stored is bounded.
const MISSES_PER_MINUTE: u32 = 1_000;

/// A network that exchanges come from, as a number that only the key's object can link to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Source(pub u64);

/// The exchanges of the last 60 seconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exchanges {
    /// With the right secret.
    right: Window,
    /// With a wrong one, by slot and network.
    wrong: BTreeMap<(u64, Source), u32>,
    now_ms: u64,
}

/// The stored row of exchanges.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedExchanges {
    /// When it was written, milliseconds since the epoch.
    pub now_ms: u64,
    /// The numbers of slots and their exchanges with the right secret, the oldest first.
    pub right: Vec<(u64, u32)>,
    /// The numbers of slots, networks, and their exchanges with a wrong secret.
    #[serde(default)]
    pub wrong: Vec<(u64, Source, u32)>,
}

impl Exchanges {
    /// Restores the exchanges from their row.
    pub fn restore(SavedExchanges { now_ms, right, wrong }: SavedExchanges) -> Self {
        let wrong = wrong.into_iter().map(|(at, source, units)| ((at, source), units)).collect();
        let mut exchanges = Self { now_ms, wrong, ..Self::default() };
        right.into_iter().for_each(|(at, units)| exchanges.right.add(Slot { at, units }.starts_ms(), units));
        exchanges
    }

    /// Returns the row to store.
    pub fn to_saved(&self) -> SavedExchanges {
        SavedExchanges {
            now_ms: self.now_ms,
            right: self.right.slots().map(|slot| (slot.at, slot.units)).collect(),
            wrong: self.wrong.iter().map(|((at, source), units)| (*at, *source, *units)).collect(),
        }
    }

    /// Counts an exchange from `source` at `clock_ms`, or returns the seconds after which it fits; and the standing of
    /// `source`.
    pub fn count(&mut self, source: Source, is_right: bool, clock_ms: u64) -> (Result<(), u64>, Standing) {
        self.now_ms = self.now_ms.max(clock_ms);
        let now_ms = self.now_ms;
        self.right.expire(now_ms);
        self.wrong.retain(|(at, _), units| Slot { at: *at, units: *units }.leaves_ms() > now_ms);
        let slots = self.wrong.iter().map(|((at, of), units)| (Slot { at: *at, units: *units }, *of));
        let mut seen = self.right.with(slots.clone().filter(|(_, of)| *of == source).map(|(slot, _)| slot));
        let misses = slots.clone().map(|(slot, _)| slot.units).sum::<u32>();
        let fits_at_ms = if !seen.fits(PER_MINUTE, 1) {
            Some(seen.fits_at_ms(PER_MINUTE, 1))
        } else if !is_right && misses >= MISSES_PER_MINUTE {
            slots.clone().next().map(|(oldest, _)| oldest.leaves_ms())
        } else {
            None
        };
        if fits_at_ms.is_none() {
            seen.add(now_ms, 1);
        }
        let reset_ms = fits_at_ms.or(seen.oldest().map(Slot::leaves_ms)).unwrap_or(now_ms);
        let remaining = PER_MINUTE.saturating_sub(seen.units_used());
        let standing = Standing { limit: PER_MINUTE, remaining, reset: reset_ms.div_ceil(1_000) };
        if fits_at_ms.is_some() {
            return (Err(standing.wait_seconds(now_ms)), standing);
        }
        if is_right {
            self.right.add(now_ms, 1);
        } else {
            *self.wrong.entry((now_ms / SLOT_MS, source)).or_default() += 1;
        }
        (Ok(()), standing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: u64 = 1_795_176_000_000;
    const OWNER: Source = Source(1);

    /// Counts so many exchanges, which must all fit or all be refused.
    fn send(exchanges: &mut Exchanges, source: Source, is_right: bool, times: u32, at_ms: u64, fit: bool) -> Standing {
        let mut last = None;
        for time in 0..times {
            let (counted, standing) = exchanges.count(source, is_right, at_ms);
            assert_eq!(counted.is_ok(), fit, "number {time} of {source:?} at {}: {counted:?}", at_ms - NOON);
            last = Some(standing);
        }
        last.expect("something was sent")
    }

    #[test]
    fn right_and_wrong_secrets_share_one_limit() {
        let mut exchanges = Exchanges::default();
        assert_eq!(send(&mut exchanges, OWNER, false, 60, NOON, true).remaining, 40);
        assert_eq!(send(&mut exchanges, OWNER, true, 40, NOON + 10_000, true).remaining, 0);
        let full = send(&mut exchanges, OWNER, true, 1, NOON + 20_000, false);
        assert_eq!(full, Standing { limit: 100, remaining: 0, reset: NOON / 1_000 + 61 });
        assert_eq!(exchanges.count(OWNER, false, NOON + 20_000).0, Err(41));
        send(&mut exchanges, OWNER, true, 60, NOON + 61_000, true);
        send(&mut exchanges, OWNER, true, 1, NOON + 61_000, false);
    }

    #[test]
    fn wrong_secrets_of_others_take_nothing() {
        let mut exchanges = Exchanges::default();
        for attacker in 2..7 {
            send(&mut exchanges, Source(attacker), false, 100, NOON, true);
            send(&mut exchanges, Source(attacker), false, 1, NOON, false);
        }
        assert_eq!(send(&mut exchanges, OWNER, true, 100, NOON, true).remaining, 0);
        send(&mut exchanges, Source(9), true, 1, NOON, false);
    }

    #[test]
    fn wrong_secrets_of_all_let_right_ones_pass() {
        let mut exchanges = Exchanges::default();
        for attacker in 0..u64::from(MISSES_PER_MINUTE) {
            send(&mut exchanges, Source(1_000 + attacker), false, 1, NOON + attacker, true);
        }
        let later = NOON + 30_000;
        assert_eq!(exchanges.count(Source(5), false, later).0, Err(31));
        assert_eq!(exchanges.wrong.len(), MISSES_PER_MINUTE as usize);
        send(&mut exchanges, OWNER, true, 50, later, true);
        send(&mut exchanges, Source(5), false, 50, NOON + 61_000, true);
    }

    #[test]
    fn what_was_stored_counts_on() {
        let mut exchanges = Exchanges::default();
        for step in 0..91 {
            exchanges.count(OWNER, step % 3 > 0, NOON + step * 70).0.expect("it fits");
        }
        let restored = Exchanges::restore(exchanges.to_saved());
        assert_eq!(restored, exchanges);
        for (at_ms, left) in [(NOON + 91 * 70, 9), (NOON - 10_000, 9), (NOON + 63_000, 52)] {
            let mut live = exchanges.clone();
            let mut again = restored.clone();
            let counted = again.count(OWNER, true, at_ms);
            assert_eq!((counted.1.remaining, counted), (left - 1, live.count(OWNER, true, at_ms)));
        }
    }
}
