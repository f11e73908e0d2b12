//! Routes requests, and puts the layers around every route.
//!
//! ```text
//! finish (CORS, HSTS, request id, HEAD) ─> catch (a panic is a 500) ─> https only ─> route ─> metered ─> routes/*
//! ```

use std::cell::Cell;
use std::future::Future;
use std::pin::pin;

use crate::admission::{Charge, Decision, Sent, TENDS_MS};
use crate::auth::restriction::Caller;
use crate::auth::token::Claims;
use crate::auth::{bearer, token};
use crate::durable::OBJECT_DEADLINE_MS;
use crate::durable::message::{Command, Reply};
use crate::error::Failure;
use crate::fetching::fetch_answer;
use crate::http::{Request, is_loopback, is_private_host};
use crate::meter::lease;
use crate::meter::lease::held::{Kind, LOST_MS};
use crate::platform::{Memory, Platform};
use crate::response::Response;
use crate::routes::coverage::View;
use crate::routes::geocoding::{self, GeocodeRequest, Operation, Reading};
use crate::routes::{self};
use crate::unwind::caught;

/// The endpoint of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Endpoint {
    /// Exchange of credentials for a token.
    Token,
    /// A geocoding route, which needs a token and is metered.
    Geocode(Operation),
    /// The health of the service.
    Health,
    /// The figures of the last day.
    SlaMetrics,
    /// The cost of metering on the last day.
    SlaMetering,
    /// The figures of the last hours, every five minutes.
    SlaHistory,
    /// The coverage of the index.
    Coverage(View),
    /// The credits for the data of the index.
    Attribution,
    /// The description of the interface.
    OpenApi,
}

/// Path, method, endpoint. `GET` includes `HEAD`. A segment in braces stands for any that is not empty.
const ROUTES: [(&str, &str, Endpoint); 16] = [
    ("/api-clients/token", "POST", Endpoint::Token),
    ("/v1/geocoding/forward", "GET", Endpoint::Geocode(Operation::Forward)),
    ("/v1/geocoding/autocomplete", "GET", Endpoint::Geocode(Operation::Autocomplete)),
    ("/v1/geocoding/suggest", "POST", Endpoint::Geocode(Operation::Suggest)),
    ("/v1/geocoding/reverse", "GET", Endpoint::Geocode(Operation::Reverse)),
    ("/v1/geocoding/batch", "POST", Endpoint::Geocode(Operation::Batch)),
    ("/v1/geocoding/place", "GET", Endpoint::Geocode(Operation::PlaceByCode)),
    ("/v1/geocoding/place/{place_id}", "GET", Endpoint::Geocode(Operation::PlaceById)),
    ("/health", "GET", Endpoint::Health),
    ("/sla-metrics", "GET", Endpoint::SlaMetrics),
    ("/sla-metrics/metering", "GET", Endpoint::SlaMetering),
    ("/sla-history", "GET", Endpoint::SlaHistory),
    ("/coverage", "GET", Endpoint::Coverage(View::Regions)),
    ("/coverage/countries", "GET", Endpoint::Coverage(View::Countries)),
    ("/attribution", "GET", Endpoint::Attribution),
    ("/openapi.yaml", "GET", Endpoint::OpenApi),
];

/// Iterates over the path and method of every route.
pub fn routes() -> impl Iterator<Item = (&'static str, &'static str)> {
    ROUTES.into_iter().map(|(path, method, _)| (path, method))
}

/// Longest wait of a request for answers to other ones, milliseconds.
const MAX_WAIT_MS: u64 = 2 * OBJECT_DEADLINE_MS;

// Nobody asks for a lease while an answer may still come, and whoever waits for one that never comes asks for the next.
const _: () = assert!(OBJECT_DEADLINE_MS < LOST_MS && LOST_MS < MAX_WAIT_MS);

/// Facts that the figures of the service take from a request on its way.
#[derive(Debug, Default)]
struct Sample {
    /// True if it is a geocoding request with a token of this deployment.
    is_genuine: Cell<bool>,
    /// Time that the request waited for the object of its key, milliseconds, if it did.
    waited_ms: Cell<Option<u64>>,
}

impl Sample {
    /// Waits for what comes from the object of a key.
    async fn waits<P: Platform, T>(&self, platform: &P, arrival: impl Future<Output = T>) -> T {
        let since_ms = platform.now_ms();
        let arrived = arrival.await;
        let waited_ms = platform.now_ms().saturating_sub(since_ms);
        self.waited_ms.set(Some(self.waited_ms.get().unwrap_or(0) + waited_ms));
        arrived
    }
}

