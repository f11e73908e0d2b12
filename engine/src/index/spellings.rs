//! Latin spellings of letters of other scripts, and the lattice of Latin spellings of a text.
//!
//! A name that no source has in a script is often regular: each letter stands for a few Latin letters, some more likely than
//! others. The builder learns them from names that the sources have in both scripts.

use std::rc::Rc;

use bytes::Bytes;

use crate::index::format::{Column, EncodedSection, OpenError, Section, Sections, encode};
use crate::index::names::{Cost, share};
use crate::record::{Beside, Spellings};

/// Maximum number of Latin letters that a letter stands for: `zhuang`.
pub const MAX_SPELLING: usize = 6;

/// Cost of a spelling that is e times less likely, as it is stored.
const NAT: Cost = 16;

/// Cost of a text that spells a name e times less likely. By the logarithm of the people of a place it would be
/// [`UNIT`](crate::index::UNIT) / 8 / ln 10, which is 0.0543: measured on names that are held out, this is best.
const UNLIKELY: Cost = share(0.056) / NAT * NAT;

/// Cost of a letter that is not learned, and spelled as everywhere: less likely than most that are.
const NOT_LEARNED: Cost = 3 * NAT;

/// Cost of a spelling that a letter has only beside others, where it stands beside none of them.
const NOT_ANYWHERE: Cost = 7 * NAT;

/// Added to the cost of a spelling that a letter does not have beside what it stands beside: it has it once in ten times.
const NOT_BESIDE: Cost = 2 * NAT + NAT / 4;

/// Cost of a space that only the name has, or only the text.
const SPACE: Cost = NAT;

/// A name has this share of the letters of the most likely spelling at least: initials of a famous country spell nothing.
const SHORTEST: f64 = 0.6;

/// A spelling with so many nats for each letter is none of the text: one in ten is right.
const MOST_PER_LETTER: f64 = 1.3;

/// Spellings by letter.
#[derive(Debug)]
pub(crate) struct SpellingTable {
    letters: Column<u64>,
    starts: Column<u32>,
    spellings: Bytes,
}

/// A way to spell a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Way {
    latin: [u8; MAX_SPELLING],
    length: u8,
    /// Number of its first letters that it shares with the way before.
    pub shared: u8,
    pub cost: Cost,
}

impl Way {
    /// Creates a way that costs so much, as it is stored; `None` if it has more than [`MAX_SPELLING`] letters.
    pub fn new(latin: &[u8], cost: Cost) -> Option<Self> {
        let mut letters = [0; MAX_SPELLING];
        letters.get_mut(..latin.len())?.copy_from_slice(latin);
        Some(Self { latin: letters, length: latin.len() as u8, shared: 0, cost })
    }

    pub fn latin(&self) -> &[u8] {
        &self.latin[..usize::from(self.length)]
    }
}

/// All ways to spell a letter, in alphabetical order; lattices share them.
pub(crate) type Ways = Rc<[Way]>;

/// The Latin spellings of a text: the ways to spell each of its letters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lattice {
    /// The ways to spell each letter.
    columns: Vec<Ways>,
    /// Least cost of the letters from each one on, and behind the last.
    rest: Vec<Cost>,
    /// Cost of a space that only the name has.
    space: Cost,
    /// The fewest letters of a name.
    fewest: u8,
    /// A spelling that costs as much is none of the text.
    most: Cost,
}

impl SpellingTable {
    pub fn open(sections: &Sections) -> Result<Self, OpenError> {
        let table = Self {
            letters: Column::new(sections.get(Section::SpelledLetter)),
            starts: Column::new(sections.get(Section::SpellingStart)),
            spellings: sections.get(Section::Spellings),
        };
        let lengths_agree = table.letters.len() == table.starts.len();
        if lengths_agree { Ok(table) } else { Err(OpenError::Malformed("spellings")) }
    }

    /// Returns the ways to spell a letter between two others, with costs as they are stored; none if they are not known.
    pub fn ways(&self, letter: char, (before, after): (char, char)) -> Vec<Way> {
        let mut ways = self.stored_ways(letter, Beside::Anything);
        if ways.is_empty() {
            return ways;
        }
        let anywhere = ways.clone();
        let sides = [Beside::After(before), Beside::Before(after)].map(|beside| self.stored_ways(letter, beside));
        for beside in sides.iter().filter(|beside| !beside.is_empty()) {
            let new = beside.iter().filter(|way| ways.iter().all(|known| known.latin != way.latin)).copied();
            ways.extend(new.collect::<Vec<_>>());
        }
        for way in &mut ways {
            let cost_among = |all: &[Way]| all.iter().find(|other| other.latin == way.latin).map(|other| other.cost);
            let usual = cost_among(&anywhere).unwrap_or(NOT_ANYWHERE);
            // Both sides together say as much as each by itself.
            let known = sides.iter().filter(|beside| !beside.is_empty());
            let changes = known.map(|beside| {
                let cost = cost_among(beside).map_or(usual + NOT_BESIDE, |cost| cost.min(usual + NOT_BESIDE));
                i64::from(cost) - i64::from(usual)
            });
            way.cost = (i64::from(usual) + changes.sum::<i64>()).max(0) as Cost;
        }
        ways
    }

