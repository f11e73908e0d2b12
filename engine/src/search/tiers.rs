//! Runs a query: lists its interpretations in tiers, from cheap to expensive, and evaluates them.
//!
//! The text is tried as written, then without terms that are not part of a name, then transliterated, last by its sound.

use super::budget::{Budget, share};
use super::candidate::Candidate;
use super::evaluate::{Found, Query};
use super::interpretation::{Adjustment, Interpretation};
use super::kind_terms::{beginning_with_filler, is_filler, state_suffixes, without_kinds};
use super::penalties::*;
use super::terms::Terms;
use crate::index::{Cost, Index, MAX_KEY_LETTERS};
use crate::query::{Mode, Search};
use crate::record::Role;

/// Minimum number of candidates kept in forward. Confidence compares them, so it does not depend on the limit of the query.
/// Enough for the largest limit of the contract and [`SPARE`].
pub(crate) const RIVALS: usize = 50 + SPARE;

/// Candidates kept beyond the limit, to replace duplicates that are removed.
const SPARE: usize = 12;

/// The same for suggestions, of which few are duplicates.
const SPARE_SUGGESTIONS: usize = 4;

/// A group of interpretations.
struct Tier {
    /// Units of the budget that its searches may use.
    share: u32,
    /// When it is evaluated.
    needed: Need,
    /// Its interpretations of the text, in order.
    interpretations: fn(&Query, &Terms) -> Vec<Interpretation>,
}

/// When a tier is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Need {
    Always,
    /// Only guesses were found so far.
    OnlyGuesses,
    /// The same, and the text is not longer than any name. One character may become many when transliterated.
    OnlyGuessesForName,
}

const TIERS: [Tier; 7] = [
    Tier { share: share::ALL_TERMS, needed: Need::Always, interpretations: as_written },
    Tier { share: share::WITHOUT_KINDS, needed: Need::Always, interpretations: without_kind_terms },
    Tier { share: share::NONE, needed: Need::OnlyGuesses, interpretations: unspaced },
    Tier { share: share::WITHOUT_FILLERS, needed: Need::OnlyGuesses, interpretations: without_fillers },
    Tier { share: share::TRANSLITERATED, needed: Need::OnlyGuessesForName, interpretations: transliterated },
    Tier { share: share::NONE, needed: Need::OnlyGuesses, interpretations: in_part },
    Tier { share: share::SOUND, needed: Need::OnlyGuessesForName, interpretations: by_sound },
];

/// The cheapest candidates of a query over all interpretations, cheapest first.
pub(crate) fn candidates(index: &Index, search: &Search, mode: Mode) -> Vec<Candidate> {
    let terms = Terms::of(search.text);
    if terms.is_empty() {
        return Vec::new();
    }
    let languages = search.lang.map(|tag| index.languages(tag)).unwrap_or_default();
    let budget = Budget::of_a_question();
    let query = Query { index, search, mode, is_latin: terms.is_latin(), languages: &languages, budget: &budget };
    let mut found = Found::new(match mode {
        Mode::Forward => search.limit.saturating_add(SPARE).max(RIVALS),
        Mode::Autocomplete => search.limit.saturating_add(SPARE_SUGGESTIONS),
    });
    query.look_up_code(&mut found);
    for tier in TIERS {
        if tier.needed.is_met(search, &found) {
            budget.begin(tier.share);
            for interpretation in (tier.interpretations)(&query, &terms) {
                query.evaluate(&interpretation, &mut found);
            }
        }
    }
    found.into_candidates()
}

impl Need {
    fn is_met(self, search: &Search, found: &Found) -> bool {
        let only_guesses = || found.top.least().is_none_or(|least| least > GUESS);
        match self {
            Self::Always => true,
            Self::OnlyGuesses => only_guesses(),
            Self::OnlyGuessesForName => search.text.chars().nth(MAX_KEY_LETTERS).is_none() && only_guesses(),
        }
    }
}

fn as_written(_: &Query, terms: &Terms) -> Vec<Interpretation> {
    vec![Interpretation::Name(terms.clone(), Adjustment::default())]
}

/// Removes terms that name a kind of place from the name.
fn without_kind_terms(query: &Query, terms: &Terms) -> Vec<Interpretation> {
    let unfinished = query.mode == Mode::Autocomplete;
    let Some((rest, roles)) = without_kinds(query.index.lexicon(), terms, unfinished) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    if rest.len() == 1 && roles.contains(&Role::Airport) {
        found.push(Interpretation::AirportCode(rest.term(0).to_owned()));
    }
    found.push(Interpretation::SiteOfCity(rest.clone(), roles.clone()));
    let penalty = if unfinished { KIND_DROPPED_UNFINISHED } else { KIND_DROPPED };
    let adjustment = Adjustment { roles, penalty, ..Adjustment::default() };
    found.push(Interpretation::Name(rest, adjustment.clone()));
    if let Some(terms) = beginning_with_filler(query.index.lexicon(), terms)
        && is_name(query, &terms.phrase(0..terms.len()))
    {
        found.push(Interpretation::Name(terms, adjustment));
    }
    found
}

