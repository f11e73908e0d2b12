//! Reads the parameters of a route: from a query string, or from the fields of a JSON object (decision 42).

use serde_json::value::RawValue;

use super::body;
use crate::error::Failure;
use crate::query::{self, MAX_QUERY_BYTES, QueryError};

/// Where the parameters of a request stand.
#[derive(Clone, Copy, Debug)]
pub enum Source<'r> {
    /// In a query string.
    Query(&'r str),
    /// In the fields of a JSON object. A body that is not one has none.
    Body(&'r [u8]),
}

/// Parameters with several values, which a query string separates by commas and a JSON object may give as an array.
const LISTS: [&str; 4] = ["countrycodes", "types", "bbox", "fields"];

impl Source<'_> {
    /// Reads the parameters `names`. 400 if one of them, or the whole query string, is malformed.
    pub fn parameters<const N: usize>(self, names: [&'static str; N]) -> Result<[Option<String>; N], Failure> {
        match self {
            Self::Query(raw) => parameters(raw, names),
            Self::Body(json) => of_fields(json, names),
        }
    }
}

/// Reads the parameters `names` of a query string. 400 if it is malformed.
pub fn parameters<const N: usize>(raw: &str, names: [&'static str; N]) -> Result<[Option<String>; N], Failure> {
    query::read(raw, names).map_err(|error| match error {
        QueryError::TooLong => Failure::bad_request(format!("query string must be at most {MAX_QUERY_BYTES} bytes")),
        QueryError::Encoding => Failure::bad_request("query string must be percent-encoded UTF-8"),
        QueryError::Repeated(name) => Failure::bad_request(format!("{name} parameter must be given once")),
    })
}

fn of_fields<const N: usize>(json: &[u8], names: [&'static str; N]) -> Result<[Option<String>; N], Failure> {
    let mut values = [const { None }; N];
    for (at, field) in body::fields(json, names).unwrap_or([None; N]).into_iter().enumerate() {
        values[at] = field.map(|field| parameter(names[at], field)).transpose()?.flatten();
    }
    Ok(values)
}

/// Reads the value of a field as a query string would have it; nothing for `null`.
fn parameter(name: &str, field: &RawValue) -> Result<Option<String>, Failure> {
    if field.get() == "null" {
        return Ok(None);
    }
    let value = if LISTS.contains(&name) { scalar(field).or_else(|| list(field)) } else { scalar(field) };
    let expected =
        if LISTS.contains(&name) { "a string, a number or an array of these" } else { "a string or a number" };
    value.map(Some).ok_or_else(|| Failure::bad_request(format!("{name} parameter must be {expected}")))
}

/// Reads a string, or takes a number as it is written.
fn scalar(value: &RawValue) -> Option<String> {
    let is_number = value.get().starts_with(|first: char| first == '-' || first.is_ascii_digit());
    if is_number { Some(value.get().to_owned()) } else { body::text(value) }
}

fn list(value: &RawValue) -> Option<String> {
    let items: Vec<&RawValue> = serde_json::from_str(value.get()).ok()?;
    Some(items.into_iter().map(scalar).collect::<Option<Vec<_>>>()?.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_read_like_a_query_string() {
        let check = |json: &str, expect: Result<[Option<&str>; 3], &str>| {
            let got = Source::Body(json.as_bytes()).parameters(["q", "limit", "types"]);
            let expect = expect.map(|values| values.map(|value| value.map(str::to_owned)));
            assert_eq!(got, expect.map_err(|message| Failure::bad_request(message.to_owned())), "{json}");
        };
        let none = Ok([None, None, None]);
        check(
            r#"{"q":"M\u00fc&%zz","limit":5,"types":"city,airport"}"#,
            Ok([Some("Mü&%zz"), Some("5"), Some("city,airport")]),
        );
        check(r#"{"q":7,"limit":"5","types":["city","airport"]}"#, Ok([Some("7"), Some("5"), Some("city,airport")]));
        check(r#"{"limit":-1.50e3,"types":[]}"#, Ok([None, Some("-1.50e3"), Some("")]));
        check(r#"{"q":"a","q":"b","lang":[{}],"Q":1}"#, Ok([Some("b"), None, None]));
        check(r#"{"q":null,"limit":null,"types":null}"#, none);
        for other in ["", "x", "[]", "[\"q\"]", "null", "\"q\"", r#"{"q":"a"} x"#, r#"{"q":"a""#] {
            check(other, none);
        }
        for other in ["true", "{}", "[\"a\"]", r#""\ud800""#] {
            check(&format!(r#"{{"q":{other}}}"#), Err("q parameter must be a string or a number"));
        }
        for other in ["true", "{}", "[[]]", "[null]", "[\"a\",{}]"] {
            let message = "types parameter must be a string, a number or an array of these";
            check(&format!(r#"{{"types":{other}}}"#), Err(message));
        }
    }
}
