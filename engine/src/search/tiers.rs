//! Runs a query: lists its interpretations in tiers, from cheap to expensive, and evaluates them.
//!
//! The text is tried as written, then without terms that are not part of a name, then transliterated, last by its sound.

use super::admission::{Admission, NamedAreas};
use super::budget::{Budgets, share};
use super::candidate::Candidate;
use super::evaluate::Query;
use super::found::Found;
use super::interpretation::{Adjustment, Interpretation};
use super::kind_terms::{
    beginning_with_filler, is_filler, roles_of, state_suffixes, without_kind_at_an_end, without_kinds,
};
use super::marks::MarkedWords;
use super::penalties::*;
use super::postcodes;
use super::remarks::{without_first_word, without_remarks};
use super::scorer::Scorer;
use super::site_words::site_words;
use super::terms::Terms;
use crate::filter::Filter;
use crate::index::{Cost, Index, MAX_KEY_LETTERS, Prefix, Segment};
use crate::query::{Mode, Search};
use crate::record::{CodeScheme, Role};
use crate::text::{in_katakana, to_lower, without_elisions};

/// Minimum number of candidates kept in forward. Confidence compares them, so it does not depend on the limit of the query.
/// Enough for the largest limit of the contract and [`SPARE`].
pub(crate) const RIVALS: usize = 50 + SPARE;

/// Candidates kept beyond the limit, to replace duplicates that are removed.
const SPARE: usize = 12;

/// Suggestions kept beyond the limit, to replace duplicates that are removed. Few are duplicates.
const SPARE_SUGGESTIONS: usize = 8;

/// A group of interpretations.
struct Tier {
    /// Units of the budget that its searches may use.
    share: u32,
    /// When it is evaluated.
    needed: Need,
    /// Function that returns the interpretations of the text by this group, in order.
    interpretations: fn(&Query, &Terms) -> Vec<Interpretation>,
}

/// When a tier is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Need {
    Always,
    /// Only guesses were found so far.
    OnlyGuesses,
    /// The text is in another script than Latin, not longer than any name, and no name was found as it is written.
    NothingWritten,
    /// Only guesses were found so far, and the text is not longer than any name. One character may become many when transliterated.
    OnlyGuessesForName,
}

const TIERS: [Tier; 12] = [
    Tier { share: share::ALL_TERMS, needed: Need::Always, interpretations: as_written },
    Tier { share: share::NONE, needed: Need::Always, interpretations: swap_words },
    Tier { share: share::WITHOUT_KINDS, needed: Need::Always, interpretations: without_kind_terms },
    Tier { share: share::WITHOUT_ELISIONS, needed: Need::Always, interpretations: without_elided },
    Tier { share: share::WITHOUT_REMARKS, needed: Need::Always, interpretations: without_remarks },
    Tier { share: share::NONE, needed: Need::OnlyGuesses, interpretations: as_postcodes },
    Tier { share: share::NONE, needed: Need::OnlyGuesses, interpretations: split_unspaced },
    Tier { share: share::WITHOUT_FILLERS, needed: Need::OnlyGuesses, interpretations: without_fillers },
    Tier { share: share::SPELLED, needed: Need::NothingWritten, interpretations: as_spelling },
    Tier { share: share::TRANSLITERATED, needed: Need::NothingWritten, interpretations: transliterate },
    Tier { share: share::NONE, needed: Need::OnlyGuesses, interpretations: in_part },
    Tier { share: share::SOUND, needed: Need::OnlyGuessesForName, interpretations: by_sound },
];

/// Finds the cheapest candidates of a query over all interpretations, cheapest first.
pub(crate) fn candidates(index: &Index, search: &Search, mode: Mode) -> Vec<Candidate> {
    candidates_knowing(&mut NamedAreas::default(), index, search, mode)
}

/// Finds the cheapest candidates of a query as [`candidates`] does, and remembers the areas that it names.
pub(crate) fn candidates_knowing(areas: &mut NamedAreas, index: &Index, search: &Search, mode: Mode) -> Vec<Candidate> {
    order(index, found(areas, index, search, (mode, true)), mode)
}

/// Puts what was found in order, cheapest first.
fn order(index: &Index, found: Found, mode: Mode) -> Vec<Candidate> {
    let mut candidates = found.into_candidates();
    if mode == Mode::Autocomplete {
        put_sights_behind_their_city(index, &mut candidates);
    }
    candidates
}

