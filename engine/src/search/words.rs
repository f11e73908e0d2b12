//! The words of a query, and where its commas were.

use crate::index::{MAX_EDITS, MAX_KEY_LETTERS};
use crate::text::segments;

/// Words beyond this one are not read: no place needs more, and every reading costs.
const MAX_WORDS: usize = 16;

/// The folded words of a query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Words {
    words: Vec<String>,
    /// Index of the first word behind each separator.
    pub breaks: Vec<usize>,
}

impl Words {
    pub fn of(text: &str) -> Self {
        let mut found = Self::default();
        for segment in segments(text) {
            if !found.words.is_empty() {
                found.breaks.push(found.words.len());
            }
            found.words.extend(segment.split(' ').map(str::to_owned));
        }
        found.words.truncate(MAX_WORDS);
        found.breaks.retain(|&at| at < MAX_WORDS);
        found
    }

    pub fn len(&self) -> usize {
        self.words.len()
    }

    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    pub fn last(&self) -> Option<&str> {
        self.words.last().map(String::as_str)
    }

    /// Whether every letter is Latin: what a fold leaves of Latin letters ends at U+024F, but for those of the phonetic
    /// alphabet that some languages write (`ɛ`).
    pub fn is_latin(&self) -> bool {
        self.words.iter().flat_map(|word| word.chars()).all(|c| c <= '\u{2af}' || !c.is_alphabetic())
    }

    pub fn word(&self, at: usize) -> &str {
        &self.words[at]
    }

    /// The words of `span` joined by spaces.
    pub fn phrase(&self, span: std::ops::Range<usize>) -> String {
        self.words[span].join(" ")
    }

    /// The words of `span` as a name may be written; `None` where they are longer than any name, so that nothing need be
    /// compared with them.
    pub fn name(&self, span: std::ops::Range<usize>) -> Option<String> {
        let phrase = self.phrase(span);
        let longest = MAX_KEY_LETTERS + usize::from(MAX_EDITS);
        phrase.chars().nth(longest).is_none().then_some(phrase)
    }

    /// Whether a separator stands inside `span`.
    pub fn is_broken(&self, span: std::ops::Range<usize>) -> bool {
        self.breaks.iter().any(|&at| at > span.start && at < span.end)
    }

    /// The same words, each as `rewrite` leaves it; `None` leaves it out, separators stay between their neighbours.
    pub fn rewritten<'w>(&'w self, mut rewrite: impl FnMut(&'w str) -> Option<&'w str>) -> Self {
        let mut kept = Self::default();
        let mut pending_break = false;
        for (at, word) in self.words.iter().enumerate() {
            pending_break |= self.breaks.contains(&at);
            let Some(word) = rewrite(word) else { continue };
            if std::mem::take(&mut pending_break) && !kept.words.is_empty() {
                kept.breaks.push(kept.words.len());
            }
            kept.words.push(word.to_owned());
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_breaks() {
        let words = Words::of("Paris 12e, Île-de-France, FR");
        assert_eq!(words.phrase(0..words.len()), "paris 12e ile de france fr");
        assert_eq!(words.breaks, [2, 5]);
        assert!(words.is_broken(1..3) && !words.is_broken(2..5));
        let fewer = words.rewritten(|word| (word != "12e" && word != "ile").then_some(word));
        assert_eq!(
            (fewer.phrase(0..fewer.len()).as_str(), fewer.breaks.as_slice()),
            ("paris de france fr", &[1, 3][..])
        );
    }

    #[test]
    fn no_more_words_are_read_than_a_place_needs() {
        let text = |count: usize| (0..count).map(|at| format!("w{at}")).collect::<Vec<_>>().join(", ");
        let check = |count: usize, words: usize, last_break: usize| {
            let found = Words::of(&text(count));
            assert_eq!((found.len(), found.breaks.last()), (words, Some(&last_break)), "{count}");
        };
        check(15, 15, 14);
        check(16, 16, 15);
        check(17, 16, 15);
        check(18, 16, 15);
        let none = Words::of(" , ");
        assert_eq!((none.len(), none.is_empty(), none.last()), (0, true, None));
        let one = Words::of("Ulm");
        assert_eq!((one.len(), one.is_empty(), one.last(), one.word(0)), (1, false, Some("ulm"), "ulm"));
    }

    #[test]
    fn a_text_longer_than_any_name_is_none() {
        let longest = MAX_KEY_LETTERS + usize::from(MAX_EDITS);
        let check = |letters: usize, expect: bool| {
            let words = Words::of(&"a".repeat(letters));
            assert_eq!(words.name(0..1).is_some(), expect, "{letters}");
        };
        check(1, true);
        check(longest - 1, true);
        check(longest, true);
        check(longest + 1, false);
        check(longest + 2, false);
    }

    #[test]
    fn a_separator_inside() {
        let words = Words::of("a b, c d");
        let check =
            |span: std::ops::Range<usize>, expect: bool| assert_eq!(words.is_broken(span.clone()), expect, "{span:?}");
        check(0..2, false);
        check(0..3, true);
        check(0..4, true);
        check(1..2, false);
        check(1..3, true);
        check(2..4, false);
        check(3..4, false);
    }

    #[test]
    fn letters_that_are_latin() {
        let check = |text: &str, expect: bool| assert_eq!(Words::of(text).is_latin(), expect, "{text}");
        check("paris 12e", true);
        check("kɛta", true);
        check("東京", false);
        check("paris москва", false);
        check("१२", true);
    }

    #[test]
    fn words_that_are_left_out_leave_their_separators() {
        let check = |text: &str, without: &str, phrase: &str, breaks: &[usize]| {
            let words = Words::of(text);
            let fewer = words.rewritten(|word| (!without.split(' ').any(|out| out == word)).then_some(word));
            assert_eq!((fewer.phrase(0..fewer.len()).as_str(), fewer.breaks.as_slice()), (phrase, breaks), "{text}");
        };
        check("a, b, c", "", "a b c", &[1, 2]);
        check("a, b, c", "b", "a c", &[1]);
        check("a, b, c", "a", "b c", &[1]);
        check("a, b, c", "c", "a b", &[1]);
        check("a b, c", "a", "b c", &[1]);
        check("a, b c d", "b", "a c d", &[1]);
    }
}
