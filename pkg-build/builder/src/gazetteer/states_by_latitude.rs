//! Finds the state that an area lies in by the settlements in its box.

use std::collections::BTreeMap;

use toponym_engine::geo::{Bounds, Coordinate};

use crate::sources::rows::Iso2;

/// A region lies in a state if this share of the settlements in its box does.
const IN_STATE: f64 = 0.95;

/// Settlements with the state that each lies in.
pub(crate) struct StatesByLatitude(Vec<(Coordinate, Iso2, u64)>);

impl StatesByLatitude {
    /// From the position, country and state of settlements.
    pub fn new(settlements: impl Iterator<Item = (Coordinate, Iso2, u64)>) -> Self {
        let mut sorted: Vec<_> = settlements.collect();
        sorted.sort_by(|a, b| a.0.lat().total_cmp(&b.0.lat()));
        Self(sorted)
    }

    /// The state of `country` that nearly all settlements of `country` in the box lie in.
    pub fn holding(&self, bounds: Bounds, country: Iso2) -> Option<u64> {
        let south = self.0.partition_point(|(at, ..)| at.lat() < bounds.south);
        let in_band = self.0[south..].iter().take_while(|(at, ..)| at.lat() <= bounds.north);
        let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
        for (_, _, state) in in_band.filter(|(at, of, _)| *of == country && bounds.contains(*at)) {
            *counts.entry(*state).or_default() += 1;
        }
        let all: usize = counts.values().sum();
        let (state, count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
        (count as f64 >= IN_STATE * all as f64).then_some(state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(lat: f64, lon: f64) -> Coordinate {
        Coordinate::new(lat, lon).expect("a test coordinate is in range")
    }

    #[test]
    fn an_area_lies_in_the_state_of_nearly_all_its_settlements() {
        let check = |of_seven: usize, of_eight: usize, expect: Option<u64>| {
            let inside = |count: usize, state: u64| (0..count).map(move |_| (at(45.5, 9.5), *b"IT", state));
            let beside = [(at(46.5, 9.5), *b"IT", 9), (at(45.5, 10.5), *b"IT", 9), (at(45.5, 9.5), *b"CH", 9)];
            let states = StatesByLatitude::new(inside(of_seven, 7).chain(inside(of_eight, 8)).chain(beside));
            let bounds = Bounds { south: 45.0, north: 46.0, west: 9.0, east: 10.0 };
            assert_eq!(states.holding(bounds, *b"IT"), expect, "{of_seven} {of_eight}");
        };
        check(1, 0, Some(7));
        check(95, 5, Some(7));
        check(94, 6, None);
        check(5, 95, Some(8));
        check(0, 0, None);
    }
}
