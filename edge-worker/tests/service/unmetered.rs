//! The service without keys answers like the one with keys, and has no other routes.

use toponym_edge::unmetered;
use toponym_engine::Engine;

use crate::support::{InMemory, TestBody, request, run};

/// Status, headers and body.
type Shown<'r> = (u16, Vec<(&'r str, &'r str)>, Option<&'r [u8]>);

/// Returns an answer without what metering adds to it.
fn view(response: &toponym_edge::response::Response) -> Shown<'_> {
    let headers = response.headers.iter().filter(|(name, _)| !of_metering(name));
    (response.status, headers.map(|(name, value)| (*name, value.as_ref())).collect(), response.body.as_deref())
}

fn of_metering(name: &str) -> bool {
    name.starts_with("x-ratelimit") || name == "x-request-id"
}

fn engine() -> Engine {
    let index = toponym_engine::index::write(&crate::gazetteer::gazetteer()).expect("the test gazetteer is sound");
    Engine::open(index).expect("an index just written opens")
}

#[test]
fn answers_are_those_of_the_service() {
    let platform = InMemory::new();
    let engine = engine();
    let token = platform.token("localdemo");
    for (line, body) in [
        ("GET /v1/geocoding/forward?query=Paris&limit=2&format=geojson&fields=all", ""),
        ("GET /v1/geocoding/forward/?query=Paris", ""),
        ("HEAD /v1/geocoding/forward?query=Paris", ""),
        ("GET /v1/geocoding/forward", ""),
        ("GET /v1/geocoding/forward?query=x&limit=0", ""),
        ("GET /v1/geocoding/autocomplete?q=par", ""),
        ("POST /v1/geocoding/suggest", r#"{"q":"par","limit":2}"#),
        ("GET /v1/geocoding/reverse?lat=48.85&lon=2.35", ""),
        ("GET /v1/geocoding/reverse?lat=48.85&lon=2.35&limit=2&types=airport,city", ""),
        ("GET /v1/geocoding/reverse?lat=48.85&lon=2.35&types=museum", ""),
        ("GET /v1/geocoding/reverse?lat=-60&lon=-120", ""),
        ("GET /v1/geocoding/reverse?lat=91&lon=0", ""),
        ("GET /v1/geocoding/place/4", ""),
        ("GET /v1/geocoding/place/99", ""),
        ("GET /v1/geocoding/place?ref=iata:CDG", ""),
        ("GET /v1/geocoding/place?ref=x", ""),
        ("POST /v1/geocoding/batch", r#"{"queries":["Paris",{"city":"Paris","country":"US"},""]}"#),
        ("POST /v1/geocoding/batch", "{}"),
        ("OPTIONS /v1/geocoding/batch", ""),
        ("PUT /v1/geocoding/batch", ""),
        ("GET /openapi.yaml", ""),
        ("GET /unknown?x", ""),
    ] {
        let with_keys = platform.send_as(&token, line, body);
        let without: toponym_edge::http::Request<TestBody> = request(line, &[], body);
        let without = run(unmetered::answer(&engine, without, "1".into()));
        assert_eq!(view(&without), view(&with_keys), "{line}");
    }
}

#[test]
fn what_only_a_deployment_has_is_not_there() {
    let engine = engine();
    for line in ["POST /api-clients/token", "GET /health", "GET /sla-metrics", "GET /coverage", "GET /admin/keys"] {
        let response = run(unmetered::answer(&engine, request(line, &[], ""), "1".into()));
        assert_eq!(response.status, 404, "{line}");
    }
    assert_eq!(run(unmetered::answer(&engine, request("GET /attribution", &[], ""), "1".into())).status, 200);
}
