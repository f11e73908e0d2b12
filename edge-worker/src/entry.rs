//! The Workers platform: the only place that sees its `Env`, its requests and its responses.
//!
//! The index lies in a module of its own, which the outer module `entry.mjs` imports when [`Workers::engine`] first asks:
//! isolates that only run objects never hold it.

use std::cell::RefCell;
use std::future::Future;
use std::net::IpAddr;
use std::pin::pin;
use std::rc::Rc;
use std::sync::Once;
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::future::{Either, select};
use serde::Serialize;
use serde::de::DeserializeOwned;
use toponym_engine::Engine;
use worker::js_sys::futures::JsFuture;
use worker::js_sys::{self, Function, Promise, Reflect, Uint8Array};
use worker::wasm_bindgen::{JsCast as _, JsValue};
use worker::{Context, Date, Delay, Env, Headers, Response as JsResponse, ScheduleContext, ScheduledEvent, event};

use crate::config::{Config, ConfigError};
use crate::durable::call::call;
use crate::durable::directory::{self, Listed, Question};
use crate::durable::message::{Command, Envelope, Reply};
use crate::error::Failure;
use crate::http::{self, Body, BodyError, CONNECTING_IP, READ_HEADERS, Request};
use crate::metrics::board::{self, Answer, Message};
use crate::metrics::tally::{Batch, FLUSH_AFTER_MS};
use crate::platform::{Memory, OBJECT_DEADLINE_MS, Platform};
use crate::response::Response;
use crate::{metrics, routes};

/// Binding of the objects that hold API keys.
const KEYS: &str = "KEYS";

/// Binding of the directory.
const DIRECTORY: &str = "DIRECTORY";

/// Binding of the objects that take samples.
const SHARDS: &str = "SHARDS";

/// Binding of the object that answers for all samples.
pub(crate) const BOARD: &str = "BOARD";

/// The cron trigger of wrangler.toml that probes the service; the other one refreshes the figures of coverage.
const EVERY_MINUTE: &str = "* * * * *";

/// How often a flush is tried while the platform lets it run on behind its request, 30 s.
const FLUSHES: u32 = 5;

/// Binding of the rate limit in front of unknown keys.
const STRANGERS: &str = "STRANGERS";

/// Global function of the outer module that resolves to the bytes of the index.
const LOAD_INDEX: &str = "toponymIndex";

/// What an isolate reads once.
#[derive(Default)]
struct Isolate {
    memory: Rc<Memory>,
    config: RefCell<Option<Rc<Result<Config, ConfigError>>>>,
    /// The engine, or that the index is unusable, which stays so for the isolate's life.
    engine: RefCell<Option<Result<Rc<Engine>, Failure>>>,
}

thread_local! {
    static ISOLATE: Isolate = Isolate::default();
}

static PANICS: Once = Once::new();

#[event(fetch)]
async fn fetch(request: worker::Request, env: Env, context: Context) -> worker::Result<JsResponse> {
    let platform = Workers::new(env);
    let response = crate::handle(&platform, from_js(request)?).await;
    let wants_flush = platform.memory.tally.borrow_mut().wants_flush(platform.now_ms());
    if wants_flush {
        context.wait_until(flush(platform));
    }
    into_js(response)
}

#[event(scheduled)]
async fn scheduled(event: ScheduledEvent, env: Env, _context: ScheduleContext) {
    let platform = Workers::new(env);
    let done = if event.cron() == EVERY_MINUTE {
        routes::health::probe(&platform).await
    } else {
        routes::coverage::refresh(&platform).await.map(drop)
    };
    if let Err(failure) = done {
        platform.log(&format!("the cron trigger {} failed with {}", event.cron(), failure.status()));
    }
}

/// Sends the isolate's samples, behind the request that happened to begin.
async fn flush(platform: Workers) {
    for _ in 0..FLUSHES {
        Delay::from(Duration::from_millis(FLUSH_AFTER_MS)).await;
        if metrics::flush(&platform).await {
            break;
        }
    }
    platform.memory.tally.borrow_mut().end_flush();
}

/// A panic's message may hold the text of a query (a slice that ends inside a character prints the whole string): only
/// its place is logged.
fn log_panics_by_place() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map_or_else(|| "an unknown place".to_owned(), ToString::to_string);
        worker::console_error!("panic at {place}");
    }));
}

/// The deployment's variables, read by the first call of the isolate.
pub(crate) fn isolate_config(env: &Env) -> Rc<Result<Config, ConfigError>> {
    ISOLATE.with(|isolate| {
        let mut config = isolate.config.borrow_mut();
        config.get_or_insert_with(|| Rc::new(Config::read(|name| variable(env, name)))).clone()
    })
}

fn variable(env: &Env, name: &str) -> Option<String> {
    env.var(name).ok().map(|value| value.to_string())
}

/// The platform for one request.
struct Workers {
    env: Env,
    config: Rc<Result<Config, ConfigError>>,
    memory: Rc<Memory>,
}

impl Platform for Workers {
    type Body = JsBody;

    fn now_ms(&self) -> u64 {
        Date::now().as_millis()
    }

