//! Refusals that an isolate repeats for at most a second, so that a flooding key does not wake its object each time.
//!
//! A repeated refusal is one that the object would give too: it is kept only while the refused cost cannot fit. That of a
//! minute is repeated for the same cost alone, because it states when that cost fits; that of a month for more as well.
//! Refusals that depend on the caller (address, domain) are not kept.

use std::collections::HashMap;

use super::Standing;
use crate::durable::message::Refusal;

/// Longest time a refusal is repeated: a change of the key holds after it at the latest.
const KEEP_MS: u64 = 1_000;

/// Largest number of keys that are kept.
const MAX_KEYS: usize = 1_000;

/// The refusals, by API key.
#[derive(Debug, Default)]
pub struct DenyMemo {
    keys: HashMap<String, Kept>,
}

#[derive(Clone, Debug)]
struct Kept {
    refusal: Refusal,
    standing: Standing,
    cost: u32,
    until_ms: u64,
}

impl DenyMemo {
    /// Keeps a refusal that the object gave at `now_ms` to a charge of `cost`.
    pub fn keep(&mut self, key: &str, cost: u32, refusal: &Refusal, standing: Standing, now_ms: u64) {
        let until_ms = match refusal {
            Refusal::Rate { .. } => standing.reset * 1_000,
            Refusal::Month { reset_ms } => *reset_ms,
            Refusal::Disabled => u64::MAX,
            Refusal::Ip | Refusal::Domain | Refusal::Secret => return,
        };
        if self.keys.len() >= MAX_KEYS {
            self.keys.retain(|_, kept| kept.until_ms > now_ms);
        }
        if self.keys.len() < MAX_KEYS {
            let until_ms = until_ms.min(now_ms + KEEP_MS);
            self.keys.insert(key.to_owned(), Kept { refusal: refusal.clone(), standing, cost, until_ms });
        }
    }

    /// Forgets a key that was changed.
    pub fn forget(&mut self, key: &str) {
        self.keys.remove(key);
    }

    /// The refusal of a charge of `cost` at `now_ms`, when it is known without asking.
    pub fn recall(&self, key: &str, cost: u32, now_ms: u64) -> Option<(Refusal, Standing)> {
        let kept = self.keys.get(key).filter(|kept| now_ms < kept.until_ms)?;
        let refusal = match &kept.refusal {
            Refusal::Rate { .. } if cost == kept.cost => {
                Refusal::Rate { retry_after: kept.standing.wait_seconds(now_ms) }
            }
            Refusal::Month { .. } if cost >= kept.cost => kept.refusal.clone(),
            Refusal::Disabled => Refusal::Disabled,
            _ => return None,
        };
        Some((refusal, kept.standing))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STANDING: Standing = Standing { limit: 30, remaining: 4, reset: 100 };
    const RATE: Refusal = Refusal::Rate { retry_after: 10 };

    fn kept(cost: u32, refusal: &Refusal, now_ms: u64) -> DenyMemo {
        let mut memo = DenyMemo::default();
        memo.keep("k", cost, refusal, STANDING, now_ms);
        memo
    }

    #[test]
    fn what_is_repeated_and_for_how_long() {
        let check = |memo: &DenyMemo, cost: u32, now_ms: u64, expect: Option<Refusal>| {
            assert_eq!(memo.recall("k", cost, now_ms).map(|(refusal, _)| refusal), expect, "cost {cost} at {now_ms}");
            assert_eq!(memo.recall("other", cost, now_ms), None);
        };
        let rate = kept(5, &RATE, 90_000);
        check(&rate, 5, 90_999, Some(Refusal::Rate { retry_after: 10 }));
        check(&rate, 6, 90_001, None);
        check(&rate, 4, 90_001, None);
        check(&rate, 5, 91_000, None);
        check(&kept(5, &RATE, 99_500), 5, 99_999, Some(Refusal::Rate { retry_after: 1 }));
        check(&kept(5, &RATE, 99_500), 5, 100_000, None);
        let month = Refusal::Month { reset_ms: 90_500 };
        check(&kept(5, &month, 90_000), 6, 90_499, Some(month.clone()));
        check(&kept(5, &month, 90_000), 4, 90_499, None);
        check(&kept(5, &month, 90_000), 5, 90_500, None);
        check(&kept(5, &Refusal::Disabled, 90_000), 1, 90_999, Some(Refusal::Disabled));
        check(&kept(5, &Refusal::Ip, 90_000), 5, 90_001, None);
        check(&kept(5, &Refusal::Domain, 90_000), 5, 90_001, None);
    }

    #[test]
    fn its_size_is_bounded() {
        let mut memo = DenyMemo::default();
        for number in 0..5 * MAX_KEYS {
            memo.keep(&number.to_string(), 1, &RATE, STANDING, 90_000);
        }
        assert_eq!(memo.keys.len(), MAX_KEYS);
        memo.keep("late", 1, &RATE, STANDING, 91_500);
        assert_eq!(memo.keys.len(), 1, "the expired ones make room");
    }
}
