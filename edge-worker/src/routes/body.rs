//! Reads bodies that are JSON objects field by field, without a tree of values, so that a body takes no more memory than
//! it has bytes.
//!
//! Other fields are skipped without recursion and may be any JSON, however deep. If a field occurs twice, the last one
//! counts, as in JavaScript.

use std::borrow::Cow;
use std::fmt;

use serde::Deserializer as _;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::error::Failure;
use crate::http::{Body, BodyError};

/// Reads all of a body. 400 if it cannot be read within `cap` bytes, 503 while the isolate has no room for it.
pub async fn bytes<B: Body>(body: B, cap: usize) -> Result<Vec<u8>, Failure> {
    body.read(cap).await.map_err(|error| match error {
        BodyError::TooLarge => Failure::bad_request(format!("request body must be at most {cap} bytes")),
        BodyError::Broken => Failure::bad_request("request body could not be read"),
        BodyError::NoRoom => Failure::Unavailable,
    })
}

/// Returns the fields `names` of a JSON object, in the order of `names`, each as the JSON text of its value. `None` if `json` is
/// not a JSON object in UTF-8, or has more text after it.
pub fn fields<'j, const N: usize>(json: &'j [u8], names: [&str; N]) -> Option<[Option<&'j RawValue>; N]> {
    all_fields(json, &names)?.try_into().ok()
}

/// Returns the fields `names` of a JSON object like [`fields`], for any number of names.
pub fn all_fields<'j>(json: &'j [u8], names: &[&str]) -> Option<Vec<Option<&'j RawValue>>> {
    let text = std::str::from_utf8(json).ok()?;
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let fields = deserializer.deserialize_map(Fields(names)).ok()?;
    deserializer.end().ok()?;
    Some(fields)
}

/// Reads the text of a JSON string; `None` for any other value.
pub fn text(value: &RawValue) -> Option<String> {
    serde_json::from_str(value.get()).ok()
}

struct Fields<'n>(&'n [&'n str]);

impl<'de> Visitor<'de> for Fields<'_> {
    type Value = Vec<Option<&'de RawValue>>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut values = vec![None; self.0.len()];
        while let Some(name) = map.next_key::<Cow<'_, str>>()? {
            match self.0.iter().position(|known| *known == name) {
                Some(at) => values[at] = Some(map.next_value()?),
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_and_what_they_hold() {
        check_fields(b"{}", Some([None, None]));
        check_fields(br#" { "b" : [1, "x"] , "c" : {"a": 1}, "a":"A" } "#, Some([Some("\"A\""), Some("[1, \"x\"]")]));
        check_fields(br#"{"\u0061":null}"#, Some([Some("null"), None]));
        check_fields(br#"{"a":1,"b":2,"a":3}"#, Some([Some("3"), Some("2")]));
        check_fields(br#"{"a":1e999999,"c":-123456789012345678901234567890}"#, Some([Some("1e999999"), None]));
        check_fields(deep(",\"a\":1").as_bytes(), Some([Some("1"), None]));
        let broken: [&[u8]; 14] = [
            b"",
            b" ",
            b"x",
            b"[]",
            b"null",
            b"\"a\"",
            b"{",
            b"{\"a\":1",
            b"{\"a\":1,}",
            b"{\"a\":01}",
            b"{\"a\":1} x",
            b"{\"a\":1}{}",
            b"\xef\xbb\xbf{\"a\":1}",
            b"{\"c\":\"\xff\"}",
        ];
        broken.into_iter().for_each(|json| check_fields(json, None));
        check_fields(deep("]").as_bytes(), None);
    }

    fn deep(inner: &str) -> String {
        format!("{{\"c\":{}{}{inner}}}", "[".repeat(300_000), "]".repeat(300_000))
    }

    fn check_fields(json: &[u8], expect: Option<[Option<&str>; 2]>) {
        let got = fields(json, ["a", "b"]).map(|values| values.map(|value| value.map(RawValue::get)));
        assert_eq!(got, expect, "{}", String::from_utf8_lossy(json));
    }

    #[test]
    fn texts() {
        check_text(r#""""#, Some(""));
        check_text(r#""M\u00fcn\u0063hen \ud83d\ude00""#, Some("München 😀"));
        for other in ["1", "null", "true", "[\"x\"]", "{}", r#""\ud800""#] {
            check_text(other, None);
        }
    }

    fn check_text(json: &str, expect: Option<&str>) {
        let value: &RawValue = serde_json::from_str(json).expect("a JSON value");
        assert_eq!(text(value).as_deref(), expect, "{json}");
    }
}
