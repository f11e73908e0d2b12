//! Resolves context: the terms next to a name that say where it lies, as names or codes of areas.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

use super::budget::Budget;
use super::edit_distance::allowed_edits;
use super::kind_terms::is_no_name;
use super::penalties::{AREA_EDITED, AREA_EDITED_LIMIT, AREA_PREFIX, PREFIX_OF_ALTERNATE};
use super::terms::Terms;
use crate::geo::{chord, metres_to_chord};
use crate::index::{Cost, Index, Match, NameSearch, Names, PlaceRef};
use crate::record::{CodeScheme, Role};

/// Maximum number of terms of an area name.
const MAX_AREA_TERMS: usize = 5;

/// Maximum number of areas per part of the context. Less important ones are not meant.
const MAX_AREAS: usize = 48;

/// Maximum number of areas for a prefix or for a name with edits.
const MAX_GUESSED_AREAS: usize = 24;

/// Maximum number of names that are examined for a prefix.
const MAX_PREFIX_NAMES: usize = 400;

/// Number of areas that are examined per unit of the budget.
const AREAS_PER_UNIT: u32 = 16;

/// Airports and stations have no parent link to their city. Up to this distance from its centre they count as in it.
const CITY_REACH_M: f64 = 15_000.0;

/// The areas that one part of a context can mean.
#[derive(Clone, Debug, Default)]
pub(crate) struct AreaSet {
    /// In ascending order.
    rows: Vec<u32>,
    /// The cities among them; computed when first needed.
    cities: OnceCell<Vec<City>>,
    /// Penalty of this meaning of the terms.
    pub penalty: Cost,
}

/// A city and the circle around it.
#[derive(Clone, Copy, Debug)]
struct City {
    row: u32,
    importance: u16,
    /// The centre on the unit sphere, and the radius as a squared chord.
    centre: [f64; 3],
    reach: f64,
}

impl AreaSet {
    fn new(rows: Vec<u32>, penalty: Cost) -> Self {
        Self { rows, cities: OnceCell::new(), penalty }
    }

    /// Whether `row` lies in one of the areas.
    pub fn contain(&self, index: &Index, row: u32) -> bool {
        let place = index.place(row);
        if place.ancestors().any(|ancestor| self.rows.binary_search(&ancestor.row).is_ok()) {
            return true;
        }
        if place.role() <= Role::County {
            return false;
        }
        let (position, importance) = (place.position().unit_vector(), place.importance());
        let mut greater = self.cities(index).iter().filter(|city| city.row != row && city.importance > importance);
        greater.any(|city| chord(city.centre, position) <= city.reach)
    }

    fn cities(&self, index: &Index) -> &[City] {
        let city = |place: PlaceRef| City {
            row: place.row,
            importance: place.importance(),
            centre: place.position().unit_vector(),
            reach: metres_to_chord(CITY_REACH_M.max(1.5 * place.extent_m())),
        };
        let cities = self.rows.iter().map(|&row| index.place(row)).filter(|place| place.role() == Role::City);
        self.cities.get_or_init(|| cities.map(city).collect())
    }

    /// Work of [`Self::contain`], in units of the budget.
    pub fn work(&self) -> u32 {
        self.rows.len() as u32 / AREAS_PER_UNIT
    }
}

/// How terms may match the names of areas, besides exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct AreaMatching {
    /// The last term of the query may be a prefix.
    pub prefix: bool,
    /// Names may have edits.
    pub edits: bool,
}

/// Resolves spans of terms to areas, with a cache.
pub(crate) struct Contexts<'q> {
    index: &'q Index,
    terms: &'q Terms,
    budget: &'q Budget,
    known: HashMap<(Span, AreaMatching), Option<Rc<AreaSet>>>,
    /// Spans that cannot be split into areas. Without this, every split of a long span would be tried.
    uncovered: HashSet<(Span, AreaMatching)>,
}

/// Start and end of a range of terms.
type Span = (usize, usize);

impl<'q> Contexts<'q> {
    pub fn new(index: &'q Index, terms: &'q Terms, budget: &'q Budget) -> Self {
        Self { index, terms, budget, known: HashMap::new(), uncovered: HashSet::new() }
    }

    /// The areas of each part of `span`, longest names first; `None` if some term is part of no area.
    pub fn resolve(&mut self, span: Range<usize>, matching: AreaMatching) -> Option<Vec<Rc<AreaSet>>> {
        if span.is_empty() {
            return Some(Vec::new());
        }
        let key = ((span.start, span.end), matching);
        if self.uncovered.contains(&key) {
            return None;
        }
        let longest = span.len().min(MAX_AREA_TERMS);
        for end in (span.start + 1..=span.start + longest).rev() {
            if self.terms.has_comma(span.start..end) {
                continue;
            }
            let at_end = end == self.terms.len();
            let here = AreaMatching { prefix: matching.prefix && at_end, edits: matching.edits };
            let Some(areas) = self.area_set(span.start..end, here) else { continue };
            if let Some(mut rest) = self.resolve(end..span.end, matching) {
                rest.insert(0, areas);
                return Some(rest);
            }
        }
        self.uncovered.insert(key);
        None
    }

