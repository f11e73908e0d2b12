//! Tests token exchanges by others: wrong secrets for a known key, and keys that do not exist.

use toponym_edge::meter::plan::Plan;
use toponym_edge::response::Response;

use super::support::{InMemory, NOON, STRANGERS, credentials, json_of};

const TOKEN: &str = "POST /api-clients/token";
const OWNER: &str = "203.0.113.7";
const WRONG: &str = r#"{"apiKey":"gck_shop","apiSecret":"gcs_wrong"}"#;

fn shop() -> InMemory {
    let platform = InMemory::new();
    platform.create("shop", Plan::Free, |_| {});
    platform.forget_counts();
    platform
}

fn send(platform: &InMemory, ip: &str, body: &str) -> Response {
    platform.send_with(TOKEN, &[(":ip", ip)], body)
}

fn statuses(platform: &InMemory, ip: &str, body: &str, times: u32) -> Vec<u16> {
    let mut statuses: Vec<u16> = (0..times).map(|_| send(platform, ip, body).status).collect();
    statuses.dedup();
    statuses
}

#[test]
fn wrong_secrets_never_lock_the_owner_out() {
    let platform = shop();
    let right = credentials("shop");
    for attacker in ["198.51.100.1", "198.51.100.2", "2001:db8::1"] {
        assert_eq!(statuses(&platform, attacker, WRONG, 100), [401]);
        assert_eq!(statuses(&platform, attacker, WRONG, 50), [429]);
    }
    assert_eq!(statuses(&platform, OWNER, &right, 100), [200]);
    assert_eq!(statuses(&platform, OWNER, &right, 10), [429]);
    assert_eq!(statuses(&platform, "198.51.100.9", &right, 1), [429], "100 tokens a minute are the limit of the key");
    platform.clock.set(NOON + 61_000);
    assert_eq!(statuses(&platform, OWNER, &right, 100), [200]);
}

/// Checks that past the limit of a network the isolate answers alone, but for a question a second.
#[test]
fn wrong_secrets_ask_the_object_once_a_second() {
    let platform = shop();
    statuses(&platform, "198.51.100.1", WRONG, 100);
    platform.asked.set(0);
    for second in 0..10 {
        platform.clock.set(NOON + second * 1_000);
        let refused = send(&platform, "198.51.100.1", WRONG);
        assert_eq!((refused.status, refused.header("retry-after")), (429, Some((61 - second).to_string().as_str())));
        assert_eq!(refused.header("x-ratelimit-limit"), Some("100"));
        assert_eq!(statuses(&platform, "198.51.100.1", WRONG, 50), [429]);
    }
    assert_eq!(platform.asked.get(), 10);
}

