//! Which settlement a site belongs to: by the name that its source gives and by what is near.

use std::collections::HashMap;

use toponym_engine::geo::Coordinate;
use toponym_engine::{Record, Role};

use crate::sources::rows::{Iso2, Settlement};
use crate::spatial::Nearby;
use crate::text::key;

/// Beyond this a settlement tells nothing of the division that a remote site is in.
const REMOTE_M: f64 = 150_000.0;

/// Looks settlements up by name and by place.
pub(crate) struct Locator<'a> {
    settlements: &'a [Settlement],
    records: &'a [Record],
    by_name: HashMap<(Iso2, String), Vec<usize>>,
    nearby: Nearby,
}

impl<'a> Locator<'a> {
    /// Over `settlements` and their records, in the same order.
    pub fn new(settlements: &'a [Settlement], records: &'a [Record]) -> Self {
        let cities = || records.iter().enumerate().filter(|(_, record)| record.kind.role == Role::City);
        let mut by_name: HashMap<(Iso2, String), Vec<usize>> = HashMap::new();
        for (index, record) in cities() {
            for name in &record.names {
                let indices = by_name.entry((record.country, key(&name.text))).or_default();
                if indices.last() != Some(&index) {
                    indices.push(index);
                }
            }
        }
        let nearby = Nearby::new(cities().map(|(index, record)| (index, record.position)));
        Self { settlements, records, by_name, nearby }
    }

    /// The city of this name within `reach_m` of `at`, the most populous one where there are several.
    pub fn named(&self, country: Iso2, name: &str, at: Coordinate, reach_m: f64) -> Option<&'a Settlement> {
        let indices = self.by_name.get(&(country, key(name)))?;
        let near = indices.iter().filter(|&&index| self.settlements[index].position.distance_m(at) <= reach_m);
        near.max_by_key(|&&index| (self.settlements[index].population, std::cmp::Reverse(index)))
            .map(|&index| &self.settlements[index])
    }

    /// The nearest city of `country` with at least `population` people within `reach_m`.
    pub fn nearest(&self, country: Iso2, at: Coordinate, reach_m: f64, population: u64) -> Option<&'a Settlement> {
        self.nearby
            .within(at, reach_m)
            .map(|(index, _)| &self.settlements[index])
            .find(|settlement| settlement.country == country && settlement.population >= population)
    }

    /// Id of the smallest area that a site far from any city is likely to be in: the one of the nearest settlement.
    pub fn area(&self, country: Iso2, at: Coordinate) -> Option<u64> {
        let near = self.nearby.within(at, REMOTE_M);
        near.map(|(index, _)| &self.records[index]).find(|record| record.country == country)?.parent
    }
}
