//! Caches an answer in an isolate and lets only one request at a time renew it, so that a flood of equal requests
//! reaches its object a bounded number of times, whether the object answers, fails or is slow.

use std::cell::RefCell;

use crate::clock::Clock;
use crate::durable::OBJECT_DEADLINE_MS;
use crate::error::Failure;

/// How long a failure is repeated, milliseconds.
const FAILURE_HOLDS_MS: u64 = 1_000;

/// How long one request asks for all, milliseconds: an answer takes two questions to an object at most. A request that
/// ended midway, with its connection, hands over to another one after that time.
const LEASE_MS: u64 = 2 * OBJECT_DEADLINE_MS + 500;

/// Between two looks of a request that waits for the one that asks, milliseconds.
const LOOK_MS: u64 = 20;

/// An answer, which may be a failure, with the instant until which it holds.
#[derive(Debug)]
pub struct Shared<T> {
    kept: Option<(u64, T)>,
    /// Until when a request asks for all of them.
    leased_ms: u64,
}

/// What a request finds in a [`Shared`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found<T> {
    /// The answer. One that no longer holds is repeated while somebody asks for the next.
    Answer(T),
    /// Nothing that holds: whoever finds this asks, for all others.
    Lease,
    /// Nothing yet, and somebody asks.
    Wait,
}

impl<T> Default for Shared<T> {
    fn default() -> Self {
        Self { kept: None, leased_ms: 0 }
    }
}

impl<T: Clone> Shared<T> {
    /// What there is at `now_ms`.
    pub fn look(&mut self, now_ms: u64) -> Found<T> {
        let is_leased = now_ms < self.leased_ms;
        match &self.kept {
            Some((until_ms, answer)) if is_leased || now_ms < *until_ms => Found::Answer(answer.clone()),
            _ if is_leased => Found::Wait,
            _ => {
                self.leased_ms = now_ms + LEASE_MS;
                Found::Lease
            }
        }
    }

    /// Keeps `answer` until `until_ms`.
    pub fn keep(&mut self, answer: T, until_ms: u64) {
        *self = Self { kept: Some((until_ms, answer)), leased_ms: 0 };
    }
}

/// The answer in `known`, or that of `ask`, which holds for `holds_ms`; a failure for a second.
/// [`Failure::Unavailable`] when whoever asks does not come back.
pub async fn shared<T: Clone, E: Clone + From<Failure>>(
    clock: &impl Clock,
    known: &RefCell<Shared<Result<T, E>>>,
    holds_ms: u64,
    ask: impl AsyncFnOnce() -> Result<T, E>,
) -> Result<T, E> {
    for _ in 0..=LEASE_MS / LOOK_MS {
        let found = known.borrow_mut().look(clock.now_ms());
        match found {
            Found::Answer(answer) => return answer,
            Found::Wait => clock.pause(LOOK_MS).await,
            Found::Lease => {
                let answer = ask().await;
                let holds_ms = if answer.is_ok() { holds_ms } else { FAILURE_HOLDS_MS };
                known.borrow_mut().keep(answer.clone(), clock.now_ms() + holds_ms);
                return answer;
            }
        }
    }
    Err(Failure::Unavailable.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_asks_and_the_others_wait_or_repeat() {
        let mut shared = Shared::default();
        let check = |shared: &mut Shared<u8>, now_ms, expect| assert_eq!(shared.look(now_ms), expect, "at {now_ms}");
        check(&mut shared, 0, Found::Lease);
        check(&mut shared, 1, Found::Wait);
        check(&mut shared, LEASE_MS, Found::Lease);
        shared.keep(7, 10_000);
        check(&mut shared, 9_999, Found::Answer(7));
        check(&mut shared, 10_000, Found::Lease);
        check(&mut shared, 10_001, Found::Answer(7));
        check(&mut shared, 10_000 + LEASE_MS, Found::Lease);
        shared.keep(8, 20_000);
        check(&mut shared, 19_999, Found::Answer(8));
    }
}
