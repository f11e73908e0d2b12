//! The rows that the board stores. Unreadable rows are skipped, as [`crate::durable::rows`] describes.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::board::{Board, Last};
use super::bucket::Bucket;
use crate::durable::rows::Unreadable;

/// The sum of a bucket.
#[derive(Debug, Deserialize)]
pub struct SumRow {
    bucket: u64,
    json: String,
}

/// A probe.
#[derive(Debug, Deserialize)]
pub struct ProbeRow {
    minute: u64,
    good: u8,
}

/// The number of good probes of an hour.
#[derive(Debug, Deserialize)]
pub struct ProbedHourRow {
    hour: u64,
    good: u64,
}

/// Something of which there is one, as JSON.
#[derive(Debug, Deserialize)]
pub struct OneRow {
    json: String,
}

/// Rows that the board stores.
#[derive(Debug, Default)]
pub struct BoardRows {
    /// By bucket.
    pub sums: Vec<SumRow>,
    /// By minute.
    pub probes: Vec<ProbeRow>,
    /// By hour.
    pub probed_hours: Vec<ProbedHourRow>,
    /// At most one.
    pub coverage: Vec<OneRow>,
    /// At most one: the last batches of all isolates.
    pub isolates: Vec<OneRow>,
}

impl Board {
    /// Adds what is stored in `rows`.
    pub fn add(&mut self, rows: BoardRows, unreadable: &mut Unreadable) {
        let sum = |SumRow { bucket, json }: SumRow| serde_json::from_str(&json).map(|counts| (Bucket(bucket), counts));
        let coverage = rows.coverage.iter().map(|row| serde_json::from_str(&row.json));
        // What is here may be newer.
        for (bucket, counts) in unreadable.leave_out("sums", rows.sums.into_iter().map(sum)) {
            self.sums.entry(bucket).or_insert(counts);
        }
        let isolates = rows.isolates.iter().map(|row| serde_json::from_str(&row.json));
        self.last
            .extend(unreadable.leave_out("isolates", isolates).into_iter().flat_map(|last: BTreeMap<u64, Last>| last));
        self.probes.extend(rows.probes.into_iter().map(|row| (row.minute, row.good != 0)));
        self.probed_hours.extend(rows.probed_hours.into_iter().map(|row| (row.hour, row.good)));
        self.coverage = unreadable.leave_out("coverage", coverage).pop().or(self.coverage.take());
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::metrics::board::{Answer, Message};

    const NOON: u64 = 1_795_176_000_000;
    const COUNTS: &str = r#"{"good":2,"refused":0,"failed":0,"latencies":[[1,2]]}"#;

    fn rows<T: for<'de> Deserialize<'de>>(rows: serde_json::Value) -> Vec<T> {
        serde_json::from_value(rows).expect("test rows")
    }

    #[test]
    fn a_board_answers_whatever_it_stores() {
        let noon = Bucket::of(NOON).0;
        let garbage = ["", "x", "{}", "[]", r#"{"good":-1,"refused":0,"failed":0,"latencies":[]}"#];
        for json in garbage {
            let stored = BoardRows {
                isolates: rows(json!([{ "json": json.replace("{}", "7") }])),
                sums: rows(json!([{ "bucket": noon - 1, "json": json }, { "bucket": noon, "json": COUNTS }])),
                probes: rows(json!([{ "minute": NOON / 60_000, "good": 1 }])),
                coverage: rows(json!([{ "json": json }])),
                ..BoardRows::default()
            };
            let mut unreadable = Unreadable::default();
            let mut board = Board::default();
            board.add(stored, &mut unreadable);
            assert_eq!(
                unreadable.to_string(),
                "rows that cannot be read are left out: 1 of coverage, 1 of isolates, 1 of sums"
            );
            let (metrics, _) = board.answer(Message::Metrics, NOON);
            let metrics = serde_json::to_value(metrics).expect("an answer is JSON");
            assert_eq!(metrics["metrics"]["requests"]["total"], 2);
            assert_eq!(board.answer(Message::Coverage, NOON).0, Answer::Coverage(None), "it is computed anew");
        }
    }
}
