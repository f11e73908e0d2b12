//! Reads the country names of Unicode CLDR: `main/LOCALE/territories.json`.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::File;
use super::rows::{Iso2, Tagged};
use crate::error::BuildError;

/// A country's name in one locale.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TerritoryName {
    pub country: Iso2,
    pub name: Tagged,
    /// CLDR's `alt`: `short`, `variant`, ...; `None` for the usual name.
    pub alt: Option<String>,
}

#[derive(Deserialize)]
struct Document {
    main: BTreeMap<String, Locale>,
}

#[derive(Deserialize)]
struct Locale {
    #[serde(rename = "localeDisplayNames")]
    names: Names,
}

#[derive(Deserialize)]
struct Names {
    territories: BTreeMap<String, String>,
}

/// Reads the names in all locales, in order of the locale, so that a language comes before its regional forms.
pub(crate) fn read(files: &[File]) -> Result<Vec<TerritoryName>, BuildError> {
    let mut names = Vec::new();
    for file in files.iter().filter(|file| file.path.ends_with("/territories.json")) {
        let document: Document = file.json()?;
        for (lang, locale) in document.main.into_iter().filter(|(lang, _)| !is_in_unused_script(lang)) {
            names.extend(locale.names.territories.into_iter().filter_map(|(key, text)| territory(&key, &lang, text)));
        }
    }
    names.sort_by(|a, b| (&a.name.lang, a.country, &a.alt).cmp(&(&b.name.lang, b.country, &b.alt)));
    Ok(names)
}

/// Tells whether a locale writes English in the Deseret or Shavian alphabet, which nobody types: their names filled 10 kB of the root of
/// an index in pages.
fn is_in_unused_script(lang: &str) -> bool {
    lang.split('-').any(|part| matches!(part, "Dsrt" | "Shaw"))
}

/// Reads a name from a key such as `US` or `US-alt-short`; regions such as `150` and untranslated codes have none.
fn territory(key: &str, lang: &str, text: String) -> Option<TerritoryName> {
    let (code, alt) = match key.split_once("-alt-") {
        Some((code, alt)) => (code, Some(alt.to_owned())),
        None => (key, None),
    };
    let country = Iso2::try_from(code.as_bytes()).ok().filter(|code| code.iter().all(u8::is_ascii_uppercase))?;
    (text != code).then(|| TerritoryName { country, name: Tagged { lang: lang.to_owned(), text }, alt })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::test_file;

    #[test]
    fn countries_only() {
        let text = r#"{"main": {"fr": {"identity": {"language": "fr"}, "localeDisplayNames": {"territories":
            {"001": "Monde", "FR": "France", "GB-alt-short": "R.-U.", "XA": "XA"}}}}}"#;
        let read = read(&[test_file("main/fr/territories.json", text)]).expect("the document is whole");
        let found: Vec<_> = read.iter().map(|n| (n.country, n.name.text.as_str(), n.alt.as_deref())).collect();
        assert_eq!(found, [(*b"FR", "France", None), (*b"GB", "R.-U.", Some("short"))]);
        assert_eq!(read[0].name.lang, "fr");
    }

    #[test]
    fn unused_scripts_are_skipped() {
        let file = |lang: &str| {
            let text = r#"{"main": {"LANG": {"localeDisplayNames": {"territories": {"FR": "Name"}}}}}"#;
            test_file(&format!("main/{lang}/territories.json"), text.replace("LANG", lang))
        };
        let read = read(&["en-Dsrt", "en-Shaw", "sr-Latn"].map(file)).expect("the documents are whole");
        let langs: Vec<_> = read.iter().map(|name| name.name.lang.as_str()).collect();
        assert_eq!(langs, ["sr-Latn"]);
    }
}
