//! The readings of a query, and the candidates of each.

use std::ops::Range;

use super::by_sound::by_sound;
use super::candidate::{Candidate, Evidence, Pool};
use super::context::{Contexts, Freedom, Piece};
use super::effort::Effort;
use super::kinds::{is_filler, is_no_name, without_kinds};
use super::words::Words;
use crate::index::{Cost, Index, Match, NameSearch, Posting, share};
use crate::query::Search;
use crate::record::{CodeScheme, NameClass, Role};
use crate::reverse::within;

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

/// A complete text that only begins a name: it is less likely to be meant than a whole name, but better than nothing.
const BEGUN: Cost = share(0.30);

/// In a search field the last word is expected to be unfinished; a whole name (`niger`) is still better than a longer
/// one of a slightly greater place.
const UNFINISHED: Cost = share(0.04);

/// An alternate that is only begun says very little: half of all beginnings of three Latin letters begin some name of
/// some capital in some language. In other scripts there are fewer languages to choose from.
const BEGUN_ALTERNATE: Cost = share(0.30);
const BEGUN_ALTERNATE_NOT_LATIN: Cost = share(0.05);

/// A piece of context that does not hold the place: `Basel, France`.
const UNHELD: Cost = share(0.40);

/// The context before the name: `Texas Paris`.
const REVERSED: Cost = share(0.02);

/// The same while the name is still being typed: the name is more often complete, and its context begun.
const REVERSED_UNFINISHED: Cost = share(0.20);

/// The same across a comma: people write the smaller place first.
const REVERSED_ACROSS_BREAK: Cost = share(0.15);

/// A name that runs over a comma.
const ACROSS_BREAK: Cost = share(0.10);

/// A number that is left out, as a postcode.
const IGNORED_NUMBER: Cost = share(0.03);

/// Another word that is left out.
const IGNORED_WORD: Cost = share(0.25);

/// A text that the data lacks in its own script.
const IN_LATIN: Cost = share(0.12);

/// The word that says what is meant is no part of the name: a name that has it comes first (`Boulder City`).
const KIND_LEFT_OUT: Cost = share(0.10);

/// A site that the query names by its city: how far it may lie and what that costs, what the
/// detour costs, which part of the city's own
/// importance counts, and how many cities of the name are looked at.
const AIRPORT_REACH_M: f64 = 60_000.0;
const STATION_REACH_M: f64 = 6_000.0;
const FAR_SITE: f64 = 0.35;
const SITE_OF_CITY: Cost = share(0.06);
const CITY_IN_SITE: Cost = 3;
const MAX_CITIES: usize = 4;

/// Not of the kind the query names.
const OTHER_ROLE: Cost = share(0.45);

/// A code is meant when it is typed as one, in capitals; a well-known name of the same letters still comes first. Three
/// letters are an airport before they are a country, two a country before they are a state.
const AIRPORT_CODE: Cost = share(0.02);
const AIRPORT_CODE_IN_SMALL: Cost = share(0.30);
const COUNTRY_CODE: Cost = share(0.05);
const COUNTRY_CODE_OF_THREE: Cost = share(0.50);
const STATE_CODE: Cost = share(0.20);

/// Least and largest cost of one edit: a slip in a short word leaves more doubt.
const EDIT_BASE: f64 = 0.13;
const EDIT_PER_LETTER: f64 = 0.9;

/// From a best cost of this on, typos are looked for although something was found: the place is a village.
const DOUBTFUL: Cost = share(0.62);

/// A corrected name that costs more than this (a village with one slip) is a guess; one that costs so much more than
/// the best corrected one is not worth showing.
const CORRECTED: Cost = share(1.20);
const CORRECTED_SPREAD: Cost = share(0.35);

/// A place of 20,000 people with one slip is what was meant: a second slip is not looked for.
const CORRECTED_WELL: Cost = share(0.80);

