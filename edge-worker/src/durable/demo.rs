//! The two demo keys for local development. They exist only if `TOPONYM_DEMO` is `true` and come from the
//! configuration: they cannot be created, changed or deleted, and records stored under their names are ignored.

use super::record::KeyRecord;
use crate::auth::credentials::SecretHash;
use crate::auth::keyring::Keyring;
use crate::auth::restriction::Restrictions;
use crate::meter::plan::{Overrides, Plan};

/// Enterprise, 100,000 a minute, no monthly cap; its secret is `gcs_localdemo`.
pub const DEMO_KEY: &str = "gck_localdemo";

/// Free; its secret is `gcs_localfree`.
pub const FREE_KEY: &str = "gck_localfree";

/// Tells whether `key` is the name of a demo key, which may exist or not.
pub fn is_demo(key: &str) -> bool {
    key == DEMO_KEY || key == FREE_KEY
}

/// Returns the effective record of `key`, given the stored one: demo keys come only from the configuration, which has peppers for
/// them if they exist.
pub fn record_of(key: &str, stored: Option<KeyRecord>, peppers: Option<&Keyring>) -> Option<KeyRecord> {
    if !is_demo(key) {
        return stored;
    }
    record(key, peppers?)
}

fn record(key: &str, peppers: &Keyring) -> Option<KeyRecord> {
    let (secret, name, plan, per_minute) = match key {
        DEMO_KEY => ("gcs_localdemo", "demo", Plan::Enterprise, Some(100_000)),
        FREE_KEY => ("gcs_localfree", "free", Plan::Free, None),
        _ => return None,
    };
    Some(KeyRecord {
        client_id: format!("app_local{name}"),
        account: "local".to_owned(),
        name: format!("Local {name} key"),
        plan,
        overrides: Overrides { per_minute, per_month: None },
        enabled: true,
        restrictions: Restrictions::default(),
        secret: SecretHash::new(secret, peppers),
        created_ms: 0,
        location: None,
        moves: 0,
    })
}
