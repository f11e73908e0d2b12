//! The trie of the pages of keys: from a text to the pages that have it and what begins with it.
//!
//! Keys are divided like the leaves of a trie. A **leaf** has all keys that begin with a prefix and go on with some characters; it
//! is found by the prefix and the first of these, and reaches up to the next page below the prefix. A prefix with more keys than a
//! leaf holds has a **crown** before the pages below it: the prefix itself as a key, and the most important of the keys that begin
//! with it; it is found by the prefix. So one page answers for a text, and one for its beginning, whatever the number of keys.
//!
//! The texts by which pages are found are keys of an fst, as names are, numbered in the order of the pages. It ends at a leaf, and
//! goes on behind a crown.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use bytes::Bytes;

use super::page_id::{PageId, Run, Runs, in_order};
use crate::index::{Cost, Distances, Keys, OpenError, STEP, Subtree, encode_fst, in_steps, last_lead};
use crate::search::{GUESS, allowed_edits, edit_cost};

/// Cost of a crown whose prefix is not a key, in steps: more than any other.
const NO_KEY: u8 = u8::MAX;

/// Children that a search for pages looks at. Only a forged trie has more that may be like a text, or begin with one.
const MOST_CHILDREN: u32 = 1 << 18;

/// Pages of keys.
pub(crate) struct Trie {
    keys: Keys,
    pages: Run,
}

/// The text by which a page is found, and a lower bound of the costs of the keys that a leaf has, or that are the prefix of a crown;
/// `None`: there are none.
pub(crate) type FoundBy = (String, Option<Cost>);

/// Encodes the trie of some pages, which are in order: the fst, and the costs of the pages in steps.
pub(crate) fn encode_trie(pages: &[FoundBy]) -> (Vec<u8>, Vec<u8>) {
    let fst = encode_fst(pages.iter().zip(0..).map(|((text, _), number)| (text, number)));
    let costs = pages.iter().map(|(_, cost)| cost.map_or(NO_KEY, |cost| in_steps(cost).min(NO_KEY - 1)));
    (fst, costs.collect())
}

impl Trie {
    pub fn open(fst: Bytes, costs: Bytes, runs: &mut Runs) -> Result<Self, OpenError> {
        let keys = Keys::open(fst, costs)?;
        Ok(Self { pages: runs.next(keys.len() as usize)?, keys })
    }

    /// Returns all pages.
    pub fn pages(&self) -> &Run {
        &self.pages
    }

    /// Iterates over the pages that have a text, the best of what begins with it, and what whole words at its beginning
    /// name: mostly one.
    pub fn path(&self, text: &str) -> impl Iterator<Item = PageId> {
        let words = text.match_indices(' ').filter_map(|(end, _)| self.keys.id(&text[..end]));
        let words = words.filter(|&number| self.cost(number).is_some());
        words.chain(self.number(text)).filter_map(|number| self.pages.get(number))
    }

    /// Returns a lower bound of the costs of the keys in pages that are a text; `None`: there are none.
    pub fn least(&self, text: &str) -> Option<Cost> {
        self.cost(self.number(text)?)
    }

    /// Iterates over the pages with what is longer than a text and begins with it, those with the most important names first.
    pub fn below(&self, text: &str) -> impl Iterator<Item = PageId> {
        let mut pages = Vec::new();
        let mut children = 0;
        let mut ahead: Vec<Subtree> = self.keys.follow(self.keys.root(), text.as_bytes()).into_iter().collect();
        while let Some(at) = ahead.pop().filter(|_| children < MOST_CHILDREN) {
            self.keys.each_character(at, &self.keys.node(at), u8::MAX, &mut |_, child| {
                pages.extend(self.best(child).and_then(|cost| Some((cost.into(), self.pages.get(child.first)?))));
                ahead.push(child);
                children += 1;
                children < MOST_CHILDREN
            });
        }
        in_order(pages)
    }

    /// Iterates over the pages that may have names like some texts, each at least once, those with the cheapest first.
    pub fn like<'t>(&'t self, texts: &'t [Slipped]) -> impl Iterator<Item = PageId> {
        let mut walk = Walk { trie: self, heap: BinaryHeap::new(), states: Vec::new(), children: 0 };
        texts
            .iter()
            .for_each(|text| walk.push_state(State { text, row: Distances::start(), subtree: self.keys.root() }));
        walk
    }

    /// Returns the cost of a page, if it has keys of its own.
    fn cost(&self, number: u32) -> Option<Cost> {
        let (cost, _) = self.keys.cheapest(number..number.saturating_add(1))?;
        Some(cost).filter(|&cost| cost < Cost::from(NO_KEY) * STEP)
    }

    /// Returns a lower bound of the costs of what the page at a node has, if it has keys of its own: a crown has the best of
    /// what is below it, too.
    fn best(&self, at: Subtree) -> Option<Cost> {
        let is_page = self.keys.node(at).is_final() && self.cost(at.first).is_some();
        let least = if is_page { self.keys.cheapest(at.first..at.end) } else { None };
        least.map(|(cost, _)| cost)
    }

    /// Returns the number of the page that has a text as a key, and the best of what begins with it.
    fn number(&self, text: &str) -> Option<u32> {
        let mut at = self.keys.root();
        for character in text.chars() {
            let (found, child) = self.last_up_to(at, character)?;
            if self.is_leaf(child) {
                return Some(child.first);
            }
            if found != character {
                return None;
            }
            at = child;
        }
        self.keys.node(at).is_final().then_some(at.first)
    }

    /// Returns the child of a node whose character is the last up to another one.
    fn last_up_to(&self, at: Subtree, character: char) -> Option<(char, Subtree)> {
        let mut last = None;
        let lead = character.encode_utf8(&mut [0; 4]).as_bytes()[0];
        self.keys.each_character(at, &self.keys.node(at), lead, &mut |other, child| {
            last = (other <= character).then_some((other, child));
            last.is_none()
        });
        last
    }

    fn is_leaf(&self, at: Subtree) -> bool {
        self.keys.node(at).len() == 0
    }
}

