//! Storage of the directory.

use std::panic::AssertUnwindSafe;

use serde::Deserialize;
use worker::wasm_bindgen::JsValue;
use worker::wasm_bindgen::prelude::wasm_bindgen;
use worker::worker_sys::DurableObjectState;
use worker::{Env, Result, SqlCursor, SqlStorage, State, wasm_bindgen};

use super::directory::{DirectoryRequest, Listed, PAGE};
use super::{asked, tables};

/// The object that lists all keys.
#[wasm_bindgen]
pub struct Directory {
    state: AssertUnwindSafe<State>,
}

#[derive(Deserialize)]
struct Row {
    api_key: String,
    json: String,
}

#[wasm_bindgen]
impl Directory {
    /// Creates an object over its storage.
    #[wasm_bindgen(constructor)]
    pub fn new(state: DurableObjectState, _env: Env) -> Self {
        Self { state: AssertUnwindSafe(State::from(state)) }
    }

    /// Answers a [`DirectoryRequest`]. Request and reply are JSON.
    pub fn answer(&self, request: &str) -> std::result::Result<String, JsValue> {
        asked::reply(request, |request| self.reply(request))
    }
}

impl Directory {
    fn reply(&self, request: DirectoryRequest) -> Result<Vec<Listed>> {
        let sql = self.state.storage().sql();
        sql.exec(tables::DIRECTORY, None)?;
        match request {
            DirectoryRequest::Add(listed) => store(&sql, "keys", &listed),
            DirectoryRequest::Bury(listed) => store(&sql, "deleted", &listed),
            DirectoryRequest::Remove(key) => {
                let query = "DELETE FROM keys WHERE api_key = ? RETURNING api_key, json";
                read_listed(&sql.exec(query, vec![key.into()])?)
            }
            DirectoryRequest::List { after } => page(&sql, "keys", after),
            DirectoryRequest::ListDeleted { after } => page(&sql, "deleted", after),
        }
    }
}

fn store(sql: &SqlStorage, table: &str, listed: &Listed) -> Result<Vec<Listed>> {
    let row = vec![listed.api_key.as_str().into(), serde_json::to_string(listed)?.into()];
    sql.exec(&format!("INSERT OR REPLACE INTO {table} (api_key, json) VALUES (?, ?)"), row)?;
    Ok(Vec::new())
}

fn page(sql: &SqlStorage, table: &str, after: String) -> Result<Vec<Listed>> {
    let query = format!("SELECT api_key, json FROM {table} WHERE api_key > ? ORDER BY api_key LIMIT {PAGE}");
    read_listed(&sql.exec(&query, vec![after.into()])?)
}

fn read_listed(rows: &SqlCursor) -> Result<Vec<Listed>> {
    Ok(rows.to_array::<Row>()?.into_iter().map(|Row { api_key, json }| Listed::read(api_key, &json)).collect())
}
