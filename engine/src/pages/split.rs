//! Divides keys among pages: which crown or leaf each belongs to.

use std::collections::{BTreeMap, HashSet};

use crate::index::Cost;

/// A key of a place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<'k> {
    pub key: &'k str,
    /// Number of the place.
    pub place: u32,
    /// What a prefix search ranks it by.
    pub weight: Cost,
    /// Lower bound of what it costs.
    pub cost: Cost,
}

/// How large pages may be, in bytes as they are estimated before a page is written.
#[derive(Clone, Copy, Debug)]
pub struct PageSizes {
    /// Of the first crown, which the root has.
    pub root: usize,
    /// Of all other crowns.
    pub crown: usize,
    /// Of leaves.
    pub page: usize,
}

impl Default for PageSizes {
    /// A root of some 250 kB and pages of 60 kB with gzip.
    fn default() -> Self {
        Self { root: 100_000, crown: 45_000, page: 100_000 }
    }
}

/// Keys of one page.
#[derive(Debug)]
pub(crate) struct Division<'k> {
    pub prefix: String,
    /// The first and the last character behind the prefix of a leaf; `None`: a crown.
    pub range: Option<(char, char)>,
    /// In order.
    pub entries: Vec<Entry<'k>>,
}

/// Approximate bytes of an entry, and of the place of a first one.
const ENTRY: usize = 10;
const PLACE: usize = 75;

/// Divides entries, which are in the order of their keys. The first division is for the root, and no other repeats it.
pub(crate) fn divide(entries: Vec<Entry>, sizes: PageSizes) -> Vec<Division> {
    let is_best = best(&entries, "", sizes.root);
    let (root, rest): (Vec<_>, Vec<_>) = entries.into_iter().zip(is_best).partition(|&(_, is_best)| is_best);
    let without_mark = |entries: Vec<(_, bool)>| entries.into_iter().map(|(entry, _)| entry).collect();
    let mut divisions = vec![Division { prefix: String::new(), range: None, entries: without_mark(root) }];
    divide_below("", without_mark(rest), sizes, &mut divisions);
    divisions
}

/// Divides entries that begin with a prefix by the next character: among leaves, and crowns with what is below them.
fn divide_below<'k>(prefix: &str, entries: Vec<Entry<'k>>, sizes: PageSizes, divisions: &mut Vec<Division<'k>>) {
    let mut children: BTreeMap<char, Vec<Entry>> = BTreeMap::new();
    for entry in entries {
        // The crown has the prefix itself.
        let Some(next) = entry.key[prefix.len()..].chars().next() else { continue };
        children.entry(next).or_default().push(entry);
    }
    let mut leaf: Option<Division> = None;
    let mut filled = 0;
    for (next, child) in children {
        let bytes = size(&child);
        if bytes > sizes.page {
            divisions.extend(leaf.take());
            let below = format!("{prefix}{next}");
            let is_best = best(&child, &below, sizes.crown);
            let crown = child.iter().zip(is_best).filter(|&(_, is_best)| is_best).map(|(entry, _)| *entry).collect();
            divisions.push(Division { prefix: below.clone(), range: None, entries: crown });
            divide_below(&below, child, sizes, divisions);
            continue;
        }
        // A page ends where its characters say so, and not where others end, so that a change moves few places.
        if filled + bytes > sizes.page || (filled > sizes.page / 4 && is_boundary(prefix, next)) {
            divisions.extend(leaf.take());
        }
        match &mut leaf {
            Some(Division { range: Some((_, last)), entries, .. }) => {
                *last = next;
                entries.extend(child);
                filled += bytes;
            }
            _ => {
                leaf = Some(Division { prefix: prefix.to_owned(), range: Some((next, next)), entries: child });
                filled = bytes;
            }
        }
    }
    divisions.extend(leaf);
}

/// One in four of the characters behind a prefix.
fn is_boundary(prefix: &str, next: char) -> bool {
    let mut text = prefix.to_owned();
    text.push(next);
    xxhash_rust::xxh3::xxh3_64(text.as_bytes()).is_multiple_of(4)
}

/// Which entries are for a crown: those of the prefix itself, and so many bytes of the best of the others.
fn best(entries: &[Entry], prefix: &str, bytes: usize) -> Vec<bool> {
    let mut by_weight: Vec<usize> = (0..entries.len()).collect();
    by_weight.sort_by_key(|&at| (entries[at].key != prefix, entries[at].weight, at));
    let mut places = HashSet::new();
    let mut filled = 0;
    let mut is_best = vec![false; entries.len()];
    for at in by_weight {
        if entries[at].key != prefix {
            filled += entry_size(&entries[at], &mut places);
            if filled > bytes {
                break;
            }
        }
        is_best[at] = true;
    }
    is_best
}

