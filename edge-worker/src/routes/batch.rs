//! Reads and shapes `POST /v1/geocoding/batch` (decisions 16 to 18).

use serde::Serialize;
use serde_json::Value;
use toponym_engine::{BatchResult, Outcome};

use super::body_error;
use crate::error::Failure;
use crate::http::Body;

/// Largest body in bytes: 100 items of 500 characters, each escaped as `\uXXXX\uXXXX`, fit.
pub const MAX_BODY: usize = 1024 * 1024;

/// Largest number of items.
pub const MAX_ITEMS: usize = 100;

/// Reads the body.
pub async fn read<B: Body>(body: B) -> Result<Vec<String>, Failure> {
    let bytes = body.read(MAX_BODY).await.map_err(|error| body_error(error, MAX_BODY))?;
    queries(&bytes)
}

fn queries(json: &[u8]) -> Result<Vec<String>, Failure> {
    let no_strings = || Failure::bad_request("queries must be an array of strings");
    let mut body: Value = serde_json::from_slice(json).map_err(|_| no_strings())?;
    let Some(Value::Array(items)) = body.get_mut("queries").map(Value::take) else { return Err(no_strings()) };
    let text = |item| if let Value::String(text) = item { Ok(text) } else { Err(no_strings()) };
    let queries = items.into_iter().map(text).collect::<Result<Vec<_>, _>>()?;
    match queries.len() {
        0 => Err(Failure::bad_request("queries array cannot be empty")),
        1..=MAX_ITEMS => Ok(queries),
        _ => Err(Failure::bad_request("queries array must contain between 1 and 100 items")),
    }
}

/// The body of the answer.
#[derive(Debug, Serialize)]
pub struct Results {
    results: Vec<BatchResult>,
    total: usize,
    successful: usize,
    failed: usize,
}

impl Results {
    /// The results with their counts; what is not `ok` counts as failed.
    pub fn of(results: Vec<BatchResult>) -> Self {
        let total = results.len();
        let successful = results.iter().filter(|result| matches!(result.outcome, Outcome::Ok { .. })).count();
        Self { results, total, successful, failed: total - successful }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(json: &str, expect: Result<usize, &str>) {
        let got = queries(json.as_bytes());
        let got = got.as_ref().map(Vec::len).map_err(|failure| failure.message());
        assert_eq!(got, expect.map_err(Into::into), "{json}");
    }

    #[test]
    fn bodies() {
        let many = |n: usize| format!(r#"{{"queries":[{}]}}"#, vec!["\"x\""; n].join(","));
        check(r#"{"queries":["Paris"]}"#, Ok(1));
        check(r#"{"queries":["", "x"], "other": 1}"#, Ok(2));
        check(&many(100), Ok(100));
        check(&many(101), Err("queries array must contain between 1 and 100 items"));
        check(r#"{"queries":[]}"#, Err("queries array cannot be empty"));
        let mixed = many(101).replace("\"x\"]", "7]");
        let no_strings =
            ["", "x", "null", "[]", "{}", r#"{"queries":null}"#, r#"{"queries":"x"}"#, r#"{"queries":[1]}"#, &mixed];
        for json in no_strings {
            check(json, Err("queries must be an array of strings"));
        }
        assert!(queries(b"{\"queries\":[\"\xff\"]}").is_err(), "not UTF-8");
    }
}