/// A text that may have slips.
#[derive(Debug)]
pub(crate) struct Slipped {
    letters: Vec<char>,
    /// The greatest first byte of characters that are compared.
    last_lead: u8,
    edits: u8,
    edit_cost: Cost,
}

impl Slipped {
    /// Creates a text, if it is long enough for a slip.
    pub fn new(text: &str) -> Option<Self> {
        let edits = allowed_edits(text);
        (edits > 0).then(|| Self {
            letters: text.chars().collect(),
            last_lead: last_lead(text),
            edits,
            edit_cost: edit_cost(text),
        })
    }
}

/// A walk to the pages that may have names like some texts, cheapest first.
struct Walk<'t> {
    trie: &'t Trie,
    /// A lower bound of the cost, then a page, or the first of a subtree, then the state of the subtree.
    heap: BinaryHeap<Reverse<(Cost, u32, Option<u32>)>>,
    states: Vec<State<'t>>,
    /// Children that were looked at.
    children: u32,
}

/// A subtree, and the row of a text behind what leads to it.
#[derive(Clone, Copy)]
struct State<'t> {
    text: &'t Slipped,
    row: Distances,
    subtree: Subtree,
}

impl Iterator for Walk<'_> {
    type Item = PageId;

    fn next(&mut self) -> Option<PageId> {
        while let Some(Reverse((_, number, state))) = self.heap.pop() {
            match state {
                None => return self.trie.pages.get(number),
                Some(state) => self.expand(self.states[state as usize]),
            }
        }
        None
    }
}

impl<'t> Walk<'t> {
    fn push_state(&mut self, state: State<'t>) {
        let Subtree { first, end, .. } = state.subtree;
        let least = self.trie.keys.lower_bound(first..end);
        self.push(least, state.row.lower_bound(), state.text, (first, Some(self.states.len() as u32)));
        self.states.push(state);
    }

    /// Pushes the page at a node, if there is one.
    fn push_page(&mut self, at: Subtree, bound: u8, text: &Slipped) {
        if let Some(least) = self.trie.best(at) {
            self.push(least, bound, text, (at.first, None));
        }
    }

    /// Pushes a page or a state, unless it has too many edits or costs too much.
    fn push(&mut self, least: Cost, bound: u8, text: &Slipped, (number, state): (u32, Option<u32>)) {
        let cost = least + Cost::from(bound) * text.edit_cost;
        if bound <= text.edits && cost < GUESS {
            self.heap.push(Reverse((cost, number, state)));
        }
    }

