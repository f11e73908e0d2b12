//! Names to places: an fst from folded name to its number in alphabetical order, the least cost of each name, and the
//! places that bear it.
//!
//! The names that begin with a text lie side by side, so a beginning is a run of numbers, and the least cost of any run
//! is known without walking through it ([`Minima`]). The best names of a beginning are then the least of the run, the
//! least of what is left of it on either side, and so on: exact top k without a table and without the fst. With typos,
//! the fst is walked together with a distance row, always on at the run that costs least.
//!
//! An index has three such tables: names of the better classes, alternates, and sounds.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use bytes::Bytes;
use fst::raw::{CompiledAddr, Fst, Node, Output};

use super::column::Column;
use super::cost::{Cost, STEP};
use super::edits::{MAX_EXPECTED, Row};
use super::layout::{OpenError, Section, Sections};
use super::minima::Minima;
use crate::record::NameClass;

/// A place that bears a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Posting {
    pub row: u32,
    pub class: NameClass,
}

const LIST: u32 = 1 << 31;
const CLASS_SHIFT: u32 = 28;
pub(crate) const MAX_ROWS: u32 = 1 << CLASS_SHIFT;

impl Posting {
    pub fn encode(self) -> u32 {
        self.row | (self.class as u32) << CLASS_SHIFT
    }

    fn decode(word: u32) -> Self {
        let class = match word >> CLASS_SHIFT & 7 {
            0 => NameClass::Primary,
            1 => NameClass::English,
            2 => NameClass::Other,
            _ => NameClass::Weak,
        };
        Self { row: word & (MAX_ROWS - 1), class }
    }
}

/// The word of a name with several postings.
pub(crate) fn encode_list(offset: u32) -> u32 {
    LIST | offset
}

/// Where the four sections of a table of names are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NameSections {
    pub fst: Section,
    pub costs: Section,
    pub postings: Section,
    pub lists: Section,
}

/// Folded names of the better classes: what a place is called by those who live there, and in English.
pub(crate) const OWN: NameSections = NameSections {
    fst: Section::Names,
    costs: Section::NameCosts,
    postings: Section::Postings,
    lists: Section::PostingLists,
};

/// Folded names of the other classes. They have a table of their own because one that is only begun costs so much more
/// than one of the better classes: in one table the least cost of a run would not tell what goes on from it.
pub(crate) const ALTERNATES: NameSections = NameSections {
    fst: Section::Alternates,
    costs: Section::AlternateCosts,
    postings: Section::AlternatePostings,
    lists: Section::AlternateLists,
};

/// Names of important places as they sound.
pub(crate) const SOUNDS: NameSections = NameSections {
    fst: Section::Sounds,
    costs: Section::SoundCosts,
    postings: Section::SoundPostings,
    lists: Section::SoundLists,
};

/// A table of names.
pub(crate) struct Names {
    fst: Fst<Bytes>,
    costs: Minima,
    postings: Column<u32>,
    lists: Column<u32>,
}

/// A node of the fst, and the names whose first letters lead to it.
#[derive(Clone, Copy, Debug)]
struct Branch {
    node: CompiledAddr,
    first: u32,
    end: u32,
}

impl Branch {
    /// The branch behind a letter: its names end where those of the next letter begin.
    fn behind(self, node: &Node, letter: u8) -> Option<Self> {
        let number = node.find_input(letter)?;
        let transition = node.transition(number);
        let first = |output: Output| self.first + output.value() as u32;
        let end = if number + 1 < node.len() { first(node.transition(number + 1).out) } else { self.end };
        Some(Self { node: transition.addr, first: first(transition.out), end })
    }

    /// The branches behind all letters, the last letter first, so that each transition is decoded once.
    fn all_behind(self, node: &Node<'_>) -> impl Iterator<Item = (u8, Self)> {
        let mut end = self.end;
        (0..node.len()).rev().map(move |number| {
            let transition = node.transition(number);
            let first = self.first + transition.out.value() as u32;
            let branch = Self { node: transition.addr, first, end };
            end = first;
            (transition.inp, branch)
        })
    }
}

