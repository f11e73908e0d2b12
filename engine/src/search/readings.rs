//! The readings of a query, and the candidates of each.

use std::ops::Range;

use super::by_sound::by_sound;
use super::candidate::{Candidate, Evidence, Pool};
use super::context::{Contexts, Freedom, Piece};
use super::correction::{CORRECTED, CORRECTED_SPREAD, CORRECTED_WELL, DOUBTFUL, allowed_edits, edit_cost};
use super::effort::Effort;
use super::kinds::{is_filler, is_no_name, without_kinds};
use super::weights::*;
use super::words::Words;
use crate::index::{Cost, Index, Language, Match, NameSearch, Names, Posting, share};
use crate::query::Search;
use crate::record::{CodeScheme, NameClass, Role};
use crate::reverse::within;
use crate::text::fold;

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

    /// The tables of names, each with what a name adds that is only begun. The better classes come first: what they give
    /// bounds how far the alternates are looked at.
    fn tables(&self) -> [(&'q Names, Cost); 2] {
        let begun = if self.mode == Mode::Autocomplete { UNFINISHED } else { BEGUN };
        let alternate = if self.is_latin { BEGUN_ALTERNATE } else { BEGUN_ALTERNATE_NOT_LATIN };
        [(&self.index.names, begun), (&self.index.alternates, begun + alternate)]
    }

    fn look_up(&mut self, reading: &Reading) {
        for (names, _) in self.tables() {
            if let Some(id) = names.id(&reading.phrase) {
                self.take(names, Match { id, edits: 0, whole: true, floor: 0 }, reading, 0);
            }
        }
        if reading.prefix {
            for (names, begun) in self.tables() {
                self.take_all(names, NameSearch::begun(names, &reading.phrase, begun), reading, (begun, 0));
            }
        }
    }

    fn look_up_fuzzily(&mut self, reading: &Reading) {
        let cost = edit_cost(&reading.phrase);
        for edits in 1..=allowed_edits(&reading.phrase) {
            for (names, begun) in self.tables() {
                let search = NameSearch::fuzzy(names, &reading.phrase, reading.prefix.then_some(begun), edits, cost);
                self.take_all(names, search, reading, (begun, cost));
            }
            if self.pool.least().is_some_and(|least| least < CORRECTED_WELL) {
                return;
            }
        }
    }

    fn take_all(&mut self, names: &Names, mut search: NameSearch, reading: &Reading, (begun, edit): (Cost, Cost)) {
        let sure = reading.cost + reading.ask.cost;
        loop {
            let limit = self.limit(edit > 0).saturating_sub(sure);
            let Some(found) = self.effort.next(&mut search, limit) else { return };
            let begun = if found.whole { 0 } else { begun };
            self.take(names, found, reading, begun + Cost::from(found.edits) * edit);
        }
    }

    /// The cost from which on a search need not go on. What is corrected must beat what was found without correction,
    /// or, when that is nothing, be likely enough to be meant at all.
    fn limit(&self, corrected: bool) -> Cost {
        let far = self.pool.least().map_or(CORRECTED, |least| least.saturating_add(CORRECTED_SPREAD).min(CORRECTED));
        if corrected { self.pool.limit().min(far).min(self.exact_least) } else { self.pool.limit() }
    }

    /// Weighs the places of a name; `doubt` is what the match itself costs.
    fn take(&mut self, names: &Names, found: Match, reading: &Reading, doubt: Cost) {
        let cost = reading.cost + reading.ask.cost + doubt;
        for posting in names.postings(found.id) {
            if cost + self.index.cost(posting) >= self.pool.limit() {
                break;
            }
            self.weigh(posting, found, reading, cost);
        }
    }

    fn weigh(&mut self, posting: Posting, found: Match, reading: &Reading, mut cost: Cost) {
        let row = posting.row;
        let held = reading.pieces.iter().filter(|piece| piece.holds(self.index, row)).count();
        let unheld = reading.pieces.len() - held;
        if unheld > 0 && reading.strict {
            return;
        }
        cost += unheld as Cost * UNHELD + self.index.cost_of_class(posting.class);
        if posting.class == NameClass::English && !found.whole {
            cost += BEGUN_SPELLING;
        }
        if posting.class.is_alternate() && self.is_in_language(row, found, &reading.phrase) {
            cost -= IN_LANGUAGE;
        }
        let role = self.index.places.role(row);
        let asked = reading.ask.roles.contains(&role);
        if !reading.ask.roles.is_empty() && !asked {
            cost += OTHER_ROLE;
        }
        let evidence = Evidence {
            edits: found.edits,
            whole: found.whole,
            held: held as u8,
            unheld: unheld as u8,
            ignored: reading.ask.ignored,
            respelled: reading.ask.respelled,
            role: asked.then_some(role),
            ..evidence(posting.class, reading.phrase.chars().count(), false)
        };
        self.offer(row, cost, evidence);
    }

    /// Whether the name that matched without correction is the one in the language of the one who asks.
    fn is_in_language(&self, row: u32, found: Match, phrase: &str) -> bool {
        let names = self.languages.iter().filter_map(|&language| self.index.translations.name(row, language));
        let is_it = |name: String| if found.whole { name == phrase } else { name.starts_with(phrase) };
        found.edits == 0 && names.map(fold).any(is_it)
    }

    fn offer(&mut self, row: u32, cost: Cost, evidence: Evidence) {
        let places = &self.index.places;
        let wanted = self.search.countries.is_empty() || self.search.countries.contains(&places.country(row).iso2);
        if wanted {
            let cost = cost + self.index.cost_of_importance(row) + self.far(row);
            self.pool.add(Candidate { row, cost, evidence });
        }
    }

    /// What the distance from the focus costs.
    fn far(&self, row: u32) -> Cost {
        /// What the other side of the globe costs, and the distance within which nothing does.
        const FARTHEST: f64 = 0.30;
        const NEAR_M: f64 = 30_000.0;
        const HALF_ROUND_M: f64 = 20_000_000.0;
        let Some(focus) = self.search.focus else { return 0 };
        let distance = focus.distance_m(self.index.places.position(row)).max(NEAR_M);
        share(FARTHEST * libm::log(distance / NEAR_M) / libm::log(HALF_ROUND_M / NEAR_M))
    }
}

fn evidence(class: NameClass, letters: usize, code: bool) -> Evidence {
    let letters = letters.min(usize::from(u8::MAX)) as u8;
    Evidence {
        class,
        edits: 0,
        whole: true,
        letters,
        held: 0,
        unheld: 0,
        ignored: 0,
        respelled: false,
        code,
        role: None,
    }
}
