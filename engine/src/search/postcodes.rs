//! Postal codes as people write them: with other spaces and hyphens than the index, or longer than the codes that it has.
//!
//! A full code is known by its form alone. What its country calls the outward code, or the area, is its beginning: an index
//! that lacks `SW1A 1AA` may have `SW1A` or `SW`.

use std::ops::Range;

use super::interpretation::{Adjustment, Interpretation};
use super::penalties::DROPPED_NUMBER;
use super::terms::Terms;

/// A form of codes, and the beginnings that stand for them, the longest first, as counts of characters. In a form `9` is a
/// digit, `a` a letter, and a space begins a term or nothing.
const FORMS: [(&str, &[usize]); 14] = [
    // Great Britain: postcode, district, area.
    ("a9 9aa", &[2, 1]),
    ("a99 9aa", &[3, 1]),
    ("a9a 9aa", &[3, 1]),
    ("aa9 9aa", &[3, 2]),
    ("aa99 9aa", &[4, 2]),
    ("aa9a 9aa", &[4, 2]),
    ("aa9a", &[2]),
    ("aa99", &[2]),
    ("aa9", &[2]),
    // Canada: postal code, forward sortation area.
    ("a9a 9a9", &[3]),
    // The Netherlands: with the letters of the street.
    ("9999 aa", &[4]),
    // Malta: with the number of the street.
    ("aaa 9999", &[3]),
    // The United States, with the number of the block; Portugal, with that of the street.
    ("99999 9999", &[5]),
    ("9999 999", &[4]),
];

/// Most terms of a form.
const MAX_TERMS: usize = 2;

/// Returns the interpretations of terms in which a postal code is written otherwise: its digits in one term, or its
/// beginning alone.
pub(crate) fn interpretations(terms: &Terms) -> Vec<Interpretation> {
    let spans = (1..=MAX_TERMS).rev().flat_map(|length| (0..terms.len()).map(move |at| at..at + length));
    let written = spans.filter(|span| span.end <= terms.len() && !terms.has_comma(span.clone()));
    written.flat_map(|span| of_span(terms, span)).collect()
}

fn of_span(terms: &Terms, span: Range<usize>) -> Vec<Interpretation> {
    let phrase = terms.phrase(span.clone());
    let joined: String = phrase.split(' ').collect();
    let is_number = joined.bytes().all(|byte| byte.is_ascii_digit());
    let whole = (span.len() > 1 && is_number).then_some((joined.as_str(), 0));
    let form = FORMS.iter().find(|(form, _)| has_form(&phrase, form));
    let beginnings = form.map_or(&[][..], |(_, beginnings)| beginnings);
    let shorter = beginnings.iter().map(|&length| (&joined[..length], 1));
    let rewritten = whole.into_iter().chain(shorter).map(|(code, dropped_numbers)| {
        let penalty = u32::from(dropped_numbers) * DROPPED_NUMBER;
        let adjustment = Adjustment { penalty, dropped_numbers, ..Adjustment::default() };
        Interpretation::Name(terms.with(span.clone(), code), adjustment)
    });
    rewritten.collect()
}

/// Tells whether a text of one or two terms has a form. A text of one term may be written without the space of the form.
fn has_form(text: &str, form: &str) -> bool {
    let is_like = |text: &str, form: &str| {
        text.len() == form.len()
            && text.bytes().zip(form.bytes()).all(|(byte, of_form)| match of_form {
                b'9' => byte.is_ascii_digit(),
                b'a' => byte.is_ascii_lowercase(),
                _ => byte == of_form,
            })
    };
    is_like(text, form) || (!text.contains(' ') && is_like(text, &form.replace(' ', "")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_as_an_index_writes_them() {
        let check = |text: &str, expect: &str| {
            let found = interpretations(&Terms::of(text)).into_iter().map(|interpretation| match interpretation {
                Interpretation::Name(terms, adjustment) => {
                    format!("{}{}", terms.phrase(0..terms.len()), "-".repeat(adjustment.dropped_numbers.into()))
                }
                other => panic!("{other:?}"),
            });
            assert_eq!(found.collect::<Vec<_>>().join(", "), expect, "{text}");
        };
        check("Paris", "");
        check("", "");
        check("75001", "");
        check("75 001 Paris", "75001 paris");
        check("SW1A 1AA", "sw1a-, sw-, sw 1aa-");
        check("sw1a1aa London", "sw1a london-, sw london-");
        check("SW1A", "sw-");
        check("W1 4AB, UK", "w1 uk-, w uk-");
        check("K1A 0B1", "k1a-");
        check("90210-1234", "902101234, 90210-");
        check("1012 AB Amsterdam", "1012 amsterdam-");
        check("1000-001 Lisboa", "1000001 lisboa, 1000 lisboa-");
        check("VLT 1117", "vlt-");
        check("Ünteré 1é", "");
        // A comma is a boundary.
        check("75, 001", "");
    }
}
