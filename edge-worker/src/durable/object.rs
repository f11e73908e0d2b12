//! Storage of a key's object: SQLite on the platform, written before the reply.
//!
//! The log holds one row per slot of 100 ms in which something was charged. Rows that no longer count are deleted before
//! the log is read, and every [`PURGE_EVERY`] changes: most lives of an object end after a few requests. Tables are made
//! when a key is created or, for a demo key, first used: a guessed key stores nothing.

use std::cell::Cell;
use std::panic::AssertUnwindSafe;

use serde::Deserialize;
use worker::wasm_bindgen::JsValue;
use worker::wasm_bindgen::prelude::wasm_bindgen;
use worker::worker_sys::DurableObjectState;
use worker::{Env, Result, SqlStorage, State, Storage, console_error, wasm_bindgen};

use super::billing::Closed;
use super::home::{StoredRecord, Table};
use super::key::{Key, KeyWrite, Meter, Stored, decide};
use super::message::{Command, Envelope, Reply};
use super::rows::Unreadable;
use super::sql::{log, number, rows};
use super::{asked, demo, tables};
use crate::isolate::{self, now_ms};
use crate::meter::exchanges::{Exchanges, Miss, Source};
use crate::meter::lease::grant::Grant;
use crate::meter::ledger::{Entry, Ledger, first_kept_slot};
use crate::meter::month::Month;

/// Number of changes between deletions of expired rows.
const PURGE_EVERY: usize = 64;

/// The object of one API key.
#[wasm_bindgen]
pub struct ApiKey {
    state: AssertUnwindSafe<State>,
    env: AssertUnwindSafe<Env>,
    /// The loaded state. It is taken out during a request, so that a failure discards it and the next request reloads.
    loaded: AssertUnwindSafe<Cell<Option<Loaded>>>,
}

struct Loaded {
    state: Stored,
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

    /// The reply to an [`Envelope`], both JSON.
    pub fn answer(&self, request: &str) -> std::result::Result<String, JsValue> {
        asked::reply(request, |envelope| self.reply(envelope))
    }
}

impl ApiKey {
    /// Loads, decides and stores. Nothing here awaits, so no other request of this key can interleave.
    fn reply(&self, mut envelope: Envelope) -> Result<Reply> {
        #[cfg(feature = "faults")]
        crate::fault::strike("object");
        let storage = self.state.storage();
        let sql = storage.sql();
        let mut loaded = match self.loaded.take() {
            Some(loaded) => loaded,
            None => self.load(&sql, &envelope.key)?,
        };
        if let Command::Leave { tables, .. } = &mut envelope.command {
            *tables = packed(&sql)?;
        }
        let now_ms = now_ms();
        let (reply, changes) = decide(&mut loaded.state, envelope, now_ms);
        for change in &changes {
            store(&storage, &sql, change)?;
        }
        loaded.changes += changes.len();
        // A deleted key has no tables any more, and an unreadable one is loaded anew.
        if matches!(loaded.state, Stored::Key(_)) {
            if loaded.changes >= PURGE_EVERY {
                purge(&sql, now_ms);
                loaded.changes = 0;
            }
            self.loaded.set(Some(loaded));
        }
        Ok(reply)
    }

    fn load(&self, sql: &SqlStorage, key: &str) -> Result<Loaded> {
        let mut unreadable = Unreadable::default();
        let config = isolate::config(&self.env);
        let stored = match stored_record(sql)? {
            Err(unreadable) if !demo::is_demo(key) => {
                log(&unreadable);
                return Ok(Loaded { state: Stored::Unreadable, changes: 0 });
            }
            Ok(Some(StoredRecord::Moved(moved))) => {
                return Ok(Loaded { state: Stored::Moved(Box::new(moved)), changes: 0 });
            }
            Ok(Some(StoredRecord::Deleted { .. })) => return Ok(Loaded { state: Stored::Deleted, changes: 0 }),
            Ok(Some(StoredRecord::Key(record))) => Some(*record),
            Ok(None) | Err(_) => None,
        };
        let peppers = config.as_ref().as_ref().ok().filter(|config| config.demo).map(|config| &config.peppers);
        let record = demo::record_of(key, stored, peppers);
        let Some(record) = record else { return Ok(Loaded { state: Stored::Nothing, changes: 0 }) };
        sql.exec(tables::KEY, None)?;
        add_columns(sql)?;
        purge(sql, now_ms());
        let mut key = Key::new(record);
        let (grants, lost) = (leases(sql, &mut unreadable)?, lost(sql, &mut unreadable)?);
        key.requests = Ledger::restore(entries(sql, Meter::Requests, &mut unreadable)?).with_leases(grants, lost);
        key.exchanges =
            Exchanges::restore(entries(sql, Meter::Exchanges, &mut unreadable)?, misses(sql, &mut unreadable)?);
        key.closed = months(sql, &mut unreadable)?;
        key.unreadable = unreadable.total();
        log(&unreadable);
        Ok(Loaded { state: Stored::Key(Box::new(key)), changes: 0 })
    }
}

