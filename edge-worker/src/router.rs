//! Routes requests, and puts the layers around every route.
//!
//! ```text
//! finish (CORS, HSTS, request id, HEAD) ─> catch (a panic is a 500) ─> https only ─> route ─> metered ─> routes/*
//! ```

use std::cell::Cell;

use crate::admission::{Charge, Decision, Denial};
use crate::auth::restriction::Caller;
use crate::auth::token::Claims;
use crate::auth::{bearer, token};
use crate::durable::message::{Command, Reply};
use crate::error::Failure;
use crate::http::{Request, is_loopback};
use crate::platform::Platform;
use crate::response::Response;
use crate::routes::coverage::View;
use crate::routes::geocoding::{self, Operation, Reading};
use crate::routes::{self};
use crate::unwind::caught;

/// The endpoint of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Endpoint {
    /// Exchange of credentials for a token.
    Token,
    /// A geocoding route, which needs a token and is metered.
    Geocode(Operation),
    /// Whether the service works.
    Health,
    /// The figures of the last day.
    SlaMetrics,
    /// The figures of the last hours, every five minutes.
    SlaHistory,
    /// The coverage of the index.
    Coverage(View),
    /// The credits for the data of the index.
    Attribution,
    /// The description of the interface.
    OpenApi,
}

/// Path, method, endpoint. `GET` includes `HEAD`.
const ROUTES: [(&str, &str, Endpoint); 12] = [
    ("/api-clients/token", "POST", Endpoint::Token),
    ("/v1/geocoding/forward", "GET", Endpoint::Geocode(Operation::Forward)),
    ("/v1/geocoding/autocomplete", "GET", Endpoint::Geocode(Operation::Autocomplete)),
    ("/v1/geocoding/reverse", "GET", Endpoint::Geocode(Operation::Reverse)),
    ("/v1/geocoding/batch", "POST", Endpoint::Geocode(Operation::Batch)),
    ("/health", "GET", Endpoint::Health),
    ("/sla-metrics", "GET", Endpoint::SlaMetrics),
    ("/sla-history", "GET", Endpoint::SlaHistory),
    ("/coverage", "GET", Endpoint::Coverage(View::Regions)),
    ("/coverage/countries", "GET", Endpoint::Coverage(View::Countries)),
    ("/attribution", "GET", Endpoint::Attribution),
    ("/openapi.yaml", "GET", Endpoint::OpenApi),
];

/// Path and method of every route.
pub fn routes() -> impl Iterator<Item = (&'static str, &'static str)> {
    ROUTES.into_iter().map(|(path, method, _)| (path, method))
}

/// Handles a request; it never fails.
pub async fn handle<P: Platform>(platform: &P, request: Request<P::Body>) -> Response {
    let (head, is_secure) = (request.method == "HEAD", request.is_secure);
    let id = request_id(platform, &request);
    let (is_genuine, start_ms) = (Cell::new(false), platform.now_ms());
    let answered = caught(route(platform, request, &is_genuine)).await.unwrap_or(Err(Failure::Unexpected));
    let response = Response::of(answered);
    if response.status >= 500 {
        platform.log(&format!("request {id} failed with {}", response.status));
    }
    if is_genuine.get() {
        sample(platform, response.status, start_ms);
    }
    response.finish(head, is_secure, id)
}

/// Answers a request with `failure`, without routing it.
pub fn refuse<P: Platform>(platform: &P, request: &Request<P::Body>, failure: Failure) -> Response {
    let id = request_id(platform, request);
    Response::from(failure).finish(request.method == "HEAD", request.is_secure, id)
}

/// Counts a request that began at `start_ms` and was answered 500 outside of [`handle`], like [`handle`] does.
pub fn count_unexpected<P: Platform>(platform: &P, request: &Request<P::Body>, start_ms: u64) {
    let path = request.path.strip_suffix('/').unwrap_or(&request.path);
    let asks = |method: &str| methods(method).split(", ").any(|taken| taken == request.method && taken != "OPTIONS");
    let mut geocoding = ROUTES.into_iter().filter(|(.., endpoint)| matches!(endpoint, Endpoint::Geocode(_)));
    if geocoding.any(|(known, method, _)| known == path && asks(method)) && verified(platform, request).is_ok() {
        sample(platform, Failure::Unexpected.status(), start_ms);
    }
}

/// Counts an answer in the figures of the service. Only requests with a genuine token count, so that nobody else can
/// change the figures. A 401, for a token whose key was deleted, does not count either.
fn sample<P: Platform>(platform: &P, status: u16, start_ms: u64) {
    if status != Failure::InvalidToken.status() {
        platform.memory().tally.borrow_mut().record(status, start_ms, platform.now_ms());
    }
}

