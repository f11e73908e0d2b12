//! Finds the pages that have names like a text.

use std::collections::BTreeSet;

use super::directory::{LEAST_STEP, Letter};
use super::page_id::PageId;
use super::trie::{Node, Trie};
use crate::index::{Cost, Distances};
use crate::search::{GUESS, allowed_edits, edit_cost};

/// Pages with names that are like a text: the best of those that are not known already.
pub(super) struct Like<'k> {
    known: &'k BTreeSet<PageId>,
    most: usize,
    /// Each with what its name costs at least.
    best: BTreeSet<(Cost, PageId)>,
}

impl<'k> Like<'k> {
    /// Creates a list of pages: none so far, and at most so many.
    pub fn new(known: &'k BTreeSet<PageId>, most: usize) -> Self {
        Self { known, most, best: BTreeSet::new() }
    }

    /// Iterates over the pages, in the order of what their names cost.
    pub fn pages(self) -> impl Iterator<Item = PageId> {
        self.best.into_iter().map(|(_, page)| page)
    }

    /// Looks for names like a text.
    pub fn look(&mut self, trie: &Trie, text: &str) {
        let edits = allowed_edits(text);
        if edits > 0 {
            let pattern: Vec<char> = text.chars().collect();
            Walk { trie, pattern: &pattern, edits, edit_cost: edit_cost(text), like: self }
                .below(trie.top(), &Distances::start());
        }
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

/// A walk over the trie, which goes on where a page may be better than the best.
struct Walk<'w, 'k> {
    trie: &'w Trie,
    pattern: &'w [char],
    edits: u8,
    edit_cost: Cost,
    like: &'w mut Like<'k>,
}

impl Walk<'_, '_> {
    /// Offers the pages of a node, whose row is that behind its prefix, and of what is below it.
    fn below(&mut self, node: &Node, row: &Distances) {
        let bound = row.lower_bound();
        if let Some((least, page)) = node.own {
            self.like.offer(self.cost(least, bound), page);
        }
        let (letters, irrelevant) = (row.relevant(self.pattern), row.step_irrelevant(self.pattern));
        for leaf in self.trie.leaves(node) {
            // What the letters behind the prefix add is looked at only if it matters: it takes a row for each.
            if !self.like.admits(self.cost(leaf.least, bound), leaf.page) {
                continue;
            }
            let has = |&letter: &char| (leaf.first..=leaf.last).contains(&Letter::from(letter));
            let rows = letters.into_iter().filter(has).map(|letter| row.step(letter, self.pattern)).chain([irrelevant]);
            let bound = rows.map(|row| row.lower_bound()).min().unwrap_or(bound);
            if bound <= self.edits {
                self.like.offer(self.cost(leaf.least, bound), leaf.page);
            }
        }
        // What has the letters of the text is mostly better, and then the others are passed over.
        for is_relevant in [true, false] {
            let children = self.trie.children(node).filter(|child| letters.contains(&child.letter) == is_relevant);
            for child in children {
                let row = if is_relevant { row.step(child.letter, self.pattern) } else { irrelevant };
                let bound = row.lower_bound();
                if bound <= self.edits && self.like.admits(self.cost(child.least, bound), PageId::of(0)) {
                    self.below(child, &row);
                }
            }
        }
    }

    fn cost(&self, least: u8, edits: u8) -> Cost {
        Cost::from(least) * LEAST_STEP + Cost::from(edits) * self.edit_cost
    }
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::super::directory::{Crown, Leaf, Shelf};
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

    /// Lists every page with a name that may be like a text, with what it costs at least: each looked at on its own,
    /// with every letter that its names may go on with.
    fn scan(shelf: &Shelf, text: &str) -> Vec<(Cost, PageId)> {
        let (edits, pattern) = (allowed_edits(text), text.chars().collect::<Vec<_>>());
        let bound =
            |name: &str| name.chars().fold(Distances::start(), |row, next| row.step(next, &pattern)).lower_bound();
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
                let trie = Trie::of(&shelf);
                texts.iter().for_each(|text| like.look(&trie, text));
                found += best.len();
                assert_eq!(like.pages().collect::<Vec<_>>(), best, "{texts:?}");
            }
        }
        assert!(found > 1_000, "{found}");
    }
}
