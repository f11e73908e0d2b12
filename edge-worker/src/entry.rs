//! The calls of the platform: events of the `worker` crate, and what `entry.mjs` answers where an instance breaks down.

use std::rc::Rc;

use worker::wasm_bindgen::JsValue;
use worker::wasm_bindgen::prelude::wasm_bindgen;
use worker::{Context, Env, Result, ScheduleContext, ScheduledEvent, event, wasm_bindgen, web_sys};

use crate::error::Failure;
use crate::isolate::{self, now_ms};
use crate::platform::Platform as _;
use crate::web;
use crate::workers::Workers;
use crate::{router, routes};

/// The cron trigger of wrangler.toml that probes the service; the other one refreshes the figures of coverage.
const EVERY_MINUTE: &str = "* * * * *";

#[event(fetch)]
async fn fetch(sent: web_sys::Request, env: Env, context: Context) -> Result<worker::Response> {
    let start_ms = now_ms();
    let Some(share) = isolate::under_way().begin(start_ms).map(Rc::new) else {
        return refuse(sent, env, Failure::Unavailable, start_ms);
    };
    let platform = Workers::for_request(env, Clone::clone(&sent));
    let request = web::request(sent, Some(share.clone()))?;
    let response = share.run(crate::handle(&platform, request), now_ms).await.ok_or("a request was given up")?;
    if let Some(work) = platform.work_to_do() {
        context.wait_until(async move { platform.work(work).await });
    }
    web::response(response)
}

/// Answers a request that began at `start_ms` and broke an instance down.
#[wasm_bindgen]
pub fn unexpected(sent: web_sys::Request, env: Env, start_ms: f64) -> std::result::Result<web_sys::Response, JsValue> {
    Ok(refuse(sent, env, Failure::Unexpected, start_ms as u64)?.into())
}

fn refuse(sent: web_sys::Request, env: Env, failure: Failure, start_ms: u64) -> Result<worker::Response> {
    let request = web::request(sent, None)?;
    web::response(router::refuse(&Workers::new(env), &request, failure, start_ms))
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
