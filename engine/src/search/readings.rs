//! The readings of a query, and the candidates of each.

mod look_up;

use std::ops::Range;
use std::rc::Rc;

use super::budget::{Budget, share};
use super::by_sound::by_sound;
use super::candidate::{Candidate, Evidence, Pool};
use super::context::{Contexts, Freedom, Piece};
use super::correction::{DOUBTFUL, GUESS};
use super::kinds::{is_filler, is_no_name, without_kinds};
use super::weights::*;
use super::words::Words;
use crate::index::{self, Cost, Index, Language, MAX_KEY_LETTERS};
use crate::query::Search;
use crate::record::{CodeScheme, NameClass, Role};
use crate::reverse::within;
use look_up::evidence;

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// The text is complete.
    Forward,
    /// The last word may be unfinished.
    Autocomplete,
}

/// Candidates kept of a complete text at least: the rivals by which the first one is judged. Their number does not depend on
/// the limit, so that confidence does not either; it holds the contract's largest limit and [`SPARE`].
pub(crate) const RIVALS: usize = 50 + SPARE;

/// Candidates kept beyond the limit: the ones that are merged away.
const SPARE: usize = 12;

/// Suggestions carry no confidence, so rivals need not be known, and few of them are areas that bear the name of their city.
const SPARE_SUGGESTIONS: usize = 4;

/// The cheapest candidates of a query over all readings, cheapest first.
pub(crate) fn candidates(index: &Index, search: &Search, mode: Mode) -> Vec<Candidate> {
    let words = Words::of(search.text);
    let pool = Pool::new(match mode {
        Mode::Forward => search.limit.saturating_add(SPARE).max(RIVALS),
        Mode::Autocomplete => search.limit.saturating_add(SPARE_SUGGESTIONS),
    });
    let languages = search.lang.map(|tag| index.translations.languages(tag)).unwrap_or_default();
    let mut reader = Reader {
        index,
        search,
        mode,
        is_latin: words.is_latin(),
        languages: &languages,
        pool,
        exact_least: Cost::MAX,
        budget: &Budget::of_a_question(),
    };
    if words.is_empty() {
        return Vec::new();
    }
    reader.codes();
    reader.budget.begin(share::ALL_WORDS);
    reader.read_all(&words, Ask::default());
    reader.budget.begin(share::WITHOUT_KINDS);
    reader.read_kind_words(&words);
    if reader.has_nothing_yet(share::WITHOUT_FILLERS) {
        reader.read_without_fillers(&words);
    }
    // What is longer than any name is not spelled anew: it is no slip, and a letter may have many in another spelling.
    let may_be_a_name = search.text.chars().nth(MAX_KEY_LETTERS).is_none();
    if may_be_a_name && reader.has_nothing_yet(share::IN_LATIN) {
        reader.read_in_latin();
    }
    if reader.has_nothing_yet(0) {
        reader.read_leniently(&words);
    }
    if may_be_a_name && reader.has_nothing_yet(share::BY_SOUND) {
        reader.read_by_sound(&words);
    }
    reader.pool.into_best()
}

/// What a reading adds to every candidate.
#[derive(Clone, Debug, Default)]
struct Ask {
    cost: Cost,
    ignored: u8,
    respelled: bool,
    roles: Vec<Role>,
}

/// A name pattern with its context.
struct Reading<'r> {
    phrase: String,
    pieces: Vec<Rc<Piece>>,
    ask: &'r Ask,
    cost: Cost,
    prefix: bool,
    /// Only places that all pieces hold.
    strict: bool,
}

struct Reader<'q> {
    index: &'q Index,
    search: &'q Search<'q>,
    mode: Mode,
    is_latin: bool,
    languages: &'q [Language],
    pool: Pool,
    /// Cost of the best candidate found without correction.
    exact_least: Cost,
    budget: &'q Budget,
}

impl<'q> Reader<'q> {
    /// Whether nothing was found yet but guesses, so that a last resort is to be tried, with a share of the budget of its own.
    fn has_nothing_yet(&self, share: u32) -> bool {
        self.budget.begin(share);
        self.pool.least().is_none_or(|least| least > GUESS)
    }

    /// The whole query as a code. Codes have a form: capitals. An airport's is also typed in small letters.
    fn codes(&mut self) {
        let text = self.search.text.trim();
        if !(2..=4).contains(&text.len()) || !text.bytes().all(|b| b.is_ascii_alphabetic()) {
            return;
        }
        let in_form = text.bytes().all(|b| b.is_ascii_uppercase());
        for (scheme, row) in self.index.codes.meanings(&text.to_ascii_uppercase()) {
            let cost = match scheme {
                CodeScheme::Iata if !in_form => AIRPORT_CODE_IN_SMALL,
                _ if !in_form => continue,
                CodeScheme::Iata | CodeScheme::Icao => AIRPORT_CODE,
                CodeScheme::Iso2 => COUNTRY_CODE,
                CodeScheme::Iso3 => COUNTRY_CODE_OF_THREE,
                CodeScheme::State => STATE_CODE,
            };
            let evidence = evidence(NameClass::Primary, text.len(), true);
            self.offer(row, cost, Evidence { code: true, ..evidence });
        }
    }

