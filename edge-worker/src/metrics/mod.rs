//! What the status endpoints show, from sample to figure. All of it is pure; the objects that store it are in
//! [`crate::durable`].
//!
//! ```text
//! request ─> Tally (isolate) ─ every 4 s ─> Shard (one of 8 objects) ─ alarm ─> Board (one object) ─> /sla-*
//! ```
//!
//! - A sample is a request to one of the four geocoding routes: its status, and the milliseconds to its answer, the reply
//!   of the key's object included. The platform's clock stands still during computation, so that time without I/O counts
//!   as the least value of 1 ms.
//! - No request waits for any of this, and none fails by it.
//! - Nothing counts twice: a batch has a number in its isolate, and is taken once; a shard tells the board its total of a
//!   bucket so far, numbered, and a newer total replaces an older one.
//! - What an isolate has not sent dies with it: 5 seconds of its samples at most.

pub mod board;
pub mod bucket;
pub mod counts;
pub mod latencies;
pub mod memo;
pub mod report;
pub mod rows;
pub mod shard;
pub mod shared;
pub mod tally;

use crate::platform::Platform;

/// How many objects share the writes of all isolates: one takes some 200 batches a second, enough for 800 isolates.
pub const SHARDS: u8 = 8;

/// Sends what the isolate has gathered; whether all of it arrived. What did not stays for the next call.
pub async fn flush<P: Platform>(platform: &P) -> bool {
    let tally = &platform.memory().tally;
    // A batch that was in doubt first, then the samples since.
    for _ in 0..2 {
        let batch = tally.borrow_mut().batch(|| u64::from_le_bytes(platform.random()), platform.now_ms());
        let Some(batch) = batch else { return true };
        if platform.tell_shard(batch.shard(), &batch).await.is_err() {
            return false;
        }
        tally.borrow_mut().acknowledge(batch.sequence);
    }
    tally.borrow().is_empty()
}
