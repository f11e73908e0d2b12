//! Latin letters for a text in another script: one transliteration, or the lattice of all spellings.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::segment::Index;
use super::spellings::{Lattice, Way, Ways};
use crate::text::{compose, first_of_syllable, letters, to_lower};

/// In place of the letter behind an unfinished text. No letter stands beside it.
const UNKNOWN: char = '\0';

/// The scripts that the segments of an index know in Latin letters.
#[derive(Clone, Copy)]
pub(crate) struct Scripts<'i> {
    index: &'i Index,
}

/// Makes lattices of texts that have letters in common: the parts of a query.
pub(crate) struct Lattices<'i> {
    scripts: Scripts<'i>,
    columns: FxHashMap<ColumnKey, Ways>,
}

/// Key of a column: a letter, the letters beside it, and its first part where the next syllable may take the rest.
type ColumnKey = (char, (char, char), Option<char>);

impl<'i> Scripts<'i> {
    pub(super) fn new(index: &'i Index) -> Self {
        Self { index }
    }

    /// Transliterates `text` to Latin; `None` if it is in Latin already, or has no character that a segment can transliterate. The
    /// tables have composed characters in lower case, whatever the form of the text.
    pub fn transliterate(self, text: &str) -> Option<String> {
        let text: String = to_lower(&compose(text));
        self.index.files.iter().find_map(|file| file.transliteration.latin(&text))
    }

    /// Returns the Latin spellings of a folded text, as [`Lattices::of`].
    pub fn lattice(self, text: &str, unfinished: bool) -> Option<Lattice> {
        self.lattices().of(text, unfinished)
    }

    /// Creates what makes lattices of texts that have letters in common.
    pub fn lattices(self) -> Lattices<'i> {
        Lattices { scripts: self, columns: FxHashMap::default() }
    }

    /// Returns the ways to spell a letter: those that the first segment that knows it has learned, and its transliteration.
    fn ways(self, letter: char, beside: (char, char)) -> Vec<Way> {
        let learned = self.index.files.iter().map(|file| file.spellings.ways(letter, beside));
        let mut ways = learned.into_iter().find(|ways| !ways.is_empty()).unwrap_or_default();
        if let Some(latin) = self.transliterate(letter.encode_utf8(&mut [0; 4])) {
            ways.extend(Lattice::as_everywhere(&latin));
        }
        ways
    }
}

impl Lattices<'_> {
    /// Returns the Latin spellings of a folded text in another script; `None` if it is in Latin, or has a letter of
    /// which no segment knows any. If it is `unfinished`, its last letter may belong to the next syllable.
    pub fn of(&mut self, text: &str, unfinished: bool) -> Option<Lattice> {
        let letters = letters(text);
        let behind = if unfinished { UNKNOWN } else { ' ' };
        // The next syllable may take the last letter: 팔 is on the way to 파리.
        let moved = letters.last().copied().filter(|_| unfinished).and_then(first_of_syllable);
        let Self { scripts, columns } = self;
        Lattice::new(&letters, |at| {
            let beside = beside(&letters, at, behind);
            let moved = moved.filter(|_| at + 1 == letters.len());
            let column = columns.entry((letters[at], beside, moved)).or_insert_with(|| {
                let mut ways = scripts.ways(letters[at], beside);
                ways.extend(moved.into_iter().flat_map(|first| scripts.ways(first, beside)));
                Lattice::column_of(ways)
            });
            Rc::clone(column)
        })
    }
}

/// Returns the letters before and behind the one at `at`; `behind` stands behind the last.
fn beside(letters: &[char], at: usize, behind: char) -> (char, char) {
    let before = at.checked_sub(1).map_or(' ', |before| letters[before]);
    (before, letters.get(at + 1).copied().unwrap_or(behind))
}
