//! The errors of the HTTP API, section 7 of the interface. This is the only type that becomes an error response.

use std::borrow::Cow;

use serde::Serialize;
use toponym_engine::request::Fault;

use crate::meter::month::iso_instant;

/// Why a request failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// 400; the message names the parameter and what it must be.
    BadRequest(Cow<'static, str>),
    /// 401 without an `Authorization` header.
    MissingAuthorization,
    /// 401: structure, algorithm, key id or signature of the token are wrong, or its API key is gone.
    InvalidToken,
    /// 401: a genuine token past its expiry.
    TokenExpired,
    /// 401 at the exchange.
    InvalidApiKey,
    /// 401 at the exchange.
    InvalidApiSecret,
    /// 403.
    KeyDisabled,
    /// 403: the request's address is not among those of the key.
    IpNotAllowed,
    /// 403: the page's host is not among those of the key.
    DomainNotAllowed,
    /// 403: the request came without encryption.
    HttpsRequired,
    /// 403: the month's requests are used up.
    MonthlyQuotaExceeded {
        /// Start of the next month, milliseconds since the epoch.
        reset_ms: u64,
    },
    /// 404: no such route.
    UnknownRoute {
        /// As sent.
        method: String,
        /// Without its query string.
        path: String,
    },
    /// 404 of reverse.
    NoLocation,
    /// 404 of the look-up.
    UnknownPlace,
    /// 404 of the admin routes.
    UnknownKey,
    /// 409 of the admin routes.
    KeyExists,
    /// 503 of the admin routes: the key's record cannot be read.
    UnreadableKey,
    /// 429.
    RateLimited {
        /// Seconds after which the same request fits.
        retry_after: u64,
    },
    /// 500: a defect of the service.
    Unexpected,
    /// 502: a page of the index cannot be fetched.
    Upstream,
    /// 503: the index, the configuration or the key's object cannot be reached now.
    Unavailable,
}

/// Seconds after which a retry makes sense while something cannot be reached: an isolate asks a silent object no sooner,
/// [`crate::meter::lease::held::SILENT_MS`].
const UNAVAILABLE_S: u64 = 1;

/// Longest path that a 404 repeats, in bytes.
const MAX_SHOWN_PATH: usize = 1024;

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self::BadRequest(fault.into_message())
    }
}

impl Failure {
    /// Creates a 400 with `message`.
    pub fn bad_request(message: impl Into<Cow<'static, str>>) -> Self {
        Self::BadRequest(message.into())
    }

    /// Returns the HTTP status.
    pub fn status(&self) -> u16 {
        match self {
            Self::BadRequest(_) => 400,
            Self::MissingAuthorization
            | Self::InvalidToken
            | Self::TokenExpired
            | Self::InvalidApiKey
            | Self::InvalidApiSecret => 401,
            Self::KeyDisabled
            | Self::IpNotAllowed
            | Self::DomainNotAllowed
            | Self::HttpsRequired
            | Self::MonthlyQuotaExceeded { .. } => 403,
            Self::UnknownRoute { .. } | Self::NoLocation | Self::UnknownPlace | Self::UnknownKey => 404,
            Self::KeyExists => 409,
            Self::RateLimited { .. } => 429,
            Self::Unexpected => 500,
            Self::Upstream => 502,
            Self::UnreadableKey | Self::Unavailable => 503,
        }
    }

