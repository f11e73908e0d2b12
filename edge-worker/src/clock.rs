//! Access to the time.

use std::future::Future;

/// A clock with a timer.
pub trait Clock {
    /// Returns the milliseconds since the epoch.
    fn now_ms(&self) -> u64;

    /// Waits for `ms` milliseconds.
    fn pause(&self, ms: u64) -> impl Future<Output = ()>;
}