/// Splits a text that is written without spaces, as Chinese and Japanese addresses are, into a name and the area before it:
/// `江苏苏州` is Suzhou in Jiangsu.
fn unspaced(query: &Query, terms: &Terms) -> Vec<Interpretation> {
    let letters: Vec<char> = if terms.len() == 1 { terms.term(0).chars().collect() } else { Vec::new() };
    if letters.len() < 2 * LEAST_LETTERS || !letters.iter().all(|&letter| is_written_without_spaces(letter)) {
        return Vec::new();
    }
    let lexicon = query.index.lexicon();
    let mut found = Vec::new();
    for at in LEAST_LETTERS..=letters.len() - LEAST_LETTERS {
        let Some(area) = area_written(query, letters[..at].iter().collect()) else { continue };
        let name = letters[at..].iter().collect::<String>() + ", " + &area;
        let terms = Terms::of(&name);
        if let Some((rest, roles)) = without_kinds(lexicon, &terms, false) {
            let adjustment = Adjustment { roles, penalty: KIND_DROPPED, ..Adjustment::default() };
            found.push(Interpretation::Name(rest, adjustment));
        }
        found.push(Interpretation::Name(terms, Adjustment::default()));
    }
    found
}

/// The name of an area that a text means, which may leave out what kind of area it is.
fn area_written(query: &Query, mut text: String) -> Option<String> {
    let length = text.len();
    for kind in std::iter::once("").chain(state_suffixes(query.index.lexicon())) {
        text.truncate(length);
        text += kind;
        if is_name(query, &text) {
            return Some(text);
        }
    }
    None
}

fn is_name(query: &Query, text: &str) -> bool {
    query.index.usual_names().id(text).is_some() || query.index.alternates().id(text).is_some()
}

/// The fewest letters of a name or an area in a text without spaces.
const LEAST_LETTERS: usize = 2;

/// Han and kana.
fn is_written_without_spaces(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}')
}

/// Drops numbers and fillers.
fn without_fillers(query: &Query, terms: &Terms) -> Vec<Interpretation> {
    let lexicon = query.index.lexicon();
    let is_number = |term: &str| term.bytes().any(|b| b.is_ascii_digit());
    let has_number = (0..terms.len()).any(|at| is_number(terms.term(at)));
    // The letter in `D-50667 Köln` is part of the postcode.
    let is_of_number = |term: &str| is_number(term) || (has_number && term.len() == 1);
    let rest = terms.rewritten(|term| (!is_of_number(term) && !is_filler(lexicon, term)).then_some(term));
    let dropped = (terms.len() - rest.len()) as u8;
    if rest.is_empty() || dropped == 0 {
        return Vec::new();
    }
    let penalty = Cost::from(dropped) * DROPPED_NUMBER;
    vec![Interpretation::Name(rest, Adjustment { penalty, dropped_numbers: dropped, ..Adjustment::default() })]
}

/// Transliterates text in other scripts to Latin.
fn transliterated(query: &Query, _: &Terms) -> Vec<Interpretation> {
    let latin = query.index.transliterate(&query.search.text.to_lowercase());
    let terms = latin.map(|latin| Terms::of(&latin)).unwrap_or_default();
    // Some characters transliterate to nothing; a text of only those has no terms.
    if terms.is_empty() {
        return Vec::new();
    }
    let of_kinds = without_kind_terms(query, &terms);
    let adjustment = Adjustment { penalty: TRANSLITERATED, respelled: true, ..Adjustment::default() };
    std::iter::once(Interpretation::Name(terms, adjustment)).chain(of_kinds).collect()
}

fn in_part(_: &Query, terms: &Terms) -> Vec<Interpretation> {
    vec![Interpretation::PartOfName(terms.clone())]
}

fn by_sound(query: &Query, terms: &Terms) -> Vec<Interpretation> {
    let named = without_kinds(query.index.lexicon(), terms, query.mode == Mode::Autocomplete);
    let rest = named.as_ref().map_or(terms, |(rest, _)| rest);
    let Some(name) = rest.name(0..rest.len()) else { return Vec::new() };
    let text = if named.is_some() { name } else { query.search.text.to_lowercase() };
    vec![Interpretation::Sound(query.index.transliterate(&text).unwrap_or(text))]
}
