//! Parses the `Authorization` header (decision 14).

use crate::error::Failure;

/// Maximum length of the header in bytes; a token has about 240.
const MAX_HEADER_BYTES: usize = 1024;

/// The scheme with the space behind it.
const SCHEME: &str = "Bearer ";

/// Longest token that a header can carry, in bytes.
pub const MAX_TOKEN_BYTES: usize = MAX_HEADER_BYTES - SCHEME.len();

/// Tells whether a token can be sent unchanged in a header: other characters are not allowed there, or end the token.
pub fn can_carry(text: &str) -> bool {
    (1..=MAX_TOKEN_BYTES).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b',')
}

/// Returns the token in an `Authorization` header. Two headers arrive joined by a comma, which no token contains.
pub fn token(header: Option<&str>) -> Result<&str, Failure> {
    let header = header.map(str::trim).filter(|header| !header.is_empty()).ok_or(Failure::MissingAuthorization)?;
    if header.len() > MAX_HEADER_BYTES {
        return Err(Failure::InvalidToken);
    }
    let (scheme, token) = header.split_once(' ').ok_or(Failure::InvalidToken)?;
    let token = token.trim_start();
    let whole = scheme.eq_ignore_ascii_case("bearer") && !token.is_empty() && !token.contains([' ', ',']);
    if whole { Ok(token) } else { Err(Failure::InvalidToken) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers() {
        check_token(None, Err(Failure::MissingAuthorization));
        check_token(Some(""), Err(Failure::MissingAuthorization));
        check_token(Some("  "), Err(Failure::MissingAuthorization));
        check_token(Some("Bearer a.b.c"), Ok("a.b.c"));
        check_token(Some("bEARER  a.b.c"), Ok("a.b.c"));
        for header in ["Bearer", "Bearer ", "a.b.c", "Basic a.b.c", "Bearer a.b.c, Bearer a.b.c", "Bearer a b"] {
            check_token(Some(header), Err(Failure::InvalidToken));
        }
        check_token(Some(&format!("Bearer {}", "a".repeat(1017))), Ok(&"a".repeat(1017)));
        check_token(Some(&format!("Bearer {}", "a".repeat(1018))), Err(Failure::InvalidToken));
    }

    fn check_token(header: Option<&str>, expect: Result<&str, Failure>) {
        assert_eq!(token(header), expect, "{header:?}");
    }

    #[test]
    fn what_a_header_carries_arrives() {
        check_carries("a.b-c_d~e+f/g==!#$%&'()*:;<>?@[]^`{|}\"\\", true);
        check_carries(&"a".repeat(1017), true);
        check_carries(&"a".repeat(1018), false);
        for text in ["", "a b", " a", "a,b", "a\tb", "a\nb", "é", "密"] {
            check_carries(text, false);
        }
    }

    fn check_carries(text: &str, expect: bool) {
        assert_eq!(can_carry(text), expect, "{text:?}");
        assert!(!expect || token(Some(&format!("{SCHEME}{text}"))) == Ok(text), "{text:?}");
    }
}