#[test]
fn guessed_keys_reach_and_make_no_object() {
    let platform = shop();
    let guess = |n: u32, ip: &str| send(&platform, ip, &format!(r#"{{"apiKey":"gck_guess{n}","apiSecret":"gcs_x"}}"#));
    let before: Vec<u16> = (0..=STRANGERS).map(|n| guess(n, "198.51.100.1").status).collect();
    assert_eq!(before, vec![401; STRANGERS as usize + 1]);
    platform.asked.set(0);
    for n in 0..1_000 {
        platform.clock.set(NOON + u64::from(n) * 59);
        let refused = guess(n, "198.51.100.1");
        let wait = (NOON + 60_000 - platform.clock.get()).div_ceil(1_000);
        assert_eq!((refused.status, refused.header("retry-after")), (429, Some(wait.to_string().as_str())));
    }
    assert_eq!((platform.asked.get(), platform.objects.borrow().len()), (0, 1), "the key that was created");
    assert_eq!(guess(1, "198.51.100.2").status, 401);
    assert_eq!(send(&platform, "198.51.100.2", &credentials("shop")).status, 200);
    assert_eq!(send(&platform, "198.51.100.1", &credentials("shop")).status, 200, "this key is known to exist");
    platform.clock.set(NOON + 60_000);
    assert_eq!(guess(1, "198.51.100.1").status, 401);
}

/// Checks that a /64 of IPv6 is one caller: a subscriber has at least one, which holds more addresses than any guard
/// could count.
#[test]
fn a_network_of_ipv6_is_one_caller() {
    let platform = shop();
    for n in 0..=STRANGERS {
        assert_eq!(send(&platform, &host(1, n), r#"{"apiKey":"gck_guess","apiSecret":"gcs_x"}"#).status, 401);
    }
    assert_eq!(send(&platform, &host(1, 999), r#"{"apiKey":"gck_guess","apiSecret":"gcs_x"}"#).status, 429);
    assert_eq!(send(&platform, &host(2, 0), r#"{"apiKey":"gck_guess","apiSecret":"gcs_x"}"#).status, 401);
    for n in 0..100 {
        assert_eq!(send(&platform, &host(3, n), WRONG).status, 401);
    }
    assert_eq!(send(&platform, &host(3, 999), WRONG).status, 429);
}

fn host(network: u32, n: u32) -> String {
    format!("2001:db8:0:{network}::{n:x}")
}

/// Checks that keys which exist do not count, however many present them from one network.
#[test]
fn whoever_presents_keys_that_exist_is_no_stranger() {
    let platform = InMemory::new();
    for n in 0..3 * STRANGERS {
        platform.create(&format!("shop{n}"), Plan::Free, |_| {});
        assert_eq!(send(&platform, OWNER, &credentials(&format!("shop{n}"))).status, 200);
    }
}

/// Checks a deployment that has the variable of local runs by mistake.
#[test]
fn demo_keys_are_for_this_machine_alone() {
    let platform = InMemory::new();
    let send = |host: &str, scheme: &str| {
        let headers = [(":host", host), (":scheme", scheme)];
        platform.send_with(TOKEN, &headers, &credentials("localdemo")).status
    };
    for host in ["localhost", "127.0.0.1", "192.168.0.7", "laptop.local"] {
        assert_eq!((send(host, "https"), send(host, "http")), (200, 200), "{host}");
    }
    for host in ["api.example.com", "toponym.shop.workers.dev", "8.8.8.8"] {
        assert_eq!((send(host, "https"), send(host, "http")), (401, 403), "{host}");
    }
}

const MARK: (&str, &str) = ("TOPONYM_KEY_MARK", "0123456789abcdef0123456789abcdef");

/// Creates a deployment with marks, and the credentials of a key that it made.
fn deployment_with_marks(extra: &[(&str, &str)]) -> (InMemory, String, String) {
    let admin = ("TOPONYM_ADMIN_SECRET", "an admin secret of 32 characters".replace(' ', "-"));
    let variables = [&[MARK, (admin.0, admin.1.as_str())], extra].concat();
    let platform = InMemory::with_variables(&variables);
    let made = platform.send_as(&admin.1, "POST /admin/keys", r#"{"name":"a","account":"b","plan":"free"}"#);
    let made = json_of(&made);
    let text = |name: &str| made[name].as_str().expect("the key was made").to_owned();
    platform.forget_counts();
    (platform, text("apiKey"), text("apiSecret"))
}

fn body(key: &str, secret: &str) -> String {
    format!(r#"{{"apiKey":"{key}","apiSecret":"{secret}"}}"#)
}

/// Names of a key that does not exist, one in each form.
const GUESSED: [&str; 3] = ["gck_0123456789abcdefABCDEF", "gck_0123456789abcdefABCDEF000000", "gck_shop"];

#[test]
fn a_guessed_key_reaches_neither_object_nor_guard() {
    let (platform, key, secret) = deployment_with_marks(&[]);
    for guessed in GUESSED {
        assert_eq!(statuses(&platform, OWNER, &body(guessed, &secret), STRANGERS + 10), [401], "{guessed}");
    }
    assert_eq!((platform.asked.get(), platform.strangers.borrow().len()), (0, 0));
    assert_eq!(statuses(&platform, OWNER, &body(&key, &secret), 1), [200], "behind the same address");
}

/// Checks a caller who shares an address with somebody who guesses, as all Workers do.
#[test]
fn the_guard_lets_marked_keys_pass() {
    let (platform, key, secret) = deployment_with_marks(&[("UNMARKED_KEYS", "true")]);
    assert_eq!(
        statuses(&platform, OWNER, &body(GUESSED[0], &secret), STRANGERS + 10),
        [401, 429],
        "it may be an old one"
    );
    assert_eq!(statuses(&platform, OWNER, &body(GUESSED[1], &secret), 1), [401], "no old one has this form");
    assert_eq!(statuses(&platform, OWNER, &body(&key, &secret), 1), [200]);
    platform.create("shop", Plan::Free, |_| {});
    assert_eq!(statuses(&platform, "198.51.100.1", &credentials("shop"), 1), [200], "an old key");
    assert_eq!(statuses(&platform, OWNER, &body(&key, &secret), 1), [200]);
    // A key that was deleted is not a guess.
    platform.objects.borrow_mut().remove(&key);
    platform.end(&key);
    assert_eq!(statuses(&platform, "198.51.100.2", &body(&key, &secret), STRANGERS + 10), [401]);
    assert_eq!(statuses(&platform, "198.51.100.2", &body(GUESSED[0], &secret), 1), [401]);
}
