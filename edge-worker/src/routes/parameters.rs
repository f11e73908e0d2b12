//! Reads the parameters of a route: from a query string, or from the fields of a JSON object (decision 42).

use serde_json::value::RawValue;

use toponym_engine::request::{Operation, Parameter, Style, Value, Values};

use super::body;
use crate::error::Failure;
use crate::query::{self, MAX_QUERY_BYTES, QueryError};

/// Source of the parameters of a request.
#[derive(Clone, Copy, Debug)]
pub enum Source<'r> {
    /// In a query string.
    Query(&'r str),
    /// In the fields of a JSON object. A body that is not one has none.
    Body(&'r [u8]),
}

impl Source<'_> {
    /// Reads the values of an operation, and `Accept-Language` for who asks for it. 400 if one of them, or the whole query string,
    /// is malformed.
    pub fn values(self, operation: Operation, accepted: Option<&str>) -> Result<Values, Failure> {
        Ok(self.of(operation.parameters(Style::Text))?.with_accept_language(accepted))
    }

    /// Reads the values of some parameters.
    fn of<'p>(self, parameters: impl Iterator<Item = &'p Parameter>) -> Result<Values, Failure> {
        let parameters: Vec<&Parameter> = parameters.collect();
        let names: Vec<&'static str> = parameters.iter().map(|parameter| parameter.name).collect();
        let texts = match self {
            Self::Query(raw) => self::parameters(raw, &names)?,
            Self::Body(json) => {
                let fields = body::all_fields(json, &names).unwrap_or_default();
                let named = parameters.iter().zip(fields);
                named
                    .map(|(parameter, field)| {
                        Ok(field.map(|field| query_text(parameter, field)).transpose()?.flatten())
                    })
                    .collect::<Result<_, Failure>>()?
            }
        };
        let mut values = Values::new(Style::Text);
        for (parameter, text) in parameters.into_iter().zip(texts) {
            text.into_iter().for_each(|text| values.put(parameter, Value::Text(text)));
        }
        Ok(values)
    }
}

/// Reads the parameters `names` of a query string. 400 if it is malformed.
pub fn parameters(raw: &str, names: &[&'static str]) -> Result<Vec<Option<String>>, Failure> {
    query::read(raw, names).map_err(|error| match error {
        QueryError::TooLong => Failure::bad_request(format!("query string must be at most {MAX_QUERY_BYTES} bytes")),
        QueryError::Encoding => Failure::bad_request("query string must be percent-encoded UTF-8"),
        QueryError::Repeated(name) => Failure::bad_request(format!("{name} parameter must be given once")),
    })
}

/// Reads the value of a field as a query string would have it; nothing for `null`.
fn query_text(&Parameter { name, takes, .. }: &Parameter, field: &RawValue) -> Result<Option<String>, Failure> {
    if field.get() == "null" {
        return Ok(None);
    }
    let value = scalar(field).or_else(|| if takes.is_list() { list(field) } else { None });
    let expected = if takes.is_list() { "a string, a number or an array of these" } else { "a string or a number" };
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
    use toponym_engine::request::Takes;

    use super::*;

    const NAMES: [&str; 3] = ["q", "limit", "types"];

    static NEW: Parameter = Parameter::new("seasons", Takes::Texts, &[Operation::Forward]);

    #[test]
    fn fields_read_like_a_query_string() {
        let check = |json: &str, expect: Result<[Option<&str>; 3], &str>| {
            let expect = expect.map(|values| values.map(|value| value.map(str::to_owned)));
            assert_eq!(read(json), expect.map_err(|message| Failure::bad_request(message.to_owned())), "{json}");
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

    fn read(json: &str) -> Result<[Option<String>; 3], Failure> {
        let known = Operation::Autocomplete.parameters(Style::Text).filter(|one| NAMES.contains(&one.name));
        let values = Source::Body(json.as_bytes()).of(known)?;
        Ok(NAMES.map(|name| values.text(name).map(str::to_owned)))
    }

    /// Checks that a parameter of which this crate has never heard passes through it, with each way to write its value.
    #[test]
    fn a_new_parameter_needs_no_change_here() {
        check(Source::Query("query=x&seasons=summer,winter"), "summer,winter");
        check(Source::Body(br#"{"seasons":["summer","winter"]}"#), "summer,winter");
    }

    fn check(source: Source, expect: &str) {
        let values = source.of([&NEW].into_iter()).expect("it is well-formed");
        assert_eq!(values.text("seasons"), Some(expect), "{source:?}");
    }
}
