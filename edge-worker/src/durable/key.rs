//! The decisions of a key's object: a pure function of its stored state, the request and the time. It returns the
//! writes, which the caller stores before it sends the reply.

use sha2::{Digest, Sha256};

use super::billing::Closed;
use super::demo;
use super::home::{Home, Luggage, Moved, Table};
use super::location::Location;
use super::message::{Command, Envelope, KeyTerms, Reply, authorise};
use super::record::{KeyRecord, KeyView, MonthUsage, Patch};
use crate::auth::credentials::{Proof, SecretHash};
use crate::auth::restriction::{Caller, Restrictions};
use crate::http::network_of;
use crate::meter::Standing;
use crate::meter::exchanges::{Exchanges, SavedExchanges, Source};
use crate::meter::lease::granted;
use crate::meter::lease::{IsolateQuestion, Lease};
use crate::meter::ledger::{Earlier, Ledger, Saved};
use crate::meter::month::{Month, iso_instant};
use crate::refusal::Refusal;

/// The stored state of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stored {
    /// There is no such key.
    Nothing,
    /// The key.
    Key(Box<Key>),
    /// The key has moved out.
    Moved(Box<Moved>),
    /// The key had moved in and was deleted.
    Deleted,
    /// A record that this version cannot read because it is damaged or from a later version.
    Unreadable,
}

/// The stored state of an existing key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// Record of the key.
    pub record: KeyRecord,
    /// Geocoding requests of the key.
    pub requests: Ledger,
    /// Token exchanges of the key.
    pub exchanges: Exchanges,
    /// Months that are over, the earliest first.
    pub closed: Vec<Closed>,
    /// Number of unreadable rows, which are not counted.
    pub unreadable: u32,
    /// Lost units that no reply has told yet. It is not stored: [`Ledger::lost`] is.
    pub untold: u64,
    /// When the next alarm comes, if one was set.
    pub alarm_ms: Option<u64>,
}

/// A write; all writes of a reply are stored together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyWrite {
    /// Write the record. On creation, make the tables first.
    Record(Box<KeyRecord>),
    /// Write the row of the requests.
    Requests(Box<Saved>),
    /// Write the row of the exchanges.
    Exchanges(Box<SavedExchanges>),
    /// Write a month that is over in place of the one with the same number.
    Closed(Closed),
    /// Write where the key has moved in place of its record, and delete the rest.
    MovedOut(Box<Moved>),
    /// Write the tables of a key that moves in.
    Tables(Vec<Table>),
    /// Write that the key was deleted in place of its record, and delete the rest.
    Deleted,
    /// Set the alarm at an instant, milliseconds since the epoch: [`Key::wake`].
    Alarm(u64),
    /// Delete everything.
    Delete,
}

