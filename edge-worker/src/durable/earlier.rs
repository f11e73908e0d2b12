//! The storage of a key by earlier versions: a log with a row for each slot of requests and of exchanges, and rows of leases. It
//! is read once and moved into the rows of today. A version that was rolled back to begins a new log: that one is moved too.

use serde::Deserialize;
use worker::{Result, SqlStorage};

use super::key::Key;
use super::rows::Unreadable;
use super::sql::{number, rows};
use crate::meter::exchanges::Source;
use crate::meter::lease::granted::GrantedLease;
use crate::meter::month::Month;
use crate::meter::window::Slot;

/// The table by which such storage is known.
pub(super) const LOG: &str = "entries";

/// Tables that the first of these versions had not yet.
const ADDED: &str = "
    CREATE TABLE IF NOT EXISTS misses (slot INTEGER, source INTEGER, units INTEGER);
    CREATE TABLE IF NOT EXISTS leases (id INTEGER, ends_ms INTEGER, units INTEGER, month INTEGER);
    CREATE TABLE IF NOT EXISTS lost (month INTEGER, units INTEGER);
";

/// Removes what was moved.
pub(super) const REMOVE: &str = "DROP TABLE entries; DROP TABLE misses; DROP TABLE leases; DROP TABLE lost";

/// Numbers of the two logs: requests, and exchanges with the right secret.
const REQUESTS: u64 = 0;
const EXCHANGES: u64 = 1;

#[derive(Deserialize)]
struct Column {
    name: String,
}

#[derive(Deserialize)]
struct Entry {
    slot: u64,
    units: u32,
    month: u32,
    month_used: u64,
}

#[derive(Deserialize)]
struct Miss {
    slot: u64,
    source: u64,
    units: u32,
}

#[derive(Deserialize)]
struct Lost {
    month: u32,
    units: u64,
}

/// Adds the tables and the column that the first versions had not yet.
pub(super) fn complete(sql: &SqlStorage) -> Result<()> {
    sql.exec(ADDED, None)?;
    let columns = sql.exec("PRAGMA table_info(months)", None)?.to_array::<Column>()?;
    if columns.iter().all(|column| column.name != "billing") {
        sql.exec("ALTER TABLE months ADD COLUMN billing TEXT", None)?;
    }
    Ok(())
}

/// Adds the log to `key`, which has the months that are over.
pub(super) fn add(sql: &SqlStorage, key: &mut Key, unreadable: &mut Unreadable) -> Result<()> {
    let slot = |entry: &Entry| Slot { at: entry.slot, units: entry.units };
    let requests = entries(sql, REQUESTS, unreadable)?;
    let latest = requests.last().map_or_else(Default::default, |last| (Month(last.month), last.month_used));
    let grants: Vec<GrantedLease> =
        rows(sql, "leases", "SELECT id, ends_ms, units, month FROM leases", Vec::new(), unreadable)?;
    let lost: Vec<Lost> = rows(sql, "lost", "SELECT month, units FROM lost", Vec::new(), unreadable)?;
    let lost = lost.into_iter().map(|Lost { month, units }| (Month(month), units));
    if let Some(earlier) = key.requests.add_log(requests.iter().map(slot), latest, grants, lost) {
        key.note_earlier(earlier);
    }
    let misses: Vec<Miss> = rows(sql, "misses", "SELECT slot, source, units FROM misses", Vec::new(), unreadable)?;
    let wrong = misses.into_iter().map(|Miss { slot, source, units }| (slot, Source(source), units));
    key.exchanges.add_log(entries(sql, EXCHANGES, unreadable)?.iter().map(slot), wrong);
    Ok(())
}

fn entries(sql: &SqlStorage, meter: u64, unreadable: &mut Unreadable) -> Result<Vec<Entry>> {
    let query = "SELECT slot, units, month, month_used FROM entries WHERE meter = ? ORDER BY slot";
    rows(sql, "entries", query, vec![number(meter)], unreadable)
}
