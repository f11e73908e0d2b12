//! Regions of several countries. When countries are merged one by one, each makes such a region from its own places. Here the results
//! are put together.

use std::collections::{BTreeMap, BTreeSet};

use toponym_engine::{Name, NameClass, Record};

use super::inputs::Inputs;
use super::merge;
use super::regions;
use crate::error::BuildError;
use crate::progress;
use crate::sources::rows::Iso2;

/// Which regions lie in several countries.
#[derive(Debug)]
pub(crate) struct Shared(BTreeMap<u64, Vec<Iso2>>);

impl Shared {
    pub fn of(inputs: &Inputs) -> Self {
        let several = inputs.regions.iter().filter(|region| region.countries.len() > 1);
        Self(several.map(|region| (regions::id(region), region.countries.clone())).collect())
    }

    pub fn has(&self, id: u64) -> bool {
        self.0.contains_key(&id)
    }
}

/// Such regions as some countries make them.
#[derive(Debug, Default)]
pub(crate) struct SharedRegions {
    made: BTreeMap<(Iso2, u64), Record>,
    changed: BTreeSet<u64>,
}

impl SharedRegions {
    /// Takes the regions as a country makes them now, and says which of them its rows have changed.
    pub fn take(&mut self, country: Iso2, regions: Vec<Record>, changed: &BTreeSet<u64>) {
        self.changed.extend(changed);
        self.made.extend(regions.into_iter().map(|region| ((country, region.id), region)));
    }

    /// The regions that have changed. Countries without rows are merged as they are.
    ///
    /// # Errors
    /// When two places have the same id.
    pub fn finish(mut self, pinned: &Inputs, shared: &Shared) -> Result<Vec<Record>, BuildError> {
        let of_changed = self.changed.iter().map(|&id| (id, &shared.0[&id]));
        let wanted: BTreeSet<Iso2> = of_changed.flat_map(|(_, countries)| countries).copied().collect();
        let known: BTreeSet<Iso2> = self.made.keys().map(|&(country, _)| country).collect();
        for &country in wanted.difference(&known) {
            let merged = progress::quietly(|| merge(pinned.of(country)))?;
            let regions = merged.gazetteer.places.into_iter().filter(|place| shared.has(place.id)).collect();
            self.take(country, regions, &BTreeSet::new());
        }
        let together = |id: &u64| {
            let made = shared.0[id].iter().filter_map(|&country| self.made.get(&(country, *id)).cloned());
            made.reduce(joined)
        };
        Ok(self.changed.iter().filter_map(together).collect())
    }
}

/// A region as two countries make it. A landmark adds names. A state of the region's name makes the region less important, and weakens
/// the names that they share.
fn joined(mut one: Record, other: Record) -> Record {
    for name in other.names {
        match one.names.iter_mut().find(|known| known.text == name.text && known.lang == name.lang) {
            Some(known) => known.class = known.class.max(name.class),
            None => add(&mut one.names, name),
        }
    }
    one.importance = one.importance.min(other.importance);
    one.parent = one.parent.or(other.parent);
    one
}

/// Adds a name behind the others, but before those that are weak.
fn add(names: &mut Vec<Name>, name: Name) {
    let is_weak = |name: &Name| name.class == NameClass::Weak;
    let at = if is_weak(&name) {
        names.len()
    } else {
        names.iter().rposition(|known| !is_weak(known)).map_or(0, |at| at + 1)
    };
    names.insert(at, name);
}
