//! Buckets of five minutes, over which samples are added up.

use serde::{Deserialize, Serialize};

/// Length of a bucket, milliseconds.
pub const BUCKET_MS: u64 = 5 * 60 * 1_000;

/// [`BUCKET_MS`] in the notation of the contract.
pub const WINDOW: &str = "5m";

/// Buckets of an hour.
pub const HOUR: u64 = 12;

/// Buckets of a day.
pub const DAY: u64 = 24 * HOUR;

/// Buckets that the board keeps: seven days, the longest history that a caller can request.
pub const KEPT: u64 = 7 * DAY;

/// A bucket, by its number since the epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Bucket(pub u64);

impl Bucket {
    /// Returns the bucket of an instant, milliseconds since the epoch.
    pub fn of(ms: u64) -> Self {
        Self(ms / BUCKET_MS)
    }

    /// Returns the start of the bucket, milliseconds since the epoch.
    pub fn start_ms(self) -> u64 {
        self.0.saturating_mul(BUCKET_MS)
    }

    /// Returns the first of the `count` buckets that end with this one.
    pub fn first_of(self, count: u64) -> Self {
        Self(self.0.saturating_add(1).saturating_sub(count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges() {
        let noon = 1_795_176_000_000;
        assert_eq!(Bucket::of(noon).start_ms(), noon);
        assert_eq!(Bucket::of(noon - 1).start_ms(), noon - BUCKET_MS);
        assert_eq!(Bucket::of(noon).first_of(1), Bucket::of(noon));
        assert_eq!(Bucket::of(noon).first_of(DAY).start_ms(), noon - 86_400_000 + BUCKET_MS);
        assert_eq!(Bucket(3).first_of(9), Bucket(0));
        // Stored numbers may be damaged.
        assert_eq!((Bucket(u64::MAX).start_ms(), Bucket(u64::MAX).first_of(1)), (u64::MAX, Bucket(u64::MAX - 1)));
    }
}
