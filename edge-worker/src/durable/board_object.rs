//! Storage of the metrics board.

use std::cell::Cell;
use std::panic::AssertUnwindSafe;

use worker::wasm_bindgen::JsValue;
use worker::wasm_bindgen::prelude::wasm_bindgen;
use worker::worker_sys::DurableObjectState;
use worker::{Env, Error, Result, State, Storage, wasm_bindgen};

use super::rows::Unreadable;
use super::sql::{self, log, number, rows};
use super::{asked, tables};
use crate::isolate::now_ms;
use crate::metrics::board::{Answer, BoardWrite, HOUR_MINUTES, Message, Oldest};
use crate::metrics::rows::BoardRows;
use crate::metrics::stored_board::{BoardStorage, Part, StoredBoard};

/// The object that holds the traffic of all isolates.
#[wasm_bindgen]
pub struct MetricsBoard {
    state: AssertUnwindSafe<State>,
    /// The board with the rows that were read so far. It is taken out during a change, so that a failure discards it.
    loaded: AssertUnwindSafe<Cell<Option<StoredBoard>>>,
}

#[wasm_bindgen]
impl MetricsBoard {
    /// Creates an object that has not loaded anything yet.
    #[wasm_bindgen(constructor)]
    pub fn new(state: DurableObjectState, _env: Env) -> Self {
        Self { state: AssertUnwindSafe(State::from(state)), loaded: AssertUnwindSafe(Cell::new(None)) }
    }

    /// Answers a [`Message`]. Message and answer are JSON.
    pub fn answer(&self, message: &str) -> std::result::Result<String, JsValue> {
        asked::reply(message, |message| self.reply(message))
    }

    /// Writes samples that wait.
    pub fn alarm(&self) -> std::result::Result<(), JsValue> {
        Ok(self.with(|board, tables| board.wake(tables, now_ms()))?)
    }
}

impl MetricsBoard {
    fn reply(&self, message: Message) -> Result<Answer> {
        self.with(|board, tables| board.answer(tables, message, now_ms()))
    }

    /// Loads, and calls `change`. Nothing here awaits, so no other message can interleave.
    fn with<T>(&self, change: impl FnOnce(&mut StoredBoard, &Tables) -> Result<T>) -> Result<T> {
        let tables = Tables(self.state.storage());
        let mut board = match self.loaded.take() {
            Some(board) => board,
            None => {
                tables.0.sql().exec(tables::BOARD, None)?;
                StoredBoard::default()
            }
        };
        let changed = change(&mut board, &tables)?;
        self.loaded.set(Some(board));
        Ok(changed)
    }
}

/// The tables of [`tables::BOARD`].
struct Tables(Storage);

impl BoardStorage for Tables {
    type Error = Error;

    fn read(&self, part: &Part, unreadable: &mut Unreadable) -> Result<BoardRows> {
        let sql = &self.0.sql();
        let mut found = BoardRows::default();
        match part {
            Part::Isolates => {
                found.isolates = rows(sql, "isolates", "SELECT * FROM isolates", Vec::new(), unreadable)?;
            }
            Part::Sums(range) => {
                let query = "SELECT * FROM sums WHERE bucket >= ? AND bucket < ?";
                found.sums = rows(sql, "sums", query, vec![number(range.start.0), number(range.end.0)], unreadable)?;
            }
            Part::Probes(range) => {
                let query = format!("SELECT * FROM probes WHERE minute >= {LAST_PROBE_UP_TO} AND minute < ?2");
                found.probes = rows(sql, "probes", &query, vec![number(range.start), number(range.end)], unreadable)?;
            }
            Part::ProbedHours(range) => {
                let query = "SELECT * FROM probed_hours WHERE hour >= ? AND hour < ?";
                let hours = vec![number(range.start), number(range.end)];
                found.probed_hours = rows(sql, "probed hours", query, hours, unreadable)?;
            }
            Part::Coverage => {
                found.coverage = rows(sql, "coverage", "SELECT * FROM coverage", Vec::new(), unreadable)?;
            }
        }
        Ok(found)
    }

    fn write(&self, change: &BoardWrite) -> Result<()> {
        let (table, row) = match change {
            BoardWrite::Isolates(last) => ("isolates (id, json)", vec![number(1), serde_json::to_string(last)?.into()]),
            BoardWrite::Sum(bucket, counts) => {
                ("sums (bucket, json)", vec![number(bucket.0), serde_json::to_string(counts)?.into()])
            }
            BoardWrite::Probe(minute, good) => {
                ("probes (minute, good)", vec![number(*minute), number(u64::from(*good))])
            }
            BoardWrite::ProbedHour(hour, good) => ("probed_hours (hour, good)", vec![number(*hour), number(*good)]),
            BoardWrite::Coverage(snapshot) => {
                ("coverage (id, json)", vec![number(1), serde_json::to_string(snapshot)?.into()])
            }
        };
        let marks = vec!["?"; row.len()].join(", ");
        self.0.sql().exec(&format!("INSERT OR REPLACE INTO {table} VALUES ({marks})"), row).map(drop)
    }

    fn forget(&self, oldest: Oldest) -> Result<()> {
        let sql = self.0.sql();
        sql.exec("DELETE FROM sums WHERE bucket < ?", vec![number(oldest.sum.0)])?;
        let old_probes = format!("DELETE FROM probes WHERE minute < {LAST_PROBE_UP_TO}");
        sql.exec(&old_probes, vec![number(oldest.probe)])?;
        sql.exec("DELETE FROM probed_hours WHERE hour < ?", vec![number(oldest.probe / HOUR_MINUTES)])?;
        Ok(())
    }

    fn set_alarm(&self, at_ms: u64) -> Result<()> {
        sql::set_alarm(&self.0, at_ms)
    }

    fn report(&self, unreadable: &Unreadable) {
        log(unreadable);
    }
}

/// The last minute with a probe up to the minute `?1`, or that minute if there is none. SQLite looks it up in the primary key.
const LAST_PROBE_UP_TO: &str = "coalesce((SELECT max(minute) FROM probes WHERE minute <= ?1), ?1)";
