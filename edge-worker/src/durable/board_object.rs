//! Storage of the metrics board.

use std::cell::Cell;
use std::ops::Range;
use std::panic::AssertUnwindSafe;

use worker::wasm_bindgen::JsValue;
use worker::wasm_bindgen::prelude::wasm_bindgen;
use worker::worker_sys::DurableObjectState;
use worker::{Env, Error, Result, State, Storage, wasm_bindgen};

use super::rows::Unreadable;
use super::sql::{self, log, number, rows};
use super::{asked, tables};
use crate::isolate::now_ms;
use crate::metrics::board::{Answer, BoardWrite, Message};
use crate::metrics::rows::{BoardRows, COVERAGE, REGISTER};
use crate::metrics::stored_board::{BoardStorage, StoredBoard};

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

    fn read(&self, hours: Range<u64>, facts: bool, unreadable: &mut Unreadable) -> Result<BoardRows> {
        let sql = &self.0.sql();
        let query = "SELECT hour, json FROM hours WHERE hour >= ? AND hour < ?";
        let hours = rows(sql, "hours", query, vec![number(hours.start), number(hours.end)], unreadable)?;
        let query = "SELECT name, json FROM facts";
        let facts = if facts { rows(sql, "facts", query, Vec::new(), unreadable)? } else { Vec::new() };
        Ok(BoardRows { hours, facts })
    }

    fn write(&self, change: &BoardWrite) -> Result<()> {
        let (table, id, json) = match change {
            BoardWrite::Hour(hour, of) => ("hours (hour, json)", number(*hour), serde_json::to_string(of)?),
            BoardWrite::Register(register) => ("facts (name, json)", REGISTER.into(), serde_json::to_string(register)?),
            BoardWrite::Coverage(snapshot) => ("facts (name, json)", COVERAGE.into(), serde_json::to_string(snapshot)?),
        };
        let insert = format!("INSERT OR REPLACE INTO {table} VALUES (?, ?)");
        self.0.sql().exec(&insert, vec![id, json.into()]).map(drop)
    }

    fn forget(&self, first: u64) -> Result<()> {
        self.0.sql().exec("DELETE FROM hours WHERE hour < ?", vec![number(first)]).map(drop)
    }

    fn set_alarm(&self, at_ms: u64) -> Result<()> {
        sql::set_alarm(&self.0, at_ms)
    }

    fn report(&self, unreadable: &Unreadable) {
        log(unreadable);
    }
}
