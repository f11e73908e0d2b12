//! Additions of sources to the names of settlements: a linking word and another name (Huixquilucan de Degollado), or a word
//! for the kind (Gorod Shebekino). The table `data/tables/name-additions.csv` has the words, each with the language that
//! uses it.

use std::collections::BTreeMap;

use super::matcher::Core;
use crate::sources::rows::Iso2;
use crate::sources::tables::{AdditionWord, Place};
use crate::text::{key, key_hash};

/// The words of each country, by its languages: keys, with the spaces beside them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Additions(BTreeMap<Iso2, Vec<(Place, String)>>);

impl Additions {
    /// Gives each country the words of its languages.
    pub fn new<'c>(words: &[AdditionWord], countries: impl IntoIterator<Item = (Iso2, &'c [String])>) -> Self {
        let of_country = |(country, languages): (Iso2, &[String])| {
            (
                country,
                words
                    .iter()
                    .filter(|word| languages.contains(&word.language))
                    .map(|word| (word.place, with_spaces(word)))
                    .collect(),
            )
        };
        Self(countries.into_iter().map(of_country).collect())
    }

    /// Returns the name without what is added to it; `None` if nothing is. A word for the kind is looked for first.
    pub fn without(&self, name: &str, country: Iso2) -> Option<Core> {
        let words = self.0.get(&country).filter(|words| !words.is_empty())?;
        // What follows a slash is another name, or a part of the place.
        let may_be_linked = !name.contains('/');
        let name = key(name);
        let kind = words.iter().find_map(|(place, word)| match place {
            Place::Before => name.strip_prefix(word.as_str()),
            Place::Behind => name.strip_suffix(word.as_str()),
            Place::Between => None,
        });
        let links = words.iter().filter(|(place, _)| *place == Place::Between && may_be_linked);
        let before_link = || links.filter_map(|(_, word)| name.find(word.as_str())).min().map(|at| &name[..at]);
        match kind {
            Some(core) => Some(Core { key: key_hash(core), is_linked: false }),
            None => before_link().map(|core| Core { key: key_hash(core), is_linked: true }),
        }
    }
}

fn with_spaces(AdditionWord { word, place, .. }: &AdditionWord) -> String {
    match place {
        Place::Before => format!("{} ", key(word)),
        Place::Behind => format!(" {}", key(word)),
        Place::Between => format!(" {} ", key(word)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_countrys_languages_are_additions() {
        let words = [
            word("Ciudad de", Place::Before, "es"),
            word("Gorod", Place::Before, "ru"),
            word("Dorfkern", Place::Behind, "de"),
            word("de", Place::Between, "es"),
            word("im", Place::Between, "de"),
        ];
        let [es, ru, de] = ["es", "ru", "de"].map(|language| ["en".to_owned(), language.to_owned()]);
        let countries = [(*b"MX", &es[..]), (*b"RU", &ru[..]), (*b"CH", &de[..])];
        let additions = Additions::new(&words, countries);
        let check = |country: &Iso2, name: &str, expect: Option<(&str, bool)>| {
            let expect = expect.map(|(core, is_linked)| Core { key: key_hash(core), is_linked });
            assert_eq!(additions.without(name, *country), expect, "{name}");
        };
        check(b"MX", "Huixquilucan de Degollado", Some(("Huixquilucan", true)));
        check(b"MX", "Ciudad de Atlixco", Some(("Atlixco", false)));
        check(b"MX", "Santa María de los Ángeles de Abajo", Some(("Santa Maria", true)));
        check(b"MX", "De la Cruz", None);
        check(b"MX", "Gorod Shebekino", None);
        check(b"RU", "Gorod Shebekino", Some(("Shebekino", false)));
        check(b"RU", "Gorod", None);
        check(b"CH", "Embrach (Dorfkern)", Some(("Embrach", false)));
        check(b"CH", "Haus im Ennstal", Some(("Haus", true)));
        check(b"CH", "Urdorf / Im Zentrum", None);
        check(b"FR", "Haus im Ennstal", None);
    }

    fn word(word: &str, place: Place, language: &str) -> AdditionWord {
        AdditionWord { word: word.into(), place, language: language.into() }
    }
}
