//! Names whose source tells their language and their use.

use toponym_engine::NameClass;

use super::lands::Lands;
use crate::name_list::NameList;
use crate::sources::rows::{Iso2, Told, Usage};

/// Adds the names to the list of a place in `country`.
pub(crate) fn add_told(list: &mut NameList, told: &[Told], country: Iso2, lands: &Lands) {
    for name in told {
        list.add_tagged(&name.name.text, &name.name.lang, class(name, told, country, lands));
    }
}

/// A name that is not the preferred one of its language stands behind that one, so that it is not the one shown.
fn class(name: &Told, all: &[Told], country: Iso2, lands: &Lands) -> NameClass {
    let class = lands.class_of(country, &name.name.lang);
    let preferred = |other: &Told| other.usage == Usage::Preferred && other.name.lang == name.name.lang;
    match name.usage {
        Usage::Preferred => class,
        Usage::Usual if all.iter().any(preferred) => class.max(NameClass::English),
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
        let told =
            |lang: &str, text: &str, usage| Told { name: Tagged { lang: lang.into(), text: text.into() }, usage };
        let names = [
            told("en", "Cologne on the Rhine", Usage::Usual),
            told("fr", "Colonne", Usage::Usual),
            told("fr", "Cologne", Usage::Preferred),
            told("la", "Colonia", Usage::Weak),
        ];
        let mut list = NameList::new("Köln");
        add_told(&mut list, &names, *b"DE", &Lands::default());
        let classes: Vec<_> = list.finish().into_iter().map(|name| (name.text, name.class)).collect();
        let expect = [
            ("Köln", NameClass::Primary),
            ("Cologne on the Rhine", NameClass::English),
            ("Cologne", NameClass::Other),
            ("Colonne", NameClass::Other),
            ("Colonia", NameClass::Weak),
        ];
        assert_eq!(classes, expect.map(|(text, class)| (text.to_owned(), class)));
    }
}
