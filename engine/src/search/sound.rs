//! The last resort: places whose names sound like the text.

use strsim::normalized_damerau_levenshtein;

use super::budget::Budget;
use super::penalties::{SOUND, SOUND_EDIT, SOUND_UNLIKE};
use crate::index::{Cost, Index, NameSearch, Posting, share};
use crate::text::{fold, sound};

/// Less alike than this, a name of the same sound is another name.
const LEAST_ALIKE: f64 = 0.34;

/// Sounds from this length on may differ in one class.
const ONE_EDIT_CLASSES: usize = 4;

/// What the comparison of two names letter by letter costs, in units of the budget.
const COMPARISON: u32 = 10;

/// Names looked at: the rest is too unimportant to be meant by a text so far off.
const MAX_NAMES: usize = 250;

/// Places for which `wanted` holds whose names sound like `latin` (Latin letters), each with what the match costs.
pub(crate) fn like_in_sound(
    index: &Index,
    latin: &str,
    unfinished: bool,
    wanted: impl Fn(u32) -> bool,
    budget: &Budget,
) -> Vec<(Posting, Cost)> {
    let folded = fold(latin);
    let key = sound(&folded);
    // What has no sound would sound like the beginning of everything.
    if key.is_empty() {
        return Vec::new();
    }
    let edits = u8::from(key.len() >= ONE_EDIT_CLASSES);
    let mut search = NameSearch::fuzzy(&index.sounds, &key, unfinished.then_some(0), edits, SOUND_EDIT);
    let mut found = Vec::new();
    let names = std::iter::from_fn(|| budget.next(&mut search, Cost::MAX)).take(MAX_NAMES);
    for name in names {
        for posting in index.sounds.postings(name.id).filter(|posting| wanted(posting.row)) {
            if !budget.spend(COMPARISON) {
                return found;
            }
            let alike = alike(&folded, &fold(index.places.display_name(posting.row)), unfinished);
            if alike >= LEAST_ALIKE {
                let unlike = share(SOUND_UNLIKE * (1.0 - alike));
                found.push((posting, SOUND + unlike + Cost::from(name.edits) * SOUND_EDIT));
            }
        }
    }
    found
}

/// 0 to 1: how alike two texts are, letter by letter; of an unfinished text, how alike it is to the name's beginning. 0 where
/// their lengths alone make them less than [`LEAST_ALIKE`].
fn alike(text: &str, name: &str, unfinished: bool) -> f64 {
    let letters = text.chars().count();
    let name: String = name.chars().take(if unfinished { letters } else { usize::MAX }).collect();
    let (shorter, longer) = (letters.min(name.chars().count()), letters.max(name.chars().count()));
    if (shorter as f64) < LEAST_ALIKE * longer as f64 {
        return 0.0;
    }
    normalized_damerau_levenshtein(text, &name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two texts, whether the first is unfinished, and how alike they are in hundredths.
    #[test]
    fn texts_are_alike_letter_by_letter() {
        let check = |text: &str, name: &str, unfinished: bool, expect: f64| {
            assert_eq!((alike(text, name, unfinished) * 100.0).round(), expect, "{text} {name} {unfinished}");
        };
        check("paris", "paris", false, 100.0);
        check("paris", "pariz", false, 80.0);
        check("paris", "parisot", false, 71.0);
        check("paris", "parisot", true, 100.0);
        check("parisot", "paris", true, 71.0);
        check("αθηνα", "αθηνα", false, 100.0);
        // Their lengths alone make them different, or hardly alike.
        check("abc", "abcdefghij", false, 0.0);
        check("abcdefghij", "abc", false, 0.0);
        check(&"a".repeat(17), &"a".repeat(50), false, 34.0);
        check(&"a".repeat(16), &"a".repeat(50), false, 0.0);
    }
}
