//! The response as the router builds it, and the headers that every response carries.

use std::borrow::Cow;
use std::fmt;

use serde::Serialize;

use crate::error::Failure;
use crate::meter::Standing;

/// One response. Debug does not show its body, which may hold a token or a secret.
#[derive(Clone, PartialEq, Eq)]
pub struct Response {
    /// HTTP status.
    pub status: u16,
    /// Headers; no name occurs twice. Values that many responses share are not copied.
    pub headers: Vec<(&'static str, Cow<'static, str>)>,
    /// `None` for 204 and for the answer to `HEAD`.
    pub body: Option<Vec<u8>>,
}

/// Headers that pages of other origins may read.
const EXPOSED: &str = "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Request-Id";

/// After its first visit, a browser only uses HTTPS for a year (RFC 6797). Other hosts of the domain are not affected.
const STRICT_TRANSPORT: &str = "max-age=31536000";

/// Seconds for which a browser may keep the answer to a preflight; Chromium keeps it no longer than two hours anyway.
const PREFLIGHT_SECONDS: &str = "7200";

impl Response {
    /// Creates a 200 with a JSON body that must not be stored: it was metered, or holds a credential.
    pub fn json(value: &impl Serialize) -> Result<Self, Failure> {
        Self::json_with_status(200, value)
    }

    /// Creates a 200 with a body of GeoJSON that must not be stored.
    pub fn geojson(value: &impl Serialize) -> Result<Self, Failure> {
        let headers = vec![("content-type", "application/geo+json".into()), ("cache-control", "no-store".into())];
        Ok(Self { status: 200, headers, body: Some(json(value)?) })
    }

    /// Creates the response to `outcome`.
    pub fn of(outcome: Result<Self, Failure>) -> Self {
        outcome.unwrap_or_else(Self::from)
    }

    /// Creates a response of `status` with a JSON body that must not be stored.
    pub fn json_with_status(status: u16, value: &impl Serialize) -> Result<Self, Failure> {
        let body = json(value)?;
        let headers = vec![("content-type", "application/json".into()), ("cache-control", "no-store".into())];
        Ok(Self { status, headers, body: Some(body) })
    }

    /// Creates a 200 with a JSON body that is the same for everybody and holds for `seconds`.
    pub fn public(value: &impl Serialize, seconds: u64) -> Result<Self, Failure> {
        let body = json(value)?;
        let cache = format!("public, max-age={seconds}");
        let headers = vec![("content-type", "application/json".into()), ("cache-control", cache.into())];
        Ok(Self { status: 200, headers, body: Some(body) })
    }

    /// Creates a 204.
    pub fn empty() -> Self {
        Self { status: 204, headers: Vec::new(), body: None }
    }

    /// Creates a 204: the answer to a CORS preflight of a route that takes `methods`.
    pub fn preflight(methods: &'static str) -> Self {
        let headers = vec![
            ("access-control-allow-methods", methods.into()),
            ("access-control-allow-headers", "Authorization, Content-Type".into()),
            ("access-control-max-age", PREFLIGHT_SECONDS.into()),
        ];
        Self { status: 204, headers, body: None }
    }

    /// Adds a header that is not there yet.
    pub fn with(mut self, name: &'static str, value: impl Into<Cow<'static, str>>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// Adds the `X-RateLimit-*` headers.
    pub fn with_standing(self, standing: &Standing) -> Self {
        self.with("x-ratelimit-limit", standing.limit.to_string())
            .with("x-ratelimit-remaining", standing.remaining.to_string())
            .with("x-ratelimit-reset", standing.reset.to_string())
    }

    /// Adds the headers of every response, and drops the body of an answer to `HEAD`. `is_secure`: the request came by
    /// HTTPS.
    pub fn finish(mut self, head: bool, is_secure: bool, request_id: String) -> Self {
        if head {
            self.body = None;
        }
        if is_secure {
            self = self.with("strict-transport-security", STRICT_TRANSPORT);
        }
        self.with("access-control-allow-origin", "*")
            .with("access-control-expose-headers", EXPOSED)
            .with("x-content-type-options", "nosniff")
            .with("x-request-id", request_id)
    }

    /// Returns the value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_ref())
    }
}

impl fmt::Debug for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Response({}, {} bytes)", self.status, self.body.as_ref().map_or(0, Vec::len))
    }
}

/// Writes `value` as JSON, without spare capacity: many answers may wait in memory for the objects of their keys.
fn json(value: &impl Serialize) -> Result<Vec<u8>, Failure> {
    let mut body = serde_json::to_vec(value).map_err(|_| Failure::Unexpected)?;
    body.shrink_to_fit();
    Ok(body)
}

impl From<Failure> for Response {
    fn from(failure: Failure) -> Self {
        let body = serde_json::to_vec(&failure.body()).expect("an error body holds strings and numbers only");
        let mut response = Self {
            status: failure.status(),
            headers: vec![("content-type", "application/json".into()), ("cache-control", "no-store".into())],
            body: Some(body),
        };
        if let Some(challenge) = failure.challenge() {
            response = response.with("www-authenticate", challenge);
        }
        if let Some(seconds) = failure.retry_after() {
            response = response.with("retry-after", seconds.to_string());
        }
        response
    }
}
