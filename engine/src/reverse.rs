//! Reverse geocoding: finds the place that a person would name at a point.

use std::f64::consts::LN_2;

use crate::city::{CityRef, country_code};
use crate::geo::Coordinate;
use crate::index::{Index, Near, PlaceRef, Segment, Vicinity};
use crate::nearby::{AREA_WITHIN_M, NAMED_WITHIN_M, Nearby};
use crate::record::Role;
use crate::search::{Admission, Budgets, NamedAreas};

/// A point outside all borders counts as in the harbour of a place that is at most this far away.
pub(crate) const HARBOUR_M: f64 = 12_000.0;

/// A site with a larger extent (a national park) is the result only if no town is nearer than its centre.
const LARGE_SITE_M: f64 = 5_000.0;

/// If no town is near, a large site is the result only within this share of its extent. It is not really a circle, so
/// farther out the state is the safer answer.
const INNER_PART: f64 = 0.5;

/// A point with all around it, and the country that contains it, as far as borders say.
#[derive(Clone, Copy)]
struct Around<'i> {
    index: &'i Index,
    vicinity: Vicinity<'i>,
    country: Option<[u8; 2]>,
}

impl<'i> Around<'i> {
    /// Finds the country of a point on land.
    fn of(index: &'i Index, point: Coordinate) -> Self {
        let vicinity = index.vicinity(point);
        let country = vicinity.country().filter(|_| vicinity.is_near_land());
        Self { index, vicinity, country }
    }

    /// Finds the state of the point. Most points lie within the extent of a settlement, and need none.
    fn find_state(self) -> Option<PlaceRef<'i>> {
        let code = self.country?;
        let state = self.index.find(self.vicinity.state()?)?;
        // Shapes of states are simpler than those of countries: across a border of its country a state does not count.
        Some(state).filter(|state| state.country().iso2 == code)
    }

    /// Returns how far away from the point, in metres, a populated place may be that says where it is.
    fn reach_m(self) -> f64 {
        match self.country {
            Some(_) => AREA_WITHIN_M,
            None if !self.index.has_borders() => NAMED_WITHIN_M,
            None => HARBOUR_M,
        }
    }

    /// Finds the nearest populated place that says where the point is. The border of a state decides between settlements, as
    /// that of a country does, but it is simplified: within its own extent a settlement is right. If the state has no
    /// settlement within reach, its neighbours have to do.
    fn find_populated(self) -> Option<Near<'i>> {
        let any = self.nearest_populated(|_, _| true)?;
        if any.distance_m <= any.place.extent_m() {
            return Some(any);
        }
        let state = self.find_state().map(PlaceRef::id);
        if state.is_none() || any.place.state() == state {
            return Some(any);
        }
        self.nearest_populated(|segment, row| segment.place(row).state() == state).or(Some(any))
    }

    fn nearest_populated(self, is_meant: impl Fn(Segment<'i>, u32) -> bool) -> Option<Near<'i>> {
        self.vicinity.nearest_populated(self.reach_m(), self.country, is_meant)
    }

    /// Finds the site that covers the point. Of several, the one with the least sum of distance and extent.
    fn find_site(self) -> Option<Near<'i>> {
        let size = |site: &Near| site.distance_m + site.place.extent_m();
        let sites = self.vicinity.sites_over(self.reach_m().min(NAMED_WITHIN_M), self.country);
        sites.min_by(|a, b| size(a).total_cmp(&size(b)).then(a.place.row.cmp(&b.place.row)))
    }
}

/// Finds the place at `point`: first the country, then, within it, a site whose extent covers the point, the nearest populated
/// place, or the state, in this order.
pub(crate) fn place_at(index: &Index, point: Coordinate) -> Option<Near<'_>> {
    let around = Around::of(index, point.canonical());
    let site = around.find_site();
    // No town has to be found to know that a small site does not give way to it.
    if site.is_some_and(|site| site.place.extent_m() <= LARGE_SITE_M) {
        return site;
    }
    let populated = around.find_populated();
    let town = populated.filter(|town| town.distance_m <= NAMED_WITHIN_M);
    let gives_way = |site: &Near| {
        let within_m = town.map_or(site.place.extent_m() * INNER_PART, |town| town.distance_m);
        site.distance_m >= within_m
    };
    let area = || match around.find_state() {
        Some(place) => Some(Near { place, distance_m: populated.map_or(0.0, |far| far.distance_m) }),
        None => populated.map(|far| Near { place: area_of(far.place), ..far }),
    };
    site.filter(|site| !gives_way(site)).or(town).or_else(area)
}

/// Finds the place at a point if it lies in a city, or else the nearest city of its country, at most `within_m` metres away.
pub(crate) fn city_at(index: &Index, point: Coordinate, within_m: f64) -> Option<CityRef<'_>> {
    let here = place_at(index, point).map(|near| near.place);
    here.and_then(CityRef::new).or_else(|| {
        let country = here.and_then(country_code);
        let is_city = |segment: Segment, row: u32| segment.file.places.kind(row).role == Role::City;
        let nearest = index.vicinity(point.canonical()).nearest_populated(within_m, country, is_city);
        nearest.and_then(|near| CityRef::new(near.place))
    })
}

