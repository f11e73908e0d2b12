//! Candidates: places that may be meant, with the evidence for and against each.

use crate::index::{Cost, Lattice, RowId, Spelled};
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
    /// Number of areas in which the place lies: those of the context, and those that the filter names.
    pub matched: u8,
    /// Number of areas of the context in which it does not lie.
    pub unmatched: u8,
    /// Number of words that were dropped.
    pub dropped: u8,
    /// Number of numbers and fillers that were dropped.
    pub dropped_numbers: u8,
    /// The text was transliterated, or only sounds like the name.
    pub respelled: bool,
    /// Likelihood of the text as a spelling of the name in another script, if it was found so.
    pub spelling: Option<Spelling>,
    /// The query is a code of the place.
    pub code: bool,
    /// The query is a code of an airport that is not written in capitals, and may be a word.
    pub typed_code: bool,
    /// A term that names a kind of place was taken out of the name.
    pub without_kind: bool,
    /// The text by itself is a word for a kind of place, and the place happens to be called so.
    pub mere_kind: bool,
    /// The role that the query asks for, if the place has it.
    pub role: Option<Role>,
}

/// Improbability of a spelling in another script for each Latin letter, in sixteenths of a nat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spelling(u8);

impl Spelling {
    pub fn new(Spelled { cost, letters }: Spelled) -> Self {
        Self((Lattice::nats(cost) / f64::from(letters.max(1)) * 16.0).min(255.0) as u8)
    }

    /// Returns the nats for each letter.
    pub fn nats_per_letter(self) -> f64 {
        f64::from(self.0) / 16.0
    }
}

impl Evidence {
    /// Creates the evidence of an exact match of a name or code with this many letters.
    pub const fn of_exact(class: NameClass, letters: usize) -> Self {
        let letters = if letters < u8::MAX as usize { letters as u8 } else { u8::MAX };
        Self {
            class,
            edits: 0,
            prefix: false,
            letters,
            matched: 0,
            unmatched: 0,
            dropped: 0,
            dropped_numbers: 0,
            respelled: false,
            spelling: None,
            without_kind: false,
            mere_kind: false,
            code: false,
            typed_code: false,
            role: None,
        }
    }

    /// Tells whether a name of the place is the text, all of it and as written.
    pub fn is_whole_text(&self) -> bool {
        self.edits == 0
            && self.leaves_nothing_out()
            && !self.prefix
            && !self.respelled
            && !self.without_kind
            && !self.code
            && self.role.is_none()
    }

    /// Tells whether the whole name matched, and the place lies in every area of the context, of which there is one at
    /// least.
    pub fn fits_context(&self) -> bool {
        self.matched > 0 && self.leaves_nothing_out() && !self.prefix && !self.respelled
    }

    /// Tells whether every term of the query is part of the name, or of an area in which the place lies.
    pub fn leaves_nothing_out(&self) -> bool {
        self.unmatched == 0 && self.dropped == 0 && self.dropped_numbers == 0 && !self.without_kind
    }
}

/// Longest code by which a place is found.
const MAX_CODE: usize = 7;

/// A name in a table of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FoundName {
    /// Number of the segment that has the table.
    pub segment: u32,
    /// True if the table is that of the alternates.
    pub is_alternate: bool,
    /// Number of the name in the table.
    pub number: u32,
}

/// By what a text found a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FoundBy {
    /// A name.
    Name(FoundName),
    /// A code in upper case, padded with zeros.
    Code([u8; MAX_CODE]),
    /// Something that is not a name of the place itself: its city, or a sound.
    Other,
}

impl FoundBy {
    /// Creates the variant of a code, in upper case; `Other` if the code is too long.
    pub fn code(code: &str) -> Self {
        let mut upper = [0; MAX_CODE];
        match upper.get_mut(..code.len()) {
            Some(bytes) => bytes.copy_from_slice(code.to_ascii_uppercase().as_bytes()),
            None => return Self::Other,
        }
        Self::Code(upper)
    }
}

/// A place that may be meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub row: RowId,
    pub cost: Cost,
    pub evidence: Evidence,
    /// The name or code by which the text found it.
    pub found_by: FoundBy,
}