/// Deletes the rows that have expired at `now_ms`. If that fails they stay until the next time: the charge may be
/// stored already and must not fail.
fn purge(sql: &SqlStorage, now_ms: u64) {
    if let Err(error) = delete_before(sql, first_kept_slot(now_ms)) {
        console_error!("rows that no longer count stay: {error}");
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

fn store(storage: &Storage, sql: &SqlStorage, change: &KeyWrite) -> Result<()> {
    match change {
        KeyWrite::Record(record) => {
            sql.exec(tables::KEY, None)?;
            store_record(sql, serde_json::to_string(record)?)?;
        }
        KeyWrite::MovedOut(moved) => {
            store_record(sql, serde_json::to_string(moved)?)?;
            clear(sql)?;
        }
        KeyWrite::Tables(tables) => tables.iter().try_for_each(|table| unpack(sql, table))?,
        KeyWrite::Deleted => {
            store_record(sql, serde_json::to_string(&StoredRecord::Deleted { deleted: true })?)?;
            clear(sql)?;
        }
        KeyWrite::Entry(meter, Entry { slot, units, month, month_used }) => {
            let row = [*meter as u64, *slot, u64::from(*units), u64::from(month.0), *month_used];
            let bindings = row.map(number).to_vec();
            sql.exec(
                "INSERT OR REPLACE INTO entries (meter, slot, units, month, month_used) VALUES (?, ?, ?, ?, ?)",
                bindings,
            )?;
        }
        KeyWrite::Miss(Miss { slot, source, units }) => {
            let bindings = [*slot, source.0, u64::from(*units)].map(number).to_vec();
            sql.exec("INSERT OR REPLACE INTO misses (slot, source, units) VALUES (?, ?, ?)", bindings)?;
        }
        KeyWrite::Closed(Closed { month, used, billing }) => {
            let billing = billing.map(|billing| serde_json::to_string(&billing)).transpose()?;
            let bindings = vec![number(u64::from(month.0)), number(*used), billing.into()];
            sql.exec("INSERT OR REPLACE INTO months (month, used, billing) VALUES (?, ?, ?)", bindings)?;
        }
        KeyWrite::Lease(Grant { id, ends_ms, units, month }) => {
            let bindings = [*id, *ends_ms, u64::from(*units), u64::from(month.0)].map(number).to_vec();
            sql.exec("INSERT OR REPLACE INTO leases (id, ends_ms, units, month) VALUES (?, ?, ?, ?)", bindings)?;
        }
        KeyWrite::LeaseOver(id) => drop(sql.exec("DELETE FROM leases WHERE id = ?", vec![number(*id)])?),
        KeyWrite::Lost(month, units) => {
            let bindings = [u64::from(month.0), *units].map(number).to_vec();
            sql.exec("INSERT OR REPLACE INTO lost (month, units) VALUES (?, ?)", bindings)?;
        }
        // Storage is empty at once; the platform holds the reply back until that is durable.
        KeyWrite::Delete => drop(storage.as_raw().delete_all()?),
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
struct LeaseRow {
    id: u64,
    ends_ms: u64,
    units: u32,
    month: u32,
}

#[derive(Deserialize)]
struct LostRow {
    month: u32,
    units: u64,
}

#[derive(Deserialize)]
struct MonthRow {
    month: u32,
    used: u64,
    billing: Option<String>,
}

fn store_record(sql: &SqlStorage, json: String) -> Result<()> {
    sql.exec("INSERT OR REPLACE INTO record (id, json) VALUES (1, ?)", vec![json.into()]).map(drop)
}

/// Returns the names of all tables but that of the record. Those of the platform begin with an underscore.
fn other_tables(sql: &SqlStorage) -> Result<Vec<String>> {
    let query =
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_*' AND name NOT GLOB 'sqlite_*'
        AND name <> 'record'";
    Ok(sql.exec(query, None)?.to_array::<Column>()?.into_iter().map(|table| table.name).collect())
}

fn clear(sql: &SqlStorage) -> Result<()> {
    other_tables(sql)?.iter().try_for_each(|table| sql.exec(&format!("DELETE FROM {table}"), None).map(drop))
}

/// Copies all tables but that of the record; none if the key does not exist.
fn packed(sql: &SqlStorage) -> Result<Vec<Table>> {
    let pack = |name: String| {
        let columns = columns_of(sql, &name)?;
        let query = format!("SELECT json_group_array(json_array({})) AS json FROM {name}", columns.join(", "));
        let rows = sql.exec(&query, None)?.one::<Json>()?.json;
        Ok(Table { name, columns, rows })
    };
    other_tables(sql)?.into_iter().map(pack).collect()
}

fn unpack(sql: &SqlStorage, Table { name, columns, rows }: &Table) -> Result<()> {
    let values: Vec<String> = (0..columns.len()).map(|at| format!("json_extract(value, '$[{at}]')")).collect();
    let insert = format!(
        "INSERT OR REPLACE INTO {name} ({}) SELECT {} FROM json_each(?)",
        columns.join(", "),
        values.join(", ")
    );
    sql.exec(&insert, vec![rows.as_str().into()]).map(drop)
}

fn columns_of(sql: &SqlStorage, table: &str) -> Result<Vec<String>> {
    let known = sql.exec(&format!("PRAGMA table_info({table})"), None)?.to_array::<Column>()?;
    Ok(known.into_iter().map(|column| column.name).collect())
}

/// What stands in the place of the record, if anything, or the fact that it is unreadable.
fn stored_record(sql: &SqlStorage) -> Result<std::result::Result<Option<StoredRecord>, Unreadable>> {
    let has_tables = "SELECT count(*) AS n FROM sqlite_master WHERE name = 'record'";
    if sql.exec(has_tables, None)?.one::<Count>()?.n == 0 {
        return Ok(Ok(None));
    }
    let mut unreadable = Unreadable::default();
    let stored: Vec<Json> = rows(sql, "record", "SELECT json FROM record", Vec::new(), &mut unreadable)?;
    let record = unreadable.leave_out("record", stored.iter().map(|row| serde_json::from_str(&row.json))).pop();
    Ok(if unreadable.total() > 0 { Err(unreadable) } else { Ok(record) })
}

fn entries(sql: &SqlStorage, meter: Meter, unreadable: &mut Unreadable) -> Result<Vec<Entry>> {
    let query = "SELECT slot, units, month, month_used FROM entries WHERE meter = ? ORDER BY slot";
    let stored = rows(sql, "entries", query, vec![number(meter as u64)], unreadable)?;
    let entry = |EntryRow { slot, units, month, month_used }| Entry { slot, units, month: Month(month), month_used };
    Ok(stored.into_iter().map(entry).collect())
}

fn misses(sql: &SqlStorage, unreadable: &mut Unreadable) -> Result<Vec<Miss>> {
    let query = "SELECT slot, source, units FROM misses ORDER BY slot";
    let stored = rows(sql, "misses", query, Vec::new(), unreadable)?;
    Ok(stored.into_iter().map(|MissRow { slot, source, units }| Miss { slot, source: Source(source), units }).collect())
}

fn months(sql: &SqlStorage, unreadable: &mut Unreadable) -> Result<Vec<Closed>> {
    let query = "SELECT month, used, billing FROM months ORDER BY month";
    let stored: Vec<MonthRow> = rows(sql, "months", query, Vec::new(), unreadable)?;
    let closed = |row: MonthRow| Closed::read(row.month, row.used, row.billing.as_deref());
    Ok(unreadable.leave_out("months", stored.into_iter().map(closed)))
}

fn leases(sql: &SqlStorage, unreadable: &mut Unreadable) -> Result<Vec<Grant>> {
    let stored = rows(sql, "leases", "SELECT id, ends_ms, units, month FROM leases", Vec::new(), unreadable)?;
    let grant = |LeaseRow { id, ends_ms, units, month }| Grant { id, ends_ms, units, month: Month(month) };
    Ok(stored.into_iter().map(grant).collect())
}

fn lost(sql: &SqlStorage, unreadable: &mut Unreadable) -> Result<Vec<(Month, u64)>> {
    let stored = rows(sql, "lost", "SELECT month, units FROM lost", Vec::new(), unreadable)?;
    Ok(stored.into_iter().map(|LostRow { month, units }| (Month(month), units)).collect())
}

fn add_columns(sql: &SqlStorage) -> Result<()> {
    for (table, column, kind) in tables::ADDED_TO_KEY {
        if columns_of(sql, table)?.iter().all(|known| known != column) {
            sql.exec(&format!("ALTER TABLE {table} ADD COLUMN {column} {kind}"), None)?;
        }
    }
    Ok(())
}