/// Answers a request. Sets `is_genuine` if it is a geocoding request with a token of this deployment.
async fn route<P: Platform>(
    platform: &P,
    request: Request<P::Body>,
    is_genuine: &Cell<bool>,
) -> Result<Response, Failure> {
    if !request.is_secure && !is_local(platform, &request.host) {
        return Err(Failure::HttpsRequired);
    }
    let path = request.path.strip_suffix('/').unwrap_or(&request.path);
    if request.path.starts_with(routes::admin::PREFIX) {
        return routes::admin::handle(platform, request).await;
    }
    let known = ROUTES.into_iter().find(|(known, ..)| *known == path);
    let here = known.filter(|(.., endpoint)| *endpoint != Endpoint::Token || issues_tokens(platform, &request.host));
    let endpoint = match (here, request.method.as_str()) {
        (Some((_, method, _)), "OPTIONS") => return Ok(Response::preflight(methods(method))),
        (Some((_, method, endpoint)), sent) if methods(method).split(", ").any(|taken| taken == sent) => endpoint,
        _ => return Err(Failure::UnknownRoute { method: request.method, path: request.path }),
    };
    match endpoint {
        Endpoint::Token => routes::token::exchange(platform, request).await,
        Endpoint::Health => routes::health::health(platform).await,
        Endpoint::SlaMetrics => routes::sla::metrics(platform).await,
        Endpoint::SlaHistory => routes::sla::history(platform, &request.query).await,
        Endpoint::Coverage(view) => routes::coverage::coverage(platform, &request, view).await,
        Endpoint::Attribution => routes::attribution::attribution(platform).await,
        Endpoint::OpenApi => Ok(routes::openapi::description(request.header("if-none-match"))),
        Endpoint::Geocode(operation) => {
            let claims = verified(platform, &request)?;
            is_genuine.set(true);
            metered(platform, request, operation, claims).await
        }
    }
}

/// Whether an unencrypted request stays on this machine, as in local development.
fn is_local<P: Platform>(platform: &P, host: &str) -> bool {
    is_loopback(host) || platform.config().is_ok_and(|config| config.demo)
}

/// The methods of a route that [`ROUTES`] lists with `method`.
fn methods(method: &str) -> &'static str {
    if method == "GET" { "GET, HEAD, OPTIONS" } else { "POST, OPTIONS" }
}

/// Whether tokens are issued on `host`: on every host, unless one is configured.
fn issues_tokens<P: Platform>(platform: &P, host: &str) -> bool {
    let only = platform.config().ok().and_then(|config| config.auth_host.as_deref());
    only.is_none_or(|only| only == host)
}

/// The claims of a request's token, after verification.
fn verified<P: Platform>(platform: &P, request: &Request<P::Body>) -> Result<Claims, Failure> {
    let bearer = bearer::token(request.header("authorization"))?;
    token::verify(bearer, &platform.config()?.signing, platform.now_ms())
}

/// Handles a geocoding request with a verified token. Refuses it if its key is known to be refused. Otherwise computes the
/// answer, then charges it in one call of the key's object. An answer of 500 or above is not charged, any other is, also a
/// 4xx (decision 2).
async fn metered<P: Platform>(
    platform: &P,
    request: Request<P::Body>,
    operation: Operation,
    claims: Claims,
) -> Result<Response, Failure> {
    let Claims { key_id: key, .. } = claims;
    let caller = Caller::of(&request);
    let admissions = &platform.memory().admissions;
    if let Some(denial) = admissions.borrow().refusal_of(&key, &caller, platform.now_ms()) {
        return Ok(denial.into());
    }
    let Reading { cost, request } = geocoding::read(operation, request).await;
    let charge = Charge { key: &key, caller: &caller, cost };
    if let Some(denial) = denial(platform, charge).await? {
        return Ok(denial.into());
    }
    let outcome = match request {
        Ok(request) => platform.engine().await.and_then(|engine| request.answer(&engine)),
        Err(failure) => Err(failure),
    };
    if outcome.as_ref().is_err_and(|failure| failure.status() >= 500) {
        admissions.borrow_mut().give_back(charge);
        return outcome;
    }
    match send(platform, charge).await? {
        Reply::Admitted { standing, .. } => Ok(Response::of(outcome).with_standing(&standing)),
        Reply::Refused { refusal, standing, .. } => Ok(Response::from(Failure::from(refusal)).with_standing(&standing)),
        Reply::UnknownKey => Err(Failure::InvalidToken),
        Reply::Late | Reply::Unreadable => Err(Failure::Unavailable),
        Reply::Shown(_) | Reply::Deleted | Reply::Exists => Err(Failure::Unexpected),
    }
}

/// The refusal of a request, if it is known before the answer is computed.
async fn denial<P: Platform>(platform: &P, charge: Charge<'_>) -> Result<Option<Denial>, Failure> {
    let admissions = &platform.memory().admissions;
    let first = admissions.borrow_mut().decide(charge, platform.now_ms());
    let decision = if first == Decision::CheckFirst {
        if send(platform, Charge { cost: 0, ..charge }).await? == Reply::Late {
            return Err(Failure::Unavailable);
        }
        admissions.borrow_mut().decide_after_check(charge, platform.now_ms())
    } else {
        first
    };
    Ok(if let Decision::Refuse(denial) = decision { Some(denial) } else { None })
}

/// The reply of the key's object to a charge. The isolate remembers its terms.
async fn send<P: Platform>(platform: &P, Charge { key, caller, cost }: Charge<'_>) -> Result<Reply, Failure> {
    let admissions = &platform.memory().admissions;
    let inquiry = admissions.borrow().inquiry(cost, platform.now_ms());
    let reply = platform.ask(key, Command::Charge { cost, caller: caller.clone() }).await?;
    admissions.borrow_mut().learn(key, inquiry, &reply, platform.now_ms());
    Ok(reply)
}

/// The platform's id of the request if it has one, so that its logs and ours match, or else a random one.
fn request_id<P: Platform>(platform: &P, request: &Request<P::Body>) -> String {
    let ray = request.header("cf-ray").filter(|ray| {
        (1..=64).contains(&ray.len()) && ray.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    });
    ray.map_or_else(|| format!("{:016x}", u64::from_le_bytes(platform.random())), str::to_owned)
}
