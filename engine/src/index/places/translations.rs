//! Translations: the display names of places in other languages.

use std::collections::BTreeSet;

use bytes::Bytes;

use crate::index::format::{Column, EncodedSection, OpenError, Section, Sections, Texts, encode, text_at};
use crate::record::{NameClass, Record};

/// The names of an index by row and language.
#[derive(Debug)]
pub(crate) struct Translations {
    languages: Vec<String>,
    rows: Column<u32>,
    langs: Column<u16>,
    offsets: Column<u32>,
    text: Bytes,
}

/// A language of the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Language(u16);

impl Translations {
    pub fn open(languages: &[String], sections: &Sections) -> Result<Self, OpenError> {
        let translations = Self {
            languages: languages.to_vec(),
            rows: Column::new(sections.get(Section::TranslationRow)),
            langs: Column::new(sections.get(Section::TranslationLanguage)),
            offsets: Column::new(sections.get(Section::TranslationOffset)),
            text: sections.get(Section::TranslationText),
        };
        let lengths = [translations.langs.len(), translations.offsets.len()];
        let agree = lengths.iter().all(|&length| length == translations.rows.len());
        if agree { Ok(translations) } else { Err(OpenError::Malformed("translations")) }
    }

    /// The languages to try, the best first: for `zh-Hant-TW`, that itself, `zh-Hant` and `zh`, without those that the index
    /// lacks.
    pub fn languages(&self, tag: &str) -> Vec<Language> {
        let tag = tag.replace('_', "-");
        let number = |range: &str| self.languages.iter().position(|known| known.eq_ignore_ascii_case(range));
        ranges(&tag).filter_map(number).map(|number| Language(number as u16)).collect()
    }

    /// The name of a place in a language, if the index has one that differs from its display name.
    pub fn name(&self, row: u32, language: Language) -> Option<&str> {
        let first = self.rows.partition_point(|other| other < row);
        // A place has at most one name per language.
        let of_row = (first..self.rows.len() as u32).take(self.languages.len());
        let at = of_row.take_while(|&at| self.rows.get(at) == row).find(|&at| self.langs.get(at) == language.0)?;
        text_at(&self.text, self.offsets.get(at))
    }

    /// The names of a place that differ from its display name, each with its language.
    pub fn of_row(&self, row: u32) -> impl Iterator<Item = (&str, &str)> {
        let first = self.rows.partition_point(|other| other < row);
        let of_row = (first..self.rows.len() as u32).take(self.languages.len());
        of_row.take_while(move |&at| self.rows.get(at) == row).filter_map(|at| {
            let language = self.languages.get(usize::from(self.langs.get(at)))?;
            Some((language.as_str(), text_at(&self.text, self.offsets.get(at))?))
        })
    }
}

/// The language tag, then each shorter tag without the last subtag (RFC 4647, section 3.4, lookup). Skips shorter tags that
/// end with a single letter or digit, because that introduces the removed subtag.
fn ranges(tag: &str) -> impl Iterator<Item = &str> {
    let all = std::iter::successors(Some(tag), |range| Some(range.rsplit_once('-')?.0));
    let ends_with_singleton = |range: &str| range.rsplit('-').next().is_some_and(|last| last.len() <= 1);
    all.enumerate().filter(move |&(at, range)| at == 0 || !ends_with_singleton(range)).map(|(_, range)| range)
}

/// The language tags to try for a tag, the best first.
pub(crate) fn language_ranges(tag: &str) -> Vec<String> {
    ranges(&tag.replace('_', "-")).map(str::to_owned).collect()
}

/// The languages and the sections of translations, for places in row order. Takes the best name per place and language, if
/// it differs from the display name. `None` if there are more languages than the format can number.
pub(crate) fn encode_translations(places: &[&Record]) -> Option<(Vec<String>, [EncodedSection; 4])> {
    let tags: BTreeSet<&str> =
        places.iter().flat_map(|place| &place.names).filter_map(|name| name.lang.as_deref()).collect();
    let languages: Vec<&str> = tags.into_iter().collect();
    if languages.len() > usize::from(u16::MAX) {
        return None;
    }
    let mut texts = Texts::default();
    let (mut rows, mut langs, mut offsets) = (Vec::new(), Vec::new(), Vec::new());
    for (place, row) in places.iter().zip(0u32..) {
        for (lang, text) in translations(place) {
            rows.push(row);
            langs.push(languages.partition_point(|other| *other < lang) as u16);
            offsets.push(texts.offset(text));
        }
    }
    let sections = [
        (Section::TranslationRow, encode(rows)),
        (Section::TranslationLanguage, encode(langs)),
        (Section::TranslationOffset, encode(offsets)),
        (Section::TranslationText, texts.into_bytes()),
    ];
    Some((languages.into_iter().map(str::to_owned).collect(), sections))
}

/// The names of a place in other languages that differ from its display name, the best of each language.
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
        let check = |tag: &str, expect: &[&str]| assert_eq!(ranges(tag).collect::<Vec<_>>(), expect);
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
    fn the_best_language_of_the_index_comes_first() {
        let known = ["de", "pt", "pt-BR", "sr-Latn", "zh", "zh-Hant"];
        let column = Bytes::new;
        let translations = Translations {
            languages: known.map(str::to_owned).to_vec(),
            rows: Column::new(column()),
            langs: Column::new(column()),
            offsets: Column::new(column()),
            text: column(),
        };
        let check = |tag: &str, expect: &[&str]| {
            let found = translations.languages(tag);
            assert_eq!(
                found.iter().map(|language| known[usize::from(language.0)]).collect::<Vec<_>>(),
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