    fn config(&self) -> Result<&Config, Failure> {
        self.config.as_ref().as_ref().map_err(|_| Failure::Unavailable)
    }

    async fn engine(&self) -> Result<Rc<Engine>, Failure> {
        if let Some(engine) = opened() {
            return engine;
        }
        let bytes = index_bytes().await.map_err(|error| self.unavailable("the index cannot be loaded", &error))?;
        // Another request may have opened it meanwhile; from here on nothing awaits.
        if let Some(engine) = opened() {
            return engine;
        }
        let engine = Engine::open(bytes.to_vec()).map(Rc::new);
        let engine = engine.map_err(|error| self.unavailable("the index cannot be opened", &error));
        ISOLATE.with(|isolate| isolate.engine.replace(Some(engine.clone())));
        engine
    }

    async fn ask(&self, key: &str, command: Command) -> Result<Reply, Failure> {
        let not_after_ms = self.now_ms() + OBJECT_DEADLINE_MS;
        let envelope = Envelope { key: key.to_owned(), not_after_ms, command };
        self.ask_object(KEYS, key, &envelope).await
    }

    async fn directory(&self, question: Question) -> Result<Vec<Listed>, Failure> {
        self.ask_object(DIRECTORY, directory::NAME, &question).await
    }

    async fn tell_shard(&self, shard: u8, batch: &Batch) -> Result<(), Failure> {
        self.ask_object(SHARDS, &shard.to_string(), batch).await
    }

    async fn board(&self, message: Message) -> Result<Answer, Failure> {
        self.ask_object(BOARD, board::NAME, &message).await
    }

    async fn admits_stranger(&self, ip: Option<IpAddr>) -> bool {
        let Ok(limiter) = self.env.rate_limiter(STRANGERS) else { return true };
        let from = ip.map_or_else(|| "unknown".to_owned(), |ip| ip.to_string());
        limiter.limit(from).await.map_or(true, |outcome| outcome.success)
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
        let memory = ISOLATE.with(|isolate| isolate.memory.clone());
        let platform = Self { config: isolate_config(&env), memory, env };
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
    ) -> Result<T, Failure> {
        let asking = call(&self.env, binding, name, question);
        let answered = within(Duration::from_millis(OBJECT_DEADLINE_MS), asking).await;
        let answered = answered.unwrap_or_else(|| Err(worker::Error::RustError("no reply in time".into())));
        answered.map_err(|error| self.unavailable("an object does not answer", &error))
    }

    fn unavailable(&self, what: &str, why: &dyn std::fmt::Display) -> Failure {
        self.log(&format!("{what}: {why}"));
        Failure::Unavailable
    }
}

fn opened() -> Option<Result<Rc<Engine>, Failure>> {
    ISOLATE.with(|isolate| isolate.engine.borrow().clone())
}

async fn index_bytes() -> Result<Uint8Array, worker::Error> {
    let load: Function = Reflect::get(&js_sys::global(), &LOAD_INDEX.into())?.dyn_into()?;
    let bytes: Promise = load.call0(&JsValue::NULL)?.dyn_into()?;
    Ok(Uint8Array::new(&JsFuture::from(bytes).await?))
}

/// What `future` gives, unless it takes longer than `time`.
async fn within<T>(time: Duration, future: impl Future<Output = T>) -> Option<T> {
    match select(pin!(future), pin!(Delay::from(time))).await {
        Either::Left((value, _)) => Some(value),
        Either::Right(_) => None,
    }
}

/// A body that the platform streams.
struct JsBody(worker::Request);

impl Body for JsBody {
    async fn read(mut self, cap: usize) -> Result<Vec<u8>, BodyError> {
        let mut bytes = Vec::new();
        // A request without a body has no stream.
        let Ok(mut stream) = self.0.stream() else { return Ok(bytes) };
        while let Some(chunk) = stream.next().await {
            bytes.extend(chunk.map_err(|_| BodyError::Broken)?);
            if bytes.len() > cap {
                return Err(BodyError::TooLarge);
            }
        }
        Ok(bytes)
    }
}

fn from_js(request: worker::Request) -> worker::Result<Request<JsBody>> {
    let url = request.inner().url();
    let header = |name: &str| request.headers().get(name).ok().flatten();
    Ok(Request {
        method: request.inner().method(),
        host: request.url()?.host_str().unwrap_or_default().to_ascii_lowercase(),
        path: request.path(),
        query: url.split('#').next().and_then(|url| url.split_once('?')).map_or("", |(_, query)| query).to_owned(),
        headers: READ_HEADERS.into_iter().filter_map(|name| Some((name, header(name)?))).collect(),
        ip: header(CONNECTING_IP).and_then(|ip| http::parse_ip(&ip)),
        body: JsBody(request),
    })
}

fn into_js(response: Response) -> worker::Result<JsResponse> {
    let headers = Headers::new();
    for (name, value) in &response.headers {
        headers.set(name, value)?;
    }
    let builder = JsResponse::builder().with_status(response.status).with_headers(headers);
    Ok(match response.body {
        Some(body) => builder.fixed(body),
        None => builder.empty(),
    })
}
