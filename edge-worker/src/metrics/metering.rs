//! The cost of metering: the time for which requests waited for the objects of their keys, the rest of their time, and
//! the units that were lost with leases.

use serde::{Deserialize, Serialize};

use super::latencies::Latencies;
use crate::durable::rows::is_default;

/// Upper ends of the steps in which `/sla-metrics/metering` shows histograms, milliseconds. The last one is that of
/// [`super::latencies::MAX_MS`].
pub const STEPS_MS: [u64; 11] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, super::latencies::MAX_MS];

/// Sums of samples.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Metering {
    /// Times that requests waited for the object of their key; only those that waited for it.
    #[serde(skip_serializing_if = "Latencies::is_empty")]
    pub object: Latencies,
    /// The rest of the time of all requests.
    #[serde(skip_serializing_if = "Latencies::is_empty")]
    pub rest: Latencies,
    /// Units of leases that no isolate reported.
    #[serde(skip_serializing_if = "is_default")]
    pub lost: u64,
}

impl Metering {
    /// Counts a request that took `ms` milliseconds, `waited_ms` of them for the object of its key if it was asked.
    pub fn record(&mut self, ms: u64, waited_ms: Option<u64>) {
        if let Some(waited_ms) = waited_ms {
            self.object.record(waited_ms);
        }
        self.rest.record(ms.saturating_sub(waited_ms.unwrap_or(0)));
    }

    /// Adds the counts of `other`.
    pub fn add(&mut self, other: &Self) {
        self.object.add(&other.object);
        self.rest.add(&other.rest);
        self.lost += other.lost;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_a_request_has_two_parts() {
        let mut metering = Metering::default();
        assert!(is_default(&metering));
        metering.record(30, Some(25));
        metering.record(4, None);
        // The clock stepped back.
        metering.record(0, Some(7));
        assert_eq!((metering.object.len(), quantiles(&metering.object)), (2, [7, 25]));
        assert_eq!((metering.rest.len(), quantiles(&metering.rest)), (3, [1, 5]));
        let mut sum = Metering { lost: 3, ..metering.clone() };
        sum.add(&Metering { lost: 4, ..metering.clone() });
        assert_eq!((sum.object.len(), sum.rest.len(), sum.lost), (4, 6, 7));
    }

    fn quantiles(latencies: &Latencies) -> [u64; 2] {
        [0.0, 1.0].map(|quantile| latencies.quantile(quantile))
    }
}
