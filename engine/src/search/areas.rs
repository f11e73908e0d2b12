//! Resolves context: the terms next to a name that say where it lies, as names or codes of areas.

use std::cell::{LazyCell, OnceCell};

use std::ops::Range;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::budget::{Budget, Budgets};
use super::edit_distance::allowed_edits;
use super::kind_terms::{is_filler, is_no_name};
use super::penalties::{AREA_EDITED, AREA_EDITED_LIMIT, AREA_PREFIX, AREA_SPELLED, PREFIX_OF_ALTERNATE};
use super::terms::Terms;
use crate::geo::{Bounds, chord, metres_to_chord};
use crate::index::{
    Cost, Index, Lattice, Lattices, Match, NameSearch, Names, Opened, PlaceRef, Prefix, RowId, Segment, SpelledSearch,
};
use crate::record::{Code, CodeScheme, NO_COUNTRY, Role};

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
    rows: Vec<RowId>,
    /// The cities among them; computed when first needed.
    cities: OnceCell<Vec<City>>,
    /// The regions among them; computed when first needed.
    regions: OnceCell<Vec<RegionBox>>,
    /// The areas as regions are compared with them; computed when first needed.
    outlines: OnceCell<Vec<Outline>>,
    /// The countries of areas that are all divisions; computed when first needed.
    countries: OnceCell<Option<Vec<[u8; 2]>>>,
    /// Penalty of this meaning of the terms.
    pub penalty: Cost,
}

/// A city and the circle around it.
#[derive(Clone, Copy, Debug)]
struct City {
    row: RowId,
    importance: u16,
    /// The centre on the unit sphere, and the radius as a squared chord.
    centre: [f64; 3],
    reach: f64,
}

/// A region as a context: what lies in its box and in one of its countries. A sea or a continent has none, and takes the
/// places of all.
#[derive(Clone, Debug)]
struct RegionBox {
    bounds: Bounds,
    countries: Vec<[u8; 2]>,
}

/// An area as regions are compared with it, of which parts may lie in several areas.
#[derive(Clone, Copy, Debug)]
struct Outline {
    row: RowId,
    role: Role,
    country: [u8; 2],
    bounds: Bounds,
}

/// Degrees outside the box of a region within which a place still counts as in it: towns on the shore of a lake.
const SHORE_DEGREES: f64 = 0.05;

/// Location of a place, seen from some areas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Location {
    /// In one of them.
    Inside,
    /// Near a city among them, or partly in a state.
    Near,
    /// In none of them.
    Outside,
}

impl AreaSet {
    /// Creates the set of one area, or of none.
    pub fn of(area: Option<RowId>) -> Self {
        Self::new(Vec::from_iter(area), 0)
    }

    fn new(rows: Vec<RowId>, penalty: Cost) -> Self {
        Self { rows, penalty, ..Self::default() }
    }

    /// Locates a place, which may lie in one of the areas, or near a greater city among them.
    pub fn locate(&self, place: PlaceRef) -> Location {
        let index = place.index();
        if self.are_in_other_countries(place) {
            return Location::Outside;
        }
        if place.ancestors().any(|ancestor| self.rows.binary_search(&ancestor.row).is_ok()) {
            return Location::Inside;
        }
        if place.role() == Role::Region {
            return self.locate_region(place);
        }
        if place.role() <= Role::County {
            return Location::Outside;
        }
        if self.regions(index).iter().any(|region| region.holds(place)) {
            return Location::Inside;
        }
        let importance = place.importance();
        let position = LazyCell::new(|| place.position().unit_vector());
        let mut greater =
            self.cities(index).iter().filter(|city| city.row != place.row && city.importance > importance);
        match greater.any(|city| chord(city.centre, *position) <= city.reach) {
            // Sites have no link to their city.
            true if place.role() > Role::Quarter => Location::Inside,
            true => Location::Near,
            false => Location::Outside,
        }
    }

