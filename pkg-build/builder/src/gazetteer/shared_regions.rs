//! Regions as their countries make them, each from its own places, and put together.

use std::collections::HashMap;

use toponym_engine::{NO_COUNTRY, Name, NameClass, Record};

use super::regions;
use crate::sources::regions::Region;
use crate::sources::rows::Iso2;

/// Regions as each of their countries makes them.
#[derive(Debug, Default)]
pub(crate) struct SharedRegions(HashMap<(Iso2, u64), Record>);

impl SharedRegions {
    /// Takes the regions as a country makes them.
    pub fn take(&mut self, country: Iso2, regions: Vec<Record>) {
        self.0.extend(regions.into_iter().map(|region| ((country, region.id), region)));
    }

    /// Returns what the countries of each region make of it together.
    pub fn finish(mut self, all: &[Region]) -> Vec<Record> {
        let together = |region: &Region| {
            let countries = if region.countries.is_empty() { &[NO_COUNTRY][..] } else { &region.countries };
            let made = countries.iter().filter_map(|&country| self.0.remove(&(country, regions::id(region))));
            made.reduce(join)
        };
        all.iter().filter_map(together).collect()
    }
}

/// Puts a region as two countries make it together: landmarks of both are it, and add their names.
fn join(mut one: Record, other: Record) -> Record {
    for name in other.names {
        let is_known = |known: &&mut Name| {
            known.text == name.text && (known.lang == name.lang || known.lang.is_none() || name.lang.is_none())
        };
        match one.names.iter_mut().find(is_known) {
            Some(known) => known.class = known.class.min(name.class),
            None => add(&mut one.names, name),
        }
    }
    one.parent = one.parent.or(other.parent);
    one
}

/// Adds a name behind the others, but before those that are weak.
fn add(names: &mut Vec<Name>, name: Name) {
    let at = if is_weak(&name) {
        names.len()
    } else {
        names.iter().rposition(|known| !is_weak(known)).map_or(0, |at| at + 1)
    };
    names.insert(at, name);
}

fn is_weak(name: &Name) -> bool {
    name.class == NameClass::Weak
}
