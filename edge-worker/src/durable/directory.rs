//! What the Worker asks the directory, the one object that knows which keys exist. Only the admin routes ask it: no
//! request of a customer waits for it.
//!
//! Every key that exists is listed: one is listed before it is created, and struck when its object is known not to have
//! it. A key that is listed and does not exist can be deleted; one that exists unlisted would never be found.

use serde::{Deserialize, Serialize};

/// Name of the object.
pub const NAME: &str = "directory";

/// Largest number of keys in one answer.
pub const PAGE: usize = 1_000;

/// A question to the directory.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DirectoryRequest {
    /// Note a key that is about to be created.
    Add(Listed),
    /// Strike a key that does not exist, and answer it if it was listed.
    Remove(String),
    /// The first [`PAGE`] keys behind this one in their order.
    List {
        /// Where to go on; empty at the beginning.
        after: String,
    },
}

/// A key in the directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Listed {
    /// The API key.
    pub api_key: String,
    /// The account it was created for.
    pub account: String,
    /// The name it was created with.
    pub name: String,
    /// Whether its row cannot be read: account and name are empty then.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unreadable: bool,
}

impl Listed {
    /// The key of a row. One that cannot be read is listed all the same.
    pub fn read(api_key: String, json: &str) -> Self {
        let unreadable = |api_key| Self { api_key, account: String::new(), name: String::new(), unreadable: true };
        serde_json::from_str(json).unwrap_or_else(|_| unreadable(api_key))
    }
}
