//! Key rings for rotation: `{"active": "k2", "keys": {"k1": "<base64>", "k2": "<base64>"}}`. The active key signs, all
//! keys verify, so that signatures of an earlier key stay valid until it is removed.

use std::collections::BTreeMap;
use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use zeroize::Zeroizing;

/// Shortest key in bytes: the output of SHA-256, as RFC 7518 section 3.2 demands for HS256.
const MIN_KEY_BYTES: usize = 32;

/// Longest id of a key in bytes, so that a token stays below 300.
const MAX_ID_BYTES: usize = 16;

/// Named keys, one of them active. Debug shows the names only; the keys are erased when they are dropped.
#[derive(Clone)]
pub struct Keyring {
    active: String,
    keys: BTreeMap<String, Zeroizing<Vec<u8>>>,
}

#[derive(Deserialize)]
struct Wire {
    active: String,
    keys: BTreeMap<String, String>,
}

impl Keyring {
    /// Reads the JSON form; the error says what to change, without any part of a key.
    pub fn parse(json: &str) -> Result<Self, String> {
        let wire: Wire = serde_json::from_str(json)
            .map_err(|_| "must be JSON such as {\"active\":\"k1\",\"keys\":{\"k1\":\"<base64>\"}}".to_owned())?;
        let keys = wire.keys.into_iter().map(|(id, key)| Ok((checked_id(id)?, decode_key(&Zeroizing::new(key))?)));
        let keys = keys.collect::<Result<BTreeMap<_, _>, String>>()?;
        if !keys.contains_key(&wire.active) {
            return Err("\"active\" must name one of \"keys\"".to_owned());
        }
        Ok(Self { active: wire.active, keys })
    }

    /// Returns the id and the bytes of the active key.
    pub fn active(&self) -> (&str, &[u8]) {
        (&self.active, &self.keys[&self.active])
    }

    /// Returns the key called `id`.
    pub fn get(&self, id: &str) -> Option<&[u8]> {
        self.keys.get(id).map(|key| key.as_slice())
    }

    /// Iterates over all keys, by id.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.keys.iter().map(|(id, key)| (id.as_str(), key.as_slice()))
    }
}

impl fmt::Debug for Keyring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Keyring({:?}, active {:?})", self.keys.keys().collect::<Vec<_>>(), self.active)
    }
}

fn checked_id(id: String) -> Result<String, String> {
    let plain = !id.is_empty() && id.len() <= MAX_ID_BYTES && id.bytes().all(|b| b.is_ascii_alphanumeric());
    if plain { Ok(id) } else { Err(format!("a key id has 1 to {MAX_ID_BYTES} letters or digits")) }
}

fn decode_key(text: &str) -> Result<Zeroizing<Vec<u8>>, String> {
    let key = STANDARD.decode(text).map(Zeroizing::new).map_err(|_| "a key must be base64".to_owned())?;
    if key.len() < MIN_KEY_BYTES {
        return Err(format!("a key must have at least {MIN_KEY_BYTES} bytes: openssl rand -base64 {MIN_KEY_BYTES}"));
    }
    Ok(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    const K: &str = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";

    #[test]
    fn rings() {
        check(r#"{"active":"k2","keys":{"k1":"$K","k2":"$K"}}"#, Ok("k2"));
        check(r#"{"active":"k3","keys":{"k1":"$K"}}"#, Err("must name one"));
        check(r#"{"active":"k1","keys":{"k1":"c2hvcnQ="}}"#, Err("at least 32 bytes"));
        check(r#"{"active":"k1","keys":{"k1":"%%%"}}"#, Err("must be base64"));
        check(r#"{"active":"k 1","keys":{"k 1":"$K"}}"#, Err("letters or digits"));
        check("k1", Err("must be JSON"));
    }

    fn check(json: &str, expect: Result<&str, &str>) {
        let got = Keyring::parse(&json.replace("$K", K)).map(|ring| ring.active().0.to_owned());
        match expect {
            Ok(active) => assert_eq!(got.as_deref(), Ok(active), "{json}"),
            Err(part) => assert!(got.as_ref().is_err_and(|e| e.contains(part)), "{json}: {got:?}"),
        }
    }

    #[test]
    fn keys_are_erased() {
        fn require_erasure(_: &impl zeroize::ZeroizeOnDrop) {}
        let ring = Keyring::parse(&format!(r#"{{"active":"k1","keys":{{"k1":"{K}"}}}}"#)).expect("a good ring");
        ring.keys.values().for_each(require_erasure);
    }

    #[test]
    fn debug_shows_no_key() {
        let ring = Keyring::parse(&format!(r#"{{"active":"k1","keys":{{"k1":"{K}"}}}}"#)).expect("a good ring");
        assert_eq!(format!("{ring:?}"), r#"Keyring(["k1"], active "k1")"#);
    }
}
