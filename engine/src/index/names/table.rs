//! A table of names: keys, which are folded names with a cost each, and the postings of each.
//!
//! Keys are numbered in alphabetical order, by an fst. Those with the same prefix have consecutive numbers, and the lowest cost of
//! any range is known without a scan ([`Minima`]). `search.rs` uses this to find the cheapest names, and an index in pages to find
//! the pages of a text.
//!
//! An index has three such tables: usual names, alternates, and sounds.

use std::ops::{Deref, Range};

use bytes::Bytes;

use super::cost::{Cost, STEP};
use super::minima::Minima;
use super::transducer::{Address, InputSet, Node, Transducer};
use crate::index::format::{Column, OpenError, Section, Sections};
use crate::record::NameClass;

/// A place that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Posting {
    pub row: u32,
    pub class: NameClass,
}

const LIST: u32 = 1 << 31;
const CLASS_SHIFT: u32 = 28;

/// Maximum length of a key in characters. The longest name in use has 168 (the full name of Bangkok). Longer ones are not in
/// the table.
pub const MAX_KEY_LETTERS: usize = 200;

/// Maximum length of a key in bytes of UTF-8.
const MAX_KEY_BYTES: usize = 4 * MAX_KEY_LETTERS;

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

/// Encodes the value in the column of postings for a name with several.
pub(crate) fn encode_list(offset: u32) -> u32 {
    LIST | offset
}

/// The four sections of a table of names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NameSections {
    pub fst: Section,
    pub costs: Section,
    pub postings: Section,
    pub lists: Section,
}

/// Usual names: primary and English ones.
pub(crate) const USUAL: NameSections = NameSections {
    fst: Section::Names,
    costs: Section::NameCosts,
    postings: Section::Postings,
    lists: Section::PostingLists,
};

/// Alternates: names of the other classes. They have a separate table, because a prefix of an alternate has a higher penalty
/// than one of a usual name: in one table, the order of costs would not be the order of prefix matches.
pub(crate) const ALTERNATES: NameSections = NameSections {
    fst: Section::Alternates,
    costs: Section::AlternateCosts,
    postings: Section::AlternatePostings,
    lists: Section::AlternateLists,
};

/// Phonetic keys of names of important places.
pub(crate) const SOUNDS: NameSections = NameSections {
    fst: Section::Sounds,
    costs: Section::SoundCosts,
    postings: Section::SoundPostings,
    lists: Section::SoundLists,
};

/// Keys in alphabetical order, each with a cost.
pub(crate) struct Keys {
    fst: Transducer,
    costs: Minima,
}

/// A table of names.
pub(crate) struct Names {
    keys: Keys,
    postings: Column<u32>,
    lists: Column<u32>,
    /// Number of rows of the index; postings of other rows are ignored.
    rows: u32,
}

/// A subtree of the fst: its root node and the range of names in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subtree {
    pub(super) node: Address,
    pub first: u32,
    pub end: u32,
}

impl Subtree {
    /// Returns the child for an input. Its names end where those of the next sibling start.
    fn child(self, node: &Node, input: u8) -> Option<Self> {
        let number = node.find(input)?;
        let transition = node.transition(number);
        let end = if number + 1 < node.len() { self.first_after(node.transition(number + 1).output) } else { self.end };
        Some(Self { node: transition.to, first: self.first_after(transition.output), end })
    }

    /// Returns the first name of the child of a transition.
    fn first_after(self, output: u64) -> u32 {
        self.first.wrapping_add(output as u32)
    }

    /// Iterates over all children, the last one first, so that each transition is decoded once.
    pub(super) fn children(self, node: &Node<'_>) -> impl Iterator<Item = (u8, Self)> {
        let mut end = self.end;
        (0..node.len()).rev().map(move |number| {
            let transition = node.transition(number);
            let first = self.first_after(transition.output);
            let subtree = Self { node: transition.to, first, end };
            end = first;
            (transition.input, subtree)
        })
    }
}

impl Names {
    /// Opens the names of `rows` places.
    pub fn open(sections: &Sections, at: NameSections, rows: u32) -> Result<Self, OpenError> {
        let column = |section| Column::new(sections.get(section));
        let keys = Keys::open(sections.get(at.fst), sections.get(at.costs))?;
        let names = Self { keys, postings: column(at.postings), lists: column(at.lists), rows };
        if names.len() as usize != names.postings.len() {
            return Err(OpenError::Malformed("postings"));
        }
        Ok(names)
    }

    /// Creates a table with one name, which does not match its fst.
    #[cfg(test)]
    pub fn of_fst(fst: Vec<u8>) -> Self {
        let keys = Keys::open(fst.into(), vec![0].into()).expect("both ends are right");
        Self { keys, postings: Column::new(vec![0; 4].into()), lists: Column::new(vec![0; 4].into()), rows: 1 }
    }

    /// Iterates over the postings of a name, cheapest first.
    pub fn postings(&self, id: u32) -> impl Iterator<Item = Posting> + '_ {
        let word = Some(id).filter(|&id| (id as usize) < self.postings.len()).map(|id| self.postings.get(id));
        let (single, list) = match word {
            None => (None, 0..0),
            Some(word) if word & LIST == 0 => (Some(Posting::decode(word)), 0..0),
            Some(word) => (None, self.list(word & !LIST)),
        };
        let postings = single.into_iter().chain(list.map(|at| Posting::decode(self.lists.get(at))));
        postings.filter(|posting| posting.row < self.rows)
    }

    /// Visits the names of a range with a posting that is wanted; several times as fast as name by name.
    pub fn each_with(&self, ids: Range<u32>, is_wanted: impl Fn(Posting) -> bool, mut visit: impl FnMut(u32)) {
        let has_wanted = |word: u32| match word & LIST {
            0 => is_wanted(Posting::decode(word)),
            _ => self.list(word & !LIST).any(|at| is_wanted(Posting::decode(self.lists.get(at)))),
        };
        for (id, word) in ids.clone().zip(self.postings.range(ids)) {
            if has_wanted(word) {
                visit(id);
            }
        }
    }

    /// Returns the range of the postings of a list, which starts with its length.
    fn list(&self, offset: u32) -> Range<u32> {
        let first = offset + 1;
        first..first.saturating_add(self.lists.get(offset)).min(self.lists.len() as u32)
    }
}

