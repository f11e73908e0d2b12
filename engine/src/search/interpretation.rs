//! Interpretations: what a text can mean, as names to look up with their context.

use std::ops::Range;
use std::rc::Rc;

use super::areas::{AreaMatching, AreaSet, Contexts, Likeness};
use super::kind_terms::is_no_name;
use super::penalties::*;
use super::site_words::SiteWords;
use super::terms::Terms;
use crate::index::{Cost, Prefix};
use crate::record::{Lexicon, Role};

/// One meaning of a text.
#[derive(Debug)]
pub(crate) enum Interpretation {
    /// The terms are a name, or a name and its context.
    Name(Terms, Adjustment),
    /// Only part of the terms is a name; the terms before and after it are dropped. The longest such part counts.
    PartOfName(Terms),
    /// A site of some kind near a city: `Flughafen München`, `zoo berlin`.
    SiteOfCity(SiteWords),
    /// The code of an airport, next to a city near it.
    CodeOfCity { code: String, city: Terms },
    /// The code of an airport, next to a term for airport.
    AirportCode(String),
    /// The terms spell a Latin name, or a name and its context, in another script.
    Spelled(Terms, Adjustment),
    /// A name that sounds like the text, or begins so if the last term may be unfinished.
    Sound { text: String, unfinished: bool },
}

/// Penalty and evidence that every candidate of an interpretation gets.
#[derive(Clone, Debug, Default)]
pub(crate) struct Adjustment {
    pub penalty: Cost,
    /// Number of words that were dropped.
    pub dropped: u8,
    /// Number of numbers and fillers that were dropped.
    pub dropped_numbers: u8,
    /// The text was transliterated.
    pub respelled: bool,
    /// The roles that the query asks for; empty: any.
    pub roles: Vec<Role>,
}

/// A name to look up, and the context in which its place should lie.
#[derive(Debug)]
pub(crate) struct NameInContext<'a> {
    pub name: String,
    /// The parts of the context; empty if all terms are the name.
    pub context: Vec<Rc<AreaSet>>,
    pub adjustment: &'a Adjustment,
    /// Penalty of this split of the terms.
    pub penalty: Cost,
    /// Way in which the name may be only the beginning of one; `None`: it is all of it.
    pub prefix: Option<Prefix>,
    /// True if the place must lie in every part of the context.
    pub strict: bool,
    /// True if the context stands before the name.
    pub is_reversed: bool,
    /// True if the name is a word for a kind of place, without a context.
    pub is_mere_kind: bool,
}

/// The splits of terms into a name and its context.
pub(crate) struct Splits<'a> {
    pub terms: &'a Terms,
    pub adjustment: &'a Adjustment,
    /// More may follow.
    pub unfinished: bool,
    /// Way in which the terms may be only the beginning of a name; `None`: they are all of it.
    pub prefix: Option<Prefix>,
    pub lexicon: &'a Lexicon,
}

impl<'a> Splits<'a> {
    /// Returns all terms as one name; `None` if they are longer than any name.
    pub fn whole(&self) -> Option<NameInContext<'a>> {
        let span = 0..self.terms.len();
        let penalty = if self.terms.has_comma(span.clone()) { ACROSS_COMMA } else { 0 };
        let name = self.terms.name(span)?;
        Some(NameInContext {
            is_mere_kind: is_no_name(self.lexicon, &name),
            name,
            context: Vec::new(),
            adjustment: self.adjustment,
            penalty,
            prefix: self.prefix,
            strict: true,
            is_reversed: false,
        })
    }

    /// Returns every split into a name and a context that resolves to areas: first with the context after the name, then
    /// before it.
    pub fn in_context(&self, contexts: &mut Contexts, likeness: Likeness) -> Vec<NameInContext<'a>> {
        let end = self.terms.len();
        let behind = (1..end).rev().map(|at| (0..at, at..end));
        let before = (1..end).map(|at| (at..end, 0..at));
        let matching = AreaMatching { prefix: self.prefix, likeness };
        behind.chain(before).filter_map(|split| self.split(contexts, matching, split)).collect()
    }

    fn split(
        &self,
        contexts: &mut Contexts,
        matching: AreaMatching,
        (name, context): (Range<usize>, Range<usize>),
    ) -> Option<NameInContext<'a>> {
        if self.terms.has_comma(name.clone()) {
            return None;
        }
        let text = self.terms.name(name.clone())?;
        let areas = contexts.resolve(context.clone(), matching)?;
        let is_reversed = context.start == 0;
        let order = match (is_reversed, self.terms.commas.contains(&name.start)) {
            (false, _) => 0,
            (true, _) if self.unfinished => REVERSED_UNFINISHED,
            (true, false) => REVERSED,
            (true, true) => REVERSED_ACROSS_COMMA,
        };
        let boundary = if is_reversed { name.start } else { context.start };
        let is_at_comma = self.terms.commas.is_empty() || self.terms.commas.contains(&boundary);
        let order = order + if is_at_comma { 0 } else { BETWEEN_COMMAS };
        Some(NameInContext {
            penalty: areas.iter().map(|areas| areas.penalty).sum::<Cost>() + order,
            context: areas,
            adjustment: self.adjustment,
            prefix: self.prefix.filter(|_| is_reversed),
            // `Basel, France` may be a mistake. But the unfinished `Luboń, Pol` must not find places outside Poland, and
            // `canton Genève` not Canton in China.
            strict: is_reversed || self.unfinished || is_no_name(self.lexicon, &text),
            name: text,
            is_reversed,
            is_mere_kind: false,
        })
    }
}
