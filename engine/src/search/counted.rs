//! Runs single stages of a search and counts their results, for [`crate::stages`].

use super::areas::{AreaMatching, Contexts, Likeness};
use super::budget::Budgets;
use super::terms::Terms;
use crate::index::Index;

pub(crate) fn terms(text: &str) -> usize {
    Terms::of(text).len()
}

pub(crate) fn context(index: &Index, text: &str) -> Option<usize> {
    let (terms, budgets) = (Terms::of(text), Budgets::of_a_question(index));
    let matching = AreaMatching { prefix: None, likeness: Likeness::Same };
    Contexts::new(index, &terms, &budgets).resolve(0..terms.len(), matching).map(|areas| areas.len())
}

pub(crate) fn by_sound(index: &Index, text: &str) -> usize {
    let budgets = Budgets::of_a_question(index);
    let of_segments = budgets.with_segments(index);
    of_segments.map(|(segment, budget)| super::sound::find_by_sound(segment, text, false, |_| true, budget).len()).sum()
}
