//! Search by phonetic key: the last resort, for names that sound like the text.

use strsim::normalized_damerau_levenshtein;

use super::budget::Budget;
use super::penalties::{SOUND, SOUND_EDIT, SOUND_UNLIKE};
use crate::index::{Cost, NameSearch, Posting, Prefix, Segment, share};
use crate::text::{fold, sound};

/// Minimum similarity of text and name. Less similar names with the same key are other names.
const MIN_SIMILARITY: f64 = 0.34;

/// Minimum length of a phonetic key that may have one edit.
const ONE_EDIT_LENGTH: usize = 4;

/// Work of the comparison of two names, in units of the budget.
const COMPARISON_WORK: u32 = 10;

/// Maximum number of names examined: the rest is too unimportant to be meant by such a different text.
const MAX_NAMES: usize = 250;

/// Finds the places of a segment whose names sound like `latin` (in Latin letters) and for which `keep` is true, each with the
/// cost of the match. Rows are those of the segment.
pub(crate) fn find_by_sound(
    segment: Segment,
    latin: &str,
    unfinished: bool,
    keep: impl Fn(u32) -> bool,
    budget: &Budget,
) -> Vec<(Posting, Cost)> {
    let folded = fold(latin);
    let key = sound(&folded);
    // An empty key would be a prefix of every key.
    if key.is_empty() {
        return Vec::new();
    }
    let edits = u8::from(key.len() >= ONE_EDIT_LENGTH);
    let mut search =
        NameSearch::fuzzy(&segment.file.sounds, &key, unfinished.then_some((Prefix::Letters, 0)), edits, SOUND_EDIT);
    let mut found = Vec::new();
    let names = std::iter::from_fn(|| budget.next(&mut search, Cost::MAX)).take(MAX_NAMES);
    for name in names {
        for posting in segment.file.sounds.postings(name.id).filter(|posting| keep(posting.row)) {
            if !budget.spend(COMPARISON_WORK) {
                return found;
            }
            let similarity = similarity(&folded, &fold(segment.file.places.display_name(posting.row)), unfinished);
            if similarity >= MIN_SIMILARITY {
                let unlike = share(SOUND_UNLIKE * (1.0 - similarity));
                found.push((posting, SOUND + unlike + Cost::from(name.edits) * SOUND_EDIT));
            }
        }
    }
    found
}

/// Returns the similarity of two texts, 0 to 1. An unfinished text is compared with a prefix of the name. 0 if the lengths
/// alone rule out [`MIN_SIMILARITY`].
fn similarity(text: &str, name: &str, unfinished: bool) -> f64 {
    let length = text.chars().count();
    let name: String = name.chars().take(if unfinished { length } else { usize::MAX }).collect();
    let (shorter, longer) = (length.min(name.chars().count()), length.max(name.chars().count()));
    if (shorter as f64) < MIN_SIMILARITY * longer as f64 {
        return 0.0;
    }
    normalized_damerau_levenshtein(text, &name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks how alike two texts are, in hundredths; the first may be unfinished.
    #[test]
    fn texts_are_alike_letter_by_letter() {
        let check = |text: &str, name: &str, unfinished: bool, expect: f64| {
            assert_eq!((similarity(text, name, unfinished) * 100.0).round(), expect, "{text} {name} {unfinished}");
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
