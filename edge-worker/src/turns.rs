//! Runs a request in turns: from one promise that it waits for to the next, of which JavaScript awaits each.
//!
//! The executor of `wasm-bindgen-futures` takes any future, at the price of a microtask of the platform, a promise and
//! several closures for each wait. A request here waits for one thing at a time, so that a plain loop in `entry.mjs` will
//! do: a turn ends with the answer, or with the promise that the next turn needs.
//!
//! Only [`arrival`] may wait in a request. What runs elsewhere (cron triggers, alarms, the flush behind a request) takes
//! it as well, on the executor of `wasm-bindgen-futures`.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use worker::js_sys::Promise;
use worker::js_sys::futures::JsFuture;
use worker::wasm_bindgen::JsValue;

/// How long a request is kept that has not gone on, milliseconds: it died with its connection. Every wait but that for a
/// body has a deadline far below.
const FORGOTTEN_MS: u64 = 5 * 60 * 1_000;

/// How many requests may be under way before dead ones are looked for.
const MANY: usize = 1_000;

/// What came of a promise.
pub(crate) type Arrived = Result<JsValue, JsValue>;

/// A request that waits.
struct Waiting {
    request: Pin<Box<dyn Future<Output = JsValue>>>,
    since_ms: u64,
}

#[derive(Default)]
struct Turns {
    /// By the number that JavaScript gave.
    waiting: RefCell<HashMap<u32, Waiting>>,
    /// Whether a request has its turn right now.
    is_turn: Cell<bool>,
    /// What the turn waited for; taken by the [`arrival`] that asked for it.
    arrived: Cell<Option<Arrived>>,
    /// What the next turn needs.
    awaited: Cell<Option<Promise>>,
}

thread_local! {
    static TURNS: Turns = Turns::default();
}

/// The first turn of `request`: its answer, or a promise. When that has settled, [`go_on`] with the same `number`.
pub(crate) fn start(number: u32, request: impl Future<Output = JsValue> + 'static, now_ms: u64) -> JsValue {
    turn(number, Box::pin(request), now_ms)
}

/// The next turn of request `number`. Undefined, where there is none of that number.
pub(crate) fn go_on(number: u32, arrived: Arrived, now_ms: u64) -> JsValue {
    let waiting = TURNS.with(|turns| turns.waiting.borrow_mut().remove(&number));
    let Some(Waiting { request, .. }) = waiting else { return JsValue::UNDEFINED };
    TURNS.with(|turns| turns.arrived.set(Some(arrived)));
    turn(number, request, now_ms)
}

/// What comes of `promise`.
pub(crate) async fn arrival(promise: Promise) -> Arrived {
    if !TURNS.with(|turns| turns.is_turn.get()) {
        return JsFuture::from(promise).await;
    }
    TURNS.with(|turns| turns.awaited.set(Some(promise)));
    poll_fn(|_| match TURNS.with(|turns| turns.arrived.take()) {
        Some(arrived) => Poll::Ready(arrived),
        None => Poll::Pending,
    })
    .await
}

fn turn(number: u32, mut request: Pin<Box<dyn Future<Output = JsValue>>>, now_ms: u64) -> JsValue {
    TURNS.with(|turns| {
        turns.is_turn.set(true);
        // The router catches every panic, so that the turn ends here in any case.
        let polled = request.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        turns.is_turn.set(false);
        if let Poll::Ready(answer) = polled {
            return answer;
        }
        let mut waiting = turns.waiting.borrow_mut();
        if waiting.len() >= MANY {
            waiting.retain(|_, waiting| now_ms < waiting.since_ms + FORGOTTEN_MS);
        }
        waiting.insert(number, Waiting { request, since_ms: now_ms });
        turns.awaited.take().map_or(JsValue::UNDEFINED, JsValue::from)
    })
}
