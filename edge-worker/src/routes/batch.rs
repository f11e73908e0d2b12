//! Reads and shapes `POST /v1/geocoding/batch` (decisions 16 to 18).

use std::fmt;

use serde::de::{Error as _, SeqAccess, Visitor};
use serde::{Deserializer as _, Serialize};
use serde_json::value::RawValue;
use toponym_engine::{BatchResult, Outcome};

use super::body;
use crate::error::Failure;
use crate::http::Body;

/// Largest body in bytes: room for 100 items of 500 characters, each escaped as `\uXXXX\uXXXX`.
pub const MAX_BODY: usize = 1024 * 1024;

/// Largest number of items.
pub const MAX_ITEMS: usize = 100;

/// Reads the body.
pub async fn read<B: Body>(body: B) -> Result<Vec<String>, Failure> {
    queries(&body::bytes(body, MAX_BODY).await?)
}

fn queries(json: &[u8]) -> Result<Vec<String>, Failure> {
    let no_strings = || Failure::bad_request("queries must be an array of strings");
    let [queries] = body::fields(json, ["queries"]).ok_or_else(no_strings)?;
    let array = queries.ok_or_else(no_strings)?;
    let Strings { kept, count } = serde_json::Deserializer::from_str(array.get())
        .deserialize_seq(Strings::default())
        .map_err(|_| no_strings())?;
    match count {
        0 => Err(Failure::bad_request("queries array cannot be empty")),
        1..=MAX_ITEMS => Ok(kept),
        _ => Err(Failure::bad_request("queries array must contain between 1 and 100 items")),
    }
}

/// An array of strings, or an error at the first item that is none. The message depends on all items (decision 17), so
/// those beyond [`MAX_ITEMS`] are checked too, but not kept.
#[derive(Default)]
struct Strings {
    kept: Vec<String>,
    count: usize,
}

impl<'de> Visitor<'de> for Strings {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an array of strings")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<Self, A::Error> {
        while let Some(item) = items.next_element::<&RawValue>()? {
            let text = body::text(item).ok_or_else(|| A::Error::custom("an item is no string"))?;
            self.count += 1;
            if self.count <= MAX_ITEMS {
                self.kept.push(text);
            }
        }
        Ok(self)
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
    /// The results with their counts. All that are not `ok` count as failed.
    pub fn of(results: Vec<BatchResult>) -> Self {
        let total = results.len();
        let successful = results.iter().filter(|result| matches!(result.outcome, Outcome::Ok { .. })).count();
        Self { results, total, successful, failed: total - successful }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO_STRINGS: &str = "queries must be an array of strings";
    const EMPTY: &str = "queries array cannot be empty";
    const TOO_MANY: &str = "queries array must contain between 1 and 100 items";

    fn check(json: impl AsRef<[u8]>, expect: Result<usize, &str>) {
        let got = queries(json.as_ref());
        let got = got.as_ref().map(Vec::len).map_err(|failure| failure.message());
        assert_eq!(got, expect.map_err(Into::into), "{}", String::from_utf8_lossy(json.as_ref()));
    }

    fn body(items: &[&str]) -> String {
        format!(r#"{{"queries":[{}]}}"#, items.join(","))
    }

    #[test]
    fn bodies() {
        check(r#"{"queries":["Paris"]}"#, Ok(1));
        check(r#"{"queries":["", "x"], "other": {"queries": 1}}"#, Ok(2));
        check(r#"{"\u0071ueries":["P\u0061ris"]}"#, Ok(1));
        check(body(&["\"x\""; 100]), Ok(100));
        check(body(&["\"x\""; 101]), Err(TOO_MANY));
        check(r#"{"queries":[]}"#, Err(EMPTY));
        let others = ["", "x", "null", "[]", "{}", r#"["queries"]"#, r#"{"Queries":["x"]}"#, r#"{"queries":["x"]"#];
        let values = ["null", "\"x\"", "1", "{\"0\":\"x\"}", "[1]", "[null]", "[[\"x\"]]", "[\"x\",]", "[\"\\ud800\"]"];
        others.iter().for_each(|json| check(json, Err(NO_STRINGS)));
        values.iter().for_each(|value| check(format!("{{\"queries\":{value}}}"), Err(NO_STRINGS)));
        check(b"{\"queries\":[\"\xff\"]}", Err(NO_STRINGS));
    }

    #[test]
    fn the_last_of_two_fields_counts() {
        check(r#"{"queries":7,"queries":["x"]}"#, Ok(1));
        check(r#"{"queries":["x"],"queries":[]}"#, Err(EMPTY));
    }

    #[test]
    fn no_string_goes_before_too_many() {
        let mut items = ["\"x\""; 150];
        items[119] = "7";
        check(body(&items), Err(NO_STRINGS));
        items[119] = "\"\\udfff\"";
        check(body(&items), Err(NO_STRINGS));
        check(body(&["\"x\""; 150]) + "x", Err(NO_STRINGS));
    }

    /// Bodies of a mebibyte that would take fifty as a tree of values.
    #[test]
    fn heavy_bodies() {
        let fill = |item: &str| vec![item; MAX_BODY / (item.len() + 1)].join(",");
        check(format!("{{\"queries\":[{}]}}", fill(r#"{"":0}"#)), Err(NO_STRINGS));
        check(format!("{{\"queries\":[{}]}}", fill(r#""""#)), Err(TOO_MANY));
        check(format!("{{\"x\":[{}],\"queries\":[\"x\"]}}", fill("[]")), Ok(1));
        check(format!("{{{},\"queries\":[\"x\"]}}", fill(r#""queries":[]"#)), Ok(1));
        check(format!("{{\"queries\":{}", "[".repeat(MAX_BODY)), Err(NO_STRINGS));
        check(format!("{{\"queries\":[\"{}\"]}}", "x".repeat(MAX_BODY)), Ok(1));
    }
}
