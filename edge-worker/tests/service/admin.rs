//! Tests the admin routes on an in-memory platform: the life of a key, and who has access.

use serde_json::{Value, json};
use toponym_edge::auth::credentials::{Proof, SecretHash};
use toponym_edge::durable::message::{Command, Reply};
use toponym_edge::meter::plan::Plan;

use super::support::{InMemory, json_of};

const SECRET: &str = "an-admin-secret-of-32-characters";

fn platform() -> InMemory {
    InMemory::with_variables(&[("TOPONYM_ADMIN_SECRET", SECRET)])
}

/// Sends with the admin secret; the body of a good answer.
fn admin(platform: &InMemory, line: &str, body: Value, status: u16) -> Value {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let response = platform.send_as(SECRET, line, &body);
    let answer = response.body.as_ref().map_or(Value::Null, |_| json_of(&response));
    assert_eq!(response.status, status, "{line} {body}: {answer}");
    answer
}

fn create_key(platform: &InMemory, body: Value) -> (String, String) {
    let key = admin(platform, "POST /admin/keys", body, 201);
    let text = |name: &str| key[name].as_str().unwrap_or_else(|| panic!("no {name}: {key}")).to_owned();
    (text("apiKey"), text("apiSecret"))
}

fn exchange(platform: &InMemory, key: &str, secret: &str) -> (u16, Value) {
    let response = platform.send("POST /api-clients/token", &json!({ "apiKey": key, "apiSecret": secret }).to_string());
    (response.status, json_of(&response))
}

#[test]
fn a_key_from_its_creation_to_its_end() {
    let platform = platform();
    let (key, secret) = create_key(&platform, json!({ "name": "Shop", "account": "a-1", "plan": "free" }));
    assert_eq!((key.len(), secret.len()), (26, 47));
    let (status, body) = exchange(&platform, &key, &secret);
    assert_eq!(status, 200);
    let token = body["token"].as_str().expect("a token").to_owned();
    let forward = || platform.send_as(&token, "GET /v1/geocoding/forward?query=Paris", "");
    assert_eq!(forward().status, 200);

    let path = format!("/admin/keys/{key}");
    let shown = admin(&platform, &format!("GET {path}"), Value::Null, 200);
    assert_eq!((&shown["plan"], &shown["perMinute"], &shown["perMonth"]), (&json!("free"), &json!(30), &json!(10_000)));
    let usage = json!([{ "month": "2026-11", "used": 1, "overage": 0, "plan": "free", "included": 10_000 }]);
    assert_eq!(shown["usage"], usage);
    assert!(!shown.to_string().contains("hash") && shown.get("apiSecret").is_none());

    let patch = |change: Value| admin(&platform, &format!("PATCH {path}"), change, 200);
    assert_eq!(patch(json!({ "plan": "growth" }))["perMinute"], 600);
    assert_eq!(forward().header("x-ratelimit-limit"), Some("600"));
    patch(json!({ "enabled": false }));
    assert_eq!(forward().status, 403);
    patch(json!({ "enabled": true }));
    assert_eq!(forward().status, 200, "at once, whatever the isolate remembers of the refusal");
    patch(json!({ "restrictions": { "ips": ["198.51.100.1"] } }));
    assert_eq!(forward().status, 403);
    patch(json!({ "restrictions": {} }));

    let rotated = admin(&platform, &format!("POST {path}/secret"), Value::Null, 200);
    assert_eq!(exchange(&platform, &key, &secret).0, 401);
    assert_eq!(exchange(&platform, &key, rotated["apiSecret"].as_str().expect("a secret")).0, 200);
    assert_eq!(forward().status, 200, "tokens live on");

    let list = admin(&platform, "GET /admin/keys", Value::Null, 200);
    assert_eq!(list["keys"], json!([{ "apiKey": key, "account": "a-1", "name": "Shop" }]));
    patch(json!({ "name": "Store", "account": "a-2" }));
    let list = admin(&platform, "GET /admin/keys", Value::Null, 200);
    assert_eq!(list["keys"], json!([{ "apiKey": key, "account": "a-2", "name": "Store" }]), "the list knows it too");
    assert_eq!(admin(&platform, &format!("GET /admin/keys?after={key}"), Value::Null, 200)["keys"], json!([]));

    let used = admin(&platform, &format!("GET {path}"), Value::Null, 200)["usage"].take();
    assert_eq!(used[0]["used"], 4);
    admin(&platform, &format!("DELETE {path}"), Value::Null, 204);
    assert_eq!(forward().status, 401);
    let deleted = admin(&platform, "GET /admin/deleted-keys", Value::Null, 200);
    let buried = json!([{ "apiKey": key, "account": "a-2", "name": "Store", "usage": used }]);
    assert_eq!(deleted["keys"], buried, "what it used can still be billed");
    admin(&platform, &format!("GET {path}"), Value::Null, 404);
    admin(&platform, &format!("DELETE {path}"), Value::Null, 404);
    assert_eq!(admin(&platform, "GET /admin/keys", Value::Null, 200)["keys"], json!([]));
}

