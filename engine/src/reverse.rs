//! Reverse geocoding: finds the place that a person would name at a point.

use crate::geo::Coordinate;
use crate::index::{Index, Nearest};
use crate::record::Role;

/// A point at most this far from the nearest populated place gets its name. This is about two thirds of a degree of
/// latitude; farther away, the name would not say where the point is.
pub(crate) const NAMED_WITHIN_M: f64 = 75_000.0;

/// A point on land at most this far from the nearest populated place of its country gets the name of the state. Farther
/// away (ice caps, Antarctica) there is no result.
pub(crate) const AREA_WITHIN_M: f64 = 500_000.0;

/// A point outside all borders counts as in the harbour of a place that is at most this far away.
pub(crate) const HARBOUR_M: f64 = 12_000.0;

/// A site with a larger extent (a national park) is the result only if no town is nearer than its centre.
const LARGE_SITE_M: f64 = 5_000.0;

/// If no town is near, a large site is the result only within this share of its extent. It is not really a circle, so
/// farther out the state is the safer answer.
const INNER_PART: f64 = 0.5;

/// The place at `point`. Finds the country first, then, within it, a site whose extent covers the point, the nearest
/// populated place, or the state, in this order.
pub(crate) fn place_at(index: &Index, point: Coordinate) -> Option<Nearest> {
    let point = point.canonical();
    let country = index.country_at(point).filter(|_| index.is_near_land(point));
    let of_country = |row: u32| country.is_none_or(|country| index.place(row).country_number() == country);
    let reach = match country {
        Some(_) => AREA_WITHIN_M,
        None if !index.has_borders() => NAMED_WITHIN_M,
        None => HARBOUR_M,
    };
    let site = site_at(index, point, reach.min(NAMED_WITHIN_M), of_country);
    let populated = index.populated().nearest(point, reach, of_country);
    let town = populated.filter(|town| town.distance_m <= NAMED_WITHIN_M);
    let gives_way = |site: &Nearest| {
        let extent = index.place(site.row).extent_m();
        let within_m = town.map_or(extent * INNER_PART, |town| town.distance_m);
        extent > LARGE_SITE_M && site.distance_m >= within_m
    };
    let area = || populated.map(|far| Nearest { row: area_of(index, far.row), ..far });
    site.filter(|site| !gives_way(site)).or(town).or_else(area)
}

/// The state of a row, or its country, or the row itself.
fn area_of(index: &Index, row: u32) -> u32 {
    index.place(row).ancestors().find(|area| area.role() <= Role::State).map_or(row, |area| area.row)
}

/// The site that covers `point`, with its centre at most `within_m` away. Of several, the one with the least sum of
/// distance and extent.
fn site_at(index: &Index, point: Coordinate, within_m: f64, keep: impl Fn(u32) -> bool) -> Option<Nearest> {
    let size = |site: &Nearest| site.distance_m + index.place(site.row).extent_m();
    let sites = index.sites().over(point, within_m, keep);
    sites.min_by(|a, b| size(a).total_cmp(&size(b)).then(a.row.cmp(&b.row)))
}

/// Confidence of a result: highest within the extent of the place, then halved with every two further extents.
pub(crate) fn confidence(index: &Index, near: Nearest) -> f64 {
    let place = index.place(near.row);
    let extent = place.extent_m().max(1.0);
    let beyond = (near.distance_m / extent - 1.0).max(0.0);
    let highest = if place.role().is_area() { 0.7 } else { 0.95 };
    libm::round(highest * libm::exp2(-beyond / 2.0) * 1e4) / 1e4
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::write;
    use crate::record::{Gazetteer, Kind, Name, NameClass, Record};

    /// Without borders no point is known to be at sea: the nearest town names it, as far as a town names anything.
    #[test]
    fn without_borders_the_nearest_town_names_a_point() {
        let town = Record {
            id: 1,
            kind: Kind { role: Role::City, category: "place".into(), r#type: "town".into() },
            names: vec![Name { text: "Town".into(), class: NameClass::Primary, lang: None }],
            codes: vec![],
            position: Coordinate { lat: 0.0, lon: 10.0 },
            parent: None,
            country: *b"XX",
            importance: 0.5,
            extent_m: 1_000.0,
            bounds: None,
        };
        let gazetteer = Gazetteer { places: vec![town], ..Gazetteer::default() };
        let bytes = write(&gazetteer).expect("the gazetteer is sound");
        let index = Index::open(bytes.into()).expect("the index is whole");
        let check = |lat: f64, expect: Option<u32>| {
            let found = place_at(&index, Coordinate { lat, lon: 10.0 });
            assert_eq!(found.map(|near| near.row), expect, "{lat} degrees away");
        };
        check(0.1, Some(0));
        check(0.5, Some(0));
        check(0.67, Some(0));
        check(0.68, None);
    }
}