/// Finds the route of a path without a slash at its end.
pub(crate) fn route_of(path: &str) -> Option<(&'static str, &'static str, Endpoint)> {
    ROUTES.into_iter().find(|(known, ..)| matches_path(known, path))
}

/// Tells whether a route, which may end in a parameter such as `{id}`, has this path.
fn matches_path(route: &str, path: &str) -> bool {
    let Some((start, _)) = route.rsplit_once('{') else { return route == path };
    path.strip_prefix(start).is_some_and(|last| !last.is_empty() && !last.contains('/'))
}

/// Handles a request; it never fails.
pub async fn handle<P: Platform>(platform: &P, request: Request<P::Body>) -> Response {
    let head = request.method == "HEAD";
    let is_secure = request.is_secure;
    let id = request_id(platform, &request);
    let sample = Sample::default();
    let start_ms = platform.now_ms();
    let answered = caught(route(platform, request, &sample)).await.unwrap_or(Err(Failure::Unexpected));
    let response = Response::of(answered);
    if response.status >= 500 {
        platform.log(&format!("request {id} failed with {}", response.status));
    }
    if sample.is_genuine.get() {
        count(platform, response.status, sample.waited_ms.get(), start_ms);
    }
    response.finish(head, is_secure, id)
}

/// Answers a request that began at `start_ms` with `failure`, without routing it, and counts it like [`handle`] does.
pub fn refuse<P: Platform>(platform: &P, request: &Request<P::Body>, failure: Failure, start_ms: u64) -> Response {
    let path = request.path.strip_suffix('/').unwrap_or(&request.path);
    let geocodes = matches!(route_of(path), Some((_, method, Endpoint::Geocode(_)))
        if request.method != "OPTIONS" && methods(method).split(", ").any(|taken| taken == request.method));
    if geocodes && verify_token(platform, request).is_ok() {
        count(platform, failure.status(), None, start_ms);
    }
    let id = request_id(platform, request);
    Response::from(failure).finish(request.method == "HEAD", request.is_secure, id)
}

/// Counts an answer in the figures of the service. Only requests with a genuine token count, so that nobody else can
/// change the figures. A 401, for a token whose key was deleted, does not count either.
fn count<P: Platform>(platform: &P, status: u16, waited_ms: Option<u64>, start_ms: u64) {
    if status != Failure::InvalidToken.status() {
        let mut tally = platform.memory().tally.borrow_mut();
        tally.record(status, start_ms, platform.now_ms());
        tally.record_metering(waited_ms, start_ms, platform.now_ms());
    }
}

/// Answers a request. Notes in `sample` what the figures take from it.
async fn route<P: Platform>(platform: &P, request: Request<P::Body>, sample: &Sample) -> Result<Response, Failure> {
    if !request.is_secure && !is_local(platform, &request.host) {
        return Err(Failure::HttpsRequired);
    }
    let path = request.path.strip_suffix('/').unwrap_or(&request.path);
    if request.path.starts_with(routes::admin::PREFIX) {
        return routes::admin::handle(platform, request).await;
    }
    let here =
        route_of(path).filter(|(.., endpoint)| *endpoint != Endpoint::Token || issues_tokens(platform, &request.host));
    let endpoint = match (here, request.method.as_str()) {
        (Some((_, method, _)), "OPTIONS") => return Ok(Response::preflight(methods(method))),
        (Some((_, method, endpoint)), sent) if methods(method).split(", ").any(|taken| taken == sent) => endpoint,
        _ => return Err(Failure::UnknownRoute { method: request.method, path: request.path }),
    };
    match endpoint {
        Endpoint::Token => routes::token::exchange(platform, request).await,
        Endpoint::Health => routes::health::health(platform).await,
        Endpoint::SlaMetrics => routes::sla::metrics(platform).await,
        Endpoint::SlaMetering => routes::sla::metering(platform).await,
        Endpoint::SlaHistory => routes::sla::history(platform, &request.query).await,
        Endpoint::Coverage(view) => routes::coverage::coverage(platform, &request, view).await,
        Endpoint::Attribution => routes::attribution::attribution(platform).await,
        Endpoint::OpenApi => Ok(routes::openapi::description(request.header("if-none-match"))),
        Endpoint::Geocode(operation) => {
            let claims = verify_token(platform, &request)?;
            sample.is_genuine.set(true);
            answer_metered(platform, request, operation, claims, sample).await
        }
    }
}

