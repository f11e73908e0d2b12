//! Finds the settlement that a site belongs to, by the city name in its source or by distance.

use std::collections::BTreeSet;

use toponym_engine::geo::Coordinate;
use toponym_engine::{Record, Role};

use crate::sources::rows::{Iso2, Settlement};
use crate::spatial::Nearby;
use crate::text::key_hash;

/// Beyond this distance the nearest settlement says nothing about the division of a remote site.
const REMOTE_M: f64 = 150_000.0;

/// [`Locator::nearest`] finds settlements with at least this many people. An operator's own villages, of which a file may have
/// millions, have no number.
pub(crate) const LEAST_PEOPLE: u64 = 500;

/// Looks up settlements by name and by position.
pub(crate) struct Locator<'a> {
    settlements: &'a [Settlement],
    records: &'a [Record],
    /// Country, hash of a name's key, and index, sorted: about twelve bytes for each of millions of names.
    by_name: Vec<(Iso2, u64, u32)>,
    nearby: Nearby,
    /// Words for kinds of places, folded.
    kinds: &'a BTreeSet<String>,
    /// Those with [`LEAST_PEOPLE`].
    populated: Nearby,
}

impl<'a> Locator<'a> {
    /// Creates a locator for `settlements` and their records, which are in the same order.
    pub fn new(settlements: &'a [Settlement], records: &'a [Record], kinds: &'a BTreeSet<String>) -> Self {
        let cities = || records.iter().enumerate().filter(|(_, record)| record.kind.role == Role::City);
        let names = |(index, record): (usize, &'a Record)| {
            record.names.iter().map(move |name| (record.country, key_hash(&name.text), index as u32))
        };
        let mut by_name: Vec<(Iso2, u64, u32)> = cities().flat_map(names).collect();
        by_name.sort_unstable();
        by_name.dedup();
        let positions = || cities().map(|(index, record)| (index, record.position));
        let nearby = Nearby::new(positions());
        let populated = positions().filter(|&(index, _)| settlements[index].people() >= LEAST_PEOPLE);
        let populated = Nearby::new(populated);
        Self { settlements, records, by_name, nearby, kinds, populated }
    }

    /// The words for kinds of places, folded.
    pub fn kinds(&self) -> &'a BTreeSet<String> {
        self.kinds
    }

    /// The most populous city with this name within `reach_m` of `at`.
    pub fn named(&self, country: Iso2, name: &str, at: Coordinate, reach_m: f64) -> Option<&'a Settlement> {
        let wanted = (country, key_hash(name));
        let from = self.by_name.partition_point(|entry| (entry.0, entry.1) < wanted);
        let named = self.by_name[from..].iter().take_while(|entry| (entry.0, entry.1) == wanted);
        let places = named.map(|entry| &self.settlements[entry.2 as usize]);
        let near = places.filter(|place| place.position.distance_m(at) <= reach_m);
        near.max_by_key(|place| (place.people(), std::cmp::Reverse(place.id)))
    }

    /// The nearest city of `country` with at least `population` people, and [`LEAST_PEOPLE`], within `reach_m`.
    pub fn nearest(&self, country: Iso2, at: Coordinate, reach_m: f64, population: u64) -> Option<&'a Settlement> {
        self.populated
            .within(at, reach_m)
            .map(|(index, _)| &self.settlements[index])
            .find(|settlement| settlement.country == country && settlement.people() >= population)
    }

    /// Id of the smallest area that a site far from any city is likely in: that of the nearest settlement.
    pub fn area(&self, country: Iso2, at: Coordinate) -> Option<u64> {
        let near = self.nearby.within(at, REMOTE_M);
        near.map(|(index, _)| &self.records[index]).find(|record| record.country == country)?.parent
    }
}
