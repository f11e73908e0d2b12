//! Fuzz target for the whole service on the in-memory platform.

use std::sync::LazyLock;

use serde_json::Value;
use toponym_edge::meter::plan::Plan;
use toponym_edge::response::Response;

use crate::support::{InMemory, json_of};

/// The line between two requests.
const NEXT_REQUEST: &str = "\n===\n";

/// Maximum number of requests of one input.
const MAX_REQUESTS: usize = 8;

/// The secret of the admin routes, as `Bearer` of a request that wants it.
const ADMIN_SECRET: &str = "admin-secret-of-the-fuzz-targets";

/// Keys whose tokens a request may name.
const KEYS: [&str; 3] = ["localdemo", "localfree", "barred"];

/// Placeholders for tokens in a request, and the tokens. They are the same on every platform with the same clock.
static TOKENS: LazyLock<[(String, String); 3]> = LazyLock::new(|| {
    let platform = platform();
    KEYS.map(|name| (format!("${name}"), platform.token(name)))
});

/// Requests as text: a line `GET /path?query`, headers as `name: value`, an empty line, the body. `wait 60000` in place of
/// a request moves the clock. `$localdemo` stands for a token of that key, `$admin` for the admin's secret.
///
/// Every response must follow the contract: never a 5xx while everything works, well-formed errors, and headers that
/// cannot be split.
pub fn service(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let platform = platform();
    for request in text.split(NEXT_REQUEST).take(MAX_REQUESTS) {
        if let Some(ms) = request.strip_prefix("wait ") {
            let ms: u32 = ms.trim().parse().unwrap_or_default();
            platform.clock.set(platform.clock.get() + u64::from(ms));
            continue;
        }
        let mut request = request.replace("$admin", ADMIN_SECRET);
        for (placeholder, token) in TOKENS.iter() {
            request = request.replace(placeholder, token);
        }
        send(&platform, &request);
    }
    platform.settle();
}

fn platform() -> InMemory {
    let platform = InMemory::with_variables(&[("TOPONYM_DEMO", "true"), ("TOPONYM_ADMIN_SECRET", ADMIN_SECRET)]);
    platform.create("barred", Plan::Starter, |record| {
        let rules = r#"{"ips":["203.0.113.0/24"],"domains":["*.shop.example"]}"#;
        record.restrictions = serde_json::from_str(rules).expect("the rules are well formed");
    });
    platform
}

fn send(platform: &InMemory, request: &str) {
    let (head, body) = request.split_once("\n\n").unwrap_or((request, ""));
    let mut lines = head.split('\n');
    let line = lines.next().unwrap_or_default();
    if !line.contains(' ') {
        return;
    }
    let headers: Vec<(&str, &str)> = lines.filter_map(|line| line.split_once(": ")).collect();
    let response = platform.send_with(line, &headers, body);
    check(&response, line);
}

/// Checks what holds for every response.
fn check(response: &Response, line: &str) {
    let status = response.status;
    assert!(matches!(status, 200 | 201 | 204 | 304 | 400 | 401 | 403 | 404 | 409 | 429), "{status} to {line}");
    for (name, value) in &response.headers {
        assert!(!value.contains(['\r', '\n', '\0']), "{name}: {value:?}");
    }
    assert!(response.headers.iter().any(|(name, _)| *name == "access-control-allow-origin"), "no CORS: {response:?}");
    if status >= 400 && response.body.is_some() {
        let body = json_of(response);
        assert_eq!(body["statusCode"], Value::from(status), "{body}");
        assert!(body["error"].is_string() && body["message"].is_string(), "{body}");
        let retry_after = response.header("retry-after").map(|seconds| seconds.parse::<u64>().ok());
        assert!(
            status != 429 || retry_after.flatten() == body["retryAfter"].as_u64() && retry_after.is_some(),
            "{response:?}"
        );
    }
    if let Some(remaining) = response.header("x-ratelimit-remaining") {
        let number = |text: &str| text.parse::<u64>().expect("the header is a number");
        let limit = response.header("x-ratelimit-limit").map(number);
        assert!(Some(number(remaining)) <= limit, "{response:?}");
    }
}
