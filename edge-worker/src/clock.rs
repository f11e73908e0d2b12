//! Time, as the service sees it.

use std::future::Future;

/// Tells the time, and waits.
pub trait Clock {
    /// Milliseconds since the epoch.
    fn now_ms(&self) -> u64;

    /// Waits for `ms` milliseconds.
    fn pause(&self, ms: u64) -> impl Future<Output = ()>;
}
