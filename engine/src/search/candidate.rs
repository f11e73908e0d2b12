//! Candidates: places with what speaks for and against them.

use crate::index::Cost;
use crate::record::{NameClass, Role};

/// Why a place is a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Evidence {
    /// Class of the name that matched.
    pub class: NameClass,
    /// Edits in the name.
    pub edits: u8,
    /// The text is only a prefix of the name.
    pub prefix: bool,
    /// Letters of the part of the query that is the name.
    pub letters: u8,
    /// Areas of the context in which the place lies.
    pub matched: u8,
    /// Areas of the context in which it does not.
    pub unmatched: u8,
    /// Terms that were dropped: numbers first of all.
    pub dropped: u8,
    /// The text was transliterated, or only sounds like the name.
    pub respelled: bool,
    /// The query is a code of the place.
    pub code: bool,
    /// What the query says is meant, if the place is that.
    pub role: Option<Role>,
}

/// A place that may be what was meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub row: u32,
    pub cost: Cost,
    pub evidence: Evidence,
}
