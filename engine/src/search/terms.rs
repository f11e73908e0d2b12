//! The terms of a query, the positions of its commas, and how it ends.

use crate::index::{Index, MAX_EDITS, MAX_KEY_LETTERS, Prefix};
use crate::query::{MAX_QUERY_CHARS, Mode};
use crate::text::{beginning, ends_with_separator, segments, with_initials_joined};

/// Maximum number of terms; further ones are ignored. No place needs more, and every split costs time.
const MAX_TERMS: usize = 16;

/// Maximum number of decomposed characters that are read. No letter has more than four by its canonical decomposition; only
/// ligatures have more, such as U+FDFA with 18, and a query of those would take longer to fold than to search for.
const MAX_DECOMPOSED: usize = 4 * MAX_QUERY_CHARS;

/// The folded terms of a query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Terms {
    terms: Vec<String>,
    /// Index of the first term after each separator.
    pub commas: Vec<usize>,
    ending: Ending,
    /// True if the text has nothing but initials, which are joined.
    joined_initials: bool,
}

/// End of a text, behind its last term.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Ending {
    /// Nothing, so the term may go on.
    #[default]
    Nothing,
    /// White space: the term is finished.
    Space,
    /// A separator: the name or the area is complete.
    Separator,
}

impl Ending {
    fn of(text: &str) -> Self {
        let written = text.trim_end();
        if ends_with_separator(written) {
            Self::Separator
        } else if written.len() < text.len() {
            Self::Space
        } else {
            Self::Nothing
        }
    }
}

impl Terms {
    /// Returns the readings of a text, the likeliest first. There are two if it has initials with dots: `N.Y.` is `ny`, and
    /// in names that are stored so `n y`.
    pub fn readings(text: &str) -> Vec<Self> {
        let as_written = Self::of(text);
        let Some(joined) = with_initials_joined(beginning(text, MAX_DECOMPOSED)) else { return vec![as_written] };
        let joined = Self { joined_initials: as_written.are_initials(), ..Self::of(&joined) };
        vec![joined, as_written]
    }

    pub fn of(text: &str) -> Self {
        let text = beginning(text, MAX_DECOMPOSED);
        let mut found = Self { ending: Ending::of(text), ..Self::default() };
        for segment in segments(text) {
            if !found.terms.is_empty() {
                found.commas.push(found.terms.len());
            }
            found.terms.extend(segment.split(' ').map(str::to_owned));
        }
        found.terms.truncate(MAX_TERMS);
        found.commas.retain(|&at| at < MAX_TERMS);
        found
    }

    pub fn len(&self) -> usize {
        self.terms.len()
    }

    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    pub fn last(&self) -> Option<&str> {
        self.terms.last().map(String::as_str)
    }

    /// Tells whether every letter is Latin. Folded Latin letters end at U+024F, followed by the IPA letters that some
    /// languages use (`ɛ`).
    pub fn is_latin(&self) -> bool {
        self.terms.iter().flat_map(|term| term.chars()).all(|c| c <= '\u{2af}' || !c.is_alphabetic())
    }

    /// Tells whether every term is a single Latin letter: `N/A`. Initials that are joined count as well: `N.A.`.
    pub fn are_initials(&self) -> bool {
        self.joined_initials || self.terms.iter().all(|term| term.len() == 1 && term.is_ascii())
    }

    /// Returns how the terms may be only the beginning of a name; `None` if they are all of it: in forward, and before a
    /// separator.
    pub fn prefix(&self, mode: Mode) -> Option<Prefix> {
        match (mode, self.ending) {
            (Mode::Forward, _) | (_, Ending::Separator) => None,
            (Mode::Autocomplete, Ending::Nothing) => Some(Prefix::Letters),
            (Mode::Autocomplete, Ending::Space) => Some(Prefix::Words),
        }
    }

    pub fn term(&self, at: usize) -> &str {
        &self.terms[at]
    }

