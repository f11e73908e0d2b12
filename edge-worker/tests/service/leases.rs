//! Keys that lease: what their requests answer, what is asked of their object, and what is billed.

use std::future::Future;
use std::pin::{Pin, pin};
use std::task::Poll;

use toponym_edge::auth::restriction::Restrictions;
use toponym_edge::durable::OBJECT_DEADLINE_MS;
use toponym_edge::durable::message::{Command, Reply};
use toponym_edge::durable::record::{MonthUsage, Patch};
use toponym_edge::meter::plan::{Overrides, Plan};
use toponym_edge::response::Response;
use toponym_edge::router;

use toponym_edge::Platform as _;

use super::support::{InMemory, json_of, pass, poll, tend};

const ONE: &str = "GET /v1/geocoding/autocomplete?q=Par";

/// Demand after which an isolate gets leases: requests of one second.
const BUSY: u32 = 40;

/// Creates a deployment with a key that leases, and its token, after enough requests that the isolate holds a lease.
fn busy(per_month: Option<u64>) -> (InMemory, String) {
    let platform = InMemory::new();
    platform.create("big", Plan::Enterprise, |record| {
        record.overrides = Overrides { per_minute: Some(6_000), per_month };
    });
    let token = platform.token("big");
    (0..BUSY).for_each(|_| assert_eq!(platform.send_as(&token, ONE, "").status, 200));
    platform.forget_counts();
    (platform, token)
}

fn left(platform: &InMemory, token: &str) -> u32 {
    let response = platform.send_as(token, ONE, "");
    assert_eq!(response.status, 200);
    response.header("x-ratelimit-remaining").and_then(|text| text.parse().ok()).expect("a number")
}

/// Returns the units that are billed.
fn billed_units(platform: &InMemory) -> u64 {
    match platform.command("gck_big", Command::Show) {
        Reply::Shown(view) => view.usage.iter().map(|month| month.used).sum(),
        other => panic!("{other:?}"),
    }
}

