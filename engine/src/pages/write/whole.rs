//! What only a look at all places can tell.

use std::collections::{BTreeMap, BTreeSet};

use super::content::is_in_root;
use super::{CHUNK, Source, Writer, parallel};
use crate::coverage::{self, PlacesByKind};
use crate::index::{WriteError, check_place, display_name};
use crate::record::Role;

/// Numbers of the places that the root and the pages of regions have.
#[derive(Debug, Default)]
pub(super) struct Whole {
    /// Countries and states.
    pub areas: Vec<u32>,
    pub regions: Vec<u32>,
}

impl<S: Source> Writer<'_, S> {
    /// Looks at every place: checks it, and counts what the directory says of all.
    pub fn scan(&mut self) -> Result<Whole, S::Error> {
        let mut whole = Whole::default();
        let mut types: BTreeSet<String> = BTreeSet::new();
        let mut counts: BTreeMap<[u8; 2], PlacesByKind> = BTreeMap::new();
        let mut names: BTreeMap<[u8; 2], String> = BTreeMap::new();
        let mut before: Option<(u64, String)> = None;
        let (source, count) = (self.source, self.source.count());
        let checked = |number| -> Result<_, S::Error> {
            let place = source.place(number)?;
            check_place(&place)?;
            Ok(place)
        };
        let of_chunk = |first: u32| parallel::map((first..count.min(first.saturating_add(CHUNK))).collect(), checked);
        for (number, place) in (0..).zip((0..count).step_by(CHUNK as usize).flat_map(of_chunk)) {
            let place = place?;
            let name = display_name(&place);
            if let Some((id, other)) = before.filter(|(id, _)| *id == place.id) {
                return Err(WriteError::Id { id, names: vec![other, name.to_owned()] }.into());
            }
            before = Some((place.id, name.to_owned()));
            if is_in_root(&place) {
                whole.areas.push(number);
            }
            match place.kind.role {
                Role::Region => whole.regions.push(number),
                Role::Country => {
                    names.insert(place.country, name.to_owned());
                }
                _ => {}
            }
            if !types.contains(&place.kind.r#type) {
                types.insert(place.kind.r#type.clone());
            }
            let further = self.further.get(&place.id).into_iter().flatten().map(|further| further.country);
            for country in std::iter::once(place.country).chain(further) {
                counts.entry(country).or_default().count(place.kind.role);
            }
        }
        self.of += count as usize;
        self.directory.types = types.into_iter().collect();
        let coverage = coverage::of_counts(counts, &self.rest.about.countries, |iso2| names.get(&iso2).cloned());
        self.directory.coverage = postcard::to_allocvec(&coverage).map_err(|_| WriteError::TooMany("countries"))?;
        Ok(whole)
    }
}
