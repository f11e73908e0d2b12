//! The Workers platform: the only place that sees its `Env`, its requests and its responses.
//!
//! `entry.mjs` calls [`begin`] for a request, and [`go_on`] until it has a response: see [`crate::turns`]. It calls
//! [`count_unexpected`] for one that it has to answer itself, because the instance broke down.
//!
//! The index lies in a module of its own, which the outer module `entry.mjs` imports when [`Workers::engine`] first asks:
//! isolates that only run objects never hold it.

use std::panic::AssertUnwindSafe;
use std::rc::Rc;
use std::sync::Once;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use toponym_engine::Engine;
use worker::js_sys::{self, Function, Promise, Reflect, Uint8Array};
use worker::wasm_bindgen::prelude::wasm_bindgen;
use worker::wasm_bindgen::{JsCast as _, JsValue};
use worker::{Delay, Env, ScheduleContext, ScheduledEvent, event, web_sys};

use crate::bindings::{BOARD, DIRECTORY, KEYS, SHARDS, STRANGERS};
use crate::clock::Clock;
use crate::config::{Config, ConfigError};
use crate::crossing::{self, JsBody};
use crate::durable::OBJECT_DEADLINE_MS;
use crate::durable::directory::{self, DirectoryRequest, Listed};
use crate::durable::message::{Command, Envelope, Reply};
use crate::error::Failure;
use crate::http::{CONNECTING_IP, READ_HEADERS};
use crate::isolate::{self, TURNS, arrival, now_ms};
use crate::metrics::board::{self, Answer, Message};
use crate::metrics::flush;
use crate::metrics::tally::{Batch, FLUSH_AFTER_MS};
use crate::platform::{Memory, Platform};
use crate::response::Response;
use crate::turns::Turn;
use crate::{router, routes};

/// The cron trigger of wrangler.toml that probes the service; the other one refreshes the figures of coverage.
const EVERY_MINUTE: &str = "* * * * *";

/// How often a flush is tried while the platform lets it run on behind its request, 30 s.
const FLUSHES: u32 = 5;

/// Global function of the outer module that resolves to the bytes of the index.
const LOAD_INDEX: &str = "toponymIndex";

static PANICS: Once = Once::new();

/// The headers that `describe` in crossing.js is to tell, in this order.
#[wasm_bindgen(js_name = headersToDescribe)]
pub fn headers_to_describe() -> Vec<String> {
    [CONNECTING_IP].into_iter().chain(READ_HEADERS).map(str::to_owned).collect()
}

/// The first turn of a request, under a number of its own: its response, or a promise for [`go_on`]. Undefined after a
/// defect.
#[wasm_bindgen]
pub fn begin(number: u32, described: &str, request: web_sys::Request, env: Env) -> JsValue {
    let Some(request) = crossing::request(described, request) else { return JsValue::UNDEFINED };
    let platform = Workers::new(env);
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
        router::count_unexpected(&Workers::new(env), &request, start_ms as u64);
    }
}

/// Whether the caller is to have [`flush`] run behind its request.
#[wasm_bindgen(js_name = wantsFlush)]
pub fn wants_flush() -> bool {
    isolate::memory().tally.borrow_mut().wants_flush(now_ms())
}

/// Sends the isolate's samples, behind the request that happened to begin.
#[wasm_bindgen(wasm_bindgen_futures = ::worker::wasm_bindgen_futures, js_sys = ::worker::js_sys)]
pub async fn flush(env: Env) {
    // What it shares with requests is the isolate's memory, which any state of leaves answers right.
    AssertUnwindSafe(async move {
        let platform = Workers::new(env);
        for _ in 0..FLUSHES {
            Delay::from(Duration::from_millis(FLUSH_AFTER_MS)).await;
            if flush::flush(&platform).await {
                break;
            }
        }
        platform.memory.tally.borrow_mut().end_flush();
    })
    .await;
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

/// A panic's message may hold the text of a query (a slice that ends inside a character prints the whole string): only
/// its place is logged.
fn log_panics_by_place() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map_or_else(|| "an unknown place".to_owned(), ToString::to_string);
        worker::console_error!("panic at {place}");
    }));
}

