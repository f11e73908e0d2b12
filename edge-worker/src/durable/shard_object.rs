//! Storage of a metrics shard: loads, adds a batch, stores; an alarm sends totals to the board.

use std::cell::Cell;
use std::panic::AssertUnwindSafe;

use worker::wasm_bindgen::JsValue;
use worker::wasm_bindgen::prelude::wasm_bindgen;
use worker::worker_sys::DurableObjectState;
use worker::{Env, Result, SqlStorage, State, wasm_bindgen};

use super::rows::Unreadable;
use super::sql::{log, number, rows};
use super::{OBJECT_DEADLINE_MS, asked, tables};
use crate::bindings::{BOARD, Object};
use crate::crossing;
use crate::isolate::now_ms;
use crate::metrics::board::{self, Message};
use crate::metrics::bucket::Bucket;
use crate::metrics::shard::{REPORT_AFTER_MS, RETRY_AFTER_MS, Shard, Total};
use crate::metrics::tally::Batch;

/// One of the objects that collect batches of samples.
#[wasm_bindgen]
pub struct MetricsShard {
    state: AssertUnwindSafe<State>,
    env: AssertUnwindSafe<Env>,
    /// The loaded state. It is taken out during a change, so that a failure discards it.
    loaded: AssertUnwindSafe<Cell<Option<Shard>>>,
}

#[wasm_bindgen(wasm_bindgen_futures = ::worker::wasm_bindgen_futures, js_sys = ::worker::js_sys)]
impl MetricsShard {
    /// An object that has loaded nothing yet.
    #[wasm_bindgen(constructor)]
    pub fn new(state: DurableObjectState, env: Env) -> Self {
        let loaded = AssertUnwindSafe(Cell::new(None));
        Self { state: AssertUnwindSafe(State::from(state)), env: AssertUnwindSafe(env), loaded }
    }

    /// Adds a [`Batch`], given as JSON, and schedules the report to the board.
    pub async fn answer(&self, batch: String) -> std::result::Result<String, JsValue> {
        let taken = async {
            let taken = asked::reply(&batch, |batch| self.take(batch))?;
            if self.state.storage().get_alarm().await?.is_none() {
                self.wake_after(REPORT_AFTER_MS).await?;
            }
            Ok(taken)
        };
        AssertUnwindSafe(taken).await
    }

    /// Sends the totals to the board, and repeats until it has all of them.
    pub async fn alarm(&self) -> std::result::Result<(), JsValue> {
        Ok(AssertUnwindSafe(self.report()).await?)
    }
}

impl MetricsShard {
    async fn report(&self) -> Result<()> {
        let news = self.with(|_, shard| Ok(shard.news()))?;
        if !news.is_empty() {
            let message = Message::Totals { shard: self.state.id().to_string(), totals: news.clone() };
            let board = Object::named(BOARD, board::NAME);
            let told = crossing::ask::<board::Answer, _>(&self.env, board, &message, OBJECT_DEADLINE_MS).await;
            if let Err(error) = told {
                worker::console_error!("the board of the metrics does not answer: {error}");
                return self.wake_after(RETRY_AFTER_MS).await;
            }
        }
        let is_reported = self.with(|sql, shard| {
            shard.acknowledge(&news);
            for (bucket, total) in &news {
                let bindings = vec![number(total.sequence), number(bucket.0)];
                sql.exec("UPDATE totals SET told = ? WHERE bucket = ?", bindings)?;
            }
            forget(sql, shard)?;
            Ok(shard.news().is_empty())
        })?;
        if is_reported { Ok(()) } else { self.wake_after(REPORT_AFTER_MS).await }
    }

    fn take(&self, batch: Batch) -> Result<()> {
        self.with(|sql, shard| {
            let (isolate, now_ms) = (batch.isolate, now_ms());
            for bucket in shard.take(batch, now_ms) {
                store(sql, bucket, &shard.totals[&bucket])?;
            }
            let Some(last) = shard.last.get(&isolate) else { return Ok(()) };
            let bindings = vec![isolate.to_string().into(), number(last.sequence), number(last.at_ms)];
            sql.exec("INSERT OR REPLACE INTO isolates (id, sequence, at) VALUES (?, ?, ?)", bindings)?;
            Ok(())
        })
    }

    /// Loads, calls `change`, and stores. Nothing here awaits, so no other request can interleave.
    fn with<T>(&self, change: impl FnOnce(&SqlStorage, &mut Shard) -> Result<T>) -> Result<T> {
        let sql = self.state.storage().sql();
        let mut shard = match self.loaded.take() {
            Some(shard) => shard,
            None => load(&sql)?,
        };
        let changed = change(&sql, &mut shard)?;
        self.loaded.set(Some(shard));
        Ok(changed)
    }

    async fn wake_after(&self, ms: u64) -> Result<()> {
        self.state.storage().set_alarm(std::time::Duration::from_millis(ms)).await
    }
}

fn load(sql: &SqlStorage) -> Result<Shard> {
    sql.exec(tables::SHARD, None)?;
    let mut unreadable = Unreadable::default();
    let totals = rows(sql, "totals", "SELECT * FROM totals", Vec::new(), &mut unreadable)?;
    let isolates = rows(sql, "isolates", "SELECT * FROM isolates", Vec::new(), &mut unreadable)?;
    let shard = Shard::restore(totals, isolates, &mut unreadable);
    log(&unreadable);
    Ok(shard)
}

fn store(sql: &SqlStorage, bucket: Bucket, total: &Total) -> Result<()> {
    let upsert = "INSERT INTO totals (bucket, sequence, told, json) VALUES (?, ?, 0, ?)
        ON CONFLICT (bucket) DO UPDATE SET sequence = excluded.sequence, json = excluded.json";
    let bindings = vec![number(bucket.0), number(total.sequence), serde_json::to_string(&total.counts)?.into()];
    sql.exec(upsert, bindings).map(drop)
}

fn forget(sql: &SqlStorage, shard: &mut Shard) -> Result<()> {
    let (oldest, gone_ms) = shard.forget(now_ms());
    sql.exec("DELETE FROM totals WHERE bucket < ?", vec![number(oldest.0)])?;
    sql.exec("DELETE FROM isolates WHERE at < ?", vec![number(gone_ms)])?;
    Ok(())
}
