//! What `entry.mjs` calls: the only place that sees requests and responses of the platform.
//!
//! `entry.mjs` calls [`begin`] for a request, and [`go_on`] until it has a response: see [`crate::turns`]. It calls
//! [`count_unexpected`] for one that it has to answer itself, because the instance broke down.

use std::panic::AssertUnwindSafe;

use worker::js_sys::Promise;
use worker::wasm_bindgen::JsValue;
use worker::wasm_bindgen::prelude::wasm_bindgen;
use worker::{Env, ScheduleContext, ScheduledEvent, event, web_sys};

use crate::clock::Clock as _;
use crate::crossing;
use crate::error::Failure;
use crate::http::{CONNECTING_IP, READ_HEADERS};
use crate::isolate::{self, TURNS, now_ms};
use crate::platform::Platform as _;
use crate::response::Response;
use crate::turns::Turn;
use crate::workers::Workers;
use crate::{router, routes};

/// The cron trigger of wrangler.toml that probes the service; the other one refreshes the figures of coverage.
const EVERY_MINUTE: &str = "* * * * *";

/// The headers that `describe` in crossing.js is to tell, in this order.
#[wasm_bindgen(js_name = headersToDescribe)]
pub fn headers_to_describe() -> Vec<String> {
    [CONNECTING_IP].into_iter().chain(READ_HEADERS).map(str::to_owned).collect()
}

/// The first turn of a request, under a number of its own: its response, or a promise for [`go_on`]. Undefined after a
/// defect.
#[wasm_bindgen]
pub fn begin(number: u32, described: &str, request: web_sys::Request, env: Env) -> JsValue {
    let platform = Workers::for_request(env, Clone::clone(&request));
    let Some(request) = crossing::request(described, request) else { return JsValue::UNDEFINED };
    let now_ms = platform.now_ms();
    TURNS.with(|turns| {
        if !turns.has_room(now_ms) {
            return shown(&router::refuse(&platform, &request, Failure::Unavailable));
        }
        let respond = async move { shown(&crate::handle(&platform, request).await) };
        outcome(turns.start(number, respond, now_ms))
    })
}

/// The next turn of a request, with what came of its promise.
#[wasm_bindgen(js_name = goOn)]
pub fn go_on(number: u32, settled: JsValue, is_rejected: bool) -> JsValue {
    let arrived = if is_rejected { Err(settled) } else { Ok(settled) };
    outcome(TURNS.with(|turns| turns.go_on(number, arrived, now_ms())))
}

/// Ends a request where it waits: its client has gone.
#[wasm_bindgen]
pub fn forget(number: u32) {
    TURNS.with(|turns| turns.forget(number));
}

fn outcome(turn: Turn<Promise, JsValue>) -> JsValue {
    match turn {
        Turn::Answered(response) => response,
        Turn::Awaits(promise) => promise.into(),
        Turn::Lost => JsValue::UNDEFINED,
    }
}

fn shown(response: &Response) -> JsValue {
    crossing::response(response).map_or(JsValue::UNDEFINED, JsValue::from)
}

/// The answer to a request that breaks the instance down: its body, then names and values of its headers in turn, with an
/// empty request id.
#[wasm_bindgen(js_name = describeUnexpected)]
pub fn describe_unexpected() -> Vec<String> {
    let Response { headers, body, .. } = Response::from(Failure::Unexpected).finish(false, true, String::new());
    let body = String::from_utf8_lossy(&body.unwrap_or_default()).into_owned();
    let headers = headers.into_iter().flat_map(|(name, value)| [name.to_owned(), value.into_owned()]);
    std::iter::once(body).chain(headers).collect()
}

/// Counts a request that began at `start_ms` and broke the instance down.
#[wasm_bindgen(js_name = countUnexpected)]
pub fn count_unexpected(described: &str, request: web_sys::Request, env: Env, start_ms: f64) {
    if let Some(request) = crossing::request(described, request) {
        router::count_unrouted(&Workers::new(env), &request, Failure::Unexpected.status(), start_ms as u64);
    }
}

/// Whether the caller is to have [`work`] run behind its request.
#[wasm_bindgen(js_name = wantsWork)]
pub fn wants_work() -> bool {
    isolate::wants_work(now_ms())
}

/// Sends the isolate's samples and tends its leases, behind the request that happened to begin.
#[wasm_bindgen(wasm_bindgen_futures = ::worker::wasm_bindgen_futures, js_sys = ::worker::js_sys)]
pub async fn work(env: Env) {
    // What it shares with requests is the isolate's memory, which any state of leaves answers right.
    AssertUnwindSafe(async move { Workers::new(env).work().await }).await;
}

#[event(scheduled)]
async fn scheduled(event: ScheduledEvent, env: Env, _context: ScheduleContext) {
    let platform = Workers::new(env);
    let done = if event.cron() == EVERY_MINUTE {
        // Its own minute, however late the platform started it.
        routes::health::probe(&platform, event.schedule() as u64).await
    } else {
        routes::coverage::refresh(&platform).await.map(drop)
    };
    if let Err(failure) = done {
        platform.log(&format!("the cron trigger {} failed with {}", event.cron(), failure.status()));
    }
}
