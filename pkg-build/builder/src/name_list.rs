//! Collects the names of one record: the display name first, every other name once, in its best class.

use std::borrow::Cow;
use std::collections::HashSet;

use toponym_engine::{Name, NameClass};
use xxhash_rust::xxh3::xxh3_64;

use crate::simplified::simplify;
use crate::text::key;

/// The tag of names as signs in the place itself show them, whatever their language. BCP 47 leaves tags of this form to other uses.
const LOCAL: &str = "local";

/// The tags of Chinese: names are tagged with the first, whatever characters they are written in.
const CHINESE: &str = "zh";
const TRADITIONAL_CHINESE: &str = "zh-Hant";

/// The names collected so far.
#[derive(Clone, Debug)]
pub(crate) struct NameList {
    names: Vec<Name>,
    /// Hash of the key of each name; `None` if the key is empty.
    keys: Vec<Option<u64>>,
    /// Languages in which the display name is the name.
    shown_in: HashSet<String>,
}

impl NameList {
    /// Creates a list that begins with the display name.
    pub fn new(display: impl Into<String>) -> Self {
        let text = display.into();
        let keys = vec![key_of(&text)];
        Self { names: vec![Name { text, class: NameClass::Primary, lang: None }], keys, shown_in: HashSet::new() }
    }

    /// Adds a name whose class is a guess. If a tagged name with the same key exists, that name's class is kept.
    pub fn add_guess(&mut self, text: &str, class: NameClass) {
        let known = self.first_with(key_of(text)).map(|index| &self.names[index]);
        if known.is_none_or(|name| name.lang.is_none()) {
            self.add(text, class);
        }
    }

    /// Adds a name without a language. If a name with the same key exists, it keeps the better of the two classes.
    pub fn add(&mut self, text: &str, class: NameClass) {
        let text = text.trim();
        // The display name is a primary one already.
        if text == self.names[0].text {
            return;
        }
        let key = key_of(text);
        if let Some(index) = self.first_with(key) {
            let known = &mut self.names[index];
            known.class = known.class.min(class);
        } else if key.is_some() {
            self.push(key, Name { text: text.to_owned(), class, lang: None });
        }
    }

    /// Adds a name in a language, of Chinese the simplified form before that in traditional characters.
    pub fn add_tagged(&mut self, text: &str, lang: &str, class: NameClass) {
        if lang == CHINESE
            && let Cow::Owned(simple) = simplify(text)
        {
            self.add_in_language(&simple, CHINESE, class);
            self.add_in_language(text, TRADITIONAL_CHINESE, class);
        } else {
            self.add_in_language(text, lang, class);
        }
    }

    /// Adds a name in a language as it is written. The same text in two languages is kept twice, so that each language finds its own; a
    /// regional form equal to that of its language (`ca-AD` and `ca`) is left out.
    fn add_in_language(&mut self, text: &str, lang: &str, class: NameClass) {
        let text = text.trim();
        if text == self.names[0].text {
            self.shown_in.insert(lang.to_owned());
            return;
        }
        let key = key_of(text);
        if key.is_none() {
            return;
        }
        let mut class = class;
        if let Some(index) = self.first_with(key) {
            let known = &mut self.names[index];
            known.class = known.class.min(class);
            class = known.class;
            if known.text == text && known.lang.is_none() {
                known.lang = Some(lang.to_owned());
                return;
            }
        }
        if !self.names.iter().any(|name| name.text == text && name.lang.as_deref().is_some_and(|l| covers(l, lang))) {
            self.push(key, Name { text: text.to_owned(), class, lang: Some(lang.to_owned()) });
        }
    }

    fn push(&mut self, key: Option<u64>, name: Name) {
        self.keys.push(key);
        self.names.push(name);
    }

    /// Returns the index of the first name with a key.
    fn first_with(&self, key: Option<u64>) -> Option<usize> {
        self.keys.iter().position(|&known| known == key)
    }

    /// Adds the name that signs in the place itself show.
    pub fn add_local(&mut self, text: &str) {
        self.add_tagged(text, LOCAL, NameClass::Primary);
    }

