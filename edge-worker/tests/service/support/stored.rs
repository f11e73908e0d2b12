//! The rows that the object of a key stores in memory: JSON, as on the platform.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;
use toponym_edge::durable::billing::Closed;
use toponym_edge::durable::home::StoredRecord;
use toponym_edge::durable::key::KeyWrite;
use toponym_edge::meter::ledger::Saved;
use toponym_edge::meter::month::Month;

/// Storage of an object: JSON, as on the platform.
#[derive(Clone, Default, PartialEq)]
pub struct Stored {
    pub record: Option<String>,
    pub(super) requests: Option<String>,
    pub(super) exchanges: Option<String>,
    pub(super) months: BTreeMap<Month, Closed>,
    pub(super) alarm_ms: Option<u64>,
    /// Number of rows that were written so far, and of alarms that were set.
    pub written: u32,
}

impl Stored {
    /// Tells whether requests or exchanges are counted.
    pub fn has_counts(&self) -> bool {
        self.requests.is_some() || self.exchanges.is_some()
    }

    /// Tells whether an alarm will come.
    pub fn has_alarm(&self) -> bool {
        self.alarm_ms.is_some()
    }

    /// Tells whether a record is stored.
    pub fn has_record(&self) -> bool {
        self.record.is_some()
    }

    /// Returns the stored row of the requests.
    pub fn to_saved(&self) -> Option<Saved> {
        read(self.requests.as_deref())
    }

    /// Makes the months those of a version that stored no terms with them.
    pub fn forget_billing(&mut self) {
        self.months.values_mut().for_each(|closed| closed.billing = None);
    }

    /// Keeps `record` of all that is stored. An alarm that was set comes nevertheless.
    fn leave(&mut self, record: Option<String>) {
        *self = Self { record, written: self.written, alarm_ms: self.alarm_ms, ..Self::default() };
    }

    pub(super) fn apply(&mut self, change: &KeyWrite) {
        self.written += 1;
        match change {
            KeyWrite::Record(record) => self.record = row(record),
            KeyWrite::Requests(requests) => self.requests = row(requests),
            KeyWrite::Exchanges(exchanges) => self.exchanges = row(exchanges),
            KeyWrite::Closed(closed) => drop(self.months.insert(closed.month, *closed)),
            KeyWrite::Alarm(alarm_ms) => self.alarm_ms = Some(*alarm_ms),
            KeyWrite::MovedOut(moved) => self.leave(row(moved)),
            KeyWrite::Deleted => self.leave(row(&StoredRecord::Deleted { deleted: true })),
            KeyWrite::Tables(_) => unreachable!("the platform unpacks them"),
            KeyWrite::Delete => *self = Self::default(),
        }
    }
}

pub(super) fn read<T: DeserializeOwned>(json: Option<&str>) -> Option<T> {
    json.map(|json| serde_json::from_str(json).expect("a row survives its JSON form"))
}

fn row(value: &impl Serialize) -> Option<String> {
    Some(serde_json::to_string(value).expect("a row is JSON"))
}
