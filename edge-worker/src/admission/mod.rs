//! Decides about requests without a call to the key's object, as a pure function of the object's last reply, the
//! request and the time.
//!
//! A request is computed before it is charged, so the work for a refused request is wasted. An isolate therefore
//! remembers the [`Terms`](crate::durable::message::Terms) of a refused key: whether the key is enabled, where it may be
//! used from, what is left of its month, and when each cost fits its minute. With these
//!
//! - it refuses what the object would refuse, as long as the terms are valid: for a second, so that changes of the key
//!   take effect, or until a unit leaves the minute;
//! - it asks the object before computing, by a charge of no units ([`Decision::CheckFirst`]), if older terms would
//!   refuse the request. After a minute or month was exceeded it asks for every request, until any request would fit;
//! - it counts the requests it let through meanwhile, so that of many concurrent requests only those that fit are
//!   computed.
//!
//! A key that leases ([`crate::meter::lease`]) is remembered too. While the isolate holds a lease of it, it charges
//! requests alone ([`Admissions::take`]); otherwise one request asks for the next lease, and the others wait for its
//! answer. If that request ends before the answer comes, the next one asks ([`Admissions::abandon`]). When the object does
//! not answer, what a lease still has is used, and then nothing is admitted.
//!
//! Keys that the isolate does not remember are let through. Refusal reasons come in the order of the object: unknown
//! key, disabled key, address, domain, month, minute.
//!
//! Clocks of different machines are never compared: terms carry a time of the object's clock, and their age is measured
//! with this isolate's.

mod decision;
mod known_key;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

pub use self::decision::{Charge, Decision, Denial};
use self::known_key::{KnownKey, Prediction};
use crate::auth::restriction::Caller;
use crate::durable::message::Reply;
use crate::meter::Standing;
use crate::meter::lease::Ask;
use crate::meter::lease::holding::Holding;
use crate::refusal::Refusal;

/// Maximum number of remembered keys. Beyond it the oldest entry is dropped.
const MAX_KEYS: usize = 1_000;

/// How long the work behind one request asks for leases, milliseconds. The platform ends such work after 30 s.
pub const TENDS_MS: u64 = 20_000;

/// After this time, milliseconds, it has ended with its request.
const TENDED_MS: u64 = 25_000;

/// The remembered replies, by API key.
#[derive(Debug, Default)]
pub struct Admissions {
    keys: HashMap<String, KnownKey>,
    /// Incremented by every reply. An inquiry records it, so that an outdated reply is recognised.
    step: u64,
    /// Until when the work behind a request asks for leases, if it goes on that long.
    tended_ms: u64,
}

/// A pending charge.
#[derive(Clone, Debug)]
pub struct Inquiry {
    cost: u32,
    at_ms: u64,
    step: u64,
    /// What it asks and reports of leases.
    pub ask: Option<Ask>,
}

impl Admissions {
    /// Decides about a request at `now_ms`.
    pub fn decide(&mut self, charge: Charge, now_ms: u64) -> Decision {
        let Some(known) = self.keys.get_mut(charge.key) else { return Decision::Compute };
        if known.can_take(charge, now_ms) {
            return Decision::Compute;
        }
        match (known.predict(charge, now_ms), known.holds(now_ms)) {
            (Prediction::Refused(denial), true) => known.refuse(denial),
            _ if known.holding.as_ref().is_some_and(|holding| holding.is_silent(now_ms)) => {
                Decision::Refuse(Denial::Silent)
            }
            _ if known.holding.as_ref().is_some_and(|holding| holding.is_asking(now_ms)) => Decision::Wait,
            (Prediction::Fits, true) => known.let_through(charge.cost),
            (Prediction::Fits, false) if !known.is_tight => Decision::Compute,
            _ => Decision::CheckFirst,
        }
    }

    /// Decides about a request by the reply to [`Decision::CheckFirst`].
    pub fn decide_after_check(&mut self, charge: Charge, now_ms: u64) -> Decision {
        let Some(known) = self.keys.get_mut(charge.key) else { return Decision::Compute };
        if known.can_take(charge, now_ms) {
            return Decision::Compute;
        }
        match known.predict(charge, now_ms) {
            Prediction::Refused(denial) => known.refuse(denial),
            Prediction::Fits | Prediction::Unknown => known.let_through(charge.cost),
        }
    }

    /// The refusal that `caller` gets at `now_ms` for any cost.
    pub fn refusal_of(&self, key: &str, caller: &Caller, now_ms: u64) -> Option<Denial> {
        let known = self.keys.get(key).filter(|known| known.holds(now_ms))?;
        match known.predict(Charge { key, caller, cost: 1 }, now_ms) {
            // Another cost fits at another time.
            Prediction::Refused(Denial::Refused(Refusal::Rate { .. }, _)) | Prediction::Fits | Prediction::Unknown => {
                None
            }
            Prediction::Refused(denial) => Some(denial),
        }
    }

    /// Counts a request in the demand of a key that leases.
    pub fn note(&mut self, charge: Charge, now_ms: u64) {
        if let Some(holding) = self.holding(charge.key) {
            holding.note(charge.cost, now_ms);
        }
    }

    /// Charges a request alone, if a lease allows it. Returns the standing: what the lease still has, and what the
    /// object had left besides.
    pub fn take(&mut self, charge: Charge, now_ms: u64) -> Option<Standing> {
        let known = self.keys.get_mut(charge.key).filter(|known| known.can_take(charge, now_ms))?;
        let left = known.holding.as_mut()?.take(charge.cost, now_ms)?;
        let Standing { limit, remaining, reset } = known.terms.as_ref()?.outlook.standing;
        Some(Standing { limit, remaining: remaining.saturating_add(left).min(limit), reset })
    }

