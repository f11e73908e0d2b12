//! Reads and checks the variables of a deployment, once per isolate.
//!
//! | Variable | Kind | Meaning |
//! |---|---|---|
//! | `TOPONYM_SIGNING_KEYS` | secret, required | [`Keyring`] JSON; signs and verifies tokens |
//! | `TOPONYM_PEPPER` | secret, required | [`Keyring`] JSON; hashes API secrets |
//! | `TOPONYM_ADMIN_SECRET` | secret, optional | bearer of the admin routes, see [`check_admin_secret`]; unset: they do not exist |
//! | `TOPONYM_KEY_MARK` | secret, optional | marks the API keys: see [`crate::auth::key_mark`]; unset: keys have no mark |
//! | `UNMARKED_KEYS` | variable, optional | `true`: with marks, there are also keys without one, from before |
//! | `TOPONYM_DEMO` | local only | `true`: the demo keys of [`crate::durable::demo`] exist, on hosts of a private network |
//! | `AUTH_HOST` | variable, optional | the only host that answers the token route; unset: every host does |
//! | `KEY_LOCATION` | variable, optional | [`Location`] of new keys that name none; unset: near whoever creates them |
//! | `PUBLISH_PLACES` | variable, optional | `true`: everybody may fetch the pages of the index under `/places/`; `entry.mjs` reads it |
//!
//! Bindings: `KEYS` (the objects that hold API keys), `DIRECTORY` (the object that lists them), `STRANGERS` (how many keys
//! that do not exist a network may present; without it, any number), `BOARD` (the object of [`crate::metrics`]). Cron triggers: one every minute, which probes the service; one a day, which refreshes the figures of
//! coverage.

use std::fmt;

use crate::auth::bearer::{MAX_TOKEN_BYTES, can_carry};
use crate::auth::credentials::is_key;
use crate::auth::key_mark::{KeyMark, is_marked};
use crate::auth::keyring::Keyring;
use crate::auth::secret::Secret;
use crate::durable::demo::is_demo;
use crate::durable::location::Location;

/// Minimum length of the admin secret, in characters.
const MIN_ADMIN_SECRET: usize = 32;

/// The settings of a deployment.
#[derive(Clone)]
pub struct Config {
    /// Keys of tokens.
    pub signing: Keyring,
    /// Keys of secret hashes.
    pub peppers: Keyring,
    /// Bearer of the admin routes.
    pub admin_secret: Option<Secret>,
    /// Mark of the API keys.
    pub key_mark: Option<KeyMark>,
    /// True if there may be keys without a mark.
    pub unmarked_keys: bool,
    /// True if the demo keys exist.
    pub demo: bool,
    /// The only host of the token route, in lower case.
    pub auth_host: Option<String>,
    /// Region in which the objects of new keys are placed that name no region.
    pub key_location: Option<Location>,
}

/// The variable of [`Config::key_mark`].
const KEY_MARK: &str = "TOPONYM_KEY_MARK";

/// The variable of [`Config::key_location`].
const KEY_LOCATION: &str = "KEY_LOCATION";

/// A missing or invalid variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// Name of the variable.
    pub variable: &'static str,
    /// Advice what to change, without any part of the value.
    pub problem: String,
}

impl Config {
    /// Reads the variables through `get`.
    pub fn read(get: impl Fn(&str) -> Option<String>) -> Result<Self, ConfigError> {
        let keyring = |variable: &'static str| {
            let json = get(variable).map(Secret::new).ok_or_else(|| "is not set".to_owned());
            json.and_then(|json| Keyring::parse(json.reveal())).map_err(|problem| ConfigError { variable, problem })
        };
        let text = |variable| get(variable).filter(|value| !value.is_empty());
        let location = text(KEY_LOCATION).map(Location::try_from).transpose();
        let key_mark = text(KEY_MARK).map(Secret::new).map(KeyMark::new).transpose();
        let config = Self {
            signing: keyring("TOPONYM_SIGNING_KEYS")?,
            peppers: keyring("TOPONYM_PEPPER")?,
            admin_secret: text("TOPONYM_ADMIN_SECRET").map(Secret::new),
            key_mark: key_mark.map_err(|problem| ConfigError { variable: KEY_MARK, problem })?,
            unmarked_keys: text("UNMARKED_KEYS").is_some_and(|value| value == "true"),
            demo: text("TOPONYM_DEMO").is_some_and(|value| value == "true"),
            auth_host: text("AUTH_HOST").map(|host| host.to_ascii_lowercase()),
            key_location: location
                .map_err(|error| ConfigError { variable: KEY_LOCATION, problem: format!("is wrong: {error}") })?,
        };
        config.admin_secret.as_ref().map_or(Ok(()), |secret| check_admin_secret(secret.reveal()))?;
        Ok(config)
    }

    /// Tells whether this deployment can have made a key, or have it as a demo key. Only then is its object asked.
    pub fn may_have(&self, key: &str) -> bool {
        let Some(mark) = &self.key_mark else { return is_key(key) };
        let is_old = self.unmarked_keys && is_key(key) && !is_marked(key);
        mark.is_on(key) || is_old || (self.demo && is_demo(key))
    }

    /// Tells whether this deployment has certainly made a key.
    pub fn has_made(&self, key: &str) -> bool {
        self.key_mark.as_ref().is_some_and(|mark| mark.is_on(key))
    }
}

