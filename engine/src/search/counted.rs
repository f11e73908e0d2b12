//! Stages of a search as numbers, for [`crate::stages`].

use super::context::{Contexts, Freedom};
use super::effort::Effort;
use super::words::Words;
use crate::index::Index;

pub(crate) fn words(text: &str) -> usize {
    Words::of(text).len()
}

pub(crate) fn context(index: &Index, text: &str) -> Option<usize> {
    let (words, effort) = (Words::of(text), Effort::of_a_query());
    let freedom = Freedom { unfinished: false, misspelt: false };
    Contexts::new(index, &words, &effort).resolve(0..words.len(), freedom).map(|pieces| pieces.len())
}

pub(crate) fn by_sound(index: &Index, text: &str) -> usize {
    super::by_sound::by_sound(index, text, false, &Effort::of_a_query()).len()
}