/// Returns how far away from a point, in metres, a populated place may be that says where it is.
pub(crate) fn reach_m(index: &Index, point: Coordinate) -> f64 {
    Around::of(index, point).reach_m()
}

/// Finds the nearest populated place that says where a point is.
pub(crate) fn populated_at(index: &Index, point: Coordinate) -> Option<Near<'_>> {
    Around::of(index, point).find_populated()
}

/// Finds the places near a point that a filter admits, as [`crate::Engine::nearby`] describes them.
pub(crate) fn nearby<'i>(index: &'i Index, nearby: &Nearby) -> Vec<Near<'i>> {
    let point = nearby.point.canonical();
    let budgets = Budgets::of_a_question(index);
    budgets.begin(u32::MAX);
    let admission = Admission::new(index, &nearby.filter, &budgets, &mut NamedAreas::default());
    let here = place_at(index, point);
    let mut found = if nearby.filter.types.is_empty() { Vec::new() } else { areas_over(index, point, here) };
    let first = here.filter(|here| here.distance_m <= nearby.radius_m && !here.place.role().is_area());
    found.extend(first);
    found.retain(|near| admission.admits(near.place));
    let known = found.len().min(nearby.limit);
    for near in index.vicinity(point).nearest(nearby.radius_m, nearby.limit, |place| admission.admits(place)) {
        if found[..known].iter().all(|known| known.place.row != near.place.row) {
            found.push(near);
        }
    }
    found.truncate(nearby.limit);
    found
}

/// Finds the areas that contain a point: the divisions of the place `here`, which names it, and the regions whose box contains
/// it, the smallest first.
fn areas_over<'i>(index: &'i Index, point: Coordinate, here: Option<Near<'i>>) -> Vec<Near<'i>> {
    let divisions = here.into_iter().flat_map(|here| here.place.with_ancestors());
    let divisions = divisions.filter(|place| place.role().is_area());
    let mut regions: Vec<PlaceRef> = index.vicinity(point).regions().collect();
    regions.sort_unstable_by(|a, b| a.extent_m().total_cmp(&b.extent_m()).then(a.row.cmp(&b.row)));
    divisions.chain(regions).map(|place| Near { place, distance_m: 0.0 }).collect()
}

/// Returns the state of a place, or its country, or the place itself.
fn area_of(place: PlaceRef) -> PlaceRef {
    place.ancestors().find(|area| area.role() <= Role::State).unwrap_or(place)
}

/// Computes the confidence of a result: highest within the extent of the place, then halved with every two further extents.
pub(crate) fn confidence(near: Near) -> f64 {
    let place = near.place;
    let extent = place.extent_m().max(1.0);
    let beyond = (near.distance_m / extent - 1.0).max(0.0);
    let highest = if place.role().is_area() { 0.7 } else { 0.95 };
    libm::round(highest * libm::exp(-beyond / 2.0 * LN_2) * 1e4) / 1e4
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::write;
    use crate::record::{Gazetteer, Kind, Name, NameClass, Record};

    /// Creates an index of places with the ids 1, 2, ..., each with its role, its longitude on the equator and its country.
    fn index(places: &[(Role, f64, [u8; 2])]) -> Index {
        let place = |(id, &(role, lon, country)): (u64, &(Role, f64, [u8; 2]))| Record {
            id,
            kind: Kind { role, category: "place".into(), r#type: "town".into() },
            names: vec![Name { text: format!("Place {id}"), class: NameClass::Primary, lang: None }],
            codes: vec![],
            position: Coordinate { lat: 0.0, lon },
            parent: None,
            country,
            importance: 0.5,
            extent_m: 1_000.0,
            bounds: None,
        };
        let gazetteer = Gazetteer { places: (1..).zip(places).map(place).collect(), ..Gazetteer::default() };
        Index::open(write(&gazetteer).expect("the gazetteer is sound").into()).expect("the index is whole")
    }

    #[test]
    fn a_point_without_city_has_the_nearest() {
        let quarter = (Role::Quarter, 10.0, *b"XX");
        let index =
            index(&[quarter, (Role::City, 10.1, *b"YY"), (Role::City, 10.3, *b"XX"), (Role::City, 9.6, *b"XX")]);
        fn check(index: &Index, lon: f64, within_m: f64, expect: Option<u64>) {
            let found = city_at(index, Coordinate { lat: 0.0, lon }, within_m);
            assert_eq!(found.map(CityRef::place_id), expect, "{lon} {within_m}");
        }
        check(&index, 10.1, 1e5, Some(2));
        check(&index, 10.0, 1e5, Some(3));
        check(&index, 10.0, 3e4, None);
        // Nothing names these points: the nearest city is of any country.
        check(&index, 8.0, 5e5, Some(4));
        check(&index, 8.0, 1e5, None);
    }

    /// Without borders no point is known to be at sea: the nearest town names it, as far as a town names anything.
    #[test]
    fn without_borders_the_nearest_town_names_a_point() {
        let index = index(&[(Role::City, 10.0, *b"XX")]);
        let check = |lat: f64, expect: Option<u32>| {
            let found = place_at(&index, Coordinate { lat, lon: 10.0 });
            assert_eq!(found.map(|near| near.place.row.row), expect, "{lat} degrees away");
        };
        check(0.1, Some(0));
        check(0.5, Some(0));
        check(0.67, Some(0));
        check(0.68, None);
    }
}
