//! Reads ISO 3166-2 subdivisions and their translations from `pycountry`: one JSON list, and one gettext catalogue per
//! language with the names of that list as keys.

use gettext::Catalog;
use serde::Deserialize;

use super::File;
use super::rows::{Subdivision, Tagged};
use crate::error::BuildError;

#[derive(Deserialize)]
struct Document {
    #[serde(rename = "3166-2")]
    list: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    code: String,
    name: String,
    parent: Option<String>,
}

/// Reads the subdivisions in order of their code.
pub(crate) fn read(files: &[File]) -> Result<Vec<Subdivision>, BuildError> {
    let catalogues = catalogues(files)?;
    let mut subdivisions = Vec::new();
    for file in files.iter().filter(|file| file.path.ends_with("/iso3166-2.json")) {
        let document: Document = file.json()?;
        for row in document.list {
            let at = || format!("record {}, field code", row.code);
            let (country, suffix) = row.code.split_once('-').ok_or_else(|| file.error(at(), "has no hyphen"))?;
            subdivisions.push(Subdivision {
                country: file.country(at, country)?,
                suffix: suffix.to_owned(),
                nested: row.parent.is_some(),
                translations: translations(&catalogues, &row.name),
                tagged: Vec::new(),
                name: row.name,
            });
        }
    }
    subdivisions.sort_by(|a, b| (a.country, &a.suffix).cmp(&(b.country, &b.suffix)));
    Ok(subdivisions)
}

fn catalogues(files: &[File]) -> Result<Vec<(String, Catalog)>, BuildError> {
    let found = files.iter().filter(|file| file.path.ends_with("/iso3166-2.mo"));
    let parsed = found.map(|file| {
        let locale = file.path.split('/').rev().nth(2).unwrap_or_default();
        let catalogue = Catalog::parse(file.bytes.as_slice());
        Ok((bcp47(locale), catalogue.map_err(|error| file.error("catalogue", error.to_string()))?))
    });
    parsed.collect()
}

fn translations(catalogues: &[(String, Catalog)], name: &str) -> Vec<Tagged> {
    let translated = catalogues.iter().map(|(lang, catalogue)| (lang, catalogue.gettext(name)));
    translated
        // A catalogue returns the key if it has no translation.
        .filter(|(_, text)| *text != name && !text.is_empty())
        .map(|(lang, text)| Tagged { lang: lang.clone(), text: text.to_owned() })
        .collect()
}

/// Converts a locale to BCP 47: `pt_BR` is `pt-BR`, `sr@latin` is `sr-Latn`.
fn bcp47(locale: &str) -> String {
    match locale.split_once('@') {
        Some((lang, "latin" | "iqtelif")) => format!("{lang}-Latn"),
        Some((lang, _)) => lang.to_owned(),
        None => locale.replace('_', "-"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::test_file;

    /// Writes a catalogue in the format of GNU gettext with one message.
    fn catalogue(key: &str, text: &str) -> Vec<u8> {
        let messages = [("", "Content-Type: text/plain; charset=UTF-8\n"), (key, text)];
        let mut bytes: Vec<u8> = words(&[0x9504_12de, 0, 2, 28, 44, 0, 60]);
        let mut table = Vec::new();
        let mut strings = Vec::new();
        for column in [messages.map(|m| m.0), messages.map(|m| m.1)] {
            for string in column {
                table.extend([string.len(), 60 + strings.len()]);
                strings.extend(string.bytes().chain([0]));
            }
        }
        bytes.extend(words(&table));
        bytes.extend(strings);
        bytes
    }

    fn words(words: &[usize]) -> Vec<u8> {
        words.iter().flat_map(|&w| u32::try_from(w).expect("small").to_le_bytes()).collect()
    }

    #[test]
    fn names_are_keys_of_the_catalogues() {
        let list = r#"{"3166-2": [{"code": "DE-BY", "name": "Bayern", "type": "Land"},
            {"code": "BE-VAN", "name": "Antwerpen", "type": "Province", "parent": "VLG"}]}"#;
        let files = [
            test_file("pycountry/databases/iso3166-2.json", list),
            test_file("pycountry/locales/pt_BR/LC_MESSAGES/iso3166-2.mo", catalogue("Bayern", "Baviera")),
        ];
        let read = read(&files).expect("the files are whole");
        assert_eq!((read[0].suffix.as_str(), read[0].nested, read[1].nested), ("VAN", true, false));
        assert_eq!(read[1].translations, [Tagged { lang: "pt-BR".into(), text: "Baviera".into() }]);
        assert!(read[0].translations.is_empty());
    }

    #[test]
    fn language_tags() {
        check("fr", "fr");
        check("zh_TW", "zh-TW");
        check("sr@latin", "sr-Latn");
        check("tt@iqtelif", "tt-Latn");
    }

    fn check(locale: &str, expect: &str) {
        assert_eq!(bcp47(locale), expect);
    }
}
