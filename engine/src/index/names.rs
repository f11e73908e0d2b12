//! Names to places: an fst from folded name to name id, and the postings of each id.
//!
//! Name ids are handed out by rising cost (importance and name class of the best place of that name), and the fst's
//! outputs are the ids. The fst pushes the minimum of a subtree's outputs to its root, so the output on the way to a
//! node is the least id below it, and a search that always goes on at the least cost meets the best names first:
//! exact top k of a prefix without a table, and with typos the same loop with a distance row per state.
//!
//! An index has three such tables: names of the better classes, alternates, and sounds.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use bytes::Bytes;
use fst::raw::{CompiledAddr, Fst, Output};

use super::column::Column;
use super::cost::{Cost, STEP};
use super::edits::{MAX_EXPECTED, Row};
use super::layout::{OpenError, Section, Sections};
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
    pub postings: Section,
    pub lists: Section,
    pub steps: Section,
}

/// Folded names of the better classes: what a place is called by those who live there, and in English.
pub(crate) const OWN: NameSections = NameSections {
    fst: Section::Names,
    postings: Section::Postings,
    lists: Section::PostingLists,
    steps: Section::CostSteps,
};

/// Folded names of the other classes. They have a table of their own because one that is only begun costs so much more
/// than one of the better classes: in one table a search would open them all before it finds out.
pub(crate) const ALTERNATES: NameSections = NameSections {
    fst: Section::Alternates,
    postings: Section::AlternatePostings,
    lists: Section::AlternateLists,
    steps: Section::AlternateSteps,
};

/// Names of important places as they sound.
pub(crate) const SOUNDS: NameSections = NameSections {
    fst: Section::Sounds,
    postings: Section::SoundPostings,
    lists: Section::SoundLists,
    steps: Section::SoundSteps,
};

/// A table of names.
pub(crate) struct Names {
    fst: Fst<Bytes>,
    postings: Column<u32>,
    lists: Column<u32>,
    steps: Column<u32>,
}

impl Names {
    pub fn open(sections: &Sections, at: NameSections) -> Result<Self, OpenError> {
        let fst = Fst::new(sections.get(at.fst)).map_err(|_| OpenError::Malformed("name fst"))?;
        let column = |section| Column::new(sections.get(section));
        let names = Self { fst, postings: column(at.postings), lists: column(at.lists), steps: column(at.steps) };
        if names.fst.len() != names.postings.len() {
            return Err(OpenError::Malformed("postings"));
        }
        Ok(names)
    }

    /// How many names there are.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.fst.len()
    }

    /// The places of a name id, the cheapest first.
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

    /// The id of exactly this folded name.
    pub fn id(&self, name: &str) -> Option<u32> {
        self.fst.get(name).map(|output| output.value() as u32)
    }

    /// Least cost of the name ids from `id` on.
    fn floor(&self, id: u32) -> Cost {
        self.steps.partition_point(|first| first <= id).saturating_sub(1) * STEP
    }

    /// Node and least id behind a key.
    fn descend(&self, key: &[u8]) -> Option<(CompiledAddr, u32)> {
        let (addr, output) = self.walk(self.fst.root().addr(), key)?;
        Some((addr, output.value() as u32))
    }

    /// Node and output behind one letter.
    fn follow(&self, node: CompiledAddr, letter: char) -> Option<(CompiledAddr, Output)> {
        self.walk(node, letter.encode_utf8(&mut [0; 4]).as_bytes())
    }

    fn walk(&self, mut addr: CompiledAddr, bytes: &[u8]) -> Option<(CompiledAddr, Output)> {
        let mut output = Output::zero();
        for &byte in bytes {
            let node = self.fst.node(addr);
            let transition = node.transition(node.find_input(byte)?);
            output = output.cat(transition.out);
            addr = transition.addr;
        }
        Some((addr, output))
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
    rows: Vec<Typing>,
    /// The limit of the last call: it never rises.
    limit: Cost,
    /// States taken off the heap: what the search cost.
    pub visited: u32,
}

/// A place in the fst from which the search goes on, in one number: cost, then least id, so that ties are broken the
/// same way everywhere, then state and node. Comparing and moving these is most of what a search does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Frontier(u128);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// A name ends here.
    Found { edits: u8, whole: bool },
    /// The pattern is used up: every continuation matches.
    Free { edits: u8, whole: bool },
    /// The pattern is being compared; number in `rows`.
    Typing(u32),
}

