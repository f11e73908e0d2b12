//! Messages to the directory, the one object that lists all keys. Only the admin routes use it: no customer request
//! waits for it.
//!
//! Every existing key is listed: it is added before it is created, and removed once its object is known not to have it.
//! A listed key that does not exist can still be deleted; an unlisted key could never be found. Of a key that is deleted the
//! directory keeps what it has used, so that it can be billed.

use serde::{Deserialize, Serialize};

use super::record::MonthUsage;
use super::rows::is_default;

/// Name of the object.
pub const NAME: &str = "directory";

/// Maximum number of keys in one reply.
pub const PAGE: usize = 1_000;

/// A request to the directory.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DirectoryRequest {
    /// Add a key that is about to be created, or has another account or name.
    Add(Listed),
    /// Remove a key that does not exist, and return it if it was listed.
    Remove(String),
    /// List the first [`PAGE`] keys after this one.
    List {
        /// The key to continue after; empty at the beginning.
        after: String,
    },
    /// Keep what a key has used that is about to be deleted.
    Bury(Listed),
    /// List the first [`PAGE`] deleted keys after this one.
    ListDeleted {
        /// The key to continue after; empty at the beginning.
        after: String,
    },
}

/// A key in the directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Listed {
    /// The API key.
    pub api_key: String,
    /// The account that pays.
    pub account: String,
    /// Name of the key.
    pub name: String,
    /// True if the row of the key cannot be read: account and name are empty then.
    #[serde(default, skip_serializing_if = "is_default")]
    pub unreadable: bool,
    /// Usage of the key, the latest month first, if it was deleted.
    #[serde(default, skip_serializing_if = "is_default")]
    pub usage: Vec<MonthUsage>,
}

impl Listed {
    /// Returns a key that exists, or is about to.
    pub fn new(api_key: String, account: String, name: String) -> Self {
        Self { api_key, account, name, unreadable: false, usage: Vec::new() }
    }

    /// Reads the key of a row. An unreadable one is listed too.
    pub fn read(api_key: String, json: &str) -> Self {
        let unreadable = |api_key| Self { unreadable: true, ..Self::new(api_key, String::new(), String::new()) };
        serde_json::from_str(json).unwrap_or_else(|_| unreadable(api_key))
    }
}