/// The platform for one request.
struct Workers {
    env: Env,
    config: Rc<Result<Config, ConfigError>>,
    memory: Rc<Memory>,
}

impl Clock for Workers {
    fn now_ms(&self) -> u64 {
        now_ms()
    }

    async fn pause(&self, ms: u64) {
        crossing::pause(ms).await;
    }
}

impl Platform for Workers {
    type Body = JsBody;

    fn config(&self) -> Result<&Config, Failure> {
        self.config.as_ref().as_ref().map_err(|_| Failure::Unavailable)
    }

    async fn engine(&self) -> Result<Rc<Engine>, Failure> {
        #[cfg(feature = "faults")]
        crate::fault::strike("engine");
        if let Some(engine) = isolate::engine() {
            return engine;
        }
        let bytes = index_bytes().await.map_err(|error| self.unavailable("the index cannot be loaded", &error))?;
        // Another request may have opened it meanwhile; from here on nothing awaits.
        if let Some(engine) = isolate::engine() {
            return engine;
        }
        // What the platform loads as a module is what was uploaded: its checksum was looked at there.
        // One copy, straight from the module into this memory, in a vector that is not larger.
        let engine = Engine::open_trusted(bytes.to_vec()).map(Rc::new);
        let engine = engine.map_err(|error| self.unavailable("the index cannot be opened", &error));
        isolate::keep_engine(engine.clone());
        engine
    }

    async fn ask(&self, key: &str, command: Command) -> Result<Reply, Failure> {
        let patience_ms = command.patience_ms();
        self.ask_object(KEYS, key, &Envelope::new(key, command, self.now_ms()), patience_ms).await
    }

    async fn directory(&self, question: DirectoryRequest) -> Result<Vec<Listed>, Failure> {
        self.ask_object(DIRECTORY, directory::NAME, &question, OBJECT_DEADLINE_MS).await
    }

    async fn tell_shard(&self, shard: u8, batch: &Batch) -> Result<(), Failure> {
        self.ask_object(SHARDS, &shard.to_string(), batch, OBJECT_DEADLINE_MS).await
    }

    async fn board(&self, message: Message) -> Result<Answer, Failure> {
        self.ask_object(BOARD, board::NAME, &message, OBJECT_DEADLINE_MS).await
    }

    async fn admits_stranger(&self, network: &str) -> bool {
        crossing::admits(&self.env, STRANGERS, network).await
    }

    fn memory(&self) -> &Memory {
        &self.memory
    }

    fn random<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        getrandom::fill(&mut bytes).expect("Workers have crypto.getRandomValues");
        bytes
    }

    fn log(&self, line: &str) {
        worker::console_error!("{line}");
    }
}

impl Workers {
    fn new(env: Env) -> Self {
        PANICS.call_once(log_panics_by_place);
        let memory = isolate::memory();
        let platform = Self { config: isolate::config(&env), memory, env };
        if let Err(error) = platform.config.as_ref() {
            platform.log(&error.to_string());
        }
        platform
    }

    async fn ask_object<T: DeserializeOwned>(
        &self,
        binding: &str,
        name: &str,
        question: &impl Serialize,
        patience_ms: u64,
    ) -> Result<T, Failure> {
        let answered = crossing::ask(&self.env, binding, name, question, patience_ms).await;
        answered.map_err(|error| self.unavailable("an object does not answer", &error))
    }

    fn unavailable(&self, what: &str, why: &dyn std::fmt::Display) -> Failure {
        self.log(&format!("{what}: {why}"));
        Failure::Unavailable
    }
}

/// The bytes of the module themselves: what takes an `Uint8Array` to make another one copies it.
async fn index_bytes() -> Result<Uint8Array, worker::Error> {
    let load: Function = Reflect::get(&js_sys::global(), &LOAD_INDEX.into())?.dyn_into()?;
    let bytes: Promise = load.call0(&JsValue::NULL)?.dyn_into()?;
    Ok(arrival(bytes).await?.dyn_into()?)
}
