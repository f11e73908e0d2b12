//! The Workers platform as a request needs it: the only place that sees its `Env`.
//!
//! Each index lies in a module of its own, which the outer module `entry.mjs` imports when [`Workers::places`] first asks:
//! isolates that only run objects never hold it.

use std::future::Future;
use std::rc::Rc;
use std::sync::Once;

use bytes::Bytes;
use futures_util::future::join;
use serde::Serialize;
use serde::de::DeserializeOwned;
use toponym_engine::geo::Coordinate;
use toponym_engine::request::point;
use worker::js_sys::futures::JsFuture;
use worker::js_sys::{self, Array, Function, Promise, Reflect, Uint8Array};
use worker::wasm_bindgen::{self, JsCast as _, JsValue};
use worker::{Env, web_sys};

use crate::bindings::{BOARD, DIRECTORY, KEYS, Object, STRANGERS};
use crate::clock::Clock;
use crate::config::{Config, ConfigError};
use crate::durable::directory::{self, DirectoryRequest, Listed};
use crate::durable::home::Home;
use crate::durable::message::{Command, Envelope, Reply};
use crate::error::Failure;
use crate::isolate::{self, now_ms};
use crate::metrics::board::{self, Answer, Message};
use crate::metrics::flush;
use crate::metrics::tally::FLUSH_AFTER_MS;
use crate::places::Places;
use crate::platform::{FetchedPages, Made, Memory, Platform};
use crate::router;
use crate::web::{self, StreamedBody};

/// Global function of the outer module that resolves to the bytes of an index by its number, and to nothing behind the last.
const LOAD_INDEX: &str = "toponymIndex";

/// Global function of the outer module that lets go of the bytes of an index by its number. It takes this memory too, with the offset
/// and length of the copy there, which must stay as long as the instance lives.
const INDEX_COPIED: &str = "toponymCopied";

/// Global function of the outer module that resolves to what came of some files of pages: see `pagesOf` in pages.js.
const LOAD_PAGES: &str = "toponymPages";

/// Global text of the outer module: [`Made`] as JSON.
const MADE: &str = "toponymMade";

/// Work to do behind a request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Work {
    /// Send the samples.
    flush: bool,
    /// Ask for leases, and report them.
    tend: bool,
}

static PANICS: Once = Once::new();

/// Logs only the place of a panic: its message may hold the text of a query (a slice that ends inside a character prints the
/// whole string).
fn log_panics_by_place() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map_or_else(|| "an unknown place".to_owned(), ToString::to_string);
        worker::console_error!("panic at {place}");
    }));
}

/// The platform for one request.
pub(crate) struct Workers {
    env: Env,
    /// The request, unless it runs behind one or for a cron trigger.
    request: Option<web_sys::Request>,
    config: Rc<Result<Config, ConfigError>>,
    memory: Rc<Memory>,
}

impl Clock for Workers {
    fn now_ms(&self) -> u64 {
        now_ms()
    }

    async fn pause(&self, ms: u64) {
        web::pause(ms).await;
    }
}

impl Platform for Workers {
    type Body = StreamedBody;

    fn config(&self) -> Result<&Config, Failure> {
        self.config.as_ref().as_ref().map_err(|_| Failure::Unavailable)
    }

    async fn places(&self) -> Result<Rc<Places>, Failure> {
        #[cfg(feature = "faults")]
        crate::fault::strike("engine");
        if let Some(places) = isolate::places() {
            return places;
        }
        // One index after another, each straight from the module into this memory, in a vector that is not larger: only one is ever
        // there twice. Another request may do the same between two of them.
        loop {
            let number = isolate::files(|files| files.len());
            let bytes = index_bytes(number).await;
            let bytes = bytes.map_err(|error| self.unavailable("the index cannot be loaded", &error))?;
            if let Some(places) = isolate::places() {
                return places;
            }
            let Some(bytes) = bytes else { break };
            isolate::files(|files| {
                if files.len() == number {
                    files.push(bytes.to_vec().into());
                    if let Err(error) = free_module(number, &files[number]) {
                        self.log(&format!("an index is in memory twice: {error}"));
                    }
                }
            });
        }
        let places = Places::open(isolate::files(std::mem::take)).map(Rc::new);
        let places = places.map_err(|error| self.unavailable("the index cannot be opened", &error));
        isolate::keep_places(places.clone());
        places
    }

    async fn pages(&self, files: &[String]) -> FetchedPages {
        fetched_pages(&self.env, files).await.unwrap_or_else(|error| {
            self.log(&format!("pages cannot be fetched: {error}"));
            FetchedPages { files: Vec::new(), failure: Some(Failure::Upstream) }
        })
    }

    fn made(&self) -> Option<Made> {
        let text = Reflect::get(&js_sys::global(), &MADE.into()).ok()?.as_string()?;
        serde_json::from_str(&text).ok()?
    }

    fn ask_at(&self, key: &str, home: Home, command: Command) -> impl Future<Output = Result<Reply, Failure>> {
        let name = home.object_name(key);
        let object = Object { location: command.location(), ..Object::with_name(KEYS, &name) };
        self.ask_object(object, &Envelope::new(key, command, self.now_ms()))
    }

