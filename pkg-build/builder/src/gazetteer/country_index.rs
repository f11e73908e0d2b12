//! Looks up facts about a country that other kinds of places need: its id, importance, languages and scripts.

use std::collections::{BTreeMap, HashMap};

use toponym_engine::NameClass;
use unicode_script::Script;

use crate::importance;
use crate::sources::rows::{Country, Iso2, Tagged};
use crate::text::script;

/// One country.
#[derive(Clone, Debug)]
pub(crate) struct CountryEntry {
    /// Id of the country's record.
    pub id: u64,
    pub importance: f64,
    /// Main subtags, the most spoken first.
    pub languages: Vec<String>,
    /// The most spoken language but English, if there is one.
    pub local: Option<String>,
    /// `true` if the local language is written in other letters than Latin ones.
    pub romanizes: bool,
    /// Scripts of the first language.
    pub first_scripts: Vec<Script>,
    /// Scripts of all languages.
    pub scripts: Vec<Script>,
}

/// All countries.
#[derive(Clone, Debug, Default)]
pub(crate) struct CountryIndex(BTreeMap<Iso2, CountryEntry>);

impl CountryIndex {
    /// Creates an index of `countries`. `scripts` lists the scripts of languages that are not written in Latin letters
    /// alone. `namesakes` returns the importance of the settlement that has the name of its country.
    pub fn new(
        countries: &[Country],
        scripts: &HashMap<String, Vec<Script>>,
        namesakes: impl Fn(&Country) -> Option<f64>,
    ) -> Self {
        let land = |country: &Country| CountryEntry {
            id: crate::ids::geonames(country.id),
            importance: importance::beside_capital(own_importance(country), namesakes(country)),
            local: local(country).cloned(),
            romanizes: local(country).and_then(|lang| scripts.get(lang)).is_some_and(|of| !of.contains(&Script::Latin)),
            languages: country.languages.clone(),
            first_scripts: scripts_of(country.languages.get(..1).unwrap_or_default(), scripts),
            scripts: scripts_of(&country.languages, scripts),
        };
        Self(countries.iter().map(|country| (country.iso2, land(country))).collect())
    }

    /// Returns the country of this code.
    pub fn get(&self, code: Iso2) -> Option<&CountryEntry> {
        self.0.get(&code)
    }

    /// Returns the scripts of this country; Latin if it is unknown.
    pub fn scripts(&self, code: Iso2) -> &[Script] {
        self.get(code).map_or(&[Script::Latin], |land| land.scripts.as_slice())
    }

    /// Returns the most spoken language of this country, if `text` is written in its script.
    pub fn language_of(&self, code: Iso2, text: &str) -> Option<&str> {
        let land = self.get(code)?;
        let script = script(text)?;
        let first = land.languages.first().filter(|_| land.first_scripts.contains(&script))?;
        Some(first)
    }

    /// Tells whether names of this country are romanized.
    pub fn romanizes(&self, code: Iso2) -> bool {
        self.get(code).is_some_and(|land| land.romanizes)
    }

    /// Returns the local name of a place: `own` where it is written in Latin letters, else the first of `names` in the local
    /// language.
    pub fn local_name<'n>(
        &self,
        code: Iso2,
        own: &'n str,
        mut names: impl Iterator<Item = &'n Tagged>,
    ) -> Option<&'n str> {
        let land = self.get(code)?;
        if !land.romanizes {
            return Some(own);
        }
        names.find(|name| Some(&name.lang) == land.local.as_ref()).map(|name| name.text.as_str())
    }

    /// Returns the class of a name in `lang` for a place in this country. In a language that fewer of its people speak it is as good
    /// a name, but not what a few letters mean: `gur` does not begin Georgia because some there say Gürcüstan.
    pub fn class_of(&self, code: Iso2, lang: &str) -> NameClass {
        let main = lang.split('-').next().unwrap_or(lang);
        let rank = self.get(code).and_then(|land| land.languages.iter().position(|language| language == main));
        match rank {
            Some(rank) if rank < MAIN_LANGUAGES || main == "en" => NameClass::Primary,
            Some(_) => NameClass::English,
            None if main == "en" => NameClass::English,
            None => NameClass::Other,
        }
    }
}

/// Number of the most spoken languages of a country, names in which are those that most people there begin to type.
const MAIN_LANGUAGES: usize = 2;

fn own_importance(country: &Country) -> f64 {
    importance::country(country.population, country.area_km2)
}

/// Returns the language in which the signs of a country are written, for most of its people.
fn local(country: &Country) -> Option<&String> {
    country.languages.iter().find(|lang| *lang != "en").or(country.languages.first())
}

/// Returns the scripts of all languages in the table, and Latin if the first language is not in it.
fn scripts_of(languages: &[String], table: &HashMap<String, Vec<Script>>) -> Vec<Script> {
    let latin = languages.first().is_none_or(|first| !table.contains_key(first)).then_some(Script::Latin);
    let mut scripts: Vec<Script> = latin.into_iter().collect();
    for script in languages.iter().filter_map(|language| table.get(language)).flatten() {
        if !scripts.contains(script) {
            scripts.push(*script);
        }
    }
    scripts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn country_index() -> CountryIndex {
        let table =
            HashMap::from([("ru".to_owned(), vec![Script::Cyrillic]), ("hi".to_owned(), vec![Script::Devanagari])]);
        CountryIndex::new(
            &[country(b"RU", &["ru", "tt"]), country(b"IN", &["en", "hi"]), country(b"CH", &["de", "fr", "it"])],
            &table,
            |_| None,
        )
    }

    fn country(iso2: &Iso2, languages: &[&str]) -> Country {
        Country {
            iso2: *iso2,
            iso3: String::new(),
            id: 1,
            name: String::new(),
            capital: String::new(),
            area_km2: 1.0,
            population: 1,
            continent: toponym_engine::coverage::Continent::Europe,
            languages: languages.iter().map(|&language| language.to_owned()).collect(),
        }
    }

    #[test]
    fn scripts_of_countries() {
        check_scripts(b"RU", &[Script::Cyrillic]);
        check_scripts(b"IN", &[Script::Latin, Script::Devanagari]);
        check_scripts(b"CH", &[Script::Latin]);
        check_scripts(b"XX", &[Script::Latin]);
    }

    fn check_scripts(code: &Iso2, expect: &[Script]) {
        assert_eq!(country_index().scripts(*code), expect);
    }

    #[test]
    fn classes_of_languages() {
        check_class(b"CH", "fr", NameClass::Primary);
        check_class(b"CH", "fr-CA", NameClass::Primary);
        check_class(b"CH", "it", NameClass::English);
        check_class(b"CH", "en", NameClass::English);
        check_class(b"IN", "en", NameClass::Primary);
        check_class(b"RU", "fr", NameClass::Other);
        check_class(b"XX", "fr", NameClass::Other);
    }

    fn check_class(code: &Iso2, lang: &str, expect: NameClass) {
        assert_eq!(country_index().class_of(*code, lang), expect, "{lang}");
    }
}