/// Checks which location a new key gets: its own, else that of the deployment.
#[test]
fn a_key_is_placed_where_it_is_used() {
    check_location("", Value::Null, Value::Null);
    check_location("", json!("weur"), json!("weur"));
    check_location("apac", Value::Null, json!("apac"));
    check_location("apac", json!("weur"), json!("weur"));
    let platform = platform();
    let body = json!({ "name": "n", "account": "a", "plan": "free", "location": "Paris" });
    let refused = admin(&platform, "POST /admin/keys", body, 400);
    let expect = "request body: location \"Paris\" must be one of wnam (Western North America), enam (";
    assert!(refused["message"].as_str().is_some_and(|message| message.starts_with(expect)), "{refused}");
    assert_eq!(listed_and_stored(&platform), (0, 0));
}

fn check_location(default: &str, own: Value, expect: Value) {
    let platform = InMemory::with_variables(&[("TOPONYM_ADMIN_SECRET", SECRET), ("KEY_LOCATION", default)]);
    let mut body = json!({ "name": "n", "account": "a", "plan": "enterprise" });
    body["location"] = own;
    let (key, _) = create_key(&platform, body);
    let line = format!("/admin/keys/{key}");
    let shown = admin(&platform, &format!("GET {line}"), Value::Null, 200);
    assert_eq!(shown.get("location").cloned().unwrap_or_default(), expect);
    assert_eq!(*platform.placed.borrow(), [(key, expect.as_str().map(str::to_owned))].into());
    let refused = admin(&platform, &format!("PATCH {line}"), json!({ "location": "oc" }), 400);
    assert!(refused["message"].as_str().is_some_and(|message| message.contains("unknown field `location`")));
}

/// Counts the keys in the directory, and the existing keys.
fn listed_and_stored(platform: &InMemory) -> (usize, usize) {
    let stored = platform.objects.borrow().values().filter(|stored| stored.has_record()).count();
    (platform.listed.borrow().len(), stored)
}

#[test]
fn a_deletion_that_did_not_happen_is_none() {
    let platform = platform();
    let (key, secret) = create_key(&platform, json!({ "name": "n", "account": "a", "plan": "free" }));
    let line = format!("DELETE /admin/keys/{key}");
    let delete = |status: u16, left: (usize, usize)| {
        admin(&platform, &line, Value::Null, status);
        assert_eq!(listed_and_stored(&platform), left);
    };
    platform.delay_ms.set(1_001);
    delete(503, (1, 1));
    assert_eq!(exchange(&platform, &key, &secret).0, 503);
    platform.delay_ms.set(1);
    assert_eq!(exchange(&platform, &key, &secret).0, 200, "the key lives on");
    platform.reachable.set(false);
    delete(503, (1, 1));
    platform.reachable.set(true);
    platform.loses_replies.borrow_mut().extend([true]);
    delete(503, (1, 1));
    assert_eq!(exchange(&platform, &key, &secret).0, 200, "and can be used");
    platform.loses_replies.borrow_mut().extend([false, true]);
    delete(503, (1, 0));
    platform.directory_answers.set(false);
    delete(503, (1, 0));
    platform.directory_answers.set(true);
    delete(204, (0, 0));
    delete(404, (0, 0));
}

