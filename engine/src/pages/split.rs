//! Divides keys among pages: which crown or leaf of the trie each belongs to.

use std::collections::{BTreeSet, HashSet};
use std::iter::Peekable;

use super::key::Entry;
use crate::index::Cost;
use crate::record::NameClass;
use crate::search::{PREFIX_OF_ALTERNATE, Terms, begun_alternate};

/// Largest sizes of pages, in bytes as they are estimated before a page is written.
#[derive(Clone, Copy, Debug)]
pub struct PageSizes {
    /// Size of the first crown, which the root has.
    pub root: usize,
    /// Size of any other crown.
    pub crown: usize,
    /// Size of a leaf.
    pub page: usize,
}

impl Default for PageSizes {
    /// Returns the sizes for a root of 420 kB and pages of 60 kB with gzip.
    fn default() -> Self {
        Self { root: 100_000, crown: 45_000, page: 100_000 }
    }
}

/// Keys of one page.
#[derive(Debug)]
pub(crate) struct Division {
    /// The text by which the page is found: the prefix of a crown, or that of a leaf with the first character behind it.
    pub found_by: String,
    pub is_leaf: bool,
    /// In order.
    pub entries: Vec<Entry>,
}

impl Division {
    /// Iterates over the entries that no division above has: those of a crown are only those of its prefix.
    pub fn own_entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| self.is_leaf || entry.key.text == self.found_by)
    }
}

/// Approximate bytes of an entry, and of the place of a first one.
const ENTRY: usize = 10;
const PLACE: usize = 75;

/// The best of many entries, of so many bytes.
pub(crate) struct Best {
    bytes: usize,
    /// As many as may fit.
    entries: BTreeSet<Entry>,
}

impl Best {
    pub fn new(bytes: usize) -> Self {
        Self { bytes, entries: BTreeSet::new() }
    }

    /// Looks at one more.
    pub fn offer(&mut self, entry: &Entry) {
        if self.entries.len() < most_in(self.bytes) {
            self.entries.insert(entry.clone());
        } else if self.entries.last().is_some_and(|worst| entry < worst) {
            self.entries.insert(entry.clone());
            self.entries.pop_last();
        }
    }

    /// Returns the entries that fit, and the weight of the next one.
    pub fn into_entries(self) -> (BTreeSet<Entry>, Option<Cost>) {
        let mut filled = Filled::default();
        let mut entries = self.entries.into_iter().peekable();
        let fitting = std::iter::from_fn(|| entries.next_if(|entry| filled.add(entry) <= self.bytes)).collect();
        (fitting, entries.next().map(|entry| entry.weight))
    }
}

/// Returns how many entries are enough to fill so many bytes: the shortest have one letter.
fn most_in(bytes: usize) -> usize {
    bytes / (ENTRY + 1) + 1
}

/// Divides entries, which are in the order of their keys, and hands each division to `take`.
pub(crate) fn divide<E>(
    entries: impl Iterator<Item = Result<Entry, E>>,
    sizes: PageSizes,
    take: &mut dyn FnMut(Division) -> Result<(), E>,
) -> Result<(), E> {
    divide_below("", &mut { entries }, sizes, take)
}

/// Divides entries that begin with a prefix by the next character: among leaves, and crowns with what is below them. Those of
/// one next character are in memory at a time.
fn divide_below<E>(
    prefix: &str,
    entries: &mut dyn Iterator<Item = Result<Entry, E>>,
    sizes: PageSizes,
    take: &mut dyn FnMut(Division) -> Result<(), E>,
) -> Result<(), E> {
    // The leaf that is being filled, and its bytes.
    let mut leaf: Option<Division> = None;
    let mut filled = 0;
    let mut entries = entries.peekable();
    while let Some((next, child)) = next_child(prefix, &mut entries)? {
        let bytes = size(&child);
        if bytes > sizes.page {
            leaf.take().map_or(Ok(()), &mut *take)?;
            let below = format!("{prefix}{next}");
            let entries = crown(&child, &below, sizes.crown);
            take(Division { found_by: below.clone(), is_leaf: false, entries })?;
            divide_below(&below, &mut child.into_iter().map(Ok), sizes, take)?;
            continue;
        }
        // A page ends where its characters say so, and not where others end, so that a change moves few places.
        if filled + bytes > sizes.page || (filled > sizes.page / 4 && is_boundary(prefix, next)) {
            leaf.take().map_or(Ok(()), &mut *take)?;
        }
        match &mut leaf {
            Some(leaf) => {
                leaf.entries.extend(child);
                filled += bytes;
            }
            None => {
                leaf = Some(Division { found_by: format!("{prefix}{next}"), is_leaf: true, entries: child });
                filled = bytes;
            }
        }
    }
    leaf.map_or(Ok(()), take)
}