/// Tells whether an unencrypted request stays on this machine, or in its network with demo keys, as in local development.
fn is_local<P: Platform>(platform: &P, host: &str) -> bool {
    is_loopback(host) || (is_private_host(host) && platform.config().is_ok_and(|config| config.demo))
}

/// Returns the methods of a route that [`ROUTES`] lists with `method`.
pub(crate) fn methods(method: &str) -> &'static str {
    if method == "GET" { "GET, HEAD, OPTIONS" } else { "POST, OPTIONS" }
}

/// Tells whether tokens are issued on `host`: on every host, unless one is configured.
fn issues_tokens<P: Platform>(platform: &P, host: &str) -> bool {
    let only = platform.config().ok().and_then(|config| config.auth_host.as_deref());
    only.is_none_or(|only| only == host)
}

/// Verifies the token of a request. Returns its claims.
fn verify_token<P: Platform>(platform: &P, request: &Request<P::Body>) -> Result<Claims, Failure> {
    let bearer = bearer::token(request.header("authorization"))?;
    token::verify(bearer, &platform.config()?.signing, platform.now_ms())
}

/// Handles a geocoding request with a verified token: who is it, may it, have it charged, compute it, answer. An answer of 500 or
/// above is given back, any other is charged, also a 4xx (decisions 2 and 44).
async fn answer_metered<P: Platform>(
    platform: &P,
    request: Request<P::Body>,
    operation: Operation,
    claims: Claims,
    sample: &Sample,
) -> Result<Response, Failure> {
    let key = claims.key_id;
    let caller = Caller::of(&request);
    let admissions = &platform.memory().admissions;
    if let Some(denial) = admissions.borrow().refusal_of(&key, &caller, platform.now_ms()) {
        return Ok(denial.into());
    }
    let Reading { cost, request } = geocoding::read(operation, request, || platform.caller_place()).await;
    let kind = request.as_ref().map_or(Kind::Other, GeocodeRequest::kind);
    let charge = Charge { key: &key, caller: &caller, cost, kind };
    admissions.borrow_mut().note(charge, platform.now_ms());
    let mut computed = pin!(async {
        let request = request?;
        // What is charged already is given back, also after a defect.
        let answer = caught(fetch_answer(platform, |places| request.answer(places)));
        answer.await.unwrap_or(Err(Failure::Unexpected))
    });
    let (outcome, (id, reply)) = match decide(platform, charge, sample).await {
        Decision::Refuse(denial) => return Ok(denial.into()),
        Decision::Alone => {
            let outcome = computed.as_mut().await;
            if has_failed(&outcome) {
                return outcome;
            }
            let alone = admissions.borrow_mut().take(charge, platform.now_ms());
            if let Some(standing) = alone {
                return Ok(Response::of(outcome).with_standing(&standing));
            }
            // The lease has ended meanwhile.
            (Some(outcome), send(platform, charge))
        }
        Decision::Meanwhile => {
            let sent = send(platform, charge);
            (Some(computed.as_mut().await), sent)
        }
        // Whoever has waited long enough for the answer to another request asks by itself.
        Decision::First | Decision::Wait => (None, send(platform, charge)),
    };
    let reply = sample.waits(platform, reply).await;
    let outcome = match outcome {
        None if matches!(reply, Ok(Reply::Admitted { .. })) => computed.await,
        outcome => outcome.unwrap_or(Err(Failure::Unavailable)),
    };
    answer_charged(platform, &key, id, reply, outcome)
}

/// Decides about a request, if need be when the answer to another one has come, or after [`MAX_WAIT_MS`].
async fn decide<P: Platform>(platform: &P, charge: Charge<'_>, sample: &Sample) -> Decision {
    let until_ms = platform.now_ms() + MAX_WAIT_MS;
    loop {
        let left_ms = until_ms.saturating_sub(platform.now_ms());
        let (decision, answered) = {
            let admissions = platform.memory().admissions.borrow();
            let answered = admissions.answer_gate(charge.key).filter(|_| left_ms > 0);
            (admissions.decide(charge, platform.now_ms()), answered.map(|gate| gate.wait_until_open(platform, left_ms)))
        };
        match answered.filter(|_| decision == Decision::Wait) {
            Some(answered) => sample.waits(platform, answered).await,
            None => return decision,
        }
    }
}

fn has_failed(outcome: &Result<Response, Failure>) -> bool {
    outcome.as_ref().is_err_and(|failure| failure.status() >= 500)
}

