//! Finds out the language of alternate names by the letters they are written in, so that labels can show them: kana is Japanese,
//! Hangul Korean. Where several languages share a script, the pairs of letters decide, as learned from the names whose language
//! is known.

use std::collections::HashMap;

use unicode_script::Script;

use crate::sources::rows::{Settlement, Tagged};
use crate::text::script;

/// Smaller places are seldom shown in another language, and their names would take as much room again.
const LEAST_PEOPLE: u64 = 15_000;

/// A name is shown in a language that is at least so probable.
const LEAST_PROBABILITY: f64 = 0.5;

/// The languages of the index by script.
const LANGUAGES: [(Script, &[&str]); 13] = [
    (Script::Arabic, &["ar", "fa", "ur"]),
    (Script::Bengali, &["bn"]),
    (Script::Cyrillic, &["bg", "ru", "sr", "uk"]),
    (Script::Devanagari, &["hi"]),
    (Script::Greek, &["el"]),
    (Script::Han, &["zh"]),
    (Script::Hangul, &["ko"]),
    (Script::Hebrew, &["he"]),
    (Script::Hiragana, &["ja"]),
    (Script::Katakana, &["ja"]),
    (Script::Tamil, &["ta"]),
    (Script::Telugu, &["te"]),
    (Script::Thai, &["th"]),
];

/// Tags alternates of each greater settlement with languages in which it has no name yet.
pub(crate) fn tag_alternates(settlements: &mut [Settlement]) {
    let pairs = Pairs::learned_from(settlements);
    for settlement in settlements.iter_mut().filter(|settlement| settlement.people() >= LEAST_PEOPLE) {
        for (of_script, languages) in LANGUAGES {
            for lang in languages {
                if settlement.tagged.iter().any(|name| name.lang == *lang) {
                    continue;
                }
                let written = settlement.alternates.iter().filter(|name| script(name) == Some(of_script));
                let likely = written.map(|name| (pairs.probability(name, lang, languages), name));
                let best = likely.max_by(|(a, one), (b, other)| a.total_cmp(b).then_with(|| other.cmp(one)));
                if let Some((_, name)) = best.filter(|(probability, _)| *probability >= LEAST_PROBABILITY) {
                    settlement.tagged.push(Tagged { lang: (*lang).to_owned(), text: name.clone() });
                }
            }
        }
    }
}

/// Counts of letters, and of pairs of letters, in the names of each language.
#[derive(Default)]
struct Pairs {
    of_two: HashMap<(&'static str, char, char), f64>,
    of_first: HashMap<(&'static str, char), f64>,
}

/// The letter that is counted before and behind a name.
const EDGE: char = ' ';

/// Each count is greater by this, so that a pair that was not seen is not impossible, for so many letters.
const ADDED: f64 = 0.1;
const LETTERS: f64 = 60.0;

impl Pairs {
    fn learned_from(settlements: &[Settlement]) -> Self {
        let mut pairs = Self::default();
        for name in settlements.iter().flat_map(|settlement| &settlement.tagged) {
            let known = LANGUAGES.iter().flat_map(|(_, languages)| *languages);
            let Some(&lang) = known.into_iter().find(|lang| **lang == name.lang) else { continue };
            for (a, b) in of_letters(&name.text) {
                *pairs.of_two.entry((lang, a, b)).or_default() += 1.0;
                *pairs.of_first.entry((lang, a)).or_default() += 1.0;
            }
        }
        pairs
    }

    /// Returns the probability that a name is in `lang` and not in another of `languages`.
    fn probability(&self, name: &str, lang: &'static str, languages: &[&'static str]) -> f64 {
        let score = |lang: &'static str| -> f64 {
            let of = |(a, b): (char, char)| {
                let both = self.of_two.get(&(lang, a, b)).copied().unwrap_or_default();
                let first = self.of_first.get(&(lang, a)).copied().unwrap_or_default();
                libm::log((both + ADDED) / (first + ADDED * LETTERS))
            };
            of_letters(name).map(of).sum()
        };
        let own = score(lang);
        1.0 / languages.iter().map(|other| libm::exp(score(other) - own)).sum::<f64>()
    }
}

fn of_letters(name: &str) -> impl Iterator<Item = (char, char)> {
    let letters = std::iter::once(EDGE).chain(name.chars()).chain([EDGE]);
    letters.clone().zip(letters.skip(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gazetteer::test_settlement;

    fn tagged_name((lang, text): (&str, &str)) -> Tagged {
        Tagged { lang: lang.into(), text: text.into() }
    }

    #[test]
    fn letters_tell_the_language() {
        let known =
            [("ru", "Минск"), ("ru", "Мышкин"), ("uk", "Київ"), ("uk", "Рівне"), ("ar", "الكويت"), ("fa", "گرگان")];
        let mut teacher = test_settlement(1, "A", (0.0, 0.0), 100);
        teacher.tagged = known.map(tagged_name).to_vec();
        let mut settlement = test_settlement(2, "B", (0.0, 0.0), 20_000);
        settlement.alternates = ["Мышск", "Вівнеї", "ミラノ", "밀라노", "Milano"].map(str::to_owned).to_vec();
        settlement.tagged = vec![tagged_name(("ko", "밀란"))];
        let mut places = [teacher, settlement];
        tag_alternates(&mut places);
        let shown: Vec<String> = places[1].tagged.iter().map(|name| format!("{}:{}", name.lang, name.text)).collect();
        assert_eq!(shown, ["ko:밀란", "ru:Мышск", "uk:Вівнеї", "ja:ミラノ"]);
        assert_eq!(places[0].tagged.len(), known.len());
    }
}
