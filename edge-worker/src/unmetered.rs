//! The service without keys, for one machine: what `toponym serve-local` answers with.
//!
//! The geocoding routes answer as those of a deployment do, byte for byte, but ask for no token and count nothing.
//! `/attribution` and `/openapi.yaml` are there too. Routes about keys and figures of a deployment are not.

use toponym_engine::Engine;

use crate::error::Failure;
use crate::http::{Body, Request};
use crate::response::Response;
use crate::router::{Endpoint, methods, route_of};
use crate::routes::{attribution, geocoding, openapi};
use crate::unwind::caught;

/// Answers a request; it never fails. `id` is shown as `X-Request-Id`.
pub async fn answer<B: Body>(engine: &Engine, request: Request<B>, id: String) -> Response {
    let head = request.method == "HEAD";
    let is_secure = request.is_secure;
    let answered = caught(route(engine, request)).await.unwrap_or(Err(Failure::Unexpected));
    Response::of(answered).finish(head, is_secure, id)
}

async fn route<B: Body>(engine: &Engine, request: Request<B>) -> Result<Response, Failure> {
    let path = request.path.strip_suffix('/').unwrap_or(&request.path);
    let served = |endpoint| matches!(endpoint, Endpoint::Geocode(_) | Endpoint::Attribution | Endpoint::OpenApi);
    let here = route_of(path).filter(|(.., endpoint)| served(*endpoint));
    let endpoint = match (here, request.method.as_str()) {
        (Some((_, method, _)), "OPTIONS") => return Ok(Response::preflight(methods(method))),
        (Some((_, method, endpoint)), sent) if methods(method).split(", ").any(|taken| taken == sent) => endpoint,
        _ => return Err(Failure::UnknownRoute { method: request.method, path: request.path }),
    };
    match endpoint {
        Endpoint::Geocode(operation) => {
            geocoding::read(operation, request, || None).await.request?.answer(engine).unwrap()
        }
        Endpoint::Attribution => attribution::of_places(engine, None),
        Endpoint::OpenApi => Ok(openapi::description(request.header("if-none-match"))),
        _ => Err(Failure::UnknownRoute { method: request.method, path: request.path }),
    }
}
