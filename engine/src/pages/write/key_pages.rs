//! Pages of keys.

use std::borrow::Cow;
use std::collections::HashSet;

use super::super::key::{Entry, Key};
use super::super::split::{Best, Division, divide};
use super::super::trie::{FoundBy, encode_trie};
use super::content::content;
use super::keys::{of_names, of_sounds};
use super::page::{Table, by_place, file, list_wanted};
use super::places::{each_or_error, each_place};
use super::shown::is_in_root;
use super::{BATCH, Entries, Source, Writer};
use crate::index::{Cost, share};

/// Weight up to which a name of a country or state is in the root. Behind it are the smaller states of small countries, such as Uri:
/// a question that names one in a context fetches a page with it. With all names of states the root was 67 kB larger.
const AREA_OF_ROOT: Cost = share(0.42);

/// The keys of all places.
pub(super) struct Keys<'e, E> {
    /// Phonetic keys, in order.
    pub sounds: Entries<'e, E>,
    /// Keys of names and codes of pages, in order.
    pub of_pages: Entries<'e, E>,
    /// Keys of names and codes of the root.
    pub of_root: Vec<Entry>,
}

impl<'s, S: Source> Writer<'s, S> {
    /// Divides the keys of all names and codes between the root and pages. Returns them, and all phonetic keys.
    pub fn keys(&mut self) -> Result<Keys<'s, S::Error>, S::Error> {
        let mut of_areas = Vec::new();
        let mut best = Best::new(self.sizes.root);
        // Few places have some.
        let mut sounds = Vec::new();
        let all = each_place(self.source, |number, place| {
            Ok((of_names(&place, number), of_sounds(&place, number), is_in_root(&place)))
        });
        let names = all.flat_map(|of_place| {
            each_or_error(of_place.map(|(names, of_sounds, is_area)| {
                sounds.extend(of_sounds);
                for entry in &names {
                    if is_area && entry.key.class.is_none_or(|class| !class.is_alternate()) {
                        of_areas.push(entry.clone());
                    } else {
                        best.offer(entry);
                    }
                }
                names
            }))
        });
        let keys = self.sort(names)?;
        let sounds = self.sort(sounds.into_iter().map(Ok))?;
        let (best, behind) = best.into_entries();
        let (of_root, others) = divide_areas(of_areas);
        self.directory.behind_root = others.iter().map(|entry| entry.weight).chain(behind).min();
        let of_root: Vec<Entry> = of_root.into_iter().chain(best).collect();
        self.of -= of_root.len();
        let keys_of_root: HashSet<Key> = of_root.iter().map(|entry| entry.key.clone()).collect();
        let of_pages =
            keys.filter(move |entry| entry.as_ref().map_or(true, |entry| !keys_of_root.contains(&entry.key)));
        Ok(Keys { sounds, of_pages: Box::new(of_pages), of_root })
    }

    /// Sorts entries by their keys.
    fn sort(
        &mut self,
        entries: impl Iterator<Item = Result<Entry, S::Error>>,
    ) -> Result<Entries<'s, S::Error>, S::Error> {
        let mut count = 0;
        let items = entries.map(|entry| entry.map(|Entry { weight, cost, key }| (key, weight, cost)));
        let sorted = self.source.sorted(Box::new(items.inspect(|_| count += 1)))?;
        self.of += count;
        Ok(Box::new(sorted.map(|item| item.map(|(key, weight, cost)| Entry { weight, cost, key }))))
    }

    /// Adds the pages of keys. Returns their trie: the fst, and the costs.
    pub fn trie(&mut self, entries: Entries<S::Error>, table: Table) -> Result<[Cow<'static, [u8]>; 2], S::Error> {
        let sizes = match table {
            Table::Names => self.sizes,
            // They are looked up whole.
            Table::Sounds => super::PageSizes { crown: 0, ..self.sizes },
        };
        let mut pages = Vec::new();
        let mut batch: Vec<Division> = Vec::new();
        divide(entries, sizes, &mut |division| {
            if !division.entries.is_empty() {
                batch.push(division);
            }
            if batch.len() < BATCH { Ok(()) } else { self.add_divisions(std::mem::take(&mut batch), table, &mut pages) }
        })?;
        self.add_divisions(batch, table, &mut pages)?;
        let (fst, costs) = encode_trie(&pages);
        Ok([fst.into(), costs.into()])
    }

    /// Adds the pages of some divisions.
    fn add_divisions(
        &mut self,
        divisions: Vec<Division>,
        table: Table,
        pages: &mut Vec<FoundBy>,
    ) -> Result<(), S::Error> {
        // A crown repeats what is in leaves.
        let leaves = divisions.iter().filter(|division| division.is_leaf);
        self.done += leaves.map(|leaf| leaf.entries.len()).sum::<usize>();
        let source = self.source;
        let whole = self.whole;
        self.add_all(divisions.iter().collect(), |division: &Division| {
            let keys = by_place(&division.entries);
            Ok(file(content(source, whole, &list_wanted(&keys))?, &keys, table, false)?)
        })?;
        for division in divisions {
            let least = division.own_entries().map(|entry| entry.cost).min();
            pages.push((division.found_by.clone(), least));
        }
        Ok(())
    }
}

/// Divides keys of countries and states: those of the root, and others. Whoever finds an area by a text in the root looks into no page,
/// so the root has all areas of that text.
fn divide_areas(keys: Vec<Entry>) -> (Vec<Entry>, Vec<Entry>) {
    let is_known = |entry: &&Entry| entry.key.class.is_none() || entry.weight <= AREA_OF_ROOT;
    let known: HashSet<String> = keys.iter().filter(is_known).map(|entry| entry.key.text.clone()).collect();
    keys.into_iter().partition(|entry| known.contains(&entry.key.text))
}