/// Handles one request.
pub fn decide(stored: &mut Stored, envelope: Envelope, now_ms: u64) -> (Reply, Vec<KeyWrite>) {
    if now_ms > envelope.not_after_ms {
        return (Reply::Late, Vec::new());
    }
    match (envelope.command, &mut *stored) {
        (Command::Create(_), _) if demo::is_demo(&envelope.key) => (Reply::Exists, Vec::new()),
        (Command::Change(_) | Command::Delete | Command::Leave { .. }, _) if demo::is_demo(&envelope.key) => {
            (Reply::UnknownKey, Vec::new())
        }
        (Command::Create(record), Stored::Nothing) => create(stored, *record),
        (Command::Create(_), _) => (Reply::Exists, Vec::new()),
        (Command::Arrive { home, luggage }, Stored::Nothing) => (Reply::Arrived, arrive(home, *luggage)),
        (Command::Arrive { .. }, _) => (Reply::Arrived, Vec::new()),
        (_, Stored::Nothing | Stored::Deleted) => (Reply::UnknownKey, Vec::new()),
        (command, Stored::Moved(moved)) => {
            let moved = moved.clone();
            moved_out(command, *moved, stored)
        }
        (Command::Delete, _) => {
            let has_moved = matches!(stored, Stored::Key(key) if key.record.moves > 0);
            let (left, write) =
                if has_moved { (Stored::Deleted, KeyWrite::Deleted) } else { (Stored::Nothing, KeyWrite::Delete) };
            *stored = left;
            (Reply::Deleted, vec![write])
        }
        (_, Stored::Unreadable) => (Reply::Unreadable, Vec::new()),
        (Command::Charge { cost, caller, question }, Stored::Key(key)) => {
            let mut writes = key.settle(question.as_deref(), now_ms);
            let reply = key.charge(cost, &caller, question.as_deref(), now_ms, &mut writes);
            writes.extend(key.take_unsaved());
            (reply, writes)
        }
        (Command::Exchange { proof, caller }, Stored::Key(key)) => key.exchange(&proof, &caller, now_ms),
        (Command::Show, Stored::Key(key)) => {
            let mut writes = key.settle(None, now_ms);
            writes.extend(key.take_unsaved());
            (key.view(), writes)
        }
        (Command::Change(patch), Stored::Key(key)) => key.update(*patch, now_ms),
        (Command::Leave { location, .. }, Stored::Key(key)) if key.record.location == Some(location) => {
            (key.view(), Vec::new())
        }
        (Command::Leave { location, tables }, Stored::Key(key)) => {
            let moved = key.move_to(location, tables);
            *stored = Stored::Moved(Box::new(moved.clone()));
            (Reply::Moved(moved.clone()), vec![KeyWrite::MovedOut(Box::new(moved))])
        }
        (Command::Left { .. } | Command::Forget, Stored::Key(_)) => (Reply::Exists, Vec::new()),
    }
}

/// Returns the writes of a key that moves in. They are loaded with the next question.
fn arrive(home: Home, luggage: Luggage) -> Vec<KeyWrite> {
    let Luggage { record, tables } = luggage;
    let record = KeyRecord { moves: home.number, location: home.location, ..record };
    vec![KeyWrite::Record(Box::new(record)), KeyWrite::Tables(tables)]
}

/// Answers for a key that has moved out.
fn moved_out(command: Command, moved: Moved, stored: &mut Stored) -> (Reply, Vec<KeyWrite>) {
    match command {
        // Where it moved on to, it has arrived before.
        Command::Left { home } if home.number >= moved.moved_to.number => {
            let moved = Moved { moved_to: home, luggage: None };
            *stored = Stored::Moved(Box::new(moved.clone()));
            (Reply::Moved(moved.clone()), vec![KeyWrite::MovedOut(Box::new(moved))])
        }
        Command::Forget if moved.luggage.is_none() => {
            *stored = Stored::Nothing;
            (Reply::Deleted, vec![KeyWrite::Delete])
        }
        _ => (Reply::Moved(moved), Vec::new()),
    }
}

fn create(stored: &mut Stored, record: KeyRecord) -> (Reply, Vec<KeyWrite>) {
    let key = Key::new(record);
    let reply = key.view();
    let change = KeyWrite::Record(Box::new(key.record.clone()));
    *stored = Stored::Key(Box::new(key));
    (reply, vec![change])
}

impl Key {
    /// Creates an unused key.
    pub fn new(record: KeyRecord) -> Self {
        let requests = Ledger::default();
        let exchanges = Exchanges::default();
        Self { record, requests, exchanges, closed: Vec::new(), unreadable: 0, untold: 0, alarm_ms: None }
    }

    /// Writes what was really used of a reserve, when the alarm comes.
    pub fn wake(&mut self, now_ms: u64) -> Vec<KeyWrite> {
        self.alarm_ms = None;
        let row = self.requests.wake(Some(&self.record.limits()), now_ms);
        self.row_and_alarm(row)
    }

    /// Writes what storage does not cover.
    fn take_unsaved(&mut self) -> Vec<KeyWrite> {
        let row = self.requests.take_unsaved(&self.record.limits());
        if row.is_some() { self.row_and_alarm(row) } else { Vec::new() }
    }

    /// Writes the row, and sets the alarm of its reserve, unless one comes before: that one sets it anew.
    fn row_and_alarm(&mut self, row: Option<Saved>) -> Vec<KeyWrite> {
        let alarm_ms = self.requests.alarm_ms().filter(|_| self.alarm_ms.is_none());
        self.alarm_ms = self.alarm_ms.or(alarm_ms);
        let row = row.map(|row| KeyWrite::Requests(Box::new(row)));
        row.into_iter().chain(alarm_ms.map(KeyWrite::Alarm)).collect()
    }

