//! The format of API keys and secrets, and the storage of secrets.
//!
//! The service stores HMAC-SHA256(pepper, secret) and the pepper's id. Without the pepper the stored hash cannot be
//! attacked, and a secret of 256 random bits needs no slow hash. Comparison takes constant time.

use std::collections::BTreeMap;
use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use hmac::{Hmac, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use subtle::ConstantTimeEq;

use super::keyring::Keyring;

/// Prefix of every API key.
pub const KEY_PREFIX: &str = "gck_";

/// Prefix of every API secret.
pub const SECRET_PREFIX: &str = "gcs_";

/// The characters of keys, secrets and marks.
pub const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Random base62 characters behind the prefix of a key: 131 bits. A mark may follow: [`super::key_mark`].
pub const KEY_CHARS: usize = 22;

/// Base62 characters behind the prefix of a secret: 256 bits.
pub const SECRET_CHARS: usize = 43;

/// Longest key or secret that is checked, in bytes.
const MAX_BYTES: usize = 64;

/// Tells whether `text` has the form of an API key. Only then an object is called.
pub fn is_key(text: &str) -> bool {
    has_form(text, KEY_PREFIX)
}

/// Tells whether `text` has the form of an API secret.
pub fn is_secret(text: &str) -> bool {
    has_form(text, SECRET_PREFIX)
}

fn has_form(text: &str, prefix: &str) -> bool {
    let rest = text.strip_prefix(prefix).unwrap_or("");
    !rest.is_empty() && text.len() <= MAX_BYTES && rest.bytes().all(|b| b.is_ascii_alphanumeric())
}

/// The stored form of a secret.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecretHash {
    /// Id of the pepper.
    pub pepper: String,
    /// HMAC-SHA256 in base64.
    pub hash: String,
}

impl SecretHash {
    /// Creates the hash of `secret` under the active pepper.
    pub fn new(secret: &str, peppers: &Keyring) -> Self {
        let (id, pepper) = peppers.active();
        Self { pepper: id.to_owned(), hash: hash(pepper, secret) }
    }

    /// Tells whether `proof` was made from the secret of this hash.
    pub fn matches(&self, proof: &Proof) -> bool {
        proof.0.get(&self.pepper).is_some_and(|hash| hash.as_bytes().ct_eq(self.hash.as_bytes()).into())
    }
}

impl fmt::Debug for SecretHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SecretHash(pepper {:?})", self.pepper)
    }
}

/// A presented secret, hashed with every pepper, which is sent to the key's object instead of the secret.
#[derive(Clone, Serialize, Deserialize)]
pub struct Proof(BTreeMap<String, String>);

impl Proof {
    /// Creates the proof that `secret` is known.
    pub fn new(secret: &str, peppers: &Keyring) -> Self {
        Self(peppers.iter().map(|(id, pepper)| (id.to_owned(), hash(pepper, secret))).collect())
    }
}

impl fmt::Debug for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Proof")
    }
}

fn hash(pepper: &[u8], secret: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(pepper).expect("HMAC takes a key of any length");
    mac.update(secret.as_bytes());
    STANDARD_NO_PAD.encode(mac.finalize().into_bytes())
}

/// Generates `prefix` and `chars` base62 characters from `random` bytes. Bytes past the largest multiple of 62 are
/// skipped, so that each character is as likely as any other. `None` when the bytes run out.
pub fn generate(prefix: &str, chars: usize, random: &[u8]) -> Option<String> {
    const FAIR: u8 = 248; // 4 * 62
    let picked =
        random.iter().filter(|byte| **byte < FAIR).take(chars).map(|byte| char::from(BASE62[usize::from(byte % 62)]));
    // Allocated at its final size, because growing would leave copies of the secret in memory.
    let mut text = String::with_capacity(prefix.len() + chars);
    text.extend(prefix.chars().chain(picked));
    (text.len() == prefix.len() + chars).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(active: &str) -> Keyring {
        let json = r#"{"active":"$","keys":{"p1":"MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=","p2":"YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXphYmNkZWY="}}"#;
        Keyring::parse(&json.replace('$', active)).expect("a good ring")
    }

    #[test]
    fn a_secret_matches_under_any_remaining_pepper() {
        let stored = SecretHash::new("gcs_right", &ring("p1"));
        assert!(stored.matches(&Proof::new("gcs_right", &ring("p2"))));
        assert!(!stored.matches(&Proof::new("gcs_wrong", &ring("p1"))));
        let unknown = SecretHash { pepper: "p9".into(), hash: stored.hash.clone() };
        assert!(!unknown.matches(&Proof::new("gcs_right", &ring("p1"))));
        let empty = SecretHash { pepper: "p9".into(), hash: String::new() };
        assert!(!empty.matches(&Proof::new("gcs_right", &ring("p1"))), "a missing pepper matches nothing");
    }

    #[test]
    fn the_stored_form_is_pinned() {
        let stored = SecretHash::new("gcs_right", &ring("p1"));
        assert_eq!(stored.hash, "kDA/1QmCqRQnAX7CxuvahBH/Gzb4Gl/DmXMf56x1i3M");
        assert_eq!(format!("{stored:?} {:?}", Proof::new("gcs_right", &ring("p1"))), "SecretHash(pepper \"p1\") Proof");
    }

    #[test]
    fn forms() {
        check("gck_localdemo", true);
        check("gck_0123456789ABCDEFabcdef", true);
        for text in ["", "gck_", "gcs_x", "GCK_x", "gck_x y", "gck_é", "gck_x/../y"] {
            check(text, false);
        }
        check(&format!("gck_{}", "a".repeat(60)), true);
        check(&format!("gck_{}", "a".repeat(61)), false);
        assert!(is_secret("gcs_localdemo") && !is_secret("gck_localdemo"));
    }

    fn check(text: &str, key: bool) {
        assert_eq!(is_key(text), key, "{text:?}");
    }

    #[test]
    fn generated_text_has_its_form() {
        let bytes: Vec<u8> = (0..=255).collect();
        assert_eq!(generate(KEY_PREFIX, 5, &bytes).as_deref(), Some("gck_01234"));
        assert!(is_secret(&generate(SECRET_PREFIX, SECRET_CHARS, &bytes).expect("enough bytes")));
        assert_eq!(generate(KEY_PREFIX, 2, &[255, 250, 61]), None);
        assert_eq!(
            generate(KEY_PREFIX, 2, &[248, 247, 61]).as_deref(),
            Some("gck_zz"),
            "248 would make 0 too frequent"
        );
    }
}
