//! What the object of a key decides: a pure function of what is stored, the question and the time. It returns the
//! changes to store, which the caller writes before it passes the reply on.

use super::demo;
use super::message::{Command, Envelope, Refusal, Reply};
use super::record::{KeyRecord, KeyView, MonthUsage, Patch};
use crate::auth::credentials::Proof;
use crate::auth::restriction::Caller;
use crate::meter::Standing;
use crate::meter::ledger::{Entry, Ledger, Verdict};
use crate::meter::month::{Month, iso_instant};
use crate::meter::plan::Limits;

/// Token exchanges of one key in any 60 seconds: section 8.5 of the contract.
pub const EXCHANGES_PER_MINUTE: u32 = 100;

const EXCHANGE_LIMITS: Limits = Limits { per_minute: EXCHANGES_PER_MINUTE, month_cap: None, included: None };

/// Everything that is stored of an existing key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// Its record.
    pub record: KeyRecord,
    /// Its geocoding requests.
    pub requests: Ledger,
    /// Its token exchanges.
    pub exchanges: Ledger,
    /// Totals of months that are over, the earliest first.
    pub closed: Vec<(Month, u64)>,
}

/// The two logs of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Meter {
    /// Geocoding requests.
    Requests = 0,
    /// Token exchanges.
    Exchanges = 1,
}

impl Meter {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Requests, Self::Exchanges];
}

/// A change to store, all of one reply together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Write the record; on creation, make the tables first.
    Record(Box<KeyRecord>),
    /// Write a row of a log in place of the one with the same slot.
    Entry(Meter, Entry),
    /// Write the total of a month that is over.
    Closed(Month, u64),
    /// Forget everything.
    Delete,
}

/// Answers one question; `key` is `None` when no such key exists.
pub fn answer(key: &mut Option<Key>, envelope: Envelope, now_ms: u64) -> (Reply, Vec<Change>) {
    if now_ms > envelope.not_after_ms {
        return (Reply::Late, Vec::new());
    }
    match (envelope.command, key) {
        (Command::Create(_), _) if demo::is_demo(&envelope.key) => (Reply::Exists, Vec::new()),
        (Command::Change(_) | Command::Delete, _) if demo::is_demo(&envelope.key) => (Reply::UnknownKey, Vec::new()),
        (Command::Create(_), Some(_)) => (Reply::Exists, Vec::new()),
        (Command::Create(record), vacant) => create(vacant, *record),
        (_, None) => (Reply::UnknownKey, Vec::new()),
        (Command::Charge { cost, caller }, Some(key)) => key.charge(cost, &caller, now_ms),
        (Command::Exchange { proof, caller }, Some(key)) => key.exchange(&proof, &caller, now_ms),
        (Command::Show, Some(key)) => (key.shown(), Vec::new()),
        (Command::Change(patch), Some(key)) => key.change(*patch),
        (Command::Delete, occupied) => {
            *occupied = None;
            (Reply::Deleted, vec![Change::Delete])
        }
    }
}

fn create(vacant: &mut Option<Key>, record: KeyRecord) -> (Reply, Vec<Change>) {
    let key = vacant.insert(Key::new(record));
    (key.shown(), vec![Change::Record(Box::new(key.record.clone()))])
}

impl Key {
    /// A key that nothing has used.
    pub fn new(record: KeyRecord) -> Self {
        Self { record, requests: Ledger::default(), exchanges: Ledger::default(), closed: Vec::new() }
    }

    fn charge(&mut self, cost: u32, caller: &Caller, now_ms: u64) -> (Reply, Vec<Change>) {
        let limits = self.record.limits();
        if let Err(refusal) = self.authorise(caller) {
            return (Reply::Refused { refusal, standing: self.requests.look(&limits, now_ms) }, Vec::new());
        }
        let (verdict, standing) = self.requests.charge(&limits, cost, now_ms);
        let mut changes = Vec::new();
        if let Verdict::Admitted { closed: Some((month, used)), .. } = verdict {
            self.closed.push((month, used));
            changes.push(Change::Closed(month, used));
        }
        let reply = self.settle(Meter::Requests, verdict, standing, &mut changes);
        (reply, changes)
    }

    fn authorise(&self, caller: &Caller) -> Result<(), Refusal> {
        if !self.record.enabled {
            return Err(Refusal::Disabled);
        }
        self.record.restrictions.check(caller)
    }

    /// Every exchange counts, one with a wrong secret too (decision 11). Whether the key is disabled or restricted is told
    /// only to whoever knows its secret.
    fn exchange(&mut self, proof: &Proof, caller: &Caller, now_ms: u64) -> (Reply, Vec<Change>) {
        let (verdict, standing) = self.exchanges.charge(&EXCHANGE_LIMITS, 1, now_ms);
        let mut changes = Vec::new();
        let counted = self.settle(Meter::Exchanges, verdict, standing, &mut changes);
        let refusal = match (&counted, self.record.secret.matches(proof)) {
            (Reply::Admitted { .. }, false) => Some(Refusal::Secret),
            (Reply::Admitted { .. }, true) if !self.record.enabled => Some(Refusal::Disabled),
            (Reply::Admitted { .. }, true) => self.record.restrictions.check_exchange(caller).err(),
            _ => None,
        };
        (refusal.map_or(counted, |refusal| Reply::Refused { refusal, standing }), changes)
    }

    fn settle(&self, meter: Meter, verdict: Verdict, standing: Standing, changes: &mut Vec<Change>) -> Reply {
        let refusal = match verdict {
            Verdict::Admitted { entry, .. } => {
                changes.push(Change::Entry(meter, entry));
                return Reply::Admitted { client_id: self.record.client_id.clone(), standing };
            }
            Verdict::MonthFull { reset_ms } => Refusal::Month { reset_ms },
            Verdict::RateLimited { retry_after } => Refusal::Rate { retry_after },
        };
        Reply::Refused { refusal, standing }
    }

    fn change(&mut self, patch: Patch) -> (Reply, Vec<Change>) {
        self.record.apply(patch);
        (self.shown(), vec![Change::Record(Box::new(self.record.clone()))])
    }

    fn shown(&self) -> Reply {
        let (record, limits) = (&self.record, self.record.limits());
        Reply::Shown(Box::new(KeyView {
            client_id: record.client_id.clone(),
            account: record.account.clone(),
            name: record.name.clone(),
            plan: record.plan,
            per_minute: limits.per_minute,
            per_month: limits.included,
            enabled: record.enabled,
            restrictions: record.restrictions.clone(),
            created_at: iso_instant(record.created_ms),
            usage: self.usage(&limits),
        }))
    }

    fn usage(&self, limits: &Limits) -> Vec<MonthUsage> {
        let current = Some(self.requests.month()).filter(|(_, used)| *used > 0);
        let months = current.into_iter().chain(self.closed.iter().rev().copied());
        let overage = |used: u64| limits.included.map_or(0, |included| used.saturating_sub(included));
        months.map(|(month, used)| MonthUsage { month: month.name(), used, overage: overage(used) }).collect()
    }
}
