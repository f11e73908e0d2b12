//! Assigns each part of the globe to a country.
//!
//! Disputed areas follow the same rule: a patch belongs to the country under which most of the settlements inside it
//! are listed, so that a point and its nearest place agree. A patch without settlements belongs to the country that its
//! source names, if any.

use std::collections::{BTreeMap, BTreeSet};

use geo::{BoundingRect, Contains, Coord, LineString, Point, Polygon};
use toponym_engine::geo::Coordinate;
use toponym_engine::{Border, Bordered, Engine, Gazetteer, index};

use super::divisions::{state_code, state_id};
use crate::sources::rows::{Iso2, Patch, Settlement};
use crate::sources::state_borders::RingsByDivision;

/// Assigns every patch to a country and returns the borders.
pub(crate) fn borders(patches: &[Patch], settlements: &[Settlement]) -> Vec<Border> {
    let mut by_latitude: Vec<(Coordinate, Iso2)> =
        settlements.iter().map(|place| (place.position, place.country)).collect();
    by_latitude.sort_by(|a, b| a.0.lat().total_cmp(&b.0.lat()));
    let border = |patch: &Patch| {
        let country = most_listed(patch, &by_latitude).or(patch.owner)?;
        Some(Border { of: Bordered::Country(country), rings: patch.rings.clone() })
    };
    patches.iter().filter_map(border).collect()
}

/// Returns the borders of the states of `settlements`, in the order of their codes.
pub(crate) fn state_borders(rings: &RingsByDivision, settlements: &[Settlement]) -> Vec<Border> {
    let codes: BTreeSet<String> = settlements.iter().map(state_code).collect();
    codes
        .iter()
        .filter_map(|code| Some(Border { of: Bordered::State(state_id(code)), rings: rings.get(code)?.clone() }))
        .collect()
}

/// Creates an engine that knows nothing but the borders: it says in which country and state a point lies.
pub(crate) fn engine_of_borders(borders: Vec<Border>) -> Engine {
    let bytes = index::write(&Gazetteer { borders, ..Gazetteer::default() });
    let bytes = bytes.expect("the borders of every index can be written");
    Engine::open(bytes).expect("an index that was just written is whole")
}

/// Returns the country of most of the settlements inside a patch; the first code if several tie.
fn most_listed(patch: &Patch, by_latitude: &[(Coordinate, Iso2)]) -> Option<Iso2> {
    let mut listed: BTreeMap<Iso2, usize> = BTreeMap::new();
    let polygons: Vec<Polygon> = patch.rings.iter().map(|ring| Polygon::new(line(ring), Vec::new())).collect();
    let boxes: Vec<_> = polygons.iter().map(BoundingRect::bounding_rect).collect();
    let south = boxes.iter().flatten().map(|rect| rect.min().y).fold(f64::INFINITY, f64::min);
    let north = boxes.iter().flatten().map(|rect| rect.max().y).fold(f64::NEG_INFINITY, f64::max);
    let from = by_latitude.partition_point(|(position, _)| position.lat() < south);
    for (position, country) in by_latitude[from..].iter().take_while(|(position, _)| position.lat() <= north) {
        let point = Point::new(position.lon(), position.lat());
        let near = polygons.iter().zip(&boxes).filter(|(_, rect)| rect.is_some_and(|rect| rect.contains(&point)));
        if near.filter(|(polygon, _)| polygon.contains(&point)).count() % 2 == 1 {
            *listed.entry(*country).or_default() += 1;
        }
    }
    listed.into_iter().max_by_key(|&(code, count)| (count, std::cmp::Reverse(code))).map(|(code, _)| code)
}

fn line(ring: &[Coordinate]) -> LineString {
    ring.iter().map(|point| Coord { x: point.lon(), y: point.lat() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gazetteer::test_settlement;

    #[test]
    fn the_settlements_decide() {
        check(vec![square(45.0, 1.0, 2.0)], Some(*b"XX"), Some(*b"FR"));
        check(vec![square(45.0, 1.0, 2.0), square(45.2, 1.2, 1.0)], Some(*b"XX"), Some(*b"XX"));
        check(vec![square(10.0, 1.0, 2.0)], Some(*b"XX"), Some(*b"XX"));
        check(vec![square(10.0, 1.0, 2.0)], None, None);
    }

    fn check(rings: Vec<Vec<Coordinate>>, owner: Option<Iso2>, expect: Option<Iso2>) {
        let places = [test_settlement(1, "A", (45.5, 1.5), 1), test_settlement(2, "B", (46.0, 2.0), 1)];
        let found = borders(&[Patch { owner, rings }], &places);
        assert_eq!(found.first().and_then(Border::country), expect);
    }

    fn square(south: f64, west: f64, size: f64) -> Vec<Coordinate> {
        let corner = |y: f64, x: f64| Coordinate::new(south + y, west + x).expect("it is on the globe");
        vec![corner(0.0, 0.0), corner(size, 0.0), corner(size, size), corner(0.0, size), corner(0.0, 0.0)]
    }

    #[test]
    fn borders_give_country_and_state() {
        let corners = [(40.0, 0.0), (40.0, 5.0), (50.0, 5.0), (50.0, 0.0), (40.0, 0.0)];
        let ring = corners.map(|(lat, lon)| at(lat, lon)).to_vec();
        let state = Border { of: Bordered::State(7), rings: vec![ring.clone()] };
        let engine = engine_of_borders(vec![Border { of: Bordered::Country(*b"FR"), rings: vec![ring] }, state]);
        assert_eq!((engine.state_at(at(48.0, 2.0)), engine.state_at(at(10.0, 2.0))), (Some(7), None));
        assert_eq!(engine.country_at(at(48.0, 2.0)), Some(*b"FR"));
        assert_eq!(engine.country_at(at(10.0, 2.0)), None);
    }

    fn at(lat: f64, lon: f64) -> Coordinate {
        Coordinate::new(lat, lon).expect("it is on the globe")
    }
}
