//! Texts with more than a name and its context in them: a remark in brackets, a second place behind a slash, a country's code or
//! a direction in front.

use super::evaluate::Query;
use super::interpretation::{Adjustment, Interpretation};
use super::penalties::{DROPPED_NUMBER, FIRST_WORD_DROPPED_UNFINISHED, REVERSED};
use super::terms::Terms;
use crate::index::Cost;
use crate::query::Mode;

/// Brackets around a remark: `Berlin, Germany (remote)`.
const BRACKETS: [(char, char); 4] = [('(', ')'), ('[', ']'), ('（', '）'), ('【', '】')];

/// Directions before an area, folded: Northern Virginia is not a place of its own, Northern Ireland is.
const DIRECTIONS: [&str; 16] = [
    "central", "east", "eastern", "este", "nord", "norte", "north", "northern", "oeste", "ost", "south", "southern",
    "sul", "sur", "west", "western",
];

/// Reads the text without a remark or a direction, as the first of two places, or behind a country's code.
pub(crate) fn without_remarks(query: &Query, terms: &Terms) -> Vec<Interpretation> {
    let text = query.scorer.search.text;
    let shorter = [without_brackets(text), before_slash(text).map(str::to_owned)].into_iter().flatten();
    let direction =
        without_direction(terms).filter(|rest| rest.is_usual_name(query.index) && !terms.is_usual_name(query.index));
    let mut found: Vec<Interpretation> = shorter
        .map(|text| Terms::of(&text))
        .filter(|terms| !terms.is_empty())
        .map(|terms| Interpretation::Name(terms, without_a_word(DROPPED_NUMBER)))
        .collect();
    found.extend(direction.map(|terms| Interpretation::Name(terms, without_first_word(query.scorer.mode))));
    // By the country's name, because some codes are words such as `de`.
    let country = country_in_front(text).and_then(|(code, rest)| Some((query.index.country_place(code)?, rest)));
    found.extend(country.map(|(country, rest)| {
        let behind = Terms::of(&format!("{rest}, {}", country.display_name()));
        Interpretation::Name(behind, Adjustment { penalty: REVERSED, ..Adjustment::default() })
    }));
    found
}

/// Returns the adjustment of a text of which one word is dropped.
fn without_a_word(penalty: Cost) -> Adjustment {
    Adjustment { penalty, dropped_numbers: 1, ..Adjustment::default() }
}

/// Returns the adjustment of a text of which the first word is dropped, because it says where, but not what: `near` or a direction.
pub(crate) fn without_first_word(mode: Mode) -> Adjustment {
    without_a_word(match mode {
        Mode::Forward => DROPPED_NUMBER,
        Mode::Autocomplete => FIRST_WORD_DROPPED_UNFINISHED,
    })
}

/// Returns the terms behind a direction; `None` if there is none.
fn without_direction(terms: &Terms) -> Option<Terms> {
    let has_direction = terms.len() > 1 && DIRECTIONS.binary_search(&terms.term(0)).is_ok();
    has_direction.then(|| terms.part(1..terms.len()))
}

/// Removes the parts of a text that stand in brackets; `None` if nothing does.
fn without_brackets(text: &str) -> Option<String> {
    let closes = |open: char| BRACKETS.into_iter().find(|&(left, _)| left == open).map(|(_, right)| right);
    let mut kept = String::new();
    let mut rest = text;
    while let Some((at, close)) = rest.char_indices().find_map(|(at, letter)| Some((at, closes(letter)?))) {
        kept.push_str(&rest[..at]);
        // A bracket that is not closed yet goes to the end.
        rest = rest[at..].split_once(close).map_or("", |(_, behind)| behind);
    }
    (rest.len() < text.len()).then(|| kept + rest)
}

/// Returns the text before a slash; `None` without one.
fn before_slash(text: &str) -> Option<&str> {
    let (first, second) = text.split_once(['/', '|'])?;
    (!second.trim().is_empty()).then_some(first)
}

/// Splits off a country's code in capitals before other text: `DE Bremen`. `None` if all is in capitals, where two letters may
/// be a word.
fn country_in_front(text: &str) -> Option<([u8; 2], &str)> {
    let (code, rest) = text.trim_start().split_once([' ', '-'])?;
    let code = <[u8; 2]>::try_from(code.as_bytes()).ok().filter(|code| code.iter().all(u8::is_ascii_uppercase))?;
    rest.chars().any(char::is_lowercase).then_some((code, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_in_brackets_is_left_out() {
        let check = |text: &str, expect: Option<&str>| assert_eq!(without_brackets(text).as_deref(), expect, "{text}");
        check("Berlin, Germany", None);
        check("Berlin, Germany (remote)", Some("Berlin, Germany "));
        check("Halle (Saale), Germany [on site]", Some("Halle , Germany "));
        check("Paris (rem", Some("Paris "));
        check("東京（本社）", Some("東京"));
        check("a) Paris", None);
    }

    #[test]
    fn a_direction_is_left_out() {
        assert!(DIRECTIONS.is_sorted());
        let check = |text: &str, expect: Option<&str>| {
            let found = without_direction(&Terms::of(text)).map(|rest| rest.phrase(0..rest.len()));
            assert_eq!(found.as_deref(), expect, "{text}");
        };
        check("Northern Virginia", Some("virginia"));
        check("Northern", None);
        check("Virginia North", None);
    }

    #[test]
    fn the_first_of_two_places() {
        let check = |text: &str, expect: Option<&str>| assert_eq!(before_slash(text), expect, "{text}");
        check("Zürich / Bern", Some("Zürich "));
        check("Zürich/Bern/Basel", Some("Zürich"));
        check("Zürich /", None);
        check("Zürich", None);
    }

    #[test]
    fn a_code_in_capitals_is_a_country() {
        let check = |text: &str, expect: Option<(&str, &str)>| {
            let found = country_in_front(text).map(|(code, rest)| (String::from_utf8_lossy(&code).into_owned(), rest));
            assert_eq!(found, expect.map(|(code, rest)| (code.to_owned(), rest)), "{text}");
        };
        check("DE Bremen", Some(("DE", "Bremen")));
        check("FR-Lyon", Some(("FR", "Lyon")));
        check("de Bremen", None);
        check("DE BREMEN", None);
        check("DEU Bremen", None);
        check("DE", None);
    }
}
