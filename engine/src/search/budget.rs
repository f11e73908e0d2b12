//! The budget: a limit on the work of one query. Long or unusual texts get a worse answer, not a slower one.
//!
//! All stages of a query share one budget. A stage stops when the budget is used up and keeps what it found, so that the
//! query still gets the best candidates seen so far.

use std::cell::Cell;

use crate::index::{Cost, Index, Match, OrderedSearch, Segment};

/// Units that the searches of each stage may use, so that later stages have some left. One unit is a name that a search gives
/// by its prefix, half of one that a fuzzy search compares. In the default index, one text in a hundred with two typos comes
/// close to the first share; an index of more places takes more.
///
/// Measured on 4,400 public queries: shares twice as large improve one answer and lose two, and ones 0.8 times as large
/// improve one and lose one.
/// `tests/bench/HEAVY.md` has the times of texts that use up every share.
pub(crate) mod share {
    /// All terms as written.
    pub(crate) const ALL_TERMS: u32 = 9_500;
    /// Without the terms that name a kind of place.
    pub(crate) const WITHOUT_KINDS: u32 = 2_100;
    /// Without elided articles. Not added to [`super::UNITS`]: few texts have one, and they use what other stages leave.
    pub(crate) const WITHOUT_ELISIONS: u32 = 700;
    /// Without remarks and directions. Not added to [`super::UNITS`]: few texts have one, and they use what other stages leave.
    pub(crate) const WITHOUT_REMARKS: u32 = 700;
    /// Without numbers and fillers.
    pub(crate) const WITHOUT_FILLERS: u32 = 700;
    /// Transliterated, with and without terms that name a kind.
    pub(crate) const TRANSLITERATED: u32 = 3_400;
    /// Spelled in Latin letters, with and without terms that name a kind. Not added to [`super::UNITS`]: a text in another script
    /// leaves most of what the stages before may use.
    pub(crate) const SPELLED: u32 = 8_000;
    /// Parts of the text: looked up exactly, without a search.
    pub(crate) const NONE: u32 = 0;
    /// By phonetic key.
    pub(crate) const SOUND: u32 = 1_500;
}

/// Units for work outside searches: exact look-ups, and computing the costs of places.
const LOOKING_UP: u32 = 2_100;

/// Units of one query, over all stages.
const UNITS: u32 = LOOKING_UP
    + share::ALL_TERMS
    + share::WITHOUT_KINDS
    + share::WITHOUT_FILLERS
    + share::TRANSLITERATED
    + share::SOUND;

/// The remaining budget of one query.
#[derive(Debug)]
pub(crate) struct Budget {
    left: Cell<u32>,
    /// The searches of the current stage stop when `left` reaches this.
    floor: Cell<u32>,
}

impl Budget {
    pub fn of_a_question() -> Self {
        Self { left: Cell::new(UNITS), floor: Cell::new(0) }
    }

    /// Begins a stage whose searches may use `share` units.
    pub fn begin(&self, share: u32) {
        self.floor.set(self.left.get().saturating_sub(share));
    }

    /// Spends units on some work. If fewer are left, spends them all and returns `false`.
    pub fn spend(&self, units: u32) -> bool {
        let left = self.left.get().checked_sub(units);
        self.left.set(left.unwrap_or(0));
        left.is_some()
    }

    /// Returns the next match with a cost below `limit`; `None` if there is none or the share of the stage is used up.
    pub fn next(&self, search: &mut impl OrderedSearch, limit: Cost) -> Option<Match> {
        let before = search.work();
        let found = search.next_below(limit, self.left.get().saturating_sub(self.floor.get()));
        self.spend(search.work() - before);
        found
    }
}

/// The budget of each segment of an index, so that none takes the work of another.
#[derive(Debug)]
pub(crate) struct Budgets(Vec<Budget>);

impl Budgets {
    /// Creates the budgets for a question to an index.
    pub fn of_a_question(index: &Index) -> Self {
        Self::of_segments(index.segments().count())
    }

    fn of_segments(count: usize) -> Self {
        Self((0..count).map(|_| Budget::of_a_question()).collect())
    }

    /// Begins a stage whose searches may use `share` units of each budget.
    pub fn begin(&self, share: u32) {
        self.0.iter().for_each(|budget| budget.begin(share));
    }

