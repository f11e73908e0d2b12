//! Letters with marks in a text: who types `köl` means Köln before Kolkata.

use crate::index::PlaceRef;
use crate::text::{compose, fold, to_lower};

/// The words of a text that have Latin letters beyond ASCII, such as é, ø or ß.
#[derive(Debug, Default)]
pub(crate) struct MarkedWords(Vec<MarkedWord>);

#[derive(Debug)]
struct MarkedWord {
    folded: String,
    /// The word as it is [`written`].
    written: String,
}

impl MarkedWords {
    pub fn of(text: &str) -> Self {
        if !may_have_marks(text) {
            return Self::default();
        }
        let text = written(text);
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().any(is_marked));
        Self(words.map(|word| MarkedWord { folded: fold(word), written: word.to_owned() }).collect())
    }

    /// Tells whether no name of a place that begins with `name`, which is folded and found by the text, has the marked words in it.
    pub fn are_missing(&self, name: &str, place: PlaceRef) -> bool {
        let words: Vec<&MarkedWord> = self.0.iter().filter(|word| name.contains(&*word.folded)).collect();
        if words.is_empty() {
            return false;
        }
        let has_all = |other: &str| {
            if !may_have_marks(other) {
                return false;
            }
            let other_written = written(other);
            words.iter().all(|word| other_written.contains(&*word.written)) && fold(other).starts_with(name)
        };
        let mut names = std::iter::once(place.display_name()).chain(place.translations().map(|(_, name)| name));
        !names.any(has_all)
    }
}

/// Returns a text in lower case, its marks composed with their letters.
fn written(text: &str) -> String {
    compose(&to_lower(text))
}

/// Tells whether a character is a Latin letter beyond ASCII.
fn is_marked(c: char) -> bool {
    matches!(c, '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}')
}

/// Tells whether a text may have Latin letters beyond ASCII, composed or not: most names have none, and need not be composed.
fn may_have_marks(text: &str) -> bool {
    let is_mark = |c: char| matches!(c, '\u{300}'..='\u{345}');
    text.chars().any(|c| is_marked(c) || is_mark(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_marks() {
        let check = |text: &str, expect: &[(&str, &str)]| {
            let words = MarkedWords::of(text).0;
            let found: Vec<_> = words.iter().map(|word| (&*word.folded, &*word.written)).collect();
            assert_eq!(found, expect, "{text}");
        };
        check("Koln", &[]);
        check("Köln, Deutschland", &[("koln", "köln")]);
        // Composed or not.
        check("Ko\u{308}ln", &[("koln", "köln")]);
        check("saint-étienne Łódź", &[("etienne", "étienne"), ("lodz", "łódź")]);
        check("Москва 東京", &[]);
        check("Нью-И\u{306}орк", &[]);
    }
}
