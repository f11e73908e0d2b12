//! Finds which Latin letters each letter of another script stands for, by hard expectation maximisation: each name is divided in
//! the most likely way, then likelihoods are counted anew.
//!
//! Costs are integers, and everything is in a fixed order, so that the same pairs give the same counts on every machine.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::RangeInclusive;

use toponym_engine::Beside;
use toponym_engine::index::MAX_SPELLING;

use super::pairs::Pair;
use crate::parallel;

/// Rounds of division and counting. A fifth changes hardly anything.
const ROUNDS: usize = 4;

/// Cost of what is e times less likely.
const NAT: u32 = 256;

/// Cost of a spelling that was not seen, and of each of its letters.
const UNSEEN: u32 = 7 * NAT;
const UNSEEN_LETTER: u32 = NAT;

/// Names that cost this much more for each letter than twice the median are not transliterations.
const MORE_THAN_USUAL: u32 = NAT / 2;

/// Greatest distance of a letter's beginning or end, in any division, from where it would be if all stood for equally
/// many.
const FAR: usize = 3;

/// Greatest distance of a letter's beginning or end from an even division, in the counts before the first round.
const NEAR: usize = 1;

/// Most Latin letters of a letter in scripts whose letters usually stand for one, two at most.
const MOST_IN_ALPHABETS: usize = 4;

/// A name is this much longer or shorter than usual at most, as a ratio: others have words for a kind of place, or are
/// translations.
const LONGER: (usize, usize) = (8, 5);

/// Counts of the Latin letters that each letter stands for.
#[derive(Debug, Default)]
pub(super) struct Alignments {
    /// Each spelling of a letter, with how often it was seen.
    counts: Vec<(Key, u32)>,
    /// Counts of the spellings of a letter by what stands beside it.
    beside: HashMap<(char, Beside), HashMap<u32, u32>>,
    /// Number of names that are not transliterations.
    pub left_out: usize,
}

/// A letter and the code of Latin letters.
type Key = (char, u32);

/// A name and a Latin one that it may spell.
struct Cells<'p> {
    letters: &'p [char],
    latin: &'p [u8],
    /// Most Latin letters of one letter.
    most: usize,
    /// The number of the spelling of each letter that begins and ends somewhere, in the order of [`Cells::each`].
    spellings: Vec<u32>,
}

/// The spellings that any division may have, by number.
#[derive(Default)]
struct Known {
    numbers: HashMap<Key, u32, BuildHasherDefault<Multiply>>,
    keys: Vec<Key>,
    /// Number of Latin letters of each key.
    lengths: Vec<u8>,
    /// Number of times that each key was seen.
    counts: Vec<u32>,
}

/// A fast hasher of a few small numbers.
#[derive(Default)]
struct Multiply(u64);

impl Hasher for Multiply {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u32(u32::from(byte)));
    }

    fn write_u32(&mut self, number: u32) {
        // 2^64 divided by the golden ratio; the high bits are mixed best.
        let mixed = (self.0 ^ u64::from(number)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }
}

impl Alignments {
    /// Learns from the pairs of a script.
    pub fn learn(pairs: &[Pair]) -> Self {
        let usual = UsualLength::of(pairs);
        let mut known = Known::default();
        let cells: Vec<Vec<Cells>> = pairs.iter().map(|pair| usual.cells(pair, &mut known)).collect();
        let mut left_out = 0;
        let mut beside = HashMap::new();
        for round in 1..=ROUNDS {
            let costs = known.costs();
            let divided = parallel::map(&cells, |of_pair| likeliest(of_pair, &costs));
            let mut per_letter: Vec<u32> = divided.iter().flatten().map(|(cost, _)| *cost).collect();
            per_letter.sort_unstable();
            let median = per_letter.get(per_letter.len() / 2).copied().unwrap_or_default();
            known.counts.fill(0);
            let mut kept = 0;
            for (pair, division) in pairs.iter().zip(&divided) {
                let Some((cost, division)) = division else { continue };
                if *cost > 2 * median + MORE_THAN_USUAL {
                    continue;
                }
                kept += 1;
                division.iter().for_each(|&number| known.counts[number as usize] += 1);
                if round == ROUNDS {
                    count_beside(pair, division, &known.keys, &mut beside);
                }
            }
            left_out = pairs.len() - kept;
        }
        let counts = known.keys.into_iter().zip(known.counts).filter(|&(_, count)| count > 0).collect();
        Self { counts, beside, left_out }
    }

