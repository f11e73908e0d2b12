//! One key with its object, and an isolate that decides about requests.

use toponym_engine::request::MAX_ITEMS;

use super::*;
use crate::auth::credentials::SecretHash;
use crate::auth::restriction::Restrictions;
use crate::durable::key::{self, Key, Stored};
use crate::durable::message::{Command, Envelope};
use crate::durable::record::{KeyRecord, Patch};
use crate::meter::allowance::LARGEST_COST;
use crate::meter::plan::{Overrides, Plan};

/// 2026-11-20T12:00:00Z.
const NOON: u64 = 1_795_176_000_000;

// An allowance covers the largest cost of a request.
const _: () = assert!(MAX_ITEMS == LARGEST_COST as usize);

/// One key with its object, and an isolate that asks it.
struct World {
    key: Stored,
    isolate: Admissions,
    now_ms: u64,
    /// Milliseconds that the object's clock is ahead of the isolate's.
    ahead_ms: u64,
    /// Number of calls of the object so far.
    asked: u32,
}

impl World {
    fn new(plan: Plan, overrides: Overrides, restrictions: &str) -> Self {
        let record = KeyRecord {
            client_id: "app_x".into(),
            account: "a".into(),
            name: "n".into(),
            plan,
            overrides,
            enabled: true,
            restrictions: serde_json::from_str(restrictions).expect("restrictions"),
            secret: SecretHash { pepper: "p".into(), hash: "h".into() },
            created_ms: NOON,
            location: None,
            moves: 0,
        };
        let key = Stored::Key(Box::new(Key::new(record)));
        Self { key, isolate: Admissions::default(), now_ms: NOON, ahead_ms: 0, asked: 0 }
    }

    fn per_minute(limit: u32) -> Self {
        let overrides = Overrides { per_minute: Some(limit), per_month: None };
        Self::new(Plan::Enterprise, overrides, "{}")
    }

    fn ask_object(&mut self, command: Command) -> Reply {
        self.asked += 1;
        let now_ms = self.now_ms + self.ahead_ms;
        key::decide(&mut self.key, Envelope::new("k", command, now_ms), now_ms).0
    }

    fn charge(&mut self, charge: Charge) -> Reply {
        let asked = self.isolate.ask(charge, self.asked.into(), self.now_ms);
        let caller = charge.caller.clone();
        let question = Some(Box::new(asked.question.clone()));
        let reply = self.ask_object(Command::Charge { cost: charge.cost, caller, question });
        self.isolate.apply_reply("k", &asked, &reply, self.now_ms);
        reply
    }

    /// Runs a request and returns `<engine> <outcome>`: whether it was computed, and its answer.
    fn request(&mut self, cost: u32, caller: &Caller) -> String {
        let charge = charge(caller, cost);
        match self.isolate.decide(charge, self.now_ms) {
            Decision::Meanwhile => format!("computed {}", outcome(&self.charge(charge))),
            Decision::First => match outcome(&self.charge(charge)).as_str() {
                "admitted" => "computed admitted".into(),
                refused => refused.into(),
            },
            Decision::Refuse(Denial::UnknownKey) => "unknown".into(),
            Decision::Refuse(Denial::Refused(refusal, standing)) => describe_refusal(&refusal, standing),
            other => panic!("{other:?}"),
        }
    }
}

fn charge(caller: &Caller, cost: u32) -> Charge<'_> {
    Charge { key: "k", caller, cost, kind: Kind::Other }
}

fn outcome(reply: &Reply) -> String {
    match reply {
        Reply::Admitted { .. } => "admitted".into(),
        Reply::Refused { refusal, standing, .. } => describe_refusal(refusal, *standing),
        Reply::UnknownKey => "unknown".into(),
        other => panic!("{other:?}"),
    }
}

fn describe_refusal(refusal: &Refusal, Standing { limit, remaining, reset }: Standing) -> String {
    let reason = match refusal {
        Refusal::Rate { retry_after } => format!("rate, wait {retry_after},"),
        refusal => format!("{refusal:?},").to_lowercase(),
    };
    format!("{reason} {remaining} of {limit} until {}", reset as i64 - (NOON / 1_000) as i64)
}

fn from(ip: &str) -> Caller {
    Caller { ip: ip.parse().ok(), page_host: None }
}