    /// Returns the terms of `span` without the separators between them.
    pub fn part(&self, span: std::ops::Range<usize>) -> Self {
        Self { terms: self.terms[span].to_vec(), ending: self.ending, ..Self::default() }
    }

    /// Joins the terms of `span` with spaces.
    pub fn phrase(&self, span: std::ops::Range<usize>) -> String {
        self.terms[span].join(" ")
    }

    /// Returns the terms of `span` as a name; `None` if they are longer than any name, so that no search is needed.
    pub fn name(&self, span: std::ops::Range<usize>) -> Option<String> {
        let phrase = self.phrase(span);
        let longest = MAX_KEY_LETTERS + usize::from(MAX_EDITS);
        phrase.chars().nth(longest).is_none().then_some(phrase)
    }

    /// Tells whether the terms are a usual name of a place.
    pub fn is_usual_name(&self, index: &Index) -> bool {
        let text = self.phrase(0..self.len());
        index.segments().any(|segment| segment.file.usual.id(&text).is_some())
    }

    /// Tells whether there is a separator inside `span`.
    pub fn has_comma(&self, span: std::ops::Range<usize>) -> bool {
        self.commas.iter().any(|&at| at > span.start && at < span.end)
    }

    /// Replaces the terms of `span` by `text`.
    pub fn with(&self, span: std::ops::Range<usize>, text: &str) -> Self {
        let mut terms = self.terms.clone();
        terms.splice(span.clone(), [text.to_owned()]);
        let moved = |&at: &usize| if at <= span.start { at } else { at.max(span.end) - span.len() + 1 };
        Self { terms, commas: self.commas.iter().map(moved).collect(), ending: self.ending, ..Self::default() }
    }

