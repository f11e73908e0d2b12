//! Damerau-Levenshtein distance, computed incrementally, one character of the name at a time.
//!
//! [`Distances`] are one row of the dynamic programming matrix, limited to a band around the diagonal. A search carries them along
//! while it walks the fst: `cells[b]` is the distance between the first `i` characters of the name and the first
//! `i + b - BAND` characters of the pattern. A transposition of neighbours counts as one edit (optimal string alignment).
//! People rarely get the first character wrong, so an edit there counts twice.

use super::transducer::InputSet;

/// Largest edit distance that is supported.
pub(crate) const MAX_EDITS: u8 = 2;

const BAND: usize = MAX_EDITS as usize;
const WIDTH: usize = 2 * BAND + 1;
const TOO_FAR: u8 = MAX_EDITS + 1;

/// Maximum number of rests of the pattern that can follow when no edit is left: per cell, one as it is and one that completes
/// a transposition.
const MAX_RESTS: usize = 2 * WIDTH;

/// Maximum number of characters of the pattern that affect the next row: the band, and one on each side for transpositions.
pub(crate) const MAX_RELEVANT: usize = WIDTH + 2;

/// A row of the matrix, and the row before it, which transpositions need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Distances {
    /// Number of characters of the name so far.
    length: u16,
    cells: [u8; WIDTH],
    previous: [u8; WIDTH],
    last: char,
}

/// The continuation of a name after one of its characters.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// Anything, with edits left.
    Open(Distances),
    /// No edit is left: one of these rests of the pattern, as it is.
    Last(Rests),
    /// Nothing: there are too many edits.
    TooFar,
}

/// Rests of a pattern: where each begins, and the character before it if that completes a transposition.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rests {
    rests: [(Option<char>, u16); MAX_RESTS],
    count: u8,
    /// The first bytes of the rests.
    inputs: InputSet,
    /// True if one of the rests is empty.
    may_end: bool,
}

impl Rests {
    fn add(&mut self, swapped: Option<char>, begin: usize, pattern: &[char]) {
        self.rests[usize::from(self.count)] = (swapped, begin as u16);
        self.count += 1;
        match swapped.or_else(|| pattern.get(begin).copied()) {
            Some(first) => self.inputs.add(first.encode_utf8(&mut [0; 4]).as_bytes()[0]),
            None => self.may_end = true,
        }
    }

    /// Returns the first bytes of the rests; `None` if one of them is empty.
    pub fn inputs(&self) -> Option<InputSet> {
        (!self.may_end).then_some(self.inputs)
    }

    /// Iterates over the rests, each as its characters.
    pub fn iter<'p>(&self, pattern: &'p [char]) -> impl Iterator<Item = impl Iterator<Item = char> + use<'p>> {
        let rests = self.rests[..usize::from(self.count)].iter();
        rests.map(|&(swapped, begin)| swapped.into_iter().chain(pattern[usize::from(begin)..].iter().copied()))
    }
}

impl Distances {
    /// Creates the distances of the empty name.
    pub fn start() -> Self {
        let mut cells = [TOO_FAR; WIDTH];
        for (b, cell) in cells.iter_mut().enumerate().skip(BAND) {
            *cell = distance_of_empty(b - BAND);
        }
        Self { length: 0, cells, previous: [TOO_FAR; WIDTH], last: '\0' }
    }

    /// Returns the distances after the next character of the name.
    pub fn step(&self, character: char, pattern: &[char]) -> Self {
        let i = usize::from(self.length) + 1;
        let mut cells = [TOO_FAR; WIDTH];
        for b in 0..WIDTH {
            let Some(j) = (i + b).checked_sub(BAND).filter(|&j| j <= pattern.len()) else { continue };
            cells[b] = self.cell(i, j, b, character, pattern, &cells);
        }
        Self { length: i as u16, cells, previous: self.cells, last: character }
    }

    /// Returns the characters for which [`Self::step`] differs from [`Self::step_irrelevant`]: those of the pattern
    /// within the band, including halves of transpositions. Padded with `\0`, which no name contains.
    pub fn relevant(&self, pattern: &[char]) -> [char; MAX_RELEVANT] {
        std::array::from_fn(|at| {
            let place = (usize::from(self.length) + at).checked_sub(BAND + 1);
            place.and_then(|place| pattern.get(place)).copied().unwrap_or('\0')
        })
    }

    /// Returns the row after any character that is not among [`Self::relevant`].
    pub fn step_irrelevant(&self, pattern: &[char]) -> Self {
        self.step('\0', pattern)
    }

    fn cell(&self, i: usize, j: usize, b: usize, character: char, pattern: &[char], distances: &[u8; WIDTH]) -> u8 {
        let insertion = self.cells.get(b + 1).map_or(TOO_FAR, |above| above + weight(i, i));
        if j == 0 {
            return insertion.min(TOO_FAR);
        }
        let deletion = if b == 0 { TOO_FAR } else { distances[b - 1] + weight(i, j) };
        let substitution = self.cells[b] + if pattern[j - 1] == character { 0 } else { weight(i, j) };
        let transposition = if i > 1 && j > 1 && pattern[j - 2] == character && pattern[j - 1] == self.last {
            self.previous[b] + weight(i - 1, j - 1)
        } else {
            TOO_FAR
        };
        insertion.min(deletion).min(substitution).min(transposition).min(TOO_FAR)
    }

    /// Returns the continuation if there are at most `max` edits.
    pub fn within(self, max: u8, pattern: &[char]) -> Step {
        match self.lower_bound() {
            edits if edits < max => Step::Open(self),
            edits if edits == max => Step::Last(self.rests(pattern, max)),
            _ => Step::TooFar,
        }
    }

