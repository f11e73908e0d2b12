//! Searches for the names that a text in another script may spell, cheapest first.
//!
//! A best-first search walks the lattice of Latin spellings of the text together with the fst of names. The lower bound of a
//! state is what its spelling costs so far, the least cost of the letters that are left, and the least cost of the names in
//! its subtree: it is never too high, so the matches come in the order of their costs.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashSet;

use super::cost::Cost;
use super::search::{Match, OrderedSearch, Prefix, Spelled};
use super::table::{Names, Subtree};
use super::transducer::Address;
use crate::index::spellings::Lattice;

/// A search for the names that a text may spell, cheapest first.
pub(crate) struct SpelledSearch<'n> {
    names: &'n Names,
    lattice: &'n Lattice,
    /// Way in which the text may be only a prefix of a name, and the penalty of such names; `None` to exclude them.
    prefix: Option<(Prefix, Cost)>,
    heap: BinaryHeap<Reverse<Entry>>,
    states: Vec<State>,
    /// The positions in lattice and fst that were looked at. Whoever comes later has spent more.
    seen: FxHashSet<(u32, Address, u32)>,
    /// The subtrees behind the letters that the ways of a letter begin with.
    path: Vec<Subtree>,
    /// The limit of the last call; it never rises.
    limit: Cost,
    /// Work done so far, in units of the budget: states popped, and children that are followed.
    work: u32,
}

/// A lower bound of the cost, then a name, which makes the order of ties deterministic, then the number of the state.
type Entry = (Cost, u32, u32);

#[derive(Clone, Copy, Debug)]
struct State {
    /// Cost of the spelling so far.
    spelling: Cost,
    /// Number of Latin letters so far.
    letters: u8,
    step: Step,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    /// The letters before this one lead to the subtree.
    Walk(u32, Subtree),
    /// All letters lead to a name.
    Complete,
    /// All letters lead to the beginnings of the names of a range.
    Range(u32, u32),
}

impl<'n> SpelledSearch<'n> {
    /// Searches for the names that the text of a lattice may spell and, if `prefix` is given, longer names, which cost
    /// its penalty more.
    pub fn new(names: &'n Names, lattice: &'n Lattice, prefix: Option<(Prefix, Cost)>) -> Self {
        let heap = BinaryHeap::new();
        let seen = FxHashSet::default();
        let states = Vec::new();
        let path = Vec::new();
        let mut search = Self { names, lattice, prefix, heap, states, seen, path, limit: Cost::MAX, work: 0 };
        search.push_walk(0, names.root(), 0, 0);
        search
    }

    fn push(&mut self, floor: Cost, name: u32, (spelling, letters): (Cost, u8), step: Step) {
        if floor < self.limit {
            self.heap.push(Reverse((floor, name, self.states.len() as u32)));
            self.states.push(State { spelling, letters, step });
        }
    }

    fn push_walk(&mut self, at: u32, subtree: Subtree, spelling: Cost, letters: u8) {
        let spelled = spelling + self.lattice.rest(at as usize);
        if spelled < self.lattice.most() {
            let floor = spelled + self.names.lower_bound(subtree.first..subtree.end);
            self.push(floor, subtree.first, (spelling, letters), Step::Walk(at, subtree));
        }
    }

    fn push_range(&mut self, first: u32, end: u32, (spelling, letters): (Cost, u8)) {
        let penalty = self.prefix.map_or(0, |(_, penalty)| penalty);
        if let Some((least, name)) = self.names.cheapest(first..end) {
            self.push(least + spelling + penalty, name, (spelling, letters), Step::Range(first, end));
        }
    }

