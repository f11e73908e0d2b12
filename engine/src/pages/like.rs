//! Which pages have names that are like a text.

use std::collections::BTreeSet;

use super::directory::{Crown, LEAST_STEP, Leaf, Letter, PageId, Shelf};
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
        let walk = Walk { pattern: &pattern, edits };
        walk.each(&shelf.crowns, &mut |crown, row| {
            if crown.has_keys() {
                self.offer(cost(crown.least, row.lower_bound()), crown.page);
            }
        });
        walk.each(&shelf.leaves, &mut |leaf, row| {
            // What the letters behind the prefix add is looked at only if it matters: it takes a row for each.
            if self.admits(cost(leaf.least, row.lower_bound()), leaf.page) {
                let bound = bound_of(leaf, row, &pattern);
                if bound <= edits {
                    self.offer(cost(leaf.least, bound), leaf.page);
                }
            }
        });
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

/// What a key has behind its last letter.
const END: Letter = 0;

/// Pages as a trie: in the order of their prefixes, and of the letters behind those.
trait Ordered {
    fn prefix(&self) -> &str;
    /// The letter that its first key has behind the prefix, or [`END`].
    fn first(&self) -> Letter;

    /// The letter of its first key behind so many bytes.
    fn next(&self, at: usize) -> Letter {
        let next = self.prefix().get(at..).and_then(|rest| rest.chars().next());
        next.map_or_else(|| self.first(), Letter::from)
    }
}

impl Ordered for Crown {
    fn prefix(&self) -> &str {
        &self.prefix
    }

    fn first(&self) -> Letter {
        END
    }
}

impl Ordered for Leaf {
    fn prefix(&self) -> &str {
        &self.prefix
    }

    fn first(&self) -> Letter {
        self.first
    }
}

/// A walk over pages, which leaves out those with prefixes that no name like a pattern begins with.
struct Walk<'p> {
    pattern: &'p [char],
    edits: u8,
}

impl Walk<'_> {
    /// Calls `see` for every page that may have names like the pattern, with the row behind its prefix.
    fn each<E: Ordered>(&self, pages: &[E], see: &mut impl FnMut(&E, &Row)) {
        self.below(pages, 0, &Row::start(), see);
    }

    /// The same of `pages` with prefixes that begin with the same bytes, `at` of them, behind which is `row`.
    fn below<E: Ordered>(&self, pages: &[E], at: usize, row: &Row, see: &mut impl FnMut(&E, &Row)) {
        if row.step_irrelevant(self.pattern).lower_bound() <= self.edits {
            return self.children(pages, at, row, see);
        }
        // A name ends here, or goes on with one of a few letters. The leaf of a letter begins with it or before it.
        let mut letters = row.relevant(self.pattern).map(Letter::from);
        letters.sort_unstable();
        let mut behind = 0;
        for letter in [END].into_iter().chain(letters) {
            let first = behind + pages[behind..].partition_point(|page| page.next(at) < letter);
            let before = pages[behind..first].iter().rev().take(1).filter(|page| page.prefix().len() <= at);
            before.for_each(|page| see(page, row));
            behind = first + leading(&pages[first..], |page| page.next(at) == letter);
            self.children(&pages[first..behind], at, row, see);
        }
    }

    /// Goes on with each next letter that pages have.
    fn children<E: Ordered>(&self, pages: &[E], at: usize, row: &Row, see: &mut impl FnMut(&E, &Row)) {
        let mut rest = pages;
        while let Some((page, others)) = rest.split_first() {
            let next = page.prefix().get(at..).and_then(|rest| rest.chars().next());
            let Some(next) = next else {
                see(page, row);
                rest = others;
                continue;
            };
            let (below, behind) = rest.split_at(1 + leading(others, |page| page.next(at) == Letter::from(next)));
            let row = row.step(next, self.pattern);
            if row.lower_bound() <= self.edits {
                self.below(below, at + next.len_utf8(), &row, see);
            }
            rest = behind;
        }
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

    use super::*;

    const LETTERS: [char; 4] = [' ', 'a', 'b', 'é'];

    fn text(rng: &mut Rng, lengths: std::ops::Range<usize>) -> String {
        (0..rng.usize(lengths)).map(|_| LETTERS[rng.usize(..LETTERS.len())]).collect()
    }

    /// Adds the pages of names that begin with a prefix: leaves, and crowns with what is below them.
    fn fill(shelf: &mut Shelf, rng: &mut Rng, prefix: &str, depth: usize) {
        let mut letters = LETTERS.as_slice();
        while let [first, others @ ..] = letters {
            let page = PageId((shelf.crowns.len() + shelf.leaves.len()) as u32);
            let (prefix, least) = (prefix.to_owned(), rng.u8(..40));
            let mut reach = 0;
            if depth > 0 && rng.u8(..5) < 2 {
                let below = format!("{prefix}{first}");
                shelf.crowns.push(Crown { prefix: below.clone(), page, own: rng.bool().then_some(least), least });
                fill(shelf, rng, &below, depth - 1);
            } else if rng.u8(..5) > 0 {
                reach = rng.usize(..=others.len());
                let last = letters[reach].into();
                shelf.leaves.push(Leaf { prefix, first: (*first).into(), last, page, least });
            }
            letters = &others[reach..];
        }
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
        for depth in [0, 1, 3, 8] {
            for _ in 0..200 {
                let mut shelf = Shelf::default();
                fill(&mut shelf, &mut rng, "", depth);
                shelf.sort();
                let count = (shelf.crowns.len() + shelf.leaves.len()) as u32;
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
