//! Stages of a search as numbers, for [`crate::stages`].

use super::budget::Budget;
use super::context::{Contexts, Freedom};
use super::words::Words;
use crate::index::Index;

pub(crate) fn words(text: &str) -> usize {
    Words::of(text).len()
}

pub(crate) fn context(index: &Index, text: &str) -> Option<usize> {
    let (words, budget) = (Words::of(text), Budget::of_a_question());
    let freedom = Freedom { unfinished: false, misspelt: false };
    Contexts::new(index, &words, &budget).resolve(0..words.len(), freedom).map(|pieces| pieces.len())
}

pub(crate) fn by_sound(index: &Index, text: &str) -> usize {
    super::by_sound::by_sound(index, text, false, |_| true, &Budget::of_a_question()).len()
}
