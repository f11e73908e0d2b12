//! A text query: what [`crate::Engine::forward`] and [`crate::Engine::autocomplete`] take.

use crate::facts::FactSet;
use crate::filter::Filter;
use crate::geo::Coordinate;

/// Longest query text, in Unicode scalar values.
pub const MAX_QUERY_CHARS: usize = 500;

/// A text query. [`Search::new`] sets what the HTTP contract describes; the other fields are extensions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Search<'q> {
    /// Text that was typed.
    pub text: &'q str,
    /// Largest number of results.
    pub limit: usize,
    /// Language of display names, and the preferred language of matched names: a BCP 47 tag such as `fr` or `zh-Hant-TW`.
    /// If the index lacks it, shorter tags are tried (RFC 4647 lookup): `zh-Hant`, then `zh`.
    pub lang: Option<&'q str>,
    /// Only places that this filter admits.
    pub filter: Filter<'q>,
    /// Prefer places near this point.
    pub focus: Option<Coordinate>,
    /// Facts that each answer has beside what the HTTP contract describes.
    pub facts: FactSet,
}

impl<'q> Search<'q> {
    /// Searches for `text` with at most `limit` results and no extensions.
    ///
    /// # Example: prefer places near a point, and names in German
    ///
    /// ```
    /// # let engine = toponym_workload::example_engine();
    ///
    /// use toponym_engine::{Search, geo::Coordinate};
    ///
    /// let dallas = Coordinate::new(32.78, -96.8);
    /// let search = Search { focus: dallas, lang: Some("de"), ..Search::new("texas", 1) };
    /// assert_eq!(engine.forward(&search)[0].display_name, "Texas, Vereinigte Staaten");
    /// ```
    pub fn new(text: &'q str, limit: usize) -> Self {
        Self { text, limit, lang: None, filter: Filter::default(), focus: None, facts: FactSet::default() }
    }

    /// Returns the same search with `filter`. The names of areas that a question in fields set stay, and so do its types,
    /// unless the filter has types of its own.
    ///
    /// ```
    /// # use toponym_engine::{Filter, Structured};
    /// let paris = Structured { city: Some("Paris"), state: Some("TX"), ..Structured::default() }.search(5).unwrap();
    /// let france = [*b"FR"];
    /// let in_france = paris.filtered(Filter::in_countries(&france));
    /// assert_eq!((in_france.filter.types, in_france.filter.areas.state), (&["city", "quarter"][..], Some("TX")));
    /// let museums = paris.filtered(Filter { types: &["museum"], ..Filter::default() });
    /// assert_eq!(museums.filter.types, ["museum"]);
    /// ```
    pub fn filtered(self, filter: Filter<'q>) -> Self {
        let types = if filter.types.is_empty() { self.filter.types } else { filter.types };
        Self { filter: Filter { types, areas: self.filter.areas, ..filter }, ..self }
    }
}

/// Completeness of the text of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The text is complete.
    Forward,
    /// More may follow: the last term may be unfinished.
    Autocomplete,
}