    /// Writes all that is counted, and what was really used in place of a reserve: nothing else goes along with a key that moves.
    pub fn pack(&mut self, now_ms: u64) -> Vec<KeyWrite> {
        let requests = KeyWrite::Requests(Box::new(self.requests.end_reserve(now_ms)));
        let exchanges = KeyWrite::Exchanges(Box::new(self.exchanges.to_saved()));
        self.closed.iter().copied().map(KeyWrite::Closed).chain([exchanges, requests]).collect()
    }

    /// Adds units to a month that is over, or takes them from it. Returns the month.
    fn note_earlier(&mut self, (month, units): Earlier) -> Closed {
        let known = self.closed.iter().position(|closed| closed.month == month);
        let place = known.unwrap_or_else(|| {
            self.closed.push(Closed { month, used: 0, billing: None });
            self.closed.len() - 1
        });
        let closed = &mut self.closed[place];
        closed.used = closed.used.saturating_add_signed(units);
        *closed
    }

    /// Returns what the object knows of the key once it has moved out.
    fn move_to(&self, location: Location, tables: Vec<Table>) -> Moved {
        let moved_to = Home { number: self.record.moves + 1, location: Some(location) };
        Moved { moved_to, luggage: Some(Box::new(Luggage { record: self.record.clone(), tables })) }
    }

    fn charge(
        &mut self,
        cost: u32,
        caller: &Caller,
        question: Option<&IsolateQuestion>,
        now_ms: u64,
        writes: &mut Vec<KeyWrite>,
    ) -> Reply {
        let limits = self.record.limits();
        let KeyRecord { enabled, restrictions, client_id, .. } = &self.record;
        // A question for a lease may come from no request. The isolate checks where those come from that use it.
        let is_admitted = match question {
            Some(_) if cost == 0 => authorise(*enabled, &Restrictions::default(), caller),
            _ => authorise(*enabled, restrictions, caller),
        };
        if let Err(refusal) = is_admitted {
            let standing = self.requests.look(&limits, now_ms);
            return self.refuse(refusal, standing, now_ms);
        }
        let client_id = client_id.clone();
        if cost == 0 {
            let lease = self.lease(question, now_ms);
            let terms = self.terms(lease, now_ms);
            return Reply::Admitted { client_id, standing: terms.allowance.standing, terms: Some(Box::new(terms)) };
        }
        writes.extend(self.close(now_ms));
        let (charged, standing) = self.requests.charge(&limits, cost, now_ms);
        if let Err(refusal) = charged {
            return self.refuse(refusal, standing, now_ms);
        }
        if let Some(question) = question {
            self.requests.name(question.id, cost);
        }
        let lease = self.lease(question, now_ms);
        // Who learns of a lease learns what it may be used for, and who takes the last unit that none is left.
        let is_spent = self.requests.is_spent(&limits);
        let terms = (lease.is_some() || is_spent).then(|| self.terms(lease, now_ms));
        Reply::Admitted { client_id, standing, terms: terms.map(Box::new) }
    }

    fn refuse(&mut self, refusal: Refusal, standing: Standing, now_ms: u64) -> Reply {
        let is_large = self.is_large();
        let lease = is_large.then(|| Lease { is_crowded: self.requests.is_crowded(now_ms), ..Lease::NONE });
        let mut terms = self.terms(lease, now_ms);
        if let Some(Lease { is_crowded, .. }) = lease {
            terms.allowance = terms.allowance.with_pace(is_crowded);
        }
        Reply::Refused { refusal, standing, terms: Some(Box::new(terms)) }
    }

    /// Tells whether isolates may lease what they need of the key.
    fn is_large(&self) -> bool {
        granted::is_large(self.record.plan, &self.record.limits())
    }

    fn terms(&mut self, lease: Option<Lease>, now_ms: u64) -> KeyTerms {
        let KeyRecord { enabled, restrictions, .. } = &self.record;
        let allowance = self.requests.allowance(&self.record.limits(), now_ms);
        let lost = std::mem::take(&mut self.untold);
        KeyTerms { enabled: *enabled, restrictions: restrictions.clone(), allowance, lease, lost }
    }

