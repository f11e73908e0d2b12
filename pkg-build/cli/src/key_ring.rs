//! Rotation of a key ring in two steps. The first one adds a key, with which nothing is signed or hashed yet. The second one makes it
//! the active key, when every location knows it: a location that does not know a key refuses all that was made with it.

use std::collections::BTreeMap;
use std::fmt;

use anyhow::{Context, Result, bail, ensure};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use toponym_edge::auth::keyring::Keyring;

/// Length of a key in bytes, the output size of HMAC-SHA256.
pub const KEY_BYTES: usize = 32;

/// Seconds that an upload takes until every location has it. Mostly it is less than one minute, but nothing tells when the last
/// isolate of the version before has ended.
pub const SPREAD_S: u64 = 10 * 60;

/// A key ring, in the JSON form that the Worker reads. Debug shows no key.
#[derive(PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyRing {
    active: String,
    keys: BTreeMap<String, String>,
}

impl fmt::Debug for KeyRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyRing({:?}, active {:?})", self.keys.keys().collect::<Vec<_>>(), self.active)
    }
}

impl KeyRing {
    /// Makes a ring with one key.
    pub fn new(id: &str, key: [u8; KEY_BYTES]) -> Self {
        Self { active: id.to_owned(), keys: [(id.to_owned(), STANDARD.encode(key))].into() }
    }

    /// Reads a ring that the Worker would take.
    pub fn parse(json: &str) -> Result<Self> {
        Keyring::parse(json).map_err(anyhow::Error::msg)?;
        Ok(serde_json::from_str(json)?)
    }

    /// Returns the JSON form.
    pub fn to_json(&self) -> Result<String> {
        Ok(serde_json::to_string(self)?)
    }

    /// Returns the id of the active key.
    pub fn active(&self) -> &str {
        &self.active
    }

    /// Adds a key that is not active, and returns its id: `k2` if the ring has `k1`.
    pub fn add(&mut self, key: [u8; KEY_BYTES]) -> String {
        let prefix = self.active.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let prefix = if prefix.is_empty() { "k" } else { prefix };
        let last = self.keys.keys().filter_map(|id| id.strip_prefix(prefix)?.parse::<u64>().ok()).max().unwrap_or(0);
        let id = format!("{prefix}{}", last + 1);
        self.keys.insert(id.clone(), STANDARD.encode(key));
        id
    }

    /// Makes a key of the ring the active one.
    pub fn activate(&mut self, id: &str) -> Result<()> {
        let known = self.keys.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
        ensure!(self.keys.contains_key(id), "there is no key {id}: the ring has {known}");
        ensure!(self.active != id, "{id} is the active key already");
        id.clone_into(&mut self.active);
        Ok(())
    }
}

/// The keys that were added and are not active yet, by ring and id: when each was handed over for upload last, in seconds since the
/// epoch, or nothing.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WaitingKeys(BTreeMap<String, BTreeMap<String, Option<u64>>>);

impl WaitingKeys {
    /// Reads the JSON form.
    pub fn parse(json: &str) -> Result<Self> {
        Ok(serde_json::from_str(json)?)
    }

    /// Returns the JSON form.
    pub fn to_json(&self) -> Result<String> {
        Ok(serde_json::to_string(self)?)
    }

    /// Returns whether no key waits.
    pub fn is_empty(&self) -> bool {
        self.0.values().all(BTreeMap::is_empty)
    }

    /// Notes that a key was added.
    pub fn add(&mut self, ring: &str, id: &str) {
        self.0.entry(ring.to_owned()).or_default().insert(id.to_owned(), None);
    }

    /// Notes that these rings were handed over for upload. An earlier upload may have failed, so only the last one counts.
    pub fn hand_over(&mut self, rings: &[&str], now_s: u64) {
        let handed_over = self.0.iter_mut().filter(|(ring, _)| rings.contains(&ring.as_str()));
        handed_over.flat_map(|(_, keys)| keys.values_mut()).for_each(|since_s| *since_s = Some(now_s));
    }

    /// Forgets a key that is active now.
    pub fn remove(&mut self, ring: &str, id: &str) {
        if let Some(keys) = self.0.get_mut(ring) {
            keys.remove(id);
        }
    }

    /// Checks that every location has a key. Returns false if nothing is known of it, because `secrets add` did not add it.
    pub fn check_spread(&self, ring: &str, id: &str, now_s: u64) -> Result<bool> {
        let Some(since_s) = self.0.get(ring).and_then(|keys| keys.get(id)) else { return Ok(false) };
        let since_s = since_s.with_context(|| {
            format!("{id} was not handed over yet: {}, and activate it {} later", upload(ring), minutes(SPREAD_S))
        })?;
        let age_s = now_s.saturating_sub(since_s);
        if age_s < SPREAD_S {
            bail!(
                "{id} was handed over less than {} ago, and some locations may not have it yet: they would refuse all that is made \
                 with it. Try again in {}, or add --early",
                minutes(SPREAD_S),
                minutes(SPREAD_S - age_s)
            );
        }
        Ok(true)
    }
}

/// Says how to upload a ring.
pub fn upload(ring: &str) -> String {
    format!("upload it with `toponym secrets deployment {ring} | cargo xtask wrangler secret bulk`")
}

/// Writes a number of seconds for people, rounded up.
pub fn minutes(seconds: u64) -> String {
    match seconds.div_ceil(60) {
        1 => "1 minute".to_owned(),
        minutes => format!("{minutes} minutes"),
    }
}