    /// Replaces a walk by its matches, or by its continuations.
    fn expand(&mut self, at: u32, subtree: Subtree, spelling: Cost, letters: u8) {
        let names = self.names;
        let lattice = self.lattice;
        let node = names.node(subtree);
        if at as usize == lattice.len() {
            if letters < lattice.fewest() {
                return;
            }
            let behind = subtree.first.saturating_add(u32::from(node.is_final()));
            if let Some((least, name)) = names.cheapest(subtree.first..behind) {
                self.push(least + spelling, name, (spelling, letters), Step::Complete);
            }
            match self.prefix {
                Some((Prefix::Letters, _)) => self.push_range(behind, subtree.end, (spelling, letters)),
                Some((Prefix::Words, _)) => {
                    if let Some(words) = names.follow(subtree, b" ") {
                        self.push_range(words.first, words.end, (spelling, letters));
                    }
                }
                None => {}
            }
            return;
        }
        if at > 0
            && let Some(behind) = names.follow(subtree, b" ")
        {
            self.work += 1;
            self.push_walk(at, behind, spelling + lattice.space(), letters);
        }
        let mut path = std::mem::take(&mut self.path);
        path.clear();
        path.push(subtree);
        for way in lattice.column(at as usize) {
            path.truncate(usize::from(way.shared) + 1);
            let known = path.len() - 1;
            if known < usize::from(way.shared) {
                continue;
            }
            for &letter in &way.latin()[known..] {
                let Some(child) = names.follow(path[path.len() - 1], &[letter]) else { break };
                path.push(child);
            }
            if path.len() > way.latin().len() {
                self.work += 1;
                let letters = letters.saturating_add(way.latin().len() as u8);
                self.push_walk(at + 1, path[path.len() - 1], spelling + way.cost, letters);
            }
        }
        self.path = path;
    }
}

