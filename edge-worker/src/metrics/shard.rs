//! A shard: one of the objects that add up the batches of isolates. It reports its totals to the board.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::bucket::{Bucket, HOUR};
use super::counts::Counts;
use super::tally::{Batch, MAX_BUCKETS};

/// How long after a batch the shard reports to the board, milliseconds.
pub const REPORT_AFTER_MS: u64 = 5_000;

/// How long after a failure it retries, milliseconds.
pub const RETRY_AFTER_MS: u64 = 30_000;

/// Buckets that a shard keeps: longer than an isolate keeps one, so that no total ever restarts, and long enough for the
/// board to recover.
pub const KEPT: u64 = 2 * HOUR;

/// How long a shard remembers the number of an isolate's last batch, milliseconds: longer than the isolate would resend it.
const ISOLATE_MS: u64 = 2 * 60 * 60 * 1_000;

/// The counts of one shard for one bucket so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Total {
    /// Increases with every change. A higher number replaces a lower one.
    pub sequence: u64,
    /// All samples so far.
    pub counts: Counts,
}

/// The last batch of an isolate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Last {
    /// Its number.
    pub sequence: u64,
    /// When it arrived, milliseconds since the epoch.
    pub at_ms: u64,
}

/// The state of a shard.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shard {
    /// By bucket.
    pub totals: BTreeMap<Bucket, Total>,
    /// By isolate.
    pub last: BTreeMap<u64, Last>,
    /// The sequence of the last total of each bucket that the board has taken.
    pub acknowledged: BTreeMap<Bucket, u64>,
}

impl Shard {
    /// Takes a batch, unless it was taken before. Returns the changed buckets.
    pub fn take(&mut self, batch: Batch, now_ms: u64) -> Vec<Bucket> {
        if self.last.get(&batch.isolate).is_some_and(|last| batch.sequence <= last.sequence) {
            return Vec::new();
        }
        self.last.insert(batch.isolate, Last { sequence: batch.sequence, at_ms: now_ms });
        // One bucket more than isolates keep, because the batch may have been delayed on its way.
        let oldest = Bucket::of(now_ms).first_of(MAX_BUCKETS + 1);
        let young = batch.counts.into_iter().filter(|(bucket, _)| *bucket >= oldest);
        young.map(|(bucket, counts)| self.add(bucket, &counts)).collect()
    }

    fn add(&mut self, bucket: Bucket, counts: &Counts) -> Bucket {
        let total = self.totals.entry(bucket).or_default();
        total.sequence += 1;
        total.counts.add(counts);
        bucket
    }

    /// The totals that the board does not have yet.
    pub fn news(&self) -> Vec<(Bucket, Total)> {
        let unknown = |(bucket, total): &(&Bucket, &Total)| self.acknowledged.get(bucket) != Some(&total.sequence);
        self.totals.iter().filter(unknown).map(|(bucket, total)| (*bucket, total.clone())).collect()
    }

    /// Notes that the board has taken these totals.
    pub fn acknowledge(&mut self, news: &[(Bucket, Total)]) {
        self.acknowledged.extend(news.iter().map(|(bucket, total)| (*bucket, total.sequence)));
    }

    /// Drops what is too old to change. Returns the first remaining bucket, and the instant before which isolates were
    /// dropped.
    pub fn forget(&mut self, now_ms: u64) -> (Bucket, u64) {
        let (oldest, gone_ms) = (Bucket::of(now_ms).first_of(KEPT), now_ms.saturating_sub(ISOLATE_MS));
        self.totals.retain(|bucket, _| *bucket >= oldest);
        self.acknowledged.retain(|bucket, _| *bucket >= oldest);
        self.last.retain(|_, last| last.at_ms >= gone_ms);
        (oldest, gone_ms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: u64 = 1_795_176_000_000;

    fn batch(isolate: u64, sequence: u64, at_ms: u64) -> Batch {
        let mut counts = Counts::default();
        counts.record(200, 5);
        Batch { isolate, sequence, counts: vec![(Bucket::of(at_ms), counts)] }
    }

    #[test]
    fn a_batch_counts_once() {
        let mut shard = Shard::default();
        assert_eq!(shard.take(batch(1, 1, NOON), NOON), [Bucket::of(NOON)]);
        assert_eq!(shard.take(batch(1, 1, NOON), NOON), []);
        assert_eq!(shard.take(batch(2, 1, NOON), NOON), [Bucket::of(NOON)]);
        assert_eq!(shard.take(batch(1, 2, NOON), NOON), [Bucket::of(NOON)]);
        let total = &shard.totals[&Bucket::of(NOON)];
        assert_eq!((total.sequence, total.counts.total()), (3, 3));
    }

    #[test]
    fn only_changed_totals_are_reported() {
        let mut shard = Shard::default();
        shard.take(batch(1, 1, NOON), NOON);
        let news = shard.news();
        assert_eq!(news.len(), 1);
        shard.take(batch(1, 2, NOON), NOON);
        shard.acknowledge(&news);
        assert_eq!(shard.news()[0].1.counts.total(), 2, "samples during a report are in the next one");
        shard.acknowledge(&shard.news());
        assert_eq!(shard.news(), []);
    }

    #[test]
    fn a_bucket_that_was_forgotten_does_not_start_anew() {
        let mut shard = Shard::default();
        shard.take(batch(1, 1, NOON), NOON);
        let later = NOON + 2 * 3_600_000;
        shard.forget(later);
        assert_eq!(shard, Shard { last: shard.last.clone(), ..Shard::default() });
        assert_eq!(shard.take(batch(2, 1, NOON), later), []);
        shard.forget(later + ISOLATE_MS + 1);
        assert_eq!(shard, Shard::default());
    }
}