    /// Returns the message of the contract.
    pub fn message(&self) -> Cow<'_, str> {
        match self {
            Self::BadRequest(message) => Cow::Borrowed(message),
            Self::MissingAuthorization => "Missing Authorization header".into(),
            Self::InvalidToken => "Invalid token".into(),
            Self::TokenExpired => "Token expired".into(),
            Self::InvalidApiKey => "Invalid API key".into(),
            Self::InvalidApiSecret => "Invalid API secret".into(),
            Self::KeyDisabled => "API key disabled".into(),
            Self::IpNotAllowed => "IP not allowed".into(),
            Self::DomainNotAllowed => "Domain not allowed".into(),
            Self::HttpsRequired => "HTTPS is required".into(),
            Self::MonthlyQuotaExceeded { .. } => "Monthly quota exceeded".into(),
            Self::UnknownRoute { method, path } => format!("Cannot {method} {}", shorten(path)).into(),
            Self::NoLocation => "No location found at these coordinates".into(),
            Self::UnknownPlace => "No such place".into(),
            Self::UnknownKey => "No such API key".into(),
            Self::KeyExists => "API key exists".into(),
            Self::UnreadableKey => {
                "The record of this key cannot be read: deploy the version that wrote it, or delete the key".into()
            }
            Self::RateLimited { .. } => "Rate limit exceeded".into(),
            Self::Unexpected => "An unexpected error occurred".into(),
            Self::Upstream => "Upstream service error".into(),
            Self::Unavailable => "Service temporarily unavailable".into(),
        }
    }

    /// Returns the value of `Retry-After`, seconds: when the same request fits, or when an object may answer again.
    pub fn retry_after(&self) -> Option<u64> {
        match self {
            Self::RateLimited { retry_after } => Some(*retry_after),
            Self::Unavailable => Some(UNAVAILABLE_S),
            _ => None,
        }
    }

    /// Returns the value of `WWW-Authenticate` that RFC 6750 section 3 asks for with a 401.
    pub fn challenge(&self) -> Option<&'static str> {
        match self {
            Self::InvalidToken | Self::TokenExpired => Some("Bearer error=\"invalid_token\""),
            failure if failure.status() == 401 => Some("Bearer"),
            _ => None,
        }
    }

    /// Returns the JSON body.
    pub fn body(&self) -> ErrorBody<'_> {
        let status_code = self.status();
        let mut body = ErrorBody {
            status_code,
            error: status_name(status_code),
            message: self.message(),
            retry_after: None,
            quota_type: None,
            reset_at: None,
        };
        match self {
            Self::RateLimited { retry_after } => body.retry_after = Some(*retry_after),
            Self::MonthlyQuotaExceeded { reset_ms } => {
                body.quota_type = Some("monthly");
                body.reset_at = Some(iso_instant(*reset_ms));
            }
            _ => {}
        }
        body
    }
}

/// The error object of the contract.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ErrorBody<'a> {
    status_code: u16,
    error: &'static str,
    message: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    quota_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reset_at: Option<String>,
}

/// Returns the standard name of a status that [`Failure`] uses.
fn status_name(status: u16) -> &'static str {
    match status {
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        409 => "Conflict",
        429 => "Too Many Requests",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        _ => "Internal Server Error",
    }
}

fn shorten(path: &str) -> &str {
    &path[..path.floor_char_boundary(MAX_SHOWN_PATH)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(failure: Failure, expect: &str) {
        assert_eq!(serde_json::to_string(&failure.body()).expect("an error body is JSON"), expect);
    }

    #[test]
    fn bodies() {
        check(
            Failure::bad_request("query parameter is required"),
            r#"{"statusCode":400,"error":"Bad Request","message":"query parameter is required"}"#,
        );
        check(
            Failure::RateLimited { retry_after: 7 },
            r#"{"statusCode":429,"error":"Too Many Requests","message":"Rate limit exceeded","retryAfter":7}"#,
        );
        check(
            Failure::MonthlyQuotaExceeded { reset_ms: 1_796_083_200_000 },
            concat!(
                r#"{"statusCode":403,"error":"Forbidden","message":"Monthly quota exceeded","#,
                r#""quotaType":"monthly","resetAt":"2026-12-01T00:00:00.000Z"}"#
            ),
        );
        check(
            Failure::UnknownRoute { method: "POST".into(), path: "/x/y".into() },
            r#"{"statusCode":404,"error":"Not Found","message":"Cannot POST /x/y"}"#,
        );
    }

    #[test]
    fn a_long_path_is_cut() {
        let failure = Failure::UnknownRoute { method: "GET".into(), path: "é".repeat(40_000) };
        assert_eq!(failure.message().len(), "Cannot GET ".len() + MAX_SHOWN_PATH);
    }
}
