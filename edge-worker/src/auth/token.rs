//! Bearer tokens: HS256 with a key id. They contain the caller and the expiry but neither plan nor limits, so that
//! changes of those take effect at once.
//!
//! The signature is checked before anything else in the token, then the expiry, without leeway (decision 13).

use chrono::Duration;
use jwt_compact::alg::{Hs256, Hs256Key};
use jwt_compact::{AlgorithmExt, Claims as Jwt, Header, TimeOptions, UntrustedToken};
use serde::{Deserialize, Serialize};

use super::keyring::Keyring;
use crate::error::Failure;
use crate::meter::month::instant;

/// The claims of a verified token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claims {
    /// The API key.
    #[serde(rename = "sub")]
    pub key_id: String,
    /// The calling application.
    #[serde(rename = "cid")]
    pub client_id: String,
}

/// Issues a token for `claims`. Returns it, and when it expires: milliseconds since the epoch, whole seconds as in it.
pub fn issue(claims: Claims, seconds: u32, keys: &Keyring, now_ms: u64) -> Result<(String, u64), Failure> {
    let (key_id, key) = keys.active();
    let now = instant(now_ms / 1_000 * 1_000);
    let times = TimeOptions::new(Duration::zero(), || now);
    let header = Header::empty().with_key_id(key_id).with_token_type("JWT");
    let jwt = Jwt::new(claims).set_duration_and_issuance(&times, Duration::seconds(seconds.into()));
    let token = Hs256.token(&header, &jwt, &Hs256Key::new(key)).map_err(|_| Failure::Unexpected)?;
    Ok((token, (now_ms / 1_000 + u64::from(seconds)) * 1_000))
}

/// Returns the claims of a token that one of `keys` signed and that has not expired.
pub fn verify(token: &str, keys: &Keyring, now_ms: u64) -> Result<Claims, Failure> {
    let untrusted = UntrustedToken::new(token).map_err(|_| Failure::InvalidToken)?;
    let key = untrusted.header().key_id.as_deref().and_then(|id| keys.get(id)).ok_or(Failure::InvalidToken)?;
    let signed =
        Hs256.validator::<Claims>(&Hs256Key::new(key)).validate(&untrusted).map_err(|_| Failure::InvalidToken)?;
    let (_, jwt) = signed.into_parts();
    match jwt.expiration {
        Some(expiry) if instant(now_ms) < expiry => Ok(jwt.custom),
        Some(_) => Err(Failure::TokenExpired),
        None => Err(Failure::InvalidToken),
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;

    use super::*;

    const NOW: u64 = 1_796_083_140_250;

    fn ring(active: &str, ids: &[&str]) -> Keyring {
        let keys: Vec<String> = ids.iter().map(|id| format!("{id:?}:{:?}", key_text(id))).collect();
        Keyring::parse(&format!(r#"{{"active":{active:?},"keys":{{{}}}}}"#, keys.join(","))).expect("a good ring")
    }

    fn key_text(id: &str) -> String {
        base64::engine::general_purpose::STANDARD.encode(id.repeat(32))
    }

    fn claims() -> Claims {
        Claims { key_id: format!("gck_{}", "k".repeat(28)), client_id: format!("app_{}", "c".repeat(16)) }
    }

    fn token() -> String {
        issue(claims(), 60, &ring("k1", &["k1"]), NOW).expect("a token").0
    }

    #[test]
    fn a_short_token_lives_until_its_expiry() {
        let (token, expires) = issue(claims(), 60, &ring("k1", &["k1"]), NOW).expect("a token");
        assert_eq!(expires, 1_796_083_200_000);
        assert!(token.len() <= 300, "{} characters", token.len());
        let check =
            |now: u64, expect: Result<Claims, Failure>| assert_eq!(verify(&token, &ring("k1", &["k1"]), now), expect);
        check(NOW, Ok(claims()));
        check(expires - 1, Ok(claims()));
        check(expires, Err(Failure::TokenExpired));
        check(expires + 1, Err(Failure::TokenExpired));
    }

    #[test]
    fn rotation() {
        check_rotation(ring("k2", &["k1", "k2"]), Ok(claims()));
        check_rotation(ring("k2", &["k2"]), Err(Failure::InvalidToken));
    }

    fn check_rotation(keys: Keyring, expect: Result<Claims, Failure>) {
        assert_eq!(verify(&token(), &keys, NOW), expect);
    }

    #[test]
    fn every_flipped_bit_is_seen() {
        let token = token().into_bytes();
        for at in 0..token.len() * 8 {
            let mut flipped = token.clone();
            flipped[at / 8] ^= 1 << (at % 8);
            let Ok(flipped) = String::from_utf8(flipped) else { continue };
            assert_eq!(verify(&flipped, &ring("k1", &["k1"]), NOW), Err(Failure::InvalidToken), "bit {at}");
        }
    }

    #[test]
    fn other_algorithms_and_structures() {
        let token = token();
        let parts: Vec<&str> = token.split('.').collect();
        let with_header = |header: &str| format!("{}.{}.{}", URL_SAFE_NO_PAD.encode(header), parts[1], parts[2]);
        for alg in ["none", "None", "HS384", "HS512", "RS256", "ES256", ""] {
            check_invalid(&with_header(&format!(r#"{{"alg":{alg:?},"kid":"k1","typ":"JWT"}}"#)));
        }
        check_invalid(&with_header(r#"{"alg":"HS256","typ":"JWT"}"#));
        check_invalid(&with_header(r#"{"alg":"HS256","kid":"k9","typ":"JWT"}"#));
        check_invalid(&format!("{}.{}.", URL_SAFE_NO_PAD.encode(r#"{"alg":"none","kid":"k1"}"#), parts[1]));
        check_invalid(&format!("{}.{}.", parts[0], parts[1]));
        check_invalid(&format!("{}.{}.AAAA", parts[0], parts[1]));
        check_invalid(&format!("{token}.{}", parts[2]));
        for text in ["", ".", "..", "a.b.c", parts[0], "é.é.é"] {
            check_invalid(text);
        }
    }

    fn check_invalid(token: &str) {
        assert_eq!(verify(token, &ring("k1", &["k1"]), NOW + 90_000), Err(Failure::InvalidToken), "{token}");
    }

    #[test]
    fn a_token_without_expiry_or_claims_is_invalid() {
        check_claims(serde_json::json!({ "sub": "gck_x", "cid": "app_x" }));
        check_claims(serde_json::json!({ "exp": NOW / 1_000 + 9 }));
        check_claims(serde_json::json!({ "exp": "soon", "sub": "gck_x", "cid": "app_x" }));
    }

    fn check_claims(claims: serde_json::Value) {
        let header = Header::empty().with_key_id("k1");
        let key = Hs256Key::new("k1".repeat(32));
        let token = Hs256.token(&header, &Jwt::new(claims), &key).expect("a token");
        assert_eq!(verify(&token, &ring("k1", &["k1"]), NOW), Err(Failure::InvalidToken));
    }
}
