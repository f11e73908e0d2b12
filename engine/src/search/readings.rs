//! The readings of a query, and the candidates of each.

mod look_up;

use std::ops::Range;

use super::by_sound::by_sound;
use super::candidate::{Candidate, Evidence, Pool};
use super::context::{Contexts, Freedom, Piece};
use super::correction::DOUBTFUL;
use super::effort::Effort;
use super::kinds::{is_filler, is_no_name, without_kinds};
use super::weights::*;
use super::words::Words;
use crate::index::{Cost, Index, Language, share};
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

/// Candidates kept beyond the limit: the ones that are merged away, and rivals that tell how sure the first one is.
const SPARE: usize = 12;

/// Suggestions carry no confidence, so rivals need not be known.
const SPARE_SUGGESTIONS: usize = 4;

/// The cheapest candidates of a query over all readings, cheapest first.
pub(crate) fn candidates(index: &Index, search: &Search, mode: Mode) -> Vec<Candidate> {
    let words = Words::of(search.text);
    if words.len() == 0 {
        return Vec::new();
    }
    let spare = if mode == Mode::Forward { SPARE } else { SPARE_SUGGESTIONS };
    let pool = Pool::new(search.limit.saturating_add(spare));
    // Latin letters and their marks end at U+024F; what a fold leaves of them ends even before.
    let is_latin = search.text.chars().all(|c| c <= '\u{24f}' || !c.is_alphabetic());
    let languages = search.lang.map(|tag| index.translations.languages(tag)).unwrap_or_default();
    let mut reader = Reader {
        index,
        search,
        mode,
        is_latin,
        languages: &languages,
        pool,
        exact_least: Cost::MAX,
        effort: &Effort::of_a_query(),
    };
    reader.codes();
    reader.read_all(&words, Ask::default());
    reader.read_kind_words(&words);
    if reader.pool.is_empty() {
        reader.read_without_fillers(&words);
    }
    if reader.pool.is_empty() {
        reader.read_in_latin();
    }
    if reader.pool.is_empty() {
        reader.read_leniently(&words);
    }
    if reader.pool.is_empty() {
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
    pieces: &'r [Piece],
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
    effort: &'q Effort,
}

impl<'q> Reader<'q> {
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

    /// All of `words` as a name, and every split into name and context: strictly, then with typos if that is needed.
    fn read_all(&mut self, words: &Words, ask: Ask) {
        let contexts = &mut Contexts::new(self.index, words, self.effort);
        let unfinished = self.mode == Mode::Autocomplete;
        let strict = Freedom { unfinished, misspelt: false };
        self.read_whole(words, &ask);
        self.read_splits(words, contexts, strict, &ask, false);
        self.exact_least = self.pool.least().unwrap_or(Cost::MAX);
        if self.exact_least > DOUBTFUL {
            self.read_whole_loosely(words, &ask);
            self.read_splits(words, contexts, strict, &ask, true);
        }
        if self.pool.is_empty() {
            self.read_splits(words, contexts, Freedom { unfinished, misspelt: true }, &ask, false);
        }
    }

    fn whole<'r>(&self, words: &Words, ask: &'r Ask) -> Reading<'r> {
        let span = 0..words.len();
        let cost = if words.is_broken(span.clone()) { ACROSS_BREAK } else { 0 };
        Reading {
            phrase: words.phrase(span),
            pieces: &[],
            ask,
            cost,
            prefix: self.mode == Mode::Autocomplete,
            strict: true,
        }
    }

    fn read_whole(&mut self, words: &Words, ask: &Ask) {
        let reading = self.whole(words, ask);
        self.look_up(&reading);
    }

    fn read_whole_loosely(&mut self, words: &Words, ask: &Ask) {
        let mut reading = self.whole(words, ask);
        self.look_up_fuzzily(&reading);
        reading.prefix = true;
        self.look_up(&reading);
    }

    fn read_splits(&mut self, words: &Words, contexts: &mut Contexts, freedom: Freedom, ask: &Ask, fuzzy: bool) {
        let end = words.len();
        for at in (1..end).rev() {
            self.read_split(words, contexts, freedom, ask, (0..at, at..end), fuzzy);
        }
        for at in 1..end {
            self.read_split(words, contexts, freedom, ask, (at..end, 0..at), fuzzy);
        }
    }

    fn read_split(
        &mut self,
        words: &Words,
        contexts: &mut Contexts,
        freedom: Freedom,
        ask: &Ask,
        (name, context): (Range<usize>, Range<usize>),
        fuzzy: bool,
    ) {
        if words.is_broken(name.clone()) {
            return;
        }
        let Some(pieces) = contexts.resolve(context.clone(), freedom) else { return };
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
        let reading = Reading { phrase: words.phrase(name), pieces: &pieces, ask, cost, prefix, strict };
        if fuzzy { self.look_up_fuzzily(&reading) } else { self.look_up(&reading) }
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
        let reach = match roles {
            [Role::Airport] => AIRPORT_REACH_M,
            [Role::Station] => STATION_REACH_M,
            _ => return,
        };
        let mut cities = Reader { pool: Pool::new(MAX_CITIES), exact_least: Cost::MAX, mode: Mode::Forward, ..*self };
        cities.read_all(rest, Ask { roles: vec![Role::City], ..Ask::default() });
        let index = self.index;
        let is_city = |city: &Candidate| matches!(index.places.role(city.row), Role::City | Role::Quarter);
        for city in cities.pool.into_best().into_iter().filter(is_city) {
            let importance = index.cost_of_importance(city.row);
            let cost = city.cost.saturating_sub(importance) + importance / CITY_IN_SITE + SITE_OF_CITY;
            let centre = index.places.position(city.row);
            for site in within(index, &index.sites, centre, reach, |row| roles.contains(&index.places.role(row))) {
                let far = share(FAR_SITE * site.distance_m / reach);
                self.offer(site.row, cost + far, Evidence { role: Some(roles[0]), ..city.evidence });
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
        if rest.len() > 0 && ignored > 0 {
            let ask = Ask { cost: Cost::from(ignored) * IGNORED_NUMBER, ignored, ..Ask::default() };
            self.read_all(&rest, ask);
        }
    }

    /// The text in Latin letters, where it is in others.
    fn read_in_latin(&mut self) {
        if let Some(latin) = self.index.letters.latin(&self.search.text.to_lowercase()) {
            let words = Words::of(&latin);
            self.read_all(&words, Ask { cost: IN_LATIN, respelled: true, ..Ask::default() });
            self.read_kind_words(&words);
        }
    }

    fn read_by_sound(&mut self, words: &Words) {
        let unfinished = self.mode == Mode::Autocomplete;
        let named = without_kinds(&self.index.header.lexicon, words, unfinished);
        let text = named.map_or_else(|| self.search.text.to_lowercase(), |(rest, _)| rest.phrase(0..rest.len()));
        let latin = self.index.letters.latin(&text).unwrap_or(text);
        let letters = latin.chars().count();
        for (posting, cost) in by_sound(self.index, &latin, unfinished, self.effort) {
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
                let phrase = words.phrase(start..start + length);
                if length == 1 && is_no_name(&self.index.header.lexicon, &phrase) {
                    continue;
                }
                self.look_up(&Reading { phrase, pieces: &[], ask: &ask, cost: 0, prefix: false, strict: true });
            }
            if !self.pool.is_empty() {
                return;
            }
        }
    }
}
