//! Searches for the names that match a pattern, cheapest first: as a prefix, or within an edit distance.
//!
//! The names with a prefix are a range. The cheapest is the minimum of the range; the next is the minimum of what is left on
//! either side of it, and so on. This gives the exact top k. A fuzzy search is a best-first search: it walks the fst with a
//! row of edit distances, and always continues where names can be cheapest. Where no edit is left, it looks at once whether
//! a rest of the pattern follows.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::cost::Cost;
use super::edits::{Distances, Rests, Step};
use super::table::{Names, Subtree};

/// The first byte of the last characters of Latin script (U+02FF) in UTF-8. Nobody means a name in a later script with a text
/// that has none of its characters, but thousands of Han characters are within two edits of any first letter.
const LAST_LEAD_OF_LATIN: u8 = 0xcb;

/// Returns the greatest first byte of characters of names that a text may mean.
pub(crate) fn last_lead(text: &str) -> u8 {
    text.bytes().fold(LAST_LEAD_OF_LATIN, u8::max)
}

/// Work of the comparison of a child, in units of the budget: it takes twice as long as the next name with a prefix.
const COMPARISON_WORK: u32 = 2;

/// The ways in which a pattern may be only the beginning of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Prefix {
    /// The pattern may end inside a word: `san` begins `santiago`.
    Letters,
    /// The pattern ends with a word: `san` begins `san jose`, but not `santiago`.
    Words,
}

impl Prefix {
    /// Returns what all longer names begin with of which a pattern is the beginning.
    pub fn of(self, pattern: &str) -> Cow<'_, str> {
        match self {
            Self::Letters => Cow::Borrowed(pattern),
            Self::Words => Cow::Owned(format!("{pattern} ")),
        }
    }
}

/// A name that a search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Match {
    /// Number of the name in its table.
    pub id: u32,
    /// Edit distance to the pattern.
    pub edits: u8,
    /// The pattern is only a prefix of the name.
    pub prefix: bool,
    /// Spelling of the name by the pattern, if that is in another script.
    pub spelled: Option<Spelled>,
    /// Lower bound of the cost, with the penalties of edits, spelling and prefix. It never falls from one match to the next.
    pub floor: Cost,
}

/// The spelling of a name by a text in another script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spelled {
    /// Cost of the spelling.
    pub cost: Cost,
    /// Number of Latin letters that the text stands for.
    pub letters: u8,
}

/// A search for names, cheapest first.
pub(crate) trait OrderedSearch {
    /// Returns the work done so far, in units of the budget.
    fn work(&self) -> u32;

    /// Returns the next match with a cost below `limit` (importance, class and penalties included); `None` if there is
    /// none or the search needs more than `units` of work. The limit must not rise from one call to the next.
    fn next_below(&mut self, limit: Cost, units: u32) -> Option<Match>;
}

/// A search for the names that match a pattern, cheapest first.
pub(crate) struct NameSearch<'n> {
    names: &'n Names,
    pattern: Vec<char>,
    /// Way in which the pattern may be only a prefix of a name, and the penalty of such names; `None` to exclude them.
    prefix: Option<(Prefix, Cost)>,
    /// The greatest first byte of characters that are compared.
    last_lead: u8,
    max_edits: u8,
    edit_cost: Cost,
    heap: BinaryHeap<Reverse<Entry>>,
    /// The entry last popped, and one that ties with it, which skips the heap.
    current: Entry,
    next: Option<Entry>,
    ranges: Vec<NameRange>,
    comparisons: Vec<Comparison>,
    /// The limit of the last call; it never rises.
    limit: Cost,
    /// Work done so far, in units of the budget: states popped, and children of nodes compared.
    work: u32,
    /// With this much it stops.
    most_work: u32,
}

/// An entry of the heap, packed into one number for fast comparison: the lower bound of the cost, then a name, which makes
/// the order of ties deterministic, then the state. The name is the first of the cheapest, or, in a comparison, the first of
/// the subtree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry(u128);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// A name that matches the complete pattern, with this edit distance.
    Complete(u8),
    /// All names of a range match, with the pattern as a prefix. Index in `ranges`.
    Range(u32),
    /// The pattern is being compared. Index in `comparisons`.
    Comparison(u32),
}

impl Entry {
    const KIND_SHIFT: u32 = 30;

    fn new(floor: Cost, name: u32, state: State) -> Self {
        let state = match state {
            State::Complete(edits) => u32::from(edits),
            State::Range(number) => 1 << Self::KIND_SHIFT | number,
            State::Comparison(number) => 2 << Self::KIND_SHIFT | number,
        };
        Self(u128::from(floor) << 64 | u128::from(name) << 32 | u128::from(state))
    }

    /// Tells whether cost and name are equal.
    fn ties_with(self, other: Self) -> bool {
        self.0 >> 32 == other.0 >> 32
    }

    fn floor(self) -> Cost {
        (self.0 >> 64) as u32
    }

    fn name(self) -> u32 {
        (self.0 >> 32) as u32
    }

