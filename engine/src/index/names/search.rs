//! Searches for the names that match a pattern, cheapest first: as a prefix, or within an edit distance.
//!
//! The names with a prefix are a range. The cheapest is the minimum of the range; the next is the minimum of what is left on
//! either side of it, and so on. This gives the exact top k. A fuzzy search is a best-first search: it walks the fst with a
//! row of the edit distance, and always continues where names can be cheapest.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::cost::Cost;
use super::edits::{MAX_EXPECTED, Row};
use super::table::{Names, Subtree};

/// Maximum number of comparisons of a search. No query needs a tenth of it, but with a forged fst every step could add as
/// many as there are transitions.
const MAX_COMPARISONS: usize = 100_000;

/// A name that a search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Match {
    /// Number of the name in its table.
    pub id: u32,
    /// Edit distance to the pattern.
    pub edits: u8,
    /// The pattern is only a prefix of the name.
    pub prefix: bool,
    /// Lower bound of the cost, with the penalties of edits and prefix. It never falls from one match to the next.
    pub floor: Cost,
}

/// A search for the names that match a pattern, cheapest first.
pub(crate) struct NameSearch<'n> {
    names: &'n Names,
    pattern: Vec<char>,
    /// Penalty of names of which the pattern is only a prefix; `None` to exclude them.
    prefix: Option<Cost>,
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
    /// Work done so far, in units of the budget: states pushed and popped.
    pub work: u32,
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

    /// Whether cost and name are equal.
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

/// A comparison in progress: the row so far, the bits of an incomplete character and the number of its missing bytes, and
/// the subtree of names.
#[derive(Clone, Copy, Debug)]
struct Comparison {
    row: Row,
    character: u32,
    missing: u8,
    subtree: Subtree,
}

impl Comparison {
    /// Adds a byte of the name; the row stays that of the complete characters.
    fn after(self, byte: u8) -> Self {
        let (character, missing) = match (self.missing, byte) {
            (0, 0x00..=0x7f) => (u32::from(byte), 0),
            (0, 0xf0..) => (u32::from(byte & 0x07), 3),
            (0, 0xe0..) => (u32::from(byte & 0x0f), 2),
            (0, _) => (u32::from(byte & 0x1f), 1),
            (missing, _) => (self.character << 6 | u32::from(byte & 0x3f), missing - 1),
        };
        Self { character, missing, ..self }
    }

    /// The character, if all its bytes are known.
    fn complete(self) -> Option<char> {
        if self.missing == 0 { char::from_u32(self.character) } else { None }
    }
}

impl<'n> NameSearch<'n> {
    /// Names that are longer than `pattern` (folded) and start with it; each costs `penalty` more. [`Names::id`] finds the name
    /// that is equal to it.
    pub fn prefix(names: &'n Names, pattern: &str, penalty: Cost) -> Self {
        let mut search = Self::empty(names, Some(penalty), 0, 0);
        if let Some(subtree) = names.follow(names.root(), pattern.as_bytes()) {
            search.push_prefix_matches(subtree, 0);
        }
        search
    }

    /// Names within `max_edits` of `pattern` (folded) and, if `prefix` is a cost, longer names with such a prefix. Each edit
    /// costs `edit_cost`. A name may be found more than once, and not always with the fewest edits first.
    pub fn fuzzy(names: &'n Names, pattern: &str, prefix: Option<Cost>, max_edits: u8, edit_cost: Cost) -> Self {
        let mut search = Self::empty(names, prefix, max_edits, edit_cost);
        search.pattern = pattern.chars().collect();
        let root = names.root();
        search.push_comparison(0, Comparison { row: Row::start(), character: 0, missing: 0, subtree: root });
        search
    }

    fn empty(names: &'n Names, prefix: Option<Cost>, max_edits: u8, edit_cost: Cost) -> Self {
        Self {
            names,
            pattern: Vec::new(),
            prefix,
            max_edits,
            edit_cost,
            heap: BinaryHeap::new(),
            current: Entry(0),
            next: None,
            ranges: Vec::new(),
            comparisons: Vec::new(),
            limit: Cost::MAX,
            work: 0,
        }
    }