/// Puts what only begins with the text behind the city that is called so and that it lies in, or that lies on it: La Scala and
/// the lake behind `mailand` and `genf`. A city that only begins so comes first if it is nearly as well known: the walls of
/// Dubrovnik come behind it for `dubrov`, but Machu Picchu before the village.
fn put_sights_behind_their_city(index: &Index, candidates: &mut [Candidate]) {
    let is_city = |candidate: &&Candidate| {
        candidate.evidence.edits == 0 && matches!(index.place(candidate.row).role(), Role::City | Role::Quarter)
    };
    let cities: Vec<Candidate> = candidates.iter().filter(is_city).copied().collect();
    for candidate in candidates.iter_mut().filter(|candidate| candidate.evidence.prefix) {
        let place = index.place(candidate.row);
        let is_at = |city: &Candidate| {
            place.ancestors().any(|area| area.row == city.row)
                || (place.role() == Role::Region && place.bounds().contains(index.place(city.row).position()))
        };
        let is_as_known = |city: &Candidate| {
            let begins_alike = city.evidence.letters == candidate.evidence.letters;
            city.evidence.is_whole_text() || (begins_alike && city.cost <= candidate.cost + SIGHT_BETTER_KNOWN)
        };
        let mine = cities.iter().filter(|city| place.role() > Role::Quarter && is_as_known(city) && is_at(city));
        let city = mine.map(|city| city.cost).max();
        candidate.cost = candidate.cost.max(city.map_or(0, |cost| cost + 1));
    }
    candidates.sort_by_key(|candidate| candidate.cost);
}

/// Finds the cheapest candidates of a query without a look for names with edits, which takes nearly all of the time of a text
/// with slips. Also tells whether these are all candidates, because such names would not have been looked for.
pub(crate) fn candidates_without_edits(index: &Index, search: &Search, mode: Mode) -> (Vec<Candidate>, bool) {
    let found = found(&mut NamedAreas::default(), index, search, (mode, false));
    let is_all = !found.lacks_edits;
    (order(index, found, mode), is_all)
}

fn found(areas: &mut NamedAreas, index: &Index, search: &Search, (mode, with_edits): (Mode, bool)) -> Found {
    let mut found = Found::new(match mode {
        Mode::Forward => search.limit.saturating_add(SPARE).max(RIVALS),
        Mode::Autocomplete => search.limit.saturating_add(SPARE_SUGGESTIONS),
    });
    let readings = Terms::readings(search.text);
    if readings.iter().all(Terms::is_empty) {
        return found;
    }
    let languages = index.languages(search.lang);
    let budgets = Budgets::of_a_question(index);
    budgets.begin(share::ALL_TERMS);
    let admission = Admission::new(index, &search.filter, &budgets, areas);
    let of_cities = Filter::in_countries(search.filter.countries);
    let query = Query {
        index,
        scorer: Scorer {
            search,
            mode,
            admission: &admission,
            languages: &languages,
            marked: &match mode {
                Mode::Forward => MarkedWords::default(),
                Mode::Autocomplete => MarkedWords::of(search.text),
            },
        },
        is_latin: readings.iter().all(Terms::is_latin),
        corrects: admission.named_areas() == 0 || !readings.iter().any(|terms| terms.is_usual_name(index)),
        admission_of_cities: &Admission::new(index, &of_cities, &budgets, areas),
        with_edits,
        budgets: &budgets,
    };
    query.look_up_code(&mut found);
    for tier in TIERS {
        if tier.needed.is_met(&query, &found) {
            budgets.begin(tier.share);
            for interpretation in readings.iter().flat_map(|terms| (tier.interpretations)(&query, terms)) {
                query.evaluate(&interpretation, &mut found);
            }
        }
    }
    found
}

impl Need {
    fn is_met(self, query: &Query, found: &Found) -> bool {
        let only_guesses = || query.corrects && found.top.least().is_none_or(|least| least > GUESS);
        let may_be_name = || query.scorer.search.text.chars().nth(MAX_KEY_LETTERS).is_none();
        match self {
            Self::Always => true,
            Self::OnlyGuesses => only_guesses(),
            Self::NothingWritten => query.corrects && !query.is_latin && !found.is_written() && may_be_name(),
            Self::OnlyGuessesForName => may_be_name() && only_guesses(),
        }
    }
}

fn as_written(query: &Query, terms: &Terms) -> Vec<Interpretation> {
    let mut found = vec![Interpretation::Name(terms.clone(), Adjustment::default())];
    found.extend(without_near(query, terms));
    found.extend(join_words(query, terms));
    found.extend(as_katakana(terms));
    found.extend(with_arabic_article(terms));
    found
}

