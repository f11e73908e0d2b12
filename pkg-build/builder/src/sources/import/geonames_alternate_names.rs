//! GeoNames `alternateNamesV2.txt` (ten columns; the older `alternateNames.txt` has the first eight): names with their
//! language and use, for the places that are kept.

use serde::{Deserialize, Serialize};

use super::ImportFile;
use super::languages::Languages;
use super::row_reader::{Fault, each_line, fault, number};
use crate::error::BuildError;
use crate::sources::rows::{RankedName, Tagged, Usage};
use crate::sources::tagged_names::is_language;

/// A name of the place of GeoNames with this id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Alternate {
    Ranked(RankedName),
    /// A name without a language.
    Untagged(String),
    Iata(String),
    Icao(String),
}

/// Calls `keep` with every name of a place that is `wanted`, and the place's id.
pub(crate) fn read(
    file: &ImportFile,
    wanted: impl Fn(u64) -> bool,
    languages: &Languages,
    mut keep: impl FnMut(u64, Alternate),
) -> Result<u64, BuildError> {
    each_line(file, |_, line| {
        if let Some((id, alternate)) = row(line, &wanted, languages)? {
            keep(id, alternate);
        }
        Ok(())
    })
}

fn row(line: &str, wanted: impl Fn(u64) -> bool, languages: &Languages) -> Result<Option<(u64, Alternate)>, Fault> {
    let mut columns = line.split('\t');
    let mut next = || columns.next();
    let (Some(_), Some(id), Some(lang), Some(text)) = (next(), next(), next(), next()) else {
        return Err(fault("", "has fewer than 8 columns between tabs"));
    };
    let flags = [next(), next(), next(), next()];
    let id: u64 = number("geonameid", id)?;
    if flags.contains(&None) {
        return Err(fault("", "has fewer than 8 columns between tabs"));
    }
    let text = text.trim();
    if text.is_empty() || !wanted(id) {
        return Ok(None);
    }
    let [preferred, short, colloquial, historic] = flags.map(|flag| flag == Some("1"));
    let usage = if short || colloquial || historic {
        Usage::Weak
    } else if preferred {
        Usage::Preferred
    } else {
        Usage::Usual
    };
    let ranked =
        || Alternate::Ranked(RankedName { name: Tagged { lang: lang.to_owned(), text: text.to_owned() }, usage });
    Ok(match lang {
        "" if usage == Usage::Usual => Some(Alternate::Untagged(text.to_owned())),
        "iata" => Some(Alternate::Iata(text.to_owned())),
        "icao" => Some(Alternate::Icao(text.to_owned())),
        _ if is_language(lang) => {
            languages.take("isolanguage", lang)?;
            Some(ranked())
        }
        // GeoNames uses the same column for other kinds of entries, with four letters or more: `abbr`, `link`, `post`,
        // `wkdt`, `unlc`, `faac`, `phon`, `piny`, `fr_1793`, `tcid`. Nobody types those as names.
        _ => None,
    }
    .map(|alternate| (id, alternate)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_what_is_none() {
        check("1\t7\tde\tKöln\t1\t\t\t\t\t", ranked_name("de", "Köln", Usage::Preferred));
        check("1\t7\tksh\tKölle\t\t\t\t\t\t", ranked_name("ksh", "Kölle", Usage::Usual));
        check("1\t7\tzh-Hant\t科隆\t\t\t\t", ranked_name("zh-Hant", "科隆", Usage::Usual));
        check("1\t7\ten\tThe City\t1\t\t1\t\t\t", ranked_name("en", "The City", Usage::Weak));
        check("1\t7\ten\tCgn\t\t1\t\t\t\t", ranked_name("en", "Cgn", Usage::Weak));
        check("1\t7\tla\tColonia\t\t\t\t1\t-50\t500", ranked_name("la", "Colonia", Usage::Weak));
        check("1\t7\t\tKoeln\t\t\t\t\t\t", Some(Alternate::Untagged("Koeln".into())));
        check("1\t7\tiata\tCGN\t\t\t\t\t\t", Some(Alternate::Iata("CGN".into())));
        check("1\t7\ticao\tEDDK\t\t\t\t\t\t", Some(Alternate::Icao("EDDK".into())));
        for lang in ["post", "link", "wkdt", "abbr", "unlc", "faac", "fr_1793", "piny"] {
            check(&format!("1\t7\t{lang}\t50667\t\t\t\t\t\t"), None);
        }
        check("1\t8\tde\tBonn\t\t\t\t\t\t", None);
        assert_eq!(
            row("1\tx\tde\tBonn\t\t\t\t\t\t", |_| true, &Languages::default()).expect_err("no id").field,
            "geonameid"
        );
        assert!(row("1\t7\tde\tBonn", |_| true, &Languages::default()).is_err());
    }

    fn ranked_name(lang: &str, text: &str, usage: Usage) -> Option<Alternate> {
        Some(Alternate::Ranked(RankedName { name: Tagged { lang: lang.into(), text: text.into() }, usage }))
    }

    fn check(line: &str, expect: Option<Alternate>) {
        let found = row(line, |id| id == 7, &Languages::default()).expect("the row is whole");
        assert_eq!(found, expect.map(|alternate| (7, alternate)), "{line:?}");
    }
}
