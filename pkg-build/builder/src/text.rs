//! Compares text from different sources: the key of a name, and the script it is written in.

use std::collections::HashSet;
use std::sync::Arc;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_script::{Script, UnicodeScript};
use xxhash_rust::xxh3::xxh3_64;

/// Interns strings that many rows share.
#[derive(Debug, Default)]
pub(crate) struct Interner(HashSet<Arc<str>>);

impl Interner {
    /// Returns the one copy of `text`.
    pub fn share(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.0.get(text) {
            return known.clone();
        }
        let shared: Arc<str> = text.into();
        self.0.insert(shared.clone());
        shared
    }
}

/// Computes the hash of a [`key`], for comparing millions of names: eight bytes, with collisions unlikely within a
/// gazetteer.
pub(crate) fn key_hash(text: &str) -> u64 {
    xxh3_64(key(text).as_bytes())
}

/// Returns the form used to compare names from different sources: lower case, Latin letters without diacritics, no
/// apostrophes, any other run of characters as one space. Coarser than the engine's folding, and never stored.
pub(crate) fn key(text: &str) -> String {
    if text.is_ascii() { key_of_ascii(text) } else { key_of_any(text) }
}

/// Returns the key of an ASCII text as [`key_of_any`] does, in a fraction of the time: most names are ASCII.
fn key_of_ascii(text: &str) -> String {
    let mut key = String::with_capacity(text.len());
    let mut gap = false;
    for c in text.bytes().filter(|c| !matches!(c, b'\'' | b'`')) {
        if !c.is_ascii_alphanumeric() {
            gap = !key.is_empty();
            continue;
        }
        if std::mem::take(&mut gap) {
            key.push(' ');
        }
        key.push(char::from(c.to_ascii_lowercase()));
    }
    key
}

fn key_of_any(text: &str) -> String {
    let mut key = String::with_capacity(text.len());
    let mut gap = false;
    for c in text.nfkd().flat_map(char::to_lowercase) {
        if is_apostrophe(c) || is_latin_mark(c) {
            continue;
        }
        if !c.is_alphanumeric() && !is_combining_mark(c) {
            gap = !key.is_empty();
            continue;
        }
        if std::mem::take(&mut gap) {
            key.push(' ');
        }
        if c.is_ascii() {
            key.push(c);
            continue;
        }
        match c.script() {
            Script::Latin => key.push_str(&any_ascii::any_ascii_char(c).to_ascii_lowercase()),
            _ => key.push(c),
        }
    }
    key
}

/// Tells whether a character is a combining mark in Unicode's block for Latin, Greek and Cyrillic.
fn is_latin_mark(c: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&c)
}

/// Tells whether a character is used for an apostrophe, an ayin or a soft sign in romanised names.
pub(crate) fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | '‘' | '`' | '´' | 'ʻ' | 'ʼ' | 'ʾ' | 'ʿ' | '′' | 'ʹ')
}

/// Returns the script of the letters of `text`: `None` if it has no letters, [`Script::Common`] if it mixes scripts.
pub(crate) fn script(text: &str) -> Option<Script> {
    let mut found = None;
    // Most letters are ASCII, and need no table.
    let script_of = |c: char| if c.is_ascii() { Script::Latin } else { c.script() };
    for script in text.chars().filter(|c| c.is_alphabetic()).map(script_of) {
        if matches!(script, Script::Common | Script::Inherited) {
            continue;
        }
        match found {
            None => found = Some(script),
            Some(earlier) if earlier == script || is_japanese(earlier) && is_japanese(script) => {}
            Some(_) => return Some(Script::Common),
        }
    }
    found
}

/// Tells whether a script is one of Japanese: Han and the two kana are written together.
fn is_japanese(script: Script) -> bool {
    matches!(script, Script::Han | Script::Hiragana | Script::Katakana)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares every pair of ASCII characters, alone and inside a name.
    #[test]
    fn the_fast_way_gives_the_same_keys() {
        for (a, b) in ascii().flat_map(|a| ascii().map(move |b| (a, b))) {
            for text in [format!("{a}{b}"), format!("A{a}x{b}Z")] {
                assert_eq!(key_of_ascii(&text), key_of_any(&text), "{text:?}");
            }
        }
    }

    fn ascii() -> impl Iterator<Item = char> {
        (0..128u8).map(char::from)
    }

    #[test]
    fn keys() {
        check_key("Sant Julià de Lòria", "sant julia de loria");
        check_key("‘Ajmān", "ajman");
        check_key("Ra’s al Khaymah", "ras al khaymah");
        check_key("Łódź / LODZ", "lodz lodz");
        check_key("Straße", "strasse");
        check_key("İzmir", "izmir");
        check_key("Diyarbakır", "diyarbakir");
        check_key("Киев", "киев");
        check_key("--", "");
    }

    fn check_key(input: &str, expect: &str) {
        assert_eq!(key(input), expect, "{input:?}");
    }

    #[test]
    fn scripts() {
        check_script("Zürich 7", Some(Script::Latin));
        check_script("Горки-2", Some(Script::Cyrillic));
        check_script("東京スカイツリー", Some(Script::Han));
        check_script("Məskəү", Some(Script::Common));
        check_script("12-3", None);
    }

    fn check_script(input: &str, expect: Option<Script>) {
        assert_eq!(script(input), expect, "{input:?}");
    }
}