/// Runs steps: a wait in milliseconds, a cost, an address, and the expected result.
fn story(world: &mut World, steps: &[(u64, u32, &str, &str)]) {
    for (number, (wait_ms, cost, ip, expect)) in steps.iter().enumerate() {
        world.now_ms += wait_ms;
        assert_eq!(world.request(*cost, &from(ip)), *expect, "step {number}");
    }
}

#[test]
fn a_full_minute_computes_nothing() {
    let mut world = World::per_minute(30);
    let here = "192.0.2.1";
    story(&mut world, &[(0, 20, here, "computed admitted"), (5_000, 8, here, "computed admitted")]);
    story(
        &mut world,
        &[
            (5_000, 3, here, "rate, wait 51, 2 of 30 until 61"),
            (0, 3, here, "rate, wait 51, 2 of 30 until 61"),
            (0, 22, here, "rate, wait 51, 2 of 30 until 61"),
            (0, 23, here, "rate, wait 56, 2 of 30 until 66"),
            (0, 100, here, "rate, wait 56, 2 of 30 until 66"),
            (400, 4, here, "rate, wait 51, 2 of 30 until 61"),
            (0, 2, here, "computed admitted"),
            (0, 1, here, "rate, wait 51, 0 of 30 until 61"),
        ],
    );
    assert_eq!(world.asked, 4, "the rest was decided alone");
    story(
        &mut world,
        &[
            (600, 1, here, "rate, wait 50, 0 of 30 until 61"),
            (0, 100, here, "rate, wait 60, 0 of 30 until 71"),
            (51_000, 20, here, "computed admitted"),
            (0, 1, here, "rate, wait 4, 0 of 30 until 66"),
        ],
    );
}

