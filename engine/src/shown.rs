//! Presentation of answers.

use crate::facts::FactSet;
use crate::geo::Coordinate;
use crate::nearby::Nearby;
use crate::query::Search;

/// Presentation of answers: the language of their names, and the facts that they have beside what the contract describes.
/// The default is the contract's; a language alone (`Some("de")`, `None`) converts into it.
///
/// # Example: show a place in German with its codes
///
/// ```
/// # let engine = toponym_workload::example_engine();
///
/// use toponym_engine::{Fact, FactSet, Shown};
///
/// let shown = Shown { lang: Some("de"), facts: FactSet::default().with(Fact::Codes) };
/// let france = engine.place(&"iso:FR".parse().unwrap(), shown).unwrap();
/// assert_eq!(france.display_name, "Frankreich");
/// assert_eq!(france.facts.unwrap().codes.unwrap().geonames, Some(3_017_382));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shown<'q> {
    /// Language of names, as in [`crate::Search::lang`].
    pub lang: Option<&'q str>,
    /// The facts that each answer has.
    pub facts: FactSet,
}

impl<'q> Shown<'q> {
    /// Creates the question for the place at a point.
    pub(crate) fn place_at(self, point: Coordinate) -> Nearby<'q> {
        let Self { lang, facts } = self;
        Nearby { radius_m: 0.0, lang, facts, ..Nearby::new(point, 1) }
    }
}

impl<'q> From<Option<&'q str>> for Shown<'q> {
    fn from(lang: Option<&'q str>) -> Self {
        Self { lang, ..Self::default() }
    }
}

impl<'q> From<&Search<'q>> for Shown<'q> {
    fn from(&Search { lang, facts, .. }: &Search<'q>) -> Self {
        Self { lang, facts }
    }
}

impl<'q> From<&Nearby<'q>> for Shown<'q> {
    fn from(&Nearby { lang, facts, .. }: &Nearby<'q>) -> Self {
        Self { lang, facts }
    }
}