impl Names {
    pub fn open(sections: &Sections, at: NameSections) -> Result<Self, OpenError> {
        let fst = Fst::new(sections.get(at.fst)).map_err(|_| OpenError::Malformed("name fst"))?;
        let column = |section| Column::new(sections.get(section));
        let costs = Minima::of(sections.get(at.costs));
        let names = Self { fst, costs, postings: column(at.postings), lists: column(at.lists) };
        if names.fst.len() != names.postings.len() {
            return Err(OpenError::Malformed("postings"));
        }
        if names.fst.len() != names.costs.len() {
            return Err(OpenError::Malformed("costs of names"));
        }
        Ok(names)
    }

    /// How many names there are.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.fst.len()
    }

    /// The places of a name, the cheapest first.
    pub fn postings(&self, id: u32) -> impl Iterator<Item = Posting> + '_ {
        let word = self.postings.get(id);
        let offset = word & !LIST;
        let (single, list) = if word & LIST == 0 {
            (Some(Posting::decode(word)), 0..0)
        } else {
            (None, offset + 1..(offset + 1).saturating_add(self.lists.get(offset)).min(self.lists.len() as u32))
        };
        single.into_iter().chain(list.map(|at| Posting::decode(self.lists.get(at))))
    }

    /// The number of exactly this folded name.
    pub fn id(&self, name: &str) -> Option<u32> {
        self.fst.get(name).map(|output| output.value() as u32)
    }

    /// Least cost of a run of names, rounded down to a step, and the first name of that cost.
    fn least(&self, run: Range<u32>) -> Option<(Cost, u32)> {
        self.costs.least(run).map(|(steps, id)| (Cost::from(steps) * STEP, id))
    }

    /// A cost that none of a run of names is below: cheaper to know than the least.
    fn floor(&self, run: Range<u32>) -> Cost {
        Cost::from(self.costs.floor(run)) * STEP
    }

    fn root(&self) -> Branch {
        Branch { node: self.fst.root().addr(), first: 0, end: self.fst.len() as u32 }
    }

    /// The branch behind more of a name.
    fn follow(&self, branch: Branch, bytes: &[u8]) -> Option<Branch> {
        bytes.iter().try_fold(branch, |branch, &byte| branch.behind(&self.fst.node(branch.node), byte))
    }

    /// The branch behind a letter; `node` is the one that `branch` has.
    fn follow_letter(&self, branch: Branch, node: &Node, letter: char) -> Option<Branch> {
        let bytes = &mut [0; 4];
        let (&first, rest) = letter.encode_utf8(bytes).as_bytes().split_first()?;
        self.follow(branch.behind(node, first)?, rest)
    }
}

/// A name that a search met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Match {
    pub id: u32,
    /// Letters left out, added, changed or swapped.
    pub edits: u8,
    /// The name ends where the pattern ends.
    pub whole: bool,
    /// No later match of this search costs less: edits, and what is begun, included.
    pub floor: Cost,
}

/// Names that match a pattern, cheapest first.
pub(crate) struct NameSearch<'n> {
    names: &'n Names,
    pattern: Vec<char>,
    /// What a name adds that goes on behind the pattern; `None`: such names are not looked for.
    begun: Option<Cost>,
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
    /// States taken off the heap: what the search cost.
    pub visited: u32,
}