    /// Tells whether there is a name with this key.
    pub fn has(&self, text: &str) -> bool {
        self.first_with(key_of(text)).is_some()
    }

    /// Iterates over the names collected so far, as written.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| name.text.as_str())
    }

    /// Returns the names: the display name, then the others in the order in which they were added, weak ones last. The first
    /// name of a language is shown in it. In a language in which the display name is the name, any other name loses its
    /// language, so that nobody is shown `Hellas` for Greece.
    pub fn finish(self) -> Vec<Name> {
        let mut names = self.names;
        for name in &mut names[1..] {
            name.lang.take_if(|lang| self.shown_in.contains(lang.as_str()));
        }
        names[1..].sort_by_key(|name| name.class == NameClass::Weak);
        // A list grows in steps of four, but most places have one name, and there may be millions of places.
        names.shrink_to_fit();
        names
    }
}

/// Returns the hash of the key of a name; `None` if the key is empty.
fn key_of(text: &str) -> Option<u64> {
    let key = key(text);
    (!key.is_empty()).then(|| xxh3_64(key.as_bytes()))
}

/// Tells whether `lang` equals `narrower` or is the language of that regional form.
fn covers(lang: &str, narrower: &str) -> bool {
    narrower.strip_prefix(lang).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chinese_is_simplified_and_kept_as_it_was() {
        let mut list = NameList::new("Milan");
        list.add_tagged("米蘭", "zh", NameClass::Other);
        list.add_tagged("米兰", "zh", NameClass::Other);
        list.add_tagged("米蘭", "ja", NameClass::Other);
        let names: Vec<_> = list.finish().into_iter().skip(1).map(|name| (name.text, name.lang)).collect();
        let expect = [("米兰", "zh"), ("米蘭", "zh-Hant"), ("米蘭", "ja")];
        assert_eq!(names, expect.map(|(text, lang)| (text.to_owned(), Some(lang.to_owned()))));
    }

    #[test]
    fn a_by_name_is_not_displayed() {
        let mut list = NameList::new("Greece");
        list.add_tagged("Hellas", "en", NameClass::English);
        list.add_tagged("Greece", "en", NameClass::Primary);
        list.add_tagged("Griechenland", "de", NameClass::Other);
        let langs: Vec<_> = list.finish().into_iter().map(|name| (name.text, name.lang)).collect();
        let expect = [("Greece", None), ("Hellas", None), ("Griechenland", Some("de"))];
        assert_eq!(langs, expect.map(|(text, lang)| (text.to_owned(), lang.map(str::to_owned))));
    }

    #[test]
    fn each_name_once_in_its_best_class() {
        let mut list = NameList::new("Munich");
        list.add("Munchen", NameClass::Weak);
        list.add("München", NameClass::Other);
        list.add("MUNICH", NameClass::Other);
        list.add_tagged("München", "de", NameClass::Primary);
        list.add_tagged("Munich", "fr", NameClass::Other);
        list.add_tagged("Múnich", "es", NameClass::Other);
        list.add_tagged("Múnich", "es", NameClass::Other);
        list.add_tagged("Múnich", "gl", NameClass::Other);
        list.add_tagged("Múnich", "es-AR", NameClass::Other);
        list.add("Monaco di Baviera", NameClass::Other);
        list.add(" - ", NameClass::Other);
        let names: Vec<_> = list.finish().into_iter().map(|name| (name.text, name.class, name.lang)).collect();
        assert_eq!(
            names,
            [
                name("Munich", NameClass::Primary, None),
                name("Munchen", NameClass::Primary, None),
                name("München", NameClass::Primary, Some("de")),
                name("Múnich", NameClass::Primary, Some("es")),
                name("Múnich", NameClass::Primary, Some("gl")),
                name("Monaco di Baviera", NameClass::Other, None),
            ]
        );
    }

    fn name(text: &str, class: NameClass, lang: Option<&str>) -> (String, NameClass, Option<String>) {
        (text.to_owned(), class, lang.map(str::to_owned))
    }
}
