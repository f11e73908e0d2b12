//! Which pages have names that are like a text.

use std::collections::BTreeSet;

use super::directory::{LEAST_STEP, Leaf, Letter, PageId, Shelf};
use crate::index::{Cost, Row};
use crate::search::{GUESS, allowed_edits, edit_cost};

/// Pages with names that are like a text: the best of those that are not known already.
pub(super) struct Like<'k> {
    known: &'k BTreeSet<PageId>,
    most: usize,
    /// Each with what its name costs at least.
    best: BTreeSet<(Cost, PageId)>,
}

impl<'k> Like<'k> {
    /// None so far, and at most so many.
    pub fn new(known: &'k BTreeSet<PageId>, most: usize) -> Self {
        Self { known, most, best: BTreeSet::new() }
    }

    /// The pages, in the order of what their names cost.
    pub fn pages(self) -> impl Iterator<Item = PageId> {
        self.best.into_iter().map(|(_, page)| page)
    }

    /// Looks through a shelf for names like a text.
    pub fn look(&mut self, shelf: &Shelf, text: &str) {
        let edits = allowed_edits(text);
        if edits == 0 {
            return;
        }
        let cost = |least: u8, bound: u8| Cost::from(least) * LEAST_STEP + Cost::from(bound) * edit_cost(text);
        let pattern: Vec<char> = text.chars().collect();
        Walk::new(&pattern, edits).each(
            &shelf.crowns,
            |crown| &crown.prefix,
            |crown, row| {
                if crown.has_keys() {
                    self.offer(cost(crown.least, row.lower_bound()), crown.page);
                }
            },
        );
        Walk::new(&pattern, edits).each(
            &shelf.leaves,
            |leaf| &leaf.prefix,
            |leaf, row| {
                // What the letters behind the prefix add is looked at only if it matters: it takes a row for each.
                if self.admits(cost(leaf.least, row.lower_bound()), leaf.page) {
                    let bound = bound_of(leaf, row, &pattern);
                    if bound <= edits {
                        self.offer(cost(leaf.least, bound), leaf.page);
                    }
                }
            },
        );
    }

    fn admits(&self, cost: Cost, page: PageId) -> bool {
        let is_better = self.best.len() < self.most || self.best.last().is_some_and(|&worst| (cost, page) < worst);
        is_better && cost < GUESS
    }

    fn offer(&mut self, cost: Cost, page: PageId) {
        if !self.admits(cost, page) || self.known.contains(&page) {
            return;
        }
        let other = self.best.iter().find(|(_, known)| *known == page).copied();
        if other.is_some_and(|(other, _)| other <= cost) {
            return;
        }
        other.map(|other| self.best.remove(&other));
        self.best.insert((cost, page));
        if self.best.len() > self.most {
            self.best.pop_last();
        }
    }
}

/// Lower bound of the edits of all names of a leaf, of which `row` is behind the prefix.
fn bound_of(leaf: &Leaf, row: &Row, pattern: &[char]) -> u8 {
    let range = leaf.first..=leaf.last;
    let relevant = row.relevant(pattern).into_iter().filter(|&next| range.contains(&Letter::from(next)));
    let rows = relevant.map(|next| row.step(next, pattern)).chain([row.step_irrelevant(pattern)]);
    rows.map(|row| row.lower_bound()).min().unwrap_or(u8::MAX)
}

/// A walk over prefixes in their order, which leaves out those that no name like a pattern begins with. Of 13 million places
/// it looks at one prefix in TODO.
struct Walk<'p> {
    pattern: &'p [char],
    edits: u8,
    /// The letters of the last prefix, each with the row behind it: the next one mostly begins with the same.
    path: Vec<(char, Row)>,
}

impl<'p> Walk<'p> {
    fn new(pattern: &'p [char], edits: u8) -> Self {
        Self { pattern, edits, path: Vec::new() }
    }

    /// Calls `see` for each entry with a prefix that names like the pattern may begin with, with its row.
    fn each<E>(&mut self, entries: &[E], prefix: impl Fn(&E) -> &str, mut see: impl FnMut(&E, &Row)) {
        let mut rest = entries.iter();
        while let Some(entry) = rest.next() {
            match self.row(prefix(entry)) {
                Ok(row) => see(entry, &row),
                Err(dead) => {
                    let others = rest.as_slice();
                    rest = others[leading(others, |other| prefix(other).starts_with(dead))..].iter();
                }
            }
        }
    }

    /// The row behind a prefix, or the beginning of it that no name like the pattern has.
    fn row<'t>(&mut self, prefix: &'t str) -> Result<Row, &'t str> {
        let is_shared = |&(&(letter, _), other): &(&(char, Row), char)| letter == other;
        let shared = self.path.iter().zip(prefix.chars()).take_while(is_shared).count();
        self.path.truncate(shared);
        let mut row = self.path.last().map_or_else(Row::start, |&(_, row)| row);
        for (at, letter) in prefix.char_indices().skip(shared) {
            row = row.step(letter, self.pattern);
            if row.lower_bound() > self.edits {
                return Err(&prefix[..at + letter.len_utf8()]);
            }
            self.path.push((letter, row));
        }
        Ok(row)
    }
}

