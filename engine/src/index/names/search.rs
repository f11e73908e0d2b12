//! Names that match a pattern, cheapest first: those that begin with it, and those that are like it but for some edits.
//!
//! The names of a beginning are a run: its best one is the least of the run, the next best the least of what is left of it
//! on either side, and so on, which is exact top k without a table and without the fst. With typos, the fst is walked
//! together with a distance row, always on from where names cost least.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::cost::Cost;
use super::edits::{MAX_EXPECTED, Row};
use super::table::{Branch, Names};

/// States of a search whose letters are still compared. No question comes to a tenth of it; a forged fst could have as many as
/// all its nodes have letters, for every state that is looked at.
const MOST_TYPINGS: usize = 100_000;

/// A name that a search met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Match {
    /// Number of the name in its table.
    pub id: u32,
    /// Letters left out, added, changed or swapped.
    pub edits: u8,
    /// The name goes on where the pattern ends.
    pub prefix: bool,
    /// No later match of this search costs less: edits, and what a prefix adds, included.
    pub floor: Cost,
}

/// Names that match a pattern, cheapest first.
pub(crate) struct NameSearch<'n> {
    names: &'n Names,
    pattern: Vec<char>,
    /// What a name adds that goes on behind the pattern; `None`: such names are not looked for.
    prefix: Option<Cost>,
    max_edits: u8,
    edit_cost: Cost,
    heap: BinaryHeap<Reverse<Frontier>>,
    /// Where the search stands, and where it goes on without a look at the heap.
    here: Frontier,
    ahead: Option<Frontier>,
    runs: Vec<Run>,
    typings: Vec<Typing>,
    /// The limit of the last call: it never rises.
    limit: Cost,
    /// Work done so far, in units of the budget of a question: states that were looked at, and those that were found.
    pub work: u32,
}

/// Where the search can go on, in one number that is quickly compared: cost, then a name, so that ties are broken the same
/// way everywhere, then the state. The name is the first of the cheapest; where letters are still compared, the first of all
/// that are ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Frontier(u128);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// A name ends where the pattern does, after so many edits.
    Whole(u8),
    /// The pattern is used up: all names of a run match. Number in `runs`.
    Run(u32),
    /// The pattern is being compared. Number in `typings`.
    Typing(u32),
}

impl Frontier {
    const KIND_SHIFT: u32 = 30;

    fn new(floor: Cost, name: u32, state: State) -> Self {
        let state = match state {
            State::Whole(edits) => u32::from(edits),
            State::Run(number) => 1 << Self::KIND_SHIFT | number,
            State::Typing(number) => 2 << Self::KIND_SHIFT | number,
        };
        Self(u128::from(floor) << 64 | u128::from(name) << 32 | u128::from(state))
    }

    /// Whether cost and name are the same.
    fn is_level_with(self, other: Self) -> bool {
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
            0 => State::Whole(number as u8),
            1 => State::Run(number),
            _ => State::Typing(number),
        }
    }
}

/// Names that all begin with the pattern, but for some edits.
#[derive(Clone, Copy, Debug)]
struct Run {
    first: u32,
    end: u32,
    edits: u8,
}

/// The comparison so far, the bytes of a letter that is not complete yet, and the names ahead.
#[derive(Clone, Copy, Debug)]
struct Typing {
    row: Row,
    letter: u32,
    missing: u8,
    branch: Branch,
}

impl Typing {
    /// With one more byte of the name; the row is still that of the letters before.
    fn after(self, byte: u8) -> Self {
        let (letter, missing) = match (self.missing, byte) {
            (0, 0x00..=0x7f) => (u32::from(byte), 0),
            (0, 0xf0..) => (u32::from(byte & 0x07), 3),
            (0, 0xe0..) => (u32::from(byte & 0x0f), 2),
            (0, _) => (u32::from(byte & 0x1f), 1),
            (missing, _) => (self.letter << 6 | u32::from(byte & 0x3f), missing - 1),
        };
        Self { letter, missing, ..self }
    }

    /// The letter, when all its bytes are there.
    fn complete(self) -> Option<char> {
        if self.missing == 0 { char::from_u32(self.letter) } else { None }
    }
}

impl<'n> NameSearch<'n> {
    /// Names that begin with `pattern` (folded) and go on behind it, which adds `penalty`. The name that ends there is what
    /// [`Names::id`] is for.
    pub fn prefix(names: &'n Names, pattern: &str, penalty: Cost) -> Self {
        let mut search = Self::empty(names, Some(penalty), 0, 0);
        if let Some(branch) = names.follow(names.root(), pattern.as_bytes()) {
            search.go_on(branch, 0);
        }
        search
    }

