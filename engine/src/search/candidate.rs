//! Candidates: places that may be meant, with the evidence for and against each.

use crate::index::Cost;
use crate::record::{NameClass, Role};

/// Why a place is a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Evidence {
    /// Class of the name that matched.
    pub class: NameClass,
    /// Edit distance between the text and the name.
    pub edits: u8,
    /// The text is only a prefix of the name.
    pub prefix: bool,
    /// Length in characters of the part of the query that is the name.
    pub letters: u8,
    /// Number of areas of the context in which the place lies.
    pub matched: u8,
    /// Number of areas of the context in which it does not lie.
    pub unmatched: u8,
    /// Number of terms that were dropped.
    pub dropped: u8,
    /// The text was transliterated, or only sounds like the name.
    pub respelled: bool,
    /// The query is a code of the place.
    pub code: bool,
    /// The role that the query asks for, if the place has it.
    pub role: Option<Role>,
}

/// A place that may be meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub row: u32,
    pub cost: Cost,
    pub evidence: Evidence,
}