    /// Iterates over the letters in order, with their spellings and how often each was seen.
    pub fn letters(&self) -> impl Iterator<Item = (char, Vec<(String, u32)>)> {
        let mut letters: BTreeMap<char, Vec<(String, u32)>> = BTreeMap::new();
        for &((letter, code), count) in &self.counts {
            letters.entry(letter).or_default().push((latin(code), count));
        }
        letters.into_iter()
    }

    /// Iterates over the letters with what stands beside them, in order, and their spellings there.
    pub fn beside(&self) -> impl Iterator<Item = ((char, Beside), Vec<(String, u32)>)> {
        let mut places: Vec<_> = self.beside.iter().collect();
        places.sort_by_key(|(place, _)| **place);
        places.into_iter().map(|(&place, counts)| {
            let spellings = counts.iter().map(|(&code, &count)| (latin(code), count)).collect();
            (place, spellings)
        })
    }
}

/// Counts the spellings of a division by what stands beside their letters.
fn count_beside(pair: &Pair, division: &[u32], keys: &[Key], beside: &mut HashMap<(char, Beside), HashMap<u32, u32>>) {
    for (&number, &(before, after)) in division.iter().zip(&pair.beside) {
        let (letter, code) = keys[number as usize];
        for side in [Beside::After(before), Beside::Before(after)] {
            *beside.entry((letter, side)).or_default().entry(code).or_default() += 1;
        }
    }
}

/// Number of Latin letters that the letters of a script usually stand for.
struct UsualLength {
    letters: usize,
    latin: usize,
}

impl UsualLength {
    /// Returns the lengths of the pair whose ratio is the median.
    fn of(pairs: &[Pair]) -> Self {
        let mut lengths: Vec<(usize, usize)> =
            pairs.iter().filter_map(|pair| Some((pair.latin.first()?.len(), pair.letters.len()))).collect();
        lengths.sort_unstable_by(|a, b| (a.0 * b.1).cmp(&(b.0 * a.1)).then(a.cmp(b)));
        let (latin, letters) = lengths.get(lengths.len() / 2).copied().unwrap_or((1, 1));
        Self { letters, latin }
    }

    /// Returns the Latin names of a pair that are not too long or too short.
    fn cells<'p>(&self, pair: &'p Pair, known: &mut Known) -> Vec<Cells<'p>> {
        let (more, less) = LONGER;
        let is_usual = |latin: &&Vec<u8>| {
            let found = latin.len() * self.letters;
            let usual = pair.letters.len() * self.latin;
            found * less <= usual * more && usual * less <= found * more
        };
        // An alphabet has fewer than three Latin letters for two of its own.
        let most = if 2 * self.latin < 3 * self.letters { MOST_IN_ALPHABETS } else { MAX_SPELLING };
        let latin = pair.latin.iter().filter(is_usual);
        latin.map(|latin| Cells::new(&pair.letters, latin, most, known)).collect()
    }
}

impl<'p> Cells<'p> {
    /// Numbers the spellings, and counts those near an even division.
    fn new(letters: &'p [char], latin: &'p [u8], most: usize, known: &mut Known) -> Self {
        let mut cells = Self { letters, latin, most, spellings: Vec::new() };
        let mut spellings = Vec::new();
        let is_near = |row: usize, place: usize| place.abs_diff(cells.even(row)) <= NEAR;
        cells.each(&mut |row, start, end, code| {
            let number = known.number((letters[row], code), end - start);
            spellings.push(number);
            if is_near(row, start) && is_near(row + 1, end) {
                known.counts[number as usize] += 1;
            }
        });
        cells.spellings = spellings;
        cells
    }

    /// Returns where a letter would begin if all stood for equally many.
    fn even(&self, row: usize) -> usize {
        row * self.latin.len() / self.letters.len()
    }

