//! What the object of a key decides: a pure function of what is stored, the question and the time. It returns the
//! changes to store, which the caller writes before it passes the reply on.

use super::billing::{Billing, Closed};
use super::demo;
use super::message::{Command, Envelope, Refusal, Reply, Terms, authorise};
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
    /// Months that are over, the earliest first.
    pub closed: Vec<Closed>,
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
    /// Write a month that is over in place of the one with the same number.
    Closed(Closed),
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
        (Command::Change(patch), Some(key)) => key.change(*patch, now_ms),
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
        if let Err(refusal) = authorise(self.record.enabled, &self.record.restrictions, caller) {
            let standing = self.requests.look(&limits, now_ms);
            return (self.refuse(refusal, standing, now_ms), Vec::new());
        }
        if cost == 0 {
            let (terms, client_id) = (self.terms(now_ms), self.record.client_id.clone());
            let standing = terms.outlook.standing;
            return (Reply::Admitted { client_id, standing, terms: Some(Box::new(terms)) }, Vec::new());
        }
        let mut changes = self.close(now_ms);
        let (verdict, standing) = self.requests.charge(&limits, cost, now_ms);
        let reply = match counted(Meter::Requests, verdict, &mut changes) {
            Ok(()) => Reply::Admitted { client_id: self.record.client_id.clone(), standing, terms: None },
            Err(refusal) => self.refuse(refusal, standing, now_ms),
        };
        (reply, changes)
    }

    fn refuse(&mut self, refusal: Refusal, standing: Standing, now_ms: u64) -> Reply {
        Reply::Refused { refusal, standing, terms: Some(Box::new(self.terms(now_ms))) }
    }

    fn terms(&mut self, now_ms: u64) -> Terms {
        let KeyRecord { enabled, restrictions, .. } = &self.record;
        let outlook = self.requests.outlook(&self.record.limits(), now_ms);
        Terms { enabled: *enabled, restrictions: restrictions.clone(), outlook }
    }

    /// Every exchange counts, one with a wrong secret too (decision 11). Whether the key is disabled or restricted is told
    /// only to whoever knows its secret.
    fn exchange(&mut self, proof: &Proof, caller: &Caller, now_ms: u64) -> (Reply, Vec<Change>) {
        let (verdict, standing) = self.exchanges.charge(&EXCHANGE_LIMITS, 1, now_ms);
        let mut changes = Vec::new();
        let counted = counted(Meter::Exchanges, verdict, &mut changes);
        let admitted = counted.and_then(|()| match self.record.secret.matches(proof) {
            false => Err(Refusal::Secret),
            true if !self.record.enabled => Err(Refusal::Disabled),
            true => self.record.restrictions.check_exchange(caller),
        });
        let reply = match admitted {
            Ok(()) => Reply::Admitted { client_id: self.record.client_id.clone(), standing, terms: None },
            Err(refusal) => Reply::Refused { refusal, standing, terms: None },
        };
        (reply, changes)
    }

    fn change(&mut self, patch: Patch, now_ms: u64) -> (Reply, Vec<Change>) {
        let mut changes = self.close(now_ms);
        self.record.apply(patch);
        changes.push(Change::Record(Box::new(self.record.clone())));
        (self.shown(), changes)
    }

    /// Stores what months that are over are billed by: the terms of now, which are those of their end, because every
    /// change of them begins with this.
    fn close(&mut self, now_ms: u64) -> Vec<Change> {
        let finished = self.requests.finished(now_ms).filter(|(month, _)| !self.is_closed(*month));
        self.closed.extend(finished.map(|(month, used)| Closed { month, used, billing: None }));
        let billing = Billing::of(&self.record);
        let open = self.closed.iter_mut().filter(|closed| closed.billing.is_none());
        open.map(|closed| {
            closed.billing = Some(billing);
            Change::Closed(*closed)
        })
        .collect()
    }

    fn is_closed(&self, month: Month) -> bool {
        self.closed.iter().any(|closed| closed.month == month)
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
            usage: self.usage(),
        }))
    }

    fn usage(&self) -> Vec<MonthUsage> {
        let present = Billing::of(&self.record);
        let latest = Some(self.requests.month()).filter(|(month, used)| *used > 0 && !self.is_closed(*month));
        let latest = latest.map(|(month, used)| Closed { month, used, billing: None });
        let months = latest.into_iter().chain(self.closed.iter().rev().copied());
        let usage = |Closed { month, used, billing }: Closed| {
            let billing = billing.unwrap_or(present);
            MonthUsage { month: month.name(), used, overage: billing.overage(used), billing: Some(billing) }
        };
        months.map(usage).collect()
    }
}

/// What a verdict is to the caller; what it stores goes into `changes`.
fn counted(meter: Meter, verdict: Verdict, changes: &mut Vec<Change>) -> Result<(), Refusal> {
    match verdict {
        Verdict::Admitted(entry) => {
            changes.push(Change::Entry(meter, entry));
            Ok(())
        }
        Verdict::MonthFull { reset_ms } => Err(Refusal::Month { reset_ms }),
        Verdict::RateLimited { retry_after } => Err(Refusal::Rate { retry_after }),
    }
}
