//! Storage of a key's object: SQLite on the platform, written before the reply.
//!
//! Besides the record and the months that are over it holds a row for the requests and one for the exchanges. Tables are made
//! when a key is created or, for a demo key, first used: a guessed key stores nothing.

use std::cell::Cell;
use std::panic::AssertUnwindSafe;

use serde::Deserialize;
use worker::wasm_bindgen::JsValue;
use worker::wasm_bindgen::prelude::wasm_bindgen;
use worker::worker_sys::DurableObjectState;
use worker::{Env, Result, SqlStorage, State, Storage, wasm_bindgen};

use super::billing::Closed;
use super::home::{StoredRecord, Table};
use super::key::{Key, KeyWrite, Stored, decide};
use super::message::{Command, Envelope, Reply};
use super::rows::Unreadable;
use super::sql::{log, number, rows, set_alarm};
use super::{asked, demo, tables};
use crate::isolate::{self, now_ms};
use crate::meter::exchanges::Exchanges;
use crate::meter::ledger::Ledger;

/// Number of the row with the requests.
const REQUESTS: u64 = 0;

/// Number of the row with the exchanges.
const EXCHANGES: u64 = 1;

/// The object of one API key.
#[wasm_bindgen]
pub struct ApiKey {
    state: AssertUnwindSafe<State>,
    env: AssertUnwindSafe<Env>,
    /// The loaded state. It is taken out during a request, so that a failure discards it and the next request reloads.
    loaded: AssertUnwindSafe<Cell<Option<Stored>>>,
}

#[wasm_bindgen]
impl ApiKey {
    /// Creates an object that has not loaded anything yet.
    #[wasm_bindgen(constructor)]
    pub fn new(state: DurableObjectState, env: Env) -> Self {
        let loaded = AssertUnwindSafe(Cell::new(None));
        Self { state: AssertUnwindSafe(State::from(state)), env: AssertUnwindSafe(env), loaded }
    }

    /// Returns the reply to an [`Envelope`], both JSON.
    pub fn answer(&self, request: &str) -> std::result::Result<String, JsValue> {
        asked::reply(request, |envelope| self.reply(envelope))
    }

    /// Writes what was really used.
    pub fn alarm(&self) -> std::result::Result<(), JsValue> {
        Ok(self.wake()?)
    }
}

impl ApiKey {
    /// Loads, decides and stores. Nothing here awaits, so no other request of this key can interleave.
    fn reply(&self, mut envelope: Envelope) -> Result<Reply> {
        #[cfg(feature = "faults")]
        crate::fault::strike("object");
        let storage = self.state.storage();
        let mut state = match self.loaded.take() {
            Some(state) => state,
            None => self.load(&storage.sql(), &envelope.key)?,
        };
        let now_ms = now_ms();
        if let Command::Leave { tables, .. } = &mut envelope.command {
            if let Stored::Key(key) = &mut state {
                key.pack(now_ms).iter().try_for_each(|change| store(&storage, change))?;
            }
            *tables = copy_tables(&storage.sql())?;
        }
        let (reply, changes) = decide(&mut state, envelope, now_ms);
        changes.iter().try_for_each(|change| store(&storage, change))?;
        // A deleted key has no tables any more, and an unreadable one is loaded anew.
        if matches!(state, Stored::Key(_)) {
            self.loaded.set(Some(state));
        }
        Ok(reply)
    }

    /// Stores what an alarm is for. An object that has ended since needs no record for it.
    fn wake(&self) -> Result<()> {
        let storage = self.state.storage();
        if let Some(Stored::Key(mut key)) = self.loaded.take() {
            key.wake(now_ms()).iter().try_for_each(|change| store(&storage, change))?;
            self.loaded.set(Some(Stored::Key(key)));
            return Ok(());
        }
        let sql = storage.sql();
        if !table_names(&sql)?.iter().any(|name| name == "counts") {
            return Ok(());
        }
        let (mut ledger, _) = counts(&sql, &mut Unreadable::default())?;
        let row = ledger.wake(None, now_ms());
        row.map_or(Ok(()), |row| store(&storage, &KeyWrite::Requests(Box::new(row))))
    }

    fn load(&self, sql: &SqlStorage, key: &str) -> Result<Stored> {
        let mut unreadable = Unreadable::default();
        let config = isolate::config(&self.env);
        let tables = table_names(sql)?;
        let has = |name: &str| tables.iter().any(|known| known == name);
        let stored = if has("record") { stored_record(sql)? } else { Ok(None) };
        let stored = match stored {
            Err(unreadable) if !demo::is_demo(key) => {
                log(&unreadable);
                return Ok(Stored::Unreadable);
            }
            Ok(Some(StoredRecord::Moved(moved))) => {
                return Ok(Stored::Moved(Box::new(moved)));
            }
            Ok(Some(StoredRecord::Deleted { .. })) => return Ok(Stored::Deleted),
            Ok(Some(StoredRecord::Key(record))) => Some(*record),
            Ok(None) | Err(_) => None,
        };
        let peppers = config.as_ref().as_ref().ok().filter(|config| config.demo).map(|config| &config.peppers);
        let record = demo::record_of(key, stored, peppers);
        let Some(record) = record else { return Ok(Stored::Nothing) };
        if !has("counts") {
            sql.exec(tables::KEY, None)?;
        }
        let mut key = Key::new(record);
        (key.requests, key.exchanges) = counts(sql, &mut unreadable)?;
        key.closed = months(sql, &mut unreadable)?;
        key.unreadable = unreadable.total();
        log(&unreadable);
        Ok(Stored::Key(Box::new(key)))
    }
}