    /// Leases what was asked for. Of a large key the isolate learns that it may ask, also if it gets nothing.
    fn lease(&mut self, question: Option<&IsolateQuestion>, now_ms: u64) -> Option<Lease> {
        let is_large = self.is_large();
        let limits = self.record.limits();
        let lease = question.map_or(Lease::NONE, |&IsolateQuestion { id, seen, types, .. }| {
            let seen = if is_large { seen } else { 0 };
            self.requests.lease(&limits, &IsolateQuestion { id, seen, types, ..IsolateQuestion::default() }, now_ms)
        });
        if !is_large {
            return (lease.units > 0).then_some(Lease { is_for_typing: true, ..lease });
        }
        let is_crowded = self.requests.is_crowded(now_ms);
        // What a few units are for ends with a word, also of a large key: nobody asks for the next ones before.
        let is_for_typing = lease.units > 0 && question.is_some_and(|question| !granted::is_demand(question.seen));
        Some(Lease { is_crowded, is_for_typing, ..lease })
    }

    /// Takes reports of leases and charges that are given back, and drops leases that left the minute without a report.
    fn settle(&mut self, question: Option<&IsolateQuestion>, now_ms: u64) -> Vec<KeyWrite> {
        self.untold += self.requests.lapse(now_ms);
        let Some(IsolateQuestion { reports, back, .. }) = question.filter(|question| question.has_news()) else {
            return Vec::new();
        };
        let mut writes = self.close(now_ms);
        let mut earlier: Vec<Earlier> =
            reports.iter().filter_map(|report| self.requests.settle(*report, now_ms)).collect();
        earlier.extend(back.iter().filter_map(|id| self.requests.give_back(*id, now_ms)));
        writes.extend(earlier.into_iter().map(|earlier| KeyWrite::Closed(self.note_earlier(earlier))));
        writes
    }

    /// Decides about an exchange. Every exchange counts, with a wrong secret for the network it came from. Only callers who know
    /// the secret learn whether the key is disabled or restricted.
    fn exchange(&mut self, proof: &Proof, caller: &Caller, now_ms: u64) -> (Reply, Vec<KeyWrite>) {
        let is_right = self.record.secret.matches(proof);
        let source = source(&network_of(caller.ip), &self.record.secret);
        let (counted, standing) = self.exchanges.count(source, is_right, now_ms);
        let admitted = match counted {
            Err(retry_after) => Err(Refusal::Rate { retry_after }),
            Ok(_) if !is_right => Err(Refusal::Secret),
            Ok(_) if !self.record.enabled => Err(Refusal::Disabled),
            Ok(_) => self.record.restrictions.check_exchange(caller),
        };
        let reply = match admitted {
            Ok(()) => Reply::Admitted { client_id: self.record.client_id.clone(), standing, terms: None },
            Err(refusal) => Reply::Refused { refusal, standing, terms: None },
        };
        let change = counted.is_ok().then(|| KeyWrite::Exchanges(Box::new(self.exchanges.to_saved())));
        (reply, change.into_iter().collect())
    }

    fn update(&mut self, patch: Patch, now_ms: u64) -> (Reply, Vec<KeyWrite>) {
        let mut writes = self.close(now_ms);
        self.record.apply(patch);
        writes.push(KeyWrite::Record(Box::new(self.record.clone())));
        (self.view(), writes)
    }

    /// Stores the billing terms of past months. The current terms are those at their end, because every change starts
    /// with this step.
    fn close(&mut self, now_ms: u64) -> Vec<KeyWrite> {
        let before = self.closed.clone();
        if let Some((month, used)) = self.requests.finished_month(now_ms) {
            note(&mut self.closed, month, used);
        }
        let billing = self.record.billing();
        for closed in &mut self.closed {
            closed.billing.get_or_insert(billing);
        }
        let changed = self.closed.iter().filter(|closed| !before.contains(closed));
        changed.copied().map(KeyWrite::Closed).collect()
    }