    /// Returns where a letter may begin.
    fn places(&self, row: usize) -> RangeInclusive<usize> {
        let even = self.even(row);
        match row {
            0 => 0..=0,
            _ if row == self.letters.len() => even..=even,
            _ => even.saturating_sub(FAR)..=(even + FAR).min(self.latin.len()),
        }
    }

    /// Visits each letter with where it may begin and end, and the code of what is between.
    fn each(&self, visit: &mut impl FnMut(usize, usize, usize, u32)) {
        for row in 0..self.letters.len() {
            let ends = self.places(row + 1);
            for start in self.places(row) {
                let mut code = 0;
                for end in start..=(*ends.end()).min(start + self.most) {
                    if end > start {
                        code = longer(code, self.latin[end - 1]);
                    }
                    if end >= *ends.start() {
                        visit(row, start, end, code);
                    }
                }
            }
        }
    }

    /// Finds the least cost of a division, for each letter, and the spelling of each; `None` if there is none.
    fn divide(&self, costs: &[u32]) -> Option<(u32, Vec<u32>)> {
        const NEVER: u32 = u32::MAX / 2;
        let width = self.latin.len() + 1;
        // Per number of letters and of Latin letters: the least cost, where the last letter begins, and its spelling.
        let mut least = vec![(NEVER, 0, 0); width * (self.letters.len() + 1)];
        least[0].0 = 0;
        let mut spellings = self.spellings.iter();
        for row in 0..self.letters.len() {
            let ends = self.places(row + 1);
            for start in self.places(row) {
                let before = least[row * width + start].0;
                for end in start.max(*ends.start())..=(*ends.end()).min(start + self.most) {
                    let &number = spellings.next()?;
                    let cost = before + costs[number as usize];
                    let best = &mut least[(row + 1) * width + end];
                    if cost < best.0 {
                        *best = (cost, start, number);
                    }
                }
            }
        }
        let mut end = self.latin.len();
        let cost = least[self.letters.len() * width + end].0;
        let mut division = Vec::with_capacity(self.letters.len());
        for row in (1..=self.letters.len()).rev() {
            let (_, start, number) = least[row * width + end];
            division.push(number);
            end = start;
        }
        division.reverse();
        (cost < NEVER).then(|| (cost / self.letters.len() as u32, division))
    }
}

/// Finds the likeliest division of the most similar of the Latin names of a pair.
fn likeliest(of_pair: &Vec<Cells>, costs: &[u32]) -> Option<(u32, Vec<u32>)> {
    of_pair.iter().filter_map(|cells| cells.divide(costs)).min_by_key(|(cost, _)| *cost)
}

impl Known {
    fn number(&mut self, key: Key, length: usize) -> u32 {
        let next = self.keys.len() as u32;
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.keys.push(key);
            self.lengths.push(length as u8);
            self.counts.push(0);
        }
        number
    }

    /// Computes the cost of each spelling: how unlikely it is for its letter.
    fn costs(&self) -> Vec<u32> {
        let mut totals: HashMap<char, u32> = HashMap::new();
        for (&(letter, _), &count) in self.keys.iter().zip(&self.counts) {
            *totals.entry(letter).or_default() += count;
        }
        let cost = |at: usize| match self.counts[at] {
            0 => UNSEEN + UNSEEN_LETTER * u32::from(self.lengths[at]),
            count => {
                let share = f64::from(count) / f64::from(totals[&self.keys[at].0]);
                (-libm::log(share) * f64::from(NAT)) as u32
            }
        };
        (0..self.keys.len()).map(cost).collect()
    }
}

/// The number of letters and digits of Latin names, and one for none.
const RADIX: u32 = 37;

/// Returns the code of Latin letters with one more. Six fit.
fn longer(code: u32, letter: u8) -> u32 {
    let digit = if letter.is_ascii_digit() { letter - b'0' + 27 } else { letter - b'a' + 1 };
    code * RADIX + u32::from(digit)
}

/// Returns the letters of a code.
fn latin(mut code: u32) -> String {
    let mut letters = Vec::new();
    while code > 0 {
        let digit = (code % RADIX) as u8;
        letters.push(char::from(if digit > 26 { digit - 27 + b'0' } else { digit - 1 + b'a' }));
        code /= RADIX;
    }
    letters.into_iter().rev().collect()
}
