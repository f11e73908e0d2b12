//! The keys by which places are found, while an index in pages is written.

use serde::{Deserialize, Serialize};

use crate::index::Cost;
use crate::record::NameClass;

/// A key of a place, in the order of the texts.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Key {
    pub text: String,
    /// Number of the place.
    pub place: u32,
    /// The class of the name; `None`: a code.
    pub class: Option<NameClass>,
    /// The names in other languages that are this text when folded: their numbers among the translations of the place.
    pub named: Vec<u16>,
}

/// A key with what it ranks by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Entry {
    /// Cost by which a prefix search ranks the entry.
    pub weight: Cost,
    /// Lower bound of what it costs.
    pub cost: Cost,
    pub key: Key,
}
