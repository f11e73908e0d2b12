//! Reads what holds for every question: language, filters, focus and facts.

use super::fault::Fault;
use super::filters::Filters;
use super::language::Languages;
use super::numbers::point_at;
use super::parameter::Style;
use super::value::Values;
use crate::answer::Geocode;
use crate::facts::{Fact, FactSet};
use crate::geo::Coordinate;
use crate::query::Search;
use crate::question::Question;
use crate::shown::Shown;
use crate::text::decimal;

/// Options that hold for every question. Without them, answers are those of the HTTP contract.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// `lang`: language of names.
    pub languages: Languages,
    /// `countrycodes`, `types`, `bbox`, `within`: which places may be results.
    pub filters: Filters,
    /// `focus`, or `lat` and `lon`, or with `near` the place of the caller: among places of one name, prefer those near this point.
    pub focus: Focus,
    /// `fields`: facts that each answer has beside those of the contract.
    pub facts: FactSet,
}

/// Near which point places are preferred.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Focus {
    /// Near none.
    #[default]
    Nowhere,
    /// Near this one.
    At(Coordinate),
    /// Near the caller, if the host knows where that is.
    Caller,
}

impl Options {
    /// Reads all but the focus, which only texts have.
    ///
    /// # Errors
    /// If a value is not what its parameter takes.
    pub fn read(values: &Values) -> Result<Self, Fault> {
        let languages = Languages::read(values)?;
        let filters = Filters::read(values)?;
        Ok(Self { languages, filters, focus: Focus::Nowhere, facts: read_facts(values)? })
    }

    /// Reads all.
    ///
    /// # Errors
    /// If a value is not what its parameter takes.
    pub fn with_focus(values: &Values) -> Result<Self, Fault> {
        let languages = Languages::read(values)?;
        let filters = Filters::read(values)?;
        Ok(Self { languages, filters, focus: read_focus(values)?, facts: read_facts(values)? })
    }

    /// Returns how answers are shown.
    pub fn to_shown(&self, places: &dyn Geocode) -> Shown<'_> {
        Shown { lang: self.languages.tag(places), facts: self.facts }
    }

    /// Returns the search of a question for at most `limit` places, with [`Filters::known_types`]; `None` if it has no text.
    pub fn search<'q>(
        &'q self,
        question: Question<'q>,
        limit: usize,
        types: &'q [&'q str],
        places: &dyn Geocode,
    ) -> Option<Search<'q>> {
        let focus = match self.focus {
            Focus::At(point) => Some(point),
            Focus::Nowhere | Focus::Caller => None,
        };
        let Shown { lang, facts } = self.to_shown(places);
        let search = question.search(limit)?.filtered(self.filters.filter(types));
        Some(Search { lang, focus, facts, ..search })
    }
}

fn read_facts(values: &Values) -> Result<FactSet, Fault> {
    let Some(names) = values.texts("fields") else { return Ok(FactSet::default()) };
    let is_none = names.is_empty();
    let read = if is_none { Ok(FactSet::default()) } else { names.join(",").parse() };
    read.map_err(|_| {
        let known = Fact::ALL.map(Fact::name).join(", ");
        values.fault("fields", format!("be all, or some of these separated by commas: {known}"))
    })
}

fn read_focus(values: &Values) -> Result<Focus, Fault> {
    if values.style != Style::Text {
        let Some(point) = values.numbers("focus") else { return Ok(Focus::Nowhere) };
        let &[lat, lon] = point.as_slice() else { return Err(values.fault("focus", "be a latitude and a longitude")) };
        return point_at(lat, lon).map(Focus::At).map_err(|fault| Fault::new(format!("focus: {fault}")));
    }
    match (values.text("lat"), values.text("lon"), values.text("near")) {
        (None, None, None) => Ok(Focus::Nowhere),
        (None, None, Some("auto")) => Ok(Focus::Caller),
        (_, _, Some("auto")) => Err(Fault::new("near parameter takes no lat, lon beside it")),
        (_, _, Some(_)) => Err(Fault::new("near must be auto, for places near the caller")),
        (Some(lat), Some(lon), None) => point_at(decimal(lat), decimal(lon)).map(Focus::At),
        _ => Err(Fault::new("lat and lon parameters are required together")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::value::of_texts;
    use super::*;

    #[test]
    fn lists_of_facts_and_what_is_none() {
        fn read(list: &str) -> Result<FactSet, Fault> {
            read_facts(&of_texts(&[("fields", list)]))
        }
        let none = FactSet::default();
        assert_eq!(read_facts(&of_texts(&[])), Ok(none));
        fn check(list: &str, expect: FactSet) {
            assert_eq!(read(list), Ok(expect), "{list}")
        }
        check("all", FactSet::ALL);
        check("timezone", none.with(Fact::Timezone));
        check("population,iso_3166_2", none.with(Fact::Population).with(Fact::Iso31662));
        let expect = "fields must be all, or some of these separated by commas: name, matched, population, timezone, \
                      iso_3166_2, capital, codes, ancestors, distance";
        for wrong in ["", "population,", "Population", "time_zone", "all,name", " name"] {
            assert_eq!(read(wrong), Err(Fault::new(expect)), "{wrong}");
        }
    }
}