fn usage(platform: &InMemory) -> MonthUsage {
    match platform.command("gck_big", Command::Show) {
        Reply::Shown(view) => view.usage[0].clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_lease_saves_calls_and_keeps_headers_true() {
    let (platform, token) = busy(None);
    let before = left(&platform, &token);
    assert_eq!(before, 6_000 - BUSY - 1);
    assert_eq!(
        (1..6).map(|_| left(&platform, &token)).collect::<Vec<_>>(),
        (1..6).map(|n| before - n).collect::<Vec<_>>()
    );
    assert_eq!(platform.asked.get(), 0, "the lease is enough");
    // What is left of it comes back, and what was used is billed.
    pass(&platform, 2_000);
    tend(&platform, 4, 100);
    assert_eq!(platform.asked.get(), 1);
    assert_eq!((usage(&platform).used, usage(&platform).lost), (u64::from(BUSY) + 6, 0));
    assert!(platform.ledger("gck_big").grants().is_empty());
}

#[test]
fn other_routes_charge_other_plans_exactly() {
    let platform = InMemory::new();
    platform.create("big", Plan::Growth, |record| record.overrides.per_minute = Some(100_000));
    let token = platform.token("big");
    platform.forget_counts();
    for n in 0..50 {
        // One of them types, and another one does not.
        assert_eq!(left(&platform, &token), 100_000 - 1 - 2 * n);
        let response = platform.send_as(&token, "GET /v1/geocoding/forward?query=Paris", "");
        assert_eq!(response.header("x-ratelimit-remaining"), Some((100_000 - 2 - 2 * n).to_string().as_str()));
    }
    assert_eq!(platform.asked.get(), 100);
}

/// Types a word, so many milliseconds after each other.
fn type_word(platform: &InMemory, token: &str, every_ms: u64) -> Vec<u32> {
    let keystrokes = (1..=6).map(|end| {
        let line = format!("GET /v1/geocoding/autocomplete?q={}", &"Parism"[..end]);
        let response = platform.send_as(token, &line, "");
        pass(platform, every_ms);
        assert_eq!(response.status, 200);
        response.header("x-ratelimit-remaining").and_then(|text| text.parse().ok()).expect("a number")
    });
    keystrokes.collect()
}

#[test]
fn a_word_takes_two_calls_and_two_rows() {
    for (plan, limit) in [(Plan::Free, 30), (Plan::Growth, 600), (Plan::Enterprise, 6_000)] {
        let platform = InMemory::new();
        platform.create("big", plan, |_| {});
        let token = platform.token("big");
        for words in 0..2 {
            let before = rows(&platform);
            platform.forget_counts();
            let first = limit - 1 - 6 * words;
            assert_eq!(type_word(&platform, &token, 200), (0..6).map(|n| first - n).collect::<Vec<_>>());
            tend(&platform, 40, 100);
            assert_eq!((platform.asked.get(), rows(&platform) - before), (2, 2), "{plan:?}");
            assert_eq!(usage(&platform).used, u64::from(6 * (words + 1)));
            pass(&platform, 10_000);
        }
        assert!(platform.ledger("gck_big").grants().is_empty() && usage(&platform).lost == 0);
    }
}

fn rows(platform: &InMemory) -> u32 {
    platform.objects.borrow()["gck_big"].written
}

#[test]
fn who_stops_typing_gives_the_rest_back() {
    let platform = InMemory::new();
    platform.create("big", Plan::Free, |_| {});
    let token = platform.token("big");
    platform.forget_counts();
    assert_eq!((left(&platform, &token), left(&platform, &token)), (29, 28));
    assert_eq!(platform.asked.get(), 1);
    tend(&platform, 40, 100);
    assert_eq!((platform.asked.get(), usage(&platform).used, usage(&platform).lost), (2, 2, 0));
    // A batch in the middle of a word is admitted if the rest of the word is not typed.
    assert_eq!(left(&platform, &token), 27);
    let body = serde_json::json!({ "queries": vec!["Paris"; 27] }).to_string();
    let batch = platform.send_as(&token, "POST /v1/geocoding/batch", &body);
    assert_eq!((batch.status, batch.header("x-ratelimit-remaining")), (200, Some("0")));
}

#[test]
fn below_half_the_limit_each_keystroke_asks() {
    let platform = InMemory::new();
    platform.create("big", Plan::Free, |_| {});
    let token = platform.token("big");
    let body = serde_json::json!({ "queries": vec!["Paris"; 14] }).to_string();
    assert_eq!(platform.send_as(&token, "POST /v1/geocoding/batch", &body).status, 200);
    platform.forget_counts();
    assert_eq!((0..15).map(|_| left(&platform, &token)).collect::<Vec<_>>(), (1..16).rev().collect::<Vec<_>>());
    assert_eq!(platform.asked.get(), 15);
}

/// Checks that whatever is answered 500 or above is given back until the object has confirmed it.
#[test]
fn a_charge_whose_request_failed_is_given_back() {
    let platform = InMemory::new();
    platform.create("big", Plan::Growth, |_| {});
    let token = platform.token("big");
    let forward = || platform.send_as(&token, "GET /v1/geocoding/forward?query=Paris", "");
    platform.defect.set(true);
    assert_eq!(forward().status, 500);
    platform.defect.set(false);
    assert_eq!(billed_units(&platform), 1);
    // The first report is lost, and so is the reply to a charge that the object took.
    platform.loses_reply.set(true);
    assert_eq!(forward().status, 503);
    assert_eq!(billed_units(&platform), 1, "the first one came back, the second one was charged");
    platform.loses_reply.set(true);
    tend(&platform, 40, 100);
    assert_eq!(billed_units(&platform), 0);
    assert!(platform.memory().admissions.borrow().due(platform.clock.get()).is_some(), "nothing has confirmed it");
    pass(&platform, 1_000);
    tend(&platform, 40, 100);
    assert!(platform.memory().admissions.borrow().due(platform.clock.get()).is_none());
    let response = forward();
    assert_eq!((response.status, response.header("x-ratelimit-remaining")), (200, Some("599")));
}

#[test]
fn a_batch_is_charged_before_it_is_computed() {
    let platform = InMemory::new();
    platform.create("big", Plan::Growth, |_| {});
    let token = platform.token("big");
    let bearer = format!("Bearer {token}");
    platform.forget_counts();
    platform.slow.set(true);
    let send = |line: &str, body: &str| {
        Box::pin(toponym_edge::handle(&platform, super::support::request(line, &[("authorization", &bearer)], body)))
    };
    let mut single = send(ONE, "");
    assert!(poll(single.as_mut()).is_pending());
    assert_eq!((platform.asked.get(), platform.computed.get()), (1, 1));
    let mut batch = send("POST /v1/geocoding/batch", r#"{"queries":["Paris","Rome"]}"#);
    assert!(poll(batch.as_mut()).is_pending());
    assert_eq!((platform.asked.get(), platform.computed.get()), (2, 1));
    platform.slow.set(false);
    assert_eq!((finish(single.as_mut()).status, finish(batch.as_mut()).status), (200, 200));
    assert_eq!((platform.asked.get(), platform.computed.get(), usage(&platform).used), (2, 2, 3));
}

#[test]
fn an_isolate_renews_leases_while_demand_lasts() {
    let (platform, token) = busy(None);
    assert!(platform.memory().admissions.borrow_mut().wants_tending(platform.clock.get()));
    let mut work = pin!(router::tend(&platform));
    let mut asked = 0;
    // Ten requests in each tenth of a second, for three seconds.
    for _ in 0..30 {
        assert!(poll(work.as_mut()).is_pending());
        asked = platform.asked.get();
        (0..10).for_each(|_| assert_eq!(platform.send_as(&token, ONE, "").status, 200));
        pass(&platform, 100);
    }
    assert!((3..=12).contains(&asked), "{asked} questions for 300 requests");
    assert!(platform.asked.get() < 20, "{}", platform.asked.get());
    // Without demand it reports what it held, and ends.
    for _ in 0..30 {
        pass(&platform, 100);
        if poll(work.as_mut()).is_ready() {
            assert_eq!(usage(&platform).used, u64::from(BUSY) + 300);
            return;
        }
    }
    panic!("it never ends");
}

#[test]
fn key_changes_take_effect_within_a_second() {
    check(Patch { enabled: Some(false), ..Patch::default() }, 403, "API key disabled");
    let shop = Restrictions { domains: vec!["shop.test".into()], ..Restrictions::default() };
    check(Patch { restrictions: Some(shop), ..Patch::default() }, 403, "Domain not allowed");
    let one = Overrides { per_minute: Some(1), per_month: None };
    check(Patch { overrides: Some(one), ..Patch::default() }, 429, "Rate limit exceeded");
    let (platform, token) = busy(None);
    platform.command("gck_big", Command::Delete);
    pass(&platform, 1_000);
    assert_eq!(platform.send_as(&token, ONE, "").status, 401);
}

fn check(patch: Patch, status: u16, message: &str) {
    let (platform, token) = busy(None);
    platform.command("gck_big", Command::Change(Box::new(patch)));
    assert_eq!(platform.send_as(&token, ONE, "").status, 200, "the lease goes on");
    pass(&platform, 1_000);
    let response = platform.send_as(&token, ONE, "");
    assert_eq!((response.status, json_of(&response)["message"].as_str()), (status, Some(message)));
}

#[test]
fn restrictions_travel_with_a_lease() {
    let (platform, token) = busy(None);
    let office: Restrictions = serde_json::from_str(r#"{"ips":["203.0.113.0/24"]}"#).expect("restrictions");
    platform.command("gck_big", Command::Change(Box::new(Patch { restrictions: Some(office), ..Patch::default() })));
    pass(&platform, 1_000);
    (0..BUSY).for_each(|_| assert_eq!(platform.send_as(&token, ONE, "").status, 200));
    let bearer = format!("Bearer {token}");
    let elsewhere = platform.send_with(ONE, &[("authorization", &bearer), (":ip", "198.51.100.1")], "");
    assert_eq!((elsewhere.status, json_of(&elsewhere)["message"].as_str()), (403, Some("IP not allowed")));
}

#[test]
fn a_lease_outlasts_its_object_and_then_refuses() {
    let (platform, token) = busy(None);
    platform.reachable.set(false);
    let mut admitted = 0_u32;
    let refused = loop {
        let response = platform.send_as(&token, ONE, "");
        if response.status != 200 {
            break response;
        }
        admitted += 1;
    };
    assert!((1..=BUSY).contains(&admitted), "{admitted}");
    assert_eq!((refused.status, refused.header("retry-after")), (503, Some("1")));
    assert_eq!(json_of(&refused)["message"], "Service temporarily unavailable");
    let asked = platform.asked.get();
    (0..50).for_each(|_| assert_eq!(platform.send_as(&token, ONE, "").status, 503));
    assert_eq!(platform.asked.get(), asked, "it is not asked again at once");
    platform.reachable.set(true);
    pass(&platform, 1_000);
    assert_eq!(platform.send_as(&token, ONE, "").status, 200);
}

#[test]
fn a_monthly_cap_holds_and_shows_lost_units() {
    let (platform, token) = busy(Some(200));
    // The isolate ends with its lease.
    let held: u32 = platform.ledger("gck_big").grants().iter().map(|grant| grant.units).sum();
    assert!(held > 0);
    let used = usage(&platform).used;
    platform.memory().admissions.replace(Default::default());
    pass(&platform, 2_000);
    let mut admitted = 0_u32;
    // Units of a lease that is reported can be used once more.
    for _ in 0..9 {
        while platform.send_as(&token, ONE, "").status == 200 {
            admitted += 1;
            pass(&platform, 20);
        }
        pass(&platform, 2_000);
        tend(&platform, 40, 100);
    }
    assert_eq!(u64::from(admitted) + used + u64::from(held), 200);
    let response = platform.send_as(&token, ONE, "");
    assert_eq!((response.status, json_of(&response)["message"].as_str()), (403, Some("Monthly quota exceeded")));
    pass(&platform, 70_000);
    let usage = usage(&platform);
    assert_eq!((usage.lost, usage.used), (u64::from(held), used + u64::from(admitted)));
}

/// Creates requests that come at once when the lease has ended and the object is slow to answer.
fn at_once<'p>(platform: &'p InMemory, token: &str, count: usize) -> Vec<Pin<Box<dyn Future<Output = Response> + 'p>>> {
    pass(platform, 950);
    platform.slow.set(true);
    let bearer = format!("Bearer {token}");
    let send = || {
        let request = super::support::request(ONE, &[("authorization", &bearer)], "");
        Box::pin(toponym_edge::handle(platform, request)) as Pin<Box<dyn Future<Output = Response>>>
    };
    (0..count).map(|_| send()).collect()
}

/// Checks that many requests at once wait for the question of the first.
#[test]
fn one_request_asks_while_the_others_wait() {
    let (platform, token) = busy(None);
    let mut requests = at_once(&platform, &token, 8);
    for _ in 0..3 {
        requests.iter_mut().for_each(|request| assert!(poll(request.as_mut()).is_pending()));
    }
    assert_eq!(platform.asked.get(), 1);
    platform.slow.set(false);
    for request in &mut requests {
        let response = finish(request.as_mut());
        assert_eq!(response.status, 200);
    }
    assert_eq!(platform.asked.get(), 1);
}

/// Drops the request that asks, as when its client goes away.
#[test]
fn a_dropped_request_stalls_nobody() {
    let (platform, token) = busy(None);
    let mut requests = at_once(&platform, &token, 2);
    requests.iter_mut().for_each(|request| assert!(poll(request.as_mut()).is_pending()));
    drop(requests.remove(0));
    platform.slow.set(false);
    assert_eq!(finish(requests[0].as_mut()).status, 200);
    assert_eq!(platform.asked.get(), 2, "the other one asks");
}

/// Leaves the request that asks where it waits, as when the platform gives it up and tells nobody.
#[test]
fn a_stalled_request_delays_nobody_longer() {
    let (platform, token) = busy(None);
    let mut requests = at_once(&platform, &token, 2);
    requests.iter_mut().for_each(|request| assert!(poll(request.as_mut()).is_pending()));
    platform.slow.set(false);
    assert!(poll(requests[1].as_mut()).is_pending());
    pass(&platform, 2 * OBJECT_DEADLINE_MS);
    assert_eq!(finish(requests[1].as_mut()).status, 200);
    assert_eq!(platform.asked.get(), 2);
}

/// Ends requests and the work behind them at any point, wherever they wait.
#[test]
fn whoever_is_dropped_at_any_point_stalls_nobody() {
    let mut answered = 0;
    for seed in 0..200 {
        let mut random = fastrand::Rng::with_seed(seed);
        let (platform, token) = busy(None);
        let bearer = format!("Bearer {token}");
        let mut under_way: Vec<Pin<Box<dyn Future<Output = Option<Response>> + '_>>> = Vec::new();
        let mut charged = BUSY;
        for _ in 0..300 {
            let at = random.usize(..under_way.len().max(1));
            match random.u8(..16) {
                0..5 => {
                    let request = super::support::request(ONE, &[("authorization", &bearer)], "");
                    under_way.push(Box::pin(async { Some(toponym_edge::handle(&platform, request).await) }));
                }
                5 => under_way.push(Box::pin(async {
                    router::tend(&platform).await;
                    None
                })),
                6..12 if at < under_way.len() => {
                    if let Poll::Ready(response) = poll(under_way[at].as_mut()) {
                        drop(under_way.swap_remove(at));
                        assert!(
                            response.as_ref().is_none_or(|response| response.status == 200),
                            "seed {seed} {response:?}"
                        );
                        charged += u32::from(response.is_some());
                    }
                }
                12..14 if at < under_way.len() => drop(under_way.swap_remove(at)),
                14 => platform.slow.set(random.bool()),
                _ => pass(&platform, random.u64(..400)),
            }
        }
        under_way.clear();
        platform.slow.set(false);
        // Who comes now is answered without waiting.
        assert_eq!(platform.send_as(&token, ONE, "").status, 200, "seed {seed}");
        pass(&platform, 2_000);
        tend(&platform, 4, 100);
        assert!(
            usage(&platform).used > u64::from(charged),
            "what was answered is billed, seed {seed}: {} {charged} {:?}",
            usage(&platform).used,
            platform.ledger("gck_big").grants()
        );
        answered += charged - BUSY;
    }
    assert!(answered > 5_000, "{answered}");
}

#[test]
fn background_work_ends_when_it_cannot_ask() {
    let (platform, _) = busy(None);
    platform.reachable.set(false);
    pass(&platform, 2_000);
    let mut work = pin!(router::tend(&platform));
    assert!(poll(work.as_mut()).is_ready());
    assert_eq!(platform.asked.get(), 1);
}

#[test]
fn lost_units_reach_the_figures_once() {
    let (platform, token) = busy(None);
    let held: u32 = platform.ledger("gck_big").grants().iter().map(|grant| grant.units).sum();
    // The isolate ends with its lease; another one sends the next requests.
    platform.memory().admissions.replace(Default::default());
    pass(&platform, 70_000);
    (0..3).for_each(|_| assert_eq!(platform.send_as(&token, ONE, "").status, 200));
    platform.settle();
    let figures = json_of(&platform.send("GET /sla-metrics/metering", ""));
    assert_eq!((figures["lostUnits"].as_u64(), usage(&platform).lost), (Some(held.into()), held.into()));
}

fn tries_later(response: &Response) {
    let message = json_of(response)["message"].take();
    assert_eq!(
        (response.status, response.header("retry-after"), message.as_str()),
        (503, Some("1"), Some("Service temporarily unavailable"))
    );
}

/// Checks the object of a key that does not lease, or of one of which the isolate knows nothing yet.
#[test]
fn a_silent_object_gives_retry_after() {
    for (plan, path) in [(Plan::Growth, ONE), (Plan::Enterprise, ONE), (Plan::Growth, "POST /api-clients/token")] {
        let platform = InMemory::new();
        platform.create("key", plan, |record| record.overrides.per_minute = Some(6_000));
        let token = platform.token("key");
        let send = || platform.send_as(&token, path, &super::support::credentials("key"));
        platform.delay_ms.set(1_001);
        tries_later(&send());
        platform.delay_ms.set(1);
        platform.reachable.set(false);
        tries_later(&send());
    }
    // After a refusal the object is asked before the answer is computed.
    let platform = InMemory::new();
    platform.create("key", Plan::Growth, |record| record.overrides.per_minute = Some(1));
    let token = platform.token("key");
    let statuses: Vec<u16> = (0..2).map(|_| platform.send_as(&token, ONE, "").status).collect();
    assert_eq!(statuses, [200, 429]);
    pass(&platform, 2_000);
    platform.delay_ms.set(1_001);
    tries_later(&platform.send_as(&token, ONE, ""));
}

fn finish<T>(mut future: Pin<&mut (impl Future<Output = T> + ?Sized)>) -> T {
    let context = &mut std::task::Context::from_waker(std::task::Waker::noop());
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(context) {
            return value;
        }
    }
}
