//! Which texts are corrected, how far, and what that costs.

use crate::index::{Cost, share};

/// Least and largest cost of one edit: a slip in a short word leaves more doubt.
const EDIT_BASE: f64 = 0.13;
const EDIT_PER_LETTER: f64 = 0.9;

/// From a best cost of this on, typos are looked for although something was found: the place is a village.
pub(crate) const DOUBTFUL: Cost = share(0.62);

/// A corrected name that costs more than this (a village with one slip) is a guess; one that costs so much more than
/// the best corrected one is not worth showing.
pub(crate) const GUESS: Cost = share(1.20);
pub(crate) const GUESS_OF_TWO_EDITS: Cost = share(1.0);
pub(crate) const CORRECTED_SPREAD: Cost = share(0.35);

/// A place of 20,000 people with one slip is what was meant: a second slip is not looked for.
pub(crate) const CORRECTED_WELL: Cost = share(0.80);

/// Letters from which one and two edits are allowed.
const ONE_EDIT_LETTERS: usize = 4;
const TWO_EDITS_LETTERS: usize = 8;

/// The edits that are allowed in a folded phrase: none in digits and in scripts without letters.
pub(crate) fn allowed_edits(phrase: &str) -> u8 {
    let letters = phrase.chars().filter(|c| c.is_alphabetic()).count();
    let correctable = phrase.chars().all(|c| c == ' ' || (c.is_alphabetic() && is_alphabet(c)));
    match letters {
        _ if !correctable => 0,
        TWO_EDITS_LETTERS.. => 2,
        ONE_EDIT_LETTERS.. => 1,
        _ => 0,
    }
}

/// Scripts that spell sounds letter by letter, from Latin to Arabic, Georgian and Hangul (decomposed).
fn is_alphabet(c: char) -> bool {
    matches!(c, '\0'..='\u{8ff}' | '\u{10a0}'..='\u{11ff}' | '\u{1c90}'..='\u{1cbf}' | '\u{1e00}'..='\u{1fff}')
}

pub(crate) fn edit_cost(phrase: &str) -> Cost {
    share(EDIT_BASE + EDIT_PER_LETTER / phrase.chars().count().max(1) as f64)
}
