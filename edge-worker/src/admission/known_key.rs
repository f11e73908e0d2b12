//! What an isolate remembers of one key, and what it predicts from that.

use super::decision::{Charge, Decision, Denial};
use crate::durable::message::Terms;
use crate::meter::lease::holding::Holding;
use crate::meter::outlook::Fate;
use crate::refusal::Refusal;

/// How long terms are valid after the request for them, in milliseconds. Changes of a key take effect within this time.
const HOLD_MS: u64 = 1_000;

/// The remembered reply for a key.
#[derive(Clone, Debug)]
pub struct KnownKey {
    /// `None` when there is no such key.
    pub terms: Option<Box<Terms>>,
    /// This isolate's clock when it asked and when it learned the terms.
    pub asked_ms: u64,
    pub learned_ms: u64,
    /// [`super::Admissions`]'s step when it learned them.
    pub step: u64,
    /// Units of requests that were let through since.
    pub taken: u32,
    /// Whether its minute or month was exceeded and has not recovered since.
    pub is_tight: bool,
    /// Its leases, if it leases.
    pub holding: Option<Holding>,
}

/// The outcome of a request according to the terms.
pub enum Prediction {
    Refused(Denial),
    Fits,
    Unknown,
}

impl KnownKey {
    /// Whether a lease covers a request that may use the key at all.
    pub fn can_take(&self, Charge { caller, cost, .. }: Charge, now_ms: u64) -> bool {
        let has_lease = self.holding.as_ref().is_some_and(|holding| holding.has(cost, now_ms));
        has_lease && self.terms.as_ref().is_some_and(|terms| terms.admits(caller).is_ok())
    }

    /// Whether the terms are valid at `now_ms`, as far as it depends on time.
    pub fn holds(&self, now_ms: u64) -> bool {
        let is_young = (self.asked_ms..self.asked_ms + HOLD_MS).contains(&now_ms);
        let until_ms = self.terms.as_ref().map_or(u64::MAX, |terms| terms.outlook.holds_until_ms());
        is_young && self.object_ms(now_ms) < until_ms
    }

    /// The object's clock at `now_ms`, or a little before it.
    fn object_ms(&self, now_ms: u64) -> u64 {
        let learned_ms = self.terms.as_ref().map_or(self.learned_ms, |terms| terms.outlook.at_ms);
        learned_ms + now_ms.saturating_sub(self.learned_ms)
    }

    pub fn predict(&self, Charge { caller, cost, .. }: Charge, now_ms: u64) -> Prediction {
        let Some(terms) = &self.terms else { return Prediction::Refused(Denial::UnknownKey) };
        let at_ms = self.object_ms(now_ms);
        let refused = |refusal, fits_at_ms| {
            Prediction::Refused(Denial::Refused(refusal, terms.outlook.standing(self.taken, fits_at_ms, at_ms)))
        };
        if let Err(refusal) = terms.admits(caller) {
            return refused(refusal, None);
        }
        match terms.outlook.fate(cost, self.taken, at_ms) {
            Fate::Fits => Prediction::Fits,
            Fate::Unknown => Prediction::Unknown,
            Fate::MonthFull { reset_ms } => refused(Refusal::Month { reset_ms }, None),
            Fate::RateLimited { fits_at_ms } => {
                let standing = terms.outlook.standing(self.taken, Some(fits_at_ms), at_ms);
                refused(Refusal::Rate { retry_after: standing.wait_seconds(at_ms) }, Some(fits_at_ms))
            }
        }
    }

    pub fn refuse(&mut self, denial: Denial) -> Decision {
        self.is_tight |= matches!(&denial, Denial::Refused(refusal, _) if refusal.is_of_counts());
        Decision::Refuse(denial)
    }

    pub fn let_through(&mut self, cost: u32) -> Decision {
        self.taken = self.taken.saturating_add(cost);
        Decision::Compute
    }
}
