//! Number of edits that a name may have, and the cost of each.

use super::penalties::{EDIT, EDIT_OVER_LETTERS};
use crate::index::{Cost, share};

/// Minimum number of letters for one edit and for two edits.
const ONE_EDIT_LETTERS: usize = 4;
const TWO_EDITS_LETTERS: usize = 7;

/// Returns the maximum edit distance for a folded name: 0 if it contains digits or a script without an alphabet.
pub(crate) fn allowed_edits(name: &str) -> u8 {
    let letters = name.chars().filter(|c| c.is_alphabetic()).count();
    let is_spelled = name.chars().all(|c| c == ' ' || (c.is_alphabetic() && is_alphabet(c)));
    match letters {
        _ if !is_spelled => 0,
        TWO_EDITS_LETTERS.. => 2,
        ONE_EDIT_LETTERS.. => 1,
        _ => 0,
    }
}

/// Tells whether a character is of an alphabetic script, from Latin to Arabic, Georgian and Hangul (decomposed).
fn is_alphabet(c: char) -> bool {
    matches!(c, '\0'..='\u{8ff}' | '\u{10a0}'..='\u{11ff}' | '\u{1c90}'..='\u{1cbf}' | '\u{1e00}'..='\u{1fff}')
}

/// Returns the cost of each edit in a folded name.
pub(crate) fn edit_cost(name: &str) -> Cost {
    share(EDIT + EDIT_OVER_LETTERS / name.chars().count().max(1) as f64)
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
        check("munich", 1);
        check("munster", 2);
        // Spaces are not letters.
        check("a b c", 0);
        check("san jos", 1);
        check("san jose", 2);
        check("san josef", 2);
        // Digits make it a number, not a slip.
        check("berlin 12", 0);
        check("москва", 1);
        check("αθηνα", 1);
        check("თბილისი", 2);
        check("القاهرة", 2);
        check("서울특별시", 2);
        // Scripts whose signs are not letters.
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