/// A charge whose reply is awaited. When it is dropped, nobody waits any more, whether that has come or not.
struct Awaited<'a> {
    memory: &'a Memory,
    key: &'a str,
    sent: Sent,
}

impl Drop for Awaited<'_> {
    fn drop(&mut self) {
        if let Ok(mut admissions) = self.memory.admissions.try_borrow_mut() {
            admissions.abandon(self.key, &self.sent);
        }
    }
}

/// Sends a charge to the key's object at once. Returns its name, and the reply, of which the isolate remembers the terms.
fn send<'a, P: Platform>(
    platform: &'a P,
    charge: Charge<'a>,
) -> (u64, impl Future<Output = Result<Reply, Failure>> + use<'a, P>) {
    let Charge { key, caller, cost, .. } = charge;
    let memory = platform.memory();
    let id = lease::id_of(u64::from_le_bytes(platform.random()));
    let sent = memory.admissions.borrow_mut().ask(charge, id, platform.now_ms());
    let question = Some(Box::new(sent.question.clone()));
    let replied = platform.ask(key, Command::Charge { cost, caller: caller.clone(), question });
    let awaited = Awaited { memory, key, sent };
    let learned = async move {
        let replied = replied.await;
        let now_ms = platform.now_ms();
        match &replied {
            Ok(reply) => {
                memory.tally.borrow_mut().lose(reply.lost(), now_ms);
                memory.admissions.borrow_mut().apply_reply(key, &awaited.sent, reply, now_ms);
            }
            Err(_) => memory.admissions.borrow_mut().fail(key, &awaited.sent, now_ms),
        }
        replied
    };
    (id, learned)
}

/// Answers a request that its object was asked to charge. What may be charged and is not answered well is given back.
fn answer_charged<P: Platform>(
    platform: &P,
    key: &str,
    id: u64,
    replied: Result<Reply, Failure>,
    outcome: Result<Response, Failure>,
) -> Result<Response, Failure> {
    let give_back = || platform.memory().admissions.borrow_mut().give_back(key, id);
    match replied {
        Ok(Reply::Admitted { .. }) if has_failed(&outcome) => {
            give_back();
            outcome
        }
        Ok(Reply::Admitted { standing, .. }) => Ok(Response::of(outcome).with_standing(&standing)),
        Ok(Reply::Refused { refusal, standing, .. }) => {
            Ok(Response::from(Failure::from(refusal)).with_standing(&standing))
        }
        Ok(Reply::UnknownKey) => Err(Failure::InvalidToken),
        Ok(Reply::Late | Reply::Unreadable) => Err(Failure::Unavailable),
        Ok(Reply::Shown(_) | Reply::Deleted | Reply::Exists | Reply::Moved(_) | Reply::Arrived) => {
            Err(Failure::Unexpected)
        }
        Err(failure) => {
            give_back();
            Err(failure)
        }
    }
}

/// Asks for leases before they end, and reports those that ended, behind a request: while any are held, and for at most
/// [`TENDS_MS`]. Ends when a question fails: its request may have used up what the platform allows one, and another request
/// can ask.
pub async fn tend<P: Platform>(platform: &P) {
    let admissions = &platform.memory().admissions;
    let since_ms = platform.now_ms();
    loop {
        let now_ms = platform.now_ms();
        let due = admissions.borrow().due(now_ms).map(|(due_ms, key)| (due_ms, key.to_owned()));
        let Some((due_ms, key)) = due.filter(|(due_ms, _)| now_ms.max(*due_ms) <= since_ms + TENDS_MS) else { break };
        if due_ms > now_ms {
            // Meanwhile a lease may be used up or replaced, so what is due is looked up again.
            platform.pause(due_ms - now_ms).await;
        } else {
            let charge = Charge { key: &key, caller: &Caller::default(), cost: 0, kind: Kind::Other };
            if send(platform, charge).1.await.is_err() {
                break;
            }
        }
    }
    admissions.borrow_mut().end_tending();
}

/// Returns the platform's id of the request if it has one, so that its logs and ours match, or else a random one.
fn request_id<P: Platform>(platform: &P, request: &Request<P::Body>) -> String {
    let ray = request.header("cf-ray").filter(|ray| {
        (1..=64).contains(&ray.len()) && ray.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    });
    ray.map_or_else(|| format!("{:016x}", u64::from_le_bytes(platform.random())), str::to_owned)
}
