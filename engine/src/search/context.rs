//! Context: the words beside a name that say where it lies, by name or by code.

use std::collections::HashMap;
use std::ops::Range;

use super::correction::allowed_edits;
use super::effort::Effort;
use super::kinds::is_no_name;
use super::weights::BEGUN_ALTERNATE;
use super::words::Words;
use crate::index::{Cost, Index, Match, NameSearch, Names};
use crate::record::{CodeScheme, Role};

/// Words of the longest area name that is tried.
const MAX_PIECE_WORDS: usize = 5;

/// Areas that one piece can mean: beyond the most important ones, a reading says nothing.
const MAX_AREAS: usize = 48;

/// Areas that an unfinished or misspelt name can mean.
const MAX_GUESSED_AREAS: usize = 24;

/// Names looked at to find those of an unfinished one.
const MAX_UNFINISHED_NAMES: usize = 400;

/// What a misspelt area costs, and each edit while it is looked for.
const MISSPELT: Cost = crate::index::share(0.20);

/// A misspelt area less important than a county is not looked for.
const MISSPELT_LIMIT: Cost = crate::index::share(0.90);

/// What an unfinished area costs.
const UNFINISHED: Cost = crate::index::share(0.04);

/// Around a city that holds no parent link to what lies in it (airports, stations), so far out still counts.
const CITY_REACH_M: f64 = 15_000.0;

/// One piece of context: the areas it can mean.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Piece {
    rows: Vec<u32>,
    pub cost: Cost,
}

impl Piece {
    /// Whether one of the areas holds `row`.
    pub fn holds(&self, index: &Index, row: u32) -> bool {
        let places = &index.places;
        if places.ancestors(row).any(|ancestor| self.rows.binary_search(&ancestor).is_ok()) {
            return true;
        }
        let position = places.position(row);
        let is_greater =
            |city: u32| places.role(city) == Role::City && places.importance(city) > places.importance(row);
        places.role(row) > Role::County
            && self.rows.iter().filter(|&&city| city != row && is_greater(city)).any(|&city| {
                let reach = CITY_REACH_M.max(1.5 * places.extent_m(city));
                places.position(city).distance_m(position) <= reach
            })
    }
}

/// How freely words are taken for areas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Freedom {
    /// The last word of the query may be unfinished.
    pub unfinished: bool,
    /// Area names may be misspelt.
    pub misspelt: bool,
}

/// Resolves words to pieces, each span once.
pub(crate) struct Contexts<'q> {
    index: &'q Index,
    words: &'q Words,
    effort: &'q Effort,
    known: HashMap<(usize, usize, Freedom), Option<Piece>>,
}

impl<'q> Contexts<'q> {
    pub fn new(index: &'q Index, words: &'q Words, effort: &'q Effort) -> Self {
        Self { index, words, effort, known: HashMap::new() }
    }

    /// The pieces that cover `span` whole, the longest names first; `None` when some word is no area.
    pub fn resolve(&mut self, span: Range<usize>, freedom: Freedom) -> Option<Vec<Piece>> {
        if span.is_empty() {
            return Some(Vec::new());
        }
        let longest = span.len().min(MAX_PIECE_WORDS);
        for end in (span.start + 1..=span.start + longest).rev() {
            if self.words.is_broken(span.start..end) {
                continue;
            }
            let at_end = end == self.words.len();
            let here = Freedom { unfinished: freedom.unfinished && at_end, misspelt: freedom.misspelt };
            let Some(piece) = self.piece(span.start..end, here) else { continue };
            if let Some(mut rest) = self.resolve(end..span.end, freedom) {
                rest.insert(0, piece);
                return Some(rest);
            }
        }
        None
    }

    fn piece(&mut self, span: Range<usize>, freedom: Freedom) -> Option<Piece> {
        let key = (span.start, span.end, freedom);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let found = find(self.index, &self.words.phrase(span), freedom, self.effort);
        self.known.insert(key, found.clone());
        found
    }
}

