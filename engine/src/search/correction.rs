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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::fold;

    #[test]
    fn edits_that_are_allowed() {
        let check = |text: &str, expect: u8| assert_eq!(allowed_edits(&fold(text)), expect, "{text}");
        check("", 0);
        check("ulm", 0);
        check("bonn", 1);
        check("muenster", 2);
        check("munster", 1);
        // Spaces are no letters.
        check("a b c", 0);
        check("san jose", 1);
        check("san josef", 2);
        // Digits make it a number, not a slip.
        check("berlin 12", 0);
        check("москва", 1);
        check("αθηνα", 1);
        check("თბილისი", 1);
        check("القاهرة", 1);
        check("서울특별시", 2);
        // Scripts whose signs are no letters.
        check("東京都庁舎前駅", 0);
        check("とうきょうえき", 0);
        check("ประเทศไทย", 0);
    }

    #[test]
    fn a_slip_in_a_short_word_costs_more() {
        assert_eq!(edit_cost("abcde"), share(0.13 + 0.9 / 5.0));
        assert_eq!(edit_cost("abcdefghi"), share(0.13 + 0.9 / 9.0));
        assert_eq!(edit_cost(""), edit_cost("x"));
    }
}
