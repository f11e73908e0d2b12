//! Learns what letters of other scripts stand for in Latin names, from the places whose names the sources have in both.
//!
//! ```text
//! places ─> pairs of names by script ─> which letters stand for which ─> spellings by letter
//! ```
//!
//! The same places, in any order, give the same spellings.

mod align;
mod pairs;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use toponym_engine::{Beside, Record, Spelling, Spellings};
use unicode_script::Script;

use self::align::Alignments;
pub(crate) use self::pairs::Pairs;
use crate::progress::{self, Step};

/// Least share of a spelling among those of a letter: rarer ones are left out.
const LEAST_SHARE: f64 = 0.001;

/// Least share of a spelling beside a certain letter: rarer ones are left out there, and found at a higher cost.
const LEAST_SHARE_BESIDE: f64 = 0.01;

/// Gain in nats from which it matters what stands beside a letter: all of its spellings there together cost so many
/// fewer.
const LEAST_GAIN: f64 = 40.0;

/// Number added to how often a letter was seen: what was seen a few times says little.
const SELDOM: f64 = 2.0;

/// Spellings that were seen less often are left out: most of them are not regular.
const FEWEST: u32 = 2;

/// Most spellings of a letter.
const MOST_SPELLINGS: usize = 64;

/// Scripts with fewer pairs are not learned.
const FEWEST_PAIRS: usize = 100;

/// Learns from places in memory.
pub(crate) fn learned_of(places: &[Record]) -> Vec<Spellings> {
    let mut pairs = Pairs::default();
    places.iter().for_each(|place| pairs.take(place));
    pairs.learn()
}

impl Pairs {
    /// Learns the spellings, and says what was learned.
    pub fn learn(self) -> Vec<Spellings> {
        let step = Step::open("spellings");
        let mut spellings = Vec::new();
        let mut lines = Vec::new();
        for (script, of_script) in self.by_script() {
            let pairs = of_script.pairs;
            let held_out = of_script.held_out;
            if pairs.len() < FEWEST_PAIRS {
                continue;
            }
            let alignments = Alignments::learn(&pairs);
            let learned = of_alignments(&alignments);
            lines.push(line(script, pairs.len(), held_out, &alignments, &learned));
            spellings.extend(learned);
        }
        step.finish(spellings.len());
        lines.iter().for_each(|line| progress::say(line));
        spellings.sort_by_key(|of_letter| (of_letter.letter, of_letter.beside));
        spellings.dedup_by_key(|of_letter| (of_letter.letter, of_letter.beside));
        spellings
    }
}

/// Learns the spellings of each letter, and those beside others where they say much more.
fn of_alignments(alignments: &Alignments) -> Vec<Spellings> {
    let anywhere: BTreeMap<char, Vec<(String, u32)>> = alignments.letters().collect();
    let of_letters = anywhere.iter().map(|(&letter, counts)| of_place(letter, Beside::Anything, counts));
    let beside = alignments
        .beside()
        .filter(|((letter, _), counts)| gain(counts, &anywhere[letter]) >= LEAST_GAIN)
        .map(|((letter, beside), counts)| of_place(letter, beside, &counts));
    of_letters.chain(beside).flatten().collect()
}

/// Computes how many nats fewer the spellings of a letter cost if it is known what stands beside it.
fn gain(beside: &[(String, u32)], anywhere: &[(String, u32)]) -> f64 {
    let total_beside = total(beside);
    let total_anywhere = total(anywhere);
    let of_spelling = |(latin, count): &(String, u32)| {
        let others = anywhere.iter().find(|(other, _)| other == latin).map_or(*count, |&(_, count)| count);
        let count = f64::from(*count);
        let others = f64::from(others);
        count * libm::log(count / (total_beside + SELDOM) / (others / total_anywhere))
    };
    beside.iter().map(of_spelling).sum()
}

fn total(counts: &[(String, u32)]) -> f64 {
    f64::from(counts.iter().map(|(_, count)| count).sum::<u32>())
}

fn line(script: Script, pairs: usize, held_out: usize, alignments: &Alignments, learned: &[Spellings]) -> String {
    let count: usize = learned.iter().map(|of_letter| of_letter.all.len()).sum();
    format!(
        "spellings of {}: {count} of {} letters, learned from {pairs} pairs; {} are not transliterations, {held_out} held out",
        script.full_name(),
        learned.len(),
        alignments.left_out,
    )
}

/// Returns the spellings of a letter at a place by how often each was seen; `None` if none was often enough.
fn of_place(letter: char, beside: Beside, counts: &[(String, u32)]) -> Option<Spellings> {
    let total: u32 = counts.iter().map(|&(_, count)| count).sum();
    let least = if beside == Beside::Anything { LEAST_SHARE } else { LEAST_SHARE_BESIDE };
    let is_often = |count: u32| count >= FEWEST && f64::from(count) >= least * f64::from(total);
    let mut all: Vec<Spelling> = counts
        .iter()
        .filter(|&&(_, count)| is_often(count))
        .map(|(latin, count)| Spelling { cost: stored_cost(*count, total), latin: latin.clone() })
        .collect();
    all.sort();
    all.truncate(MOST_SPELLINGS);
    (!all.is_empty()).then_some(Spellings { letter, beside, all })
}

/// Computes `-16 ln p`, as an index stores it. A letter that was seen a few times says little.
fn stored_cost(count: u32, total: u32) -> u8 {
    let share = f64::from(count) / (f64::from(total) + SELDOM);
    (-16.0 * libm::log(share)).round().clamp(0.0, 255.0) as u8
}
