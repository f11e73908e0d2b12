//! Finds the state that an area lies in by the borders around its box, or by the settlements in it.

use std::collections::BTreeMap;

use toponym_engine::Engine;
use toponym_engine::geo::{Bounds, Coordinate};

use crate::sources::rows::Iso2;

/// A region lies in a state if this share of the settlements in its box does.
const IN_STATE: f64 = 0.95;

/// Settlements with the state that each lies in, and the borders of states.
pub(crate) struct StatesByLatitude<'a> {
    settlements: Vec<(Coordinate, Iso2, u64)>,
    borders: &'a Engine,
}

impl<'a> StatesByLatitude<'a> {
    /// Creates a finder from the position, country and state of settlements, and an engine that knows the borders of
    /// states.
    pub fn new(settlements: impl Iterator<Item = (Coordinate, Iso2, u64)>, borders: &'a Engine) -> Self {
        let mut settlements: Vec<_> = settlements.collect();
        settlements.sort_by(|a, b| a.0.lat().total_cmp(&b.0.lat()));
        Self { settlements, borders }
    }

    /// Returns the state around all corners of the box, or the one that nearly all settlements of `country` in the box lie
    /// in.
    pub fn state_around(&self, bounds: Bounds, country: Iso2) -> Option<u64> {
        let Bounds { south, north, west, east } = bounds;
        let corners = [(south, west), (south, east), (north, west), (north, east)];
        let states = corners.map(|(lat, lon)| self.borders.state_at(Coordinate::new(lat, lon)?));
        if states.iter().all(|state| *state == states[0]) && states[0].is_some() {
            return states[0];
        }
        let south = self.settlements.partition_point(|(at, ..)| at.lat() < bounds.south);
        let in_band = self.settlements[south..].iter().take_while(|(at, ..)| at.lat() <= bounds.north);
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
    use toponym_engine::{Border, Bordered};

    use super::*;
    use crate::gazetteer::borders::engine_of_borders;

    fn at(lat: f64, lon: f64) -> Coordinate {
        Coordinate::new(lat, lon).expect("a test coordinate is in range")
    }

    #[test]
    fn an_area_follows_its_settlements_state() {
        check(1, 0, Some(7));
        check(95, 5, Some(7));
        check(94, 6, None);
        check(5, 95, Some(8));
        check(0, 0, None);
    }

    fn check(of_seven: usize, of_eight: usize, expect: Option<u64>) {
        let inside = |count: usize, state: u64| (0..count).map(move |_| (at(45.5, 9.5), *b"IT", state));
        let beside = [(at(46.5, 9.5), *b"IT", 9), (at(45.5, 10.5), *b"IT", 9), (at(45.5, 9.5), *b"CH", 9)];
        let borders = engine_of_borders(Vec::new());
        let states = StatesByLatitude::new(inside(of_seven, 7).chain(inside(of_eight, 8)).chain(beside), &borders);
        let bounds = Bounds { south: 45.0, north: 46.0, west: 9.0, east: 10.0 };
        assert_eq!(states.state_around(bounds, *b"IT"), expect, "{of_seven} {of_eight}");
    }

    #[test]
    fn an_empty_area_takes_the_surrounding_state() {
        let borders = engine_of_borders(vec![square(7, 9.0, 10.0), square(8, 10.0, 11.0)]);
        let states = StatesByLatitude::new(std::iter::empty(), &borders);
        let check = |west: f64, east: f64, expect: Option<u64>| {
            let bounds = Bounds { south: 45.5, north: 46.0, west, east };
            assert_eq!(states.state_around(bounds, *b"IT"), expect, "{west} {east}");
        };
        check(9.1, 9.9, Some(7));
        check(10.1, 10.9, Some(8));
        check(9.5, 10.5, None);
        check(10.5, 11.5, None);
        check(12.0, 12.5, None);
    }

    fn square(state: u64, west: f64, east: f64) -> Border {
        let ring = [(45.0, west), (45.0, east), (47.0, east), (47.0, west), (45.0, west)];
        Border { of: Bordered::State(state), rings: vec![ring.map(|(lat, lon)| at(lat, lon)).to_vec()] }
    }
}