    /// Locates a region. Its division says where it lies as a whole.
    fn locate_region(&self, region: PlaceRef) -> Location {
        let index = region.index();
        let outlines = || self.rows.iter().map(|&row| Outline::of(index.place(row))).collect();
        let bounds = LazyCell::new(|| region.bounds());
        let locate = |area: &Outline| {
            let in_country = || region.countries().any(|country| country == area.country);
            match area.role {
                Role::Country if in_country() => Location::Inside,
                Role::Region if area.row != region.row && area.bounds.contains(region.position()) => Location::Inside,
                Role::State if in_country() && area.bounds.overlaps(*bounds) => Location::Near,
                _ => Location::Outside,
            }
        };
        self.outlines.get_or_init(outlines).iter().map(locate).min().unwrap_or(Location::Outside)
    }

    /// Tells whether all areas are divisions of countries in which no part of a place lies.
    fn are_in_other_countries(&self, place: PlaceRef) -> bool {
        let countries = self.countries.get_or_init(|| self.countries_of_divisions(place.index()));
        let of_areas = |countries: &Vec<[u8; 2]>| place.countries().any(|country| countries.contains(&country));
        countries.as_ref().is_some_and(|countries| !of_areas(countries))
    }

    /// Returns the countries of the areas if all of them are divisions, of which every part is of their country; `None` if there
    /// are others. Sites near a city, and places in a region, may lie in another country.
    pub fn countries_of_divisions(&self, index: &Index) -> Option<Vec<[u8; 2]>> {
        let country = |&row: &RowId| {
            let place = index.place(row);
            (place.role() <= Role::County).then(|| place.country().iso2)
        };
        self.rows.iter().map(country).collect()
    }

    /// Returns the regions among the areas that share no part with a country or state among them: `Natchez, Mississippi`
    /// means the state, because the box of a river says little.
    fn regions(&self, index: &Index) -> &[RegionBox] {
        let found = || {
            let areas = || self.rows.iter().map(|&row| index.place(row));
            let divisions: Vec<Bounds> =
                areas().filter(|area| area.role() <= Role::State).map(|area| area.bounds()).collect();
            let regions = areas().filter(|area| area.role() == Role::Region).map(RegionBox::of);
            regions.filter(|region| !divisions.iter().any(|division| division.overlaps(region.bounds))).collect()
        };
        self.regions.get_or_init(found)
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

    /// Returns the work of [`Self::locate`], in units of the budget.
    pub fn work(&self) -> u32 {
        self.rows.len() as u32 / AREAS_PER_UNIT
    }
}

/// Ways in which terms may match the names of areas, besides exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct AreaMatching {
    /// Way in which the last term of the query may be only the beginning of an area's name; `None`: it is all of it.
    pub prefix: Option<Prefix>,
    /// Likeness that the terms must have to the name of an area.
    pub likeness: Likeness,
}

/// Likeness that terms must have to the name of an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Likeness {
    /// The terms are the name.
    Same,
    /// If no area has this name, it may have edits.
    Edited,
    /// If no area has this name, they may spell it in another script.
    Spelled,
}

/// Resolves spans of terms to areas, with a cache.
pub(crate) struct Contexts<'q> {
    index: &'q Index,
    terms: &'q Terms,
    budgets: &'q Budgets,
    known: FxHashMap<(Span, AreaMatching), Option<Rc<AreaSet>>>,
    /// Spans that cannot be split into areas. Without this, every split of a long span would be tried.
    uncovered: FxHashSet<(Span, AreaMatching)>,
    lattices: Lattices<'q>,
}

/// Start and end of a range of terms.
type Span = (usize, usize);

impl<'q> Contexts<'q> {
    pub fn new(index: &'q Index, terms: &'q Terms, budgets: &'q Budgets) -> Self {
        let known = FxHashMap::default();
        let uncovered = FxHashSet::default();
        Self { index, terms, budgets, known, uncovered, lattices: index.scripts().lattices() }
    }

    /// Returns the Latin spellings of a part of the terms, as [`Lattices::of`].
    pub fn lattice(&mut self, part: &str, unfinished: bool) -> Option<Lattice> {
        self.lattices.of(part, unfinished)
    }

