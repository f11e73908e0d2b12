//! The rows that shards and the board store. Unreadable rows are skipped, as [`crate::durable::rows`] describes.

use serde::Deserialize;

use super::board::Board;
use super::bucket::Bucket;
use super::shard::{Last, Shard, Total};
use crate::durable::rows::Unreadable;

/// A total of a shard, stored by the board.
#[derive(Debug, Deserialize)]
pub struct TotalRow {
    bucket: u64,
    shard: String,
    sequence: u64,
    json: String,
}

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

/// The figures of coverage.
#[derive(Debug, Deserialize)]
pub struct CoverageRow {
    json: String,
}

/// Rows that the board stores.
#[derive(Debug, Default)]
pub struct BoardRows {
    /// By bucket and shard.
    pub totals: Vec<TotalRow>,
    /// By bucket.
    pub sums: Vec<SumRow>,
    /// By minute.
    pub probes: Vec<ProbeRow>,
    /// By hour.
    pub probed_hours: Vec<ProbedHourRow>,
    /// At most one.
    pub coverage: Vec<CoverageRow>,
}

impl Board {
    /// Adds what is stored in `rows`.
    pub fn add(&mut self, rows: BoardRows, unreadable: &mut Unreadable) {
        let total = |TotalRow { bucket, shard, sequence, json }: TotalRow| {
            serde_json::from_str(&json).map(|counts| ((Bucket(bucket), shard), Total { sequence, counts }))
        };
        let sum = |SumRow { bucket, json }: SumRow| serde_json::from_str(&json).map(|counts| (Bucket(bucket), counts));
        let coverage = rows.coverage.iter().map(|row| serde_json::from_str(&row.json));
        self.totals.extend(unreadable.leave_out("totals", rows.totals.into_iter().map(total)));
        self.sums.extend(unreadable.leave_out("sums", rows.sums.into_iter().map(sum)));
        self.probes.extend(rows.probes.into_iter().map(|row| (row.minute, row.good != 0)));
        self.probed_hours.extend(rows.probed_hours.into_iter().map(|row| (row.hour, row.good)));
        self.coverage = unreadable.leave_out("coverage", coverage).pop().or(self.coverage.take());
    }
}

/// A total of a shard, stored by the shard.
#[derive(Debug, Deserialize)]
pub struct ShardTotalRow {
    bucket: u64,
    sequence: u64,
    #[serde(rename = "told")]
    acknowledged: u64,
    json: String,
}

/// The last batch of an isolate.
#[derive(Debug, Deserialize)]
pub struct IsolateRow {
    id: String,
    sequence: u64,
    at: u64,
}

impl Shard {
    /// The shard that stored these rows.
    pub fn restore(totals: Vec<ShardTotalRow>, isolates: Vec<IsolateRow>, unreadable: &mut Unreadable) -> Self {
        let total = |ShardTotalRow { bucket, sequence, acknowledged, json }: ShardTotalRow| {
            serde_json::from_str(&json).map(|counts| (Bucket(bucket), Total { sequence, counts }, acknowledged))
        };
        let isolate =
            |IsolateRow { id, sequence, at }: IsolateRow| id.parse().map(|id: u64| (id, Last { sequence, at_ms: at }));
        let mut shard = Self::default();
        for (bucket, total, acknowledged) in unreadable.leave_out("totals", totals.into_iter().map(total)) {
            shard.totals.insert(bucket, total);
            shard.acknowledged.insert(bucket, acknowledged);
        }
        shard.last = unreadable.leave_out("isolates", isolates.into_iter().map(isolate)).into_iter().collect();
        shard
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
                totals: rows(json!([
                    { "bucket": noon, "shard": "a", "sequence": 1, "json": json },
                    { "bucket": noon, "shard": "b", "sequence": 1, "json": COUNTS },
                ])),
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
                "rows that cannot be read are left out: 1 of coverage, 1 of sums, 1 of totals"
            );
            let (metrics, _) = board.answer(Message::Metrics, NOON);
            let metrics = serde_json::to_value(metrics).expect("an answer is JSON");
            assert_eq!(metrics["metrics"]["requests"]["total"], 2);
            assert_eq!(board.answer(Message::Coverage, NOON).0, Answer::Coverage(None), "it is computed anew");
        }
    }

    #[test]
    fn a_shard_restores_all_readable_rows() {
        let totals = json!([
            { "bucket": 7, "sequence": 3, "told": 3, "json": "x" },
            { "bucket": 8, "sequence": 2, "told": 1, "json": COUNTS },
        ]);
        let isolates = json!([{ "id": "x", "sequence": 1, "at": NOON }, { "id": "9", "sequence": 4, "at": NOON }]);
        let mut unreadable = Unreadable::default();
        let shard = Shard::restore(rows(totals), rows(isolates), &mut unreadable);
        assert_eq!(unreadable.total(), 2);
        assert_eq!(shard.news().iter().map(|(bucket, _)| bucket.0).collect::<Vec<_>>(), [8]);
        assert_eq!(shard.last.keys().collect::<Vec<_>>(), [&9]);
    }
}
