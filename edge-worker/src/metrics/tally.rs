//! The samples of an isolate that it has not sent yet.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::bucket::{Bucket, HOUR};
use super::counts::Counts;

/// Time from the first sample until the isolate sends, milliseconds: a thousand isolates are fifty messages a second for the one
/// board, and the platform lets work that continues after a response go on for 30 s.
pub const FLUSH_AFTER_MS: u64 = 20_000;

/// After this time, milliseconds, a scheduled flush that has not run ended with its request: the platform stops work that
/// continues after a response after 30 s.
const PROMISE_MS: u64 = 40_000;

/// Buckets that an isolate keeps while the board does not answer.
pub const MAX_BUCKETS: u64 = HOUR;

/// Samples of one isolate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Batch {
    /// Random number of the isolate.
    pub isolate: u64,
    /// Increases with every batch of the isolate. A batch that is sent again keeps its number.
    pub sequence: u64,
    /// The counts by bucket.
    pub counts: Vec<(Bucket, Counts)>,
}

/// The samples of an isolate.
#[derive(Debug, Default)]
pub struct Tally {
    counts: BTreeMap<Bucket, Counts>,
    /// A batch that was sent but not acknowledged.
    in_doubt: Option<Batch>,
    /// Generated with the first batch: an isolate has no random numbers before its first request.
    isolate: Option<u64>,
    sequence: u64,
    promised_ms: Option<u64>,
}

impl Tally {
    /// Counts a request that arrived at `start_ms` and was answered at `end_ms`.
    pub fn record(&mut self, status: u16, start_ms: u64, end_ms: u64) {
        self.counts.entry(Bucket::of(end_ms)).or_default().record(status, end_ms.saturating_sub(start_ms));
    }

    /// Counts the parts of that request's time: `waited_ms` of it for the object of its key, if it was asked.
    pub fn record_metering(&mut self, waited_ms: Option<u64>, start_ms: u64, end_ms: u64) {
        let counts = self.counts.entry(Bucket::of(end_ms)).or_default();
        counts.metering.record(end_ms.saturating_sub(start_ms), waited_ms);
    }

    /// Counts units of leases that no isolate reported.
    pub fn lose(&mut self, units: u64, now_ms: u64) {
        if units > 0 {
            self.counts.entry(Bucket::of(now_ms)).or_default().metering.lost += units;
        }
    }

    /// Tells whether there is nothing to send.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty() && self.in_doubt.is_none()
    }

    /// Returns the sum of all samples without an acknowledgement.
    pub fn pending_counts(&self) -> Counts {
        let mut sum = Counts::default();
        let in_doubt = self.in_doubt.iter().flat_map(|batch| batch.counts.iter().map(|(_, counts)| counts));
        self.counts.values().chain(in_doubt).for_each(|counts| sum.add(counts));
        sum
    }

    /// Tells whether the caller must flush in [`FLUSH_AFTER_MS`], because there are samples and no flush is scheduled.
    pub fn wants_flush(&mut self, now_ms: u64) -> bool {
        let is_promised = self.promised_ms.is_some_and(|promised_ms| now_ms < promised_ms + PROMISE_MS);
        if is_promised || self.is_empty() {
            return false;
        }
        self.promised_ms = Some(now_ms);
        true
    }

    /// Notes that the scheduled flush has ended.
    pub fn end_flush(&mut self) {
        self.promised_ms = None;
    }

    /// Returns the next batch to send: the unacknowledged one again, or else all samples since.
    pub fn batch(&mut self, random: impl FnOnce() -> u64, now_ms: u64) -> Option<Batch> {
        if self.in_doubt.is_none() && !self.counts.is_empty() {
            let oldest = Bucket::of(now_ms).first_of(MAX_BUCKETS);
            let counts = std::mem::take(&mut self.counts).into_iter().filter(|(bucket, _)| *bucket >= oldest);
            self.sequence += 1;
            let isolate = *self.isolate.get_or_insert_with(random);
            self.in_doubt = Some(Batch { isolate, sequence: self.sequence, counts: counts.collect() });
        }
        self.in_doubt.clone()
    }

    /// Notes that the batch with this number has arrived.
    pub fn acknowledge(&mut self, sequence: u64) {
        self.in_doubt.take_if(|batch| batch.sequence == sequence);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: u64 = 1_795_176_000_000;

    fn totals(batch: &Batch) -> Vec<(u64, u64)> {
        let noon = Bucket::of(NOON).0;
        batch.counts.iter().map(|(bucket, counts)| (bucket.0 - noon, counts.total())).collect()
    }

    #[test]
    fn a_batch_stays_the_same_until_it_arrives() {
        let mut tally = Tally::default();
        assert_eq!(tally.batch(|| 9, NOON), None);
        tally.record(200, NOON, NOON + 5);
        tally.record(200, NOON + 299_999, NOON + 300_001);
        let first = tally.batch(|| 11, NOON).expect("there are samples");
        assert_eq!((first.isolate, first.sequence, totals(&first)), (11, 1, vec![(0, 1), (1, 1)]));
        tally.record(200, NOON, NOON);
        assert_eq!(tally.batch(|| 12, NOON), Some(first));
        tally.acknowledge(7);
        assert!(
            tally.batch(|| 12, NOON).is_some_and(|batch| batch.sequence == 1),
            "another number acknowledges nothing"
        );
        tally.acknowledge(1);
        let second = tally.batch(|| 12, NOON).expect("a sample came meanwhile");
        assert_eq!((second.isolate, second.sequence, totals(&second)), (11, 2, vec![(0, 1)]));
        tally.acknowledge(2);
        assert!(tally.is_empty());
    }

    #[test]
    fn one_request_at_a_time_promises_a_flush() {
        let mut tally = Tally::default();
        assert!(!tally.wants_flush(NOON), "there is nothing to send");
        tally.record(200, NOON, NOON);
        assert!(tally.wants_flush(NOON));
        assert!(!tally.wants_flush(NOON + 1));
        assert!(tally.wants_flush(NOON + PROMISE_MS), "a broken promise is made again");
        tally.end_flush();
        assert!(tally.wants_flush(NOON + PROMISE_MS + 1));
    }

    #[test]
    fn a_batch_older_than_an_hour_is_dropped() {
        let mut tally = Tally::default();
        tally.record(200, NOON, NOON);
        tally.record(200, NOON, NOON + 3_600_000);
        let batch = tally.batch(|| 1, NOON + 3_600_000).expect("one sample is young");
        assert_eq!(totals(&batch), [(12, 1)]);
    }
}
