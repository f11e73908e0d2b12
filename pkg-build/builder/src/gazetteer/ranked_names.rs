//! Adds names whose source states their language and usage.

use toponym_engine::NameClass;

use super::country_index::CountryIndex;
use crate::name_list::NameList;
use crate::names::is_code;
use crate::sources::rows::{Iso2, RankedName, Usage};

/// Adds the names to the list of a place in `country`.
pub(crate) fn add_ranked(list: &mut NameList, ranked: &[RankedName], country: Iso2, country_index: &CountryIndex) {
    let mut ranked: Vec<&RankedName> = ranked.iter().collect();
    ranked.sort_by_key(|name| name.usage);
    for name in ranked.iter().copied() {
        match name.name.lang.as_str() {
            "" => list.add(&name.name.text, NameClass::Weak),
            lang => list.add_tagged(&name.name.text, lang, class(name, &ranked, country, country_index)),
        }
    }
}

/// Returns the class of a name: a weaker one than that of the preferred name of its language, so that the preferred one
/// is shown.
fn class(name: &RankedName, all: &[&RankedName], country: Iso2, country_index: &CountryIndex) -> NameClass {
    let class = country_index.class_of(country, &name.name.lang);
    // Initials, as of the Grand Egyptian Museum, are not what most people mean who type so.
    let class = if is_code(&name.name.text) { class.max(NameClass::Other) } else { class };
    match name.usage {
        Usage::Preferred => class,
        Usage::Usual
            if all.iter().any(|other| other.usage == Usage::Preferred && other.name.lang == name.name.lang) =>
        {
            class.max(NameClass::English)
        }
        Usage::Usual => class,
        Usage::Weak => NameClass::Weak,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::rows::Tagged;

    #[test]
    fn the_preferred_name_stands_first() {
        let names = [
            name("en", "Cologne on the Rhine", Usage::Usual),
            name("fr", "Colonne", Usage::Usual),
            name("fr", "Cologne", Usage::Preferred),
            name("la", "Colonia", Usage::Weak),
            name("en", "COL", Usage::Usual),
        ];
        let mut list = NameList::new("Köln");
        add_ranked(&mut list, &names, *b"DE", &CountryIndex::default());
        let classes: Vec<_> = list.finish().into_iter().map(|name| (name.text, name.class)).collect();
        let expect = [
            ("Köln", NameClass::Primary),
            ("Cologne", NameClass::Other),
            ("Cologne on the Rhine", NameClass::English),
            ("Colonne", NameClass::Other),
            ("COL", NameClass::Other),
            ("Colonia", NameClass::Weak),
        ];
        assert_eq!(classes, expect.map(|(text, class)| (text.to_owned(), class)));
    }

    fn name(lang: &str, text: &str, usage: Usage) -> RankedName {
        RankedName { name: Tagged { lang: lang.into(), text: text.into() }, usage }
    }
}