    /// Finds the areas of each part of `span`, longest names first; `None` if some term is part of no area.
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
            let here = AreaMatching { prefix: matching.prefix.filter(|_| at_end), likeness: matching.likeness };
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
        let Self { index, terms, budgets, known, lattices, .. } = self;
        let is_last = span.end == terms.len();
        let found = || find((index, budgets), &terms.phrase(span.clone()), is_last, matching, lattices).map(Rc::new);
        known.entry(((span.start, span.end), matching)).or_insert_with(found).clone()
    }
}

impl RegionBox {
    fn of(region: PlaceRef) -> Self {
        let has_country = region.country().iso2 != NO_COUNTRY;
        let countries = if has_country { region.countries().collect() } else { Vec::new() };
        Self { bounds: region.bounds(), countries }
    }

    fn holds(&self, place: PlaceRef) -> bool {
        let in_country = self.countries.is_empty() || self.countries.contains(&place.country().iso2);
        in_country && self.bounds.is_within(place.position(), SHORE_DEGREES)
    }
}

impl Outline {
    fn of(area: PlaceRef) -> Self {
        Self { row: area.row, role: area.role(), country: area.country().iso2, bounds: area.bounds() }
    }
}

fn find(
    (index, budgets): (&Index, &Budgets),
    phrase: &str,
    is_last: bool,
    matching: AreaMatching,
    lattices: &mut Lattices,
) -> Option<AreaSet> {
    let mut rows = areas_named(index, phrase, &Role::contains_others, budgets);
    // A word for a kind of place is only context if it names a division: a city with `airport` behind it does not lie in the
    // village of Airport, but `Croom, Munster` lies in the province, although a Munster is a church as well.
    if is_no_name(index.lexicon(), phrase) {
        rows.retain(|&row| index.place(row).role() <= Role::County);
        // At the end of a text nothing follows a filler: `Dover, DE` and `gary in` have the codes of their states.
        if !(is_last && is_filler(index.lexicon(), phrase)) {
            rows.sort_unstable();
            return (!rows.is_empty()).then(|| AreaSet::new(rows, 0));
        }
    }
    rows.extend(areas_coded(index, phrase));
    let mut penalty = 0;
    if let Some(begun) = matching.prefix {
        // `geo` is the code of one Georgia and a prefix of the other.
        penalty = if rows.is_empty() { AREA_PREFIX } else { 0 };
        rows.extend(prefix(index, phrase, begun, budgets));
    }
    if rows.is_empty() {
        let is_wanted = &Role::contains_others;
        (rows, penalty) = match matching.likeness {
            Likeness::Same => return None,
            Likeness::Edited => (areas_with_edits(index, phrase, is_wanted, budgets), AREA_EDITED),
            Likeness::Spelled => (areas_spelled((index, budgets), phrase, matching.prefix, lattices), AREA_SPELLED),
        };
    }
    rows.sort_unstable();
    rows.dedup();
    (!rows.is_empty()).then(|| AreaSet::new(rows, penalty))
}

/// Finds the areas of a role that are called `name` or have it as a code; if there are none, those of similar names.
pub(crate) fn areas_called(index: &Index, name: &str, role: Role, budgets: &Budgets) -> AreaSet {
    let is_wanted = |other: Role| other == role || (role, other) == (Role::City, Role::Quarter);
    let phrases: Vec<String> = Terms::readings(name).iter().map(|terms| terms.phrase(0..terms.len())).collect();
    let mut rows = Vec::new();
    for phrase in &phrases {
        rows.extend(areas_named(index, phrase, &is_wanted, budgets));
        rows.extend(areas_coded(index, phrase).into_iter().filter(|&row| is_wanted(index.place(row).role())));
    }
    if rows.is_empty() {
        rows = phrases.iter().flat_map(|phrase| areas_with_edits(index, phrase, &is_wanted, budgets)).collect();
    }
    rows.sort_unstable();
    rows.dedup();
    AreaSet::new(rows, 0)
}

