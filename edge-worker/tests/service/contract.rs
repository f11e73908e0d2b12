//! Tests the HTTP contract with a table, a row for every status and message of every route of issue 2 and 6, against the
//! whole service on an in-memory platform. Rows that need no fault also run against workerd in `tests/live`.

use super::support::{InMemory, NOON, credentials, json_of};
use serde_json::{Value, json};
use toponym_edge::durable::message::Command;
use toponym_edge::durable::record::Patch;
use toponym_edge::meter::plan::{Overrides, Plan};
use toponym_edge::response::Response;

/// A good request of each geocoding route: line, body.
const ROUTES: [(&str, &str); 6] = [
    ("GET /v1/geocoding/forward?query=Paris", ""),
    ("GET /v1/geocoding/autocomplete?q=Par", ""),
    ("POST /v1/geocoding/suggest", r#"{"q":"Par"}"#),
    ("GET /v1/geocoding/reverse?lat=48.8566&lon=2.3522", ""),
    ("POST /v1/geocoding/batch", r#"{"queries":["Paris"]}"#),
    ("GET /v1/geocoding/place/4", ""),
];

const TOKEN: &str = "POST /api-clients/token";

/// Returns the status and message of a response, after the checks that hold for every response.
fn outcome(response: &Response) -> (u16, String) {
    assert_eq!(response.header("access-control-allow-origin"), Some("*"));
    assert_eq!(response.header("x-content-type-options"), Some("nosniff"));
    assert!(response.header("x-request-id").is_some_and(|id| !id.is_empty()));
    let Some(bytes) = &response.body else { return (response.status, String::new()) };
    assert_eq!(response.header("content-type"), Some("application/json"));
    assert_eq!(response.header("cache-control"), Some("no-store"));
    let body: Value = serde_json::from_slice(bytes).expect("every body is JSON");
    if response.status < 400 {
        return (response.status, String::new());
    }
    assert_eq!(body["statusCode"], response.status, "{body}");
    assert_eq!(body["error"], status_name(response.status), "{body}");
    assert_eq!(response.header("www-authenticate").is_some(), response.status == 401);
    let in_body = body.get("retryAfter").map(Value::to_string);
    assert_eq!(in_body.is_some(), response.status == 429, "{body}");
    let is_unavailable = response.status == 503;
    assert_eq!(response.header("retry-after"), in_body.as_deref().or(is_unavailable.then_some("1")), "{body}");
    (response.status, body["message"].as_str().expect("a message").to_owned())
}

fn status_name(status: u16) -> &'static str {
    match status {
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        503 => "Service Unavailable",
        other => panic!("the contract has no error {other} here"),
    }
}

fn check(response: &Response, expect: &str) {
    let (status, message) = outcome(response);
    assert_eq!(format!("{status} {message}").trim_end(), expect);
}

/// Returns the units that the key has left in its minute, by the header.
fn remaining_units(response: &Response) -> Option<u32> {
    response.header("x-ratelimit-remaining").map(|left| left.parse().expect("a number"))
}

fn patch(platform: &InMemory, name: &str, patch: Patch) {
    platform.command(&format!("gck_{name}"), Command::Change(Box::new(patch)));
}

#[test]
fn every_geocoding_route_refuses_alike() {
    for (line, body) in ROUTES {
        let platform = InMemory::new();
        let token = platform.token("localdemo");
        platform.asked.set(0);
        let header = |value: &str| platform.send_with(line, &[("authorization", value)], body);
        check(&platform.send(line, body), "401 Missing Authorization header");
        check(&header(""), "401 Missing Authorization header");
        for wrong in
            ["Basic x", &token, "Bearer", "Bearer x", &format!("Bearer {token}, Bearer {token}"), &"x".repeat(2000)]
        {
            check(&header(wrong), "401 Invalid token");
        }
        platform.clock.set(NOON + 3_600_000);
        check(&platform.send_as(&token, line, body), "401 Token expired");
        assert_eq!(platform.asked.get(), 0, "401 asks no object");

        platform.clock.set(NOON);
        platform.create("shop", Plan::Growth, |_| {});
        let token = platform.token("shop");
        check(&platform.send_as(&token, line, body), "200");
        patch(&platform, "shop", Patch { enabled: Some(false), ..Patch::default() });
        // Whoever types may have a lease for a second.
        platform.clock.set(NOON + 1_000);
        check(&platform.send_as(&token, line, body), "403 API key disabled");
        platform.clock.set(NOON + 2_000);
        let restrictions = serde_json::from_value(json!({ "domains": ["shop.test"], "ips": ["203.0.113.0/24"] }));
        let restrictions = Some(restrictions.expect("restrictions"));
        patch(&platform, "shop", Patch { enabled: Some(true), restrictions, ..Patch::default() });
        let bearer = format!("Bearer {token}");
        let from = |origin: &str, ip: &str| {
            platform.send_with(line, &[("authorization", &bearer), ("origin", origin), (":ip", ip)], body)
        };
        check(&from("https://shop.test", "203.0.113.9"), "200");
        check(&from("https://evil.test", "203.0.113.9"), "403 Domain not allowed");
        check(&platform.send_as(&token, line, body), "403 Domain not allowed");
        check(&from("https://shop.test", "198.51.100.1"), "403 IP not allowed");
        platform.command("gck_shop", Command::Delete);
        check(&from("https://shop.test", "203.0.113.9"), "401 Invalid token");
    }
}

#[test]
fn every_geocoding_route_is_limited_alike() {
    for (line, body) in ROUTES {
        let platform = InMemory::new();
        platform.create("slow", Plan::Free, |record| {
            record.overrides = Overrides { per_minute: Some(2), per_month: Some(3) }
        });
        let token = platform.token("slow");
        for left in [1, 0] {
            let response = platform.send_as(&token, line, body);
            check(&response, "200");
            assert_eq!(remaining_units(&response), Some(left));
            assert_eq!(response.header("x-ratelimit-limit"), Some("2"));
        }
        let refused = platform.send_as(&token, line, body);
        check(&refused, "429 Rate limit exceeded");
        let reset: u64 = refused.header("x-ratelimit-reset").and_then(|reset| reset.parse().ok()).expect("a moment");
        assert_eq!(
            (remaining_units(&refused), json_of(&refused)["retryAfter"].as_u64()),
            (Some(0), Some(reset - NOON / 1_000))
        );
        platform.clock.set(reset * 1_000);
        check(&platform.send_as(&token, line, body), "200");
        let refused = platform.send_as(&token, line, body);
        check(&refused, "403 Monthly quota exceeded");
        let body = json_of(&refused);
        assert_eq!((&body["quotaType"], &body["resetAt"]), (&json!("monthly"), &json!("2026-12-01T00:00:00.000Z")));
        assert_eq!(remaining_units(&refused), Some(1), "the month comes first");
    }
}

#[test]
fn every_geocoding_route_fails_alike_and_charges_nothing() {
    for (line, body) in ROUTES {
        let platform = InMemory::new();
        platform.create("shop", Plan::Growth, |_| {});
        let token = platform.token("shop");
        let send = || platform.send_as(&token, line, body);

        platform.reachable.set(false);
        check(&send(), "503 Service temporarily unavailable");
        platform.reachable.set(true);
        // The Worker waits for half a second more, in which the reply to a charge can still arrive.
        platform.delay_ms.set(1_001);
        check(&send(), "503 Service temporarily unavailable");
        platform.delay_ms.set(1);
        let places = platform.places.take();
        check(&send(), "503 Service temporarily unavailable");
        platform.places.replace(places);
        platform.defect.set(true);
        check(&send(), "500 An unexpected error occurred");
        platform.defect.set(false);

        let response = send();
        check(&response, "200");
        assert_eq!(remaining_units(&response), Some(599), "nothing before was charged");
        assert_eq!(platform.log.borrow().len(), 4, "each failure leaves a line");
        assert!(platform.log.borrow().iter().all(|line| !line.contains("Paris") && !line.contains(&token)));
    }
    let mut bare = InMemory::new();
    bare.config = None;
    check(&bare.send_as("x", ROUTES[0].0, ""), "503 Service temporarily unavailable");
    check(&bare.send(TOKEN, &credentials("localdemo")), "503 Service temporarily unavailable");
}

#[test]
fn a_charge_that_comes_too_late_is_none() {
    let check = |queries: usize, delay_ms: u64, expect: &str| {
        let platform = InMemory::new();
        let token = platform.token("localdemo");
        platform.delay_ms.set(delay_ms);
        let body = json!({ "queries": vec!["Paris"; queries] }).to_string();
        let response = platform.send_as(&token, "POST /v1/geocoding/batch", &body);
        self::check(&response, expect);
        platform.delay_ms.set(1);
        let used = if expect == "200" { queries as u32 } else { 0 };
        assert_eq!(remaining_units(&platform.send_as(&token, ROUTES[0].0, "")), Some(99_999 - used));
    };
    for queries in [1, 100] {
        check(queries, 1_000, "200");
        check(queries, 1_001, "503 Service temporarily unavailable");
    }
}

#[test]
fn bad_requests_are_named_and_cost_one() {
    let platform = InMemory::new();
    platform.create("shop", Plan::Growth, |_| {});
    let token = platform.token("shop");
    let mut left = 600;
    let mut check = |line: &str, body: &str, expect: &str| {
        let response = platform.send_as(&token, line, body);
        self::check(&response, expect);
        left -= 1;
        assert_eq!(remaining_units(&response), Some(left), "{line} costs 1");
    };
    let long = "a".repeat(501);
    check("GET /v1/geocoding/forward", "", "400 query parameter is required");
    check(&forward("query=%20"), "", "400 query parameter is required");
    check(&forward(&format!("query={long}")), "", "400 query parameter must be between 1 and 500 characters");
    check(&forward("query=Paris&limit=51"), "", "400 limit must be an integer between 1 and 50");
    check(&forward("query=Paris&limit=x"), "", "400 limit must be an integer between 1 and 50");
    check(&forward("query=%FF"), "", "400 query string must be percent-encoded UTF-8");
    check(&forward("query=a&query=b"), "", "400 query parameter must be given once");
    check(&forward(&"x".repeat(8193)), "", "400 query string must be at most 8192 bytes");
    check(&autocomplete("query=Paris"), "", "400 q parameter is required");
    check(&autocomplete(&format!("q={long}")), "", "400 q parameter must be between 1 and 500 characters");
    check(&autocomplete("q=Par&limit=0"), "", "400 limit must be an integer between 1 and 10");
    let suggest = "POST /v1/geocoding/suggest";
    for body in ["", "Par", "[]", "\"Par\"", "null", "{}", r#"{"query":"Par"}"#, r#"{"q":" "}"#, r#"{"q":null}"#] {
        check(suggest, body, "400 q parameter is required");
    }
    check(&format!("{suggest}?q=Par"), "{}", "400 q parameter is required");
    check(suggest, &json!({ "q": long }).to_string(), "400 q parameter must be between 1 and 500 characters");
    check(suggest, r#"{"q":"Par","limit":11}"#, "400 limit must be an integer between 1 and 10");
    check(suggest, r#"{"q":"Par","limit":true}"#, "400 limit parameter must be a string or a number");
    check(suggest, r#"{"q":"Par","lat":1}"#, "400 lat and lon parameters are required together");
    check(suggest, &"x".repeat(8193), "400 request body must be at most 8192 bytes");
    check(&reverse("lat=1"), "", "400 lat and lon parameters are required");
    check(&reverse("lat=91&lon=0"), "", "400 lat must be between -90 and 90");
    check(&reverse("lat=0&lon=-181"), "", "400 lon must be between -180 and 180");
    check(&reverse("lat=0&lon=-140"), "", "404 No location found at these coordinates");
    let batch = "POST /v1/geocoding/batch";
    check(batch, "", "400 queries must be an array of strings");
    check(batch, r#"{"queries":["x",1]}"#, "400 queries must be an array of strings");
    check(batch, r#"{"queries":[]}"#, "400 queries array cannot be empty");
    let many = json!({ "queries": vec!["x"; 101] }).to_string();
    check(batch, &many, "400 queries array must contain between 1 and 100 items");
    check(batch, &"x".repeat(1024 * 1024 + 1), "400 request body must be at most 1048576 bytes");
}

fn reverse(query: &str) -> String {
    format!("GET /v1/geocoding/reverse?{query}")
}

fn autocomplete(query: &str) -> String {
    format!("GET /v1/geocoding/autocomplete?{query}")
}

fn forward(query: &str) -> String {
    format!("GET /v1/geocoding/forward?{query}")
}

#[test]
fn answers_have_the_fields_of_the_contract() {
    let platform = InMemory::new();
    let token = platform.token("localdemo");
    let get = |line: &str| json_of(&platform.send_as(&token, line, ""));

    let forward = get("GET /v1/geocoding/forward?query=Paris&limit=2");
    assert_eq!(forward.as_array().map(Vec::len), Some(2));
    let fields = ["place_id", "display_name", "lat", "lon", "country", "category", "type", "importance"];
    for field in fields.into_iter().chain(["boundingbox", "address", "confidence"]) {
        assert!(!forward[0][field].is_null(), "forward has {field}: {}", forward[0]);
    }
    assert_eq!((&forward[0]["place_id"], &forward[0]["country"]), (&json!(4), &json!("France")));
    assert_eq!(get("GET /v1/geocoding/forward?query=Qqqqzzzz"), json!([]));

    let suggestions = get("GET /v1/geocoding/autocomplete?q=Par");
    let names: Vec<&str> = suggestions[0].as_object().expect("an object").keys().map(String::as_str).collect();
    assert_eq!(names, ["city", "country", "display_name", "lat", "lon", "type"]);

    let reverse = get("GET /v1/geocoding/reverse?lat=49.0097&lon=2.5479");
    assert_eq!((&reverse["type"], &reverse["address"]["country_code"]), (&json!("aerodrome"), &json!("fr")));
    assert_eq!(reverse["address"]["aeroway"], "Paris Charles de Gaulle Airport");

    let long = "x".repeat(501);
    let body = json!({ "queries": ["Paris", "Qqqqzzzz", "", long] }).to_string();
    let batch = json_of(&platform.send_as(&token, "POST /v1/geocoding/batch", &body));
    let statuses: Vec<&Value> =
        batch["results"].as_array().expect("results").iter().map(|item| &item["status"]).collect();
    assert_eq!(statuses, ["ok", "not_found", "error", "error"]);
    assert_eq!((&batch["total"], &batch["successful"], &batch["failed"]), (&json!(4), &json!(1), &json!(3)));
    assert_eq!(batch["results"][0]["query"], "Paris");
}

#[test]
fn batches_are_charged_by_item_all_or_nothing() {
    let platform = InMemory::new();
    let token = platform.token("localfree");
    let batch = |n: usize| {
        let body = json!({ "queries": vec!["Paris"; n] }).to_string();
        platform.send_as(&token, "POST /v1/geocoding/batch", &body)
    };
    let check = |response: &Response, expect: &str, left: u32| {
        self::check(response, expect);
        assert_eq!(remaining_units(response), Some(left));
    };
    check(&batch(20), "200", 10);
    check(&batch(11), "429 Rate limit exceeded", 10);
    check(&batch(10), "200", 0);
    platform.clock.set(NOON + 61_000);
    check(&batch(100), "200", 0);
    check(&batch(1), "429 Rate limit exceeded", 0);
    platform.clock.set(NOON + 122_000);
    check(&batch(30), "200", 0);
}

#[test]
fn the_token_route() {
    let platform = InMemory::new();
    let check = |body: &str, expect: &str| self::check(&platform.send(TOKEN, body), expect);
    check("", "400 apiKey is required");
    check("{}", "400 apiKey is required");
    check(r#"{"apiKey":"gck_localdemo"}"#, "400 apiSecret is required");
    let bad = "400 expiresIn must be a whole number of minutes, hours or days between 1m and 30d, such as 1h";
    check(&with("gck_localdemo", "gcs_localdemo", "31d"), bad);
    check(&"x".repeat(4097), "400 request body must be at most 4096 bytes");
    check(&with("gck_nobody", "gcs_localdemo", "1h"), "401 Invalid API key");
    check(&with("localdemo", "gcs_localdemo", "1h"), "401 Invalid API key");
    check(&with("gck_localdemo", "gcs_wrong", "1h"), "401 Invalid API secret");
    check(&with("gck_localdemo", "localdemo", "1h"), "401 Invalid API secret");

    platform.create("shop", Plan::Free, |record| record.enabled = false);
    check(&credentials("shop"), "403 API key disabled");
    check(&with("gck_shop", "gcs_wrong", "1h"), "401 Invalid API secret");
    let restrictions = serde_json::from_value(json!({ "domains": ["shop.test"], "ips": ["198.51.100.0/24"] }));
    let restrictions = Some(restrictions.expect("restrictions"));
    patch(&platform, "shop", Patch { enabled: Some(true), restrictions, ..Patch::default() });
    check(&credentials("shop"), "403 IP not allowed");
    for (origin, expect) in [(&[("origin", "https://evil.test")][..], "403 Domain not allowed"), (&[], "200")] {
        let headers = [&[(":ip", "198.51.100.9")], origin].concat();
        self::check(&platform.send_with(TOKEN, &headers, &credentials("shop")), expect);
    }

    platform.reachable.set(false);
    check(&credentials("localdemo"), "503 Service temporarily unavailable");
}

fn with(key: &str, secret: &str, expires: &str) -> String {
    json!({ "apiKey": key, "apiSecret": secret, "expiresIn": expires }).to_string()
}

#[test]
fn a_token_lives_as_long_as_asked() {
    let platform = InMemory::new();
    for (expires, at) in [("30m", "12:30"), ("1h", "13:00"), ("7h", "19:00")] {
        let body = json!({ "apiKey": "gck_localdemo", "apiSecret": "gcs_localdemo", "expiresIn": expires }).to_string();
        let body = json_of(&platform.send(TOKEN, &body));
        assert_eq!(body["expiresAt"], format!("2026-11-20T{at}:00.000Z"));
        assert_eq!(body["clientId"], "app_localdemo");
        assert!(body["token"].as_str().is_some_and(|token| token.len() <= 300));
    }
}

#[test]
fn exchanges_are_limited_by_key() {
    let platform = InMemory::new();
    let wrong = r#"{"apiKey":"gck_localdemo","apiSecret":"gcs_wrong"}"#;
    for n in 0..100 {
        let right = credentials("localdemo");
        let response = platform.send(TOKEN, if n % 2 == 0 { wrong } else { &right });
        assert_eq!((remaining_units(&response), response.status), (Some(99 - n), if n % 2 == 0 { 401 } else { 200 }));
    }
    check(&platform.send(TOKEN, &credentials("localdemo")), "429 Rate limit exceeded");
    let token = InMemory::new().token("localdemo");
    let response = platform.send_as(&token, ROUTES[0].0, "");
    assert_eq!(remaining_units(&response), Some(99_999), "exchanges are not geocoding requests");
}

#[test]
fn rotation_of_a_secret_leaves_tokens_alive() {
    let platform = InMemory::new();
    platform.create("shop", Plan::Free, |_| {});
    let token = platform.token("shop");
    let config = platform.config.as_ref().expect("variables");
    let secret = toponym_edge::auth::credentials::SecretHash::new("gcs_new", &config.peppers);
    patch(&platform, "shop", Patch { secret: Some(secret), ..Patch::default() });
    check(&platform.send(TOKEN, &credentials("shop")), "401 Invalid API secret");
    check(&platform.send(TOKEN, r#"{"apiKey":"gck_shop","apiSecret":"gcs_new"}"#), "200");
    check(&platform.send_as(&token, ROUTES[0].0, ""), "200");
}

#[test]
fn a_plan_change_holds_on_the_next_request() {
    let platform = InMemory::new();
    platform.create("shop", Plan::Free, |_| {});
    let token = platform.token("shop");
    assert_eq!(remaining_units(&platform.send_as(&token, ROUTES[0].0, "")), Some(29));
    patch(&platform, "shop", Patch { plan: Some(Plan::Growth), ..Patch::default() });
    assert_eq!(remaining_units(&platform.send_as(&token, ROUTES[0].0, "")), Some(598));
}

#[test]
fn a_flood_wakes_its_object_once_a_second() {
    let platform = InMemory::new();
    platform.create("slow", Plan::Free, |record| record.overrides.per_minute = Some(1));
    let token = platform.token("slow");
    platform.asked.set(0);
    for _ in 0..50 {
        platform.send_as(&token, ROUTES[0].0, "");
    }
    assert_eq!(platform.asked.get(), 1, "the one that was admitted took the last unit");
    platform.clock.set(NOON + 1_000);
    platform.send_as(&token, ROUTES[0].0, "");
    assert_eq!(platform.asked.get(), 2);
}

#[test]
fn a_remembered_refusal_holds_for_its_cost_only() {
    let platform = InMemory::new();
    platform.create("slow", Plan::Free, |record| record.overrides.per_minute = Some(10));
    let token = platform.token("slow");
    let batch = |n: usize| {
        let body = json!({ "queries": vec!["Paris"; n] }).to_string();
        platform.send_as(&token, "POST /v1/geocoding/batch", &body)
    };
    check(&batch(5), "200");
    platform.clock.set(NOON + 30_000);
    check(&batch(5), "200");
    assert_eq!(moment(&batch(1)), NOON / 1_000 + 61);
    let all = moment(&batch(10));
    assert_eq!(all, NOON / 1_000 + 91, "ten fit when both batches have left");
    platform.clock.set(all * 1_000);
    check(&batch(10), "200");
}

fn moment(response: &Response) -> u64 {
    check(response, "429 Rate limit exceeded");
    response.header("x-ratelimit-reset").and_then(|reset| reset.parse::<u64>().ok()).expect("a moment")
}

#[test]
fn unknown_routes_and_methods() {
    let platform = InMemory::new();
    let check = |line: &str| {
        let path = line.split('?').next().expect("a path");
        self::check(&platform.send(line, ""), &format!("404 Cannot {path}"));
    };
    for line in
        ["GET /", "GET /v1", "GET /V1/geocoding/forward", "GET /v1/geocoding/forward//", "GET /v1/geocoding/nope?x=1"]
    {
        check(line);
    }
    check("POST /v1/geocoding/forward?query=Paris");
    check("GET /v1/geocoding/batch");
    check("HEAD /v1/geocoding/batch2".replace("HEAD", "PUT").as_str());
    check("GET /api-clients/token");
    check("DELETE /health");
    check("PATCH /nope");
    assert_eq!(platform.asked.get(), 0);
    assert_eq!(platform.send("HEAD /nope", "").body, None);
}

#[test]
fn trailing_slash_head_and_options() {
    let platform = InMemory::new();
    let token = platform.token("localfree");
    for (line, body) in ROUTES {
        let (method, target) = line.split_once(' ').expect("a line");
        let path = target.split('?').next().expect("a path");
        check(&platform.send_as(&token, &line.replace(path, &format!("{path}/")), body), "200");
        let preflight = platform.send(&format!("OPTIONS {path}"), "");
        check(&preflight, "204");
        assert!(preflight.header("access-control-allow-methods").is_some_and(|methods| methods.contains(method)));
        assert_eq!(preflight.header("access-control-allow-headers"), Some("Authorization, Content-Type"));
        if method == "GET" {
            let head = platform.send_as(&token, &line.replace("GET", "HEAD"), "");
            assert_eq!((head.status, &head.body), (200, &None));
            assert!(head.header("x-ratelimit-limit").is_some(), "HEAD is metered as GET");
        } else {
            check(&platform.send(&line.replace("POST", "HEAD"), ""), "404");
        }
    }
    check(&platform.send(&format!("OPTIONS {}", TOKEN.replace("POST ", "")), ""), "204");
    check(&platform.send("OPTIONS /nope", ""), "404 Cannot OPTIONS /nope");
}

#[test]
fn the_token_route_keeps_to_its_host() {
    let platform = InMemory::with_variables(&[("TOPONYM_DEMO", "true"), ("AUTH_HOST", "auth.test")]);
    for (host, line, expect) in [
        ("auth.test", TOKEN, "200"),
        ("api.test", TOKEN, "404 Cannot POST /api-clients/token"),
        ("api.test", "OPTIONS /api-clients/token", "404 Cannot OPTIONS /api-clients/token"),
        ("api.test", "GET /health", "200"),
    ] {
        check(&platform.send_with(line, &[(":host", host)], &credentials("localdemo")), expect);
    }
}

#[test]
fn demo_keys_exist_only_where_switched_on() {
    for extra in [&[][..], &[("TOPONYM_DEMO", "false")], &[("TOPONYM_DEMO", "1")]] {
        let platform = InMemory::with_variables(extra);
        check(&platform.send(TOKEN, &credentials("localdemo")), "401 Invalid API key");
        check(&platform.send(TOKEN, &credentials("localfree")), "401 Invalid API key");
    }
    let platform = InMemory::new();
    for (name, limit) in [("localdemo", "100000"), ("localfree", "30")] {
        let response = platform.send_as(&platform.token(name), ROUTES[0].0, "");
        assert_eq!(response.header("x-ratelimit-limit"), Some(limit));
    }
}

#[test]
fn health() {
    let platform = InMemory::new();
    let response = platform.send("GET /health", "");
    assert_eq!((response.status, json_of(&response)), (200, json!({ "ok": true })));
    assert_eq!(platform.send("HEAD /health/", "").status, 200);
    platform.places.take();
    assert_eq!(platform.send("GET /health", "").status, 200, "for a second nobody is asked again");
    platform.clock.set(NOON + 1_000);
    let response = platform.send("GET /health", "");
    let message = "Service temporarily unavailable: the index cannot be opened";
    assert_eq!((response.status, json_of(&response)), (503, json!({ "ok": false, "message": message })));
}

#[test]
fn only_https_but_on_this_machine() {
    let deployed = InMemory::with_variables(&[]);
    let local = InMemory::new();
    check(&send(&deployed, "http", "api.test"), "403 HTTPS is required");
    check(&send(&deployed, "http", "127.0.0.1.api.test"), "403 HTTPS is required");
    check(&send(&deployed, "https", "api.test"), "401 Invalid API key");
    for host in ["127.0.0.1", "localhost", "[::1]"] {
        check(&send(&deployed, "http", host), "401 Invalid API key");
    }
    check(&send(&local, "http", "api.test"), "200");
    for (scheme, expect) in [("https", Some("max-age=31536000")), ("http", None)] {
        let response = send(&local, scheme, "localhost");
        assert_eq!(response.header("strict-transport-security"), expect, "{scheme}");
    }
}

fn send(platform: &InMemory, scheme: &str, host: &str) -> Response {
    let line = TOKEN;
    let body = credentials("localdemo");
    platform.send_with(line, &[(":scheme", scheme), (":host", host)], &body)
}

#[test]
fn a_sound_platform_id_becomes_the_request_id() {
    let platform = InMemory::new();
    let check = |ray: &str, expect: &str| {
        let response = platform.send_with("GET /health", &[("cf-ray", ray)], "");
        assert_eq!(response.header("x-request-id"), Some(expect), "{ray:?}");
    };
    check("8f3a-CDG", "8f3a-CDG");
    for ray in ["", "a b", &"a".repeat(65)] {
        let response = platform.send_with("GET /health", &[("cf-ray", ray)], "");
        assert_eq!(response.header("x-request-id").map(str::len), Some(16), "{ray:?}");
    }
}
