//! Tests moves of keys from object to object: `durable/home.rs`. Whatever is lost on the way, nothing is admitted twice and
//! nothing that was counted is forgotten.

use serde_json::{Value, json};
use toponym_edge::durable::home::Home;
use toponym_edge::durable::location::Location;
use toponym_edge::durable::message::{Command, Reply};
use toponym_edge::durable::record::Patch;
use toponym_edge::error::Failure;
use toponym_edge::meter::ledger::RESERVE_MS;
use toponym_edge::meter::plan::{Overrides, Plan};
use toponym_edge::platform::Platform as _;
use toponym_edge::response::Response;

use super::support::{InMemory, NOON, json_of, pass, run, tend};

const ADMIN: &str = "an-admin-secret-of-32-characters";
const KEY: &str = "gck_shop";
/// Request of a route that borrows nothing.
const ONE: &str = "GET /v1/geocoding/forward?query=Par";
const OCEANIA: Location = Location::ALL[6];

/// Creates a deployment with a key of ten requests a minute, and a token of it.
fn shop() -> (InMemory, String) {
    let platform = InMemory::with_variables(&[("TOPONYM_ADMIN_SECRET", ADMIN)]);
    platform.create("shop", Plan::Enterprise, |record| {
        record.overrides = Overrides { per_minute: Some(10), per_month: None };
    });
    let token = platform.token("shop");
    (platform, token)
}

fn relocate(platform: &InMemory, location: &str) -> Response {
    let body = json!({ "location": location }).to_string();
    platform.send_as(ADMIN, "POST /admin/keys/gck_shop/location", &body)
}

fn used_units(platform: &InMemory) -> Value {
    json_of(&platform.send_as(ADMIN, "GET /admin/keys/gck_shop", ""))["usage"][0]["used"].clone()
}

fn remaining_units(response: &Response) -> (u16, Option<&str>) {
    (response.status, response.header("x-ratelimit-remaining"))
}

#[test]
fn a_key_that_moves_takes_everything_along() {
    let (platform, token) = shop();
    let send = || platform.send_as(&token, ONE, "");
    (0..4).for_each(|_| assert_eq!(send().status, 200));
    let moved = relocate(&platform, "weur");
    assert_eq!((moved.status, &json_of(&moved)["location"]), (200, &json!("weur")));
    assert_eq!(platform.placed.borrow()["gck_shop/1"].as_deref(), Some("weur"), "the new object is made there");
    assert_eq!(remaining_units(&send()), (200, Some("5")), "the minute goes on");
    assert_eq!(used_units(&platform), 5, "and the month");
    let again = relocate(&platform, "weur");
    assert_eq!((again.status, platform.objects.borrow().contains_key("gck_shop/2")), (200, false), "it is there");
    assert_eq!(relocate(&platform, "oc").status, 200);
    assert_eq!(remaining_units(&send()), (200, Some("4")));
    assert!(!platform.token("shop").is_empty(), "its secret goes with it");
    let left = platform.objects.borrow();
    assert!(!left[KEY].has_counts() && !left["gck_shop/1"].has_counts(), "nothing stays behind");
    assert!(!left[KEY].record.as_ref().expect("it says where the key is").contains("secret"));
}

/// Types a word with units that the old object has lent. The new one takes their report.
#[test]
fn a_moving_key_counts_a_word_once() {
    for moves_before in 1..6 {
        let platform = InMemory::with_variables(&[("TOPONYM_ADMIN_SECRET", ADMIN)]);
        platform.create("shop", Plan::Growth, |_| {});
        let token = platform.token("shop");
        let is_lent = |name: &str| !platform.ledger(name).grants().is_empty();
        for typed in 0..6 {
            if typed == moves_before {
                assert!(is_lent(KEY));
                assert_eq!(relocate(&platform, "weur").status, 200);
                assert!(is_lent("gck_shop/1") && !is_lent(KEY), "what is lent goes along");
            }
            let line = format!("GET /v1/geocoding/autocomplete?q={}", &"Parism"[..=typed]);
            let left = (599 - typed).to_string();
            assert_eq!(
                remaining_units(&platform.send_as(&token, &line, "")),
                (200, Some(left.as_str())),
                "{moves_before}"
            );
            pass(&platform, 200);
        }
        tend(&platform, 40, 100);
        assert!(!is_lent("gck_shop/1"), "it was reported there");
        assert_eq!(used_units(&platform), 6, "{moves_before}");
        platform.end("gck_shop/1");
        assert_eq!(remaining_units(&platform.send_as(&token, ONE, "")), (200, Some("593")), "{moves_before}");
        let shown = json_of(&platform.send_as(ADMIN, "GET /admin/keys/gck_shop", ""));
        assert_eq!((&shown["usage"][0]["used"], shown["usage"][0].get("lost")), (&json!(7), None));
    }
}