fn areas_named(index: &Index, phrase: &str, is_wanted: &dyn Fn(Role) -> bool, budgets: &Budgets) -> Vec<RowId> {
    let of_table = |(segment, budget, names): (Segment, &Budget, &Names)| {
        let id = names.id(phrase)?;
        let copies = names.postings(id).map(|posting| segment.copy(posting.row)).take_while(|_| budget.spend(1));
        let areas = copies.filter(|copy| is_wanted(copy.role())).take(MAX_AREAS);
        Some(areas.map(|copy| copy.as_shown().row).collect::<Vec<_>>())
    };
    let tables = budgets.with_segments(index).flat_map(|(segment, budget)| {
        [&segment.file.usual, &segment.file.alternates].map(|names| (segment, budget, names))
    });
    tables.filter_map(of_table).flatten().collect()
}

/// Finds the areas with a code that people write in a text.
fn areas_coded(index: &Index, phrase: &str) -> Vec<RowId> {
    if !Code::is_word(phrase) {
        return Vec::new();
    }
    let is_area = |scheme| matches!(scheme, CodeScheme::Iso2 | CodeScheme::Iso3 | CodeScheme::State);
    let codes = index.meanings(&phrase.to_ascii_uppercase());
    codes.into_iter().filter(|&(scheme, _)| is_area(scheme)).map(|(_, place)| place.row).collect()
}

/// Minimum number of letters of the beginning of a region in a context: `Moscow, Id` means Idaho, not Ida Island.
const REGION_PREFIX_LETTERS: usize = 4;

fn prefix(index: &Index, phrase: &str, begun: Prefix, budgets: &Budgets) -> Vec<RowId> {
    let is_long = phrase.chars().nth(REGION_PREFIX_LETTERS - 1).is_some();
    let is_wanted = |role: Role| role.contains_others() && (is_long || role != Role::Region);
    let mut areas = Cheapest { areas: Vec::new(), is_wanted: &is_wanted };
    let beginning = begun.of(phrase);
    for (segment, budget) in budgets.with_segments(index) {
        for (names, penalty) in [(&segment.file.usual, 0), (&segment.file.alternates, PREFIX_OF_ALTERNATE)] {
            let mut search = NameSearch::prefix(names, &beginning, penalty);
            let found = std::iter::from_fn(|| budget.next(&mut search, Cost::MAX));
            areas.take(segment, names, penalty, found.take(MAX_PREFIX_NAMES));
        }
    }
    areas.rows()
}

fn areas_with_edits(index: &Index, phrase: &str, is_wanted: &dyn Fn(Role) -> bool, budgets: &Budgets) -> Vec<RowId> {
    let edits = allowed_edits(phrase);
    let mut areas = Cheapest { areas: Vec::new(), is_wanted };
    let tables: [fn(&Opened) -> &Names; 2] = [|file| &file.usual, |file| &file.alternates];
    for table in tables {
        if edits == 0 || !areas.areas.is_empty() {
            break;
        }
        for (segment, budget) in budgets.with_segments(index) {
            let mut search = NameSearch::fuzzy(table(segment.file), phrase, None, edits, AREA_EDITED);
            let found = std::iter::from_fn(|| budget.next(&mut search, AREA_EDITED_LIMIT));
            areas.take(segment, table(segment.file), 0, found);
        }
    }
    areas.rows()
}

/// Finds the areas that a phrase may spell in another script.
fn areas_spelled(
    (index, budgets): (&Index, &Budgets),
    phrase: &str,
    begun: Option<Prefix>,
    lattices: &mut Lattices,
) -> Vec<RowId> {
    let mut areas = Cheapest { areas: Vec::new(), is_wanted: &Role::contains_others };
    let Some(lattice) = lattices.of(phrase, begun == Some(Prefix::Letters)) else { return Vec::new() };
    for (segment, budget) in budgets.with_segments(index) {
        let names = &segment.file.usual;
        let mut search = SpelledSearch::new(names, &lattice, begun.map(|begun| (begun, 0)));
        let found = std::iter::from_fn(|| budget.next(&mut search, AREA_EDITED_LIMIT));
        areas.take(segment, names, 0, found);
    }
    areas.rows()
}