#[test]
fn restrictions_are_reported_before_limits() {
    let mut world = World::new(Plan::Free, Overrides::default(), r#"{"ips":["192.0.2.0/24"]}"#);
    let here = "192.0.2.1";
    let elsewhere = "198.51.100.1";
    story(
        &mut world,
        &[
            (0, 30, here, "computed admitted"),
            (100, 1, here, "rate, wait 61, 0 of 30 until 61"),
            (0, 1, elsewhere, "ip, 0 of 30 until 61"),
            (0, 100, elsewhere, "ip, 0 of 30 until 61"),
            (0, 1, here, "rate, wait 61, 0 of 30 until 61"),
        ],
    );
    assert_eq!(world.asked, 1, "the last unit came with the news that none is left");
    // A barred caller stays barred while others are admitted, and an admitted caller needs no second call.
    story(&mut world, &[(61_000, 1, here, "computed admitted"), (2_000, 1, here, "computed admitted")]);
    let asked = world.asked;
    story(
        &mut world,
        &[(2_000, 1, elsewhere, "ip, 28 of 30 until 122"), (9_000, 1, elsewhere, "ip, 28 of 30 until 122")],
    );
    story(
        &mut world,
        &[(99_000, 100, elsewhere, "ip, 30 of 30 until 174"), (500, 1, elsewhere, "ip, 30 of 30 until 174")],
    );
    assert_eq!(world.asked, asked + 3);
}

#[test]
fn who_is_barred_makes_nobody_else_ask_twice() {
    let mut world = World::new(Plan::Free, Overrides::default(), r#"{"ips":["192.0.2.0/24"]}"#);
    let here = "192.0.2.1";
    let elsewhere = "198.51.100.1";
    story(&mut world, &[(0, 1, here, "computed admitted"), (0, 1, elsewhere, "computed ip, 29 of 30 until 61")]);
    world.asked = 0;
    for _ in 0..10 {
        story(&mut world, &[(2_000, 1, here, "computed admitted")]);
    }
    assert_eq!(world.asked, 10);
    story(&mut world, &[(0, 1, elsewhere, "ip, 19 of 30 until 61"), (0, 20, here, "rate, wait 41, 19 of 30 until 61")]);
    story(&mut world, &[(2_000, 1, here, "computed admitted"), (2_000, 1, here, "computed admitted")]);
    assert_eq!(world.asked, 10 + 1 + 2);
}

#[test]
fn a_disabled_or_deleted_key_computes_nothing() {
    let mut world = World::new(Plan::Growth, Overrides::default(), "{}");
    enable(&mut world, false);
    story(
        &mut world,
        &[
            (0, 1, "", "computed disabled, 600 of 600 until 0"),
            (999, 100, "", "disabled, 600 of 600 until 1"),
            (86_400_000, 7, "", "disabled, 600 of 600 until 86401"),
        ],
    );
    enable(&mut world, true);
    story(&mut world, &[(999, 1, "", "disabled, 600 of 600 until 86402"), (1, 1, "", "computed admitted")]);
    world.key = Stored::Nothing;
    story(&mut world, &[(0, 1, "", "computed unknown"), (999, 50, "", "unknown"), (86_400_000, 1, "", "unknown")]);
}

fn enable(world: &mut World, enabled: bool) {
    world.ask_object(Command::Change(Box::new(Patch { enabled: Some(enabled), ..Patch::default() })));
}

#[test]
fn a_full_month_refuses_before_the_minute() {
    let overrides = Overrides { per_minute: None, per_month: Some(40) };
    let mut world = World::new(Plan::Free, overrides, "{}");
    let month = "month { reset_ms: 1796083200000 }";
    story(
        &mut world,
        &[
            (0, 30, "", "computed admitted"),
            (100, 11, "", &format!("{month}, 0 of 30 until 61")),
            (0, 10, "", "rate, wait 61, 0 of 30 until 61"),
            (0, 12, "", &format!("{month}, 0 of 30 until 61")),
            (61_000, 11, "", &format!("{month}, 30 of 30 until 62")),
            (0, 10, "", "computed admitted"),
            (0, 1, "", &format!("{month}, 20 of 30 until 122")),
        ],
    );
}

/// Checks a key that others also use: the object's latest reply counts, even within a millisecond.
#[test]
fn the_last_reply_counts() {
    let mut world = World::per_minute(3);
    let here = from("192.0.2.1");
    story(&mut world, &[(500, 2, "", "computed admitted"), (0, 2, "", "rate, wait 61, 1 of 3 until 61")]);
    world.now_ms += 900;
    world.ask_object(Command::Charge { cost: 1, caller: here.clone(), question: None });
    let asked = world.asked;
    story(
        &mut world,
        &[
            (0, 1, "", "computed rate, wait 60, 0 of 3 until 61"),
            (0, 3, "", "rate, wait 61, 0 of 3 until 62"),
            (999, 1, "", "rate, wait 59, 0 of 3 until 61"),
        ],
    );
    assert_eq!(world.asked, asked + 1);
}

/// Checks that terms end when a unit leaves the minute: from then on more remains, and only the object knows how much.
#[test]
fn terms_end_when_a_unit_leaves_the_minute() {
    let mut world = World::per_minute(2);
    let here = from("");
    let charge = |cost| charge(&here, cost);
    story(&mut world, &[(900, 1, "", "computed admitted"), (30_000, 1, "", "computed admitted")]);
    story(&mut world, &[(30_000, 2, "", "rate, wait 31, 0 of 2 until 91")]);
    assert!(matches!(world.isolate.decide(charge(2), NOON + 60_999), Decision::Refuse(_)));
    assert_eq!(world.isolate.decide(charge(2), NOON + 61_000), Decision::First);
}

#[test]
fn an_object_without_terms_is_asked_each_time() {
    let mut world = World::per_minute(1);
    let here = from("192.0.2.1");
    let charge = charge(&here, 1);
    let standing = Standing { limit: 1, remaining: 0, reset: NOON / 1_000 + 61 };
    let asked = world.isolate.ask(charge, 1, NOON);
    let refused = Reply::Refused { refusal: Refusal::Rate { retry_after: 61 }, standing, terms: None };
    world.isolate.apply_reply("k", &asked, &refused, NOON);
    assert_eq!(world.isolate.decide(charge, NOON), Decision::Meanwhile);
}

/// Checks that the object's clock decides when costs fit.
#[test]
fn clocks_are_not_compared() {
    for ahead_ms in [0, 10_000, 3_600_000] {
        let mut world = World::per_minute(1);
        world.ahead_ms = ahead_ms;
        story(&mut world, &[(0, 1, "", "computed admitted")]);
        world.request(1, &from(""));
        for _ in 0..120 {
            world.now_ms += 500;
            assert!(is_refused(&mut world), "{} ms", world.now_ms - NOON);
        }
        world.now_ms += 100;
        assert_eq!(world.request(1, &from("")), "computed admitted");
    }
}

fn is_refused(world: &mut World) -> bool {
    world.request(1, &from("")).starts_with("rate, wait ")
}

#[test]
fn a_clock_that_steps_back_ends_what_holds() {
    let mut world = World::per_minute(1);
    story(&mut world, &[(0, 1, "", "computed admitted"), (10_000, 1, "", "rate, wait 51, 0 of 1 until 61")]);
    let here = from("");
    let charge = charge(&here, 1);
    assert!(matches!(world.isolate.decide(charge, NOON + 10_999), Decision::Refuse(_)));
    assert_eq!(world.isolate.decide(charge, NOON + 11_000), Decision::First);
    assert_eq!(world.isolate.decide(charge, NOON + 9_999), Decision::First);
}

#[test]
fn keys_are_bounded_and_the_oldest_goes() {
    let mut isolate = Admissions::default();
    let here = from("");
    for number in 0..3 * MAX_KEYS {
        let sent = isolate.ask(charge(&here, 1), 0, NOON);
        isolate.apply_reply(&number.to_string(), &sent, &Reply::UnknownKey, NOON);
    }
    assert_eq!(isolate.keys.len(), MAX_KEYS);
    assert!(isolate.keys.contains_key(&(3 * MAX_KEYS - 1).to_string()));
    assert!(isolate.keys.contains_key(&(2 * MAX_KEYS + 1).to_string()));
}

/// Checks keys of all kinds under a random mix of costs and addresses, far over their limits. Nothing is computed in vain
/// but single requests whose refusal nothing foretold. Each refusal is the object's.
#[test]
fn what_an_earlier_word_refuses_is_not_computed() {
    let mut random = fastrand::Rng::with_seed(14);
    let mut refused_alone = 0;
    for trace in 0..300 {
        let limit = 1 + random.u64(..150) as u32;
        let cap = [None, Some(random.u64(..2_000))][random.u64(..2) as usize];
        let overrides = Overrides { per_minute: Some(limit), per_month: cap };
        let rules = ["{}", r#"{"ips":["192.0.2.0/24"]}"#][random.u64(..2) as usize];
        let mut world = World::new(Plan::Enterprise, overrides, rules);
        for _ in 0..400 {
            world.now_ms += [0, random.u64(..50), random.u64(..3_000)][random.u64(..3) as usize];
            let caller = from(["192.0.2.1", "198.51.100.1"][random.u64(..2) as usize]);
            let cost = [1, 1 + random.u64(..100) as u32, LARGEST_COST][random.u64(..3) as usize];
            let known =
                world.isolate.keys.get("k").and_then(|known| known.refusal(charge(&caller, cost), world.now_ms));
            let command = Command::Charge { cost, caller: caller.clone(), question: None };
            let expect = key::decide(&mut world.key.clone(), Envelope::new("k", command, world.now_ms), world.now_ms).0;
            let asked = world.asked;
            let got = world.request(cost, &caller);
            match got.strip_prefix("computed ") {
                Some("admitted") => {}
                Some(_) => assert!(cost == 1 && known.is_none(), "trace {trace}: {got}"),
                None => {
                    assert_eq!(without_rest(&got), without_rest(&outcome(&expect)), "trace {trace}: {got}");
                    refused_alone += u32::from(world.asked == asked);
                }
            }
        }
    }
    assert!(refused_alone > 10_000, "{refused_alone}");
}

/// Leaves out the units that left the minute less than a second ago.
fn without_rest(text: &str) -> String {
    text.split(", ").take(2).filter(|part| !part.contains(" of ")).collect::<String>()
}

#[test]
fn restrictions_are_part_of_the_terms() {
    let barred = Restrictions { domains: vec!["shop.test".into()], ..Restrictions::default() };
    let mut world = World::new(Plan::Free, Overrides::default(), "{}");
    world.ask_object(Command::Change(Box::new(Patch { restrictions: Some(barred), ..Patch::default() })));
    assert_eq!(world.request(1, &caller_on("evil.test")), "computed domain, 30 of 30 until 0");
    assert_eq!(world.request(9, &caller_on("other.test")), "domain, 30 of 30 until 0");
    assert!(world.isolate.refusal_of("k", &caller_on("evil.test"), NOON).is_some());
    assert_eq!(world.isolate.refusal_of("k", &caller_on("shop.test"), NOON), None);
    assert_eq!(world.request(1, &caller_on("shop.test")), "computed admitted");
}

fn caller_on(host: &str) -> Caller {
    Caller { ip: None, page_host: Some(host.to_owned()) }
}