    /// Names within `max_edits` of `pattern` (folded); where `prefix` is a cost, also those that go on behind it. Each edit
    /// adds `edit_cost`. One name may be met more than once, the fewest edits not always first.
    pub fn fuzzy(names: &'n Names, pattern: &str, prefix: Option<Cost>, max_edits: u8, edit_cost: Cost) -> Self {
        let mut search = Self::empty(names, prefix, max_edits, edit_cost);
        search.pattern = pattern.chars().collect();
        let root = names.root();
        search.push_typing(0, Typing { row: Row::start(), letter: 0, missing: 0, branch: root });
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
            here: Frontier(0),
            ahead: None,
            runs: Vec::new(),
            typings: Vec::new(),
            limit: Cost::MAX,
            work: 0,
        }
    }

    /// What a state adds to the cost of its names.
    fn surcharge(&self, state: State) -> Cost {
        let (edits, prefix) = match state {
            State::Whole(edits) => (edits, 0),
            State::Run(number) => (self.runs[number as usize].edits, self.prefix.unwrap_or(0)),
            State::Typing(number) => (self.typings[number as usize].row.least(), 0),
        };
        prefix + Cost::from(edits) * self.edit_cost
    }

    /// No name of the state costs less than `cost` by itself; `name` is the one that stands for it. What costs too much is
    /// left out.
    fn push(&mut self, (cost, name): (Cost, u32), state: State) {
        let floor = cost + self.surcharge(state);
        if floor >= self.limit {
            return;
        }
        let found = Frontier::new(floor, name, state);
        // What is no dearer than where the search stands is met next anyway: no need to sort it in.
        if self.ahead.is_none() && found.is_level_with(self.here) {
            self.ahead = Some(found);
        } else {
            self.heap.push(Reverse(found));
        }
    }

    /// No name behind costs less than `floor`.
    fn push_typing(&mut self, floor: Cost, typing: Typing) {
        self.work += 1;
        if self.typings.len() >= MOST_TYPINGS {
            return;
        }
        let state = State::Typing(self.typings.len() as u32);
        self.typings.push(typing);
        self.push((floor, typing.branch.first), state);
    }

    fn push_run(&mut self, first: u32, end: u32, edits: u8) {
        if let Some(least) = self.names.least(first..end) {
            let state = State::Run(self.runs.len() as u32);
            self.runs.push(Run { first, end, edits });
            self.push(least, state);
        }
    }

    fn pop(&mut self) -> Option<Frontier> {
        self.here = self.ahead.take().or_else(|| self.heap.pop().map(|Reverse(next)| next))?;
        Some(self.here)
    }

    /// Every name of the branch goes on behind the pattern, but for the one that ends there.
    fn go_on(&mut self, branch: Branch, edits: u8) {
        let ends_here = self.names.node(branch).is_final();
        self.push_run(branch.first.saturating_add(u32::from(ends_here)), branch.end, edits);
    }

    /// The pattern is used up.
    fn go_free(&mut self, branch: Branch, edits: u8) {
        let ends_here = self.names.node(branch).is_final();
        if let Some(whole) = self.names.least(branch.first..branch.first.saturating_add(u32::from(ends_here))) {
            self.push(whole, State::Whole(edits));
        }
        if self.prefix.is_some() {
            self.go_on(branch, edits);
        }
    }

    fn go_typing(&mut self, floor: Cost, typing: Typing) {
        let between_letters = typing.missing == 0;
        let reached = if between_letters { typing.row.whole(&self.pattern) } else { None };
        if let Some(edits) = reached.filter(|&edits| edits <= self.max_edits) {
            self.go_free(typing.branch, edits);
        }
        if between_letters && typing.row.least() == self.max_edits {
            self.go_to_expected_letters(floor, typing);
            return;
        }
        // Most letters that follow do not count: the row behind them is made once.
        let other = typing.row.step_by_other(&self.pattern);
        let other_is_near = other.least() <= self.max_edits;
        let near = typing.row.near(&self.pattern);
        let node = self.names.node(typing.branch);
        for (byte, branch) in typing.branch.all_behind(&node) {
            let next = typing.after(byte);
            let row = match next.complete() {
                Some(letter) if near.contains(&letter) => {
                    Some(typing.row.step(letter, &self.pattern)).filter(|row| row.least() <= self.max_edits)
                }
                Some(_) => other_is_near.then_some(other),
                None => Some(typing.row),
            };
            if let Some(row) = row {
                self.go_behind(floor, Typing { row, branch, ..next });
            }
        }
    }

    /// With no edit left, only a few letters can follow: the fst is asked for those instead of for all it has.
    fn go_to_expected_letters(&mut self, floor: Cost, typing: Typing) {
        let mut tried = ['\0'; MAX_EXPECTED];
        let expected = typing.row.expected(&self.pattern, self.max_edits);
        let node = self.names.node(typing.branch);
        for (number, letter) in expected.into_iter().flatten().enumerate() {
            if tried[..number].contains(&letter) {
                continue;
            }
            tried[number] = letter;
            // Most nodes have few letters: asking for one costs less than the row behind it.
            let Some(branch) = self.names.follow_letter(typing.branch, &node, letter) else { continue };
            let row = typing.row.step(letter, &self.pattern);
            if row.least() <= self.max_edits {
                self.go_behind(floor, Typing { row, letter: 0, missing: 0, branch });
            }
        }
    }

    fn go_behind(&mut self, before: Cost, next: Typing) {
        let floor = before.max(self.names.floor(next.branch.first..next.branch.end));
        self.push_typing(floor, next);
    }
}

impl NameSearch<'_> {
    /// The next match that costs less than `limit` (importance, class and edits counted), if that takes at most `units` of
    /// work. The limit of a later call is not above that of an earlier one.
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
                State::Whole(edits) => return Some(Match { id, edits, prefix: false, floor }),
                State::Run(number) => {
                    let Run { first, end, edits } = self.runs[number as usize];
                    self.push_run(first, id, edits);
                    self.push_run(id + 1, end, edits);
                    return Some(Match { id, edits, prefix: true, floor });
                }
                state @ State::Typing(number) => {
                    let cost = floor - self.surcharge(state);
                    self.go_typing(cost, self.typings[number as usize]);
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
        assert!(search.typings.len() <= MOST_TYPINGS && search.heap.len() <= MOST_TYPINGS, "{}", search.typings.len());
    }
}
