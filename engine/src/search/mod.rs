//! Text search: turns a query into terms, interpretations, candidates and confidences.
//!
//! A text can have several interpretations: all of it is a name, or part of it is the name and the rest is its context
//! (`paris texas`, `texas, paris`), with or without a term that names a kind of place (`airport`). [`tiers`] lists the
//! interpretations, from cheap to expensive ones. [`evaluate`] turns each into candidates, with costs on one scale
//! ([`penalties`]), and [`top_k`] keeps the cheapest.

mod admission;
mod areas;
mod budget;
mod candidate;
mod confidence;
pub(crate) mod counted;
mod edit_distance;
mod evaluate;
mod found;
mod interpretation;
mod kind_terms;
mod marks;
mod penalties;
mod postcodes;
mod remarks;
mod scorer;
mod site_words;
mod sound;
mod terms;
#[cfg(test)]
mod tests;
mod tiers;
mod top_k;

pub(crate) use admission::{Admission, NamedAreas};
pub(crate) use budget::Budgets;
pub(crate) use candidate::{Candidate, FoundBy, FoundName, Spelling};
pub(crate) use confidence::{are_mere_guesses, confidences};
pub(crate) use edit_distance::{allowed_edits, edit_cost};
pub(crate) use evaluate::begun_alternate;
pub(crate) use kind_terms::{is_filler, without_kinds};
pub(crate) use penalties::{
    AIRPORT_REACH_M, GUESS, IN_LANGUAGE, PREFIX_OF_ALTERNATE, PREFIX_OF_SPELLING, PREFIX_UNFINISHED, STATION_REACH_M,
    WHOLE_NAME,
};
pub(crate) use terms::Terms;
pub(crate) use tiers::{candidates, candidates_knowing, candidates_without_edits};
