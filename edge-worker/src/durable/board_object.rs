//! Storage of the metrics board: loads, calls the board, stores.

use std::cell::Cell;
use std::panic::AssertUnwindSafe;

use worker::wasm_bindgen::JsValue;
use worker::wasm_bindgen::prelude::wasm_bindgen;
use worker::worker_sys::DurableObjectState;
use worker::{Env, Result, SqlStorage, State, wasm_bindgen};

use super::rows::Unreadable;
use super::sql::{log, number, rows};
use super::{asked, tables};
use crate::isolate::now_ms;
use crate::metrics::board::{Answer, Board, BoardWrite, Message, Oldest};
use crate::metrics::rows::BoardRows;
use crate::metrics::shard::Total;

/// The object that holds the traffic of all isolates.
#[wasm_bindgen]
pub struct MetricsBoard {
    state: AssertUnwindSafe<State>,
    /// The loaded state. It is taken out during a change, so that a failure discards it.
    loaded: AssertUnwindSafe<Cell<Option<Loaded>>>,
}

struct Loaded {
    board: Board,
    /// Older rows are deleted.
    oldest: Option<Oldest>,
}

#[wasm_bindgen]
impl MetricsBoard {
    /// Creates an object that has not loaded anything yet.
    #[wasm_bindgen(constructor)]
    pub fn new(state: DurableObjectState, _env: Env) -> Self {
        Self { state: AssertUnwindSafe(State::from(state)), loaded: AssertUnwindSafe(Cell::new(None)) }
    }

    /// The answer to a [`Message`], both JSON.
    pub fn answer(&self, message: &str) -> std::result::Result<String, JsValue> {
        asked::reply(message, |message| self.reply(message))
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
        let oldest =
            Some(loaded.board.oldest(now_ms)).filter(|oldest| !changes.is_empty() && loaded.oldest != Some(*oldest));
        if let Some(oldest) = oldest {
            loaded.board.forget(oldest);
            forget(&sql, oldest)?;
            loaded.oldest = Some(oldest);
        }
        self.loaded.set(Some(loaded));
        Ok(answer)
    }
}

fn load(sql: &SqlStorage) -> Result<Board> {
    sql.exec(tables::BOARD, None)?;
    let mut unreadable = Unreadable::default();
    let stored = BoardRows {
        totals: rows(sql, "totals", "SELECT * FROM totals", Vec::new(), &mut unreadable)?,
        sums: rows(sql, "sums", "SELECT * FROM sums", Vec::new(), &mut unreadable)?,
        probes: rows(sql, "probes", "SELECT * FROM probes", Vec::new(), &mut unreadable)?,
        coverage: rows(sql, "coverage", "SELECT * FROM coverage", Vec::new(), &mut unreadable)?,
    };
    let board = Board::restore(stored, &mut unreadable);
    log(&unreadable);
    Ok(board)
}

fn store(sql: &SqlStorage, change: &BoardWrite) -> Result<()> {
    let (table, row) = match change {
        BoardWrite::Total(bucket, shard, Total { sequence, counts }) => {
            let json = serde_json::to_string(counts)?;
            (
                "totals (bucket, shard, sequence, json)",
                vec![number(bucket.0), shard.as_str().into(), number(*sequence), json.into()],
            )
        }
        BoardWrite::Sum(bucket, counts) => {
            ("sums (bucket, json)", vec![number(bucket.0), serde_json::to_string(counts)?.into()])
        }
        BoardWrite::Probe(minute, good) => ("probes (minute, good)", vec![number(*minute), number(u64::from(*good))]),
        BoardWrite::Coverage(snapshot) => {
            ("coverage (id, json)", vec![number(1), serde_json::to_string(snapshot)?.into()])
        }
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