#[cfg(test)]
mod tests {
    use toponym_edge::auth::credentials::{Proof, SecretHash};
    use toponym_edge::auth::token::{Claims, issue, verify};

    use super::*;

    const RING: &str = "TOPONYM_SIGNING_KEYS";
    const NOW_S: u64 = 1_796_083_140;

    fn ring(json: &str) -> KeyRing {
        let zeros = STANDARD.encode([0; KEY_BYTES]);
        KeyRing::parse(&json.replace('$', &zeros)).expect("the Worker would take it")
    }

    #[test]
    fn an_added_key_is_not_active() {
        check(r#"{"active":"k1","keys":{"k1":"$"}}"#, "k2");
        check(r#"{"active":"k2","keys":{"k1":"$","k2":"$","k9":"$"}}"#, "k10");
        check(r#"{"active":"p1","keys":{"p1":"$","k7":"$"}}"#, "p2");
        check(r#"{"active":"main","keys":{"main":"$"}}"#, "main1");
        check(r#"{"active":"2025","keys":{"2025":"$"}}"#, "k1");
    }

    fn check(json: &str, expect: &str) {
        let mut ring = ring(json);
        let active = ring.active().to_owned();
        assert_eq!(ring.add([1; KEY_BYTES]), expect, "{json}");
        assert_eq!(ring.active(), active, "{json}");
        assert_eq!(KeyRing::parse(&ring.to_json().expect("it is JSON")).expect("the Worker would take it"), ring);
    }

    #[test]
    fn only_another_key_of_the_ring_is_activated() {
        let mut ring = ring(r#"{"active":"k1","keys":{"k1":"$","k2":"$"}}"#);
        assert_eq!(activation_error(&mut ring, "k1"), "k1 is the active key already");
        assert_eq!(activation_error(&mut ring, "k3"), "there is no key k3: the ring has k1, k2");
        ring.activate("k2").expect("it is in the ring");
        assert_eq!(ring.active(), "k2");
        ring.activate("k1").expect("the earlier key stays in the ring");
    }

    fn activation_error(ring: &mut KeyRing, id: &str) -> String {
        ring.activate(id).expect_err("it is refused").to_string()
    }

    #[test]
    fn a_key_is_activated_once_it_spread() {
        let mut waiting = WaitingKeys::default();
        waiting.add(RING, "k2");
        waiting.hand_over(&["TOPONYM_PEPPER"], NOW_S);
        let never = spread_error(&waiting, NOW_S + SPREAD_S);
        assert!(never.starts_with("k2 was not handed over yet: upload it with `toponym secrets deployment"), "{never}");
        waiting.hand_over(&["TOPONYM_PEPPER", RING], NOW_S);
        let early = spread_error(&waiting, NOW_S + SPREAD_S - 1);
        assert!(early.contains("less than 10 minutes ago") && early.contains("Try again in 1 minute, "), "{early}");
        assert!(waiting.check_spread(RING, "k2", NOW_S + SPREAD_S).expect("it is late enough"));
        // The first upload may have failed.
        waiting.hand_over(&[RING], NOW_S + SPREAD_S);
        spread_error(&waiting, NOW_S + SPREAD_S);
        // The clock stepped back.
        spread_error(&waiting, NOW_S);
        let stored = waiting.to_json().expect("it is JSON");
        assert_eq!(WaitingKeys::parse(&stored).expect("it was just written"), waiting);
        assert!(!waiting.is_empty());
        waiting.remove(RING, "k2");
        assert!(waiting.is_empty());
        assert!(!waiting.check_spread(RING, "k2", NOW_S).expect("nothing is known of it"));
    }

    fn spread_error(waiting: &WaitingKeys, now_s: u64) -> String {
        waiting.check_spread(RING, "k2", now_s).expect_err("it is too early").to_string()
    }

    /// While an upload spreads, some locations have the ring before it and some the ring after it. What one makes the other has to
    /// accept.
    #[test]
    fn neither_step_breaks_signing_in_while_it_spreads() {
        let mut ring = KeyRing::new("k1", [1; KEY_BYTES]);
        let before = worker_keys(&ring);
        let id = ring.add([2; KEY_BYTES]);
        let added = worker_keys(&ring);
        ring.activate(&id).expect("it was just added");
        let activated = worker_keys(&ring);

        for accepts in [&accepts_tokens as &dyn Fn(&Keyring, &Keyring) -> bool, &accepts_secrets] {
            for (one, other) in [(&before, &added), (&added, &activated)] {
                assert!(accepts(one, other) && accepts(other, one));
            }
            assert!(!accepts(&before, &activated), "one step in place of two");
        }
    }

    fn accepts_secrets(verifier: &Keyring, maker: &Keyring) -> bool {
        SecretHash::new("gcs_x", maker).matches(&Proof::new("gcs_x", verifier))
    }

    fn accepts_tokens(verifier: &Keyring, signer: &Keyring) -> bool {
        let claims = Claims { key_id: "gck_x".into(), client_id: "app_x".into() };
        let (token, _) = issue(claims.clone(), 60, signer, NOW_S * 1_000).expect("a token");
        verify(&token, verifier, NOW_S * 1_000) == Ok(claims)
    }

    fn worker_keys(ring: &KeyRing) -> Keyring {
        Keyring::parse(&ring.to_json().expect("it is JSON")).expect("it is a ring")
    }
}