    /// Spends units of each budget. Returns `false` if none of them has as many left.
    pub fn spend(&self, units: u32) -> bool {
        // Each pays, also after one that can.
        self.0.iter().filter(|budget| budget.spend(units)).count() > 0
    }

    /// Returns how many units are left of each budget.
    pub fn left(&self) -> Vec<u32> {
        self.0.iter().map(|budget| budget.left.get()).collect()
    }

    /// Spends units of each budget, as many as another question spent on the work that is not done again.
    pub fn spend_again(&self, units: &[u32]) {
        for (budget, &units) in self.0.iter().zip(units) {
            budget.spend(units);
        }
    }

    /// Returns the budget of a segment, by its number.
    pub fn of_segment(&self, number: u32) -> &Budget {
        &self.0[number as usize]
    }

    /// Iterates over the segments of `index` with their budgets.
    pub fn with_segments<'b>(&'b self, index: &'b Index) -> impl Iterator<Item = (Segment<'b>, &'b Budget)> + Clone {
        index.segments().zip(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geo::Coordinate;
    use crate::index::NameSearch;
    use crate::index::write;
    use crate::record::{Gazetteer, Kind, Name, NameClass, Record, Role};

    #[test]
    fn what_is_left() {
        let budget = Budget::of_a_question();
        assert!(budget.spend(UNITS - 1));
        assert!(budget.spend(1) && budget.spend(0));
        assert!(!budget.spend(1));
        let budget = Budget::of_a_question();
        assert!(!budget.spend(UNITS + 1));
        assert!(!budget.spend(1), "an attempt at too much leaves nothing");
    }

    #[test]
    fn every_segment_pays() {
        let budgets = Budgets::of_segments(2);
        assert!(budgets.spend(1));
        let left: Vec<u32> = (0..2).map(|segment| budgets.of_segment(segment).left.get()).collect();
        assert_eq!(left, [UNITS - 1; 2]);
    }

    #[test]
    fn the_budget_is_the_measured_one() {
        assert_eq!(UNITS, 19_300);
    }

    /// Creates an index of names of three letters, all of which are compared with a text of three letters and two typos.
    fn index() -> Index {
        let letters = || "abcdefghijkl".chars();
        let names = letters().flat_map(|a| letters().flat_map(move |b| letters().map(move |c| format!("{a}{b}{c}"))));
        let place = |(id, text): (usize, String)| Record {
            id: id as u64 + 1,
            kind: Kind { role: Role::City, category: "place".into(), r#type: "town".into() },
            names: vec![Name { text, class: NameClass::Primary, lang: None }],
            codes: vec![],
            position: Coordinate { lat: 0.0, lon: 0.0 },
            parent: None,
            country: *b"XX",
            importance: 0.5,
            extent_m: 1.0,
            bounds: None,
        };
        let gazetteer = Gazetteer { places: names.enumerate().map(place).collect(), ..Gazetteer::default() };
        Index::open(write(&gazetteer).expect("the gazetteer is sound").into()).expect("the index is whole")
    }

    #[test]
    fn a_search_takes_what_its_stage_may() {
        let (index, budget) = (index(), Budget::of_a_question());
        let mut spent = 0;
        for share in [40, 7, 100] {
            budget.begin(share);
            let mut search = NameSearch::fuzzy(&index.segment(0).file.usual, "abc", None, 2, 0);
            while budget.next(&mut search, Cost::MAX).is_some() {}
            assert!((share..share + 2).contains(&search.work()), "{} of {share}", search.work());
            spent += search.work();
            assert_eq!(budget.left.get(), UNITS - spent);
            assert_eq!(budget.next(&mut search, Cost::MAX), None, "nothing is left for the stage");
        }
        budget.begin(UNITS);
        let mut search = NameSearch::fuzzy(&index.segment(0).file.usual, "abc", None, 2, 0);
        assert!(budget.next(&mut search, 0).is_none(), "none costs nothing");
        assert!(budget.next(&mut search, Cost::MAX).is_none(), "a limit never rises");
        let mut search = NameSearch::fuzzy(&index.segment(0).file.usual, "abc", None, 0, 0);
        assert!(budget.next(&mut search, Cost::MAX).is_some());
    }
}