    fn state(self) -> State {
        let state = self.0 as u32;
        let number = state & ((1 << Self::KIND_SHIFT) - 1);
        match state >> Self::KIND_SHIFT {
            0 => State::Complete(number as u8),
            1 => State::Range(number),
            _ => State::Comparison(number),
        }
    }
}

/// Names that start with the pattern, with this edit distance.
#[derive(Clone, Copy, Debug)]
struct NameRange {
    first: u32,
    end: u32,
    edits: u8,
}

/// A comparison in progress: the distances so far and the subtree of names.
#[derive(Clone, Copy, Debug)]
struct Comparison {
    distances: Distances,
    subtree: Subtree,
}

impl<'n> NameSearch<'n> {
    /// Searches for the names that are longer than `pattern` (folded) and start with it; each costs `penalty` more.
    /// [`Keys::id`](super::table::Keys::id) finds the name that is equal to it.
    pub fn prefix(names: &'n Names, pattern: &str, penalty: Cost) -> Self {
        let mut search = Self::empty(names, Some((Prefix::Letters, penalty)), 0, 0);
        if let Some(subtree) = names.follow(names.root(), pattern.as_bytes()) {
            search.push_prefix_matches(subtree, 0);
        }
        search
    }

    /// Searches for the names within `max_edits` of `pattern` (folded) and, if `prefix` is given, longer names with
    /// such a prefix, which cost its penalty more. Each edit costs `edit_cost`. A name may be found more than once, and
    /// not always with the fewest edits first.
    pub fn fuzzy(
        names: &'n Names,
        pattern: &str,
        prefix: Option<(Prefix, Cost)>,
        max_edits: u8,
        edit_cost: Cost,
    ) -> Self {
        let mut search = Self::empty(names, prefix, max_edits, edit_cost);
        search.pattern = pattern.chars().collect();
        search.last_lead = last_lead(pattern);
        let root = names.root();
        search.push_comparison(0, Comparison { distances: Distances::start(), subtree: root });
        search
    }

    fn empty(names: &'n Names, prefix: Option<(Prefix, Cost)>, max_edits: u8, edit_cost: Cost) -> Self {
        Self {
            names,
            pattern: Vec::new(),
            prefix,
            last_lead: 0,
            max_edits,
            edit_cost,
            heap: BinaryHeap::new(),
            current: Entry(0),
            next: None,
            ranges: Vec::new(),
            comparisons: Vec::new(),
            limit: Cost::MAX,
            work: 0,
            most_work: u32::MAX,
        }
    }

    /// Returns the penalty of all names of a state.
    fn surcharge(&self, state: State) -> Cost {
        let (edits, prefix) = match state {
            State::Complete(edits) => (edits, 0),
            State::Range(number) => (self.ranges[number as usize].edits, self.prefix.map_or(0, |(_, penalty)| penalty)),
            State::Comparison(number) => (self.comparisons[number as usize].distances.lower_bound(), 0),
        };
        prefix + Cost::from(edits) * self.edit_cost
    }

    /// Pushes a state, unless it costs too much. `cost` is the lower bound of its names without penalties; `name` breaks ties.
    fn push(&mut self, (cost, name): (Cost, u32), state: State) {
        let floor = cost + self.surcharge(state);
        if floor >= self.limit {
            return;
        }
        let found = Entry::new(floor, name, state);
        // It would be popped next anyway, so it need not go through the heap.
        if self.next.is_none() && found.ties_with(self.current) {
            self.next = Some(found);
        } else {
            self.heap.push(Reverse(found));
        }
    }

    /// Pushes a comparison; `floor` is the lower bound of its names.
    fn push_comparison(&mut self, floor: Cost, comparison: Comparison) {
        let state = State::Comparison(self.comparisons.len() as u32);
        self.comparisons.push(comparison);
        self.push((floor, comparison.subtree.first), state);
    }

    fn push_range(&mut self, first: u32, end: u32, edits: u8) {
        if let Some(least) = self.names.cheapest(first..end) {
            let state = State::Range(self.ranges.len() as u32);
            self.ranges.push(NameRange { first, end, edits });
            self.push(least, state);
        }
    }

    fn pop(&mut self) -> Option<Entry> {
        self.current = self.next.take().or_else(|| self.heap.pop().map(|Reverse(next)| next))?;
        Some(self.current)
    }

    /// Pushes all names of the subtree that are longer than the pattern.
    fn push_prefix_matches(&mut self, subtree: Subtree, edits: u8) {
        let ends_here = self.names.node(subtree).is_final();
        self.push_range(subtree.first.saturating_add(u32::from(ends_here)), subtree.end, edits);
    }

    /// Pushes all names of the subtree that go on with another word.
    fn push_word_matches(&mut self, subtree: Subtree, edits: u8) {
        let names = self.names;
        if let Some(words) = names.follow_char(subtree, &names.node(subtree), ' ') {
            self.push_range(words.first, words.end, edits);
        }
    }