/// Where the search can go on, in one number: cost, then the first name of that cost, so that ties are broken the same
/// way everywhere, then the state. Comparing and moving these is most of what a search does.
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

    fn new(floor: Cost, least: u32, state: State) -> Self {
        let state = match state {
            State::Whole(edits) => u32::from(edits),
            State::Run(number) => 1 << Self::KIND_SHIFT | number,
            State::Typing(number) => 2 << Self::KIND_SHIFT | number,
        };
        Self(u128::from(floor) << 64 | u128::from(least) << 32 | u128::from(state))
    }

    /// Whether cost and first name are the same.
    fn is_level_with(self, other: Self) -> bool {
        self.0 >> 32 == other.0 >> 32
    }

    fn floor(self) -> Cost {
        (self.0 >> 64) as u32
    }

    /// The first of the cheapest names.
    fn least(self) -> u32 {
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
    /// Names that begin with `pattern` (folded) and go on behind it, which adds `begun`. The name that ends there is what
    /// [`Names::id`] is for.
    pub fn begun(names: &'n Names, pattern: &str, begun: Cost) -> Self {
        let mut search = Self::empty(names, Some(begun), 0, 0);
        if let Some(branch) = names.follow(names.root(), pattern.as_bytes()) {
            search.go_on(branch, 0);
        }
        search
    }

    /// Names within `max_edits` of `pattern` (folded); where `begun` is a cost, also those of which a beginning is. Each edit
    /// adds `edit_cost`. One name may be met more than once, the fewest edits not always first.
    pub fn fuzzy(names: &'n Names, pattern: &str, begun: Option<Cost>, max_edits: u8, edit_cost: Cost) -> Self {
        let mut search = Self::empty(names, begun, max_edits, edit_cost);
        search.pattern = pattern.chars().collect();
        let root = names.root();
        search.push_typing(0, Typing { row: Row::start(), letter: 0, missing: 0, branch: root });
        search
    }

    fn empty(names: &'n Names, begun: Option<Cost>, max_edits: u8, edit_cost: Cost) -> Self {
        Self {
            names,
            pattern: Vec::new(),
            begun,
            max_edits,
            edit_cost,
            heap: BinaryHeap::new(),
            here: Frontier(0),
            ahead: None,
            runs: Vec::new(),
            typings: Vec::new(),
            limit: Cost::MAX,
            visited: 0,
        }
    }

    /// What a state adds to the cost of its names.
    fn surcharge(&self, state: State) -> Cost {
        let (edits, begun) = match state {
            State::Whole(edits) => (edits, 0),
            State::Run(number) => (self.runs[number as usize].edits, self.begun.unwrap_or(0)),
            State::Typing(number) => (self.typings[number as usize].row.least(), 0),
        };
        begun + Cost::from(edits) * self.edit_cost
    }

    /// `least` is what the cheapest name of the state costs by itself, and which it is. What costs too much is left out.
    fn push(&mut self, (cost, least): (Cost, u32), state: State) {
        let floor = cost + self.surcharge(state);
        if floor >= self.limit {
            return;
        }
        let found = Frontier::new(floor, least, state);
        // What is no dearer than where the search stands is met next anyway: no need to sort it in.
        if self.ahead.is_none() && found.is_level_with(self.here) {
            self.ahead = Some(found);
        } else {
            self.heap.push(Reverse(found));
        }
    }

    /// No name behind costs less than `floor`.
    fn push_typing(&mut self, floor: Cost, typing: Typing) {
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
        let ends_here = self.names.fst.node(branch.node).is_final();
        self.push_run(branch.first + u32::from(ends_here), branch.end, edits);
    }

    /// The pattern is used up.
    fn go_free(&mut self, branch: Branch, edits: u8) {
        if self.names.fst.node(branch.node).is_final() {
            let whole = self.names.least(branch.first..branch.first + 1);
            whole.into_iter().for_each(|least| self.push(least, State::Whole(edits)));
        }
        if self.begun.is_some() {
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
        let node = self.names.fst.node(typing.branch.node);
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
        let node = self.names.fst.node(typing.branch.node);
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
    /// The next match that costs less than `limit` (importance, class and edits counted), if at most `visits` states
    /// have to be looked at to find it. The limit of a later call is not above that of an earlier one.
    pub fn next_below(&mut self, limit: Cost, visits: u32) -> Option<Match> {
        self.limit = limit;
        let last = self.visited.saturating_add(visits);
        while let Some(at) = self.pop() {
            if at.floor() >= limit || self.visited >= last {
                return None;
            }
            self.visited += 1;
            let (id, floor) = (at.least(), at.floor());
            match at.state() {
                State::Whole(edits) => return Some(Match { id, edits, whole: true, floor }),
                State::Run(number) => {
                    let Run { first, end, edits } = self.runs[number as usize];
                    self.push_run(first, id, edits);
                    self.push_run(id + 1, end, edits);
                    return Some(Match { id, edits, whole: false, floor });
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