impl Deref for Names {
    type Target = Keys;

    fn deref(&self) -> &Keys {
        &self.keys
    }
}

impl Keys {
    /// Opens an fst, and the cost of each of its keys in steps.
    pub fn open(fst: Bytes, costs: Bytes) -> Result<Self, OpenError> {
        let keys = Self { fst: Transducer::open(fst, "fst of names")?, costs: Minima::of(costs) };
        if keys.fst.len() == keys.costs.len() as u64 { Ok(keys) } else { Err(OpenError::Malformed("costs of names")) }
    }

    /// Returns the number of keys.
    pub fn len(&self) -> u32 {
        self.costs.len() as u32
    }

    /// Returns the number of a folded name.
    pub fn id(&self, name: &str) -> Option<u32> {
        let subtree = self.follow(self.root(), name.as_bytes())?;
        self.node(subtree).is_final().then_some(subtree.first)
    }

    /// Returns the folded name with a number.
    pub fn key(&self, id: u32) -> Option<String> {
        let mut subtree = self.root();
        let mut key = Vec::new();
        loop {
            let node = self.node(subtree);
            if node.is_final() && subtree.first == id {
                return String::from_utf8(key).ok();
            }
            let (byte, child) = subtree.children(&node).find(|(_, child)| child.first <= id)?;
            // Only a forged table has longer keys.
            if key.len() >= MAX_KEY_BYTES {
                return None;
            }
            key.push(byte);
            subtree = child;
        }
    }

    /// Returns the numbers of the names that are longer than a prefix (folded) and start with it.
    pub fn starting_with(&self, prefix: &str) -> Range<u32> {
        let subtree = self.follow(self.root(), prefix.as_bytes());
        subtree
            .map_or(0..0, |subtree| subtree.first.saturating_add(u32::from(self.node(subtree).is_final()))..subtree.end)
    }

    /// Returns the lowest cost of a range of keys, rounded down to a step, and the first key with it.
    pub fn cheapest(&self, range: Range<u32>) -> Option<(Cost, u32)> {
        self.costs.least(range).map(|(steps, id)| (Cost::from(steps) * STEP, id))
    }

    /// Returns a lower bound of the costs of a range of names; faster than the minimum.
    pub fn lower_bound(&self, range: Range<u32>) -> Cost {
        Cost::from(self.costs.lower_bound(range)) * STEP
    }

    pub fn root(&self) -> Subtree {
        Subtree { node: self.fst.root(), first: 0, end: self.len() }
    }

    pub fn node(&self, subtree: Subtree) -> Node<'_> {
        self.fst.node(subtree.node)
    }

    /// Tells whether names of a subtree may go on with one of some bytes; `false` if none does.
    pub fn may_go_on(&self, subtree: Subtree, inputs: InputSet) -> bool {
        self.fst.may_go_on(subtree.node, inputs)
    }

    /// Returns the descendant for more bytes of a name.
    pub fn follow(&self, subtree: Subtree, bytes: &[u8]) -> Option<Subtree> {
        bytes.iter().try_fold(subtree, |subtree, &byte| subtree.child(&self.node(subtree), byte))
    }

    /// Visits the characters that can follow `node`, the root of `subtree`, each with its descendant, except those with a first
    /// byte above `last_lead`, for as long as `visit` wants more. Returns whether it does.
    pub fn each_character(
        &self,
        subtree: Subtree,
        node: &Node,
        last_lead: u8,
        visit: &mut impl FnMut(char, Subtree) -> bool,
    ) -> bool {
        subtree.children(node).filter(|&(byte, _)| byte <= last_lead).all(|(byte, child)| match byte {
            0x00..0x80 => visit(char::from(byte), child),
            0x80..0xe0 => self.each_ending(child, (u32::from(byte & 0x1f), 1), visit),
            0xe0..0xf0 => self.each_ending(child, (u32::from(byte & 0x0f), 2), visit),
            0xf0.. => self.each_ending(child, (u32::from(byte & 0x07), 3), visit),
        })
    }

    /// Visits the characters that can follow behind the first bytes of one, for as long as `visit` wants more: the bits
    /// so far, and the number of bytes that are missing. Returns whether it does.
    fn each_ending(
        &self,
        subtree: Subtree,
        (bits, missing): (u32, u8),
        visit: &mut impl FnMut(char, Subtree) -> bool,
    ) -> bool {
        subtree.children(&self.node(subtree)).all(|(byte, child)| {
            let bits = bits << 6 | u32::from(byte & 0x3f);
            match (missing, char::from_u32(bits)) {
                (1, Some(character)) => visit(character, child),
                (1, None) => true,
                _ => self.each_ending(child, (bits, missing - 1), visit),
            }
        })
    }

    /// Returns the descendant for a character; `node` is the root of `subtree`.
    pub fn follow_char(&self, subtree: Subtree, node: &Node, character: char) -> Option<Subtree> {
        let bytes = &mut [0; 4];
        let (&first, rest) = character.encode_utf8(bytes).as_bytes().split_first()?;
        self.follow(subtree.child(node, first)?, rest)
    }
}