fn find(index: &Index, phrase: &str, freedom: Freedom, effort: &Effort) -> Option<Piece> {
    // There is a place called Airport, but `Casablanca airport` is not in it.
    if is_no_name(&index.header.lexicon, phrase) {
        return None;
    }
    let mut rows = named(index, phrase);
    rows.extend(coded(index, phrase));
    let mut cost = 0;
    if freedom.unfinished {
        // `geo` is the code of one Georgia and begins the name of the other.
        cost = if rows.is_empty() { UNFINISHED } else { 0 };
        rows.extend(begun(index, phrase));
    }
    if rows.is_empty() && freedom.misspelt {
        (rows, cost) = (misspelt(index, phrase, effort), MISSPELT);
    }
    rows.sort_unstable();
    rows.dedup();
    (!rows.is_empty()).then_some(Piece { rows, cost })
}

fn is_context(index: &Index, row: u32) -> bool {
    index.places.role(row) <= Role::City
}

fn named(index: &Index, phrase: &str) -> Vec<u32> {
    let of_table = |names: &'_ Names| {
        let id = names.id(phrase)?;
        let rows = names.postings(id).map(|posting| posting.row);
        Some(rows.filter(|&row| is_context(index, row)).take(MAX_AREAS).collect::<Vec<_>>())
    };
    [&index.names, &index.alternates].into_iter().filter_map(of_table).flatten().collect()
}

fn coded(index: &Index, phrase: &str) -> Vec<u32> {
    let is_area = |scheme| matches!(scheme, CodeScheme::Iso2 | CodeScheme::Iso3 | CodeScheme::State);
    let codes = index.codes.meanings(&phrase.to_ascii_uppercase());
    codes.into_iter().filter(|&(scheme, _)| is_area(scheme)).map(|(_, row)| row).collect()
}

fn begun(index: &Index, phrase: &str) -> Vec<u32> {
    let mut areas = Areas::default();
    for (names, begun) in [(&index.names, 0), (&index.alternates, BEGUN_ALTERNATE)] {
        let found = NameSearch::begun(names, phrase, begun).take(MAX_UNFINISHED_NAMES);
        areas.take(index, names, begun, found);
    }
    areas.rows()
}

fn misspelt(index: &Index, phrase: &str, effort: &Effort) -> Vec<u32> {
    let edits = allowed_edits(phrase);
    let mut areas = Areas::default();
    for names in [&index.names, &index.alternates] {
        if edits > 0 && areas.0.is_empty() {
            let mut search = NameSearch::fuzzy(names, phrase, None, edits, MISSPELT);
            areas.take(index, names, 0, std::iter::from_fn(|| effort.next(&mut search, MISSPELT_LIMIT)));
        }
    }
    areas.rows()
}

/// The cheapest areas among the places of some names, each with its cost, in order of it.
#[derive(Default)]
struct Areas(Vec<(Cost, u32)>);

impl Areas {
    /// Looks at names, which come cheapest first, as long as one may be of an area that is cheap enough. `begun` is what each
    /// adds for being begun.
    fn take(&mut self, index: &Index, names: &Names, begun: Cost, found: impl Iterator<Item = Match>) {
        for found in found {
            if found.floor >= self.limit() {
                return;
            }
            let doubt = begun + Cost::from(found.edits) * MISSPELT;
            for posting in names.postings(found.id) {
                let cost = doubt + index.cost(posting);
                if cost >= self.limit() {
                    break;
                }
                // A country has many names that begin alike.
                if is_context(index, posting.row) && self.0.iter().all(|&(_, row)| row != posting.row) {
                    let at = self.0.partition_point(|&known| known < (cost, posting.row));
                    self.0.insert(at, (cost, posting.row));
                    self.0.truncate(MAX_GUESSED_AREAS);
                }
            }
        }
    }

    /// The cost from which on an area would not be kept.
    fn limit(&self) -> Cost {
        if self.0.len() < MAX_GUESSED_AREAS { Cost::MAX } else { self.0[MAX_GUESSED_AREAS - 1].0 }
    }

    fn rows(self) -> Vec<u32> {
        self.0.into_iter().map(|(_, row)| row).collect()
    }
}