/// Takes the entries with the next character behind a prefix. Leaves out those of the prefix itself: the crown has
/// them.
fn next_child<E>(
    prefix: &str,
    entries: &mut Peekable<impl Iterator<Item = Result<Entry, E>>>,
) -> Result<Option<(char, Vec<Entry>)>, E> {
    let next_of = |entry: &Entry| entry.key.text[prefix.len()..].chars().next();
    let mut child: Option<(char, Vec<Entry>)> = None;
    while let Some(entry) = entries.next_if(|entry| match (entry, &child) {
        (Ok(entry), Some((next, _))) => next_of(entry) == Some(*next),
        (Ok(_) | Err(_), None) | (Err(_), Some(_)) => true,
    }) {
        let entry = entry?;
        match (&mut child, next_of(&entry)) {
            (Some((_, entries)), _) => entries.push(entry),
            (None, Some(next)) => child = Some((next, vec![entry])),
            (None, None) => {}
        }
    }
    Ok(child)
}

/// Tells whether a character behind a prefix is a boundary: one in four is.
fn is_boundary(prefix: &str, next: char) -> bool {
    let mut text = prefix.to_owned();
    text.push(next);
    xxhash_rust::xxh3::xxh3_64(text.as_bytes()).is_multiple_of(4)
}

/// Returns the entries of a crown, in order: those of the prefix itself, and so many bytes of the best of the others, as a search for
/// the prefix weighs them.
fn crown(entries: &[Entry], prefix: &str, bytes: usize) -> Vec<Entry> {
    let less = PREFIX_OF_ALTERNATE - begun_alternate(prefix, Terms::of(prefix).is_latin());
    let is_alternate = |entry: &Entry| entry.key.class.is_some_and(NameClass::is_alternate);
    let by_weight = |a: &&Entry, b: &&Entry| {
        let [first, second] = [a, b].map(|entry| entry.weight - if is_alternate(entry) { less } else { 0 });
        first.cmp(&second).then_with(|| a.cmp(b))
    };
    let (own, others): (Vec<_>, Vec<_>) = entries.iter().partition(|entry| entry.key.text == prefix);
    let mut others: Vec<&Entry> = others;
    let most = most_in(bytes);
    if most < others.len() {
        others.select_nth_unstable_by(most, by_weight);
        others.truncate(most);
    }
    others.sort_by(by_weight);
    let mut filled = Filled::default();
    let best = others.into_iter().take_while(|entry| filled.add(entry) <= bytes);
    let mut found: Vec<Entry> = own.into_iter().chain(best).cloned().collect();
    found.sort_by(|a, b| a.key.cmp(&b.key));
    found
}

/// Bytes of entries.
#[derive(Default)]
struct Filled {
    places: HashSet<u32>,
    bytes: usize,
}

impl Filled {
    /// Adds an entry. Returns all bytes.
    fn add(&mut self, entry: &Entry) -> usize {
        let place = if self.places.insert(entry.key.place) { PLACE } else { 0 };
        self.bytes += ENTRY + entry.key.text.len() + place;
        self.bytes
    }
}