/// The number of entries at the beginning that `are`, of which no later one is. Mostly a few: so their end is looked for in steps
/// that double.
fn leading<E>(entries: &[E], are: impl Fn(&E) -> bool) -> usize {
    let mut step = 1;
    while entries.get(step - 1).is_some_and(&are) {
        step *= 2;
    }
    let (low, high) = (step / 2, (step - 1).min(entries.len()));
    low + entries[low..high].partition_point(are)
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::super::directory::Crown;
    use super::*;

    const LETTERS: [char; 4] = ['a', 'b', 'é', ' '];

    fn text(rng: &mut Rng, lengths: std::ops::Range<usize>) -> String {
        (0..rng.usize(lengths)).map(|_| LETTERS[rng.usize(..LETTERS.len())]).collect()
    }

    fn shelf(rng: &mut Rng, count: u32) -> Shelf {
        let mut shelf = Shelf::default();
        for page in 0..count {
            let (prefix, least) = (text(rng, 0..8), rng.u8(..40));
            if rng.bool() {
                let own = rng.bool().then_some(least);
                shelf.crowns.push(Crown { prefix, page: PageId(page), own, least });
            } else {
                let mut range = [0; 2].map(|_| Letter::from(LETTERS[rng.usize(..LETTERS.len())]));
                range.sort_unstable();
                shelf.leaves.push(Leaf { prefix, first: range[0], last: range[1], page: PageId(page), least });
            }
        }
        shelf.sort();
        // A prefix has one crown, and its leaves have different letters.
        shelf.crowns.dedup_by(|b, a| a.prefix == b.prefix);
        shelf.leaves.dedup_by(|b, a| a.prefix == b.prefix && a.first == b.first);
        shelf
    }

    /// Every page with a name that may be like a text, with what it costs at least: each looked at on its own, with every letter
    /// that its names may go on with.
    fn scan(shelf: &Shelf, text: &str) -> Vec<(Cost, PageId)> {
        let (edits, pattern) = (allowed_edits(text), text.chars().collect::<Vec<_>>());
        let bound = |name: &str| name.chars().fold(Row::start(), |row, next| row.step(next, &pattern)).lower_bound();
        let crowns = shelf.crowns.iter().filter(|crown| crown.has_keys());
        let crowns = crowns.map(|crown| (bound(&crown.prefix), crown.least, crown.page));
        let leaves = shelf.leaves.iter().filter_map(|leaf| {
            let nexts = (leaf.first..=leaf.last).filter_map(char::from_u32);
            let bounds = nexts.map(|next| bound(&format!("{}{next}", leaf.prefix)));
            Some((bounds.min()?, leaf.least, leaf.page))
        });
        let cost = |bound, least| Cost::from(least) * LEAST_STEP + Cost::from(bound) * edit_cost(text);
        let like = crowns.chain(leaves).filter(|&(bound, ..)| bound <= edits && edits > 0);
        let like = like.map(|(bound, least, page)| (cost(bound, least), page));
        like.filter(|&(cost, _)| cost < GUESS).collect()
    }

    #[test]
    fn pages_like_texts_are_the_best_of_a_scan() {
        let mut rng = Rng::with_seed(17);
        let mut found = 0;
        for count in [0, 1, 20, 400] {
            for _ in 0..200 {
                let shelf = shelf(&mut rng, count);
                let texts: Vec<String> = (0..rng.usize(1..4)).map(|_| text(&mut rng, 3..12)).collect();
                let known: BTreeSet<PageId> = (0..count).filter(|_| rng.u8(..8) == 0).map(PageId).collect();
                let most = [1, 2, 5, usize::MAX][rng.usize(..4)];
                let mut all: Vec<_> = texts.iter().flat_map(|text| scan(&shelf, text)).collect();
                all.sort_unstable();
                let mut best: Vec<PageId> = Vec::new();
                for (_, page) in all {
                    if best.len() < most && !known.contains(&page) && !best.contains(&page) {
                        best.push(page);
                    }
                }
                let mut like = Like::new(&known, most);
                texts.iter().for_each(|text| like.look(&shelf, text));
                found += best.len();
                assert_eq!(like.pages().collect::<Vec<_>>(), best, "{texts:?}");
            }
        }
        assert!(found > 1_000, "{found}");
    }

    #[test]
    fn entries_at_the_beginning() {
        for length in 0..40 {
            for leading_ones in 0..=length {
                let entries: Vec<usize> = (0..length).collect();
                assert_eq!(leading(&entries, |&entry| entry < leading_ones), leading_ones, "of {length}");
            }
        }
    }
}