/// Writes hiragana as katakana, in which foreign names are: ろんどん, as it is typed, is ロンドン.
fn as_katakana(terms: &Terms) -> Option<Interpretation> {
    let typed: String = (0..terms.len()).map(|at| terms.term(at)).collect::<Vec<_>>().join(" ");
    let written: String = typed.chars().map(in_katakana).collect();
    if written == typed {
        return None;
    }
    let terms = terms.with(0..terms.len(), &written);
    Some(Interpretation::Name(terms, Adjustment { penalty: JOINED, ..Adjustment::default() }))
}

/// Writes the article that people leave out before a name of one word: الخرطوم is found as خرطوم too.
fn with_arabic_article(terms: &Terms) -> Option<Interpretation> {
    let is_one_word = terms.len() == 1 || terms.commas.contains(&1);
    let first = is_one_word.then(|| terms.term(0))?;
    if !first.starts_with(is_arabic_letter) || first.starts_with(ARABIC_ARTICLE) {
        return None;
    }
    let terms = terms.with(0..1, &format!("{ARABIC_ARTICLE}{first}"));
    Some(Interpretation::Name(terms, Adjustment { penalty: WITHOUT_ARTICLE, ..Adjustment::default() }))
}

/// Alif and lam.
const ARABIC_ARTICLE: &str = "\u{627}\u{644}";

/// Tells whether a letter is of Arabic proper; other languages use some of these letters.
fn is_arabic_letter(letter: char) -> bool {
    matches!(letter, '\u{621}'..='\u{64a}')
}

/// Drops a word such as `near` at the beginning, which is not part of any name.
fn without_near(query: &Query, terms: &Terms) -> Option<Interpretation> {
    let is_near = terms.len() > 1
        && terms.term(0).chars().count() >= LEAST_LETTERS_OF_NEAR
        && is_filler(query.index.lexicon(), terms.term(0));
    let mut at = 0;
    let rest = is_near.then(|| {
        terms.rewritten(|term| {
            at += 1;
            (at > 1).then_some(term)
        })
    })?;
    Some(Interpretation::Name(rest, without_first_word(query.scorer.mode)))
}

/// Shorter fillers are articles and prepositions, which names have: `los angeles`.
const LEAST_LETTERS_OF_NEAR: usize = 4;

/// Writes words as one where that is a usual name: `xi an`, `bei jing`.
fn join_words(query: &Query, terms: &Terms) -> Option<Interpretation> {
    if !(2..=MOST_JOINED).contains(&terms.len()) || terms.has_comma(0..terms.len()) {
        return None;
    }
    let text: String = (0..terms.len()).map(|at| terms.term(at)).collect();
    let joined = terms.with(0..terms.len(), &text);
    let adjustment = Adjustment { penalty: JOINED, ..Adjustment::default() };
    joined.is_usual_name(query.index).then_some(Interpretation::Name(joined, adjustment))
}

/// The most syllables that are written apart: Wu lu mu qi.
const MOST_JOINED: usize = 4;

/// Puts the last word first where that is a usual name: `angeles los`.
fn swap_words(query: &Query, terms: &Terms) -> Vec<Interpretation> {
    if !(2..=MOST_SWAPPED).contains(&terms.len()) || terms.has_comma(0..terms.len()) {
        return Vec::new();
    }
    let Some((name, last)) = terms.name(0..terms.len() - 1).zip(terms.last()) else { return Vec::new() };
    let swapped = Terms::of(&format!("{last} {name}"));
    if !swapped.is_usual_name(query.index) {
        return Vec::new();
    }
    vec![Interpretation::Name(swapped, Adjustment { penalty: SWAPPED, ..Adjustment::default() })]
}

/// The most words of a name that somebody writes in another order.
const MOST_SWAPPED: usize = 3;

/// Removes terms that name a kind of place from the name.
fn without_kind_terms(query: &Query, terms: &Terms) -> Vec<Interpretation> {
    of_kinds(query, terms, 0)
}

/// Returns the roles of the kinds among the terms that are not in the rest of them: `kansas city airport` asks for no city.
fn roles_left_out(query: &Query, terms: &Terms, rest: &Terms) -> Vec<Role> {
    let is_left = |term: &str| (0..rest.len()).any(|at| rest.term(at) == term);
    let out = (0..terms.len()).map(|at| terms.term(at)).filter(|term| !is_left(term));
    let mut roles: Vec<Role> = out.flat_map(|term| roles_of(query.index.lexicon(), term)).copied().collect();
    roles.sort_unstable();
    roles.dedup();
    roles
}

