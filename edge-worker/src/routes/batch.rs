//! Reads and shapes `POST /v1/geocoding/batch` (decisions 16 to 18).

use std::fmt;

use serde::de::{Error as _, SeqAccess, Visitor};
use serde::{Deserializer as _, Serialize};
use serde_json::value::RawValue;
use toponym_engine::geojson::Located;
use toponym_engine::request::{FIELDS, Fields, Item, MAX_ITEMS, Operation, Options, check_count};
use toponym_engine::{Answer, Geocode, Outcome};

use super::body;
use super::format::Format;
use super::parameters::Source;
use crate::error::Failure;
use crate::http::Body;
use crate::response::Response;

/// Largest body in bytes: room for 100 items of 500 characters, each escaped as `\uXXXX\uXXXX`.
pub const MAX_BODY: usize = 1024 * 1024;

/// A batch.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    /// Items of the batch, 1 to [`MAX_ITEMS`].
    pub items: Vec<Item>,
    /// Language and facts.
    pub options: Options,
    /// `format`: the shape of the answer.
    pub format: Format,
}

/// Reads the query string, the body, and `Accept-Language` if the query string asks for it.
pub async fn read<B: Body>(body: B, raw: &str, accept_language: Option<&str>) -> Result<Batch, Failure> {
    let values = Source::Query(raw).values(Operation::Batch, accept_language)?;
    let options = Options::read(&values)?;
    let format = Format::read(&values)?;
    Ok(Batch { items: items(&body::bytes(body, MAX_BODY).await?)?, options, format })
}

fn items(json: &[u8]) -> Result<Vec<Item>, Failure> {
    let [queries] = body::fields(json, ["queries"]).ok_or_else(no_strings)?;
    let array = queries.ok_or_else(no_strings)?;
    let Items { kept, count } =
        serde_json::Deserializer::from_str(array.get()).deserialize_seq(Items::default()).map_err(|_| no_strings())?;
    check_count(count)?;
    Ok(kept)
}

fn no_strings() -> Failure {
    Failure::bad_request("queries must be an array of strings")
}

/// An array of items, or an error at the first value that is none. The message depends on all items (decision 17), so
/// those beyond [`MAX_ITEMS`] are checked too, but not kept.
#[derive(Default)]
struct Items {
    kept: Vec<Item>,
    count: usize,
}

impl<'de> Visitor<'de> for Items {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an array of strings")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut values: A) -> Result<Self, A::Error> {
        while let Some(value) = values.next_element::<&RawValue>()? {
            let item = item(value).ok_or_else(|| A::Error::custom("an item is not a string"))?;
            self.count += 1;
            if self.count <= MAX_ITEMS {
                self.kept.push(item);
            }
        }
        Ok(self)
    }
}

/// Reads a string, an object with fields of a structured question, or one with `lat` and `lon`; `None` for anything else.
fn item(value: &RawValue) -> Option<Item> {
    if let Some(text) = body::text(value) {
        return Some(Item::Text(text));
    }
    let [name, city, county, state, country] = FIELDS;
    let [lat, lon, named @ ..] =
        body::fields(value.get().as_bytes(), ["lat", "lon", name, city, county, state, country])?;
    match (lat, lon) {
        (None, None) => {
            let texts = named.map(|field| field.map(body::text));
            let are_texts = texts.iter().all(|text| *text != Some(None));
            Fields::new(texts.map(Option::flatten)).filter(|_| are_texts).map(Item::Fields)
        }
        (Some(lat), Some(lon)) if named.iter().all(Option::is_none) => {
            Some(Item::Point { lat: number(lat)?, lon: number(lon)? })
        }
        _ => None,
    }
}

/// Reads a JSON number that is finite.
fn number(value: &RawValue) -> Option<f64> {
    serde_json::from_str(value.get()).ok()
}

