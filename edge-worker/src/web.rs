//! Requests, responses and questions to objects, as the `worker` crate has them.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::rc::Rc;
use std::time::Duration;

use futures_util::future::{Either, select};
use serde::Serialize;
use serde::de::DeserializeOwned;
use worker::js_sys::futures::{JsFuture, future_to_promise};
use worker::js_sys::{self, Promise, Reflect, Uint8Array};
use worker::wasm_bindgen::prelude::wasm_bindgen;
use worker::wasm_bindgen::{self, JsCast as _, JsValue};
use worker::worker_sys::DurableObject;
use worker::{Delay, Env, Error, Headers, ObjectNamespace, RateLimiter, ResponseBuilder, Result, web_sys};

use crate::bindings::Object;
use crate::durable::OBJECT_DEADLINE_MS;
use crate::http::{Body, BodyError, CONNECTING_IP, READ_HEADERS, Request, parse_ip, split_url};
use crate::response::Response;
use crate::under_way::Share;

#[wasm_bindgen(module = "cloudflare:workers")]
extern "C" {
    /// Lets the present request go on until `promise` has settled, even if its client goes away.
    #[wasm_bindgen(js_name = waitUntil)]
    fn wait_until(promise: &Promise);
}

/// Longest time that the next part of a body may take, milliseconds.
const PART_MS: u64 = 10_000;

/// Room that a body is given at a time, bytes: doubling it each time would take twice the memory in the end.
const ROOM: usize = 64 * 1024;

/// A body that the platform streams.
pub(crate) struct StreamedBody {
    request: web_sys::Request,
    /// The request's part of what all bodies may hold; none if it reads no body.
    share: Option<Rc<Share>>,
}

impl Body for StreamedBody {
    /// Reads part by part straight into this memory, so that nobody else holds the body.
    async fn read(self, cap: usize) -> std::result::Result<Vec<u8>, BodyError> {
        let mut body = Vec::new();
        let Some(stream) = self.request.body() else { return Ok(body) };
        let reader: web_sys::ReadableStreamDefaultReader = stream.get_reader().unchecked_into();
        loop {
            let part = in_time(JsFuture::from(reader.read()), PART_MS).await;
            let part = part.and_then(std::result::Result::ok).ok_or(BodyError::Broken)?;
            let part = Reflect::get(&part, &"value".into()).map_err(|_| BodyError::Broken)?;
            let Ok(part) = part.dyn_into::<Uint8Array>() else { return Ok(body) };
            let from = body.len();
            let length = from + part.length() as usize;
            if length > cap {
                return Err(BodyError::TooLarge);
            }
            if !self.share.as_ref().is_some_and(|share| share.hold(length - from)) {
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

/// Returns the request as the router sees it.
pub(crate) fn request(request: web_sys::Request, share: Option<Rc<Share>>) -> Result<Request<StreamedBody>> {
    let url = request.url();
    let (scheme, host, path, query) = split_url(&url).ok_or_else(|| Error::from("a request has no URL"))?;
    let sent = request.headers();
    let header = |name| sent.get(name).ok().flatten();
    Ok(Request {
        method: request.method(),
        is_secure: scheme == "https",
        host: host.to_ascii_lowercase(),
        path: path.to_owned(),
        query: query.to_owned(),
        headers: READ_HEADERS.into_iter().filter_map(|name| Some((name, header(name)?))).collect(),
        ip: header(CONNECTING_IP).as_deref().and_then(parse_ip),
        body: StreamedBody { request, share },
    })
}

/// Returns the response as the platform sends it.
pub(crate) fn response(response: Response) -> Result<worker::Response> {
    let headers = Headers::new();
    response.headers.iter().try_for_each(|(name, value)| headers.append(name, value))?;
    let builder = ResponseBuilder::new().with_status(response.status).with_headers(headers);
    Ok(match response.body {
        Some(body) => builder.fixed(body),
        None => builder.empty(),
    })
}

/// Asks an object at once. Returns what it answers within [`OBJECT_DEADLINE_MS`]. Question and answer are JSON. The request goes on
/// until then even if its client goes away: others wait for what comes of it, such as a lease.
pub(crate) fn ask<T: DeserializeOwned, Q: Serialize>(
    env: &Env,
    object: Object<'_>,
    question: &Q,
) -> impl Future<Output = Result<T>> + use<T, Q> {
    let answer = send(env, object, question).map(|sent| {
        let answer = future_to_promise(AssertUnwindSafe(async move {
            let text =
                in_time(text_of(sent), OBJECT_DEADLINE_MS).await.unwrap_or_else(|| Err("no reply in time".into()));
            // What the platform waits for must not fail.
            Ok(text.unwrap_or_else(|error| js_sys::Error::new(&error.to_string()).into()))
        }));
        wait_until(&answer);
        JsFuture::from(answer)
    });
    async {
        let answer = answer?.await?;
        let text = answer.as_string().ok_or_else(|| Error::from(answer))?;
        Ok(serde_json::from_str(&text)?)
    }
}

/// An object has no address; the platform wants a URL all the same.
const ADDRESS: &str = "https://object.invalid/";

/// Sends a question. The platform shows no body in its logs or to `wrangler tail`.
fn send<Q: Serialize>(env: &Env, Object { binding, name, location }: Object<'_>, question: &Q) -> Result<Promise> {
    let init = web_sys::RequestInit::new();
    init.set_method("POST");
    init.set_body(&serde_json::to_string(question)?.into());
    let objects = ObjectNamespace::unchecked_from_js(Reflect::get(env.as_ref(), &binding.into())?);
    let object = match location {
        Some(location) => objects.get_by_name_with_location_hint(name, location.hint)?,
        None => objects.get_by_name(name)?,
    };
    let request = web_sys::Request::new_with_str_and_init(ADDRESS, &init)?;
    Ok(object.into_rpc::<DurableObject>().fetch_with_request(&request)?)
}

async fn text_of(sent: Promise) -> Result<JsValue> {
    let response: web_sys::Response = JsFuture::from(sent).await?.unchecked_into();
    Ok(JsFuture::from(response.text()?).await?)
}

/// Waits for `ms` milliseconds.
pub(crate) async fn pause(ms: u64) {
    Delay::from(Duration::from_millis(ms)).await;
}

/// Tells whether the rate limit `binding` lets `name` pass; yes, where there is none.
pub(crate) async fn admits(env: &Env, binding: &str, name: &str) -> bool {
    let found = Reflect::get(env.as_ref(), &binding.into()).ok().filter(|found| !found.is_undefined());
    let Some(limit) = found.map(RateLimiter::unchecked_from_js) else { return true };
    limit.limit(name.to_owned()).await.map_or(true, |outcome| outcome.success)
}

/// Returns what comes of `future`, unless that takes longer than `ms` milliseconds.
async fn in_time<T>(future: impl Future<Output = T>, ms: u64) -> Option<T> {
    match select(pin!(future), pin!(pause(ms))).await {
        Either::Left((value, _)) => Some(value),
        Either::Right(_) => None,
    }
}
