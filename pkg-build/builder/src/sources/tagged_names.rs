//! Parses names with their languages, as written in the tables of this project and in operators' files.

use super::rows::Tagged;

/// Parses `fr:Tour Eiffel|zh:埃菲尔铁塔`; the error is the first entry that is not of this form.
pub(crate) fn parse_tagged(list: &str) -> Result<Vec<Tagged>, String> {
    let entries = list.split('|').map(str::trim).filter(|entry| !entry.is_empty());
    let parsed = entries.map(|entry| match entry.split_once(':') {
        Some((lang, text)) if is_language(lang) && !text.trim().is_empty() => {
            Ok(Tagged { lang: lang.to_owned(), text: text.trim().to_owned() })
        }
        _ => Err(entry.to_owned()),
    });
    parsed.collect()
}

/// Tells whether a tag is a BCP 47 tag that begins with a language: `de`, `zh-Hant`, `nds`.
pub(crate) fn is_language(tag: &str) -> bool {
    let main = tag.split('-').next().unwrap_or_default();
    (2..=3).contains(&main.len()) && main.bytes().all(|byte| byte.is_ascii_lowercase())
}