impl Frontier {
    fn new(floor: Cost, least_id: u32, state: State, node: CompiledAddr) -> Self {
        let state = match state {
            State::Found { edits, whole } => u32::from(edits) << 1 | u32::from(whole),
            State::Free { edits, whole } => 1 << 30 | u32::from(edits) << 1 | u32::from(whole),
            State::Typing(number) => 2 << 30 | number,
        };
        Self(u128::from(floor) << 96 | u128::from(least_id) << 64 | u128::from(state) << 32 | node as u128)
    }

    /// Whether cost and least id are the same.
    fn is_level_with(self, other: Self) -> bool {
        self.0 >> 64 == other.0 >> 64
    }

    fn floor(self) -> Cost {
        (self.0 >> 96) as u32
    }

    fn least_id(self) -> u32 {
        (self.0 >> 64) as u32
    }

    fn state(self) -> State {
        let state = (self.0 >> 32) as u32;
        let (edits, whole) = ((state >> 1) as u8, state & 1 == 1);
        match state >> 30 {
            0 => State::Found { edits, whole },
            1 => State::Free { edits, whole },
            _ => State::Typing(state & (u32::MAX >> 2)),
        }
    }

    fn node(self) -> CompiledAddr {
        self.0 as u32 as CompiledAddr
    }
}