/// Letters from which one and two edits are allowed.
const ONE_EDIT_LETTERS: usize = 4;
const TWO_EDITS_LETTERS: usize = 8;

/// The edits that are allowed in a folded phrase: none in digits and in scripts without letters.
pub(crate) fn allowed_edits(phrase: &str) -> u8 {
    let letters = phrase.chars().filter(|c| c.is_alphabetic()).count();
    let correctable = phrase.chars().all(|c| c == ' ' || (c.is_alphabetic() && is_alphabet(c)));
    match letters {
        _ if !correctable => 0,
        TWO_EDITS_LETTERS.. => 2,
        ONE_EDIT_LETTERS.. => 1,
        _ => 0,
    }
}

/// Scripts that spell sounds letter by letter, from Latin to Arabic, Georgian and Hangul (decomposed).
fn is_alphabet(c: char) -> bool {
    matches!(c, '\0'..='\u{8ff}' | '\u{10a0}'..='\u{11ff}' | '\u{1c90}'..='\u{1cbf}' | '\u{1e00}'..='\u{1fff}')
}

fn edit_cost(phrase: &str) -> Cost {
    share(EDIT_BASE + EDIT_PER_LETTER / phrase.chars().count().max(1) as f64)
}

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
    let mut reader =
        Reader { index, search, mode, is_latin, pool, exact_least: Cost::MAX, effort: &Effort::of_a_query() };
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
    pool: Pool,
    /// Cost of the best candidate found without correction.
    exact_least: Cost,
    effort: &'q Effort,
}

impl Reader<'_> {
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

    fn look_up(&mut self, reading: &Reading) {
        if !reading.prefix {
            if let Some(id) = self.index.names.id(&reading.phrase) {
                self.take(Match { id, edits: 0, whole: true, floor: 0 }, reading, 0);
            }
            return;
        }
        let names = NameSearch::exact(&self.index.names, &reading.phrase, true);
        self.take_all(names, reading, 0);
    }

    fn look_up_fuzzily(&mut self, reading: &Reading) {
        let cost = edit_cost(&reading.phrase);
        for edits in 1..=allowed_edits(&reading.phrase) {
            let names = NameSearch::fuzzy(&self.index.names, &reading.phrase, reading.prefix, edits, cost);
            self.take_all(names, reading, cost);
            if self.pool.least().is_some_and(|least| least < CORRECTED_WELL) {
                return;
            }
        }
    }

    fn take_all(&mut self, mut names: NameSearch, reading: &Reading, edit_cost: Cost) {
        let sure = reading.cost + reading.ask.cost;
        loop {
            let limit = self.limit(edit_cost > 0).saturating_sub(sure);
            let Some(found) = self.effort.next(&mut names, limit) else { return };
            self.take(found, reading, edit_cost);
        }
    }

    /// The cost from which on a search need not go on. What is corrected must beat what was found without correction,
    /// or, when that is nothing, be likely enough to be meant at all.
    fn limit(&self, corrected: bool) -> Cost {
        let far = self.pool.least().map_or(CORRECTED, |least| least.saturating_add(CORRECTED_SPREAD).min(CORRECTED));
        if corrected { self.pool.limit().min(far).min(self.exact_least) } else { self.pool.limit() }
    }

    fn take(&mut self, found: Match, reading: &Reading, edit_cost: Cost) {
        let unfinished = match (found.whole, self.mode) {
            (true, _) => 0,
            (false, Mode::Autocomplete) => UNFINISHED,
            (false, Mode::Forward) => BEGUN,
        };
        let cost = reading.cost + reading.ask.cost + unfinished + Cost::from(found.edits) * edit_cost;
        let index = self.index;
        for posting in index.names.postings(found.id) {
            if cost + index.cost(posting) >= self.pool.limit() {
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
        if !found.whole && posting.class >= NameClass::Other {
            cost += if self.is_latin { BEGUN_ALTERNATE } else { BEGUN_ALTERNATE_NOT_LATIN };
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