fn size(entries: &[Entry]) -> usize {
    let mut filled = Filled::default();
    entries.iter().for_each(|entry| {
        filled.add(entry);
    });
    filled.bytes
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use fastrand::Rng;

    use super::super::key::Key;
    use super::super::page_id::{PageId, Runs};
    use super::super::trie::{Trie, encode_trie};
    use super::*;

    const SIZES: PageSizes = PageSizes { root: 1_000, crown: 800, page: 2_000 };

    /// Creates keys of few letters, so that many begin alike, in order.
    fn keys(rng: &mut Rng, count: usize) -> Vec<(String, u32, Cost)> {
        let letters = ['a', 'b', 'c', 'é', '東', ' '];
        let key = |rng: &mut Rng| (0..rng.usize(1..7)).map(|_| letters[rng.usize(..letters.len())]).collect::<String>();
        let mut keys: Vec<_> = (0..count).map(|_| (key(rng), rng.u32(..count as u32), rng.u32(..1_000))).collect();
        keys.sort();
        keys.dedup_by_key(|(key, place, _)| (key.clone(), *place));
        keys
    }

    fn entries(keys: &[(String, u32, Cost)]) -> Vec<Entry> {
        fn key(text: &str, place: u32) -> Key {
            Key { text: text.to_owned(), place, class: None, named: Vec::new() }
        }
        keys.iter().map(|(text, place, weight)| Entry { weight: *weight, cost: 0, key: key(text, *place) }).collect()
    }

    /// Returns all divisions, the first for the root.
    fn divide_all(entries: Vec<Entry>) -> Vec<Division> {
        let mut best = Best::new(SIZES.root);
        entries.iter().for_each(|entry| best.offer(entry));
        let (best, behind) = best.into_entries();
        let (root, rest): (Vec<_>, Vec<_>) = entries.into_iter().partition(|entry| best.contains(entry));
        assert_eq!(behind, rest.iter().map(|entry| entry.weight).min());
        let mut divisions = vec![Division { found_by: String::new(), is_leaf: false, entries: root }];
        let mut take = |division| -> Result<(), Infallible> {
            divisions.push(division);
            Ok(())
        };
        let Ok(()) = divide(rest.into_iter().map(Ok), SIZES, &mut take);
        divisions
    }

    /// Creates the trie of all divisions but the first, each with its number as its page.
    fn trie(divisions: &[Division]) -> Trie {
        let pages = divisions[1..].iter().map(|page| (page.found_by.clone(), page.own_entries().next().map(|_| 0)));
        let pages: Vec<_> = pages.collect();
        let (fst, costs) = encode_trie(&pages);
        let mut runs = Runs::default();
        runs.next(1).expect("one page is not too many");
        Trie::open(fst.into(), costs.into(), &mut runs).expect("it was just written")
    }

    #[test]
    fn one_page_has_a_key_and_its_best() {
        let mut rng = Rng::with_seed(3);
        for count in [0, 1, 20, 300, 5_000] {
            let keys = keys(&mut rng, count);
            let divisions = divide_all(entries(&keys));
            let trie = trie(&divisions);
            let root: BTreeSet<_> =
                divisions[0].entries.iter().map(|entry| (entry.key.text.as_str(), entry.key.place)).collect();
            let texts: BTreeSet<&str> =
                keys.iter().flat_map(|(key, ..)| key.char_indices().skip(1).map(|(end, _)| &key[..end])).collect();
            let texts = texts.into_iter().chain(keys.iter().map(|(key, ..)| key.as_str()));
            for text in texts {
                let pages: Vec<PageId> = trie.path(text).collect();
                assert!(pages.len() <= 1 + text.matches(' ').count(), "{text}: {pages:?}");
                let there: Vec<&Entry> = pages.iter().flat_map(|page| &divisions[page.0 as usize].entries).collect();
                let is_there = |key: &str, place: u32| {
                    root.contains(&(key, place))
                        || there.iter().any(|entry| (entry.key.text.as_str(), entry.key.place) == (key, place))
                };
                let begun = keys.iter().filter(|(key, ..)| key.starts_with(text));
                let (here, elsewhere): (Vec<_>, Vec<_>) = begun.partition(|(key, place, _)| is_there(key, *place));
                assert!(elsewhere.iter().all(|(key, ..)| key != text), "{text} is elsewhere");
                // What is elsewhere comes behind, and a page full of others comes before it.
                let worst = here.iter().filter(|(key, ..)| key != text).map(|(.., weight)| weight).max();
                let best = elsewhere.iter().map(|(.., weight)| weight).min();
                assert!(best.is_none_or(|best| worst.is_some_and(|worst| worst <= best)), "{text}");
            }
        }
    }

    #[test]
    fn every_key_is_in_exactly_one_page() {
        let mut rng = Rng::with_seed(4);
        let keys = keys(&mut rng, 5_000);
        let divisions = divide_all(entries(&keys));
        assert!(divisions.iter().all(|division| division.entries.is_sorted_by_key(|entry| &entry.key)));
        let own: usize = divisions[1..].iter().map(|division| division.own_entries().count()).sum();
        assert_eq!(divisions[0].entries.len() + own, keys.len());
        assert!(divisions.iter().filter(|division| !division.is_leaf).count() > 10);
    }

    #[test]
    fn one_key_more_changes_few_pages() {
        let mut rng = Rng::with_seed(5);
        let mut keys = keys(&mut rng, 20_000);
        fn contents(keys: &[(String, u32, Cost)]) -> BTreeSet<(String, Vec<String>)> {
            let divisions = divide_all(entries(keys));
            let mut contents = BTreeSet::new();
            for division in divisions {
                let keys = division.entries.into_iter().map(|entry| entry.key.text).collect();
                contents.insert((division.found_by, keys));
            }
            contents
        }
        let before = contents(&keys);
        for _ in 0..20 {
            let at = rng.usize(..keys.len());
            let (key, ..) = keys[at].clone();
            keys.insert(at, (key, u32::MAX, rng.u32(..1_000)));
            let changed = contents(&keys).difference(&before).count();
            assert!(changed <= 8, "{changed} of {}", before.len());
            keys.remove(at);
        }
    }
}
