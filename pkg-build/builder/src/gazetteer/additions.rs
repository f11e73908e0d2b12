//! Additions of sources to the names of settlements: a linking word and another name (Huixquilucan de Degollado), a remark (Winsen
//! (Aller)), a word for the kind (Gorod Shebekino), or the name of a numbered part of a city (Paris 06 Luxembourg). The table
//! `data/tables/name-additions.csv` has the words, each with the language that uses it.

use std::collections::{BTreeMap, BTreeSet};

use super::matcher::{Addition, Core};
use crate::sources::rows::Iso2;
use crate::sources::tables::{AdditionWord, Place};
use crate::text::{key, key_hash};

/// Additions that names may have.
#[derive(Clone, Debug, Default)]
pub(crate) struct Additions {
    /// The words of each country, by its languages: keys, with the spaces beside them.
    of_country: BTreeMap<Iso2, Vec<(Place, String)>>,
    /// Words for kinds, folded.
    kinds: BTreeSet<String>,
}

/// Endings of ordinal numbers: the 6th arrondissement, le 6e.
const ORDINALS: [&str; 7] = ["", "st", "nd", "rd", "th", "e", "er"];

impl Additions {
    /// Gives each country the words of its languages. `kinds` are the folded words for kinds.
    pub fn new<'c>(
        words: &[AdditionWord],
        countries: impl IntoIterator<Item = (Iso2, &'c [String])>,
        kinds: &BTreeSet<String>,
    ) -> Self {
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
        Self { of_country: countries.into_iter().map(of_country).collect(), kinds: kinds.clone() }
    }

    /// Returns the name without what is added to it; `None` if nothing is. A word for the kind is looked for first, then a remark.
    pub fn without(&self, name: &str, country: Iso2) -> Option<Core> {
        let words = self.of_country.get(&country).map_or(&[][..], Vec::as_slice);
        // What follows a slash is another name, or a part of the place.
        let may_be_linked = !name.contains('/');
        let before_remark = name.split_once(" (").filter(|_| may_be_linked).map(|(name, _)| key_hash(name));
        let name = key(name);
        let kind = words.iter().find_map(|(place, word)| match place {
            Place::Before => name.strip_prefix(word.as_str()),
            Place::Behind => name.strip_suffix(word.as_str()),
            Place::Between => None,
        });
        let links = words.iter().filter(|(place, _)| *place == Place::Between && may_be_linked);
        let before_link =
            || links.filter_map(|(_, word)| name.find(word.as_str())).min().map(|at| key_hash(&name[..at]));
        match kind {
            Some(core) => Some(Core { key: key_hash(core), addition: Addition::Kind }),
            None => before_remark.or_else(before_link).map(|key| Core { key, addition: Addition::Link }),
        }
    }

    /// Returns the name of a part of a city up to its number, and whether that and a word for the kind are all: `Lyon 07`, `Lyon 7th
    /// arrondissement`, but not `Paris 06 Luxembourg`.
    pub fn up_to_number(&self, name: &str) -> Option<(Core, bool)> {
        if name.contains('/') {
            return None;
        }
        let name = key(name);
        let words: Vec<&str> = name.split(' ').collect();
        let (at, number) = words.iter().enumerate().skip(1).find_map(|(at, word)| Some((at, ordinal(word)?)))?;
        let key = key_hash(&format!("{} {number}", words[..at].join(" ")));
        let is_all = words[at + 1..].iter().all(|word| self.kinds.contains(*word));
        Some((Core { key, addition: Addition::Number }, is_all))
    }
}

/// Reads a number: `06`, `6th`.
fn ordinal(word: &str) -> Option<u32> {
    let digits = word.trim_end_matches(|c: char| !c.is_ascii_digit());
    ORDINALS.contains(&&word[digits.len()..]).then(|| digits.parse().ok()).flatten()
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
        let additions = Additions::new(&words, countries, &["arrondissement".to_owned()].into());
        let check = |country: &Iso2, name: &str, expect: Option<(&str, bool)>| {
            let addition = |is_linked| if is_linked { Addition::Link } else { Addition::Kind };
            let expect = expect.map(|(core, is_linked)| Core { key: key_hash(core), addition: addition(is_linked) });
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
        check(b"FR", "Ville (Mer)", Some(("Ville", true)));
        check(b"FR", "Ville (Mer) / Port", None);
    }

    #[test]
    fn parts_of_cities_have_numbers() {
        let additions = Additions { kinds: ["arrondissement".to_owned()].into(), ..Additions::default() };
        let check = |name: &str, expect: Option<(&str, bool)>| {
            let expect =
                expect.map(|(core, is_all)| (Core { key: key_hash(core), addition: Addition::Number }, is_all));
            assert_eq!(additions.up_to_number(name), expect, "{name}");
        };
        check("Lyon 07", Some(("Lyon 7", true)));
        check("Lyon 7th arrondissement", Some(("Lyon 7", true)));
        check("Paris 11e Arrondissement", Some(("Paris 11", true)));
        check("Paris 06 Luxembourg", Some(("Paris 6", false)));
        check("Bairro 25 de Junho B", Some(("Bairro 25", false)));
        check("Zürich (Kreis 5) / Escher-Wyss", None);
        check("7th Ward", None);
        check("Area B7x", None);
    }

    fn word(word: &str, place: Place, language: &str) -> AdditionWord {
        AdditionWord { word: word.into(), place, language: language.into() }
    }
}
