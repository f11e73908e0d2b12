//! Counts of requests by outcome, with their latencies.

use serde::{Deserialize, Serialize};

use super::latencies::Latencies;
use super::metering::Metering;
use crate::durable::rows::is_default;

/// Sums of samples.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Counts {
    /// Answered below 400.
    pub good: u64,
    /// Answered 4xx: not a failure of the service.
    pub refused: u64,
    /// Answered 5xx.
    pub failed: u64,
    /// Latencies of all requests.
    pub latencies: Latencies,
    /// Cost that metering added to the requests. Earlier versions did not count it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub metering: Metering,
}

impl Counts {
    /// Counts one request.
    pub fn record(&mut self, status: u16, ms: u64) {
        *match status {
            ..400 => &mut self.good,
            400..500 => &mut self.refused,
            500.. => &mut self.failed,
        } += 1;
        self.latencies.record(ms);
    }

    /// Adds the counts of `other`.
    pub fn add(&mut self, other: &Self) {
        self.good += other.good;
        self.refused += other.refused;
        self.failed += other.failed;
        self.latencies.add(&other.latencies);
        self.metering.add(&other.metering);
    }

    /// Returns the number of all requests.
    pub fn total(&self) -> u64 {
        self.good + self.refused + self.failed
    }

    /// Returns the percentage of requests that did not fail, 100 without requests, rounded down: 100 means no failure.
    pub fn success_rate(&self) -> f64 {
        percentage(self.total() - self.failed, self.total())
    }
}

/// Decimals of a percentage, as a factor.
const PRECISION: f64 = 1_000.0;

/// Returns `part` of `whole` in percent with three decimals, rounded down; 100 if `whole` is 0.
pub fn percentage(part: u64, whole: u64) -> f64 {
    if part == whole {
        return 100.0;
    }
    (part as f64 / whole as f64 * 100.0 * PRECISION).floor() / PRECISION
}

/// Returns the difference between `percentage` and 100.
pub fn rest(percentage: f64) -> f64 {
    ((100.0 - percentage) * PRECISION).round() / PRECISION
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_and_rates() {
        let mut counts = Counts::default();
        assert_eq!((counts.total(), counts.success_rate()), (0, 100.0));
        [200, 204, 304, 400, 404, 429, 500, 503].into_iter().for_each(|status| counts.record(status, 5));
        assert_eq!((counts.good, counts.refused, counts.failed), (3, 3, 2));
        assert_eq!((counts.success_rate(), counts.latencies.len()), (75.0, 8));
    }

    #[test]
    fn percentages() {
        check(0, 0, (100.0, 0.0));
        check(0, 3, (0.0, 100.0));
        check(2, 3, (66.666, 33.334));
        check(9_999_999, 10_000_000, (99.999, 0.001));
    }

    fn check(part: u64, whole: u64, expect: (f64, f64)) {
        assert_eq!((percentage(part, whole), rest(percentage(part, whole))), expect);
    }
}
