//! Finds the settlement that a site belongs to, by the city name in its source or by distance.

use std::collections::BTreeSet;

use toponym_engine::geo::Coordinate;
use toponym_engine::{Engine, Record, Role};

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
    /// Settlements with [`LEAST_PEOPLE`].
    populated: Nearby,
    /// The borders of states.
    borders: &'a Engine,
    /// Id of the state of each settlement.
    state_of: &'a [Option<u64>],
}

impl<'a> Locator<'a> {
    /// Creates a locator for `settlements`, their records and states, which are in the same order. An engine knows the borders
    /// of states.
    pub fn new(
        settlements: &'a [Settlement],
        records: &'a [Record],
        kinds: &'a BTreeSet<String>,
        (borders, state_of): (&'a Engine, &'a [Option<u64>]),
    ) -> Self {
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
        Self { settlements, records, by_name, nearby, kinds, populated, borders, state_of }
    }

    /// Returns the words for kinds of places, folded.
    pub fn kinds(&self) -> &'a BTreeSet<String> {
        self.kinds
    }

    /// Returns the most populous city with this name within `reach_m` of `at`.
    pub fn settlement_called(&self, country: Iso2, name: &str, at: Coordinate, reach_m: f64) -> Option<&'a Settlement> {
        let wanted = (country, key_hash(name));
        let from = self.by_name.partition_point(|entry| (entry.0, entry.1) < wanted);
        let named = self.by_name[from..].iter().take_while(|entry| (entry.0, entry.1) == wanted);
        let places = named.map(|entry| &self.settlements[entry.2 as usize]);
        let near = places.filter(|place| place.position.distance_m(at) <= reach_m);
        near.max_by_key(|place| (place.people(), std::cmp::Reverse(place.id)))
    }

    /// Returns the nearest city of `country` with at least `population` people, and [`LEAST_PEOPLE`], within `reach_m`. It is
    /// of the state whose border is around `at`, if that is known, unless `at` lies within the city itself.
    pub fn nearest(&self, country: Iso2, at: Coordinate, reach_m: f64, population: u64) -> Option<&'a Settlement> {
        let state = self.borders.state_at(at);
        let is_large = |&(index, _): &(usize, f64)| {
            self.settlements[index].country == country && self.settlements[index].people() >= population
        };
        let near = self.populated.within(at, reach_m).filter(is_large);
        self.of_state(near, state).map(|index| &self.settlements[index])
    }

    /// Returns the id of the smallest area that a site far from any city is likely in: that of the nearest settlement of the
    /// state whose border is around it, if that is known, or the state itself.
    pub fn area(&self, country: Iso2, at: Coordinate) -> Option<u64> {
        let state = self.borders.state_at(at);
        let near = self.nearby.within(at, REMOTE_M).filter(|&(index, _)| self.records[index].country == country);
        self.of_state(near, state).map_or(state, |index| self.records[index].parent)
    }

    /// Returns the index of the nearest settlement that is of a state, if one is given, or holds the point.
    fn of_state(&self, mut near: impl Iterator<Item = (usize, f64)>, state: Option<u64>) -> Option<usize> {
        let is_of = |&(index, distance_m): &(usize, f64)| {
            state.is_none() || self.state_of[index] == state || distance_m <= self.records[index].extent_m
        };
        near.find(is_of).map(|(index, _)| index)
    }
}

#[cfg(test)]
mod tests {
    use toponym_engine::{Border, Bordered, Kind, Name, NameClass};

    use super::*;
    use crate::gazetteer::borders::engine_of_borders;
    use crate::gazetteer::test_settlement;

    /// Checks points near two towns at 45 degrees north, and the border of the eastern one's state, 800 m east of the western
    /// one.
    #[test]
    fn the_border_of_a_state_decides_between_towns() {
        let west = 10;
        let east = 20;
        let towns = [test_settlement(1, "Ouest", (45.0, 2.09), 5_000), test_settlement(2, "Est", (45.0, 2.5), 5_000)];
        let record = |town: &Settlement, state| Record {
            id: town.id,
            kind: Kind { role: Role::City, category: "place".into(), r#type: "town".into() },
            names: vec![Name { text: town.name.clone(), class: NameClass::Primary, lang: None }],
            codes: vec![],
            position: town.position,
            parent: Some(state),
            country: town.country,
            importance: 0.3,
            extent_m: 2_000.0,
            bounds: None,
        };
        let records = [record(&towns[0], west), record(&towns[1], east)];
        let ring = [(44.0, 2.1), (44.0, 3.5), (46.0, 3.5), (46.0, 2.1), (44.0, 2.1)].map(|(lat, lon)| at(lat, lon));
        let engine = engine_of_borders(vec![Border { of: Bordered::State(east), rings: vec![ring.to_vec()] }]);
        let kinds = BTreeSet::new();
        let state_of = [Some(west), Some(east)];
        let locator = Locator::new(&towns, &records, &kinds, (&engine, &state_of));
        let check = |lon: f64, reach_m: f64, town: Option<u64>, area: Option<u64>| {
            let point = at(45.0, lon);
            let found = locator.nearest(*b"FR", point, reach_m, LEAST_PEOPLE).map(|town| town.id);
            assert_eq!((found, locator.area(*b"FR", point)), (town, area), "{lon}");
        };
        check(2.0, 50_000.0, Some(1), Some(west));
        check(2.2, 50_000.0, Some(2), Some(east));
        // Within the western town, and too far from the eastern one.
        check(2.105, 50_000.0, Some(1), Some(west));
        check(2.2, 20_000.0, None, Some(east));
    }

    fn at(lat: f64, lon: f64) -> Coordinate {
        Coordinate::new(lat, lon).expect("it is on the globe")
    }

    /// No town of the state is within reach: the state itself is the area.
    #[test]
    fn a_remote_site_lies_in_its_state() {
        let ring = [(44.0, 2.1), (44.0, 3.5), (46.0, 3.5), (46.0, 2.1), (44.0, 2.1)].map(|(lat, lon)| at(lat, lon));
        let engine = engine_of_borders(vec![Border { of: Bordered::State(20), rings: vec![ring.to_vec()] }]);
        let kinds = BTreeSet::new();
        let locator = Locator::new(&[], &[], &kinds, (&engine, &[]));
        assert_eq!(locator.area(*b"FR", at(45.0, 2.2)), Some(20));
        assert_eq!(locator.area(*b"FR", at(45.0, 2.0)), None);
    }
}
