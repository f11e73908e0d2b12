//! The state that an isolate keeps between requests, and how its requests wait.

use std::cell::RefCell;
use std::rc::Rc;

use worker::Env;
use worker::js_sys::futures::JsFuture;
use worker::js_sys::{self, Promise};
use worker::wasm_bindgen::JsValue;

use crate::config::{Config, ConfigError};
use crate::error::Failure;
use crate::places::Places;
use crate::platform::Memory;
use crate::turns::Turns;

/// The state that an isolate loads once.
#[derive(Default)]
struct Isolate {
    memory: Rc<Memory>,
    config: RefCell<Option<Rc<Result<Config, ConfigError>>>>,
    /// The places, or the permanent failure to open the index.
    places: RefCell<Option<Result<Rc<Places>, Failure>>>,
    /// Work that was promised and has not begun.
    work: RefCell<Vec<Work>>,
}

/// What is to do behind a request.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Work {
    /// Send the samples.
    pub flush: bool,
    /// Ask for leases, and report them.
    pub tend: bool,
}

/// The result of a promise.
pub(crate) type Arrived = Result<JsValue, JsValue>;

thread_local! {
    static ISOLATE: Isolate = Isolate::default();
    /// The requests that wait.
    pub(crate) static TURNS: Turns<Promise, Arrived, JsValue> = Turns::default();
}

/// Waits for `promise`. This is the only way to wait in a request. Code that runs elsewhere (cron triggers, alarms, the
/// flush after a request) uses it too, on the executor of `wasm-bindgen-futures`.
pub(crate) async fn arrival(promise: Promise) -> Arrived {
    match TURNS.with(|turns| turns.arrival(promise)) {
        Ok(arrival) => arrival.await,
        Err(promise) => JsFuture::from(promise).await,
    }
}

/// Whether there is room for `bytes` more of the body of the request whose turn it is.
pub(crate) fn hold(bytes: usize) -> bool {
    TURNS.with(|turns| turns.hold(bytes))
}

/// The isolate's waiting requests, the bytes of all bodies, the unsent samples, and the failed ones among those.
#[cfg(feature = "faults")]
pub(crate) fn usage() -> [usize; 4] {
    let (waiting, bodies) = TURNS.with(Turns::size);
    let pending = ISOLATE.with(|isolate| isolate.memory.tally.borrow().pending());
    [waiting, bodies, pending.total() as usize, pending.failed as usize]
}

/// The deployment's variables, read by the first call of the isolate.
pub(crate) fn config(env: &Env) -> Rc<Result<Config, ConfigError>> {
    ISOLATE.with(|isolate| {
        let mut config = isolate.config.borrow_mut();
        config.get_or_insert_with(|| Rc::new(Config::read(|name| variable(env, name)))).clone()
    })
}

fn variable(env: &Env, name: &str) -> Option<String> {
    env.var(name).ok().map(|value| value.to_string())
}

/// The isolate's caches.
pub(crate) fn memory() -> Rc<Memory> {
    ISOLATE.with(|isolate| isolate.memory.clone())
}

/// Whether there is work to do behind a request: samples to send, or leases to tend.
pub(crate) fn wants_work(now_ms: u64) -> bool {
    let memory = memory();
    let work = Work {
        flush: memory.tally.borrow_mut().wants_flush(now_ms),
        tend: memory.admissions.borrow_mut().wants_tending(now_ms),
    };
    let wants = work.flush || work.tend;
    if wants {
        ISOLATE.with(|isolate| isolate.work.borrow_mut().push(work));
    }
    wants
}

/// The work that [`wants_work`] promised.
pub(crate) fn work() -> Work {
    ISOLATE.with(|isolate| isolate.work.borrow_mut().pop()).unwrap_or_default()
}

/// The places, once an index was opened or found unusable.
pub(crate) fn places() -> Option<Result<Rc<Places>, Failure>> {
    ISOLATE.with(|isolate| isolate.places.borrow().clone())
}

/// Keeps the places, or that the index is unusable.
pub(crate) fn keep_places(places: Result<Rc<Places>, Failure>) {
    ISOLATE.with(|isolate| isolate.places.replace(Some(places)));
}

/// The clock: milliseconds since the epoch.
pub(crate) fn now_ms() -> u64 {
    js_sys::Date::now() as u64
}
