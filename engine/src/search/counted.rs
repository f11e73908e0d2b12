//! Runs single stages of a search and counts their results, for [`crate::stages`].

use super::areas::{AreaMatching, Contexts};
use super::budget::Budget;
use super::terms::Terms;
use crate::index::Index;

pub(crate) fn terms(text: &str) -> usize {
    Terms::of(text).len()
}

pub(crate) fn context(index: &Index, text: &str) -> Option<usize> {
    let (terms, budget) = (Terms::of(text), Budget::of_a_question());
    let matching = AreaMatching { prefix: false, edits: false };
    Contexts::new(index, &terms, &budget).resolve(0..terms.len(), matching).map(|areas| areas.len())
}

pub(crate) fn by_sound(index: &Index, text: &str) -> usize {
    super::sound::find_by_sound(index, text, false, |_| true, &Budget::of_a_question()).len()
}
