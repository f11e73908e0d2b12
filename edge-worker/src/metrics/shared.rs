//! Caches an answer in an isolate and lets only one request at a time renew it, so that a flood of equal requests
//! reaches its object a bounded number of times, whether the object answers, fails or is slow.

use std::cell::RefCell;

use crate::clock::Clock;
use crate::durable::OBJECT_DEADLINE_MS;
use crate::error::Failure;
use crate::gate::Gate;

/// Time for which a failure is cached, milliseconds.
const FAILURE_HOLDS_MS: u64 = 1_000;

/// Time for which one request renews the answer for all, milliseconds: an answer takes at most two requests to an
/// object. If the request ends early, with its connection, another one takes over after that time.
const LEASE_MS: u64 = 2 * OBJECT_DEADLINE_MS + 500;

/// Most times that a request waits for one that renews the answer.
const MAX_WAITS: usize = 2;

/// An answer, which may be a failure, with the instant at which it expires.
#[derive(Debug)]
pub struct Shared<T> {
    kept: Option<(u64, T)>,
    /// Until when one request renews the answer for all, and the gate that opens when it has.
    renewal: Option<(u64, Gate)>,
}

/// The state of a [`Shared`] for one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found<T> {
    /// The answer. An expired one is repeated while a request renews it.
    Answer(T),
    /// There is no valid answer: this request gets it for all others.
    Lease,
    /// There is no answer yet, and another request is getting it.
    Wait,
}

impl<T> Default for Shared<T> {
    fn default() -> Self {
        Self { kept: None, renewal: None }
    }
}

impl<T: Clone> Shared<T> {
    /// Returns the state at `now_ms`.
    pub fn look(&mut self, now_ms: u64) -> Found<T> {
        let is_leased = self.renewal.as_ref().is_some_and(|(until_ms, _)| now_ms < *until_ms);
        match &self.kept {
            Some((until_ms, answer)) if is_leased || now_ms < *until_ms => Found::Answer(answer.clone()),
            _ if is_leased => Found::Wait,
            _ => {
                self.renewal = Some((now_ms + LEASE_MS, Gate::default()));
                Found::Lease
            }
        }
    }

    /// Keeps `answer` until `until_ms`.
    pub fn keep(&mut self, answer: T, until_ms: u64) {
        *self = Self { kept: Some((until_ms, answer)), renewal: None };
    }
}

/// Returns the answer in `known`, or that of `ask`, which is cached for `holds_ms`, a failure for a second.
/// [`Failure::Unavailable`] if the request that renews it never finishes.
pub async fn share<T: Clone, E: Clone + From<Failure>>(
    clock: &impl Clock,
    known: &RefCell<Shared<Result<T, E>>>,
    holds_ms: u64,
    ask: impl AsyncFnOnce() -> Result<T, E>,
) -> Result<T, E> {
    for _ in 0..=MAX_WAITS {
        let found = known.borrow_mut().look(clock.now_ms());
        match found {
            Found::Answer(answer) => return answer,
            Found::Wait => {
                let renewed = known.borrow().renewal.as_ref().map(|(_, gate)| gate.wait_until_open(clock, LEASE_MS));
                if let Some(renewed) = renewed {
                    renewed.await;
                }
            }
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

    fn check(shared: &mut Shared<u8>, now_ms: u64, expect: Found<u8>) {
        assert_eq!(shared.look(now_ms), expect, "at {now_ms}");
    }
}
