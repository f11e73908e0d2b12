//! Sends the samples of an isolate.

use crate::platform::Platform;

/// Sends the samples of the isolate and returns whether all arrived. The rest is kept for the next call.
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