impl Batch {
    /// Returns a result for each item.
    pub fn answer(&self, places: &dyn Geocode) -> Answer<Result<Response, Failure>> {
        let Self { items, options, format } = self;
        let shown = options.to_shown(places);
        let outcomes = Answer::all(items.iter().map(|query| query.answer(places, shown)));
        outcomes.map(|outcomes| {
            let results = items.iter().zip(outcomes).map(|(query, outcome)| Answered { outcome, query });
            let results: Vec<Answered> = results.collect();
            match format {
                Format::Json => Response::json(&Results::of(results)),
                Format::GeoJson => format.many(&results),
            }
        })
    }
}

/// An item with its result.
#[derive(Debug, Serialize)]
struct Answered<'b> {
    query: &'b Item,
    #[serde(flatten)]
    outcome: Outcome,
}

impl Located for Answered<'_> {
    fn id(&self) -> Option<u64> {
        self.outcome.id()
    }

    fn position(&self) -> Option<[f64; 2]> {
        self.outcome.position()
    }

    fn bounds(&self) -> Option<[f64; 4]> {
        self.outcome.bounds()
    }
}

/// The body of the answer.
#[derive(Debug, Serialize)]
struct Results<'b> {
    results: Vec<Answered<'b>>,
    total: usize,
    successful: usize,
    failed: usize,
}

impl<'b> Results<'b> {
    /// Creates the results with their counts. All that are not `ok` count as failed.
    fn of(results: Vec<Answered<'b>>) -> Self {
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
        let got = items(json.as_ref());
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
    fn objects() {
        check_object(r#"{"city":"Paris","state":"TX"}"#, fields_item(["-", "Paris", "-", "TX", "-"]));
        check_object(r#"{"name":"","other":[[{}]],"country":"FR"}"#, fields_item(["", "-", "-", "-", "FR"]));
        check_object(r#"{"c\u0069ty":"x","city":"y"}"#, fields_item(["-", "y", "-", "-", "-"]));
        check_object(r#"{"lat":48.8,"lon":2}"#, point_item(48.8, 2.0));
        check_object(r#"{"lat":91,"lon":-1e3,"other":"x"}"#, point_item(91.0, -1_000.0));
        let none = [
            "{}",
            r#"{"query":"Paris"}"#,
            r#"{"City":"Paris"}"#,
            r#"{"city":1}"#,
            r#"{"city":null}"#,
            r#"{"city":"Paris","state":7}"#,
            r#"{"lat":1}"#,
            r#"{"lat":"1","lon":"2"}"#,
            r#"{"lat":1,"lon":null}"#,
            r#"{"lat":1,"lon":1e999}"#,
            r#"{"lat":1,"lon":2,"city":"Paris"}"#,
        ];
        none.into_iter().for_each(|value| check_object(value, None));
    }

    fn point_item(lat: f64, lon: f64) -> Option<Item> {
        Some(Item::Point { lat, lon })
    }

    fn fields_item(values: [&str; 5]) -> Option<Item> {
        let set = values.map(|value| Some(value.to_owned()).filter(|value| value != "-"));
        Some(Item::Fields(Fields::new(set).expect("a field is set")))
    }

    fn check_object(value: &str, expect: Option<Item>) {
        let expect = expect.map(|item| vec![item]).ok_or(Failure::bad_request(NO_STRINGS));
        assert_eq!(items(body(&[value]).as_bytes()), expect, "{value}");
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

    /// Checks bodies of a mebibyte that would take fifty as a tree of values.
    #[test]
    fn heavy_bodies() {
        check(format!("{{\"queries\":[{}]}}", fill(r#"{"":0}"#)), Err(NO_STRINGS));
        check(format!("{{\"queries\":[{}]}}", fill(r#""""#)), Err(TOO_MANY));
        check(format!("{{\"x\":[{}],\"queries\":[\"x\"]}}", fill("[]")), Ok(1));
        check(format!("{{{},\"queries\":[\"x\"]}}", fill(r#""queries":[]"#)), Ok(1));
        check(format!("{{\"queries\":{}", "[".repeat(MAX_BODY)), Err(NO_STRINGS));
        check(format!("{{\"queries\":[\"{}\"]}}", "x".repeat(MAX_BODY)), Ok(1));
    }

    fn fill(item: &str) -> String {
        vec![item; MAX_BODY / (item.len() + 1)].join(",")
    }
}