    /// Replaces a state by its page, if it is a crown, and by its children.
    fn expand(&mut self, State { text, row, subtree }: State<'t>) {
        let keys = &self.trie.keys;
        let node = keys.node(subtree);
        self.push_page(subtree, row.lower_bound(), text);
        let relevant = row.relevant(&text.letters);
        let other = row.step_irrelevant(&text.letters);
        let mut next = None;
        keys.each_character(subtree, &node, text.last_lead, &mut |character, child| {
            if self.trie.is_leaf(child) {
                // It goes on with this character, or with one up to the next child.
                let rows = relevant
                    .into_iter()
                    .filter(|&letter| character <= letter && next.is_none_or(|next| letter < next))
                    .map(|letter| row.step(letter, &text.letters));
                let bound = rows.fold(other.lower_bound(), |bound, row| bound.min(row.lower_bound()));
                self.push_page(child, bound, text);
            } else {
                let row = if relevant.contains(&character) { row.step(character, &text.letters) } else { other };
                self.push_state(State { text, row, subtree: child });
            }
            next = Some(character);
            self.children += 1;
            self.children < MOST_CHILDREN
        });
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::ops::Range;

    use fastrand::Rng;

    use super::*;

    const LETTERS: [char; 4] = [' ', 'a', 'b', 'é'];

    fn text(rng: &mut Rng, lengths: Range<usize>) -> String {
        (0..rng.usize(lengths)).map(|_| LETTERS[rng.usize(..LETTERS.len())]).collect()
    }

    /// Adds the pages of names that begin with a prefix: leaves, and crowns with what is below them.
    fn fill(pages: &mut Vec<FoundBy>, rng: &mut Rng, prefix: &str, depth: usize) {
        for letter in LETTERS {
            let text = format!("{prefix}{letter}");
            let cost = rng.u32(..40) * 512;
            match rng.u8(..5) {
                0 | 1 if depth > 0 => {
                    pages.push((text.clone(), rng.bool().then_some(cost)));
                    fill(pages, rng, &text, depth - 1);
                }
                2 | 3 => pages.push((text, Some(cost))),
                _ => {}
            }
        }
    }

    fn trie(pages: &[FoundBy]) -> Trie {
        let (fst, costs) = encode_trie(pages);
        Trie::open(fst.into(), costs.into(), &mut Runs::default()).expect("it was just written")
    }

    /// Returns the letters that names of a page go on with behind its prefix, and the prefix; `None`: it is a crown.
    fn leaf<'p>(pages: &[FoundBy], (text, _): &'p FoundBy) -> Option<(&'p str, Vec<char>)> {
        let begins = |prefix: &str| {
            pages.iter().filter(|(other, _)| other.len() > prefix.len() && other.starts_with(prefix)).count()
        };
        let (at, first) = text.char_indices().last()?;
        let prefix = &text[..at];
        let is_leaf = begins(text) == 0;
        let others = LETTERS.into_iter().filter(|&letter| letter > first);
        let up_to =
            others.take_while(|letter| pages.iter().all(|(other, _)| !other.starts_with(&format!("{prefix}{letter}"))));
        is_leaf.then(|| (prefix, std::iter::once(first).chain(up_to).collect()))
    }

    /// Lists every page with a name that may be like a text, with what it costs at least: each looked at on its own,
    /// with every letter that its names may go on with.
    fn scan(pages: &[FoundBy], text: &str) -> Vec<(Cost, PageId)> {
        let edits = allowed_edits(text);
        let pattern: Vec<char> = text.chars().collect();
        let bound =
            |name: &str| name.chars().fold(Distances::start(), |row, next| row.step(next, &pattern)).lower_bound();
        let like = (0..).zip(pages).filter_map(|(number, page)| {
            let bound = match leaf(pages, page) {
                None => bound(&page.0),
                Some((prefix, nexts)) => nexts.into_iter().map(|next| bound(&format!("{prefix}{next}"))).min()?,
            };
            page.1?;
            // A crown has the best of what is below it, too.
            let below =
                pages.iter().filter(|(text, _)| text.starts_with(&page.0)).filter_map(|&(_, cost)| cost).min()?;
            let least = Cost::from(in_steps(below)) * STEP;
            (bound <= edits).then_some((least + Cost::from(bound) * edit_cost(text), PageId(number)))
        });
        like.filter(|&(cost, _)| edits > 0 && cost < GUESS).collect()
    }

    #[test]
    fn pages_like_texts_equal_a_scan() {
        let mut rng = Rng::with_seed(17);
        let mut found = 0;
        for depth in [0, 1, 3, 8] {
            for _ in 0..200 {
                let mut pages = Vec::new();
                fill(&mut pages, &mut rng, "", depth);
                let texts: Vec<String> = (0..rng.usize(1..4)).map(|_| text(&mut rng, 3..12)).collect();
                let mut all: Vec<_> = texts.iter().flat_map(|text| scan(&pages, text)).collect();
                all.sort_unstable();
                let mut known = BTreeSet::new();
                let best: Vec<PageId> =
                    all.into_iter().map(|(_, page)| page).filter(|&page| known.insert(page)).collect();
                let slipped: Vec<Slipped> = texts.iter().filter_map(|text| Slipped::new(text)).collect();
                let mut known = BTreeSet::new();
                let like: Vec<PageId> = trie(&pages).like(&slipped).filter(|&page| known.insert(page)).collect();
                found += best.len();
                assert_eq!(like, best, "{texts:?}");
            }
        }
        assert!(found > 1_000, "{found}");
    }

    #[test]
    fn a_text_leads_to_its_page() {
        let pages = ["a", "aa", "ab", "b", "é"].map(|text| (text.to_owned(), (text != "a").then_some(0)));
        let trie = trie(&pages);
        let check = |text: &str, expect: &[u32]| {
            assert_eq!(trie.path(text).map(PageId::number).collect::<Vec<_>>(), expect, "{text}");
        };
        check("a", &[0]);
        check("aa", &[1]);
        check("aab", &[1]);
        check("abb", &[2]);
        // Behind the last page below a crown, and before the first.
        check("azz", &[2]);
        check("a a", &[]);
        check("b a", &[3, 3]);
        // A leaf reaches up to the next page.
        check("c", &[3]);
        check("東", &[4]);
        check("", &[]);
        assert_eq!((trie.least("a"), trie.least("b"), trie.least(" ")), (None, Some(0), None));
    }
}
