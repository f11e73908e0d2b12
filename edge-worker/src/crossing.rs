//! Requests, responses and questions to objects on their way between wasm and the platform.
//!
//! Each takes one call of `crossing.js`. The wrappers of the `worker` crate make the same out of dozens of calls, with a
//! stream where a string will do and an object parsed from JSON for `Request::cf`, which cost a request more than all
//! that the service does itself.

use std::borrow::Cow;
use std::future::Future;

use serde::Serialize;
use serde::de::DeserializeOwned;
use worker::js_sys::Uint8Array;
use worker::wasm_bindgen::JsCast as _;
use worker::{Env, Error, web_sys};

use crate::bindings::Object;
use crate::durable::location::Location;
use crate::http::{Body, BodyError, READ_HEADERS, Request, parse_ip, split_url};
use crate::isolate::{arrival, hold};
use crate::response::Response;

mod js {
    use worker::js_sys::Promise;
    use worker::wasm_bindgen;
    use worker::wasm_bindgen::JsValue;
    use worker::wasm_bindgen::prelude::wasm_bindgen;
    use worker::web_sys::{Request, Response};

    #[wasm_bindgen(module = "/src/crossing.js")]
    extern "C" {
        pub fn reader(request: &Request) -> JsValue;
        pub fn part(reader: &JsValue) -> Promise;
        pub fn pause(ms: u32) -> Promise;
        #[wasm_bindgen(catch)]
        pub fn respond(status: u16, fixed: &str, own: &str, body: Option<&str>) -> Result<Response, JsValue>;
        pub fn ask(
            env: &JsValue,
            binding: &str,
            name: &str,
            hint: Option<&str>,
            question: &str,
            patience: u32,
        ) -> Promise;
        pub fn admits(env: &JsValue, binding: &str, name: &str) -> Promise;
    }
}

/// A body that the platform streams.
pub(crate) struct JsBody(web_sys::Request);

/// Room that a body is given at a time, bytes: doubling it each time would take twice the memory in the end.
const ROOM: usize = 64 * 1024;

impl Body for JsBody {
    /// Part by part straight into this memory, so that nobody else holds it.
    async fn read(self, cap: usize) -> Result<Vec<u8>, BodyError> {
        let reader = js::reader(&self.0);
        let mut body = Vec::new();
        loop {
            let part = arrival(js::part(&reader)).await.map_err(|_| BodyError::Broken)?;
            let Ok(part) = part.dyn_into::<Uint8Array>() else { return Ok(body) };
            let from = body.len();
            let length = from + part.length() as usize;
            if length > cap {
                return Err(BodyError::TooLarge);
            }
            if !hold(length - from) {
                return Err(BodyError::NoRoom);
            }
            if length > body.capacity() {
                body.reserve_exact(ROOM.max(length - from));
            }
            body.resize(length, 0);
            part.copy_to(&mut body[from..]);
        }
    }
}

/// A request as the router sees it, from the lines that `describe` in crossing.js makes of it: method, URL, caller's
/// address, [`READ_HEADERS`]. No part holds a line break: the platform takes none in a method, a URL or a header.
pub(crate) fn request(described: &str, request: web_sys::Request) -> Option<Request<JsBody>> {
    let mut lines = described.split('\n');
    let (method, url) = (lines.next()?, lines.next()?);
    let (scheme, host, path, query) = split_url(url)?;
    let mut sent = lines.map(|line| line.strip_prefix('='));
    let ip = sent.next().flatten().and_then(parse_ip);
    let headers = READ_HEADERS.into_iter().zip(sent);
    Some(Request {
        method: method.to_owned(),
        is_secure: scheme == "https",
        host: host.to_ascii_lowercase(),
        path: path.to_owned(),
        query: query.to_owned(),
        headers: headers.filter_map(|(name, value)| Some((name, value?.to_owned()))).collect(),
        ip,
        body: JsBody(request),
    })
}

/// A response as the platform sends it.
pub(crate) fn response(response: &Response) -> worker::Result<web_sys::Response> {
    let (fixed, own): (Vec<_>, Vec<_>) =
        response.headers.iter().partition(|(_, value)| matches!(value, Cow::Borrowed(_)));
    let lines = |headers: &[&(&'static str, Cow<'static, str>)]| {
        headers.iter().flat_map(|(name, value)| [*name, value.as_ref()]).collect::<Vec<_>>().join("\n")
    };
    // Every body is JSON or text. A string is cheaper than bytes, for which JavaScript has to allocate a buffer.
    let body = response.body.as_deref().map(String::from_utf8_lossy);
    Ok(js::respond(response.status, &lines(&fixed), &lines(&own), body.as_deref())?)
}

/// Asks `object` at once. Returns what it answers within `patience_ms`. Question and answer are JSON.
pub(crate) fn ask<T: DeserializeOwned, Q: Serialize>(
    env: &Env,
    Object { binding, name, location }: Object<'_>,
    question: &Q,
    patience_ms: u64,
) -> impl Future<Output = worker::Result<T>> + use<T, Q> {
    let patience = u32::try_from(patience_ms).unwrap_or(u32::MAX);
    let hint = location.map(Location::hint);
    let question = serde_json::to_string(question);
    let asked = question.map(|question| js::ask(env.as_ref(), binding, name, hint, &question, patience));
    async {
        let answer = arrival(asked?).await?;
        let answer = answer.as_string().ok_or_else(|| Error::RustError("an object answers no text".into()))?;
        Ok(serde_json::from_str(&answer)?)
    }
}

/// Waits for `ms` milliseconds.
pub(crate) async fn pause(ms: u64) {
    // A timer does not fail.
    let _ = arrival(js::pause(u32::try_from(ms).unwrap_or(u32::MAX))).await;
}

/// Whether the rate limit `binding` lets `name` pass; yes, where there is none.
pub(crate) async fn admits(env: &Env, binding: &str, name: &str) -> bool {
    arrival(js::admits(env.as_ref(), binding, name)).await.map_or(true, |admitted| admitted.is_truthy())
}