/// Checks that what goes along was used; a reserve stays behind, and so does the alarm that would write it.
#[test]
fn a_moving_key_takes_usage_without_reserve() {
    let (platform, _) = shop();
    platform
        .command(KEY, Command::Change(Box::new(Patch { overrides: Some(Overrides::default()), ..Patch::default() })));
    for _ in 0..100 {
        pass(&platform, 50);
        let charge = Command::Charge { cost: 1, caller: Default::default(), question: None };
        assert!(matches!(platform.command(KEY, charge), Reply::Admitted { .. }));
    }
    assert!(platform.objects.borrow()[KEY].to_saved().expect("a row").reserve > 10);
    assert_eq!(relocate(&platform, "weur").status, 200);
    let saved = platform.objects.borrow()["gck_shop/1"].to_saved().expect("it came along");
    assert_eq!((saved.used, saved.reserve), (100, 0));
    let left = platform.objects.borrow()[KEY].clone();
    assert!(left.has_alarm());
    pass(&platform, RESERVE_MS);
    platform.sleep(KEY);
    let woken = platform.objects.borrow()[KEY].clone();
    assert_eq!((woken.written, woken.has_counts(), woken.has_alarm()), (left.written, false, false));
    platform.end("gck_shop/1");
    assert_eq!(used_units(&platform), 100);
}

#[test]
fn an_isolate_asks_the_old_object_once() {
    let (platform, token) = shop();
    let elsewhere = |count: u32, expect: u32| {
        platform.asked.set(0);
        (0..count).for_each(|_| assert_eq!(platform.send_as(&token, ONE, "").status, 200));
        assert_eq!(platform.asked.get(), expect);
    };
    elsewhere(1, 1);
    relocate(&platform, "weur");
    platform.memory().homes.clear();
    elsewhere(3, 4);
    relocate(&platform, "oc");
    relocate(&platform, "me");
    platform.memory().homes.clear();
    // The second isolate to ask finds the key by the way that the first one found.
    elsewhere(1, 5);
    platform.memory().homes.clear();
    elsewhere(1, 2);
}

