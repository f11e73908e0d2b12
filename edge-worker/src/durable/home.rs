//! The object in which a key lives.
//!
//! The platform places an object once and never moves it. A key that is to live elsewhere moves into another object:
//!
//! ```text
//! Worker ─ Leave ─> old object   stops to charge, and keeps what it had as luggage
//! Worker ─ Arrive ─> new object  is made there, and takes the luggage
//! Worker ─ Left ─> old object    drops the luggage, and says where the key lives from now on
//! ```
//!
//! Each step can be repeated, by any Worker whom the old object tells that the key moves, so that a step that was lost delays the
//! move and loses nothing. The old object charges nothing after the first step and the new one nothing before the second: no
//! unit is admitted twice, and what was counted counts in the new object.
//!
//! The rows of the luggage are copies of the object's tables, whatever they hold. What an object only knows in memory is lost as
//! in an eviction.
//!
//! What is stored here stands where the record of the key stood. A version that does not know it takes the record for
//! unreadable, and charges nothing: see [`super::rows`].

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::location::Location;
use super::record::KeyRecord;
use super::rows::is_default;

/// An object of a key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Home {
    /// Number of moves after which the key lives here.
    #[serde(default, skip_serializing_if = "is_default")]
    pub number: u32,
    /// Region in which the object was to be placed, if the key moved here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
}

impl Home {
    /// Returns the name of the object. That of the first home is the key. No key has a stroke.
    pub fn object_name(self, key: &str) -> Cow<'_, str> {
        if self.number == 0 { Cow::Borrowed(key) } else { Cow::Owned(format!("{key}/{}", self.number)) }
    }
}

/// Trace of a key in an object that it has moved out of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Moved {
    /// Home to which the key moves.
    pub moved_to: Home,
    /// Luggage that the key takes along, until it is known to have arrived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luggage: Option<Box<Luggage>>,
}

/// All that an object has of a key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Luggage {
    /// Record of the key, as the new object is to have it.
    pub record: KeyRecord,
    /// The other tables.
    pub tables: Vec<Table>,
}

/// The rows of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    /// Name of the table.
    pub name: String,
    /// Names of its columns.
    pub columns: Vec<String>,
    /// An array of rows as JSON text; each is an array of values.
    pub rows: String,
}

/// Value that is stored in the place of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum StoredRecord {
    /// The key.
    Key(Box<KeyRecord>),
    /// The key has moved out.
    Moved(Moved),
    /// The key had moved here, and was deleted. A late `Arrive` must not bring it back.
    Deleted {
        /// True.
        deleted: bool,
    },
}