    fn view(&self) -> Reply {
        let record = &self.record;
        let limits = self.record.limits();
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
            location: record.location,
            usage: self.usage(),
            unreadable: self.unreadable,
        }))
    }

    fn usage(&self) -> Vec<MonthUsage> {
        let present = self.record.billing();
        let mut months = self.closed.clone();
        let (latest, used) = self.requests.month();
        if used > 0 {
            note(&mut months, latest, used);
        }
        let lost = self.requests.lost();
        lost.keys().for_each(|month| note(&mut months, *month, 0));
        months.sort_by_key(|closed| closed.month);
        let mut usage = Vec::new();
        for Closed { month, used, billing } in months.into_iter().rev() {
            let billing = billing.unwrap_or(present);
            let lost = lost.get(&month).copied().unwrap_or(0);
            let overage = billing.overage(used);
            usage.push(MonthUsage { month: month.name(), used, lost, overage, billing: Some(billing) });
        }
        usage
    }
}

/// Records the usage of the latest month. A month that was closed early by a fast clock may have been used since.
fn note(months: &mut Vec<Closed>, month: Month, used: u64) {
    match months.iter_mut().find(|known| known.month == month) {
        Some(known) => known.used = known.used.max(used),
        None => months.push(Closed { month, used, billing: None }),
    }
}

/// Returns a number for a network. It depends on the hash of the key's secret, so that addresses cannot be read from storage.
fn source(network: &str, secret: &SecretHash) -> Source {
    let digest = Sha256::new().chain_update(&secret.hash).chain_update([0]).chain_update(network).finalize();
    // Six bytes, because JavaScript has no exact whole numbers above 2^53.
    Source(digest[..6].iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meter::plan::{Overrides, Plan};

    /// 2026-11-20T12:00:00Z.
    const NOON: u64 = 1_795_176_000_000;

    fn record() -> KeyRecord {
        KeyRecord {
            client_id: "app_x".into(),
            account: "a".into(),
            name: "n".into(),
            plan: Plan::Growth,
            overrides: Overrides::default(),
            enabled: true,
            restrictions: Restrictions::default(),
            secret: SecretHash { pepper: "p".into(), hash: "h".into() },
            created_ms: NOON,
            location: None,
            moves: 0,
        }
    }

    #[test]
    fn nobody_creates_changes_or_deletes_a_demo_key() {
        for key in [demo::DEMO_KEY, demo::FREE_KEY] {
            check_demo(key, Command::Create(Box::new(record())), Reply::Exists);
            check_demo(key, Command::Change(Box::default()), Reply::UnknownKey);
            check_demo(key, Command::Delete, Reply::UnknownKey);
        }
        check_demo("gck_x", Command::Delete, Reply::UnknownKey);
    }

    fn check_demo(key: &str, command: Command, expect: Reply) {
        let mut stored = Stored::Nothing;
        assert_eq!(decide(&mut stored, Envelope::new(key, command, NOON), NOON), (expect, Vec::new()), "{key}");
        assert_eq!(stored, Stored::Nothing, "{key}");
    }

    #[test]
    fn a_question_is_late_after_its_moment() {
        check_late(0, Reply::UnknownKey);
        check_late(1, Reply::Late);
    }

    fn check_late(behind_ms: u64, expect: Reply) {
        let envelope = Envelope::new("gck_x", Command::Show, NOON);
        let now_ms = envelope.not_after_ms + behind_ms;
        assert_eq!(decide(&mut Stored::Nothing, envelope, now_ms).0, expect, "{behind_ms}");
    }

    #[test]
    fn a_key_that_nobody_used_has_no_months() {
        assert_eq!(Key::new(record()).usage(), []);
    }

    #[test]
    fn every_network_has_a_number_of_its_own() {
        let numbers = |hash| (0..1_000).map(move |at| source(&format!("2001:db8:{at:x}::/48"), &secret(hash)));
        let all: std::collections::BTreeSet<Source> = numbers("h").chain(numbers("i")).collect();
        assert_eq!(all.len(), 2_000);
        assert!(all.iter().all(|source| source.0 < 1 << 48) && all.iter().any(|source| source.0 > 1 << 40));
    }

    fn secret(hash: &str) -> SecretHash {
        SecretHash { pepper: "p".into(), hash: hash.into() }
    }
}