#[test]
fn moving_unknown_keys_or_locations_fails() {
    let (platform, _) = shop();
    let wrong = relocate(&platform, "Paris");
    assert_eq!(wrong.status, 400);
    assert!(message(&wrong).contains("location \"Paris\" must be one of wnam"), "{}", message(&wrong));
    let line = "POST /admin/keys/gck_nobody/location";
    assert_eq!(platform.send_as(ADMIN, line, r#"{"location":"weur"}"#).status, 404);
    assert_eq!(platform.send_as("x", line, "").status, 401);
}

fn message(response: &Response) -> String {
    json_of(response)["message"].as_str().unwrap_or_default().to_owned()
}

/// Loses each reply of the protocol once. Any request ends the move.
#[test]
fn a_move_goes_on_whatever_is_lost() {
    for lost in 0..5 {
        for location_is_repeated in [false, true] {
            let (platform, token) = shop();
            (0..3).for_each(|_| assert_eq!(platform.send_as(&token, ONE, "").status, 200));
            platform.loses_replies.borrow_mut().extend((0..=lost).map(|reply| reply == lost));
            let first = relocate(&platform, "weur").status;
            platform.loses_replies.borrow_mut().clear();
            platform.memory().homes.clear();
            if location_is_repeated {
                assert_eq!(relocate(&platform, "weur").status, 200, "{lost}: {first}");
            }
            let response = platform.send_as(&token, ONE, "");
            assert_eq!(remaining_units(&response), (200, Some("6")), "{lost}: {first}");
            assert_eq!(used_units(&platform), 4);
            let shown = json_of(&platform.send_as(ADMIN, "GET /admin/keys/gck_shop", ""));
            assert_eq!(shown["location"], "weur", "{lost}: the decision stands");
        }
    }
}

/// Checks that what was asked of the old object and arrives late charges nothing there.
#[test]
fn late_questions_find_an_object_that_has_left() {
    let (platform, _) = shop();
    relocate(&platform, "weur");
    for command in [charge(), Command::Show, Command::Delete, Command::Leave { location: OCEANIA, tables: vec![] }] {
        assert!(
            matches!(ask_at(&platform, 0, command), Ok(Reply::Moved(moved)) if moved.luggage.is_none() && moved.moved_to.number == 1)
        );
    }
    assert!(matches!(ask_at(&platform, 1, charge()), Ok(Reply::Admitted { .. })));
    assert_eq!(used_units(&platform), 1);
}

fn ask_at(platform: &InMemory, number: u32, command: Command) -> Result<Reply, Failure> {
    run(platform.ask_at(KEY, Home { number, location: None }, command))
}

fn charge() -> Command {
    Command::Charge { cost: 1, caller: Default::default(), question: None }
}

/// Checks that luggage that comes twice is taken once, also after the key was used, moved on or deleted.
#[test]
fn luggage_that_comes_again_changes_nothing() {
    let (platform, token) = shop();
    platform.send_as(&token, ONE, "");
    let left = ask_at(&platform, 0, Command::Leave { location: OCEANIA, tables: vec![] });
    let Ok(Reply::Moved(moved)) = left else { panic!() };
    let arrive =
        || Command::Arrive { home: moved.moved_to, luggage: moved.luggage.clone().expect("it takes all along") };
    assert_eq!(ask_at(&platform, 1, arrive()), Ok(Reply::Arrived));
    assert_eq!(remaining_units(&platform.send_as(&token, ONE, "")), (200, Some("8")));
    assert_eq!(ask_at(&platform, 1, arrive()), Ok(Reply::Arrived));
    assert_eq!(remaining_units(&platform.send_as(&token, ONE, "")), (200, Some("7")));
    assert_eq!(relocate(&platform, "weur").status, 200);
    assert_eq!(ask_at(&platform, 1, arrive()), Ok(Reply::Arrived));
    assert_eq!(remaining_units(&platform.send_as(&token, ONE, "")), (200, Some("6")));
    assert_eq!(platform.send_as(ADMIN, "DELETE /admin/keys/gck_shop", "").status, 204);
    assert_eq!(ask_at(&platform, 1, arrive()), Ok(Reply::Arrived));
    let again = Command::Arrive {
        home: Home { number: 2, location: None },
        luggage: moved.luggage.clone().expect("it is ours"),
    };
    assert_eq!(ask_at(&platform, 2, again), Ok(Reply::Arrived));
    assert_eq!(ask_at(&platform, 2, Command::Show), Ok(Reply::UnknownKey), "it is deleted");
    platform.memory().homes.clear();
    assert_eq!(platform.send_as(&token, ONE, "").status, 401);
}

/// Mixes requests, moves and lost replies in any order. The oracle is the list of admitted instants.
#[test]
fn no_minute_has_more_than_the_limit() {
    for seed in 0..60 {
        let mut random = fastrand::Rng::with_seed(seed);
        let (platform, token) = shop();
        let mut admitted: Vec<u64> = Vec::new();
        let mut unsure = 0;
        for _ in 0..80 {
            platform.clock.set(platform.clock.get() + random.u64(0..6_000));
            if random.u8(0..4) == 0 {
                let places = Location::ALL;
                let location = places[random.usize(0..places.len())];
                platform.loses_replies.borrow_mut().extend((0..4).map(|_| random.u8(0..4) == 0));
                relocate(&platform, location.hint);
                platform.loses_replies.borrow_mut().clear();
            }
            if random.u8(0..3) == 0 {
                platform.memory().homes.clear();
            }
            platform.loses_reply.set(random.u8(0..12) == 0);
            let status = platform.send_as(&token, ONE, "").status;
            platform.loses_reply.set(false);
            match status {
                200 => admitted.push(platform.clock.get()),
                429 => {}
                // Nobody knows whether it was charged.
                503 => unsure += 1,
                401 => break,
                other => panic!("{other}"),
            }
            let now = platform.clock.get();
            let in_minute = admitted.iter().filter(|at| **at + 60_000 > now).count();
            assert!(in_minute <= 10, "seed {seed}: {in_minute} in a minute");
        }
        let counted = used_units(&platform).as_u64().unwrap_or(0);
        let known = admitted.len() as u64;
        assert!((known..=known + unsure).contains(&counted), "seed {seed}: {known}, {unsure} unsure, but {counted}");
        assert!(platform.clock.get() > NOON);
    }
}