    /// Rewrites each term; `None` drops it. Separators stay between their neighbours.
    pub fn rewritten<'w>(&'w self, mut rewrite: impl FnMut(&'w str) -> Option<&'w str>) -> Self {
        let mut kept = Self { ending: self.ending, ..Self::default() };
        let mut pending_comma = false;
        for (at, term) in self.terms.iter().enumerate() {
            pending_comma |= self.commas.contains(&at);
            let Some(term) = rewrite(term) else { continue };
            if std::mem::take(&mut pending_comma) && !kept.terms.is_empty() {
                kept.commas.push(kept.terms.len());
            }
            kept.terms.push(term.to_owned());
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_commas() {
        let terms = Terms::of("Paris 12e, Île-de-France, FR");
        assert_eq!(terms.phrase(0..terms.len()), "paris 12e ile de france fr");
        assert_eq!(terms.commas, [2, 5]);
        assert!(terms.has_comma(1..3) && !terms.has_comma(2..5));
        let fewer = terms.rewritten(|term| (term != "12e" && term != "ile").then_some(term));
        assert_eq!(
            (fewer.phrase(0..fewer.len()).as_str(), fewer.commas.as_slice()),
            ("paris de france fr", &[1, 3][..])
        );
    }

    #[test]
    fn only_as_many_words_as_needed_are_read() {
        let text = |count: usize| (0..count).map(|at| format!("w{at}")).collect::<Vec<_>>().join(", ");
        let check = |count: usize, terms: usize, last_break: usize| {
            let found = Terms::of(&text(count));
            assert_eq!((found.len(), found.commas.last()), (terms, Some(&last_break)), "{count}");
        };
        check(15, 15, 14);
        check(16, 16, 15);
        check(17, 16, 15);
        check(18, 16, 15);
        let none = Terms::of(" , ");
        assert_eq!((none.len(), none.is_empty(), none.last()), (0, true, None));
        let one = Terms::of("Ulm");
        assert_eq!((one.len(), one.is_empty(), one.last(), one.term(0)), (1, false, Some("ulm"), "ulm"));
    }

    #[test]
    fn a_text_longer_than_any_name_is_none() {
        let longest = MAX_KEY_LETTERS + usize::from(MAX_EDITS);
        let check = |letters: usize, expect: bool| {
            let terms = Terms::of(&"a".repeat(letters));
            assert_eq!(terms.name(0..1).is_some(), expect, "{letters}");
        };
        check(1, true);
        check(longest - 1, true);
        check(longest, true);
        check(longest + 1, false);
        check(longest + 2, false);
    }

    #[test]
    fn a_comma_inside() {
        let terms = Terms::of("a b, c d");
        let check =
            |span: std::ops::Range<usize>, expect: bool| assert_eq!(terms.has_comma(span.clone()), expect, "{span:?}");
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
        let check = |text: &str, expect: bool| assert_eq!(Terms::of(text).is_latin(), expect, "{text}");
        check("paris 12e", true);
        check("kɛta", true);
        check("東京", false);
        check("paris москва", false);
        check("१२", true);
    }

    #[test]
    fn single_letters_are_initials() {
        let check = |text: &str, expect: bool| assert_eq!(Terms::of(text).are_initials(), expect, "{text}");
        check("N/A", true);
        check("n. a.", true);
        check("N Africa", false);
        check("東", false);
    }

    #[test]
    fn initials_with_dots_have_two_readings() {
        let check = |text: &str, expect: &[(&str, bool)]| {
            let readings = Terms::readings(text);
            let phrases: Vec<String> = readings.iter().map(|terms| terms.phrase(0..terms.len())).collect();
            let found = phrases.iter().map(String::as_str).zip(readings.iter().map(Terms::are_initials));
            assert_eq!(found.collect::<Vec<_>>(), expect, "{text}");
        };
        check("Albany, NY", &[("albany ny", false)]);
        check("Albany, N.Y.", &[("albany ny", false), ("albany n y", false)]);
        check("N.A.", &[("na", true), ("n a", true)]);
        check("NA", &[("na", false)]);
        check("", &[("", true)]);
        assert_eq!(Terms::readings("Albany, N. Y., U.S.")[0].commas, [1, 2]);
    }

    #[test]
    fn more_follows_what_is_not_complete() {
        let check = |text: &str, expect: Option<Prefix>| {
            assert_eq!(Terms::of(text).prefix(Mode::Autocomplete), expect, "{text:?}");
            assert_eq!(Terms::of(text).prefix(Mode::Forward), None, "{text:?}");
        };
        check("san", Some(Prefix::Letters));
        check("san jo", Some(Prefix::Letters));
        check("st.", Some(Prefix::Letters));
        check("san ", Some(Prefix::Words));
        check("san\u{3000}", Some(Prefix::Words));
        check("san-", Some(Prefix::Letters));
        check("san,", None);
        check("san , ", None);
        check("san、", None);
        check("san, jo ", Some(Prefix::Words));
        // Other words in place of some, and some alone, end as the text does.
        let terms = Terms::of("a b, c ");
        let others = [terms.part(1..3), terms.with(0..1, "d"), terms.rewritten(|term| (term != "c").then_some(term))];
        for terms in others {
            assert_eq!(terms.prefix(Mode::Autocomplete), Some(Prefix::Words), "{terms:?}");
        }
        assert!(terms.part(1..3).commas.is_empty());
    }

    #[test]
    fn words_that_are_left_out_leave_their_separators() {
        let check = |text: &str, without: &str, phrase: &str, commas: &[usize]| {
            let terms = Terms::of(text);
            let fewer = terms.rewritten(|term| (!without.split(' ').any(|out| out == term)).then_some(term));
            assert_eq!((fewer.phrase(0..fewer.len()).as_str(), fewer.commas.as_slice()), (phrase, commas), "{text}");
        };
        check("a, b, c", "", "a b c", &[1, 2]);
        check("a, b, c", "b", "a c", &[1]);
        check("a, b, c", "a", "b c", &[1]);
        check("a, b, c", "c", "a b", &[1]);
        check("a b, c", "a", "b c", &[1]);
        check("a, b c d", "b", "a c d", &[1]);
    }
}
