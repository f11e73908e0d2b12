//! Which pages have names that are like a text.

use super::directory::{Crown, LEAST_STEP, Leaf, Letter, PageId, Shelf};
use crate::index::{Cost, Row};
use crate::search::{GUESS, allowed_edits, edit_cost};

/// The pages with names that are like a text, each with what such a name costs at least, which orders them.
pub(super) fn like(shelf: &Shelf, text: &str) -> Vec<(u64, PageId)> {
    let mut found = Vec::new();
    let edits = allowed_edits(text);
    if edits == 0 {
        return found;
    }
    let cost = edit_cost(text);
    let pattern: Vec<char> = text.chars().collect();
    let mut add = |bound: u8, least: u8, page| {
        let cost = Cost::from(least) * LEAST_STEP + Cost::from(bound) * cost;
        if bound <= edits && cost < GUESS {
            found.push((u64::from(cost), page));
        }
    };
    let mut walk = Walk::new(&pattern, edits);
    walk.each(
        &shelf.crowns,
        |crown: &Crown| &crown.prefix,
        |crown, row| {
            if crown.has_keys() {
                add(row.lower_bound(), crown.least, crown.page);
            }
        },
    );
    let mut walk = Walk::new(&pattern, edits);
    walk.each(
        &shelf.leaves,
        |leaf: &Leaf| &leaf.prefix,
        |leaf, row| {
            let range = leaf.first..=leaf.last;
            let mut bound = row.step_irrelevant(&pattern).lower_bound();
            for next in row.relevant(&pattern).into_iter().filter(|&next| range.contains(&Letter::from(next))) {
                bound = bound.min(row.step(next, &pattern).lower_bound());
            }
            add(bound, leaf.least, leaf.page);
        },
    );
    found
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
                    let skipped = others.partition_point(|other| prefix(other).starts_with(dead));
                    rest = others[skipped..].iter();
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

#[cfg(test)]
mod tests {
    use fastrand::Rng;

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

    /// What names can be like a text is looked at for every page on its own: with every letter that one could go on with.
    #[test]
    fn pages_like_a_text_are_those_of_a_scan() {
        let mut rng = Rng::with_seed(17);
        let mut found = 0;
        for count in [0, 1, 20, 400] {
            for _ in 0..100 {
                let (shelf, text) = (shelf(&mut rng, count), text(&mut rng, 3..12));
                let (edits, pattern) = (allowed_edits(&text), text.chars().collect::<Vec<_>>());
                let row = |name: &str| name.chars().fold(Row::start(), |row, next| row.step(next, &pattern));
                let crowns = shelf.crowns.iter().filter(|crown| crown.has_keys());
                let crowns = crowns.map(|crown| (row(&crown.prefix).lower_bound(), crown.least, crown.page));
                let leaves = shelf.leaves.iter().map(|leaf| {
                    let nexts = (leaf.first..=leaf.last).filter_map(char::from_u32);
                    let rows = nexts.map(|next| row(&format!("{}{next}", leaf.prefix)).lower_bound());
                    (rows.min().unwrap_or(u8::MAX), leaf.least, leaf.page)
                });
                let likely = crowns.chain(leaves).filter(|&(bound, ..)| bound <= edits && edits > 0);
                let cost = |bound, least| Cost::from(least) * LEAST_STEP + Cost::from(bound) * edit_cost(&text);
                let likely = likely.map(|(bound, least, page)| (u64::from(cost(bound, least)), page));
                let mut scan: Vec<_> = likely.filter(|&(cost, _)| cost < u64::from(GUESS)).collect();
                let mut like = like(&shelf, &text);
                (scan.sort_unstable(), like.sort_unstable());
                found += scan.len();
                assert_eq!(like, scan, "{text}");
            }
        }
        assert!(found > 1_000, "{found}");
    }
}