impl OrderedSearch for SpelledSearch<'_> {
    fn work(&self) -> u32 {
        self.work
    }

    fn next_below(&mut self, limit: Cost, units: u32) -> Option<Match> {
        self.limit = limit;
        let most_work = self.work.saturating_add(units);
        while let Some(Reverse((floor, id, number))) = self.heap.pop() {
            if floor >= limit || self.work >= most_work {
                return None;
            }
            self.work += 1;
            let State { spelling, letters, step } = self.states[number as usize];
            let found =
                Match { id, edits: 0, prefix: false, spelled: Some(Spelled { cost: spelling, letters }), floor };
            match step {
                Step::Complete => return Some(found),
                Step::Range(first, end) => {
                    self.push_range(first, id, (spelling, letters));
                    self.push_range(id + 1, end, (spelling, letters));
                    return Some(Match { prefix: true, ..found });
                }
                Step::Walk(at, subtree) if self.seen.insert((at, subtree.node, subtree.first)) => {
                    self.expand(at, subtree, spelling, letters);
                }
                Step::Walk(..) => {}
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use fastrand::Rng;

    use super::*;
    use crate::geo::Coordinate;
    use crate::index::spellings::Way;
    use crate::index::{Index, write};
    use crate::record::{Gazetteer, Kind, Name, NameClass, Record, Role};

    fn place(id: u64, text: String, importance: f64) -> Record {
        Record {
            id,
            kind: Kind { role: Role::City, category: "place".into(), r#type: "town".into() },
            names: vec![Name { text, class: NameClass::Primary, lang: None }],
            codes: vec![],
            position: Coordinate { lat: 0.0, lon: 0.0 },
            parent: None,
            country: *b"XX",
            importance,
            extent_m: 1.0,
            bounds: None,
        }
    }

    /// Creates names of a few letters, some with a space.
    fn names(rng: &mut Rng) -> Index {
        fn word(rng: &mut Rng) -> String {
            (0..rng.usize(1..6)).map(|_| rng.char('a'..='d')).collect::<String>()
        }
        fn text(rng: &mut Rng) -> String {
            if rng.u8(..4) == 0 { format!("{} {}", word(rng), word(rng)) } else { word(rng) }
        }
        let places = (1..=400).map(|id| place(id, text(rng), f64::from(rng.u16(..)) / 65_535.0)).collect();
        let file = write(&Gazetteer { places, ..Gazetteer::default() }).expect("the gazetteer is sound");
        Index::open(file.into()).expect("the index is whole")
    }

    /// Creates the lattice of a text of some letters, each with some spellings.
    fn lattice(rng: &mut Rng) -> Lattice {
        fn column(rng: &mut Rng) -> Vec<Way> {
            fn latin(rng: &mut Rng) -> String {
                (0..rng.usize(..3)).map(|_| rng.char('a'..='d')).collect::<String>()
            }
            (0..rng.usize(1..5)).filter_map(|_| Way::new(latin(rng).as_bytes(), rng.u32(..40))).collect()
        }
        let text: Vec<char> =
            (0..rng.usize(1..6)).map(|at| if at > 0 && rng.u8(..6) == 0 { ' ' } else { 'ж' }).collect();
        let columns: Vec<Vec<Way>> = text.iter().map(|_| column(rng)).collect();
        Lattice::new(&text, |at| Lattice::column_of(columns[at].clone())).expect("each letter has a spelling")
    }

    /// Finds the least cost of a spelling of what a name begins with, by the length of the beginning. Tries each step.
    fn spellings(lattice: &Lattice, name: &[u8]) -> BTreeMap<usize, (Cost, u8)> {
        let mut least: Vec<BTreeMap<usize, (Cost, u8)>> = vec![BTreeMap::new(); lattice.len() + 1];
        least[0].insert(0, (0, 0));
        for at in 0..lattice.len() {
            let spaces: Vec<_> = least[at].iter().filter(|_| at > 0).map(|(&end, &found)| (end, found)).collect();
            for (end, (cost, letters)) in spaces {
                if name.get(end) == Some(&b' ') {
                    let best = least[at].entry(end + 1).or_insert((Cost::MAX, 0));
                    *best = (*best).min((cost + lattice.space(), letters));
                }
            }
            for (end, (cost, letters)) in least[at].clone() {
                for way in lattice.column(at).iter().filter(|way| name[end..].starts_with(way.latin())) {
                    let best = least[at + 1].entry(end + way.latin().len()).or_insert((Cost::MAX, 0));
                    *best = (*best).min((cost + way.cost, letters + way.latin().len() as u8));
                }
            }
        }
        least.pop().unwrap_or_default()
    }

    /// Compares the search with a look at every name: all names that the text may spell with their least costs,
    /// cheapest first.
    #[test]
    fn the_search_equals_a_full_scan() {
        let mut rng = Rng::with_seed(36);
        let mut found_any = 0;
        for _ in 0..40 {
            let index = names(&mut rng);
            let names = &index.segment(0).file.usual;
            for _ in 0..25 {
                let lattice = lattice(&mut rng);
                let penalty = rng.bool().then_some((Prefix::Letters, 700));
                let mut expect: BTreeMap<(u32, bool), Cost> = BTreeMap::new();
                for id in 0..names.len() {
                    let key = names.key(id).expect("it has a key");
                    let cost = names.cheapest(id..id + 1);
                    let (cost, _) = cost.expect("it has a cost");
                    for (end, (spelling, letters)) in spellings(&lattice, key.as_bytes()) {
                        let is_whole = end == key.len();
                        if letters < lattice.fewest() || spelling >= lattice.most() || !is_whole && penalty.is_none() {
                            continue;
                        }
                        let penalty = penalty.filter(|_| !is_whole).map_or(0, |(_, penalty)| penalty);
                        let best = expect.entry((id, !is_whole)).or_insert(Cost::MAX);
                        *best = (*best).min(cost + spelling + penalty);
                    }
                }
                let mut search = SpelledSearch::new(names, &lattice, penalty);
                let found: Vec<Match> = std::iter::from_fn(|| search.next_below(Cost::MAX, u32::MAX)).collect();
                assert!(found.is_sorted_by_key(|found| found.floor), "{lattice:?}");
                let mut least: BTreeMap<(u32, bool), Cost> = BTreeMap::new();
                for Match { id, prefix, floor, .. } in found {
                    least.entry((id, prefix)).or_insert(floor);
                }
                found_any += usize::from(!least.is_empty());
                assert_eq!(least, expect, "{lattice:?}");
            }
        }
        assert!(found_any > 200, "{found_any} texts spell a name");
    }

    #[test]
    fn a_limit_and_a_budget_end_a_search() {
        let mut rng = Rng::with_seed(7);
        let index = names(&mut rng);
        fn way(latin: &str) -> Way {
            Way::new(latin.as_bytes(), 0).expect("it is short")
        }
        let lattice = Lattice::new(&['ж', 'ж'], |_| Lattice::column_of(["a", "b", "c", "d"].map(way).to_vec()))
            .expect("each letter has a spelling");
        let search = || SpelledSearch::new(&index.segment(0).file.usual, &lattice, Some((Prefix::Letters, 0)));
        assert!(search().next_below(Cost::MAX, 1_000).is_some());
        assert!(search().next_below(0, 1_000).is_none(), "none costs less than nothing");
        let mut short = search();
        assert!(short.next_below(Cost::MAX, 3).is_none());
        assert!((3..=3 + 5).contains(&short.work()), "{}", short.work());
    }
}
