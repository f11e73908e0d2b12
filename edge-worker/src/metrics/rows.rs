//! The rows that the board stores. Unreadable rows are skipped, as [`crate::durable::rows`] describes.

use serde::Deserialize;

use super::board::Board;
use crate::durable::rows::Unreadable;

/// Name of the row with the register.
pub const REGISTER: &str = "register";

/// Name of the row with the figures of coverage.
pub const COVERAGE: &str = "coverage";

/// An hour.
#[derive(Debug, Deserialize)]
pub struct HourRow {
    /// Number of the hour since the epoch.
    pub hour: u64,
    /// The hour as JSON.
    pub json: String,
}

/// Something of which there is one.
#[derive(Debug, Deserialize)]
pub struct FactRow {
    /// [`REGISTER`] or [`COVERAGE`].
    pub name: String,
    /// Value as JSON.
    pub json: String,
}

/// Rows that the board stores.
#[derive(Debug, Default)]
pub struct BoardRows {
    /// By hour.
    pub hours: Vec<HourRow>,
    /// By name.
    pub facts: Vec<FactRow>,
}

impl Board {
    /// Adds what is stored in `rows`, of which nothing is here yet.
    pub fn add(&mut self, rows: BoardRows, unreadable: &mut Unreadable) {
        let hours = rows.hours.into_iter().map(|row| Ok((row.hour, serde_json::from_str(&row.json)?)));
        self.hours.extend(unreadable.leave_out::<_, serde_json::Error>("hours", hours));
        let fact = |name: &str| rows.facts.iter().find(|row| row.name == name).map(|row| &*row.json);
        if let Some(register) = unreadable.leave_out(REGISTER, fact(REGISTER).map(serde_json::from_str)).pop() {
            self.register = register;
        }
        if let Some(coverage) = unreadable.leave_out(COVERAGE, fact(COVERAGE).map(serde_json::from_str)).pop() {
            self.coverage = coverage;
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::metrics::board::{Answer, Message};

    const NOON: u64 = 1_795_176_000_000;
    /// Two requests in the bucket of noon.
    const HOUR: &str =
        r#"{"sums":{"5983920":{"good":2,"refused":0,"failed":0,"latencies":[[1,2]]}},"probed":1,"good":1}"#;

    fn rows<T: for<'de> Deserialize<'de>>(rows: serde_json::Value) -> Vec<T> {
        serde_json::from_value(rows).expect("test rows")
    }

    #[test]
    fn a_board_answers_whatever_it_stores() {
        let noon = NOON / 3_600_000;
        let garbage = ["", "x", "{}", "[]", r#"{"sums":{"1":{"good":-1}},"probed":0,"good":0}"#];
        for json in garbage {
            let facts = [REGISTER, COVERAGE].map(|name| json!({ "name": name, "json": json }));
            let stored = BoardRows {
                hours: rows(json!([{ "hour": noon - 1, "json": json }, { "hour": noon, "json": HOUR }])),
                facts: rows(json!(facts)),
            };
            let mut unreadable = Unreadable::default();
            let mut board = Board::default();
            board.add(stored, &mut unreadable);
            assert_eq!(
                unreadable.to_string(),
                "rows that cannot be read are left out: 1 of coverage, 1 of hours, 1 of register"
            );
            let metrics = serde_json::to_value(board.answer(Message::Metrics, NOON)).expect("an answer is JSON");
            assert_eq!(metrics["metrics"]["requests"]["total"], 2);
            assert_eq!(board.answer(Message::Coverage, NOON), Answer::Coverage(None), "it is computed anew");
        }
    }
}
