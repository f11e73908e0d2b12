//! Sends the samples of an isolate to the board.

use super::board::Message;
use crate::platform::Platform;

/// Sends the samples of the isolate and returns whether all arrived. The next call sends the rest.
pub async fn flush<P: Platform>(platform: &P) -> bool {
    let tally = &platform.memory().tally;
    // First a batch that may not have arrived, then the samples since.
    for _ in 0..2 {
        let batch = tally.borrow_mut().batch(|| u64::from_le_bytes(platform.random()), platform.now_ms());
        let Some(batch) = batch else { return true };
        let sequence = batch.sequence;
        if platform.board(Message::Samples(batch)).await.is_err() {
            return false;
        }
        tally.borrow_mut().acknowledge(sequence);
    }
    tally.borrow().is_empty()
}
