//! What the engine is asked.

use crate::geo::Coordinate;

/// Longest query text, in Unicode scalar values.
pub const MAX_QUERY_CHARS: usize = 500;

/// A text search. [`Search::new`] asks for exactly what the HTTP contract describes; the other fields are extensions.
#[derive(Clone, Debug, PartialEq)]
pub struct Search<'q> {
    /// What was typed.
    pub text: &'q str,
    /// Largest number of results.
    pub limit: usize,
    /// Language of display names, and the one preferred in ties: a BCP 47 tag such as `fr` or `zh-Hant-TW`, of which the index
    /// may have less (RFC 4647, look-up): `zh-Hant`, then `zh`.
    pub lang: Option<&'q str>,
    /// Only these countries, as ISO 3166-1 alpha-2 codes; empty for all.
    pub countries: &'q [[u8; 2]],
    /// Among places of one name, prefer those near this point.
    pub focus: Option<Coordinate>,
}

impl<'q> Search<'q> {
    /// `text` with at most `limit` results and no extension.
    pub fn new(text: &'q str, limit: usize) -> Self {
        Self { text, limit, lang: None, countries: &[], focus: None }
    }
}

/// How a text is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// The text is complete.
    Forward,
    /// The last term may be unfinished.
    Autocomplete,
}
