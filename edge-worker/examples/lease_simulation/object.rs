//! The object of a key: the decisions of the service, with what the platform stores, wakes and bills.

use toponym_edge::auth::credentials::SecretHash;
use toponym_edge::auth::restriction::Restrictions;
use toponym_edge::durable::key::{Key, KeyWrite, Stored, decide};
use toponym_edge::durable::message::{Command, Envelope, Reply};
use toponym_edge::durable::record::KeyRecord;
use toponym_edge::meter::ledger::{Ledger, Saved};
use toponym_edge::meter::plan::{Overrides, Plan};

/// The key.
pub const KEY: &str = "gck_simulated";

/// Time after its last call after which the platform ends an object, milliseconds.
const SLEEP_MS: u64 = 10_000;

/// The object of [`KEY`].
pub struct Object {
    record: KeyRecord,
    /// The loaded key, unless the object has ended.
    key: Option<Stored>,
    saved: Saved,
    alarm_ms: Option<u64>,
    /// When it was called last.
    called_ms: u64,
    /// Calls so far, those of alarms too.
    pub calls: u64,
    /// Rows written and alarms set so far.
    pub written: u64,
    /// Units of all reserves at the crashes so far.
    pub marks: u64,
}

impl Object {
    /// Creates the object of a key that nobody used.
    pub fn new(plan: Plan, per_minute: u32) -> Self {
        let record = KeyRecord {
            client_id: "app_simulated".to_owned(),
            account: "account".to_owned(),
            name: "name".to_owned(),
            plan,
            overrides: Overrides { per_minute: Some(per_minute), per_month: None },
            enabled: true,
            restrictions: Restrictions::default(),
            secret: SecretHash { pepper: "p".to_owned(), hash: "h".to_owned() },
            created_ms: 0,
            location: None,
            moves: 0,
        };
        let saved = Saved::default();
        Self { record, key: None, saved, alarm_ms: None, called_ms: 0, calls: 0, written: 0, marks: 0 }
    }

    /// Answers a command that is to be done by `not_after_ms`.
    pub fn reply(&mut self, command: Command, not_after_ms: u64, now_ms: u64) -> Reply {
        self.count_call(now_ms);
        let record = &self.record;
        let saved = &self.saved;
        let key = self.key.get_or_insert_with(|| {
            let requests = Ledger::restore(saved.clone());
            Stored::Key(Box::new(Key { requests, ..Key::new(record.clone()) }))
        });
        let (reply, writes) = decide(key, Envelope { key: KEY.to_owned(), not_after_ms, command }, now_ms);
        self.store(&writes);
        reply
    }

    /// Lets the alarm come if it is set for `now_ms`, as src/durable/object.rs does.
    pub fn alarm(&mut self, now_ms: u64) {
        if self.alarm_ms.take_if(|alarm_ms| *alarm_ms == now_ms).is_none() {
            return;
        }
        self.count_call(now_ms);
        let writes = match &mut self.key {
            Some(Stored::Key(key)) => key.wake(now_ms),
            _ => {
                let row = Ledger::restore(self.saved.clone()).wake(None, now_ms);
                row.map(|row| KeyWrite::Requests(Box::new(row))).into_iter().collect()
            }
        };
        self.store(&writes);
    }

    /// Returns when the alarm comes, if one is set.
    pub fn alarm_ms(&self) -> Option<u64> {
        self.alarm_ms
    }

    /// Ends the object without a word.
    pub fn crash(&mut self) {
        self.marks += u64::from(self.saved.reserve);
        self.key = None;
    }

    /// Returns the units that are billed, and those that are shown as lost, once all leases have left the minute.
    pub fn bill(&mut self, now_ms: u64) -> (u64, u64) {
        self.reply(Command::Show, now_ms, now_ms);
        let Some(Stored::Key(key)) = &self.key else { return (0, 0) };
        (key.requests.month().1, key.requests.lost().values().sum())
    }

    fn count_call(&mut self, now_ms: u64) {
        self.calls += 1;
        if now_ms >= self.called_ms + SLEEP_MS {
            self.key = None;
        }
        self.called_ms = now_ms;
    }

    fn store(&mut self, writes: &[KeyWrite]) {
        self.written += writes.len() as u64;
        for write in writes {
            match write {
                KeyWrite::Requests(row) => self.saved = Saved::clone(row),
                KeyWrite::Alarm(at_ms) => self.alarm_ms = Some(*at_ms),
                _ => {}
            }
        }
    }
}
