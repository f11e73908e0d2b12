//! What `../crossing.rs` does, by the `worker` crate alone and without JavaScript of our own: measured beside it, and never
//! deployed.
//!
//! It is as cheap as the crate allows. Where its own types cost more than those of `web-sys` that they wrap, which it takes
//! and gives as well, these stand here: `worker::Request` reads `cf`, and `worker::Response` copies a text into a buffer.
//! Questions and replies travel as they do there, what is short as a header.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::maybe_done;
use serde::Serialize;
use serde::de::DeserializeOwned;
use worker::{Delay, Env, Error, ResponseBuilder, web_sys};

use crate::bindings::Object;
use crate::http::{Body, BodyError, CONNECTING_IP, READ_HEADERS, Request, parse_ip, split_url};
use crate::isolate::hold;
use crate::response::Response;

/// An object has no address; the platform wants a URL all the same.
const ADDRESS: &str = "https://object.invalid/";

/// The header that carries a short text.
const HEADER: &str = "x-secret-text";

/// A body that the platform streams.
pub(crate) struct JsBody(web_sys::Request);

thread_local! {
    /// Headers that stand in the source text of the service, as often as they occur together: copying them is cheap, and
    /// making them anew is not.
    static KNOWN: RefCell<HashMap<Vec<&'static str>, web_sys::Headers>> = RefCell::default();
}

impl Body for JsBody {
    /// All at once, which a service could not do: who sends much would have it held before it is refused.
    async fn read(self, cap: usize) -> Result<Vec<u8>, BodyError> {
        let body = worker::Request::from(self.0).bytes().await.map_err(|_| BodyError::Broken)?;
        match body.len() {
            length if length > cap => Err(BodyError::TooLarge),
            length if !hold(length) => Err(BodyError::NoRoom),
            _ => Ok(body),
        }
    }
}

/// A request as the router sees it.
pub(crate) fn request(request: web_sys::Request) -> worker::Result<Request<JsBody>> {
    let url = request.url();
    let (scheme, host, path, query) = split_url(&url).ok_or_else(|| Error::RustError("no URL".into()))?;
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
        body: JsBody(request),
    })
}

/// A response as the platform sends it.
pub(crate) fn response(response: &Response) -> worker::Result<web_sys::Response> {
    let init = web_sys::ResponseInit::new();
    init.set_status(response.status);
    let fixed = response.headers.iter().filter_map(|(name, value)| match value {
        Cow::Borrowed(value) => Some([*name, *value]),
        Cow::Owned(_) => None,
    });
    let fixed: Vec<&'static str> = fixed.flatten().collect();
    KNOWN.with_borrow_mut(|known| -> worker::Result<()> {
        if !known.contains_key(&fixed) {
            let headers = web_sys::Headers::new()?;
            fixed.chunks(2).try_for_each(|header| headers.append(header[0], header[1]))?;
            known.insert(fixed.clone(), headers);
        }
        init.set_headers(&known[&fixed]);
        Ok(())
    })?;
    let body = response.body.as_deref().map(String::from_utf8_lossy);
    let made = web_sys::Response::new_with_opt_str_and_init(body.as_deref(), &init)?;
    let headers = made.headers();
    for (name, value) in &response.headers {
        if let Cow::Owned(value) = value {
            headers.append(name, value)?;
        }
    }
    Ok(made)
}

/// Asks `object` at once. Returns what it answers within `patience_ms`. Question and answer are JSON.
pub(crate) fn ask<T: DeserializeOwned, Q: Serialize>(
    env: &Env,
    Object { binding, name, location }: Object<'_>,
    question: &Q,
    patience_ms: u64,
) -> impl Future<Output = worker::Result<T>> + use<T, Q> {
    let question = serde_json::to_string(question);
    let object = env.durable_object(binding).and_then(|objects| match location {
        Some(location) => objects.get_by_name_with_location_hint(name, location.hint()),
        None => objects.get_by_name(name),
    });
    let answered = async move {
        let question = question?;
        let init = web_sys::RequestInit::new();
        if fits(&question) {
            let headers = web_sys::Headers::new()?;
            headers.append(HEADER, &question)?;
            init.set_headers(&headers);
        } else {
            init.set_method("POST");
            init.set_body(&question.into());
        }
        let request = web_sys::Request::new_with_str_and_init(ADDRESS, &init)?;
        let mut response = object?.fetch_with_request(request.into()).await?;
        match response.headers().get(HEADER)? {
            Some(answer) => Ok(answer),
            None => response.text().await,
        }
    };
    // The crate sends nothing before the first step.
    let mut asked = Box::pin(maybe_done(in_time(answered, patience_ms)));
    let _is_sent = asked.as_mut().now_or_never();
    async move {
        asked.as_mut().await;
        let answer = asked.as_mut().take_output().flatten();
        let answer = answer.ok_or_else(|| Error::RustError("no reply in time".into()))??;
        Ok(serde_json::from_str(&answer)?)
    }
}

/// What an object is asked, by [`ask`].
pub(crate) async fn question_of(mut request: worker::Request) -> worker::Result<String> {
    match request.headers().get(HEADER)? {
        Some(question) => Ok(question),
        None => request.text().await,
    }
}

/// An object's reply, for [`ask`].
pub(crate) fn reply_with(text: String) -> worker::Result<worker::Response> {
    if fits(&text) {
        Ok(ResponseBuilder::new().with_header(HEADER, &text)?.empty())
    } else {
        Ok(ResponseBuilder::new().fixed(text.into_bytes()))
    }
}

/// Waits for `ms` milliseconds.
pub(crate) async fn pause(ms: u64) {
    Delay::from(Duration::from_millis(ms)).await;
}

/// Whether the rate limit `binding` lets `name` pass; yes, where there is none.
pub(crate) async fn admits(env: &Env, binding: &str, name: &str) -> bool {
    let Ok(limiter) = env.rate_limiter(binding) else { return true };
    limiter.limit(name.to_owned()).await.map_or(true, |outcome| outcome.success)
}

/// Whether a header takes it.
fn fits(text: &str) -> bool {
    text.len() <= 4096 && text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}

/// What comes of `future`, unless that takes longer than `ms` milliseconds.
async fn in_time<T>(future: impl Future<Output = T>, ms: u64) -> Option<T> {
    let (mut future, mut late) = (pin!(future), pin!(pause(ms)));
    poll_fn(|context| match future.as_mut().poll(context) {
        Poll::Ready(value) => Poll::Ready(Some(value)),
        Poll::Pending => late.as_mut().poll(context).map(|()| None),
    })
    .await
}
