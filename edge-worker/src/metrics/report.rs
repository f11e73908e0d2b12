//! The bodies of `/sla-metrics` and `/sla-history` (sections 2.9 and 2.10 of the interface), and of
//! `/sla-metrics/metering`.
//!
//! - A request failed if its answer was 5xx. A 4xx is the caller's error.
//! - Uptime is the share of minutes since the first probe whose probe succeeded. Before it, uptime is the success
//!   rate.

use serde::{Deserialize, Serialize};

use super::bucket::{Bucket, DAY, HOUR, WINDOW};
use super::counts::{Counts, percentage, rest};
use super::latencies::Latencies;
use super::metering::STEPS_MS;
use crate::meter::month::iso_instant;

/// The body of `/sla-metrics`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SlaMetrics {
    period: String,
    window: String,
    latency: Latency,
    requests: Requests,
    availability: Availability,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Latency {
    p50: u64,
    p95: u64,
    p99: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Requests {
    total: u64,
    success_rate: f64,
    error_rate: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Availability {
    uptime: f64,
}

/// The body of `/sla-metrics/metering`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SlaMetering {
    period: String,
    /// Waiting for the object of the key.
    object: Part,
    /// The rest of the time.
    rest: Part,
    histogram: Vec<Step>,
    lost_units: u64,
}

/// A part of the time of requests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Part {
    /// Requests that have this part.
    requests: u64,
    latency: Latency,
}

/// Numbers of requests in one step of the histogram.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Step {
    up_to_ms: u64,
    object: u64,
    rest: u64,
}

/// The body of `/sla-history`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SlaHistory {
    period: String,
    window: String,
    points: Vec<Point>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Point {
    timestamp: String,
    p95: u64,
    success_rate: f64,
}

/// The last points of a history, in the form of `/sla-history`.
#[derive(Debug, Serialize)]
pub struct Last<'h> {
    period: String,
    window: &'h str,
    points: &'h [Point],
}

impl SlaHistory {
    /// Returns the last `hours` of the history at `now_ms`.
    pub fn last(&self, hours: u64, now_ms: u64) -> Last<'_> {
        let first = iso_instant(Bucket::of(now_ms).first_of(hours * HOUR).start_ms());
        // Instants in this format sort like their texts.
        let at = self.points.partition_point(|point| point.timestamp < first);
        Last { period: period(hours), window: &self.window, points: &self.points[at..] }
    }
}

/// The minutes of a period that were probed, or should have been.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Probes {
    /// Minutes in all.
    pub total: u64,
    /// Minutes whose probe found the service working.
    pub good: u64,
}

/// Returns the figures of the last day, from its counts and probes.
pub fn metrics(counts: &Counts, probes: Probes) -> SlaMetrics {
    let success_rate = counts.success_rate();
    let uptime = if probes.total > 0 { percentage(probes.good, probes.total) } else { success_rate };
    SlaMetrics {
        period: period(DAY / HOUR),
        window: WINDOW.into(),
        latency: latency(&counts.latencies),
        requests: Requests { total: counts.total(), success_rate, error_rate: rest(success_rate) },
        availability: Availability { uptime },
    }
}

/// Returns what metering cost on the last day, from its counts.
pub fn metering(counts: &Counts) -> SlaMetering {
    let object = &counts.metering.object;
    let rest = &counts.metering.rest;
    let numbers = object.in_steps(STEPS_MS).into_iter().zip(rest.in_steps(STEPS_MS));
    let steps = STEPS_MS.into_iter().zip(numbers);
    SlaMetering {
        period: period(DAY / HOUR),
        object: part_of(object),
        rest: part_of(rest),
        histogram: steps.map(|(up_to_ms, (object, rest))| Step { up_to_ms, object, rest }).collect(),
        lost_units: counts.metering.lost,
    }
}

fn part_of(latencies: &Latencies) -> Part {
    Part { requests: latencies.len(), latency: latency(latencies) }
}

fn latency(latencies: &Latencies) -> Latency {
    Latency { p50: latencies.quantile(0.5), p95: latencies.quantile(0.95), p99: latencies.quantile(0.99) }
}

/// Returns the points of the last `hours`, the oldest first. A bucket without requests has none.
pub fn history<'c>(hours: u64, buckets: impl Iterator<Item = (Bucket, &'c Counts)>) -> SlaHistory {
    let points = buckets.filter(|(_, counts)| counts.total() > 0).map(|(bucket, counts)| Point {
        timestamp: iso_instant(bucket.start_ms()),
        p95: counts.latencies.quantile(0.95),
        success_rate: counts.success_rate(),
    });
    SlaHistory { period: period(hours), window: WINDOW.into(), points: points.collect() }
}

