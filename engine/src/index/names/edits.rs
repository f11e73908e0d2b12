//! Damerau-Levenshtein distance, one letter of the name at a time.
//!
//! A [`Row`] is one row of the dynamic programme, cut to the band that an allowed distance can reach, so that a walk
//! through the name fst carries it along: `cells[b]` is the distance between the first `i` letters of the name and the
//! first `i + b - BAND` letters of the pattern. Transpositions of neighbours count once (optimal string alignment). The
//! first letter is the one people get right: a difference there counts twice.

/// Largest distance that is ever looked for.
pub(crate) const MAX_EDITS: u8 = 2;

const BAND: usize = MAX_EDITS as usize;
const WIDTH: usize = 2 * BAND + 1;
const FAR: u8 = MAX_EDITS + 1;

/// Letters that can follow when no edit is left: one per cell to go on, one per cell to complete a transposition.
pub(crate) const MAX_EXPECTED: usize = 2 * WIDTH;

/// Letters of the pattern that can still count: those of the band, and one to each side for transpositions.
pub(crate) const MAX_NEAR: usize = WIDTH + 2;

/// One row of the programme, and the one before it for transpositions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    letters: u16,
    cells: [u8; WIDTH],
    before: [u8; WIDTH],
    last: char,
}

impl Row {
    /// Before the first letter of a name.
    pub fn start() -> Self {
        let mut cells = [FAR; WIDTH];
        for (b, cell) in cells.iter_mut().enumerate().skip(BAND) {
            *cell = first_letter_weight(b - BAND);
        }
        Self { letters: 0, cells, before: [FAR; WIDTH], last: '\0' }
    }

    /// After the name's next letter.
    pub fn step(&self, letter: char, pattern: &[char]) -> Self {
        let i = usize::from(self.letters) + 1;
        let mut cells = [FAR; WIDTH];
        for b in 0..WIDTH {
            let Some(j) = (i + b).checked_sub(BAND).filter(|&j| j <= pattern.len()) else { continue };
            cells[b] = self.cell(i, j, b, letter, pattern, &cells);
        }
        Self { letters: i as u16, cells, before: self.cells, last: letter }
    }

    /// The letters by which [`Self::step`] is another than [`Self::step_by_other`]: those that stand in the pattern where
    /// they can still count, be it as half of a transposition to come. Filled up with `\0`, which no name has.
    pub fn near(&self, pattern: &[char]) -> [char; MAX_NEAR] {
        std::array::from_fn(|at| {
            let place = (usize::from(self.letters) + at).checked_sub(BAND + 1);
            place.and_then(|place| pattern.get(place)).copied().unwrap_or('\0')
        })
    }

    /// After any letter that does not count.
    pub fn step_by_other(&self, pattern: &[char]) -> Self {
        self.step('\0', pattern)
    }

    fn cell(&self, i: usize, j: usize, b: usize, letter: char, pattern: &[char], row: &[u8; WIDTH]) -> u8 {
        let left_out = self.cells.get(b + 1).map_or(FAR, |above| above + weight(i, i));
        if j == 0 {
            return left_out.min(FAR);
        }
        let added = if b == 0 { FAR } else { row[b - 1] + weight(i, j) };
        let kept = self.cells[b] + if pattern[j - 1] == letter { 0 } else { weight(i, j) };
        let swapped = if i > 1 && j > 1 && pattern[j - 2] == letter && pattern[j - 1] == self.last {
            self.before[b] + weight(i - 1, j - 1)
        } else {
            FAR
        };
        left_out.min(added).min(kept).min(swapped).min(FAR)
    }

    /// The letters after which the distance can still be `most` or less, when it is `most` already; with repeats.
    pub fn expected(&self, pattern: &[char], most: u8) -> [Option<char>; MAX_EXPECTED] {
        let next = usize::from(self.letters) + 1;
        std::array::from_fn(|at| {
            let b = at % WIDTH;
            let j = (next + b).checked_sub(BAND)?;
            let (cell, letter) =
                if at < WIDTH { (self.cells[b], j.checked_sub(1)?) } else { (self.before[b] + 1, j.checked_sub(2)?) };
            if cell <= most { pattern.get(letter).copied() } else { None }
        })
    }

    /// The least distance that any continuation can have.
    pub fn least(&self) -> u8 {
        self.cells.iter().copied().min().unwrap_or(FAR)
    }

    /// The distance of the name so far to the whole pattern, if it is within reach.
    pub fn whole(&self, pattern: &[char]) -> Option<u8> {
        let b = (pattern.len() + BAND).checked_sub(usize::from(self.letters))?;
        self.cells.get(b).copied().filter(|&edits| edits < FAR)
    }
}

fn weight(i: usize, j: usize) -> u8 {
    if i <= 1 && j <= 1 { 2 } else { 1 }
}

/// Distance of an empty name to the first `letters` of a pattern: the first letter left out counts twice.
fn first_letter_weight(letters: usize) -> u8 {
    if letters == 0 { 0 } else { (letters as u8 + 1).min(FAR) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distance(name: &str, pattern: &str) -> Option<u8> {
        let pattern: Vec<char> = pattern.chars().collect();
        name.chars().fold(Row::start(), |row, letter| row.step(letter, &pattern)).whole(&pattern)
    }

    #[test]
    fn distances() {
        let check = |name: &str, pattern: &str, expect: Option<u8>| {
            assert_eq!(distance(name, pattern), expect, "{name} {pattern}");
        };
        check("paris", "paris", Some(0));
        check("paris", "pariss", Some(1));
        check("paris", "pars", Some(1));
        check("paris", "parsi", Some(1));
        check("paris", "pbris", Some(1));
        check("paris", "aris", Some(2));
        check("paris", "baris", Some(2));
        check("paris", "apris", Some(2));
        check("san francisco", "san fransisco", Some(1));
        check("san francisco", "sanfransisco", Some(2));
        check("london", "lodnno", Some(2));
        check("london", "berlin", None);
        check("köln", "koln", Some(1));
        check("a", "", Some(2));
    }

    #[test]
    fn letters_that_do_not_count_are_all_alike() {
        let mut rng = fastrand::Rng::with_seed(1);
        for _ in 0..2_000 {
            let mut word = |most: usize| (0..rng.usize(0..most)).map(|_| rng.char('a'..'g')).collect::<Vec<char>>();
            let (name, pattern, rest) = (word(8), word(8), word(6));
            let row = name.iter().fold(Row::start(), |row, &letter| row.step(letter, &pattern));
            let near = row.near(&pattern);
            for letter in ('a'..'g').filter(|letter| !near.contains(letter)) {
                let of = |row: Row| rest.iter().fold(row, |row, &letter| row.step(letter, &pattern)).cells;
                assert_eq!(
                    of(row.step(letter, &pattern)),
                    of(row.step_by_other(&pattern)),
                    "{name:?} {letter} {pattern:?}"
                );
            }
        }
    }

    #[test]
    fn least_never_overstates() {
        let words = ["paris", "pars", "parsi", "aprsi", "london", "lonodn", "xx", "parissss"];
        for name in words {
            for pattern in words {
                let letters: Vec<char> = pattern.chars().collect();
                let Some(whole) = distance(name, pattern) else { continue };
                let mut row = Row::start();
                for letter in name.chars() {
                    assert!(row.least() <= whole, "{name} {pattern}");
                    row = row.step(letter, &letters);
                }
            }
        }
    }
}
