//! Decides about requests without a call to the key's object, as a pure function of the object's latest terms, the request and
//! the time.
//!
//! A key's object charges a request while it is computed. An isolate remembers the [`KeyTerms`] of
//! a refused key: whether the key is enabled, where it may be used from, what is left of its month, and when each cost fits its
//! minute. With these
//!
//! - it refuses what the object would refuse, as long as the terms are valid: for a second, so that changes of the key
//!   take effect, or until a unit leaves the minute;
//! - it has a request charged before it computes it ([`Decision::First`]), if older terms would refuse it.
//!
//! While the isolate holds a lease of a key ([`crate::meter::lease`]), it charges requests alone ([`Admissions::take`]). Of a
//! large key one request asks for the next lease, and the others wait for its answer. If that request ends before the answer
//! comes, the next one asks ([`Admissions::abandon`]). When the object does not answer, what a lease still has is used, and then
//! nothing is admitted. What leases did not use, and charges whose requests failed, go back with the next question.
//!
//! Keys that the isolate does not remember are let through. Refusal reasons come in the order of the object: unknown
//! key, disabled key, address, domain, month, minute.
//!
//! The words are those of the table "Words" in the README.
//!
//! Clocks of different machines are never compared: terms carry a time of the object's clock, and their age is measured
//! with this isolate's.

mod decision;
mod known_key;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

pub use self::decision::{Charge, Decision, Denial};
use self::known_key::{KnownKey, KnownTerms};
use crate::auth::restriction::Caller;
use crate::durable::message::{KeyTerms, Reply};
use crate::gate::Gate;
use crate::meter::Standing;
use crate::meter::lease::IsolateQuestion;
use crate::meter::lease::held::Kind;
use crate::refusal::Refusal;

/// Maximum number of remembered keys. Beyond it the one that was used the longest time ago is dropped.
const MAX_KEYS: usize = 1_000;

/// Time for which the work behind one request asks for leases, milliseconds. The platform ends such work after 30 s.
pub const TENDS_MS: u64 = 20_000;

/// After this time, milliseconds, it has ended with its request.
const TENDED_MS: u64 = 25_000;

/// API keys as an isolate remembers them.
#[derive(Debug, Default)]
pub struct Admissions {
    keys: HashMap<String, KnownKey>,
    /// Incremented by every request and reply. A question that is sent records it, so that an outdated reply is recognised.
    step: u64,
    /// Until when the work behind a request asks for leases, if it goes on that long.
    tended_ms: u64,
}

/// A question that was sent with a charge.
#[derive(Clone, Debug)]
pub struct Sent {
    at_ms: u64,
    step: u64,
    /// Question with its reports, and the name of the charge.
    pub question: IsolateQuestion,
}

impl Admissions {
    /// Decides about a request at `now_ms`.
    pub fn decide(&self, charge: Charge, now_ms: u64) -> Decision {
        let unknown = KnownKey::default();
        let known = self.keys.get(charge.key).unwrap_or(&unknown);
        if known.can_take(charge, now_ms) {
            return Decision::Alone;
        }
        match known.refusal(charge, now_ms) {
            Some((denial, true)) => Decision::Refuse(denial),
            _ if known.leases.is_silent(now_ms) => Decision::Refuse(Denial::Silent),
            _ if known.leases.is_asking(now_ms) => Decision::Wait,
            None if charge.cost == 1 => Decision::Meanwhile,
            _ => Decision::First,
        }
    }

    /// Returns the refusal that `caller` gets at `now_ms` for any cost.
    pub fn refusal_of(&self, key: &str, caller: &Caller, now_ms: u64) -> Option<Denial> {
        let charge = Charge { key, caller, cost: 1, kind: Kind::Other };
        match self.keys.get(key)?.refusal(charge, now_ms)? {
            // Another cost fits at another time.
            (Denial::Refused(Refusal::Rate { .. }, _), _) | (_, false) => None,
            (denial, true) => Some(denial),
        }
    }

    /// Counts a request in the demand of its key.
    pub fn note(&mut self, charge: Charge, now_ms: u64) {
        self.known_key(charge.key).leases.note(charge.cost, now_ms);
    }

    /// Charges a request alone, if a lease allows it. Returns the standing: what the lease still has, and what the
    /// object had left besides.
    pub fn take(&mut self, charge: Charge, now_ms: u64) -> Option<Standing> {
        let known = self.keys.get_mut(charge.key).filter(|known| known.can_take(charge, now_ms))?;
        let left = known.leases.take(charge.cost, charge.kind, now_ms)?;
        let Standing { limit, remaining, reset } = known.latest.as_ref()?.terms.as_ref()?.allowance.standing;
        Some(Standing { limit, remaining: remaining.saturating_add(left).min(limit), reset })
    }

