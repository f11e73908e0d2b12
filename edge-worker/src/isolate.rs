//! The state that an isolate keeps between requests.

use std::cell::RefCell;
use std::rc::Rc;

use bytes::Bytes;
use worker::Env;
use worker::js_sys;

use crate::config::{Config, ConfigError};
use crate::error::Failure;
use crate::places::Places;
use crate::platform::Memory;
use crate::under_way::UnderWay;

/// The state that an isolate loads once.
#[derive(Default)]
struct Isolate {
    memory: RefCell<Rc<Memory>>,
    under_way: Rc<UnderWay>,
    config: RefCell<Option<Rc<Result<Config, ConfigError>>>>,
    /// Copies of the indexes, until all of them are there and can be opened.
    files: RefCell<Vec<Bytes>>,
    /// The places, or the permanent failure to open the index.
    places: RefCell<Option<Result<Rc<Places>, Failure>>>,
}

thread_local! {
    static ISOLATE: Isolate = Isolate::default();
}

/// Returns the requests under way.
pub(crate) fn under_way() -> Rc<UnderWay> {
    ISOLATE.with(|isolate| isolate.under_way.clone())
}

/// Counts the requests under way, the bytes of all bodies, the unsent samples, and the failed ones among those.
#[cfg(feature = "faults")]
pub(crate) fn usage() -> [usize; 4] {
    let (requests, bodies) = under_way().size();
    let pending = memory().tally.borrow().pending_counts();
    [requests, bodies, pending.total() as usize, pending.failed as usize]
}

/// Forgets all that later requests would share with earlier ones, as if they came to another isolate.
#[cfg(feature = "faults")]
pub(crate) fn renew() {
    ISOLATE.with(|isolate| isolate.memory.take());
}

/// Returns the deployment's variables, read by the first call of the isolate.
pub(crate) fn config(env: &Env) -> Rc<Result<Config, ConfigError>> {
    ISOLATE.with(|isolate| {
        let mut config = isolate.config.borrow_mut();
        config.get_or_insert_with(|| Rc::new(Config::read(|name| variable(env, name)))).clone()
    })
}

fn variable(env: &Env, name: &str) -> Option<String> {
    env.var(name).ok().map(|value| value.to_string())
}

/// Returns the isolate's caches.
pub(crate) fn memory() -> Rc<Memory> {
    ISOLATE.with(|isolate| isolate.memory.borrow().clone())
}

/// Calls `change` with the copies of the indexes that are there so far.
pub(crate) fn files<T>(change: impl FnOnce(&mut Vec<Bytes>) -> T) -> T {
    ISOLATE.with(|isolate| change(&mut isolate.files.borrow_mut()))
}

/// Returns the places, once an index was opened or found unusable.
pub(crate) fn places() -> Option<Result<Rc<Places>, Failure>> {
    ISOLATE.with(|isolate| isolate.places.borrow().clone())
}

/// Keeps the places, or that the index is unusable.
pub(crate) fn keep_places(places: Result<Rc<Places>, Failure>) {
    ISOLATE.with(|isolate| isolate.places.replace(Some(places)));
}

/// Reads the clock: milliseconds since the epoch.
pub(crate) fn now_ms() -> u64 {
    js_sys::Date::now() as u64
}
