//! What an isolate remembers of one key, and what it predicts from that.

use super::decision::{Charge, Denial};
use crate::durable::message::Terms;
use crate::meter::lease::holding::Holding;
use crate::meter::outlook::Fate;
use crate::refusal::Refusal;

/// How long terms are valid after the request for them, in milliseconds. Changes of a key take effect within this time.
const HOLD_MS: u64 = 1_000;

/// A key as an isolate remembers it.
#[derive(Clone, Debug, Default)]
pub struct KnownKey {
    /// The last word of the key's object; `None` if nothing follows from it.
    pub word: Option<Word>,
    /// Leases of the key, and units to report of them.
    pub holding: Holding,
    /// [`super::Admissions`]'s step when it was last used.
    pub step: u64,
}

/// The last word of an object, and when it came.
#[derive(Clone, Debug)]
pub struct Word {
    /// `None` when there is no such key.
    pub terms: Option<Box<Terms>>,
    /// This isolate's clock when it asked and when it learned the terms.
    pub asked_ms: u64,
    pub learned_ms: u64,
    /// [`super::Admissions`]'s step when it learned them.
    pub step: u64,
}

impl KnownKey {
    /// Returns whether a lease covers a request that may use the key at all.
    pub fn can_take(&self, Charge { caller, cost, kind, .. }: Charge, now_ms: u64) -> bool {
        let terms = self.word.as_ref().and_then(|word| word.terms.as_ref());
        self.holding.has(cost, kind, now_ms) && terms.is_some_and(|terms| terms.admits(caller).is_ok())
    }

    /// Returns the refusal of a request according to the last word, and whether that is valid still.
    pub fn refusal(&self, charge: Charge, now_ms: u64) -> Option<(Denial, bool)> {
        let word = self.word.as_ref()?;
        Some((word.refusal(charge, now_ms)?, word.holds(now_ms) && !self.holding.has_news()))
    }
}

impl Word {
    /// Returns whether the terms are valid at `now_ms`, as far as it depends on time.
    pub fn holds(&self, now_ms: u64) -> bool {
        let is_young = (self.asked_ms..self.asked_ms + HOLD_MS).contains(&now_ms);
        let until_ms = self.terms.as_ref().map_or(u64::MAX, |terms| terms.outlook.holds_until_ms());
        is_young && self.object_ms(now_ms) < until_ms
    }

    /// Returns whether some callers may not use the key.
    pub fn bars(&self) -> bool {
        self.terms.as_ref().is_some_and(|terms| !terms.restrictions.is_empty())
    }

    /// Returns the object's clock at `now_ms`, or a little before it.
    fn object_ms(&self, now_ms: u64) -> u64 {
        let learned_ms = self.terms.as_ref().map_or(self.learned_ms, |terms| terms.outlook.at_ms);
        learned_ms + now_ms.saturating_sub(self.learned_ms)
    }

    fn refusal(&self, Charge { caller, cost, .. }: Charge, now_ms: u64) -> Option<Denial> {
        let Some(terms) = &self.terms else { return Some(Denial::UnknownKey) };
        let at_ms = self.object_ms(now_ms);
        let refused = |refusal, fits_at_ms| Some(Denial::Refused(refusal, terms.outlook.standing(fits_at_ms, at_ms)));
        if let Err(refusal) = terms.admits(caller) {
            return refused(refusal, None);
        }
        match terms.outlook.fate(cost, at_ms) {
            Fate::Fits | Fate::Unknown => None,
            Fate::MonthFull { reset_ms } => refused(Refusal::Month { reset_ms }, None),
            Fate::RateLimited { fits_at_ms } => {
                let standing = terms.outlook.standing(Some(fits_at_ms), at_ms);
                refused(Refusal::Rate { retry_after: standing.wait_seconds(at_ms) }, Some(fits_at_ms))
            }
        }
    }
}
