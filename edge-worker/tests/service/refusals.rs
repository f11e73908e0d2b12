//! Counts the engine work and calls to objects that a refused caller causes.

use serde_json::json;
use toponym_edge::durable::message::Command;
use toponym_edge::durable::record::{KeyRecord, Patch};
use toponym_edge::meter::plan::Plan;
use toponym_edge::response::Response;

use super::support::{InMemory, NOON};

/// Seconds of a flood, and requests in each.
const SECONDS: u32 = 30;
const A_SECOND: u32 = 20;

/// Sends requests of every operation and of many costs, one after the other.
fn flood(platform: &InMemory, token: &str, mut each: impl FnMut(Response)) {
    let header = format!("Bearer {token}");
    for number in 0..SECONDS * A_SECOND {
        platform.clock.set(platform.clock.get() + u64::from(1_000 / A_SECOND));
        let batch = json!({ "queries": vec!["Paris"; 1 + (number as usize * 37) % 100] }).to_string();
        let (line, body) = match number % 6 {
            0 => ("GET /v1/geocoding/forward?query=Paris", ""),
            1 => ("GET /v1/geocoding/autocomplete?q=Par", ""),
            2 => ("GET /v1/geocoding/reverse?lat=48.8566&lon=2.3522", ""),
            3 => ("GET /v1/geocoding/forward", ""),
            _ => ("POST /v1/geocoding/batch", batch.as_str()),
        };
        each(platform.send_with(line, &[("authorization", &header), ("origin", "https://evil.test")], body));
    }
}

/// Creates a key that `change` makes refused.
fn refused_key(plan: Plan, change: impl FnOnce(&mut KeyRecord)) -> (InMemory, String) {
    let platform = InMemory::new();
    platform.create("shop", plan, |_| {});
    let token = platform.token("shop");
    platform.edit("gck_shop", change);
    (platform, token)
}

/// Checks that the second and every later request of a key that is refused for good computes nothing, and asks once a second.
fn check(platform: &InMemory, token: &str, expect: u16) {
    platform.forget_counts();
    flood(platform, token, |response| {
        assert_eq!(response.status, expect);
        assert_eq!(response.header("x-ratelimit-limit").is_some(), expect != 401, "the key was looked up");
    });
    assert!(platform.computed.get() <= 1, "{} computations", platform.computed.get());
    assert!(platform.asked.get() <= SECONDS + 1, "{} questions in {SECONDS} s", platform.asked.get());
}

#[test]
fn a_key_that_is_disabled() {
    let (platform, token) = refused_key(Plan::Growth, |record| record.enabled = false);
    check(&platform, &token, 403);
}

#[test]
fn a_key_that_is_deleted() {
    let (platform, token) = refused_key(Plan::Growth, |_| {});
    platform.command("gck_shop", Command::Delete);
    check(&platform, &token, 401);
    assert!(platform.objects.borrow().is_empty(), "no object was made");
}

#[test]
fn a_restricted_key_refuses_other_addresses_and_pages() {
    for rules in [json!({ "ips": ["198.51.100.0/24"] }), json!({ "domains": ["shop.test"] })] {
        let rules = serde_json::from_value(rules).expect("restrictions");
        let (platform, token) = refused_key(Plan::Growth, |record| record.restrictions = rules);
        check(&platform, &token, 403);
    }
}

#[test]
fn a_month_that_is_full() {
    let (platform, token) = refused_key(Plan::Free, |record| record.overrides.per_month = Some(0));
    check(&platform, &token, 403);
}

/// Checks that what is computed beyond the first refusal is paid for. A key whose minute has room for the largest batch again is
/// in good standing again, which one of 120 a minute is at most once a minute.
#[test]
fn a_minute_that_is_full() {
    for (per_minute, most) in [(30, 1), (99, 1), (120, 3)] {
        let (platform, token) = refused_key(Plan::Growth, |record| record.overrides.per_minute = Some(per_minute));
        platform.forget_counts();
        let mut answered = 0;
        let mut refused = 0;
        for _ in 0..4 {
            flood(&platform, &token, |response| match response.status {
                200 => answered += 1,
                400 => {}
                429 => refused += 1,
                other => panic!("{other}"),
            });
        }
        assert!(refused > 2 * SECONDS * A_SECOND, "{refused} of {per_minute} a minute");
        let in_vain = platform.computed.get() - answered;
        assert!(in_vain <= most, "{in_vain} computed in vain of {per_minute} a minute");
    }
}

/// Alternates a batch that fits with one that does not.
#[test]
fn what_is_paid_for_buys_nothing_more() {
    let (platform, token) = refused_key(Plan::Free, |_| {});
    let send = |queries: usize| {
        let body = json!({ "queries": vec!["Paris"; queries] }).to_string();
        platform.send_as(&token, "POST /v1/geocoding/batch", &body).status
    };
    assert_eq!((send(1), send(100)), (200, 429));
    platform.computed.set(0);
    for _ in 0..29 {
        platform.clock.set(platform.clock.get() + 900);
        assert_eq!((send(1), send(100), send(99)), (200, 429, 429));
    }
    assert_eq!(platform.computed.get(), 29);
}

#[test]
fn a_barred_caller_is_refused_whatever_others_get() {
    let rules = serde_json::from_value(json!({ "ips": ["203.0.113.0/24"] })).expect("restrictions");
    let (platform, token) = refused_key(Plan::Free, |record| record.restrictions = rules);
    let header = format!("Bearer {token}");
    let from = |ip: &str| {
        let headers = [("authorization", header.as_str()), (":ip", ip)];
        let response = platform.send_with("GET /v1/geocoding/forward?query=Paris", &headers, "");
        (
            response.status,
            response.header("x-ratelimit-remaining").map(str::to_owned),
            response.header("retry-after").map(str::to_owned),
        )
    };
    (0..30).for_each(|_| assert_eq!(from("203.0.113.7").0, 200));
    platform.asked.set(0);
    for _ in 0..3 {
        assert_eq!(from("203.0.113.7"), (429, left("0"), left("61")));
        assert_eq!(from("198.51.100.1"), (403, left("0"), None));
    }
    assert_eq!(platform.asked.get(), 0, "the last unit came with the news that none is left");
}

fn left(left: &str) -> Option<String> {
    Some(left.to_owned())
}

#[test]
fn tokens_that_are_not_good_ask_nobody() {
    let platform = InMemory::new();
    let token = platform.token("localdemo");
    platform.forget_counts();
    let known = platform.objects.borrow().len();
    flood(&platform, &format!("{}x", token), |response| assert_eq!(response.status, 401));
    flood(&platform, "x", |response| assert_eq!(response.status, 401));
    platform.clock.set(NOON + 3_600_000);
    flood(&platform, &token, |response| assert_eq!(response.status, 401));
    assert_eq!((platform.asked.get(), platform.computed.get(), platform.objects.borrow().len()), (0, 0, known));
}

/// Checks that a change through another isolate holds after a second.
#[test]
fn a_refusal_ends_with_its_reason() {
    let (platform, token) = refused_key(Plan::Growth, |record| record.enabled = false);
    let send = || platform.send_as(&token, "GET /v1/geocoding/forward?query=Paris", "").status;
    assert_eq!((send(), send()), (403, 403));
    platform.command("gck_shop", Command::Change(Box::new(Patch { enabled: Some(true), ..Patch::default() })));
    assert_eq!(send(), 403);
    platform.clock.set(NOON + 1_000);
    assert_eq!((send(), send()), (200, 200));
}
