//! Questions with one best place for an answer.

use crate::geo::Coordinate;
use crate::query::{MAX_QUERY_CHARS, Search};
use crate::structured::Structured;

/// A question that has one best place for an answer: an item of a batch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Question<'q> {
    /// The best place for a text.
    Text(&'q str),
    /// The best place for fields.
    Fields(Structured<'q>),
    /// The place at a point.
    Point(Coordinate),
}

impl<'q> Question<'q> {
    /// Tells what is wrong with the texts: one is blank or longer than [`MAX_QUERY_CHARS`], or there is none.
    ///
    /// # Example: check a question before it is asked
    ///
    /// ```
    /// use toponym_engine::Question;
    ///
    /// assert_eq!(Question::Text("Paris").fault(), None);
    /// assert_eq!(Question::Text(" ").fault().unwrap(), "query must not be empty");
    /// ```
    pub fn fault(self) -> Option<String> {
        match self {
            Self::Text(text) => fault_of("query", text),
            Self::Fields(fields) if fields == Structured::default() => fault_of("query", ""),
            Self::Fields(fields) => fields.each().find_map(|(name, text)| fault_of(name, text)),
            Self::Point(_) => None,
        }
    }

    /// Creates the search for at most `limit` places; `None` for a point, and for fields of which none is set.
    pub fn search(self, limit: usize) -> Option<Search<'q>> {
        match self {
            Self::Text(text) => Some(Search::new(text, limit)),
            Self::Fields(fields) => fields.search(limit),
            Self::Point(_) => None,
        }
    }
}

/// Tells what is wrong with the text of the field `name`.
fn fault_of(name: &str, text: &str) -> Option<String> {
    if text.trim().is_empty() {
        Some(format!("{name} must not be empty"))
    } else if text.chars().count() > MAX_QUERY_CHARS {
        Some(format!("{name} must be at most {MAX_QUERY_CHARS} characters"))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults() {
        fn check(question: Question, expect: Option<&str>) {
            assert_eq!(question.fault().as_deref(), expect, "{question:?}");
            assert_eq!(question.search(1).is_some(), !matches!(question, Question::Point(_)) && question != EMPTY);
        }
        const EMPTY: Question =
            Question::Fields(Structured { name: None, city: None, county: None, state: None, country: None });
        let long = "é".repeat(501);
        check(Question::Text("Paris"), None);
        check(Question::Text(&long[2..]), None);
        check(Question::Text(" \u{a0}"), Some("query must not be empty"));
        check(Question::Text(&long), Some("query must be at most 500 characters"));
        check(EMPTY, Some("query must not be empty"));
        let fields = Structured { city: Some("Paris"), ..Structured::default() };
        check(Question::Fields(fields), None);
        check(Question::Fields(Structured { state: Some(" "), ..fields }), Some("state must not be empty"));
        check(
            Question::Fields(Structured { name: Some(&long), ..fields }),
            Some("name must be at most 500 characters"),
        );
        check(Question::Point(Coordinate { lat: 1.0, lon: 2.0 }), None);
    }
}
