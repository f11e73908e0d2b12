//! Measures what the service costs a request without the platform, with an engine over a dozen places and an object
//! that always starts from storage, both through their JSON.
//!
//! The test measures the processor time of the thread, not wall-clock time: on a busy machine other programs take the
//! core for milliseconds in more than one request in a hundred.

use std::time::Duration;

use cpu_time::ThreadTime;

use super::support::InMemory;

/// Requests: the 99th percentile is the fiftieth from above.
const REQUESTS: usize = 5_000;

/// 99 of 100 requests have to be cheaper, in an unoptimised build too.
const MOST: Duration = Duration::from_millis(1);

#[test]
fn a_request_costs_the_host_less_than_a_millisecond() {
    let platform = InMemory::new();
    let token = platform.token("localdemo");
    let cost = |_| {
        let start = ThreadTime::now();
        let response = platform.send_as(&token, "GET /v1/geocoding/autocomplete?q=Par", "");
        let cost = start.elapsed();
        assert_eq!(response.status, 200);
        cost
    };
    let mut costs: Vec<Duration> = (0..REQUESTS).map(cost).collect();
    costs.sort_unstable();
    let (half, late, most) = (costs[REQUESTS / 2], costs[REQUESTS * 99 / 100], costs[REQUESTS - 1]);
    println!("processor time of a request: p50 {half:?}, p99 {late:?}, most {most:?}");
    assert!(late < MOST, "99 of 100 requests take up to {late:?}");
}
