//! Facts of an answer as cells of a row.

use anyhow::Result;
use serde::Serialize;
use serde_json::Value;
use toponym_engine::Fact;

/// Returns a cell for each fact: a text as it is, anything else as JSON; empty if the answer lacks it.
pub fn fact_cells(answer: &impl Serialize, facts: &[Fact]) -> Result<Vec<String>> {
    if facts.is_empty() {
        return Ok(Vec::new());
    }
    let answer = serde_json::to_value(answer)?;
    let cell = |fact: &Fact| match answer.get(fact.name()) {
        None => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    };
    Ok(facts.iter().map(cell).collect())
}
