//! Context: the words beside a name that say where it lies, by name or by code.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

use super::budget::Budget;
use super::correction::allowed_edits;
use super::kinds::is_no_name;
use super::weights::BEGUN_ALTERNATE;
use super::words::Words;
use crate::geo::metres_to_chord;
use crate::index::{Cost, Index, Match, NameSearch, Names};
use crate::record::{CodeScheme, Role};
use crate::reverse::chord;

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

/// Areas that are looked through in about the time of one unit of the budget.
const AREAS_A_UNIT: u32 = 16;

/// Around a city that holds no parent link to what lies in it (airports, stations), so far out still counts.
const CITY_REACH_M: f64 = 15_000.0;

/// One piece of context: the areas it can mean.
#[derive(Clone, Debug, Default)]
pub(crate) struct Piece {
    /// In order.
    rows: Vec<u32>,
    /// Those of them that are cities, made when it is first asked what lies around them.
    cities: OnceCell<Vec<City>>,
    pub cost: Cost,
}

/// A city, and what lies around it.
#[derive(Clone, Copy, Debug)]
struct City {
    row: u32,
    importance: u16,
    /// On the unit sphere, and the squared chord from there to the edge.
    centre: [f64; 3],
    reach: f64,
}

impl Piece {
    fn new(rows: Vec<u32>, cost: Cost) -> Self {
        Self { rows, cities: OnceCell::new(), cost }
    }

    /// Whether one of the areas holds `row`.
    pub fn holds(&self, index: &Index, row: u32) -> bool {
        let places = &index.places;
        if places.ancestors(row).any(|ancestor| self.rows.binary_search(&ancestor).is_ok()) {
            return true;
        }
        if places.role(row) <= Role::County {
            return false;
        }
        let (position, importance) = (places.position(row).unit_vector(), places.importance(row));
        let mut greater = self.cities(index).iter().filter(|city| city.row != row && city.importance > importance);
        greater.any(|city| chord(city.centre, position) <= city.reach)
    }

    fn cities(&self, index: &Index) -> &[City] {
        let places = &index.places;
        let city = |row: u32| City {
            row,
            importance: places.importance(row),
            centre: places.position(row).unit_vector(),
            reach: metres_to_chord(CITY_REACH_M.max(1.5 * places.extent_m(row))),
        };
        let cities = self.rows.iter().copied().filter(|&row| places.role(row) == Role::City);
        self.cities.get_or_init(|| cities.map(city).collect())
    }

    /// What [`Self::holds`] costs, in units of the budget.
    pub fn work(&self) -> u32 {
        self.rows.len() as u32 / AREAS_A_UNIT
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
    budget: &'q Budget,
    known: HashMap<(Span, Freedom), Option<Rc<Piece>>>,
    /// Spans that no pieces cover. Without them, the ways to cut a long span into pieces would all be tried.
    uncovered: HashSet<(Span, Freedom)>,
}

/// First word, and the one behind the last.
type Span = (usize, usize);

impl<'q> Contexts<'q> {
    pub fn new(index: &'q Index, words: &'q Words, budget: &'q Budget) -> Self {
        Self { index, words, budget, known: HashMap::new(), uncovered: HashSet::new() }
    }

    /// The pieces that cover `span` whole, the longest names first; `None` when some word is no area.
    pub fn resolve(&mut self, span: Range<usize>, freedom: Freedom) -> Option<Vec<Rc<Piece>>> {
        if span.is_empty() {
            return Some(Vec::new());
        }
        let key = ((span.start, span.end), freedom);
        if self.uncovered.contains(&key) {
            return None;
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
        self.uncovered.insert(key);
        None
    }

    fn piece(&mut self, span: Range<usize>, freedom: Freedom) -> Option<Rc<Piece>> {
        let (index, words, budget) = (self.index, self.words, self.budget);
        let found = || find(index, &words.phrase(span.clone()), freedom, budget).map(Rc::new);
        self.known.entry(((span.start, span.end), freedom)).or_insert_with(found).clone()
    }
}

fn find(index: &Index, phrase: &str, freedom: Freedom, budget: &Budget) -> Option<Piece> {
    // There is a place called Airport, but `Casablanca airport` is not in it.
    if is_no_name(&index.header.lexicon, phrase) {
        return None;
    }
    let mut rows = named(index, phrase, budget);
    rows.extend(coded(index, phrase));
    let mut cost = 0;
    if freedom.unfinished {
        // `geo` is the code of one Georgia and begins the name of the other.
        cost = if rows.is_empty() { UNFINISHED } else { 0 };
        rows.extend(begun(index, phrase, budget));
    }
    if rows.is_empty() && freedom.misspelt {
        (rows, cost) = (misspelt(index, phrase, budget), MISSPELT);
    }
    rows.sort_unstable();
    rows.dedup();
    (!rows.is_empty()).then(|| Piece::new(rows, cost))
}

fn is_context(index: &Index, row: u32) -> bool {
    index.places.role(row) <= Role::City
}

fn named(index: &Index, phrase: &str, budget: &Budget) -> Vec<u32> {
    let of_table = |names: &'_ Names| {
        let id = names.id(phrase)?;
        let rows = names.postings(id).map(|posting| posting.row).take_while(|_| budget.spend(1));
        Some(rows.filter(|&row| is_context(index, row)).take(MAX_AREAS).collect::<Vec<_>>())
    };
    [&index.names, &index.alternates].into_iter().filter_map(of_table).flatten().collect()
}

fn coded(index: &Index, phrase: &str) -> Vec<u32> {
    let is_area = |scheme| matches!(scheme, CodeScheme::Iso2 | CodeScheme::Iso3 | CodeScheme::State);
    let codes = index.codes.meanings(&phrase.to_ascii_uppercase());
    codes.into_iter().filter(|&(scheme, _)| is_area(scheme)).map(|(_, row)| row).collect()
}

fn begun(index: &Index, phrase: &str, budget: &Budget) -> Vec<u32> {
    let mut areas = Areas::default();
    for (names, begun) in [(&index.names, 0), (&index.alternates, BEGUN_ALTERNATE)] {
        let mut search = NameSearch::begun(names, phrase, begun);
        let found = std::iter::from_fn(|| budget.next(&mut search, Cost::MAX));
        areas.take(index, names, begun, found.take(MAX_UNFINISHED_NAMES));
    }
    areas.rows()
}

fn misspelt(index: &Index, phrase: &str, budget: &Budget) -> Vec<u32> {
    let edits = allowed_edits(phrase);
    let mut areas = Areas::default();
    for names in [&index.names, &index.alternates] {
        if edits > 0 && areas.0.is_empty() {
            let mut search = NameSearch::fuzzy(names, phrase, None, edits, MISSPELT);
            areas.take(index, names, 0, std::iter::from_fn(|| budget.next(&mut search, MISSPELT_LIMIT)));
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