/// Finds the code of an airport beside the name of its city: `jfk new york`.
fn codes_of_cities(query: &Query, terms: &Terms) -> Vec<Interpretation> {
    let end = terms.len();
    if end < 2 {
        return Vec::new();
    }
    let sides = [(terms.term(0), terms.part(1..end)), (terms.term(end - 1), terms.part(0..end - 1))];
    let is_code = |code: &str| {
        let mut meanings = query.index.meanings(&code.to_ascii_uppercase()).into_iter();
        (3..=4).contains(&code.len())
            && meanings.any(|(scheme, _)| matches!(scheme, CodeScheme::Iata | CodeScheme::Icao))
    };
    let of_city = |(code, city): &(&str, Terms)| code.is_ascii() && is_code(code) && city.is_usual_name(query.index);
    let found = sides.into_iter().filter(of_city);
    found.map(|(code, city)| Interpretation::CodeOfCity { code: code.to_owned(), city }).collect()
}

/// Removes terms that name a kind of place from the name, where `fillers_gone` fillers are gone already.
fn of_kinds(query: &Query, terms: &Terms, fillers_gone: usize) -> Vec<Interpretation> {
    let unfinished = query.scorer.mode == Mode::Autocomplete;
    let sites = site_words(query.index.lexicon(), terms, query.scorer.mode);
    let mut found: Vec<Interpretation> = sites.into_iter().map(Interpretation::SiteOfCity).collect();
    found.extend(codes_of_cities(query, terms));
    let Some((rest, mut roles)) = without_kinds(query.index.lexicon(), terms, unfinished) else {
        return found;
    };
    // `kansas city airport` asks for no city.
    if roles.iter().any(|role| matches!(role, Role::Airport | Role::Station)) {
        roles.retain(|role| !matches!(role, Role::City | Role::State | Role::County));
    }
    if rest.len() == 1 && roles.contains(&Role::Airport) {
        found.push(Interpretation::AirportCode(rest.term(0).to_owned()));
    }
    let penalty = if unfinished { KIND_DROPPED_UNFINISHED } else { KIND_DROPPED };
    let adjustment = Adjustment { roles, penalty, ..Adjustment::default() };
    found.push(Interpretation::Name(rest, adjustment.clone()));
    let lexicon = query.index.lexicon();
    let longer = beginning_with_filler(lexicon, terms, fillers_gone).into_iter();
    for rest in longer.chain(without_kind_at_an_end(lexicon, terms)) {
        if is_name(query, &rest.phrase(0..rest.len())) {
            let adjustment = Adjustment { roles: roles_left_out(query, terms, &rest), ..adjustment.clone() };
            found.push(Interpretation::Name(rest, adjustment));
        }
    }
    found
}

/// Drops elided articles: `l'Ardèche` is Ardèche. A name that has one (`L'Aquila`) was found as written.
fn without_elided(query: &Query, _: &Terms) -> Vec<Interpretation> {
    let Some(terms) = without_elisions(query.scorer.search.text).map(|text| Terms::of(&text)) else {
        return Vec::new();
    };
    let mut found = of_kinds(query, &terms, 1);
    let penalty = if query.scorer.mode == Mode::Autocomplete { ELISION_DROPPED_UNFINISHED } else { ELISION_DROPPED };
    found.insert(0, Interpretation::Name(terms, Adjustment { penalty, ..Adjustment::default() }));
    found
}

/// Writes postal codes as an index of them does.
fn as_postcodes(query: &Query, terms: &Terms) -> Vec<Interpretation> {
    if query.index.has(Role::Postcode) { postcodes::interpretations(terms) } else { Vec::new() }
}

/// Splits a text that is written without spaces, as Chinese and Japanese addresses are, into a name and the area before it:
/// `江苏苏州` is Suzhou in Jiangsu.
fn split_unspaced(query: &Query, terms: &Terms) -> Vec<Interpretation> {
    let letters: Vec<char> = if terms.len() == 1 { terms.term(0).chars().collect() } else { Vec::new() };
    if !(2 * LEAST_LETTERS..=MOST_LETTERS).contains(&letters.len())
        || !letters.iter().all(|&letter| is_written_without_spaces(letter))
    {
        return Vec::new();
    }
    let lexicon = query.index.lexicon();
    let mut found = Vec::new();
    for (name, areas) in unspaced_splits(query, &letters, MOST_AREAS) {
        let terms = Terms::of(&std::iter::once(name).chain(areas).collect::<Vec<_>>().join(", "));
        if let Some((rest, roles)) = without_kinds(lexicon, &terms, false) {
            let adjustment = Adjustment { roles, penalty: KIND_DROPPED, ..Adjustment::default() };
            found.push(Interpretation::Name(rest, adjustment));
        }
        found.push(Interpretation::Name(terms, Adjustment::default()));
    }
    found
}

