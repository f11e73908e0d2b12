//! Translations: the display names of places in other languages.

use std::collections::BTreeSet;

use bytes::Bytes;

use crate::index::format::{Column, EncodedSection, OpenError, Section, Sections, encode, text_at};
use crate::record::{NameClass, Record};

/// The names of an index by row and language.
#[derive(Debug)]
pub(crate) struct Translations {
    languages: Vec<String>,
    rows: Column<u32>,
    starts: Column<u32>,
    bytes: Bytes,
}

/// A language of the index that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Language {
    number: u16,
    /// Number of its tag among [`language_ranges`]: the best first.
    pub rank: usize,
}

/// A language number below this one takes one byte. Of greater ones, the first byte has the high bits and this one.
const WIDE: u8 = 0x80;

impl Translations {
    pub fn open(languages: &[String], sections: &Sections) -> Result<Self, OpenError> {
        let translations = Self {
            languages: languages.to_vec(),
            rows: Column::new(sections.get(Section::TranslationRow)),
            starts: Column::new(sections.get(Section::TranslationStart)),
            bytes: sections.get(Section::Translations),
        };
        let agree = translations.starts.len() == translations.rows.len();
        if agree { Ok(translations) } else { Err(OpenError::Malformed("translations")) }
    }

    /// Returns the languages to try, the best first: for `zh-Hant-TW`, that itself, `zh-Hant` and `zh`, without those
    /// that the index lacks.
    pub fn languages(&self, tag: &str) -> Vec<Language> {
        let mut known = Vec::new();
        for (rank, range) in language_ranges(tag).into_iter().enumerate() {
            if let Some(number) = self.languages.iter().position(|known| known.eq_ignore_ascii_case(&range)) {
                known.push(Language { number: number as u16, rank });
            }
        }
        known
    }

    /// Returns the name of a place in a language, if the index has one that differs from its display name.
    pub fn name(&self, row: u32, language: Language) -> Option<&str> {
        self.entries(row)
            .find(|(languages, _)| numbers(languages).any(|number| number == language.number))
            .map(|(_, name)| name)
    }

    /// Iterates over the names of a place that differ from its display name, each with its language.
    pub fn of_row(&self, row: u32) -> impl Iterator<Item = (&str, &str)> {
        self.entries(row).flat_map(|(languages, name)| {
            let known = numbers(languages).filter_map(|number| self.languages.get(usize::from(number)));
            known.map(move |language| (language.as_str(), name))
        })
    }

    /// Iterates over the names of a place, each with the numbers of its languages.
    fn entries(&self, row: u32) -> impl Iterator<Item = (&[u8], &str)> {
        let span = self.rows.find(row).map(|at| {
            let end =
                if at as usize + 1 < self.starts.len() { self.starts.get(at + 1) as usize } else { self.bytes.len() };
            self.starts.get(at) as usize..end
        });
        let mut rest = span.and_then(|span| self.bytes.get(span)).unwrap_or_default();
        std::iter::from_fn(move || {
            let (&length, after) = rest.split_first()?;
            let (languages, after) = after.split_at_checked(usize::from(length))?;
            let name = text_at(after, 0)?;
            rest = &after[1 + name.len()..];
            Some((languages, name))
        })
    }
}

/// Decodes the numbers of languages.
fn numbers(bytes: &[u8]) -> impl Iterator<Item = u16> {
    let mut bytes = bytes.iter().copied();
    std::iter::from_fn(move || {
        let first = bytes.next()?;
        if first < WIDE { Some(first.into()) } else { Some(u16::from_be_bytes([first - WIDE, bytes.next()?])) }
    })
}

fn append_number(number: u16, out: &mut Vec<u8>) {
    match u8::try_from(number) {
        Ok(small) if small < WIDE => out.push(small),
        _ => {
            let [high, low] = number.to_be_bytes();
            out.extend([high | WIDE, low]);
        }
    }
}

/// Iterates over the language tag, then each shorter tag without the last subtag (RFC 4647, section 3.4, lookup). Skips
/// shorter tags that end with a single letter or digit, because that introduces the removed subtag.
fn ranges(tag: &str) -> impl Iterator<Item = &str> {
    let all = std::iter::successors(Some(tag), |range| Some(range.rsplit_once('-')?.0));
    fn ends_with_singleton(range: &str) -> bool {
        range.rsplit('-').next().is_some_and(|last| last.len() <= 1)
    }
    all.enumerate().filter(move |&(at, range)| at == 0 || !ends_with_singleton(range)).map(|(_, range)| range)
}

/// Returns the language tags to try for a tag, the best first.
pub(crate) fn language_ranges(tag: &str) -> Vec<String> {
    ranges(&tag.replace('_', "-")).map(str::to_owned).collect()
}