    /// Penalty of all names of a state.
    fn surcharge(&self, state: State) -> Cost {
        let (edits, prefix) = match state {
            State::Complete(edits) => (edits, 0),
            State::Range(number) => (self.ranges[number as usize].edits, self.prefix.unwrap_or(0)),
            State::Comparison(number) => (self.comparisons[number as usize].row.lower_bound(), 0),
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
        self.work += 1;
        if self.comparisons.len() >= MAX_COMPARISONS {
            return;
        }
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

    /// Pushes all names of the subtree, at whose root the complete pattern matches.
    fn push_matches(&mut self, subtree: Subtree, edits: u8) {
        let ends_here = self.names.node(subtree).is_final();
        if let Some(exact) = self.names.cheapest(subtree.first..subtree.first.saturating_add(u32::from(ends_here))) {
            self.push(exact, State::Complete(edits));
        }
        if self.prefix.is_some() {
            self.push_prefix_matches(subtree, edits);
        }
    }

    /// Replaces a comparison by its matches and its children.
    fn expand(&mut self, floor: Cost, comparison: Comparison) {
        let between_characters = comparison.missing == 0;
        let reached = if between_characters { comparison.row.distance(&self.pattern) } else { None };
        if let Some(edits) = reached.filter(|&edits| edits <= self.max_edits) {
            self.push_matches(comparison.subtree, edits);
        }
        if between_characters && comparison.row.lower_bound() == self.max_edits {
            self.expand_expected(floor, comparison);
            return;
        }
        // Most characters are irrelevant: their common row is computed once.
        let other = comparison.row.step_irrelevant(&self.pattern);
        let other_is_in_reach = other.lower_bound() <= self.max_edits;
        let relevant = comparison.row.relevant(&self.pattern);
        let node = self.names.node(comparison.subtree);
        for (byte, subtree) in comparison.subtree.children(&node) {
            let next = comparison.after(byte);
            let row = match next.complete() {
                Some(character) if relevant.contains(&character) => Some(comparison.row.step(character, &self.pattern))
                    .filter(|row| row.lower_bound() <= self.max_edits),
                Some(_) => other_is_in_reach.then_some(other),
                None => Some(comparison.row),
            };
            if let Some(row) = row {
                self.push_child(floor, Comparison { row, subtree, ..next });
            }
        }
    }

    /// With no edit left, only a few characters can follow: looks up those instead of all transitions.
    fn expand_expected(&mut self, floor: Cost, comparison: Comparison) {
        let mut tried = ['\0'; MAX_EXPECTED];
        let expected = comparison.row.expected(&self.pattern, self.max_edits);
        let node = self.names.node(comparison.subtree);
        for (number, character) in expected.into_iter().flatten().enumerate() {
            if tried[..number].contains(&character) {
                continue;
            }
            tried[number] = character;
            // Most nodes have few transitions: a look-up costs less than the next row.
            let Some(subtree) = self.names.follow_char(comparison.subtree, &node, character) else { continue };
            let row = comparison.row.step(character, &self.pattern);
            if row.lower_bound() <= self.max_edits {
                self.push_child(floor, Comparison { row, character: 0, missing: 0, subtree });
            }
        }
    }

    fn push_child(&mut self, before: Cost, next: Comparison) {
        let floor = before.max(self.names.lower_bound(next.subtree.first..next.subtree.end));
        self.push_comparison(floor, next);
    }
}

impl NameSearch<'_> {
    /// The next match with a cost below `limit` (importance, class and edits included); `None` if there is none or the search
    /// needs more than `units` of work. The limit must not rise from one call to the next.
    pub fn next_below(&mut self, limit: Cost, units: u32) -> Option<Match> {
        self.limit = limit;
        let last = self.work.saturating_add(units);
        while let Some(at) = self.pop() {
            if at.floor() >= limit || self.work >= last {
                return None;
            }
            self.work += 1;
            let (id, floor) = (at.name(), at.floor());
            match at.state() {
                State::Complete(edits) => return Some(Match { id, edits, prefix: false, floor }),
                State::Range(number) => {
                    let NameRange { first, end, edits } = self.ranges[number as usize];
                    self.push_range(first, id, edits);
                    self.push_range(id + 1, end, edits);
                    return Some(Match { id, edits, prefix: true, floor });
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

    #[test]
    fn a_forged_fst_does_not_fill_the_memory() {
        let names = Names::forged(super::super::transducer::wide(40, 1));
        let pattern = "abcdefghij".repeat(4);
        let mut search = NameSearch::fuzzy(&names, &pattern, Some(0), 2, 1);
        assert_eq!(search.next_below(Cost::MAX, 20_000), None);
        assert!(
            search.comparisons.len() <= MAX_COMPARISONS && search.heap.len() <= MAX_COMPARISONS,
            "{}",
            search.comparisons.len()
        );
    }
}
