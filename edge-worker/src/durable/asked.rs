//! The way in which all objects answer a question.

use serde::Serialize;
use serde::de::DeserializeOwned;
use worker::Error;
use worker::wasm_bindgen::JsValue;

/// Answers a question to an object. Question and reply are JSON.
pub(super) fn reply<Q: DeserializeOwned, R: Serialize>(
    question: &str,
    answer: impl FnOnce(Q) -> worker::Result<R>,
) -> Result<String, JsValue> {
    let reply = serde_json::from_str(question).map_err(Error::from).and_then(answer)?;
    Ok(serde_json::to_string(&reply).map_err(Error::from)?)
}