    /// Returns what to ask with a charge that is about to be sent. `id` is a fresh name for it.
    pub fn ask(&mut self, charge: Charge, id: u64, now_ms: u64) -> Sent {
        let known = self.known_key(charge.key);
        let question = known.leases.ask(id, charge.kind, now_ms);
        if known.leases.awaited_id() == Some(id) {
            known.answered = Some(Gate::default());
        }
        Sent { at_ms: now_ms, step: self.step, question }
    }

    /// Returns the gate that opens with the answer to the question of another request.
    pub fn answer_gate(&self, key: &str) -> Option<&Gate> {
        self.keys.get(key)?.answered.as_ref()
    }

    /// Records that the object of a key did not answer.
    pub fn fail(&mut self, key: &str, sent: &Sent, now_ms: u64) {
        let known = self.known_key(key);
        known.leases.fail(&sent.question, now_ms);
        known.open_if_answered();
    }

    /// Notes that nobody waits for the reply to a charge any more. Nothing changes once it has come.
    pub fn abandon(&mut self, key: &str, sent: &Sent) {
        let known = self.known_key(key);
        known.leases.abandon(&sent.question);
        known.open_if_answered();
    }

    /// Notes that a charge is to be given back, because its request failed.
    pub fn give_back(&mut self, key: &str, id: u64) {
        self.known_key(key).leases.give_back(id);
    }

    /// Tells whether the caller is to ask for leases behind its request, because some are held and nobody does.
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

    /// Returns when an object is to be asked next, and of which key.
    pub fn due(&self, now_ms: u64) -> Option<(u64, &str)> {
        self.keys.iter().filter_map(|(key, known)| Some((known.leases.due_ms(now_ms)?, &**key))).min()
    }

    /// Records a reply about a key.
    pub fn apply_reply(&mut self, key: &str, sent: &Sent, reply: &Reply, now_ms: u64) {
        let terms = match reply {
            Reply::UnknownKey => None,
            Reply::Admitted { terms, .. } | Reply::Refused { terms, .. } => Some(terms.clone()),
            _ => return self.fail(key, sent, now_ms),
        };
        self.step += 1;
        let step = self.step;
        let known = self.known_key(key);
        let lease = terms.iter().flatten().find_map(|terms| terms.lease);
        known.leases.apply_reply(&sent.question, lease, now_ms);
        known.open_if_answered();
        if known.latest.as_ref().is_some_and(|latest| latest.holds(now_ms) && sent.step < latest.step) {
            return;
        }
        let asked_ms = sent.at_ms;
        let learned_ms = now_ms;
        let latest = |terms| KnownTerms { terms, asked_ms, learned_ms, step };
        let is_refused = matches!(reply, Reply::Refused { .. });
        match terms {
            None => *known = KnownKey { latest: Some(latest(None)), step, ..KnownKey::default() },
            Some(Some(terms)) if is_refused || lease.is_some() || refuses(&terms) => {
                known.latest = Some(latest(Some(terms)));
            }
            // Others are admitted, and what is left has changed. Whom a restriction bars is still not computed for.
            Some(_) => {
                known.latest =
                    known.latest.take().filter(KnownTerms::bars).map(|latest| KnownTerms { asked_ms: 0, ..latest })
            }
        }
    }

    /// Forgets a changed key. What was used of its leases is still to be reported.
    pub fn forget(&mut self, key: &str) {
        let known = self.known_key(key);
        known.latest = None;
        known.leases.end();
    }

    fn known_key(&mut self, key: &str) -> &mut KnownKey {
        self.step += 1;
        if !self.keys.contains_key(key) {
            self.make_room();
        }
        let known = self.keys.entry(key.to_owned()).or_default();
        known.step = self.step;
        known
    }

    fn make_room(&mut self) {
        if self.keys.len() < MAX_KEYS {
            return;
        }
        // A lease that is forgotten is lost.
        let oldest = self.keys.iter().min_by_key(|(_, known)| (!known.leases.is_empty(), known.step));
        if let Some(oldest) = oldest.map(|(key, _)| key.clone()) {
            self.keys.remove(&oldest);
        }
    }
}

/// Tells whether somebody may be refused by these terms.
fn refuses(terms: &KeyTerms) -> bool {
    !terms.enabled || !terms.restrictions.is_empty() || terms.allowance.is_spent()
}