/// Splits letters in all ways into areas, the largest first, and a name behind them. Returns each name with its areas, the
/// smallest first.
fn unspaced_splits(query: &Query, letters: &[char], areas: usize) -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    for at in LEAST_LETTERS..=letters.len().saturating_sub(LEAST_LETTERS) {
        let Some(area) = area_written(query, letters[..at].iter().collect()) else { continue };
        found.push((letters[at..].iter().collect(), vec![area.clone()]));
        if areas > 1 && at >= LEAST_LETTERS {
            for (name, mut smaller) in unspaced_splits(query, &letters[at..], areas - 1) {
                smaller.push(area.clone());
                found.push((name, smaller));
            }
        }
    }
    found
}

/// The most areas before a name: a prefecture and a ward, as in 東京都渋谷区原宿.
const MOST_AREAS: usize = 2;

/// Finds the name of an area that a text means, which may leave out what kind of area it is.
fn area_written(query: &Query, mut text: String) -> Option<String> {
    let length = text.len();
    for kind in std::iter::once("").chain(state_suffixes(query.index.lexicon())) {
        text.truncate(length);
        text += kind;
        if !query.budgets.spend(1) {
            return None;
        }
        if is_name(query, &text) {
            return Some(text);
        }
    }
    None
}

fn is_name(query: &Query, text: &str) -> bool {
    let has =
        |segment: Segment| [&segment.file.usual, &segment.file.alternates].iter().any(|names| names.id(text).is_some());
    query.index.segments().any(has)
}

/// The fewest letters of a name or an area in a text without spaces.
const LEAST_LETTERS: usize = 2;

/// The most letters of such a text: the longest names of a division and a city have ten each. Every split is looked up.
const MOST_LETTERS: usize = 20;

/// Tells whether a letter is Han or kana.
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
fn transliterate(query: &Query, _: &Terms) -> Vec<Interpretation> {
    let latin = query.index.scripts().transliterate(query.scorer.search.text);
    let terms = latin.map(|latin| Terms::of(&latin)).unwrap_or_default();
    // Some characters transliterate to nothing; a text of only those has no terms.
    if terms.is_empty() {
        return Vec::new();
    }
    let named = without_kind_terms(query, &terms);
    let adjustment = Adjustment { penalty: TRANSLITERATED, respelled: true, ..Adjustment::default() };
    std::iter::once(Interpretation::Name(terms, adjustment)).chain(named).collect()
}

/// Reads text in other scripts as a spelling of Latin names.
fn as_spelling(query: &Query, terms: &Terms) -> Vec<Interpretation> {
    let adjustment = Adjustment { penalty: SPELLED, ..Adjustment::default() };
    let mut found = vec![Interpretation::Spelled(terms.clone(), adjustment)];
    let named = without_kinds(query.index.lexicon(), terms, query.scorer.mode == Mode::Autocomplete);
    found.extend(named.map(|(rest, roles)| {
        Interpretation::Spelled(rest, Adjustment { roles, penalty: SPELLED + KIND_DROPPED, ..Adjustment::default() })
    }));
    found
}

fn in_part(_: &Query, terms: &Terms) -> Vec<Interpretation> {
    vec![Interpretation::PartOfName(terms.clone())]
}

fn by_sound(query: &Query, terms: &Terms) -> Vec<Interpretation> {
    let named = without_kinds(query.index.lexicon(), terms, query.scorer.mode == Mode::Autocomplete);
    let rest = named.as_ref().map_or(terms, |(rest, _)| rest);
    let Some(name) = rest.name(0..rest.len()) else { return Vec::new() };
    let text = if named.is_some() { name } else { to_lower(query.scorer.search.text) };
    let text = query.index.scripts().transliterate(&text).unwrap_or(text);
    vec![Interpretation::Sound { text, unfinished: terms.prefix(query.scorer.mode) == Some(Prefix::Letters) }]
}
