//! The root.

use std::collections::{BTreeMap, HashSet};

use super::super::key::Entry;
use super::content::{Content, Wanted, content};
use super::page::{Table, by_id, by_place, list_wanted, with_keys};
use super::shown::Shown;
use super::{Source, Writer};
use crate::index::{Contents, WriteError, encode};
use crate::record::Capital;

impl<S: Source> Writer<'_, S> {
    /// Adds the pages of languages, and returns the root: countries and states, and the places of some keys.
    pub fn root(&mut self, entries: &[Entry]) -> Result<Vec<u8>, S::Error> {
        let keys = by_place(entries);
        // Other names are in pages that come with every question in their language.
        let of_keys = list_wanted(&keys).into_iter().map(|place| (place.number, place));
        let mut places: BTreeMap<u32, Wanted> = of_keys.collect();
        for &number in &self.whole.root_areas {
            places.entry(number).or_insert(Wanted { number, names: Shown::First, codes: true }).codes = true;
        }
        let places: Vec<Wanted> = places.into_values().collect();
        let content = content(self.source, self.whole, &places)?;
        let is_here: HashSet<u64> = content.places().map(|place| place.id).collect();
        let Content { mut gazetteer, areas, ids, bare, .. } = content;
        let (capitals, others): (Vec<Capital>, Vec<Capital>) =
            self.rest.capitals.iter().partition(|one| is_here.contains(&one.area) && is_here.contains(&one.city));
        gazetteer.capitals = capitals;
        gazetteer.about = self.rest.about.clone();
        gazetteer.lexicon = self.rest.lexicon.clone();
        gazetteer.land = self.rest.land.clone();
        self.languages(&|id| is_here.contains(&id))?;
        self.capitals(&others)?;
        let directory = postcard::to_allocvec(&self.directory).map_err(|_| WriteError::TooMany("the directory"))?;
        let keys = by_id(&ids, &keys);
        with_keys(&keys, Table::Names, |keys| {
            Ok(encode(&Contents { keys, areas, bare, directory, ..Contents::of(&gazetteer) }, &|_| {})?)
        })
    }
}
