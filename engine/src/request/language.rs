//! Reads `lang`: the language of names.

use super::fault::Fault;
use super::parameter::Style;
use super::value::Values;
use crate::answer::Geocode;
use crate::text::decimal;

/// The languages that a caller prefers, best first: BCP 47 tags. Without any, names are those of the index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Languages(Vec<String>);

/// Longest language tag that is accepted (RFC 5646 section 4.4.1).
const MAX_TAG: usize = 35;

/// Most languages of an `Accept-Language` header that are looked at. Browsers send a handful.
const MAX_RANGES: usize = 16;

impl Languages {
    /// Reads `lang`: a tag, or in a query string `auto` for those of the header `Accept-Language`. Programs may write an underscore,
    /// as names of locales have it.
    pub(super) fn read(values: &Values) -> Result<Self, Fault> {
        match values.text("lang") {
            None => Ok(Self::default()),
            Some("auto") if values.style == Style::Text => {
                Ok(Self(read_header(values.accepted.as_deref().unwrap_or_default())))
            }
            Some(tag) if is_tag(tag) => Ok(Self(vec![tag.to_owned()])),
            Some(tag) if values.style != Style::Text && is_tag(&tag.replace('_', "-")) => {
                Ok(Self(vec![tag.to_owned()]))
            }
            Some(_) => Err(values.fault("lang", "be a BCP 47 language tag, or auto")),
        }
    }

    /// Finds the first of the languages in which the index has names (RFC 4647, section 3.4, look-up).
    pub fn tag(&self, places: &dyn Geocode) -> Option<&str> {
        self.0.iter().map(String::as_str).find(|tag| places.has_language(tag))
    }
}

fn is_tag(tag: &str) -> bool {
    !tag.is_empty() && tag.len() <= MAX_TAG && tag.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}

/// Reads the ranges of an `Accept-Language` header (RFC 9110, section 12.5.4), best first; those of the same weight in
/// their order. Leaves out `*`, what has the weight 0, and what is malformed: a header is sent by the browser, not by a
/// caller who could mend it.
fn read_header(header: &str) -> Vec<String> {
    let ranges = header.split(',').take(MAX_RANGES).filter_map(|item| {
        let (tag, weight) = item.split_once(';').map_or((item, Some(1.0)), |(tag, weight)| (tag, read_weight(weight)));
        Some((tag.trim().to_owned(), weight?)).filter(|(tag, weight)| is_tag(tag) && *weight > 0.0)
    });
    let mut ranges: Vec<(String, f64)> = ranges.collect();
    ranges.sort_by(|a, b| b.1.total_cmp(&a.1));
    ranges.into_iter().map(|(tag, _)| tag).collect()
}

/// Reads the weight in `q=0.5`, from 0 to 1.
fn read_weight(text: &str) -> Option<f64> {
    let (q, weight) = text.split_once('=')?;
    let weight = weight.trim();
    let is_plain = weight.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let weight = decimal(weight).filter(|_| is_plain)?;
    (q.trim().eq_ignore_ascii_case("q") && (0.0..=1.0).contains(&weight)).then_some(weight)
}

#[cfg(test)]
mod tests {
    use super::super::value::of_texts;
    use super::*;

    #[test]
    fn tags() {
        fn read(lang: Option<&str>, accepted: Option<&str>) -> Result<Languages, Fault> {
            let values = of_texts(&lang.map(|lang| ("lang", lang)).into_iter().collect::<Vec<_>>());
            Languages::read(&values.with_accept_language(accepted))
        }
        fn check(lang: &str, expect: Option<&str>) {
            let expect = expect.map(|tag| Languages(vec![tag.to_owned()]));
            let fault = Fault::new("lang must be a BCP 47 language tag, or auto");
            assert_eq!(read(Some(lang), Some("de")), expect.ok_or(fault), "{lang}");
        }
        check("pt-BR", Some("pt-BR"));
        check("zh-Hant-TW", Some("zh-Hant-TW"));
        check("auto", Some("de"));
        check("", None);
        check("pt_BR", None);
        check("de ", None);
        check(&"x".repeat(36), None);
        assert_eq!(read(None, Some("de")), Ok(Languages::default()));
        assert_eq!(read(Some("auto"), None), Ok(Languages::default()));
    }

    #[test]
    fn headers() {
        fn check(header: &str, expect: &[&str]) {
            assert_eq!(read_header(header), expect, "{header}")
        }
        check("", &[]);
        check("*", &[]);
        check("fr", &["fr"]);
        check("de-CH, fr;q=0.9, en;q=0.8, *;q=0.5", &["de-CH", "fr", "en"]);
        check("en;q=0.2,ja ; Q = 0.7,ko", &["ko", "ja", "en"]);
        check("a;q=0.5,b;q=0.5,c;q=1.000", &["c", "a", "b"]);
        check("de;q=0,en;q=0.000", &[]);
        check("de;q=2,en;q=x,fr;q=-1,it;x=1,pt;q=inf,es;q=", &[]);
        check("d e,,;q=1,é,nl", &["nl"]);
        check(&vec!["sv"; 99].join(","), &["sv"; MAX_RANGES]);
    }
}