    /// Registers a charge of `cost` units that is about to be sent. `id` is a fresh name for a lease.
    pub fn inquiry(&mut self, key: &str, cost: u32, id: impl FnOnce() -> u64, now_ms: u64) -> Inquiry {
        let ask = self.holding(key).and_then(|holding| holding.ask(id(), now_ms));
        Inquiry { cost, at_ms: now_ms, step: self.step, ask }
    }

    /// Records that the object of a key did not answer.
    pub fn fail(&mut self, key: &str, sent: &Inquiry, now_ms: u64) {
        if let (Some(ask), Some(holding)) = (&sent.ask, self.holding(key)) {
            holding.fail(ask, now_ms);
        }
    }

    /// Notes that nobody waits for the reply to a charge any more. Nothing changes once it has come.
    pub fn abandon(&mut self, key: &str, sent: &Inquiry) {
        if let (Some(ask), Some(holding)) = (&sent.ask, self.holding(key)) {
            holding.abandon(ask);
        }
    }

    /// Whether the caller is to ask for leases behind its request, because some are held and nobody does.
    pub fn wants_tending(&mut self, now_ms: u64) -> bool {
        let is_promised = (self.tended_ms.saturating_sub(TENDED_MS)..self.tended_ms).contains(&now_ms);
        if is_promised || self.due(now_ms).is_none() {
            return false;
        }
        self.tended_ms = now_ms + TENDED_MS;
        true
    }

    /// Notes that the work behind a request has ended.
    pub fn end_tending(&mut self) {
        self.tended_ms = 0;
    }

    /// When an object is to be asked next, and of which key.
    pub fn due(&self, now_ms: u64) -> Option<(u64, &str)> {
        let dues = self.keys.iter().filter_map(|(key, known)| Some((known.holding.as_ref()?.due_ms(now_ms)?, &**key)));
        dues.min()
    }

    fn holding(&mut self, key: &str) -> Option<&mut Holding> {
        self.keys.get_mut(key)?.holding.as_mut()
    }

    /// Records a reply about a key.
    pub fn learn(&mut self, key: &str, sent: &Inquiry, reply: &Reply, now_ms: u64) {
        let holding = self.learn_lease(key, sent, reply, now_ms);
        let terms = match reply {
            Reply::UnknownKey => None,
            Reply::Refused { terms: Some(terms), .. } | Reply::Admitted { terms: Some(terms), .. } => {
                Some(terms.clone())
            }
            // An object of an earlier version, which sends no terms.
            Reply::Admitted { terms: None, .. } if sent.cost == 0 => return self.forget(key),
            _ => return,
        };
        let known = self.keys.get(key);
        if known.is_some_and(|known| known.holds(now_ms) && sent.step < known.step) {
            return;
        }
        let did_not_suffice = matches!(reply, Reply::Refused { refusal, .. } if refusal.is_of_counts());
        let is_wide = terms.as_ref().is_some_and(|terms| terms.outlook.is_wide());
        let is_tight = did_not_suffice || (known.is_some_and(|known| known.is_tight) && !is_wide);
        if !is_tight
            && holding.is_none()
            && terms.as_ref().is_some_and(|terms| terms.enabled && terms.restrictions.is_empty())
        {
            return self.forget(key);
        }
        self.make_room(key);
        self.step += 1;
        let known =
            KnownKey { terms, asked_ms: sent.at_ms, learned_ms: now_ms, step: self.step, taken: 0, is_tight, holding };
        self.keys.insert(key.to_owned(), known);
    }

    /// Takes what a reply says of leases. Returns those of the key from now on.
    fn learn_lease(&mut self, key: &str, sent: &Inquiry, reply: &Reply, now_ms: u64) -> Option<Holding> {
        let lease = match reply {
            Reply::Admitted { terms, .. } | Reply::Refused { terms, .. } => {
                terms.as_ref().and_then(|terms| terms.lease)
            }
            Reply::UnknownKey => None,
            _ => {
                self.fail(key, sent, now_ms);
                return self.holding(key).cloned();
            }
        };
        let Some(known) = self.keys.get_mut(key).filter(|known| known.holding.is_some()) else {
            return lease.map(|_| Holding::default());
        };
        known.holding.take_if(|holding| {
            if let Some(ask) = &sent.ask {
                holding.learn(ask, lease, now_ms);
            }
            // The key leases no more: what it held is reported, then it is like any other.
            if lease.is_none() {
                holding.end();
            }
            *reply == Reply::UnknownKey || (lease.is_none() && holding.is_empty())
        });
        known.holding.clone()
    }

    /// Notes that a request that was let through will not be charged.
    pub fn give_back(&mut self, charge: Charge) {
        if let Some(known) = self.keys.get_mut(charge.key) {
            known.taken = known.taken.saturating_sub(charge.cost);
        }
    }

    /// Forgets a changed key. What was used of its leases is still to be reported.
    pub fn forget(&mut self, key: &str) {
        match self.keys.get_mut(key) {
            Some(KnownKey { holding: Some(holding), asked_ms, .. }) => {
                holding.end();
                *asked_ms = 0;
            }
            _ => drop(self.keys.remove(key)),
        }
    }

    fn make_room(&mut self, key: &str) {
        if self.keys.len() < MAX_KEYS || self.keys.contains_key(key) {
            return;
        }
        // A lease that is forgotten is lost.
        let oldest =
            self.keys.iter().min_by_key(|(_, known)| (known.holding.is_some(), known.step)).map(|(key, _)| key.clone());
        if let Some(oldest) = oldest {
            self.keys.remove(&oldest);
        }
    }
}
