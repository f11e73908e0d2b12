//! Marks at the end of API keys, by which a guessed key is told from one that this deployment made, without asking an object.
//!
//! A marked key is [`KEY_CHARS`] random characters behind the prefix, and [`MARK_CHARS`] of HMAC-SHA256(secret, what stands
//! before). The secret is not rotated: keys keep their names. Whoever learns it can have objects asked for keys that do not
//! exist, as anybody could without marks, and nothing else.

use std::fmt;

use hmac::{Hmac, Mac};
use sha2::Sha256;
use subtle::ConstantTimeEq as _;

use super::credentials::{BASE62, KEY_CHARS, KEY_PREFIX, is_key};
use super::secret::Secret;

/// Base62 characters of a mark: one guess in 57 thousand million has the right one.
pub const MARK_CHARS: usize = 6;

/// Shortest secret in characters, of which each is worth at least four bits.
const MIN_SECRET: usize = 32;

/// Characters of a key without its mark.
const UNMARKED: usize = KEY_PREFIX.len() + KEY_CHARS;

/// The secret under which keys are marked.
#[derive(Clone)]
pub struct KeyMark(Secret);

impl KeyMark {
    /// Takes a secret. The error says what to change, without any part of it.
    pub fn new(secret: Secret) -> Result<Self, String> {
        if secret.reveal().len() >= MIN_SECRET {
            return Ok(Self(secret));
        }
        Err(format!("must have at least {MIN_SECRET} characters: openssl rand -hex {MIN_SECRET}"))
    }

    /// Adds the mark to a new key.
    pub fn add_mark(&self, key: &str) -> String {
        format!("{key}{}", self.mark(key))
    }

    /// Tells whether a key was marked under this secret.
    pub fn is_on(&self, key: &str) -> bool {
        let Some((name, mark)) = is_marked(key).then(|| key.split_at(UNMARKED)) else { return false };
        self.mark(name).as_bytes().ct_eq(mark.as_bytes()).into()
    }

    fn mark(&self, name: &str) -> String {
        let mut mac =
            Hmac::<Sha256>::new_from_slice(self.0.reveal().as_bytes()).expect("HMAC takes a key of any length");
        mac.update(name.as_bytes());
        let bytes = mac.finalize().into_bytes();
        // Of 128 bits, so that each character is as likely as any other.
        let mut rest = bytes.iter().take(16).fold(0_u128, |number, byte| number << 8 | u128::from(*byte));
        let mut mark = String::with_capacity(MARK_CHARS);
        for _ in 0..MARK_CHARS {
            mark.push(char::from(BASE62[(rest % 62) as usize]));
            rest /= 62;
        }
        mark
    }
}

impl fmt::Debug for KeyMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyMark")
    }
}

/// Tells whether a key has the form of a marked one. Keys without a mark never have it.
pub fn is_marked(key: &str) -> bool {
    is_key(key) && key.len() == UNMARKED + MARK_CHARS
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAME: &str = "gck_0123456789abcdefABCDEF";

    fn mark(secret: &str) -> KeyMark {
        KeyMark::new(Secret::new(secret.repeat(32))).expect("it is long enough")
    }

    #[test]
    fn only_its_own_marks_are_right() {
        let marked = mark("a").add_mark(NAME);
        assert!(mark("a").is_on(&marked) && is_marked(&marked));
        assert!(!mark("b").is_on(&marked), "another secret");
        for at in KEY_PREFIX.len()..marked.len() {
            let mut other = marked.clone().into_bytes();
            other[at] = if other[at] == b'x' { b'y' } else { b'x' };
            let other = String::from_utf8(other).expect("it is ASCII");
            assert!(!mark("a").is_on(&other), "{other}");
        }
        for other in [NAME, &marked[..marked.len() - 1], &format!("{marked}x"), "gck_localdemo", ""] {
            assert!(!mark("a").is_on(other) && !is_marked(other), "{other}");
        }
    }

    #[test]
    fn a_mark_is_pinned() {
        assert_eq!(mark("a").add_mark(NAME), format!("{NAME}6MzkEh"));
        assert_eq!(format!("{:?}", mark("a")), "KeyMark");
    }

    #[test]
    fn short_secrets_are_refused() {
        let error = KeyMark::new(Secret::new("hush".repeat(7))).expect_err("it is short");
        assert!(error.contains("at least 32 characters") && !error.contains("hush"), "{error}");
    }
}
