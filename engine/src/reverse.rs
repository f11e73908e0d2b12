//! A point to the place a person would name there.

use crate::geo::Coordinate;
use crate::index::{Index, Nearest};
use crate::record::Role;

/// Within this distance of its nearest populated place a point is called after that place; one degree of latitude
/// holds two such distances, and beyond them the name would tell nobody where the point is.
pub(crate) const NAMED_WITHIN_M: f64 = 75_000.0;

/// Within this distance of the nearest populated place of its country a point on land is called after the state;
/// farther out (ice caps, Antarctica) it has no place.
pub(crate) const AREA_WITHIN_M: f64 = 500_000.0;

/// Outside every border, a point this near to a place is in its harbour, not at sea.
pub(crate) const HARBOUR_M: f64 = 12_000.0;

/// A site as large as this (a national park) is named only where no town is nearer than its own centre.
const LARGE_SITE_M: f64 = 5_000.0;

/// Where no town is near to compare with, a large site is named in this part of its extent: it is no circle, and farther out
/// its state says what is certain.
const INNER_PART: f64 = 0.5;

/// The place at `point`: country first, then the site whose extent reaches over it, however far any town is, else the
/// nearest populated place of that country, else its state.
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

/// The state of a row, else the country, else the row itself.
fn area_of(index: &Index, row: u32) -> u32 {
    index.place(row).ancestors().find(|area| area.role() <= Role::State).map_or(row, |area| area.row)
}

/// The site that `point` is on, its centre at most `within_m` away: of several the one that is smallest for its distance.
fn site_at(index: &Index, point: Coordinate, within_m: f64, keep: impl Fn(u32) -> bool) -> Option<Nearest> {
    let size = |site: &Nearest| site.distance_m + index.place(site.row).extent_m();
    let sites = index.sites().over(point, within_m, keep);
    sites.min_by(|a, b| size(a).total_cmp(&size(b)).then(a.row.cmp(&b.row)))
}

/// How sure the answer is: full within the place's extent, halved with each further extent.
pub(crate) fn confidence(index: &Index, near: Nearest) -> f64 {
    let place = index.place(near.row);
    let extent = place.extent_m().max(1.0);
    let beyond = (near.distance_m / extent - 1.0).max(0.0);
    let sure = if place.role().is_area() { 0.7 } else { 0.95 };
    libm::round(sure * libm::exp2(-beyond / 2.0) * 1e4) / 1e4
}