    /// Pushes all names of the subtree, at whose root the complete pattern matches.
    fn push_matches(&mut self, subtree: Subtree, edits: u8) {
        let ends_here = self.names.node(subtree).is_final();
        if let Some(exact) = self.names.cheapest(subtree.first..subtree.first.saturating_add(u32::from(ends_here))) {
            self.push(exact, State::Complete(edits));
        }
        match self.prefix {
            Some((Prefix::Letters, _)) => self.push_prefix_matches(subtree, edits),
            Some((Prefix::Words, _)) => self.push_word_matches(subtree, edits),
            None => {}
        }
    }

    /// Replaces a comparison by its matches and its children.
    fn expand(&mut self, floor: Cost, Comparison { distances, subtree }: Comparison) {
        if let Some(edits) = distances.distance(&self.pattern).filter(|&edits| edits <= self.max_edits) {
            self.push_matches(subtree, edits);
        }
        let (names, node) = (self.names, self.names.node(subtree));
        // Most characters are irrelevant: what follows after them is computed once.
        let relevant = distances.relevant(&self.pattern);
        let other = distances.step_irrelevant(&self.pattern).within(self.max_edits, &self.pattern);
        if let Step::TooFar = other {
            for (number, &character) in relevant.iter().enumerate().filter(|(_, character)| **character != '\0') {
                let is_known = relevant[..number].contains(&character);
                if let Some(child) = names.follow_char(subtree, &node, character).filter(|_| !is_known) {
                    self.go_on(floor, &self.step(distances, character), child);
                }
            }
            return;
        }
        names.each_character(subtree, &node, self.last_lead, &mut |character, child| {
            let step = if relevant.contains(&character) { &self.step(distances, character) } else { &other };
            self.go_on(floor, step, child);
            self.work < self.most_work
        });
    }

    fn step(&self, distances: Distances, character: char) -> Step {
        distances.step(character, &self.pattern).within(self.max_edits, &self.pattern)
    }

    /// Goes on with a child of a comparison: later, or at once if no edit is left. The next character or two nearly always rule a rest
    /// out, so these states, which are most, take less time here than in the heap.
    fn go_on(&mut self, before: Cost, step: &Step, subtree: Subtree) {
        self.work += COMPARISON_WORK;
        let floor = || before.max(self.names.lower_bound(subtree.first..subtree.end));
        match step {
            Step::Open(distances) => self.push_comparison(floor(), Comparison { distances: *distances, subtree }),
            Step::Last(rests)
                if rests.inputs().is_none_or(|inputs| self.names.may_go_on(subtree, inputs))
                    && floor() + Cost::from(self.max_edits) * self.edit_cost < self.limit =>
            {
                self.push_rests(rests, subtree);
            }
            _ => {}
        }
    }

    /// Pushes the names of the subtree that go on with one of the rests.
    fn push_rests(&mut self, rests: &Rests, subtree: Subtree) {
        let (names, node) = (self.names, self.names.node(subtree));
        let ends = rests.iter(&self.pattern).filter_map(|mut rest| {
            let Some(first) = rest.next() else { return Some(subtree) };
            let child = names.follow_char(subtree, &node, first)?;
            rest.try_fold(child, |at, character| names.follow_char(at, &names.node(at), character))
        });
        for end in ends.collect::<Vec<_>>() {
            self.push_matches(end, self.max_edits);
        }
    }
}

impl OrderedSearch for NameSearch<'_> {
    fn work(&self) -> u32 {
        self.work
    }

    fn next_below(&mut self, limit: Cost, units: u32) -> Option<Match> {
        self.limit = limit;
        self.most_work = self.work.saturating_add(units);
        while let Some(at) = self.pop() {
            if at.floor() >= limit || self.work >= self.most_work {
                return None;
            }
            self.work += 1;
            let (id, floor) = (at.name(), at.floor());
            match at.state() {
                State::Complete(edits) => return Some(Match { id, edits, prefix: false, spelled: None, floor }),
                State::Range(number) => {
                    let NameRange { first, end, edits } = self.ranges[number as usize];
                    self.push_range(first, id, edits);
                    self.push_range(id + 1, end, edits);
                    return Some(Match { id, edits, prefix: true, spelled: None, floor });
                }
                state @ State::Comparison(number) => {
                    let cost = floor - self.surcharge(state);
                    self.expand(cost, self.comparisons[number as usize]);
                }
            }
        }
        None
    }
}

impl Iterator for NameSearch<'_> {
    type Item = Match;

    fn next(&mut self) -> Option<Match> {
        self.next_below(Cost::MAX, u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the work on a forged fst, where every step could add as many states as there are transitions, and with
    /// characters of four bytes.
    #[test]
    fn no_fst_exceeds_the_work_limit() {
        let names = Names::of_fst(super::super::transducer::wide(40, 1));
        for pattern in ["abcdefghij".repeat(4), "\u{10ffff}".repeat(20)] {
            let mut search = NameSearch::fuzzy(&names, &pattern, Some((Prefix::Letters, 0)), 2, 1);
            assert_eq!(search.next_below(Cost::MAX, 20_000), None);
            let states = search.comparisons.len().max(search.heap.len());
            assert!(search.work < 20_000 + COMPARISON_WORK && states <= 20_000, "{} {states}", search.work);
        }
    }
}
