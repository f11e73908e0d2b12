//! `GET /openapi.yaml`: the description of the interface, from `openapi.yaml` beside this crate's manifest.

use crate::etag::add_tag;
use crate::response::Response;

const DESCRIPTION: &str = include_str!("../../openapi.yaml");

/// Time for which clients may cache the description, seconds: it only changes with a deployment.
const HOLDS_S: u64 = 3_600;

/// Returns the description, or 304 if the client has it.
pub fn description(if_none_match: Option<&str>) -> Response {
    let headers = vec![
        ("content-type", "application/yaml".into()),
        ("cache-control", format!("public, max-age={HOLDS_S}").into()),
    ];
    add_tag(Response { status: 200, headers, body: Some(DESCRIPTION.into()) }, if_none_match)
}
