//! Range-minimum queries: the minimum of any range of a list, without a scan of the range.
//!
//! Above the list there are levels, each with the minima of the blocks of the level below. A range consists of the end of a
//! block, complete blocks, and the start of a block, so a query takes two short scans per level. A list of a million has
//! five levels.

use std::ops::Range;

use bytes::Bytes;

/// Size of a block. Larger blocks give fewer levels and a looser [`Minima::lower_bound`]. 16, 32 and 64 execute the same
/// number of instructions within 2 %.
const BLOCK: usize = 16;

/// A list of bytes, read in place, and the levels above it.
pub(crate) struct Minima {
    numbers: Bytes,
    levels: Vec<Vec<u8>>,
}

impl Minima {
    /// Builds the levels; reads every number once.
    pub fn of(numbers: Bytes) -> Self {
        let mut levels: Vec<Vec<u8>> = Vec::new();
        loop {
            let below = levels.last().map_or(&numbers[..], Vec::as_slice);
            if below.len() <= BLOCK {
                return Self { numbers, levels };
            }
            let blocks = below.chunks(BLOCK).map(least).collect();
            levels.push(blocks);
        }
    }

    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Returns the minimum of a range and its first position; `None` if the range is empty.
    pub fn least(&self, range: Range<u32>) -> Option<(u8, u32)> {
        let range = range.start as usize..(range.end as usize).min(self.numbers.len());
        let (least, at) = self.least_of(0, range)?;
        Some((least, at as u32))
    }

    /// Returns a lower bound of a range: the minimum of the blocks that cover it, which is faster than its own. A short
    /// range gets its own: that of the blocks would be too low for most.
    pub fn lower_bound(&self, range: Range<u32>) -> u8 {
        if range.len() <= BLOCK {
            return self.least(range).map_or(0, |(least, _)| least);
        }
        let blocks = range.start as usize / BLOCK..(range.end as usize).min(self.numbers.len()).div_ceil(BLOCK);
        let least = if self.levels.is_empty() { None } else { self.least_of(1, blocks) };
        least.map_or(0, |(least, _)| least)
    }

    fn level(&self, level: usize) -> &[u8] {
        level.checked_sub(1).map_or(&self.numbers, |above| &self.levels[above])
    }

    fn least_of(&self, level: usize, range: Range<usize>) -> Option<(u8, usize)> {
        let numbers = self.level(level);
        let blocks = range.start.div_ceil(BLOCK)..range.end / BLOCK;
        if blocks.len() < 2 {
            return first_least(numbers, range);
        }
        let head = first_least(numbers, range.start..blocks.start * BLOCK);
        let tail = first_least(numbers, blocks.end * BLOCK..range.end);
        let (least, block) = self.least_of(level + 1, blocks)?;
        let ends = [head, tail].into_iter().flatten().min();
        let first = block * BLOCK;
        if ends.is_some_and(|end| end < (least, first)) { ends } else { first_least(numbers, first..first + BLOCK) }
    }
}

fn least(numbers: &[u8]) -> u8 {
    numbers.iter().copied().fold(u8::MAX, u8::min)
}

fn first_least(numbers: &[u8], range: Range<usize>) -> Option<(u8, usize)> {
    let start = range.start;
    let (&first, rest) = numbers.get(range)?.split_first()?;
    let mut found = (first, start);
    for (&number, at) in rest.iter().zip(start + 1..) {
        if number < found.0 {
            found = (number, at);
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_equals_that_of_a_scan() {
        let mut rng = fastrand::Rng::with_seed(5);
        for size in [0, 1, 15, 16, 17, 32, 33, 255, 256, 257, 5_000, 300_000] {
            let most = rng.u8(1..=255);
            let numbers: Vec<u8> = (0..size).map(|_| rng.u8(0..=most)).collect();
            let minima = Minima::of(numbers.clone().into());
            for _ in 0..2_000 {
                let start = rng.usize(0..=size);
                let end = rng.usize(start..=size + 1);
                let end = if rng.u8(0..20) == 0 { u32::MAX } else { end as u32 };
                let scan = (start..size.min(end as usize)).map(|at| (numbers[at], at as u32)).min();
                let range = start as u32..end;
                assert_eq!(minima.least(range.clone()), scan, "{size} {range:?}");
                assert!(scan.is_none_or(|(least, _)| minima.lower_bound(range.clone()) <= least), "{size} {range:?}");
            }
        }
    }
}
