//! Reads `forward` and `autocomplete`, which differ in names and numbers only.

use toponym_engine::MAX_QUERY_CHARS;

use super::parameters;
use crate::error::Failure;

/// A text search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// What was typed.
    pub text: String,
    /// Largest number of results.
    pub limit: usize,
}

/// Names and numbers of a route.
#[derive(Debug)]
pub struct TextRoute {
    name: &'static str,
    max_limit: usize,
}

/// `GET /v1/geocoding/forward`.
pub const FORWARD: TextRoute = TextRoute { name: "query", max_limit: 50 };

/// `GET /v1/geocoding/autocomplete`.
pub const AUTOCOMPLETE: TextRoute = TextRoute { name: "q", max_limit: 10 };

/// Results where `limit` is absent.
const DEFAULT_LIMIT: usize = 5;

impl TextRoute {
    /// Reads the query string.
    pub fn read(&self, raw: &str) -> Result<Text, Failure> {
        let Self { name, max_limit } = self;
        let [text, limit] = parameters(raw, [name, "limit"])?;
        let text = text.filter(|text| !text.trim().is_empty());
        let text = text.ok_or_else(|| Failure::bad_request(format!("{name} parameter is required")))?;
        if text.chars().count() > MAX_QUERY_CHARS {
            let message = format!("{name} parameter must be between 1 and {MAX_QUERY_CHARS} characters");
            return Err(Failure::bad_request(message));
        }
        let limit =
            limit.map_or(Some(DEFAULT_LIMIT), |limit| read_limit(&limit)).filter(|n| (1..=*max_limit).contains(n));
        let limit =
            limit.ok_or_else(|| Failure::bad_request(format!("limit must be an integer between 1 and {max_limit}")))?;
        Ok(Text { text, limit })
    }
}

/// Digits only: no sign, no space, no fraction.
fn read_limit(text: &str) -> Option<usize> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(route: &TextRoute, raw: &str, expect: Result<(&str, usize), &str>) {
        let got = route.read(raw);
        let got = got.as_ref().map(|text| (text.text.as_str(), text.limit)).map_err(|failure| failure.message());
        assert_eq!(got, expect.map_err(Into::into), "{raw}");
    }

    #[test]
    fn forward() {
        let check = |raw: &str, expect| check(&FORWARD, raw, expect);
        check("query=Paris", Ok(("Paris", 5)));
        check("query=%20Paris+&limit=50", Ok((" Paris ", 50)));
        check("limit=5", Err("query parameter is required"));
        check("query=", Err("query parameter is required"));
        check("query=%20%C2%A0+", Err("query parameter is required"));
        check("q=Paris", Err("query parameter is required"));
        check("query=a&query=b", Err("query parameter must be given once"));
        check("query=%zz", Err("query string must be percent-encoded UTF-8"));
        for limit in ["0", "51", "-1", "%2B5", "5.0", "", "five", "1e1", "99999999999999999999", "%D9%A5"] {
            check(&format!("query=Paris&limit={limit}"), Err("limit must be an integer between 1 and 50"));
        }
    }

    #[test]
    fn autocomplete() {
        let check = |raw: &str, expect| check(&AUTOCOMPLETE, raw, expect);
        check("q=Par&limit=10", Ok(("Par", 10)));
        check("query=Par", Err("q parameter is required"));
        check("q=Par&limit=11", Err("limit must be an integer between 1 and 10"));
    }

    #[test]
    fn lengths_are_counted_in_scalar_values() {
        let check = |text: &str, fits: bool| assert_eq!(FORWARD.read(&format!("query={text}")).is_ok(), fits);
        check(&"a".repeat(500), true);
        check(&"a".repeat(501), false);
        check(&"%F0%9F%8D%93".repeat(500), true);
        check(&"%F0%9F%8D%93".repeat(501), false);
    }
}