    /// Returns the ways to spell a letter beside something, as they are stored.
    fn stored_ways(&self, letter: char, beside: Beside) -> Vec<Way> {
        let letter = key(letter, beside);
        let at = self.letters.partition_point(|other| other < letter);
        if at >= self.letters.len() as u32 || self.letters.get(at) != letter {
            return Vec::new();
        }
        let next = at + 1;
        let is_last = next >= self.starts.len() as u32;
        let end = if is_last { self.spellings.len() } else { self.starts.get(next) as usize };
        let mut rest = self.spellings.get(self.starts.get(at) as usize..end).unwrap_or_default();
        let mut ways = Vec::new();
        while let [cost, length, behind @ ..] = rest
            && let Some((latin, behind)) = behind.split_at_checked(usize::from(*length))
            && ways.len() < MAX_WAYS
        {
            let is_latin = latin.iter().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
            ways.extend(Way::new(latin, Cost::from(*cost)).filter(|_| is_latin));
            rest = behind;
        }
        ways
    }
}

/// Returns the number of a letter and of what stands beside it.
fn key(letter: char, beside: Beside) -> u64 {
    let (side, other) = match beside {
        Beside::Anything => (0, 0),
        Beside::Before(other) => (1, u64::from(other)),
        Beside::After(other) => (2, u64::from(other)),
    };
    u64::from(letter) << 42 | side << 40 | other
}

/// Most ways to spell a letter that are read: the default index has at most a third of them.
const MAX_WAYS: usize = 128;

impl Lattice {
    /// Creates the lattice of the spellings of a text. `column` returns that of the letter at a place, which is in another
    /// script. `None` if it has none for one of the letters, or needs none because all are Latin.
    pub fn new(text: &[char], mut column: impl FnMut(usize) -> Ways) -> Option<Self> {
        if text.iter().all(char::is_ascii) {
            return None;
        }
        let mut columns = Vec::with_capacity(text.len());
        for (at, &c) in text.iter().enumerate() {
            columns.push(match c {
                ' ' => Self::column_of(vec![Way::new(b" ", 0)?, Way::new(b"", SPACE)?]),
                _ if c.is_ascii() => Self::column_of(vec![Way::new(&[c as u8], 0)?]),
                _ => column(at),
            });
        }
        let mut rest = vec![0];
        for column in columns.iter().rev() {
            let least = column.iter().map(|way| way.cost).min()?;
            rest.push(rest.last().copied().unwrap_or(0) + least);
        }
        rest.reverse();
        let lattice = Self { columns, rest, space: scale(SPACE), fewest: 0, most: 0 };
        let letters = lattice.best().len() as f64;
        let fewest = libm::ceil(SHORTEST * letters).min(255.0) as u8;
        let most = (MOST_PER_LETTER * letters * f64::from(UNLIKELY)) as Cost;
        Some(Self { fewest, most, ..lattice })
    }

    /// Creates the column of a letter from the ways to spell it, with costs as they are stored.
    pub fn column_of(mut ways: Vec<Way>) -> Ways {
        ways.iter_mut().for_each(|way| way.cost = scale(way.cost));
        ways.sort_unstable();
        // Of ways to the same letters, the cheapest is first.
        ways.dedup_by(|later, first| later.latin() == first.latin());
        for at in 1..ways.len() {
            let pairs = ways[at - 1].latin().iter().zip(ways[at].latin());
            ways[at].shared = pairs.take_while(|(a, b)| a == b).count() as u8;
        }
        ways.into()
    }

    /// Returns the number of letters.
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// Returns the ways to spell a letter, in alphabetical order.
    pub fn column(&self, at: usize) -> &[Way] {
        &self.columns[at]
    }

    /// Returns the least cost of the letters from `at` on.
    pub fn rest(&self, at: usize) -> Cost {
        self.rest[at]
    }

    /// Returns the cost of a space that only the name has.
    pub fn space(&self) -> Cost {
        self.space
    }

    /// Returns the limit of costs: a spelling that costs as much is not one of the text.
    pub fn most(&self) -> Cost {
        self.most
    }

    /// Returns the fewest letters of a name that the text spells.
    pub fn fewest(&self) -> u8 {
        self.fewest
    }

    /// Converts the cost of a spelling to nats.
    pub fn nats(cost: Cost) -> f64 {
        f64::from(cost) / f64::from(UNLIKELY)
    }

    /// Returns the most likely spelling.
    pub fn best(&self) -> String {
        let mut best = String::new();
        for column in &self.columns {
            if let Some(way) = column.iter().min_by_key(|way| way.cost) {
                best.extend(way.latin().iter().map(|&c| char::from(c)));
            }
        }
        best
    }
}

/// Scales a cost as it is stored to those of names.
fn scale(cost: Cost) -> Cost {
    cost * (UNLIKELY / NAT)
}

impl Lattice {
    /// Creates the way to spell a letter that is not learned.
    pub fn as_everywhere(latin: &str) -> Option<Way> {
        Way::new(latin.as_bytes(), NOT_LEARNED)
    }
}

/// Encodes the sections of spellings, which were checked.
pub(crate) fn encode_spellings(spellings: &[Spellings]) -> [EncodedSection; 3] {
    let mut starts = Vec::new();
    let mut bytes = Vec::new();
    for of_letter in spellings {
        starts.push(bytes.len() as u32);
        for spelling in &of_letter.all {
            bytes.extend([spelling.cost, spelling.latin.len() as u8]);
            bytes.extend(spelling.latin.bytes());
        }
    }
    [
        (Section::SpelledLetter, encode(spellings.iter().map(|of_letter| key(of_letter.letter, of_letter.beside)))),
        (Section::SpellingStart, encode(starts)),
        (Section::Spellings, bytes),
    ]
}
