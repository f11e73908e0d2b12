//! Measures what the status figures cost a request: `cargo run --release -p toponym-edge --example sample_cost`.
//!
//! Every request is counted. One request in four seconds also makes a batch, after its answer.

use std::hint::black_box;
use std::time::{Duration, Instant};

use toponym_edge::metrics::tally::Tally;

/// 2026-11-20T12:00:00Z.
const NOON: u64 = 1_795_176_000_000;

const REQUESTS: u32 = 10_000_000;

const BATCHES: u32 = 1_000;

/// Samples in a batch of a busy isolate.
const PER_BATCH: u64 = 4_000;

fn main() {
    let mut tally = Tally::default();
    let counted = time(REQUESTS, |n| {
        let start_ms = NOON + n / 1_000;
        tally.record(200, start_ms, start_ms + n % 900);
        black_box(tally.wants_flush(start_ms));
    });
    println!("counting one request: {counted:?}");
    let mut sent = Duration::ZERO;
    for _ in 0..BATCHES {
        (0..PER_BATCH).for_each(|n| tally.record(200, NOON, NOON + n % 900));
        sent += time(1, |_| {
            let batch = tally.batch(|| 1, NOON).expect("there are samples");
            black_box(serde_json::to_string(&batch).expect("a batch is JSON"));
            tally.acknowledge(batch.sequence);
        });
    }
    println!("making a batch of {PER_BATCH} samples: {:?}", sent / BATCHES);
}

fn time(times: u32, mut work: impl FnMut(u64)) -> Duration {
    let start = Instant::now();
    (0..u64::from(times)).for_each(&mut work);
    start.elapsed() / times
}
