//! The memory of an isolate about one key, and its predictions from that.

use super::decision::{Charge, Denial};
use crate::durable::message::KeyTerms;
use crate::gate::Gate;
use crate::meter::lease::held::IsolateLeases;

/// Time for which terms are valid after the request for them, milliseconds. Changes of a key take effect within it.
const HOLD_MS: u64 = 1_000;

/// A key as an isolate remembers it.
#[derive(Debug, Default)]
pub struct KnownKey {
    /// The last terms of the key's object; `None` if nothing follows from it.
    pub latest: Option<KnownTerms>,
    /// Leases of the key, and units to report of them.
    pub leases: IsolateLeases,
    /// Opens with the answer to the question for a lease that is under way.
    pub answered: Option<Gate>,
    /// [`super::Admissions`]'s step when it was last used.
    pub step: u64,
}

/// The latest terms of an object, and when they came.
#[derive(Clone, Debug)]
pub struct KnownTerms {
    /// `None` when there is no such key.
    pub terms: Option<Box<KeyTerms>>,
    /// Times when the isolate asked and when it learned the terms, by its own clock.
    pub asked_ms: u64,
    pub learned_ms: u64,
    /// [`super::Admissions`]'s step when it learned them.
    pub step: u64,
}

impl KnownKey {
    /// Lets those go on who wait for an answer that has come, or is awaited by nobody.
    pub fn open_if_answered(&mut self) {
        if self.leases.awaited_id().is_none() {
            self.answered = None;
        }
    }

    /// Tells whether a lease covers a request that may use the key at all.
    pub fn can_take(&self, Charge { caller, cost, kind, .. }: Charge, now_ms: u64) -> bool {
        let terms = self.latest.as_ref().and_then(|latest| latest.terms.as_ref());
        self.leases.has(cost, kind, now_ms) && terms.is_some_and(|terms| terms.admits(caller).is_ok())
    }

    /// Returns the refusal of a request according to the latest terms, and whether that is valid still.
    pub fn refusal(&self, charge: Charge, now_ms: u64) -> Option<(Denial, bool)> {
        let latest = self.latest.as_ref()?;
        Some((latest.refusal(charge, now_ms)?, latest.holds(now_ms) && !self.leases.has_news()))
    }
}

impl KnownTerms {
    /// Tells whether the terms are valid at `now_ms`, as far as it depends on time.
    pub fn holds(&self, now_ms: u64) -> bool {
        let is_young = (self.asked_ms..self.asked_ms + HOLD_MS).contains(&now_ms);
        let until_ms = self.terms.as_ref().map_or(u64::MAX, |terms| terms.allowance.holds_until_ms());
        is_young && self.object_ms(now_ms) < until_ms
    }

    /// Tells whether some callers may not use the key.
    pub fn bars(&self) -> bool {
        self.terms.as_ref().is_some_and(|terms| !terms.restrictions.is_empty())
    }

    /// Returns the object's clock at `now_ms`, or a little before it.
    fn object_ms(&self, now_ms: u64) -> u64 {
        let learned_ms = self.terms.as_ref().map_or(self.learned_ms, |terms| terms.allowance.at_ms);
        learned_ms + now_ms.saturating_sub(self.learned_ms)
    }

    fn refusal(&self, Charge { caller, cost, .. }: Charge, now_ms: u64) -> Option<Denial> {
        let Some(terms) = &self.terms else { return Some(Denial::UnknownKey) };
        let at_ms = self.object_ms(now_ms);
        let admits = terms.admits(caller).map_err(|refusal| (refusal, terms.allowance.standing(None, at_ms)));
        let refused = admits.and_then(|()| terms.allowance.check(cost, at_ms)).err();
        refused.map(|(refusal, standing)| Denial::Refused(refusal, standing))
    }
}
