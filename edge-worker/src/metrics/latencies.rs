//! Histograms of latencies with logarithmic steps: they can be added, and quantiles are accurate to one percent.
//!
//! Stored and sent as pairs of a step's highest value and its count, so that most of a histogram takes no space.

use hdrhistogram::Histogram;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Least latency, milliseconds (section 2.9 of the interface).
pub const MIN_MS: u64 = 1;

/// Largest recorded latency, milliseconds: no request lives longer.
pub const MAX_MS: u64 = 60_000;

/// Significant digits: steps of less than one percent, of 1 ms below 256 ms.
const DIGITS: u8 = 2;

/// Counts of latencies.
#[derive(Clone, Debug, PartialEq)]
pub struct Latencies(Histogram<u32>);

impl Default for Latencies {
    fn default() -> Self {
        Self(Histogram::new_with_bounds(MIN_MS, MAX_MS, DIGITS).expect("the bounds and digits are in range"))
    }
}

impl Latencies {
    /// Counts one latency, clamped to [`MIN_MS`]..=[`MAX_MS`].
    pub fn record(&mut self, ms: u64) {
        self.record_n(ms, 1);
    }

    fn record_n(&mut self, ms: u64, count: u32) {
        self.0.saturating_record_n(ms.clamp(MIN_MS, MAX_MS), count);
    }

    /// Adds the counts of `other`.
    pub fn add(&mut self, other: &Self) {
        self.0.add(&other.0).expect("all histograms have the same bounds");
    }

    /// Returns the latency at `quantile` (0 to 1); [`MIN_MS`] if none was counted.
    pub fn quantile(&self, quantile: f64) -> u64 {
        self.0.value_at_quantile(quantile).clamp(MIN_MS, MAX_MS)
    }

    /// Counts the latencies in each step: above the end of the step before, if there is one, and up to its own in
    /// `steps_ms`. A latency that is above all steps counts in the last one.
    pub fn in_steps<const N: usize>(&self, steps_ms: [u64; N]) -> [u64; N] {
        let mut counts = [0; N];
        for step in self.0.iter_recorded() {
            let ms = self.0.lowest_equivalent(step.value_iterated_to());
            let at = steps_ms.partition_point(|end_ms| *end_ms < ms).min(N - 1);
            counts[at] += u64::from(step.count_at_value());
        }
        counts
    }

    /// Returns the number of counted latencies.
    pub fn len(&self) -> u64 {
        self.0.len()
    }

    /// Tells whether no latency was counted.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Latencies {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter_recorded().map(|step| (step.value_iterated_to(), step.count_at_value())))
    }
}

impl<'de> Deserialize<'de> for Latencies {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut latencies = Self::default();
        for (ms, count) in Vec::<(u64, u32)>::deserialize(deserializer)? {
            latencies.record_n(ms, count);
        }
        Ok(latencies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Generates deterministic numbers, spread like latencies: most are small, some are very large.
    fn samples(count: usize) -> Vec<u64> {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        (0..count).map(|_| (2.0 * (next() * 10.4).exp()) as u64).collect()
    }

    #[test]
    fn quantiles_are_right_to_one_percent() {
        let mut exact = samples(100_000);
        let mut latencies = Latencies::default();
        exact.iter().for_each(|&ms| latencies.record(ms));
        exact.sort_unstable();
        let mut worst = 0.0_f64;
        for thousandth in 1..=1_000 {
            let quantile = f64::from(thousandth) / 1_000.0;
            let rank = (quantile * exact.len() as f64).ceil() as usize;
            let expect = exact[rank - 1].clamp(MIN_MS, MAX_MS) as f64;
            worst = worst.max((latencies.quantile(quantile) as f64 - expect).abs() / expect);
        }
        println!("largest error of 1,000 quantiles over 100,000 samples: {:.3} %", worst * 100.0);
        assert!(worst <= 0.01, "{worst}");
    }

    #[test]
    fn small_values_are_exact() {
        let mut latencies = Latencies::default();
        assert_eq!((latencies.quantile(0.5), latencies.is_empty()), (1, true));
        [0, 7, 7, 99, u64::MAX].into_iter().for_each(|ms| latencies.record(ms));
        let check = |quantile: f64, expect| assert_eq!(latencies.quantile(quantile), expect, "{quantile}");
        check(0.0, 1);
        check(0.2, 1);
        check(0.5, 7);
        check(0.8, 99);
        check(1.0, MAX_MS);
    }

    #[test]
    fn steps_hold_every_latency_once() {
        let mut latencies = Latencies::default();
        [1, 2, 3, 5, 6, 500, 501, 502, 59_999, u64::MAX].into_iter().for_each(|ms| latencies.record(ms));
        // Of 500 and 501 ms a histogram knows no difference.
        assert_eq!(latencies.in_steps([1, 5, 500, 60_000]), [1, 3, 3, 3]);
        assert_eq!(latencies.in_steps([1, 5, 500]), [1, 3, 6]);
        let many = samples(10_000);
        let mut latencies = Latencies::default();
        many.iter().for_each(|&ms| latencies.record(ms));
        assert_eq!(latencies.in_steps(crate::metrics::metering::STEPS_MS).iter().sum::<u64>(), 10_000);
    }

    #[test]
    fn adding_is_the_same_as_counting_together() {
        let all = samples(8_000);
        let mut sum = Latencies::default();
        all.chunks(1_000).for_each(|part| sum.add(&count(part)));
        assert_eq!(sum, count(&all));
    }

    fn count(samples: &[u64]) -> Latencies {
        let mut latencies = Latencies::default();
        samples.iter().for_each(|&ms| latencies.record(ms));
        latencies
    }

    #[test]
    fn the_stored_form_is_pinned_and_loses_nothing() {
        let mut latencies = Latencies::default();
        [1, 1, 300, 301, 60_000].into_iter().for_each(|ms| latencies.record(ms));
        let stored = serde_json::to_string(&latencies).expect("pairs of numbers are JSON");
        assert_eq!(stored, "[[1,2],[301,2],[60159,1]]");
        assert_eq!(serde_json::from_str::<Latencies>(&stored).expect("it was just written"), latencies);
    }
}