#[test]
fn a_failed_creation_leaves_no_key() {
    let directory_is_gone = platform();
    directory_is_gone.directory_answers.set(false);
    assert_eq!(create(&directory_is_gone, 503), (0, 0));
    let reply_is_lost = platform();
    reply_is_lost.loses_reply.set(true);
    assert_eq!(create(&reply_is_lost, 503), (0, 0));
    let objects_are_gone = platform();
    objects_are_gone.reachable.set(false);
    assert_eq!(create(&objects_are_gone, 503), (1, 0), "it may exist for all that is known");
    objects_are_gone.reachable.set(true);
    let key = objects_are_gone.listed.borrow().keys().next().expect("a key is listed").clone();
    admin(&objects_are_gone, &format!("DELETE /admin/keys/{key}"), Value::Null, 204);
    assert_eq!(listed_and_stored(&objects_are_gone), (0, 0));
}

fn create(platform: &InMemory, status: u16) -> (usize, usize) {
    admin(platform, "POST /admin/keys", json!({ "name": "n", "account": "a", "plan": "free" }), status);
    listed_and_stored(platform)
}

#[test]
fn demo_keys_are_shown_and_never_changed() {
    let on = InMemory::with_variables(&[("TOPONYM_ADMIN_SECRET", SECRET), ("TOPONYM_DEMO", "true")]);
    let off = platform();
    let path = "/admin/keys/gck_localdemo";
    let changes = [("PATCH", json!({ "plan": "free" })), ("DELETE", Value::Null)];
    for (method, body) in changes {
        let refused = admin(&on, &format!("{method} {path}"), body.clone(), 400);
        assert_eq!(refused["message"], "gck_localdemo is a demo key: it cannot be changed or deleted");
        admin(&off, &format!("{method} {path}"), body, 404);
    }
    admin(&on, &format!("POST {path}/secret"), Value::Null, 400);
    admin(&off, &format!("POST {path}/secret"), Value::Null, 404);
    assert_eq!(admin(&on, &format!("GET {path}"), Value::Null, 200)["plan"], "enterprise");
    admin(&off, &format!("GET {path}"), Value::Null, 404);
    assert_eq!((listed_and_stored(&on), listed_and_stored(&off)), ((0, 0), (0, 0)));
}

/// Checks that a stored record of a demo key does not count: a service of an earlier version stored what was changed.
#[test]
fn a_record_never_replaces_a_demo_key() {
    let on = InMemory::with_variables(&[("TOPONYM_ADMIN_SECRET", SECRET), ("TOPONYM_DEMO", "true")]);
    let off = platform();
    for platform in [&on, &off] {
        platform.create("other", Plan::Free, |record| {
            record.secret = SecretHash::new("gcs_localdemo", &platform.config.as_ref().expect("variables").peppers)
        });
        platform.copy("gck_other", "gck_localdemo");
    }
    assert_eq!(exchange(&on, "gck_localdemo", "gcs_localdemo").1["clientId"], "app_localdemo");
    assert_eq!(exchange(&off, "gck_localdemo", "gcs_localdemo").0, 401);
    for platform in [&on, &off] {
        let replies = [Command::Change(Box::default()), Command::Delete]
            .map(|command| platform.command("gck_localdemo", command));
        assert_eq!(replies, [Reply::UnknownKey, Reply::UnknownKey]);
    }
}

/// Checks that with a damaged record, or one of a later version, nothing is lost, and the operator gets a message.
#[test]
fn an_unreadable_record_stays_until_deleted() {
    let good = r#"{"clientId":"app_x","account":"a","name":"n","plan":"free","enabled":true,"secret":{"pepper":"k1","hash":""},"createdMs":0}"#;
    for record in ["", "x", "{}", &good.replace("free", "platinum"), &good.replace("true", "7")] {
        let platform = platform();
        let (key, secret) = create_key(&platform, json!({ "name": "Shop", "account": "a-1", "plan": "free" }));
        let token = exchange(&platform, &key, &secret).1["token"].as_str().expect("a token").to_owned();
        let store = |record: &str| {
            platform.objects.borrow_mut().get_mut(&key).expect("the key is stored").record = Some(record.to_owned());
            platform.end(&key);
        };
        let forward = || platform.send_as(&token, "GET /v1/geocoding/forward?query=Paris", "").status;
        let before = platform.objects.borrow()[&key].record.clone().expect("a record");
        store(record);
        assert_eq!((exchange(&platform, &key, &secret).0, forward()), (503, 503), "{record}");
        let path = format!("/admin/keys/{key}");
        let refused = admin(&platform, &format!("GET {path}"), Value::Null, 503);
        assert!(refused["message"].as_str().is_some_and(|message| message.contains("cannot be read")), "{refused}");
        admin(&platform, &format!("PATCH {path}"), json!({ "plan": "growth" }), 503);
        assert_eq!(platform.objects.borrow()[&key].record.as_deref(), Some(record), "it is kept");
        assert_eq!(admin(&platform, "GET /admin/keys", Value::Null, 200)["keys"][0]["name"], "Shop");
        store(&before);
        assert_eq!((exchange(&platform, &key, &secret).0, forward()), (200, 200), "the version that wrote it is back");
        store(record);
        admin(&platform, &format!("DELETE {path}"), Value::Null, 204);
        assert_eq!((listed_and_stored(&platform), forward()), ((0, 0), 401));
    }
}