/// Checks that an admin secret is long enough, and can be sent as a bearer token.
pub fn check_admin_secret(secret: &str) -> Result<(), ConfigError> {
    if secret.len() >= MIN_ADMIN_SECRET && can_carry(secret) {
        return Ok(());
    }
    let problem = format!(
        "must have {MIN_ADMIN_SECRET} to {MAX_TOKEN_BYTES} characters, of ASCII without spaces, commas and control characters"
    );
    Err(ConfigError { variable: "TOPONYM_ADMIN_SECRET", problem })
}

impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { signing, peppers, demo, auth_host, .. } = self;
        write!(f, "Config(signing {signing:?}, peppers {peppers:?}, demo {demo}, auth host {auth_host:?})")
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { variable, problem } = self;
        match *variable {
            KEY_LOCATION => write!(f, "{variable} {problem}; set it in `vars` of wrangler.toml"),
            _ => write!(f, "{variable} {problem}; set it with `wrangler secret put {variable}`"),
        }
    }
}

impl std::error::Error for ConfigError {}

#[cfg(test)]
mod tests {
    use super::*;

    const RING: &str = r#"{"active":"k1","keys":{"k1":"MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="}}"#;

    fn read(extra: &[(&str, &str)]) -> Result<Config, ConfigError> {
        let base = [("TOPONYM_SIGNING_KEYS", RING), ("TOPONYM_PEPPER", RING)];
        Config::read(|name| {
            let all = extra.iter().chain(&base);
            all.into_iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn variables() {
        let config = read(&[]).expect("the required variables are set");
        assert!(!config.demo && config.auth_host.is_none() && config.admin_secret.is_none());
        let config = read(&[("TOPONYM_DEMO", "true"), ("AUTH_HOST", "Auth.Example.com")]).expect("good variables");
        assert!(config.demo && config.auth_host.as_deref() == Some("auth.example.com"));
        assert!(!read(&[("TOPONYM_DEMO", "1")]).expect("good variables").demo);
    }

    #[test]
    fn which_keys_the_deployment_may_have() {
        let secret = "0123456789abcdef".repeat(4);
        let marked =
            KeyMark::new(Secret::new(secret.clone())).expect("it is long").add_mark("gck_0123456789abcdefABCDEF");
        let wrong = format!("{}x", &marked[..marked.len() - 1]);
        let check = |extra: &[(&str, &str)], expect: [bool; 4]| {
            let config = read(extra).expect("good variables");
            let keys = [&*marked, &*wrong, "gck_0123456789abcdefABCDEF", "gck_localdemo"];
            assert_eq!(keys.map(|key| config.may_have(key)), expect, "{extra:?}");
            assert_eq!(config.has_made(&marked), extra.iter().any(|(name, _)| *name == KEY_MARK));
            assert!(!config.may_have("gcs_x") && !config.has_made(&wrong));
        };
        let mark = (KEY_MARK, secret.as_str());
        check(&[], [true; 4]);
        check(&[("UNMARKED_KEYS", "true")], [true; 4]);
        check(&[mark], [true, false, false, false]);
        check(&[mark, ("UNMARKED_KEYS", "true")], [true, false, true, true]);
        check(&[mark, ("TOPONYM_DEMO", "true")], [true, false, false, true]);
    }

    #[test]
    fn the_location_of_new_keys() {
        assert_eq!(location(""), Ok(None));
        assert_eq!(location("weur"), Ok(Some(Location { hint: "weur", name: "Western Europe" })));
        let error = location("Paris").expect_err("no hint").to_string();
        assert!(error.starts_with("KEY_LOCATION is wrong: location \"Paris\" must be one of wnam ("), "{error}");
        assert!(error.ends_with("set it in `vars` of wrangler.toml"), "{error}");
    }

    fn location(hint: &str) -> Result<Option<Location>, ConfigError> {
        read(&[("KEY_LOCATION", hint)]).map(|config| config.key_location)
    }

    #[test]
    fn wrong_variables_are_named_and_not_shown() {
        check("TOPONYM_SIGNING_KEYS", "hush");
        check("TOPONYM_PEPPER", r#"{"active":"k1","keys":{"k1":"hush"}}"#);
        check(KEY_MARK, "hush");
        check("TOPONYM_ADMIN_SECRET", "hush");
        check("TOPONYM_ADMIN_SECRET", "hush hush hush hush hush hush hush hush");
        check("TOPONYM_ADMIN_SECRET", &"hush é ".repeat(8).replace(' ', ""));
        check("TOPONYM_ADMIN_SECRET", &"hush".repeat(300));
        read(&[("TOPONYM_ADMIN_SECRET", &"hush".repeat(8))]).expect("a good secret");
    }

    fn check(variable: &str, value: &str) {
        let error = read(&[(variable, value)]).expect_err("a wrong variable");
        assert_eq!(error.variable, variable);
        assert!(!error.to_string().contains("hush"), "{error}");
    }
}
