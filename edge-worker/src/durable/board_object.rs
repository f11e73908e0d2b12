//! The storage half of the board of the metrics: load, answer, store.

use std::cell::Cell;
use std::panic::AssertUnwindSafe;

use serde::Deserialize;
use worker::wasm_bindgen::JsValue;
use worker::wasm_bindgen::prelude::wasm_bindgen;
use worker::worker_sys::DurableObjectState;
use worker::{Env, Result, SqlStorage, State, wasm_bindgen};

use super::object::number;
use crate::crossing;
use crate::entry::now_ms;
use crate::metrics::board::{Answer, Board, Change, Message, Oldest};
use crate::metrics::bucket::Bucket;
use crate::metrics::shard::Total;

const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS totals (
        bucket INTEGER NOT NULL, shard TEXT NOT NULL, sequence INTEGER NOT NULL, json TEXT NOT NULL,
        PRIMARY KEY (bucket, shard)
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS sums (bucket INTEGER PRIMARY KEY, json TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS probes (minute INTEGER PRIMARY KEY, good INTEGER NOT NULL);
    CREATE TABLE IF NOT EXISTS coverage (id INTEGER PRIMARY KEY CHECK (id = 1), json TEXT NOT NULL);
";

/// The object that answers for the traffic of all isolates.
#[wasm_bindgen]
pub struct MetricsBoard {
    state: AssertUnwindSafe<State>,
    /// What storage holds. Taken out while something changes it: what fails midway leaves nothing behind.
    loaded: AssertUnwindSafe<Cell<Option<Loaded>>>,
}

struct Loaded {
    board: Board,
    /// What is older was deleted.
    oldest: Option<Oldest>,
}

#[wasm_bindgen]
impl MetricsBoard {
    /// An object that has loaded nothing yet.
    #[wasm_bindgen(constructor)]
    pub fn new(state: DurableObjectState, _env: Env) -> Self {
        Self { state: AssertUnwindSafe(State::from(state)), loaded: AssertUnwindSafe(Cell::new(None)) }
    }

    /// The answer to a [`Message`], both JSON.
    pub fn answer(&self, message: &str) -> std::result::Result<String, JsValue> {
        crossing::reply(message, |message| self.reply(message))
    }
}

impl MetricsBoard {
    fn reply(&self, message: Message) -> Result<Answer> {
        let sql = self.state.storage().sql();
        let mut loaded = match self.loaded.take() {
            Some(loaded) => loaded,
            None => Loaded { board: load(&sql)?, oldest: None },
        };
        let now_ms = now_ms();
        let (answer, changes) = loaded.board.answer(message, now_ms);
        for change in &changes {
            store(&sql, change)?;
        }
        // Every five minutes, with the first change.
        let oldest = Some(Oldest::at(now_ms)).filter(|oldest| !changes.is_empty() && loaded.oldest != Some(*oldest));
        if let Some(oldest) = oldest {
            loaded.board.forget(oldest);
            forget(&sql, oldest)?;
            loaded.oldest = Some(oldest);
        }
        self.loaded.set(Some(loaded));
        Ok(answer)
    }
}

#[derive(Deserialize)]
struct TotalRow {
    bucket: u64,
    shard: String,
    sequence: u64,
    json: String,
}

#[derive(Deserialize)]
struct SumRow {
    bucket: u64,
    json: String,
}

#[derive(Deserialize)]
struct ProbeRow {
    minute: u64,
    good: u8,
}

#[derive(Deserialize)]
struct CoverageRow {
    json: String,
}

fn load(sql: &SqlStorage) -> Result<Board> {
    sql.exec(TABLES, None)?;
    let mut board = Board::default();
    for TotalRow { bucket, shard, sequence, json } in sql.exec("SELECT * FROM totals", None)?.to_array()? {
        board.totals.insert((Bucket(bucket), shard), Total { sequence, counts: serde_json::from_str(&json)? });
    }
    for SumRow { bucket, json } in sql.exec("SELECT * FROM sums", None)?.to_array()? {
        board.sums.insert(Bucket(bucket), serde_json::from_str(&json)?);
    }
    for ProbeRow { minute, good } in sql.exec("SELECT * FROM probes", None)?.to_array()? {
        board.probes.insert(minute, good != 0);
    }
    for CoverageRow { json } in sql.exec("SELECT json FROM coverage", None)?.to_array()? {
        board.coverage = Some(serde_json::from_str(&json)?);
    }
    Ok(board)
}

fn store(sql: &SqlStorage, change: &Change) -> Result<()> {
    let (table, row) = match change {
        Change::Total(bucket, shard, Total { sequence, counts }) => {
            let json = serde_json::to_string(counts)?;
            ("totals", vec![number(bucket.0), shard.as_str().into(), number(*sequence), json.into()])
        }
        Change::Sum(bucket, counts) => ("sums", vec![number(bucket.0), serde_json::to_string(counts)?.into()]),
        Change::Probe(minute, good) => ("probes", vec![number(*minute), number(u64::from(*good))]),
        Change::Coverage(snapshot) => ("coverage", vec![number(1), serde_json::to_string(snapshot)?.into()]),
    };
    let marks = vec!["?"; row.len()].join(", ");
    sql.exec(&format!("INSERT OR REPLACE INTO {table} VALUES ({marks})"), row).map(drop)
}

fn forget(sql: &SqlStorage, oldest: Oldest) -> Result<()> {
    sql.exec("DELETE FROM totals WHERE bucket < ?", vec![number(oldest.total.0)])?;
    sql.exec("DELETE FROM sums WHERE bucket < ?", vec![number(oldest.sum.0)])?;
    sql.exec("DELETE FROM probes WHERE minute < ?", vec![number(oldest.probe)])?;
    Ok(())
}
