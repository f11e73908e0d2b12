//! Reads the parameters of a query string for the routes.

use crate::error::Failure;
use crate::query::{self, MAX_QUERY_BYTES, QueryError};

/// The parameters `names` of a query string. 400 if it is malformed.
pub fn parameters<const N: usize>(raw: &str, names: [&'static str; N]) -> Result<[Option<String>; N], Failure> {
    query::read(raw, names).map_err(|error| match error {
        QueryError::TooLong => Failure::bad_request(format!("query string must be at most {MAX_QUERY_BYTES} bytes")),
        QueryError::Encoding => Failure::bad_request("query string must be percent-encoded UTF-8"),
        QueryError::Repeated(name) => Failure::bad_request(format!("{name} parameter must be given once")),
    })
}