    fn area_set(&mut self, span: Range<usize>, matching: AreaMatching) -> Option<Rc<AreaSet>> {
        let (index, terms, budget) = (self.index, self.terms, self.budget);
        let found = || find(index, &terms.phrase(span.clone()), matching, budget).map(Rc::new);
        self.known.entry(((span.start, span.end), matching)).or_insert_with(found).clone()
    }
}

fn find(index: &Index, phrase: &str, matching: AreaMatching, budget: &Budget) -> Option<AreaSet> {
    // There is a place called Airport, but `Casablanca airport` does not mean one inside it.
    if is_no_name(index.lexicon(), phrase) {
        return None;
    }
    let mut rows = named(index, phrase, budget);
    rows.extend(coded(index, phrase));
    let mut penalty = 0;
    if matching.prefix {
        // `geo` is the code of one Georgia and a prefix of the other.
        penalty = if rows.is_empty() { AREA_PREFIX } else { 0 };
        rows.extend(prefix(index, phrase, budget));
    }
    if rows.is_empty() && matching.edits {
        (rows, penalty) = (edited(index, phrase, budget), AREA_EDITED);
    }
    rows.sort_unstable();
    rows.dedup();
    (!rows.is_empty()).then(|| AreaSet::new(rows, penalty))
}

fn is_context(index: &Index, row: u32) -> bool {
    index.place(row).role() <= Role::City
}

fn named(index: &Index, phrase: &str, budget: &Budget) -> Vec<u32> {
    let of_table = |names: &'_ Names| {
        let id = names.id(phrase)?;
        let rows = names.postings(id).map(|posting| posting.row).take_while(|_| budget.spend(1));
        Some(rows.filter(|&row| is_context(index, row)).take(MAX_AREAS).collect::<Vec<_>>())
    };
    [index.usual_names(), index.alternates()].into_iter().filter_map(of_table).flatten().collect()
}

fn coded(index: &Index, phrase: &str) -> Vec<u32> {
    let is_area = |scheme| matches!(scheme, CodeScheme::Iso2 | CodeScheme::Iso3 | CodeScheme::State);
    let codes = index.meanings(&phrase.to_ascii_uppercase());
    codes.into_iter().filter(|&(scheme, _)| is_area(scheme)).map(|(_, row)| row).collect()
}

fn prefix(index: &Index, phrase: &str, budget: &Budget) -> Vec<u32> {
    let mut areas = Cheapest::default();
    for (names, penalty) in [(index.usual_names(), 0), (index.alternates(), PREFIX_OF_ALTERNATE)] {
        let mut search = NameSearch::prefix(names, phrase, penalty);
        let found = std::iter::from_fn(|| budget.next(&mut search, Cost::MAX));
        areas.take(index, names, penalty, found.take(MAX_PREFIX_NAMES));
    }
    areas.rows()
}

fn edited(index: &Index, phrase: &str, budget: &Budget) -> Vec<u32> {
    let edits = allowed_edits(phrase);
    let mut areas = Cheapest::default();
    for names in [index.usual_names(), index.alternates()] {
        if edits > 0 && areas.0.is_empty() {
            let mut search = NameSearch::fuzzy(names, phrase, None, edits, AREA_EDITED);
            areas.take(index, names, 0, std::iter::from_fn(|| budget.next(&mut search, AREA_EDITED_LIMIT)));
        }
    }
    areas.rows()
}

/// The cheapest areas so far with their costs, cheapest first.
#[derive(Default)]
struct Cheapest(Vec<(Cost, u32)>);

impl Cheapest {
    /// Takes the areas of names, which come cheapest first, until no further one can be cheap enough. `prefix` is the penalty
    /// of a prefix.
    fn take(&mut self, index: &Index, names: &Names, prefix: Cost, found: impl Iterator<Item = Match>) {
        for found in found {
            if found.floor >= self.limit() {
                return;
            }
            let penalty = prefix + Cost::from(found.edits) * AREA_EDITED;
            for posting in names.postings(found.id) {
                let cost = penalty + index.cost(posting);
                if cost >= self.limit() {
                    break;
                }
                // A country may have several names with the prefix.
                if is_context(index, posting.row) && self.0.iter().all(|&(_, row)| row != posting.row) {
                    let at = self.0.partition_point(|&known| known < (cost, posting.row));
                    self.0.insert(at, (cost, posting.row));
                    self.0.truncate(MAX_GUESSED_AREAS);
                }
            }
        }
    }

    /// Areas with this cost or more are not kept.
    fn limit(&self) -> Cost {
        if self.0.len() < MAX_GUESSED_AREAS { Cost::MAX } else { self.0[MAX_GUESSED_AREAS - 1].0 }
    }

    fn rows(self) -> Vec<u32> {
        self.0.into_iter().map(|(_, row)| row).collect()
    }
}
