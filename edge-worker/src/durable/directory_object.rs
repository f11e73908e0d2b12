//! The storage half of the directory.

use std::panic::AssertUnwindSafe;

use serde::Deserialize;
use worker::{DurableObject, Env, Request, Response, Result, State, durable_object};

use super::directory::{Listed, PAGE, Question};

const TABLE: &str = "CREATE TABLE IF NOT EXISTS keys (api_key TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID";

/// The object that knows which keys exist.
#[durable_object(fetch)]
pub struct Directory {
    state: AssertUnwindSafe<State>,
}

#[derive(Deserialize)]
struct Row {
    json: String,
}

impl DurableObject for Directory {
    fn new(state: State, _env: Env) -> Self {
        Self { state: AssertUnwindSafe(state) }
    }

    async fn fetch(&self, mut request: Request) -> Result<Response> {
        let question = serde_json::from_str(&request.text().await?)?;
        Response::from_json(&self.answer(question)?)
    }
}

impl Directory {
    fn answer(&self, question: Question) -> Result<Vec<Listed>> {
        let sql = self.state.storage().sql();
        sql.exec(TABLE, None)?;
        match question {
            Question::Add(listed) => {
                let row = vec![listed.api_key.as_str().into(), serde_json::to_string(&listed)?.into()];
                sql.exec("INSERT OR REPLACE INTO keys (api_key, json) VALUES (?, ?)", row)?;
                Ok(Vec::new())
            }
            Question::Remove(key) => {
                sql.exec("DELETE FROM keys WHERE api_key = ?", vec![key.into()])?;
                Ok(Vec::new())
            }
            Question::List { after } => {
                let query = format!("SELECT json FROM keys WHERE api_key > ? ORDER BY api_key LIMIT {PAGE}");
                let rows = sql.exec(&query, vec![after.into()])?.to_array::<Row>()?;
                rows.iter().map(|row| Ok(serde_json::from_str(&row.json)?)).collect()
            }
        }
    }
}