    /// Returns the rests of the pattern that can follow if the lower bound is `max` already.
    fn rests(&self, pattern: &[char], max: u8) -> Rests {
        let mut rests = Rests::default();
        let length = usize::from(self.length);
        for b in 0..WIDTH {
            let Some(place) = (length + b).checked_sub(BAND).filter(|&place| place <= pattern.len()) else { continue };
            if self.cells[b] <= max {
                rests.add(None, place, pattern);
            }
            // The last character is the second of two that are swapped: the first has to follow.
            let (Some(before), Some(&second)) = (place.checked_sub(1), pattern.get(place)) else { continue };
            let edits = self.previous[b] + weight(length, place);
            if edits <= max && second == self.last && second != pattern[before] {
                rests.add(Some(pattern[before]), place + 1, pattern);
            }
        }
        rests
    }

    /// Returns a lower bound of the distance of all continuations.
    pub fn lower_bound(&self) -> u8 {
        self.cells.iter().copied().min().unwrap_or(TOO_FAR)
    }

    /// Returns the distance between the name so far and the pattern; `None` if it is too large.
    pub fn distance(&self, pattern: &[char]) -> Option<u8> {
        let b = (pattern.len() + BAND).checked_sub(usize::from(self.length))?;
        self.cells.get(b).copied().filter(|&edits| edits < TOO_FAR)
    }
}

fn weight(i: usize, j: usize) -> u8 {
    if i <= 1 && j <= 1 { 2 } else { 1 }
}

/// Returns the distance between the empty name and a pattern of this length: the first character counts twice.
fn distance_of_empty(length: usize) -> u8 {
    if length == 0 { 0 } else { (length as u8 + 1).min(TOO_FAR) }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;

    fn distance(name: &str, pattern: &str) -> Option<u8> {
        let pattern: Vec<char> = pattern.chars().collect();
        name.chars()
            .fold(Distances::start(), |distances, character| distances.step(character, &pattern))
            .distance(&pattern)
    }

    #[test]
    fn distances() {
        fn check(name: &str, pattern: &str, expect: Option<u8>) {
            assert_eq!(distance(name, pattern), expect, "{name} {pattern}");
        }
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

    fn text(rng: &mut fastrand::Rng, most: usize, letters: Range<char>) -> Vec<char> {
        (0..rng.usize(0..most)).map(|_| rng.char(letters.clone())).collect()
    }

    #[test]
    fn all_irrelevant_characters_give_the_same_row() {
        let mut rng = fastrand::Rng::with_seed(1);
        for _ in 0..2_000 {
            let name = text(&mut rng, 8, 'a'..'g');
            let pattern = text(&mut rng, 8, 'a'..'g');
            let rest = text(&mut rng, 6, 'a'..'g');
            let distances =
                name.iter().fold(Distances::start(), |distances, &character| distances.step(character, &pattern));
            let relevant = distances.relevant(&pattern);
            for character in ('a'..'g').filter(|character| !relevant.contains(character)) {
                let of = |distances: Distances| {
                    rest.iter().fold(distances, |distances, &character| distances.step(character, &pattern)).cells
                };
                assert_eq!(
                    of(distances.step(character, &pattern)),
                    of(distances.step_irrelevant(&pattern)),
                    "{name:?} {character} {pattern:?}"
                );
            }
        }
    }

    #[test]
    fn the_lower_bound_is_never_too_large() {
        let words = ["paris", "pars", "parsi", "aprsi", "london", "lonodn", "xx", "parissss"];
        for name in words {
            for pattern in words {
                let characters: Vec<char> = pattern.chars().collect();
                let Some(whole) = distance(name, pattern) else { continue };
                let mut distances = Distances::start();
                for character in name.chars() {
                    assert!(distances.lower_bound() <= whole, "{name} {pattern}");
                    distances = distances.step(character, &characters);
                }
            }
        }
    }

    /// Checks the rests against all continuations of a name with no edit left, by the distance of each.
    #[test]
    fn the_rests_are_the_only_continuations() {
        let mut rng = fastrand::Rng::with_seed(3);
        let mut last = 0;
        while last < 3_000 {
            let name = text(&mut rng, 7, 'a'..'d');
            let pattern = text(&mut rng, 7, 'a'..'d');
            let walk = |distances: Distances, more: &[char]| {
                more.iter().fold(distances, |distances, &character| distances.step(character, &pattern))
            };
            let distances = walk(Distances::start(), &name);
            let max = distances.lower_bound();
            let Step::Last(rests) = distances.within(max, &pattern) else { continue };
            if max > MAX_EDITS {
                continue;
            }
            last += 1;
            let mut found: Vec<Vec<char>> = rests.iter(&pattern).map(Iterator::collect).collect();
            fn first(rest: &[char]) -> Option<u8> {
                rest.first().map(|first| first.to_string().into_bytes()[0])
            }
            let is_known = |rest: &Vec<char>| {
                first(rest).is_some_and(|input| rests.inputs().is_some_and(|set| set.may_have(input)))
            };
            assert_eq!(found.iter().all(is_known), rests.inputs().is_some(), "{name:?} {pattern:?} {max}");
            found.sort();
            let mut more = vec![Vec::new()];
            for at in 0.. {
                let Some(rest): Option<&Vec<char>> = more.get(at) else { break };
                if rest.len() < pattern.len() + BAND - name.len().min(pattern.len()) {
                    let longer: Vec<Vec<char>> = ('a'..'d').map(|next| [&rest[..], &[next]].concat()).collect();
                    more.extend(longer);
                }
            }
            more.retain(|rest| walk(distances, rest).distance(&pattern) == Some(max));
            more.sort();
            assert_eq!(found, more, "{name:?} {pattern:?} {max}");
        }
    }
}