fn store(storage: &Storage, change: &KeyWrite) -> Result<()> {
    let sql = storage.sql();
    match change {
        KeyWrite::Record(record) => {
            sql.exec(tables::KEY, None)?;
            store_record(&sql, serde_json::to_string(record)?)?;
        }
        KeyWrite::MovedOut(moved) => {
            store_record(&sql, serde_json::to_string(moved)?)?;
            clear(&sql)?;
        }
        KeyWrite::Tables(tables) => tables.iter().try_for_each(|table| unpack(&sql, table))?,
        KeyWrite::Deleted => {
            store_record(&sql, serde_json::to_string(&StoredRecord::Deleted { deleted: true })?)?;
            clear(&sql)?;
        }
        KeyWrite::Requests(row) => store_counts(&sql, REQUESTS, serde_json::to_string(row)?)?,
        KeyWrite::Exchanges(row) => store_counts(&sql, EXCHANGES, serde_json::to_string(row)?)?,
        KeyWrite::Closed(Closed { month, used, billing }) => {
            let billing = billing.map(|billing| serde_json::to_string(&billing)).transpose()?;
            let bindings = vec![number(u64::from(month.0)), number(*used), billing.into()];
            sql.exec("INSERT OR REPLACE INTO months (month, used, billing) VALUES (?, ?, ?)", bindings)?;
        }
        KeyWrite::Alarm(at_ms) => set_alarm(storage, *at_ms)?,
        // Storage is empty at once; the platform holds the reply back until that is durable.
        KeyWrite::Delete => drop(storage.as_raw().delete_all()?),
    }
    Ok(())
}

fn store_counts(sql: &SqlStorage, id: u64, json: String) -> Result<()> {
    let upsert = "INSERT INTO counts (id, json) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET json = excluded.json";
    sql.exec(upsert, vec![number(id), json.into()]).map(drop)
}

#[derive(Deserialize)]
struct Name {
    name: String,
}

#[derive(Deserialize)]
struct Json {
    json: String,
}

#[derive(Deserialize)]
struct CountsRow {
    id: u64,
    json: String,
}

#[derive(Deserialize)]
struct MonthRow {
    month: u32,
    used: u64,
    billing: Option<String>,
}

/// Returns the names of the tables that there are.
fn table_names(sql: &SqlStorage) -> Result<Vec<String>> {
    let names = sql.exec("SELECT name FROM sqlite_master WHERE type = 'table'", None)?.to_array::<Name>()?;
    Ok(names.into_iter().map(|Name { name }| name).collect())
}

fn store_record(sql: &SqlStorage, json: String) -> Result<()> {
    sql.exec("INSERT OR REPLACE INTO record (id, json) VALUES (1, ?)", vec![json.into()]).map(drop)
}

/// Returns the names of all tables but that of the record. Those of the platform begin with an underscore.
fn other_tables(sql: &SqlStorage) -> Result<Vec<String>> {
    Ok(table_names(sql)?
        .into_iter()
        .filter(|name| !name.starts_with('_') && !name.starts_with("sqlite_") && name != "record")
        .collect())
}

fn clear(sql: &SqlStorage) -> Result<()> {
    other_tables(sql)?.iter().try_for_each(|table| sql.exec(&format!("DELETE FROM {table}"), None).map(drop))
}

/// Copies all tables but that of the record; none if the key does not exist.
fn copy_tables(sql: &SqlStorage) -> Result<Vec<Table>> {
    other_tables(sql)?.into_iter().map(|name| pack(sql, name)).collect()
}

fn pack(sql: &SqlStorage, name: String) -> Result<Table> {
    let columns = columns_of(sql, &name)?;
    let query = format!("SELECT json_group_array(json_array({})) AS json FROM {name}", columns.join(", "));
    let rows = sql.exec(&query, None)?.one::<Json>()?.json;
    Ok(Table { name, columns, rows })
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
    let known = sql.exec(&format!("PRAGMA table_info({table})"), None)?.to_array::<Name>()?;
    Ok(known.into_iter().map(|column| column.name).collect())
}

/// Reads what stands in the place of the record, if anything, or the fact that it is unreadable.
fn stored_record(sql: &SqlStorage) -> Result<std::result::Result<Option<StoredRecord>, Unreadable>> {
    let mut unreadable = Unreadable::default();
    let stored: Vec<Json> = rows(sql, "record", "SELECT json FROM record", Vec::new(), &mut unreadable)?;
    let record = unreadable.leave_out("record", stored.iter().map(|row| serde_json::from_str(&row.json))).pop();
    Ok(if unreadable.total() > 0 { Err(unreadable) } else { Ok(record) })
}

/// Returns the requests and the exchanges.
fn counts(sql: &SqlStorage, unreadable: &mut Unreadable) -> Result<(Ledger, Exchanges)> {
    let stored: Vec<CountsRow> = rows(sql, "counts", "SELECT id, json FROM counts", Vec::new(), unreadable)?;
    let json = |of: u64| stored.iter().find(|row| row.id == of).map(|row| row.json.as_str());
    let requests = unreadable.leave_out("requests", json(REQUESTS).map(serde_json::from_str)).pop();
    let exchanges = unreadable.leave_out("exchanges", json(EXCHANGES).map(serde_json::from_str)).pop();
    Ok((requests.map(Ledger::restore).unwrap_or_default(), exchanges.map(Exchanges::restore).unwrap_or_default()))
}

/// Returns the months that are over.
fn months(sql: &SqlStorage, unreadable: &mut Unreadable) -> Result<Vec<Closed>> {
    let query = "SELECT month, used, billing FROM months ORDER BY month";
    let stored: Vec<MonthRow> = rows(sql, "months", query, Vec::new(), unreadable)?;
    Ok(unreadable
        .leave_out("months", stored.into_iter().map(|row| Closed::read(row.month, row.used, row.billing.as_deref()))))
}