fn size(entries: &[Entry]) -> usize {
    let mut places = HashSet::new();
    entries.iter().map(|entry| entry_size(entry, &mut places)).sum()
}

fn entry_size(entry: &Entry, places: &mut HashSet<u32>) -> usize {
    ENTRY + entry.key.len() + if places.insert(entry.place) { PLACE } else { 0 }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use fastrand::Rng;

    use super::super::directory::{Crown, Leaf, PageId, Shelf};
    use super::*;

    const SIZES: PageSizes = PageSizes { root: 1_000, crown: 800, page: 2_000 };

    /// Keys of few letters, so that many begin alike, in order.
    fn keys(rng: &mut Rng, count: usize) -> Vec<(String, u32, Cost)> {
        let letters = ['a', 'b', 'c', 'é', '東', ' '];
        let key = |rng: &mut Rng| (0..rng.usize(1..7)).map(|_| letters[rng.usize(..letters.len())]).collect::<String>();
        let mut keys: Vec<_> = (0..count).map(|_| (key(rng), rng.u32(..count as u32), rng.u32(..1_000))).collect();
        keys.sort();
        keys.dedup_by_key(|(key, place, _)| (key.clone(), *place));
        keys
    }

    fn entries(keys: &[(String, u32, Cost)]) -> Vec<Entry<'_>> {
        keys.iter().map(|(key, place, weight)| Entry { key, place: *place, weight: *weight, cost: 0 }).collect()
    }

    /// The shelf of all divisions but the first, each with its number as its page.
    fn shelf(divisions: &[Division]) -> Shelf {
        let mut shelf = Shelf::default();
        for (number, Division { prefix, range, entries }) in (0..).zip(divisions).skip(1) {
            let (prefix, page) = (prefix.clone(), PageId(number));
            let is_key = entries.iter().any(|entry| entry.key == prefix);
            match *range {
                None => shelf.crowns.push(Crown { prefix, page, is_key, least: 0 }),
                Some((first, last)) => {
                    shelf.leaves.push(Leaf { prefix, first: first.into(), last: last.into(), page, least: 0 })
                }
            }
        }
        shelf.sort();
        shelf
    }

    #[test]
    fn one_page_has_a_key_and_the_best_of_what_begins_with_it() {
        let mut rng = Rng::with_seed(3);
        for count in [0, 1, 20, 300, 5_000] {
            let keys = keys(&mut rng, count);
            let divisions = divide(entries(&keys), SIZES);
            let shelf = shelf(&divisions);
            let root: BTreeSet<_> = divisions[0].entries.iter().map(|entry| (entry.key, entry.place)).collect();
            let texts: BTreeSet<&str> =
                keys.iter().flat_map(|(key, ..)| key.char_indices().skip(1).map(|(end, _)| &key[..end])).collect();
            let texts = texts.into_iter().chain(keys.iter().map(|(key, ..)| key.as_str()));
            for text in texts {
                let pages: Vec<PageId> = shelf.path(text).collect();
                assert!(pages.len() <= 1 + text.matches(' ').count(), "{text}: {pages:?}");
                let there: Vec<&Entry> = pages.iter().flat_map(|page| &divisions[page.0 as usize].entries).collect();
                let is_there = |key: &str, place: u32| {
                    root.contains(&(key, place)) || there.iter().any(|entry| (entry.key, entry.place) == (key, place))
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
    fn every_key_is_in_the_root_or_in_one_leaf_or_a_crown_by_its_name() {
        let mut rng = Rng::with_seed(4);
        let keys = keys(&mut rng, 5_000);
        let divisions = divide(entries(&keys), SIZES);
        assert!(divisions.iter().all(|division| division.entries.is_sorted_by_key(|entry| entry.key)));
        let own = |(number, division): (usize, &Division)| {
            let is_own = |entry: &&Entry| number == 0 || division.range.is_some() || entry.key == division.prefix;
            division.entries.iter().filter(is_own).count()
        };
        assert_eq!(divisions.iter().enumerate().map(own).sum::<usize>(), keys.len());
        assert!(divisions.iter().filter(|division| division.range.is_none()).count() > 10);
    }

    #[test]
    fn one_key_more_changes_few_pages() {
        let mut rng = Rng::with_seed(5);
        let mut keys = keys(&mut rng, 20_000);
        let contents = |keys: &[(String, u32, Cost)]| {
            let divisions = divide(entries(keys), SIZES);
            let keys =
                |division: &Division| division.entries.iter().map(|entry| entry.key.to_owned()).collect::<Vec<_>>();
            divisions.iter().map(|division| (division.prefix.clone(), keys(division))).collect::<BTreeSet<_>>()
        };
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
