//! Pages of names by language.

use std::collections::BTreeMap;

use super::page::empty;
use super::places::{each_or_error, each_place};
use super::{BATCH, Source, Writer};
use crate::index::{Contents, RemoteRecords, encode, translations};

/// Largest number of names of a page of a language.
const LANGUAGE_PAGE: usize = 3_000;

/// Names of one page, each with the id of its place.
struct Names {
    tag: String,
    names: Vec<(u64, String)>,
    /// True if the names are of places in the root.
    of_root: bool,
}

impl<S: Source> Writer<'_, S> {
    /// Adds the pages of names by language.
    pub fn languages(&mut self, is_in_root: &dyn Fn(u64) -> bool) -> Result<(), S::Error> {
        let source = self.source;
        let of_places = each_place(source, |_, place| {
            let named = translations(&place).into_iter();
            Ok(named.map(|(tag, name)| (tag.to_owned(), place.id, name.to_owned())).collect())
        });
        let sorted = source.sorted(Box::new(of_places.flat_map(each_or_error)))?;
        let mut batch: Vec<Names> = Vec::new();
        let mut of_root: BTreeMap<String, Vec<(u64, String)>> = BTreeMap::new();
        for item in sorted {
            let (tag, id, name) = item?;
            if is_in_root(id) {
                of_root.entry(tag).or_default().push((id, name));
                continue;
            }
            match batch.last_mut().filter(|page| page.tag == tag && page.names.len() < LANGUAGE_PAGE) {
                Some(page) => page.names.push((id, name)),
                None => {
                    if batch.len() == BATCH {
                        self.add_names(std::mem::take(&mut batch))?;
                    }
                    batch.push(Names { tag, names: vec![(id, name)], of_root: false });
                }
            }
        }
        batch.extend(of_root.into_iter().map(|(tag, names)| Names { tag, names, of_root: true }));
        self.add_names(batch)?;
        self.directory.languages.sort();
        Ok(())
    }

    fn add_names(&mut self, batch: Vec<Names>) -> Result<(), S::Error> {
        self.add_all(batch.iter().collect(), |page: &Names| {
            let (ids, names) = page.names.iter().map(|(id, name)| (*id, name.as_str())).unzip();
            let remote = RemoteRecords { ids, names, language: Some(&page.tag), curve: Vec::new() };
            Ok(encode(&Contents { remote, ..Contents::of(empty()) }, &|_| {})?)
        })?;
        for Names { tag, names, of_root } in batch {
            let languages = &mut self.directory.languages;
            let at = languages.iter().position(|(known, ..)| *known == tag).unwrap_or_else(|| {
                languages.push((tag, 0, false));
                languages.len() - 1
            });
            let (_, pages, has_root) = &mut languages[at];
            if of_root {
                *has_root = true;
            } else {
                *pages += 1;
                self.directory.language_ids.to_mut().extend(names[0].0.to_le_bytes());
            }
        }
        Ok(())
    }
}