#[test]
fn keys_are_distinguished() {
    let platform = platform();
    let first = create_key(&platform, body());
    let second = create_key(&platform, body());
    assert_ne!(first.0, second.0);
    assert_eq!(exchange(&platform, &first.0, &second.1).0, 401);
}

fn body() -> Value {
    json!({ "name": "n", "account": "a", "plan": "starter" })
}

#[test]
fn wrong_bodies_are_named() {
    let platform = platform();
    let check = |body: &str, part: &str| {
        let response = platform.send_as(SECRET, "POST /admin/keys", body);
        let message = json_of(&response)["message"].to_string();
        assert!(response.status == 400 && message.contains(part), "{body}: {message}");
    };
    check("", "request body");
    check(r#"{"name":"n","account":"a"}"#, "plan");
    check(r#"{"name":"n","account":"a","plan":"gold"}"#, "gold");
    check(r#"{"name":"n","account":"a","plan":"free","secret":{}}"#, "secret");
    check(r#"{"name":"n","account":"a","plan":"free","overrides":{"perMinute":0}}"#, "perMinute");
    check(r#"{"name":"n","account":"a","plan":"free","restrictions":{"ips":["x"]}}"#, "an address or a network");
    check(r#"{"name":"n","account":"a","plan":"free","restrictions":{"domains":["https://x"]}}"#, "must be a host");
    assert_eq!(platform.asked.get(), 0);
}

#[test]
fn debug_shows_no_secret() {
    let platform = platform();
    let response = platform.send_as(SECRET, "POST /admin/keys", r#"{"name":"n","account":"a","plan":"free"}"#);
    let secret = json_of(&response)["apiSecret"].as_str().expect("a secret").to_owned();
    let config = platform.config.as_ref().expect("variables");
    let proof = Proof::new(&secret, &config.peppers);
    let hash = SecretHash::new(&secret, &config.peppers);
    let shown =
        format!("{response:?} {config:?} {:?} {hash:?}", Command::Exchange { proof, caller: Default::default() });
    for hidden in [secret.as_str(), &hash.hash, SECRET, "MDEyMzQ1", "[48, 49, 50"] {
        assert!(!shown.contains(hidden), "{shown}");
    }
}

#[test]
fn only_the_operator() {
    let lines = ["GET /admin/keys", "POST /admin/keys", "GET /admin/keys/gck_x", "DELETE /admin/keys/gck_x"];
    let check = |platform: &InMemory, header: &[(&str, &str)], line: &str, status: u16, message: &str| {
        let response = platform.send_with(line, header, "");
        assert_eq!((response.status, &json_of(&response)["message"]), (status, &json!(message)), "{line}");
    };
    let open = platform();
    let closed = InMemory::new();
    for line in lines {
        check(&open, &[], line, 401, "Missing Authorization header");
        check(&open, &[("authorization", "Bearer wrong")], line, 401, "Invalid token");
        let right = format!("Bearer {SECRET}");
        check(&closed, &[("authorization", &right)], line, 404, &format!("Cannot {line}"));
    }
    let right = format!("Bearer {SECRET}");
    for line in ["PUT /admin/keys", "GET /admin/nope", "OPTIONS /admin/keys", "POST /admin/keys/gck_x"] {
        check(&open, &[("authorization", &right)], line, 404, &format!("Cannot {line}"));
    }
    check(&open, &[("authorization", &right)], "GET /admin/keys/nope", 404, "No such API key");
}
