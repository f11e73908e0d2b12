//! Tests the public status endpoints: figures that follow from requests, and their responses when an object fails.

use std::task::Poll;

use serde_json::{Value, json};
use toponym_edge::durable::message::Command;
use toponym_edge::error::Failure;
use toponym_edge::meter::plan::Plan;
use toponym_edge::metrics::bucket::BUCKET_MS;
use toponym_edge::metrics::tally::FLUSH_AFTER_MS;
use toponym_edge::response::Response;
use toponym_edge::routes::{coverage, health};
use toponym_edge::{Platform, handle, router};

use super::support::{InMemory, NOON, json_of, poll, request, run};

const FORWARD: &str = "GET /v1/geocoding/forward?query=Paris";

/// Longer than any answer of the status endpoints holds in an isolate.
const LATER_MS: u64 = 60_001;

fn figures(platform: &InMemory, path: &str) -> Value {
    let response = platform.send(&format!("GET {path}"), "");
    assert_eq!(response.status, 200, "{path}");
    json_of(&response)
}

fn unavailable(response: &Response) {
    assert_eq!((response.status, response.header("cache-control")), (503, Some("no-store")));
    assert_eq!(json_of(response)["message"], "Service temporarily unavailable");
}

fn age(platform: &InMemory, ms: u64) {
    platform.clock.set(platform.clock.get() + ms);
}

#[test]
fn without_traffic() {
    let platform = InMemory::new();
    let expect = json!({
        "period": "last_24h",
        "window": "5m",
        "latency": { "p50": 1, "p95": 1, "p99": 1 },
        "requests": { "total": 0, "successRate": 100.0, "errorRate": 0.0 },
        "availability": { "uptime": 100.0 },
    });
    assert_eq!(figures(&platform, "/sla-metrics"), expect);
    let expect = json!({ "period": "last_24h", "window": "5m", "points": [] });
    assert_eq!(figures(&platform, "/sla-history"), expect);
}

