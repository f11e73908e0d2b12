//! The storage half of a key's object: SQLite on the platform, written through before the reply.
//!
//! The log holds one row per slot of 100 ms in which something was charged. Rows that no longer count are deleted before
//! the log is read, and every [`PURGE_EVERY`] changes: most lives of an object end after a few requests. Tables are made when a key is created or, for a demo key, first used: a guessed key stores
//! nothing.

use std::cell::Cell;
use std::panic::AssertUnwindSafe;

use serde::Deserialize;
use worker::wasm_bindgen::JsValue;
use worker::wasm_bindgen::prelude::wasm_bindgen;
use worker::worker_sys::DurableObjectState;
use worker::{Env, Result, SqlStorage, SqlStorageValue, State, Storage, wasm_bindgen};

use super::billing::Closed;
use super::demo;
use super::key::{Change, Key, Meter, answer};
use super::message::{Envelope, Reply};
use super::record::KeyRecord;
use crate::crossing;
use crate::entry::{isolate_config, now_ms};
use crate::meter::exchanges::{Exchanges, Miss, Source};
use crate::meter::ledger::{Entry, Ledger, first_kept_slot};
use crate::meter::month::Month;

/// Changes between two deletions of rows that no longer count.
const PURGE_EVERY: usize = 64;

const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS record (id INTEGER PRIMARY KEY CHECK (id = 1), json TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS entries (
        meter INTEGER NOT NULL, slot INTEGER NOT NULL, units INTEGER NOT NULL,
        month INTEGER NOT NULL, month_used INTEGER NOT NULL, PRIMARY KEY (meter, slot)
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS misses (
        slot INTEGER NOT NULL, source INTEGER NOT NULL, units INTEGER NOT NULL, PRIMARY KEY (slot, source)
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS months (month INTEGER PRIMARY KEY, used INTEGER NOT NULL, billing TEXT);
";

/// Columns that were added later: table, column, its type.
const ADDED_COLUMNS: [(&str, &str, &str); 1] = [("months", "billing", "TEXT")];

/// The object of one API key.
#[wasm_bindgen]
pub struct ApiKey {
    state: AssertUnwindSafe<State>,
    env: AssertUnwindSafe<Env>,
    /// What storage holds. It is taken out for the time of a question: one that fails midway leaves nothing behind, and
    /// the next loads anew.
    loaded: AssertUnwindSafe<Cell<Option<Loaded>>>,
}

struct Loaded {
    key: Option<Key>,
    /// Changes since rows were deleted.
    changes: usize,
}

#[wasm_bindgen]
impl ApiKey {
    /// An object that has loaded nothing yet.
    #[wasm_bindgen(constructor)]
    pub fn new(state: DurableObjectState, env: Env) -> Self {
        let loaded = AssertUnwindSafe(Cell::new(None));
        Self { state: AssertUnwindSafe(State::from(state)), env: AssertUnwindSafe(env), loaded }
    }

    /// The reply to a question, both JSON.
    pub fn answer(&self, question: &str) -> std::result::Result<String, JsValue> {
        crossing::reply(question, |envelope| self.reply(envelope))
    }
}

impl ApiKey {
    /// Load, decide, store; no other question of this key comes in between, because nothing here awaits.
    fn reply(&self, envelope: Envelope) -> Result<Reply> {
        let storage = self.state.storage();
        let sql = storage.sql();
        let mut loaded = match self.loaded.take() {
            Some(loaded) => loaded,
            None => self.load(&sql, &envelope.key)?,
        };
        let now_ms = now_ms();
        let (reply, changes) = answer(&mut loaded.key, envelope, now_ms);
        for change in &changes {
            store(&storage, &sql, change)?;
        }
        loaded.changes += changes.len();
        if loaded.key.is_some() && loaded.changes >= PURGE_EVERY {
            delete_before(&sql, first_kept_slot(now_ms))?;
            loaded.changes = 0;
        }
        self.loaded.set(loaded.key.is_some().then_some(loaded));
        Ok(reply)
    }

    fn load(&self, sql: &SqlStorage, key: &str) -> Result<Loaded> {
        let stored = has_tables(sql)?;
        let record = if stored { stored_record(sql)? } else { None };
        let config = isolate_config(&self.env);
        let record = demo::record_of(key, record, config.as_ref().as_ref().ok());
        let Some(record) = record else { return Ok(Loaded { key: None, changes: 0 }) };
        sql.exec(TABLES, None)?;
        add_columns(sql)?;
        delete_before(sql, first_kept_slot(now_ms()))?;
        let mut key = Key::new(record);
        key.requests = Ledger::restore(entries(sql, Meter::Requests)?);
        key.exchanges = Exchanges::restore(entries(sql, Meter::Exchanges)?, misses(sql)?);
        key.closed = months(sql)?;
        Ok(Loaded { key: Some(key), changes: 0 })
    }
}

/// Deletes the rows of slots before `slot`, except the newest of each log.
fn delete_before(sql: &SqlStorage, slot: u64) -> Result<()> {
    for meter in Meter::ALL {
        let bindings = vec![number(meter as u64), number(slot)];
        sql.exec(
            "DELETE FROM entries WHERE meter = ?1 AND slot < min(?2, (SELECT max(slot) FROM entries WHERE meter = ?1))",
            bindings,
        )?;
    }
    sql.exec("DELETE FROM misses WHERE slot < ?", vec![number(slot)]).map(drop)
}

fn store(storage: &Storage, sql: &SqlStorage, change: &Change) -> Result<()> {
    match change {
        Change::Record(record) => {
            sql.exec(TABLES, None)?;
            let bindings = vec![serde_json::to_string(record)?.into()];
            sql.exec("INSERT OR REPLACE INTO record (id, json) VALUES (1, ?)", bindings)?;
        }
        Change::Entry(meter, Entry { slot, units, month, month_used }) => {
            let row = [*meter as u64, *slot, u64::from(*units), u64::from(month.0), *month_used];
            let bindings = row.map(number).to_vec();
            sql.exec(
                "INSERT OR REPLACE INTO entries (meter, slot, units, month, month_used) VALUES (?, ?, ?, ?, ?)",
                bindings,
            )?;
        }
        Change::Miss(Miss { slot, source, units }) => {
            let bindings = [*slot, source.0, u64::from(*units)].map(number).to_vec();
            sql.exec("INSERT OR REPLACE INTO misses (slot, source, units) VALUES (?, ?, ?)", bindings)?;
        }
        Change::Closed(Closed { month, used, billing }) => {
            let billing = billing.map(|billing| serde_json::to_string(&billing)).transpose()?;
            let bindings = vec![number(u64::from(month.0)), number(*used), billing.into()];
            sql.exec("INSERT OR REPLACE INTO months (month, used, billing) VALUES (?, ?, ?)", bindings)?;
        }
        // Storage is empty at once; the platform holds the reply back until that is durable.
        Change::Delete => drop(storage.as_raw().delete_all()?),
    }
    Ok(())
}

#[derive(Deserialize)]
struct Count {
    n: u32,
}

#[derive(Deserialize)]
struct Column {
    name: String,
}

#[derive(Deserialize)]
struct Json {
    json: String,
}

#[derive(Deserialize)]
struct EntryRow {
    slot: u64,
    units: u32,
    month: u32,
    month_used: u64,
}

#[derive(Deserialize)]
struct MissRow {
    slot: u64,
    source: u64,
    units: u32,
}

#[derive(Deserialize)]
struct MonthRow {
    month: u32,
    used: u64,
    billing: Option<String>,
}

fn has_tables(sql: &SqlStorage) -> Result<bool> {
    let found = sql.exec("SELECT count(*) AS n FROM sqlite_master WHERE name = 'entries'", None)?;
    Ok(found.to_array::<Count>()?.iter().any(|count| count.n > 0))
}

fn stored_record(sql: &SqlStorage) -> Result<Option<KeyRecord>> {
    let rows = sql.exec("SELECT json FROM record", None)?.to_array::<Json>()?;
    rows.first().map(|row| Ok(serde_json::from_str(&row.json)?)).transpose()
}

fn entries(sql: &SqlStorage, meter: Meter) -> Result<Vec<Entry>> {
    let query = "SELECT slot, units, month, month_used FROM entries WHERE meter = ? ORDER BY slot";
    let rows = sql.exec(query, vec![number(meter as u64)])?.to_array::<EntryRow>()?;
    let entry = |EntryRow { slot, units, month, month_used }| Entry { slot, units, month: Month(month), month_used };
    Ok(rows.into_iter().map(entry).collect())
}

fn misses(sql: &SqlStorage) -> Result<Vec<Miss>> {
    let rows = sql.exec("SELECT slot, source, units FROM misses ORDER BY slot", None)?.to_array::<MissRow>()?;
    let miss = |MissRow { slot, source, units }| Miss { slot, source: Source(source), units };
    Ok(rows.into_iter().map(miss).collect())
}

fn months(sql: &SqlStorage) -> Result<Vec<Closed>> {
    let rows = sql.exec("SELECT month, used, billing FROM months ORDER BY month", None)?.to_array::<MonthRow>()?;
    let closed = |MonthRow { month, used, billing }| {
        let billing = billing.map(|json| serde_json::from_str(&json)).transpose()?;
        Ok(Closed { month: Month(month), used, billing })
    };
    rows.into_iter().map(closed).collect()
}

fn add_columns(sql: &SqlStorage) -> Result<()> {
    for (table, column, kind) in ADDED_COLUMNS {
        let known = sql.exec(&format!("PRAGMA table_info({table})"), None)?.to_array::<Column>()?;
        if known.iter().all(|known| known.name != column) {
            sql.exec(&format!("ALTER TABLE {table} ADD COLUMN {column} {kind}"), None)?;
        }
    }
    Ok(())
}

/// Every number that is stored stays far below 2^53: slots are tenths of a second, the rest are counts of requests.
pub(crate) fn number(value: u64) -> SqlStorageValue {
    SqlStorageValue::Integer(i64::try_from(value).unwrap_or(i64::MAX))
}
