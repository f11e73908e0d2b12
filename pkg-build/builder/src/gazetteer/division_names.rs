//! Cleans names of divisions for display: "Département de l'Ain" becomes "Ain", "Volta Region" becomes "Volta", but
//! "Northern Region", "Cook County" and "Moscow Oblast" are kept.
//!
//! The table `data/tables/division-words.csv` says which words are dropped.

use toponym_engine::NameClass;

use crate::sources::rows::Iso2;
use crate::sources::tables::{Display, DivisionWord, Position};
use crate::text::key;

/// A division's display name, and its other names with their class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DivisionNames {
    pub display: String,
    pub others: Vec<(String, NameClass)>,
}

/// Words that are not a name on their own, such as what would remain of "Northern Region".
const QUALIFIERS: &str = "\
    administrative area autonomous capital center central centre coast coastal east eastern federal greater \
    lower metropolitan middle mid municipal nacional national north northeast northeastern northern northwest \
    northwestern of outer regional rural south southeast southeastern southern southwest southwestern special \
    the union upper urban west western";

/// Returns the names for `name`, a division in `country`.
pub(crate) fn division_names(name: &str, country: Iso2, words: &[DivisionWord]) -> DivisionNames {
    let (whole, aside) = without_aside(name.trim().trim_end_matches('\''));
    let mut others: Vec<(String, NameClass)> = aside.into_iter().map(|text| (text, NameClass::Other)).collect();
    let local = words.iter().filter(|word| word.country.is_empty() || word.country.as_bytes() == country);
    // The longest word that fits: "Politischer Bezirk" before "Bezirk".
    let fitting = local.filter_map(|word| Some((word, rest(&whole, word)?))).max_by_key(|(word, _)| word.word.len());
    match fitting {
        Some((word, rest)) if word.display == Display::Drop => {
            let display = capitalise(rest);
            others.insert(0, (whole, NameClass::Primary));
            DivisionNames { display, others }
        }
        Some((_, rest)) => {
            others.insert(0, (rest.to_owned(), NameClass::Weak));
            DivisionNames { display: whole, others }
        }
        None => DivisionNames { display: whole, others },
    }
}

/// Splits off a remark in brackets: `Zabaykalskiy (Transbaikal) Kray` is `Zabaykalskiy Kray` and `Transbaikal`.
fn without_aside(name: &str) -> (String, Option<String>) {
    let Some((before, after)) = name.split_once('(') else { return (name.to_owned(), None) };
    let (aside, after) = after.split_once(')').unwrap_or((after, ""));
    let whole = format!("{} {}", before.trim(), after.trim()).trim().to_owned();
    let aside = aside.trim().to_owned();
    if whole.is_empty() { (aside, None) } else { (whole, Some(aside)) }
}

/// Returns `name` without `word`; `None` if it does not contain the word, or if no name remains.
fn rest<'n>(name: &'n str, word: &DivisionWord) -> Option<&'n str> {
    let joined = word.word.ends_with(['\'', '’']) || word.word.starts_with('-');
    let rest = match word.position {
        Position::Prefix => name.strip_prefix(word.word.as_str()).filter(|rest| joined || rest.starts_with(' ')),
        Position::Suffix => name.strip_suffix(word.word.as_str()).filter(|rest| joined || rest.ends_with(' ')),
    }?;
    let rest = rest.trim();
    let is_name = key(rest).split(' ').any(|part| !part.is_empty() && !QUALIFIERS.split(' ').any(|word| word == part));
    is_name.then_some(rest)
}

fn capitalise(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::sources::tables::Tables;

    #[test]
    fn display_names() {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        let words = Tables::read(root).expect("the tables can be read").words;
        let check = |country: &[u8; 2], name: &str, expect: &str| {
            assert_eq!(division_names(name, *country, &words).display, expect, "{name:?}");
        };
        check(b"FR", "Île-de-France", "Île-de-France");
        check(b"FR", "Département de l'Ain", "Ain");
        check(b"FR", "Département de la Haute-Savoie", "Haute-Savoie");
        check(b"GH", "Volta Region", "Volta");
        check(b"GH", "Northern Region", "Northern Region");
        check(b"PH", "National Capital Region", "National Capital Region");
        check(b"US", "Cook County", "Cook County");
        check(b"US", "District of Columbia", "District of Columbia");
        check(b"RU", "Moscow Oblast", "Moscow Oblast");
        check(b"RU", "Leningradskaya Oblast'", "Leningradskaya Oblast");
        check(b"RU", "Zabaykalskiy (Transbaikal) Kray", "Zabaykalskiy Kray");
        check(b"AT", "Politischer Bezirk Graz-Umgebung", "Graz-Umgebung");
        check(b"DE", "State of Berlin", "Berlin");
        check(b"NL", "Gemeente Amsterdam", "Amsterdam");
        check(b"ID", "Kota Cirebon", "Cirebon");
        check(b"MY", "Kota Kinabalu", "Kota Kinabalu");
        check(b"AR", "Distrito Federal", "Distrito Federal");
        check(b"TR", "Özalp İlçesi", "Özalp");
        check(b"VN", "Ho Chi Minh City (HCMC)", "Ho Chi Minh City");
    }

    #[test]
    fn other_names() {
        let words = [
            DivisionWord {
                word: "County".into(),
                position: Position::Suffix,
                display: Display::Keep,
                country: String::new(),
            },
            DivisionWord {
                word: "Gemeente".into(),
                position: Position::Prefix,
                display: Display::Drop,
                country: String::new(),
            },
        ];
        let check = |name: &str, expect: &[(&str, NameClass)]| {
            let others = division_names(name, *b"US", &words).others;
            let others: Vec<_> = others.iter().map(|(text, class)| (text.as_str(), *class)).collect();
            assert_eq!(others, expect, "{name:?}");
        };
        check("Cook County", &[("Cook", NameClass::Weak)]);
        check("Gemeente Delft", &[("Gemeente Delft", NameClass::Primary)]);
        check("Hanoi (Ha Noi)", &[("Ha Noi", NameClass::Other)]);
    }
}
