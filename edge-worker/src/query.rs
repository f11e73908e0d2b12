//! Decodes query strings strictly (decisions 22 and 25).
//!
//! The platform's decoder turns `%FF` into U+FFFD and keeps `%zz`, so the geocoder would answer a different query. Here
//! invalid encoding is an error, and so is a repeated known parameter.

use percent_encoding::percent_decode_str;

/// Longest query string in bytes: 500 characters of four UTF-8 bytes, each escaped as `%XX`, and room for the rest.
pub const MAX_QUERY_BYTES: usize = 8 * 1024;

/// Why a query string is unusable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QueryError {
    /// Longer than [`MAX_QUERY_BYTES`].
    TooLong,
    /// A `%` without two hexadecimal digits, or bytes that are not UTF-8.
    Encoding,
    /// The named parameter occurs more than once.
    Repeated(&'static str),
}

/// Returns the values of the parameters `names` in `raw`, in the order of `names`; unknown parameters are ignored.
pub fn read(raw: &str, names: &[&'static str]) -> Result<Vec<Option<String>>, QueryError> {
    if raw.len() > MAX_QUERY_BYTES {
        return Err(QueryError::TooLong);
    }
    let mut values = vec![None; names.len()];
    for pair in raw.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let name = decode(name)?;
        let value = decode(value)?;
        let Some(at) = names.iter().position(|known| *known == name) else { continue };
        if values[at].replace(value).is_some() {
            return Err(QueryError::Repeated(names[at]));
        }
    }
    Ok(values)
}

fn decode(text: &str) -> Result<String, QueryError> {
    if !escapes_are_whole(text.as_bytes()) {
        return Err(QueryError::Encoding);
    }
    let spaced = text.replace('+', " ");
    percent_decode_str(&spaced).decode_utf8().map(Into::into).map_err(|_| QueryError::Encoding)
}

fn escapes_are_whole(text: &[u8]) -> bool {
    let mut escapes = text.iter().enumerate().filter(|(_, byte)| **byte == b'%');
    escapes.all(|(at, _)| text.get(at + 1..at + 3).is_some_and(|code| code.iter().all(u8::is_ascii_hexdigit)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(raw: &str, expect: Result<[Option<&str>; 2], QueryError>) {
        let expect = expect.map(|values| values.map(|value| value.map(str::to_owned)).to_vec());
        assert_eq!(read(raw, &["query", "limit"]), expect, "{raw:?}");
    }

    #[test]
    fn strings_and_what_they_hold() {
        check("", Ok([None, None]));
        check("&&", Ok([None, None]));
        check("query=Paris&limit=3", Ok([Some("Paris"), Some("3")]));
        check("limit=3&query=Paris", Ok([Some("Paris"), Some("3")]));
        check("query", Ok([Some(""), None]));
        check("query=", Ok([Some(""), None]));
        check("query=a=b", Ok([Some("a=b"), None]));
        check("query=New+York%20City%2B", Ok([Some("New York City+"), None]));
        check("qu%65ry=M%C3%BCnchen", Ok([Some("München"), None]));
        check("query=Paris&other=1&other=2", Ok([Some("Paris"), None]));
        check("Query=Paris", Ok([None, None]));
    }

    #[test]
    fn broken_strings() {
        for raw in ["query=%", "query=%4", "query=%zz", "query=%FF", "query=%C3", "query=%ED%A0%80", "x=%zz", "%zz=1"] {
            check(raw, Err(QueryError::Encoding));
        }
        check("query=a&query=a", Err(QueryError::Repeated("query")));
        check("limit=1&query=a&l%69mit=2", Err(QueryError::Repeated("limit")));
        check(
            &format!("query={}", "a".repeat(MAX_QUERY_BYTES - 6)),
            Ok([Some(&"a".repeat(MAX_QUERY_BYTES - 6)), None]),
        );
        check(&format!("query={}", "a".repeat(MAX_QUERY_BYTES - 5)), Err(QueryError::TooLong));
    }
}
