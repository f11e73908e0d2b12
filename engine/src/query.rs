//! A text query: what [`crate::Engine::forward`] and [`crate::Engine::autocomplete`] take.

use crate::geo::Coordinate;

/// Longest query text, in Unicode scalar values.
pub const MAX_QUERY_CHARS: usize = 500;

/// A text query. [`Search::new`] sets what the HTTP contract describes; the other fields are extensions.
#[derive(Clone, Debug, PartialEq)]
pub struct Search<'q> {
    /// What was typed.
    pub text: &'q str,
    /// Largest number of results.
    pub limit: usize,
    /// Language of display names, and the preferred language of matched names: a BCP 47 tag such as `fr` or `zh-Hant-TW`.
    /// If the index lacks it, shorter tags are tried (RFC 4647 lookup): `zh-Hant`, then `zh`.
    pub lang: Option<&'q str>,
    /// Only places in these countries (ISO 3166-1 alpha-2 codes); empty for all.
    pub countries: &'q [[u8; 2]],
    /// Prefer places near this point.
    pub focus: Option<Coordinate>,
}

impl<'q> Search<'q> {
    /// Searches for `text` with at most `limit` results and no extensions.
    pub fn new(text: &'q str, limit: usize) -> Self {
        Self { text, limit, lang: None, countries: &[], focus: None }
    }
}

/// Whether the text of a query is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// The text is complete.
    Forward,
    /// The last term may be unfinished.
    Autocomplete,
}