/// Encodes the languages and the sections of translations, for places in row order. Takes the best name per place and language, if it
/// differs from the display name. `None` if there are more languages than the format can number.
pub(crate) fn encode_translations(places: &[&Record]) -> Option<(Vec<String>, [EncodedSection; 3])> {
    let tags: BTreeSet<&str> =
        places.iter().flat_map(|place| &place.names).filter_map(|name| name.lang.as_deref()).collect();
    let languages: Vec<&str> = tags.into_iter().collect();
    if languages.len() > MOST_LANGUAGES {
        return None;
    }
    let mut rows = Vec::new();
    let mut starts = Vec::new();
    let mut bytes = Vec::new();
    for (place, row) in places.iter().zip(0u32..) {
        let named = translations(place);
        if named.is_empty() {
            continue;
        }
        rows.push(row);
        starts.push(bytes.len() as u32);
        let mut entries: Vec<(&str, Vec<u8>)> = Vec::new();
        for (lang, text) in named {
            let number = languages.partition_point(|other| *other < lang) as u16;
            // The count of bytes takes one: so many languages with one name have two entries.
            let at = entries.iter().position(|(known, list)| *known == text && list.len() + 2 <= usize::from(u8::MAX));
            let at = at.unwrap_or_else(|| {
                entries.push((text, Vec::new()));
                entries.len() - 1
            });
            append_number(number, &mut entries[at].1);
        }
        for (text, list) in entries {
            bytes.push(list.len() as u8);
            bytes.extend(list);
            bytes.push(text.len() as u8);
            bytes.extend_from_slice(text.as_bytes());
        }
    }
    let sections = [
        (Section::TranslationRow, encode(rows)),
        (Section::TranslationStart, encode(starts)),
        (Section::Translations, bytes),
    ];
    Some((languages.into_iter().map(str::to_owned).collect(), sections))
}

/// The most languages that two bytes can number.
const MOST_LANGUAGES: usize = 1 << 15;

/// Returns the names of a place in other languages that differ from its display name, the best of each language.
pub(crate) fn translations(place: &Record) -> Vec<(&str, &str)> {
    let mut found: Vec<(&str, &str)> = Vec::new();
    let mut names: Vec<_> = place.names.iter().filter(|name| name.text.len() <= usize::from(u8::MAX)).collect();
    // The first of a language is shown. Its class may come from another language in which the place has the same name.
    names.sort_by_key(|name| name.class == NameClass::Weak);
    for name in names {
        if let Some(lang) = name.lang.as_deref().filter(|lang| !found.iter().any(|(known, _)| known == lang)) {
            found.push((lang, &name.text));
        }
    }
    let display = place.names.first().map_or("", |name| name.text.as_str());
    found.retain(|(_, text)| *text != display);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_grow_shorter() {
        fn check(tag: &str, expect: &[&str]) {
            assert_eq!(ranges(tag).collect::<Vec<_>>(), expect)
        }
        check("zh-Hant-TW", &["zh-Hant-TW", "zh-Hant", "zh"]);
        check("pt-BR", &["pt-BR", "pt"]);
        check("de", &["de"]);
        // The example of RFC 4647.
        check(
            "zh-Hant-CN-x-private1-private2",
            &["zh-Hant-CN-x-private1-private2", "zh-Hant-CN-x-private1", "zh-Hant-CN", "zh-Hant", "zh"],
        );
        check("de-1-x", &["de-1-x", "de"]);
        check("en-a-bbb-x-a-ccc", &["en-a-bbb-x-a-ccc", "en-a-bbb", "en"]);
        check("x-klingon", &["x-klingon"]);
        check("", &[""]);
    }

    #[test]
    fn language_numbers_survive_a_round_trip() {
        let all = [0, 1, 127, 128, 255, 256, 5_000, 32_767];
        let mut bytes = Vec::new();
        all.iter().for_each(|&number| append_number(number, &mut bytes));
        assert_eq!(numbers(&bytes).collect::<Vec<_>>(), all);
        assert_eq!(bytes.len(), 3 + 2 * 5);
        assert_eq!(numbers(&[1, 0x80]).collect::<Vec<_>>(), [1]);
    }

    #[test]
    fn the_best_language_of_the_index_comes_first() {
        let known = ["de", "pt", "pt-BR", "sr-Latn", "zh", "zh-Hant"];
        let column = Bytes::new;
        let translations = Translations {
            languages: known.map(str::to_owned).to_vec(),
            rows: Column::new(column()),
            starts: Column::new(column()),
            bytes: column(),
        };
        let check = |tag: &str, expect: &[&str]| {
            let found = translations.languages(tag);
            assert_eq!(
                found.iter().map(|language| known[usize::from(language.number)]).collect::<Vec<_>>(),
                expect,
                "{tag}"
            );
        };
        check("zh-Hant-TW", &["zh-Hant", "zh"]);
        check("zh_hant_tw", &["zh-Hant", "zh"]);
        check("ZH-HANT", &["zh-Hant", "zh"]);
        check("zh-TW", &["zh"]);
        check("pt_br", &["pt-BR", "pt"]);
        check("pt-BR-u-co-standard", &["pt-BR", "pt"]);
        check("sr-Latn-RS-x-old", &["sr-Latn"]);
        check("sr", &[]);
        check("-", &[]);
        check("", &[]);
    }
}