fn period(hours: u64) -> String {
    format!("last_{hours}h")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(value: &impl Serialize, expect: &str) {
        assert_eq!(serde_json::to_string(value).expect("figures are JSON"), expect);
    }

    #[test]
    fn without_traffic() {
        check(
            &metrics(&Counts::default(), Probes::default()),
            concat!(
                r#"{"period":"last_24h","window":"5m","latency":{"p50":1,"p95":1,"p99":1},"#,
                r#""requests":{"total":0,"successRate":100.0,"errorRate":0.0},"availability":{"uptime":100.0}}"#
            ),
        );
        check(&history(48, std::iter::empty()), r#"{"period":"last_48h","window":"5m","points":[]}"#);
    }

    #[test]
    fn with_traffic() {
        let mut counts = Counts::default();
        (1..=199).for_each(|ms| counts.record(200, ms));
        counts.record(503, 200);
        check(
            &metrics(&counts, Probes { total: 3, good: 2 }),
            concat!(
                r#"{"period":"last_24h","window":"5m","latency":{"p50":100,"p95":190,"p99":198},"#,
                r#""requests":{"total":200,"successRate":99.5,"errorRate":0.5},"availability":{"uptime":66.666}}"#
            ),
        );
        let buckets = [(Bucket(5_983_920), &counts), (Bucket(5_983_921), &Counts::default())];
        check(
            &history(1, buckets.into_iter()),
            concat!(
                r#"{"period":"last_1h","window":"5m","points":["#,
                r#"{"timestamp":"2026-11-20T12:00:00.000Z","p95":190,"successRate":99.5}]}"#
            ),
        );
    }

    #[test]
    fn what_metering_costs() {
        let mut counts = Counts::default();
        for (ms, waited_ms) in [(31, Some(30)), (150, Some(140)), (1, None), (0, None)] {
            counts.metering.record(ms, waited_ms);
        }
        counts.metering.lost = 9;
        let shown = serde_json::to_value(metering(&counts)).expect("figures are JSON");
        assert_eq!((&shown["object"], &shown["rest"]), (&part_json(2, 30, 140), &part_json(4, 1, 10)));
        assert_eq!((&shown["period"], &shown["lostUnits"]), (&json!("last_24h"), &json!(9)));
        let steps = shown["histogram"].as_array().expect("steps");
        let held = |part: &str| -> Vec<(u64, u64)> {
            let all = steps.iter().map(|step| (number(step, "upToMs"), number(step, part)));
            all.filter(|(_, requests)| *requests > 0).collect()
        };
        assert_eq!((steps.len(), held("object"), held("rest")), (11, vec![(50, 1), (200, 1)], vec![(1, 3), (10, 1)]));
        assert_eq!(metering(&Counts::default()).object.latency.p99, 1, "as in /sla-metrics");
    }

    fn number(step: &serde_json::Value, name: &str) -> u64 {
        step[name].as_u64().expect("a number")
    }

    fn part_json(requests: u64, p50: u64, most: u64) -> serde_json::Value {
        let latency = json!({ "p50": p50, "p95": most, "p99": most });
        json!({ "requests": requests, "latency": latency })
    }

    #[test]
    fn a_shorter_history_ends_the_longest() {
        let mut counts = Counts::default();
        counts.record(200, 1);
        let noon = Bucket(5_983_920);
        for hours in [1, 2, 24, 47, 168] {
            for offset in [0, 1, 11, 12, 13, 24, 600, 2_015, 2_016] {
                let buckets = [noon.first_of(offset + 1), noon];
                let of = |hours: u64| {
                    let kept = buckets.into_iter().filter(|bucket| *bucket >= noon.first_of(hours * HOUR));
                    history(hours, kept.map(|bucket| (bucket, &counts)))
                };
                let longest = of(168);
                let expect = of(hours);
                let last = longest.last(hours, noon.start_ms());
                check(&last, &serde_json::to_string(&expect).expect("figures are JSON"));
            }
        }
    }

    #[test]
    fn without_probes_uptime_is_the_success_rate() {
        let mut counts = Counts::default();
        counts.record(200, 1);
        counts.record(500, 1);
        assert_eq!(metrics(&counts, Probes::default()).availability.uptime, 50.0);
        assert_eq!(metrics(&counts, Probes { total: 1, good: 1 }).availability.uptime, 100.0);
    }
}