/// The cheapest areas so far with their costs, cheapest first.
struct Cheapest<'w> {
    areas: Vec<(Cost, RowId)>,
    /// The roles that count.
    is_wanted: &'w dyn Fn(Role) -> bool,
}

impl Cheapest<'_> {
    /// Takes the areas of names, which come cheapest first, until no further one can be cheap enough. `prefix` is the penalty
    /// of a prefix.
    fn take(&mut self, segment: Segment, names: &Names, prefix: Cost, found: impl Iterator<Item = Match>) {
        for found in found {
            if found.floor >= self.limit() {
                return;
            }
            let penalty =
                prefix + Cost::from(found.edits) * AREA_EDITED + found.spelled.map_or(0, |spelled| spelled.cost);
            for posting in names.postings(found.id) {
                let cost = penalty + segment.file.cost(posting);
                if cost >= self.limit() {
                    break;
                }
                let copy = segment.copy(posting.row);
                if !(self.is_wanted)(copy.role()) {
                    continue;
                }
                let row = copy.as_shown().row;
                // A country may have several names with the prefix.
                if self.areas.iter().all(|&(_, known)| known != row) {
                    let at = self.areas.partition_point(|&known| known < (cost, row));
                    self.areas.insert(at, (cost, row));
                    self.areas.truncate(MAX_GUESSED_AREAS);
                }
            }
        }
    }

    /// Returns the least cost at which areas are not kept.
    fn limit(&self) -> Cost {
        if self.areas.len() < MAX_GUESSED_AREAS { Cost::MAX } else { self.areas[MAX_GUESSED_AREAS - 1].0 }
    }

    fn rows(self) -> Vec<RowId> {
        self.areas.into_iter().map(|(_, row)| row).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use fastrand::Rng;

    use super::super::tests::{Line, index_of, index_of_records, record, world};
    use super::*;
    use crate::index::share;
    use crate::record::{Name, NameClass, Record};

    /// Checks whether a place so many kilometres from a city of 5 km or of 20 km lies in it.
    #[test]
    fn lesser_places_lie_in_cities_within_reach() {
        let check = |role: Role, importance: f64, extent_km: f64, km: f64, expect: bool| {
            let city = (1, Role::City, "Stadt", "", (0.0, 0.0), 0, b"XX", 0.5, extent_km);
            let at = km * 1_000.0 / crate::geo::METRES_PER_DEGREE;
            let lines: [Line; 3] = [
                city,
                (2, role, "Ort", "", (at, 0.0), 0, b"XX", importance, 1.0),
                (3, Role::State, "Land", "", (0.0, 0.0), 0, b"XX", 0.9, 1.0),
            ];
            let index = index_of(&lines);
            let row = |id: u64| index.find(id).expect("it is there").row;
            let locate = |rows: &[u64]| {
                let mut rows: Vec<RowId> = rows.iter().map(|&id| row(id)).collect();
                rows.sort_unstable();
                AreaSet::new(rows, 0).locate(index.place(row(2)))
            };
            let reached = if role > Role::Quarter { Location::Inside } else { Location::Near };
            let expect = if expect { reached } else { Location::Outside };
            assert_eq!(locate(&[1]), expect, "{role:?} {importance} {extent_km} {km}");
            assert_eq!(locate(&[1, 3]), expect, "a state has no reach");
            assert_eq!(locate(&[2, 3]), Location::Outside, "nothing lies in itself by its reach");
            assert_eq!(locate(&[]), Location::Outside);
        };
        check(Role::Airport, 0.4, 5.0, 14.9, true);
        check(Role::Airport, 0.4, 5.0, 15.1, false);
        check(Role::Airport, 0.4, 20.0, 28.0, true);
        check(Role::Airport, 0.4, 20.0, 32.0, false);
        check(Role::City, 0.4, 5.0, 14.9, true);
        check(Role::County, 0.4, 5.0, 1.0, false);
        check(Role::Airport, 0.5, 5.0, 1.0, false);
        check(Role::Airport, 0.6, 5.0, 1.0, false);
    }

    #[test]
    fn many_areas_are_more_work() {
        let at = |row: u32| RowId { segment: 0, row };
        for (areas, work) in [(0, 0), (15, 0), (16, 1), (31, 1), (32, 2), (48, 3)] {
            assert_eq!(AreaSet::new((0..areas).map(at).collect(), 0).work(), work, "{areas}");
        }
    }

    /// Checks the parts of a text that is all context: the areas of each by their ids, and the cost of the part in
    /// hundredths.
    #[test]
    fn a_context_is_cut_into_the_longest_names() {
        let index = world();
        let check = |text: &str, prefix: bool, edits: bool, expect: &str| {
            let (terms, budgets) = (Terms::of(text), Budgets::of_a_question(&index));
            let matching = AreaMatching {
                prefix: prefix.then_some(Prefix::Letters),
                likeness: if edits { Likeness::Edited } else { Likeness::Same },
            };
            let found = Contexts::new(&index, &terms, &budgets).resolve(0..terms.len(), matching);
            let ids = |areas: &AreaSet| {
                let mut ids: Vec<u64> = areas.rows.iter().map(|&row| index.place(row).id()).collect();
                ids.sort_unstable();
                ids.iter().map(u64::to_string).collect::<Vec<_>>().join(" ")
            };
            let shown = |areas: &Rc<AreaSet>| match areas.penalty {
                0 => ids(areas),
                AREA_PREFIX => format!("{} begins", ids(areas)),
                _ => format!("{} edited", ids(areas)),
            };
            let found = found.map(|parts| parts.iter().map(shown).collect::<Vec<_>>().join(", "));
            assert_eq!(found.as_deref().unwrap_or("none"), expect, "{text} {prefix} {edits}");
        };
        let exactly = |text: &str, expect: &str| check(text, false, false, expect);
        exactly("", "");
        exactly("texas", "8");
        exactly("tx", "8");
        exactly("usa", "7");
        exactly("paris", "3 9");
        exactly("texas usa", "8, 7");
        exactly("united states", "7");
        exactly("paris ile de france france", "3 9, 2, 1");
        exactly("united, states", "none");
        exactly("texas nowhere", "none");
        exactly("nowhere texas", "none");
        // What is smaller than a city is not a context, whatever it is called by.
        exactly("montmartre", "none");
        exactly("hobby", "none");
        exactly("cdg", "none");
        exactly("airport", "none");
        // Only the last term of the query may be unfinished.
        check("tex", true, false, "8 begins");
        check("tex", false, false, "none");
        check("texas uni", true, false, "8, 7 begins");
        check("tex usa", true, false, "none");
        check("par", true, false, "3 9 12 begins");
        check("mont", true, false, "none");
        // A code or a name that is there costs nothing, and others that begin with it are taken along.
        check("paris", true, false, "3 9 12");
        check("fr", true, false, "1");
        check("frankr", true, false, "1 begins");
        // Edits are for what is nothing without them.
        check("texsa", false, true, "8 edited");
        check("texsa", false, false, "none");
        check("texsa fracne", false, true, "8 edited, 1 edited");
        check("tex", false, true, "none");
        check("lutetja", false, true, "3 edited");
        check("montmartrr", false, true, "none");
        check("paris", false, true, "3 9");
    }

    /// Creates places with names of a few letters, so that many begin alike and differ by a letter. Every third place has an
    /// alternate as well.
    fn places(rng: &mut Rng) -> Vec<Record> {
        let roles = [Role::Country, Role::State, Role::County, Role::City, Role::City, Role::Quarter, Role::Landmark];
        let word = |first: char, rng: &mut Rng| -> String {
            std::iter::once(first).chain((0..rng.usize(2..5)).map(|_| ['a', 'b', 'c'][rng.usize(0..3)])).collect()
        };
        let place = |id: u64, rng: &mut Rng| {
            let line: Line = (id, roles[rng.usize(0..roles.len())], "X", "", (0.0, 0.0), 0, b"XX", 0.0, 1.0);
            let name = |text: String, class| Name { text, class, lang: None };
            let mut names = vec![name(word('n', rng), NameClass::Primary)];
            if id.is_multiple_of(3) {
                names.push(name(word(['n', 'z'][rng.usize(0..2)], rng), NameClass::Other));
            }
            Record { names, importance: 0.65 + 0.35 * rng.f64(), ..record(&line) }
        };
        (1..=400).map(|id| place(id, rng)).collect()
    }

    /// Compares the cheapest areas of a random world with a scan of all its names.
    #[test]
    fn the_cheapest_areas_are_those_of_a_scan() {
        let mut rng = Rng::with_seed(11);
        let places = places(&mut rng);
        let index = index_of_records(places.clone());
        let rows: BTreeMap<u64, RowId> = index.places().map(|place| (place.id(), place.row)).collect();
        let scan = |cost_of: &dyn Fn(&str, NameClass) -> Option<Cost>| {
            let of_place = |place: &Record| {
                let row = rows[&place.id];
                let cost = |name: &Name| {
                    let of_name = index.place(row).cost() + crate::index::of_class(name.class);
                    Some((cost_of(&name.text, name.class)? + of_name, row))
                };
                place.names.iter().filter_map(cost).min().filter(|_| place.kind.role <= Role::City)
            };
            let mut found: Vec<(Cost, RowId)> = places.iter().filter_map(of_place).collect();
            found.sort_unstable();
            found.truncate(MAX_GUESSED_AREAS);
            found.into_iter().map(|(_, row)| row).collect::<Vec<_>>()
        };
        let begun = |class: NameClass| if class.is_alternate() { PREFIX_OF_ALTERNATE } else { 0 };
        let mut counts = Vec::new();
        for text in ["n", "na", "nab", "nabc", "nabca", "z", "zc", "zcb", "zcba", "q"] {
            let expect = scan(&|name, class| (name.starts_with(text) && name != text).then(|| begun(class)));
            assert_eq!(prefix(&index, text, Prefix::Letters, &Budgets::of_a_question(&index)), expect, "{text}");
            counts.push(expect.len());
        }
        for text in ["nabca", "nbbbb", "zabca", "zcccc", "nab", "nabcaaaa", "qabca", "qqqqq"] {
            let most = usize::from(allowed_edits(text));
            let like = |is_alternate: bool| {
                scan(&|name, class| {
                    let edits = strsim::osa_distance(name, text);
                    // A slip in the first letter counts twice.
                    let is_like = most > 0 && edits <= most && name.as_bytes()[0] == text.as_bytes()[0];
                    (class.is_alternate() == is_alternate && is_like).then(|| edits as Cost * AREA_EDITED)
                })
            };
            // Alternates are looked at where no other name is like the text.
            let of_names = like(false);
            let expect = if of_names.is_empty() { like(true) } else { of_names };
            assert_eq!(
                areas_with_edits(&index, text, &Role::contains_others, &Budgets::of_a_question(&index)),
                expect,
                "{text}"
            );
            counts.push(expect.len());
        }
        assert!(counts.contains(&0) && counts.contains(&1) && counts.contains(&MAX_GUESSED_AREAS), "{counts:?}");
    }

    #[test]
    fn so_many_areas_are_kept() {
        for (count, limit) in [(0, Cost::MAX), (23, Cost::MAX), (24, 230)] {
            let areas = (0..count).map(|row| (row * 10, RowId { segment: 0, row })).collect();
            assert_eq!(Cheapest { areas, is_wanted: &Role::contains_others }.limit(), limit, "{count}");
        }
    }

    /// Looks for a name with edits only if it is important enough.
    #[test]
    fn areas_with_edits_are_counties_or_larger() {
        let check = |cost: Cost, expect: bool| {
            let importance = 1.0 - f64::from(cost) / f64::from(crate::index::UNIT);
            let index = index_of(&[(1, Role::City, "Nabca", "", (0.0, 0.0), 0, b"XX", importance, 1.0)]);
            assert_eq!(
                areas_with_edits(&index, "nabcb", &Role::contains_others, &Budgets::of_a_question(&index)).len(),
                usize::from(expect),
                "{cost}"
            );
        };
        check(share(0.69), true);
        check(share(0.71), false);
    }
}