#[test]
fn genuine_geocoding_requests_are_samples() {
    let platform = InMemory::new();
    let token = platform.token("localdemo");
    let count = |line: &str, body: &str, expect: u16| {
        assert_eq!(platform.send_as(&token, line, body).status, expect, "{line}");
    };
    count(FORWARD, "", 200);
    count(&FORWARD.replace("GET", "HEAD"), "", 200);
    count("GET /v1/geocoding/autocomplete/?q=Par", "", 200);
    count("GET /v1/geocoding/reverse?lat=0&lon=-140", "", 404);
    count("POST /v1/geocoding/batch", r#"{"queries":["Paris"]}"#, 200);
    count("POST /v1/geocoding/batch", "", 400);
    // A lease has ended.
    age(&platform, 1_000);
    platform.reachable.set(false);
    count(FORWARD, "", 503);
    platform.reachable.set(true);
    // The demo key leases: after a failure its object is not asked for a second.
    age(&platform, 1_000);
    platform.defect.set(true);
    count(FORWARD, "", 500);
    platform.defect.set(false);
    assert!(platform.settle());
    let requests = figures(&platform, "/sla-metrics")["requests"].take();
    assert_eq!(requests, json!({ "total": 8, "successRate": 75.0, "errorRate": 25.0 }));
    let points = figures(&platform, "/sla-history?hours=1")["points"].take();
    assert_eq!(points, json!([{ "timestamp": "2026-11-20T12:00:00.000Z", "p95": 1, "successRate": 75.0 }]));
}

/// Checks that a Growth key asks its object about each request, a key that leases hardly ever.
#[test]
fn time_of_objects_is_counted_apart() {
    let platform = InMemory::new();
    let nothing = json!({ "requests": 0, "latency": { "p50": 1, "p95": 1, "p99": 1 } });
    let before = metering_figures(&platform);
    assert_eq!((&before["object"], &before["rest"], &before["lostUnits"]), (&nothing, &nothing, &json!(0)));
    platform.create("small", Plan::Growth, |_| {});
    let token = platform.token("small");
    platform.slow.set(true);
    let headers = [("authorization", format!("Bearer {token}"))];
    let headers = headers.each_ref().map(|(name, value)| (*name, value.as_str()));
    let mut slow = Box::pin(handle(&platform, request(FORWARD, &headers, "")));
    assert!(poll(slow.as_mut()).is_pending());
    age(&platform, 40);
    platform.slow.set(false);
    assert!(matches!(poll(slow.as_mut()), Poll::Ready(response) if response.status == 200));
    let once = metering_figures(&platform);
    assert_eq!((&once["object"], &once["rest"]), (&part(1, 40), &part(1, 1)));
    assert_eq!(once["histogram"][5], json!({ "upToMs": 50, "object": 1, "rest": 0 }));
    let leasing = platform.token("localdemo");
    (0..100).for_each(|_| assert_eq!(platform.send_as(&leasing, FORWARD, "").status, 200));
    let both = metering_figures(&platform);
    assert_eq!(both["rest"]["requests"], 101);
    assert!(both["object"]["requests"].as_u64().is_some_and(|requests| requests < 20), "{both}");
    let cached = platform.send("GET /sla-metrics/metering", "");
    assert_eq!(cached.header("cache-control"), Some("public, max-age=15"));
    platform.board_answers.set(false);
    age(&platform, LATER_MS);
    unavailable(&platform.send("GET /sla-metrics/metering", ""));
}

fn part(requests: u64, ms: u64) -> Value {
    json!({ "requests": requests, "latency": { "p50": ms, "p95": ms, "p99": ms } })
}

fn metering_figures(platform: &InMemory) -> Value {
    age(platform, 16_000);
    platform.settle();
    figures(platform, "/sla-metrics/metering")
}

#[test]
fn nobody_moves_the_figures_without_a_genuine_token() {
    let mut platform = InMemory::new();
    platform.create("gone", Plan::Growth, |_| {});
    let token = platform.token("localdemo");
    let gone = platform.token("gone");
    platform.command("gck_gone", Command::Delete);
    let geocoding = ["GET /v1/geocoding/reverse?lat=0&lon=-140", "POST /v1/geocoding/batch", FORWARD];
    for line in geocoding {
        assert_eq!(platform.send(line, "").status, 401);
        assert_eq!(platform.send_as("x", line, "").status, 401);
        assert_eq!(platform.send_as(&gone, line, r#"{"queries":["x"]}"#).status, 401);
    }
    for line in ["GET /health", "GET /coverage", "GET /sla-history", "GET /nope", "POST /v1/geocoding/forward"] {
        platform.send_as(&token, line, "");
    }
    platform.send_as(&token, "OPTIONS /v1/geocoding/forward", "");
    age(&platform, 3_600_000);
    assert_eq!(platform.send_as(&token, FORWARD, "").status, 401, "it has expired");
    let config = platform.config.take();
    assert_eq!(platform.send_as(&token, FORWARD, "").status, 503);
    platform.config = config;
    assert!(platform.memory().tally.borrow().is_empty());
}

/// Checks that a request that runs out of memory is counted here, although the outer module answers it.
#[test]
fn a_500_made_elsewhere_counts_like_ours() {
    let platform = InMemory::new();
    let token = platform.token("localdemo");
    let count = |token: &str, line: &str| {
        let headers = [("authorization", format!("Bearer {token}"))];
        let headers = headers.each_ref().map(|(name, value)| (*name, value.as_str()));
        router::refuse(&platform, &request(line, &headers, ""), Failure::Unexpected, NOON);
        let pending = platform.memory().tally.borrow().pending_counts();
        assert_eq!(pending.total(), pending.failed);
        pending.failed
    };
    assert_eq!(count("x", FORWARD), 0);
    for line in ["GET /health", "POST /v1/geocoding/forward", "OPTIONS /v1/geocoding/forward", "GET /nope"] {
        assert_eq!(count(&token, line), 0, "{line}");
    }
    assert_eq!(count(&token, FORWARD), 1);
    assert_eq!(count(&token, "HEAD /v1/geocoding/reverse/"), 2);
    assert_eq!(count(&token, "POST /v1/geocoding/batch"), 3);
}

/// Checks that what is refused because too many requests wait counts like any other 503.
#[test]
fn a_refusal_for_lack_of_room_is_counted() {
    let platform = InMemory::new();
    let token = platform.token("localdemo");
    let refuse = |token: &str, line: &str| {
        let headers = [("authorization", format!("Bearer {token}"))];
        let headers = headers.each_ref().map(|(name, value)| (*name, value.as_str()));
        let refused = router::refuse(&platform, &request(line, &headers, ""), Failure::Unavailable, NOON);
        unavailable(&refused);
        platform.memory().tally.borrow().pending_counts().failed
    };
    assert_eq!((refuse("x", FORWARD), refuse(&token, "GET /health")), (0, 0));
    assert_eq!((refuse(&token, FORWARD), refuse(&token, "POST /v1/geocoding/suggest")), (1, 2));
}

#[test]
fn points_are_five_minutes_apart_never_empty() {
    let platform = InMemory::new();
    let token = platform.token("localdemo");
    for wait_ms in [0, BUCKET_MS, 2 * BUCKET_MS] {
        age(&platform, wait_ms);
        platform.send_as(&token, FORWARD, "");
    }
    platform.settle();
    let points = figures(&platform, "/sla-history")["points"].take();
    let times = points.as_array().into_iter().flatten().map(|point| point["timestamp"].as_str().expect("a time"));
    let expect = ["2026-11-20T12:00:00.000Z", "2026-11-20T12:05:00.000Z", "2026-11-20T12:15:00.000Z"];
    assert_eq!(times.collect::<Vec<_>>(), expect);
}

#[test]
fn a_batch_whose_answer_was_lost_counts_once() {
    let platform = InMemory::new();
    let token = platform.token("localdemo");
    platform.send_as(&token, FORWARD, "");
    platform.board_answers.set(false);
    assert!(!platform.settle() && !platform.settle());
    platform.send_as(&token, FORWARD, "");
    platform.board_answers.set(true);
    assert!(platform.settle() && platform.settle());
    assert_eq!(figures(&platform, "/sla-metrics")["requests"]["total"], 2);
}

#[test]
fn a_board_that_fails_hurts_no_request() {
    let platform = InMemory::new();
    let token = platform.token("localdemo");
    platform.board_answers.set(false);
    for _ in 0..100 {
        assert_eq!(platform.send_as(&token, FORWARD, "").status, 200);
        age(&platform, FLUSH_AFTER_MS);
        platform.settle();
    }
    platform.board_answers.set(true);
    platform.settle();
    assert_eq!(figures(&platform, "/sla-metrics")["requests"]["total"], 100);
}

#[test]
fn an_answer_holds_for_fifteen_seconds() {
    for path in ["/sla-metrics", "/sla-history?hours=1", "/sla-history?hours=2"] {
        let platform = InMemory::new();
        let response = platform.send(&format!("GET {path}"), "");
        assert_eq!(response.header("cache-control"), Some("public, max-age=15"));
        assert_eq!(response.header("access-control-allow-origin"), Some("*"));
        platform.board_answers.set(false);
        age(&platform, 14_999);
        assert_eq!(platform.send(&format!("GET {path}"), "").body, response.body);
        age(&platform, 1);
        unavailable(&platform.send(&format!("GET {path}"), ""));
        assert_eq!(platform.board_asked.get(), 2);
        platform.board_answers.set(true);
        unavailable(&platform.send(&format!("GET {path}"), ""));
        assert_eq!(platform.board_asked.get(), 2, "a failure holds for a second");
        age(&platform, 1_000);
        assert_eq!(platform.send(&format!("GET {path}"), "").status, 200);
        assert_eq!(platform.board_asked.get(), 3);
    }
}

#[test]
fn every_history_ends_that_of_a_week() {
    let platform = InMemory::new();
    for _ in 0..3 {
        platform.send_as(&platform.token("localdemo"), FORWARD, "");
        platform.settle();
        age(&platform, 2 * 3_600_000 - 600_000);
        platform.board_asked.set(0);
    }
    for hours in 1..=168 {
        let history = figures(&platform, &format!("/sla-history?hours={hours}"));
        let expect = if hours < 2 {
            0
        } else if hours < 4 {
            1
        } else if hours < 6 {
            2
        } else {
            3
        };
        assert_eq!(history["period"], format!("last_{hours}h"));
        assert_eq!(history["points"].as_array().map(Vec::len), Some(expect), "{hours} hours");
        assert_eq!(platform.board_asked.get(), if hours <= 24 { 1 } else { 2 }, "{hours} hours");
    }
}

/// Sends many requests at once, while the objects are slow: one of them asks, and all are answered alike.
#[test]
fn a_flood_asks_once() {
    for line in ["GET /health", "GET /sla-metrics", "GET /sla-history?hours=7"] {
        check(line, true, 200);
        check(line, false, 503);
    }
    check("GET /coverage", false, 503);
}

fn check(line: &str, works: bool, expect: u16) {
    let platform = InMemory::new();
    platform.board_answers.set(works);
    platform.reachable.set(works);
    platform.slow.set(true);
    let mut flood: Vec<_> = (0..100).map(|_| Box::pin(handle(&platform, request(line, &[], "")))).collect();
    let mut statuses = Vec::new();
    let mut turn = || {
        flood.retain_mut(|one| match poll(one.as_mut()) {
            Poll::Ready(response) => {
                statuses.push(response.status);
                false
            }
            Poll::Pending => true,
        });
        flood.len()
    };
    assert_eq!(turn(), 100, "{line} waits");
    platform.slow.set(false);
    while turn() > 0 {}
    assert_eq!(platform.send(line, "").status, expect, "{line} later");
    assert_eq!(statuses, [expect; 100], "{line}");
    assert_eq!(platform.asked.get() + platform.board_asked.get(), 1, "{line}");
}

/// Checks that if the request that renews an answer for all has gone, another one takes over later.
#[test]
fn a_request_that_ends_midway_hands_over() {
    let platform = InMemory::new();
    platform.slow.set(true);
    let mut gone = Box::pin(handle(&platform, request("GET /sla-metrics", &[], "")));
    assert!(poll(gone.as_mut()).is_pending());
    drop(gone);
    let mut other = Box::pin(handle(&platform, request("GET /sla-metrics", &[], "")));
    while platform.board_asked.get() < 2 {
        assert!(poll(other.as_mut()).is_pending());
        age(&platform, 20);
    }
    platform.slow.set(false);
    assert!(matches!(poll(other.as_mut()), Poll::Ready(response) if response.status == 200));
}

#[test]
fn hours_out_of_range() {
    let platform = InMemory::new();
    for hours in ["0", "169", "x", ""] {
        let response = platform.send(&format!("GET /sla-history?hours={hours}"), "");
        let message = json!("hours must be an integer between 1 and 168");
        assert_eq!((response.status, json_of(&response)["message"].take()), (400, message), "{hours}");
    }
    assert_eq!(figures(&platform, "/sla-history?hours=168")["period"], "last_168h");
    assert_eq!(platform.board_asked.get(), 1);
}

#[test]
fn coverage_has_the_instant_of_its_refresh() {
    let platform = InMemory::new();
    let first = figures(&platform, "/coverage");
    assert_eq!(first["lastUpdated"], "2026-11-20T12:00:00.000Z");
    assert_eq!(first["totalCountries"], 2);
    let america = json!({ "countries": 1, "coverage": 25.0, "topCountries": ["United States"] });
    assert_eq!(first["regions"]["northAmerica"], america);
    assert_eq!(first["global"], json!({ "addressCoverage": 30.0, "poiCoverage": 25.0, "roadCoverage": 0.0 }));
    age(&platform, 3_600_000);
    assert_eq!(figures(&platform, "/coverage"), first, "only a refresh moves it");
    run(coverage::refresh(&platform)).expect("index and board are there");
    age(&platform, LATER_MS);
    assert_eq!(figures(&platform, "/coverage")["lastUpdated"], "2026-11-20T13:00:00.000Z");
    let countries = figures(&platform, "/coverage/countries")["countries"].take();
    let france = json!({
        "code": "FR", "name": "France", "region": "europe", "coverage": 50.0, "poiCoverage": 50.0, "population": 20_000,
        "peopleInPlaces": 10_000, "cities": 2, "citiesWithSites": 1, "places": 1, "sites": 1,
        "placesByKind": { "city": 1, "quarter": 0, "airport": 1, "station": 0, "landmark": 0, "region": 0 },
    });
    assert_eq!(countries[0], france);
}

#[test]
fn coverage_is_sent_once_to_whoever_keeps_it() {
    let platform = InMemory::new();
    for path in ["/coverage", "/coverage/countries"] {
        let line = format!("GET {path}");
        let first = platform.send(&line, "");
        assert_eq!(first.header("cache-control"), Some("public, max-age=3600"));
        let tag = first.header("etag").expect("a tag");
        let again = platform.send_with(&line, &[("if-none-match", tag)], "");
        assert_eq!((again.status, &again.body, again.header("etag")), (304, &None, Some(tag)));
        age(&platform, LATER_MS);
        run(coverage::refresh(&platform)).expect("index and board are there");
        age(&platform, LATER_MS);
        assert_eq!(platform.send_with(&line, &[("if-none-match", tag)], "").status, 200, "a refresh is news");
    }
}

#[test]
fn coverage_without_its_object() {
    let platform = InMemory::new();
    platform.board_answers.set(false);
    unavailable(&platform.send("GET /coverage", ""));
    platform.board_answers.set(true);
    platform.places.take();
    unavailable(&platform.send("GET /coverage", ""));
}

#[test]
fn health_needs_index_and_objects() {
    let platform = InMemory::new();
    let check = |expect: u16, reason: Option<&str>| {
        age(&platform, LATER_MS);
        platform.asked.set(0);
        // The second answer is the first one repeated.
        for _ in 0..2 {
            let response = platform.send("GET /health", "");
            assert_eq!((response.status, response.header("cache-control")), (expect, Some("no-store")));
            let body = json_of(&response);
            assert_eq!(body["ok"], expect == 200);
            let message = reason.map(|reason| format!("Service temporarily unavailable: {reason}"));
            assert_eq!(body.get("message").and_then(Value::as_str), message.as_deref());
        }
        assert!(platform.asked.get() <= 1);
    };
    check(200, None);
    platform.reachable.set(false);
    check(503, Some("the object of a key does not answer"));
    platform.reachable.set(true);
    check(200, None);
    platform.delay_ms.set(1_001);
    check(503, Some("the object of a key answers too late"));
    platform.delay_ms.set(1);
    check(200, None);
    let places = platform.places.take();
    check(503, Some("the index cannot be opened"));
    platform.places.replace(places);
    check(200, None);
    platform.defect.set(true);
    check(503, Some("an unexpected error occurred"));
    platform.defect.set(false);
    check(200, None);
    let stored = platform.objects.borrow();
    assert!(stored.values().all(|object| *object == Default::default()), "the question stores nothing");
}

#[test]
fn an_index_missing_its_own_places_is_unhealthy() {
    let platform = InMemory::new();
    assert_eq!(platform.send("GET /health", "").status, 200);
    let mut other = crate::gazetteer::gazetteer();
    other.places.retain(|place| place.country == *b"FR");
    let other = toponym_engine::index::write(&other).expect("the French places are sound");
    let other = toponym_engine::Engine::open(other).expect("an index just written opens");
    platform.places.replace(Some(std::rc::Rc::new(toponym_edge::places::Places::Whole(other))));
    age(&platform, LATER_MS);
    assert_eq!(platform.send("GET /health", "").status, 503);
}

#[test]
fn probes_make_the_uptime() {
    let platform = InMemory::new();
    let probe = |good: bool| {
        platform.reachable.set(good);
        run(health::probe(&platform, platform.clock.get())).expect("the board is there");
        age(&platform, 60_000);
    };
    [true, true, true, false].into_iter().for_each(probe);
    assert_eq!(platform.clock.get(), NOON + 240_000);
    assert_eq!(figures(&platform, "/sla-metrics")["availability"]["uptime"], 75.0);
    platform.board_answers.set(false);
    assert!(run(health::probe(&platform, NOON)).is_err());
}

#[test]
fn attribution() {
    let platform = InMemory::new();
    let expect = json!({
        "title": "fixture",
        "dataDate": "2026-01-01",
        "made": { "at": "2026-01-02T00:00:00Z", "arguments": "--add seven.csv" },
        "madeOf": [{ "title": "Seven places", "version": "1", "date": "2026-01-01" }],
        "sources": ["Seven places of the tests, CC0"],
        "notices": include_str!("../../../data/NOTICES.txt"),
    });
    assert_eq!(figures(&platform, "/attribution"), expect);
    platform.places.take();
    unavailable(&platform.send("GET /attribution", ""));
}