    /// All of `words` as a name, and every split into name and context: as they are written, then with slips if that is
    /// needed.
    fn read_all(&mut self, words: &Words, ask: Ask) {
        let contexts = &mut Contexts::new(self.index, words, self.budget);
        let unfinished = self.mode == Mode::Autocomplete;
        let mut whole = self.whole(words, &ask);
        let splits = self.splits(words, contexts, Freedom { unfinished, misspelt: false }, &ask);
        for reading in whole.iter().chain(&splits) {
            self.look_up(reading);
        }
        if self.exact_least > DOUBTFUL {
            if let Some(whole) = &mut whole {
                whole.prefix = true;
                self.look_up(whole);
            }
            // What a comma stands in is more often a name and its context than one name.
            let is_broken = words.is_broken(0..words.len());
            let (first, last) =
                if is_broken { (&splits[..], whole.as_slice()) } else { (whole.as_slice(), &splits[..]) };
            self.look_up_corrected(&first.iter().chain(last).collect::<Vec<_>>());
        }
        if self.pool.is_empty() {
            for reading in self.splits(words, contexts, Freedom { unfinished, misspelt: true }, &ask) {
                self.look_up(&reading);
            }
        }
    }

    /// All words as one name; `None` where they are longer than any.
    fn whole<'r>(&self, words: &Words, ask: &'r Ask) -> Option<Reading<'r>> {
        let span = 0..words.len();
        let cost = if words.is_broken(span.clone()) { ACROSS_BREAK } else { 0 };
        let prefix = self.mode == Mode::Autocomplete;
        Some(Reading { phrase: words.name(span)?, pieces: Vec::new(), ask, cost, prefix, strict: true })
    }

    /// Every split into a name and a context that is known: the context behind the name, then before it.
    fn splits<'r>(&self, words: &Words, contexts: &mut Contexts, freedom: Freedom, ask: &'r Ask) -> Vec<Reading<'r>> {
        let end = words.len();
        let behind = (1..end).rev().map(|at| (0..at, at..end));
        let before = (1..end).map(|at| (at..end, 0..at));
        behind.chain(before).filter_map(|split| self.split(words, contexts, freedom, ask, split)).collect()
    }

    fn split<'r>(
        &self,
        words: &Words,
        contexts: &mut Contexts,
        freedom: Freedom,
        ask: &'r Ask,
        (name, context): (Range<usize>, Range<usize>),
    ) -> Option<Reading<'r>> {
        if words.is_broken(name.clone()) {
            return None;
        }
        let phrase = words.name(name.clone())?;
        let pieces = contexts.resolve(context.clone(), freedom)?;
        let reversed = context.start == 0;
        let order = match (reversed, words.breaks.contains(&name.start)) {
            (false, _) => 0,
            (true, _) if self.mode == Mode::Autocomplete => REVERSED_UNFINISHED,
            (true, false) => REVERSED,
            (true, true) => REVERSED_ACROSS_BREAK,
        };
        let cost = pieces.iter().map(|piece| piece.cost).sum::<Cost>() + order;
        let prefix = reversed && self.mode == Mode::Autocomplete;
        // `Basel, France` may be a slip; `Poland` is not what begins `Luboń, Pol`.
        let strict = reversed || self.mode == Mode::Autocomplete;
        Some(Reading { phrase, pieces, ask, cost, prefix, strict })
    }

    /// Words that say what kind of place is meant are taken out of the name.
    fn read_kind_words(&mut self, words: &Words) {
        let Some((rest, roles)) = without_kinds(&self.index.header.lexicon, words, self.mode == Mode::Autocomplete)
        else {
            return;
        };
        if rest.len() == 1 && roles.contains(&Role::Airport) {
            self.airport_code(rest.word(0));
        }
        self.read_sites_of_city(&rest, &roles);
        self.read_all(&rest, Ask { roles, cost: KIND_LEFT_OUT, ..Ask::default() });
    }

    /// `Flughafen München`: the airports of the city that the rest of the query names, in whatever language.
    fn read_sites_of_city(&mut self, rest: &Words, roles: &[Role]) {
        let reaches: Vec<(Role, f64)> = roles.iter().filter_map(|&role| Some((role, reach_m(role)?))).collect();
        // `Ciudad` beside `estación` may be a part of the name: what is meant has to be a site by all of its words.
        if reaches.len() < roles.len() {
            return;
        }
        let mut cities = Reader { pool: Pool::new(MAX_CITIES), exact_least: Cost::MAX, mode: Mode::Forward, ..*self };
        cities.read_all(rest, Ask { roles: vec![Role::City], ..Ask::default() });
        let index = self.index;
        let is_city = |city: &Candidate| matches!(index.places.role(city.row), Role::City | Role::Quarter);
        for city in cities.pool.into_best().into_iter().filter(is_city) {
            let importance = index.cost_of_importance(city.row);
            let cost = city.cost.saturating_sub(importance) + importance / CITY_IN_SITE + SITE_OF_CITY;
            let centre = index.places.position(city.row);
            for &(role, reach) in &reaches {
                for site in within(index, &index.sites, centre, reach, |row| index.places.role(row) == role) {
                    if !self.budget.spend(1) {
                        return;
                    }
                    let far = index::share(FAR_SITE * site.distance_m / reach);
                    self.offer(site.row, cost + far, Evidence { role: Some(role), ..city.evidence });
                }
            }
        }
    }

    fn airport_code(&mut self, word: &str) {
        for (scheme, row) in self.index.codes.meanings(&word.to_ascii_uppercase()) {
            if matches!(scheme, CodeScheme::Iata | CodeScheme::Icao) {
                let evidence = evidence(NameClass::Primary, word.len(), true);
                self.offer(row, 0, Evidence { code: true, role: Some(Role::Airport), ..evidence });
            }
        }
    }

    fn read_without_fillers(&mut self, words: &Words) {
        let lexicon = &self.index.header.lexicon;
        let is_number = |word: &str| word.bytes().any(|b| b.is_ascii_digit());
        let has_number = (0..words.len()).any(|at| is_number(words.word(at)));
        // The letter of `D-50667 Köln` belongs to the number.
        let is_of_number = |word: &str| is_number(word) || (has_number && word.len() == 1);
        let rest = words.rewritten(|word| (!is_of_number(word) && !is_filler(lexicon, word)).then_some(word));
        let ignored = (words.len() - rest.len()) as u8;
        if !rest.is_empty() && ignored > 0 {
            let ask = Ask { cost: Cost::from(ignored) * IGNORED_NUMBER, ignored, ..Ask::default() };
            self.read_all(&rest, ask);
        }
    }

    /// The text in Latin letters, where it is in others.
    fn read_in_latin(&mut self) {
        if let Some(latin) = self.index.letters.latin(&self.search.text.to_lowercase()) {
            // Some letters have no sound of their own, and a text of them alone has no words.
            let words = Words::of(&latin);
            if words.is_empty() {
                return;
            }
            self.read_all(&words, Ask { cost: IN_LATIN, respelled: true, ..Ask::default() });
            self.read_kind_words(&words);
        }
    }

    fn read_by_sound(&mut self, words: &Words) {
        let unfinished = self.mode == Mode::Autocomplete;
        let named = without_kinds(&self.index.header.lexicon, words, unfinished);
        let rest = named.as_ref().map_or(words, |(rest, _)| rest);
        let Some(phrase) = rest.name(0..rest.len()) else { return };
        let text = if named.is_some() { phrase } else { self.search.text.to_lowercase() };
        let latin = self.index.letters.latin(&text).unwrap_or(text);
        let letters = latin.chars().count();
        let wanted = |row| self.is_wanted(row);
        for (posting, cost) in by_sound(self.index, &latin, unfinished, wanted, self.budget) {
            let evidence = Evidence { respelled: true, edits: 2, ..evidence(posting.class, letters, false) };
            self.offer(posting.row, cost + self.index.cost_of_class(posting.class), evidence);
        }
    }

    /// The longest run of words that is a name, the others left out.
    fn read_leniently(&mut self, words: &Words) {
        for length in (1..words.len()).rev() {
            for start in 0..=words.len() - length {
                let ignored = (words.len() - length) as u8;
                let ask = Ask { cost: Cost::from(ignored) * IGNORED_WORD, ignored, ..Ask::default() };
                let Some(phrase) = words.name(start..start + length) else { continue };
                if length == 1 && is_no_name(&self.index.header.lexicon, &phrase) {
                    continue;
                }
                self.look_up(&Reading { phrase, pieces: Vec::new(), ask: &ask, cost: 0, prefix: false, strict: true });
            }
            if !self.pool.is_empty() {
                return;
            }
        }
    }
}

/// How far from the centre of its city a site of `role` may lie; `None` for what is not named by its city.
fn reach_m(role: Role) -> Option<f64> {
    match role {
        Role::Airport => Some(AIRPORT_REACH_M),
        Role::Station => Some(STATION_REACH_M),
        _ => None,
    }
}
