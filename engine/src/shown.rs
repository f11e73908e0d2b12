//! Presentation of answers.

use crate::facts::FactSet;

/// Presentation of answers: the language of their names, and the facts that they have beside what the contract describes.
/// The default is the contract's; a language alone (`Some("de")`, `None`) converts into it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shown<'q> {
    /// Language of names, as in [`crate::Search::lang`].
    pub lang: Option<&'q str>,
    /// The facts that each answer has.
    pub facts: FactSet,
}

impl<'q> From<Option<&'q str>> for Shown<'q> {
    fn from(lang: Option<&'q str>) -> Self {
        Self { lang, ..Self::default() }
    }
}