/// The comparison so far, and the bytes of a letter that is not complete yet.
#[derive(Clone, Copy, Debug)]
struct Typing {
    row: Row,
    letter: u32,
    missing: u8,
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
        if let Some((node, least_id)) = names.descend(pattern.as_bytes()) {
            search.go_on(node, least_id, 0, 0);
        }
        search
    }

    /// Names within `max_edits` of `pattern` (folded); where `begun` is a cost, also those of which a beginning is. Each edit
    /// adds `edit_cost`. One name may be met more than once, the fewest edits not always first. Without edits `begun` has
    /// to be 0: the order is then that of the ids.
    pub fn fuzzy(names: &'n Names, pattern: &str, begun: Option<Cost>, max_edits: u8, edit_cost: Cost) -> Self {
        let mut search = Self::empty(names, begun, max_edits, edit_cost);
        search.pattern = pattern.chars().collect();
        search.rows.push(Typing { row: Row::start(), letter: 0, missing: 0 });
        search.push(0, 0, State::Typing(0), names.fst.root().addr());
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
            rows: Vec::new(),
            limit: Cost::MAX,
            visited: 0,
        }
    }

    /// What a state adds to the cost of the names behind it.
    fn surcharge(&self, state: State) -> Cost {
        let (edits, whole) = match state {
            State::Found { edits, whole } | State::Free { edits, whole } => (edits, whole),
            State::Typing(number) => (self.rows[number as usize].row.least(), true),
        };
        let begun = if whole { 0 } else { self.begun.unwrap_or(0) };
        begun + Cost::from(edits) * self.edit_cost
    }

    /// `base` is the least cost of the names from `least_id` on. What costs too much is left out.
    fn push(&mut self, base: Cost, least_id: u32, state: State, node: CompiledAddr) {
        // Without edits the order of ids is the order of costs.
        let floor = if self.max_edits == 0 { 0 } else { base + self.surcharge(state) };
        if floor >= self.limit {
            return;
        }
        let found = Frontier::new(floor, least_id, state, node);
        // What is no dearer than where the search stands is met next anyway: no need to sort it in.
        if self.ahead.is_none() && found.is_level_with(self.here) {
            self.ahead = Some(found);
        } else {
            self.heap.push(Reverse(found));
        }
    }

    fn pop(&mut self) -> Option<Frontier> {
        self.here = self.ahead.take().or_else(|| self.heap.pop().map(|Reverse(next)| next))?;
        Some(self.here)
    }

    /// Least cost of the names behind an output: that of the node before where the output adds nothing.
    fn base(&self, before: Cost, least_id: u32, output: Output) -> (Cost, u32) {
        match output.value() as u32 {
            more if more == 0 || self.max_edits == 0 => (before, least_id + more),
            more => (self.names.floor(least_id + more), least_id + more),
        }
    }

    fn go_free(&mut self, at: Frontier, base: Cost, edits: u8, whole: bool) {
        let node = self.names.fst.node(at.node());
        if node.is_final() {
            let (base, id) = self.base(base, at.least_id(), node.final_output());
            self.push(base, id, State::Found { edits, whole }, at.node());
        }
        if self.begun.is_some() {
            self.go_on(at.node(), at.least_id(), base, edits);
        }
    }

    /// Every name behind `node` is one that goes on behind the pattern.
    fn go_on(&mut self, node: CompiledAddr, least_id: u32, base: Cost, edits: u8) {
        for transition in self.names.fst.node(node).transitions() {
            let (base, least_id) = self.base(base, least_id, transition.out);
            self.push(base, least_id, State::Free { edits, whole: false }, transition.addr);
        }
    }

    fn go_typing(&mut self, at: Frontier, base: Cost, typing: Typing) {
        let between_letters = typing.missing == 0;
        let reached = if between_letters { typing.row.whole(&self.pattern) } else { None };
        if let Some(edits) = reached.filter(|&edits| edits <= self.max_edits) {
            self.go_free(at, base, edits, true);
        }
        if between_letters && typing.row.least() == self.max_edits {
            self.go_to_expected_letters(at, base, typing.row);
            return;
        }
        // Most letters that follow do not count: the row behind them is made once.
        let other = typing.row.step_by_other(&self.pattern);
        let other_is_near = other.least() <= self.max_edits;
        let near = typing.row.near(&self.pattern);
        let node = self.names.fst.node(at.node());
        for transition in node.transitions() {
            let next = typing.after(transition.inp);
            let next = match next.complete() {
                Some(letter) if near.contains(&letter) => {
                    Some(typing.row.step(letter, &self.pattern)).filter(|row| row.least() <= self.max_edits)
                }
                Some(_) => other_is_near.then_some(other),
                None => Some(typing.row),
            }
            .map(|row| Typing { row, ..next });
            if let Some(next) = next {
                let (base, least_id) = self.base(base, at.least_id(), transition.out);
                self.push_typing(base, least_id, next, transition.addr);
            }
        }
    }

    /// With no edit left, only a few letters can follow: the fst is asked for those instead of for all it has.
    fn go_to_expected_letters(&mut self, at: Frontier, base: Cost, row: Row) {
        let mut tried = ['\0'; MAX_EXPECTED];
        let expected = row.expected(&self.pattern, self.max_edits);
        for (number, letter) in expected.into_iter().flatten().enumerate() {
            if tried[..number].contains(&letter) {
                continue;
            }
            tried[number] = letter;
            // Most nodes have few letters: asking for one costs less than the row behind it.
            let Some((addr, output)) = self.names.follow(at.node(), letter) else { continue };
            let next = row.step(letter, &self.pattern);
            if next.least() <= self.max_edits {
                let (base, least_id) = self.base(base, at.least_id(), output);
                self.push_typing(base, least_id, Typing { row: next, letter: 0, missing: 0 }, addr);
            }
        }
    }

    fn push_typing(&mut self, base: Cost, least_id: u32, typing: Typing, node: CompiledAddr) {
        let state = State::Typing(self.rows.len() as u32);
        self.rows.push(typing);
        self.push(base, least_id, state, node);
    }
}

impl NameSearch<'_> {
    /// The next match that costs less than `limit` (importance, class and edits counted), if at most `visits` states
    /// have to be looked at to find it. The limit of a later call is not above that of an earlier one.
    pub fn next_below(&mut self, limit: Cost, visits: u32) -> Option<Match> {
        self.limit = limit;
        let last = self.visited.saturating_add(visits);
        while let Some(at) = self.pop() {
            let state = at.state();
            let floor = match state {
                State::Found { .. } if self.max_edits == 0 => self.names.floor(at.least_id()) + self.surcharge(state),
                _ => at.floor(),
            };
            if floor >= limit || self.visited >= last {
                return None;
            }
            self.visited += 1;
            let base = at.floor().saturating_sub(self.surcharge(state));
            match state {
                State::Found { edits, whole } => {
                    return Some(Match { id: at.least_id(), edits, whole, floor });
                }
                State::Free { edits, whole } => self.go_free(at, base, edits, whole),
                State::Typing(number) => self.go_typing(at, base, self.rows[number as usize]),
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