    async fn directory(&self, question: DirectoryRequest) -> Result<Vec<Listed>, Failure> {
        self.ask_object(Object::with_name(DIRECTORY, directory::NAME), &question).await
    }

    async fn board(&self, message: Message) -> Result<Answer, Failure> {
        self.ask_object(Object::with_name(BOARD, board::NAME), &message).await
    }

    async fn admits_stranger(&self, network: &str) -> bool {
        web::admits(&self.env, STRANGERS, network).await
    }

    fn caller_place(&self) -> Option<Coordinate> {
        // An object that the platform makes only when it is asked for.
        let properties = Reflect::get(self.request.as_ref()?, &"cf".into()).ok()?;
        let degrees = |name: &str| Reflect::get(&properties, &name.into()).ok()?.as_string();
        point(&degrees("latitude")?, &degrees("longitude")?).ok()
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
    /// Creates the platform with what the isolate holds already.
    pub(crate) fn new(env: Env) -> Self {
        PANICS.call_once(log_panics_by_place);
        let memory = isolate::memory();
        let platform = Self { config: isolate::config(&env), memory, env, request: None };
        if let Err(error) = platform.config.as_ref() {
            platform.log(&error.to_string());
        }
        platform
    }

    /// Creates the platform for a request from which it may need more than was described.
    pub(crate) fn for_request(env: Env, request: web_sys::Request) -> Self {
        Self { request: Some(request), ..Self::new(env) }
    }

    /// Returns what is to do behind this request, if anything: samples to send, or leases to tend.
    pub(crate) fn work_to_do(&self) -> Option<Work> {
        let flush = self.memory.tally.borrow_mut().wants_flush(now_ms());
        let tend = self.memory.admissions.borrow_mut().wants_tending(now_ms());
        (flush || tend).then_some(Work { flush, tend })
    }

    /// Does the work behind the request that happened to begin.
    pub(crate) async fn work(&self, Work { flush, tend }: Work) {
        let flushed = async {
            if flush {
                self.flush().await
            }
        };
        let tended = async {
            if tend {
                router::tend(self).await
            }
        };
        join(flushed, tended).await;
    }

    /// Sends the isolate's samples, some seconds after the first: behind the request that happened to begin. What does not arrive
    /// goes with a later one.
    async fn flush(&self) {
        web::pause(FLUSH_AFTER_MS).await;
        flush::flush(self).await;
        self.memory.tally.borrow_mut().end_flush();
    }

    fn ask_object<T: DeserializeOwned, Q: Serialize>(
        &self,
        object: Object<'_>,
        question: &Q,
    ) -> impl Future<Output = Result<T, Failure>> + use<'_, T, Q> {
        let answer = web::ask(&self.env, object, question);
        async { answer.await.map_err(|error| self.unavailable("an object does not answer", &error)) }
    }

    fn unavailable(&self, what: &str, why: &dyn std::fmt::Display) -> Failure {
        self.log(&format!("{what}: {why}"));
        Failure::Unavailable
    }
}

/// Loads an index, `None` behind the last. It is a view of the module itself: what takes an `Uint8Array` to make another one copies it.
async fn index_bytes(number: usize) -> Result<Option<Uint8Array>, worker::Error> {
    let load: Function = Reflect::get(&js_sys::global(), &LOAD_INDEX.into())?.dyn_into()?;
    let bytes: Promise = load.call1(&JsValue::NULL, &number.into())?.dyn_into()?;
    let bytes = JsFuture::from(bytes).await?;
    Ok(if bytes.is_undefined() { None } else { Some(bytes.dyn_into()?) })
}

/// Lets the outer module go without an index, of which `copy` is in this memory.
fn free_module(number: usize, copy: &Bytes) -> Result<(), worker::Error> {
    let copied: Function = Reflect::get(&js_sys::global(), &INDEX_COPIED.into())?.dyn_into()?;
    let offset = copy.as_ptr().addr();
    let length = copy.len();
    copied.call4(&JsValue::NULL, &number.into(), &wasm_bindgen::memory(), &offset.into(), &length.into())?;
    Ok(())
}

/// Fetches pages, which needs what only the outer module has.
async fn fetched_pages(env: &Env, files: &[String]) -> Result<FetchedPages, worker::Error> {
    let load: Function = Reflect::get(&js_sys::global(), &LOAD_PAGES.into())?.dyn_into()?;
    let names: Array = files.iter().map(|file| JsValue::from(file.as_str())).collect();
    let fetched: Promise = load.call2(&JsValue::NULL, env.as_ref(), &names)?.dyn_into()?;
    let fetched = JsFuture::from(fetched).await?;
    let pages: Array = Reflect::get(&fetched, &"pages".into())?.dyn_into()?;
    let files = pages.iter().map(|page| Some(page.dyn_into::<Uint8Array>().ok()?.to_vec())).collect();
    let failure = match Reflect::get(&fetched, &"failure".into())?.as_string().as_deref() {
        None => None,
        Some("limit") => Some(Failure::Unavailable),
        Some(_) => Some(Failure::Upstream),
    };
    Ok(FetchedPages { files, failure })
}
