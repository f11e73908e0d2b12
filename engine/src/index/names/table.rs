//! Names to places: an fst from folded name to its number in alphabetical order, the least cost of each name, and the
//! places that bear it.
//!
//! The names that begin with a text lie side by side, so a beginning is a run of numbers, and the least cost of any run
//! is known without walking through it ([`Minima`]). That is what `search.rs` finds the best names by.
//!
//! An index has three such tables: names of the better classes, alternates, and sounds.

use std::ops::Range;

use super::cost::{Cost, STEP};
use super::minima::Minima;
use super::transducer::{Address, Node, Transducer};
use crate::index::format::{Column, OpenError, Section, Sections};
use crate::record::NameClass;

/// A place that bears a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Posting {
    pub row: u32,
    pub class: NameClass,
}

const LIST: u32 = 1 << 31;
const CLASS_SHIFT: u32 = 28;

/// Longest key of a name, in folded letters. The longest name that people use has 168 (Bangkok's in full); what is longer is
/// no name, and is left out of the table.
pub const MAX_KEY_LETTERS: usize = 200;

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
pub(crate) const USUAL: NameSections = NameSections {
    fst: Section::Names,
    costs: Section::NameCosts,
    postings: Section::Postings,
    lists: Section::PostingLists,
};

/// Folded names of the other classes. They have a table of their own because one that is only begun costs so much more
/// than one of the better classes: in one table the names of least cost would not be those that are cheapest when begun.
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
    fst: Transducer,
    costs: Minima,
    postings: Column<u32>,
    lists: Column<u32>,
    /// Rows of the index: a posting of another is none.
    rows: u32,
}

/// A node of the fst, and the names whose first letters lead to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Branch {
    pub node: Address,
    pub first: u32,
    pub end: u32,
}

impl Branch {
    /// The branch behind a letter: its names end where those of the next letter begin.
    fn behind(self, node: &Node, letter: u8) -> Option<Self> {
        let number = node.find(letter)?;
        let transition = node.transition(number);
        let end = if number + 1 < node.len() { self.after(node.transition(number + 1).output) } else { self.end };
        Some(Self { node: transition.to, first: self.after(transition.output), end })
    }

    /// The first name behind a transition.
    fn after(self, output: u64) -> u32 {
        self.first.wrapping_add(output as u32)
    }

    /// The branches behind all letters, the last letter first, so that each transition is decoded once.
    pub(super) fn all_behind(self, node: &Node<'_>) -> impl Iterator<Item = (u8, Self)> {
        let mut end = self.end;
        (0..node.len()).rev().map(move |number| {
            let transition = node.transition(number);
            let first = self.after(transition.output);
            let branch = Self { node: transition.to, first, end };
            end = first;
            (transition.letter, branch)
        })
    }
}

impl Names {
    /// The names of `rows` places.
    pub fn open(sections: &Sections, at: NameSections, rows: u32) -> Result<Self, OpenError> {
        let fst = Transducer::open(sections.get(at.fst), "name fst")?;
        let column = |section| Column::new(sections.get(section));
        let costs = Minima::of(sections.get(at.costs));
        let names = Self { fst, costs, postings: column(at.postings), lists: column(at.lists), rows };
        if names.fst.len() != names.postings.len() as u64 {
            return Err(OpenError::Malformed("postings"));
        }
        if names.fst.len() != names.costs.len() as u64 {
            return Err(OpenError::Malformed("costs of names"));
        }
        Ok(names)
    }

    /// A table of one name, whatever its fst says.
    #[cfg(test)]
    pub fn forged(fst: Vec<u8>) -> Self {
        let fst = Transducer::open(fst.into(), "names").expect("both ends are right");
        let one = || Column::new(vec![0; 4].into());
        Self { fst, costs: Minima::of(vec![0].into()), postings: one(), lists: one(), rows: 1 }
    }

    /// How many names there are.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.postings.len()
    }

    /// The places of a name, the cheapest first.
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

    /// Where the postings of a list are; it begins with their number.
    fn list(&self, offset: u32) -> Range<u32> {
        let first = offset + 1;
        first..first.saturating_add(self.lists.get(offset)).min(self.lists.len() as u32)
    }

    /// The number of exactly this folded name.
    pub fn id(&self, name: &str) -> Option<u32> {
        let branch = self.follow(self.root(), name.as_bytes())?;
        self.node(branch).is_final().then_some(branch.first)
    }

    /// The numbers of the names that begin so (folded) and go on.
    pub fn behind(&self, beginning: &str) -> Range<u32> {
        let branch = self.follow(self.root(), beginning.as_bytes());
        branch.map_or(0..0, |branch| branch.first.saturating_add(u32::from(self.node(branch).is_final()))..branch.end)
    }

    /// Least cost of a run of names, rounded down to a step, and the first name of that cost.
    pub(super) fn least(&self, run: Range<u32>) -> Option<(Cost, u32)> {
        self.costs.least(run).map(|(steps, id)| (Cost::from(steps) * STEP, id))
    }

    /// A cost that none of a run of names is below: cheaper to know than the least.
    pub(super) fn floor(&self, run: Range<u32>) -> Cost {
        Cost::from(self.costs.floor(run)) * STEP
    }

    pub(super) fn root(&self) -> Branch {
        Branch { node: self.fst.root(), first: 0, end: self.postings.len() as u32 }
    }

    pub(super) fn node(&self, branch: Branch) -> Node<'_> {
        self.fst.node(branch.node)
    }

    /// The branch behind more of a name.
    pub(super) fn follow(&self, branch: Branch, bytes: &[u8]) -> Option<Branch> {
        bytes.iter().try_fold(branch, |branch, &byte| branch.behind(&self.node(branch), byte))
    }

    /// The branch behind a letter; `node` is the one that `branch` has.
    pub(super) fn follow_letter(&self, branch: Branch, node: &Node, letter: char) -> Option<Branch> {
        let bytes = &mut [0; 4];
        let (&first, rest) = letter.encode_utf8(bytes).as_bytes().split_first()?;
        self.follow(branch.behind(node, first)?, rest)
    }
}
