//! A point to the place a person would name there.

use crate::geo::{Coordinate, METRES_PER_DEGREE, chord_to_metres, metres_to_chord};
use crate::index::{Index, Tiles};
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

/// The nearest place is looked for within the distance of some place that is near, and, as long as there is none (that one
/// is not to be kept), in a circle so many times as wide. Looking at the few tiles of the first circle in no order takes a
/// third of the instructions that meeting all tiles nearest first takes.
const REACH_GROWTH: f64 = 4.0;

/// The distance of a place that is near is told by plane geometry, which may fall short of what it is on the sphere: over
/// 75 km by 0.4 % at 60 degrees of latitude and 1.3 % at 80, less over shorter ways. Where it still falls short, the circle
/// grows.
const ROUNDING: f64 = 1.02;

/// No circle is smaller: it has to hold a place that is at the point.
const LEAST_REACH_M: f64 = 50.0;

/// A row, and how far from the point its centre is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Nearest {
    pub row: u32,
    pub distance_m: f64,
}

/// The place at `point`: country first, then the site whose extent reaches over it, however far any town is, else the
/// nearest populated place of that country, else its state.
pub(crate) fn place_at(index: &Index, point: Coordinate) -> Option<Nearest> {
    let point = point.canonical();
    let country = index.borders.country_at(point).filter(|_| index.land.is_near(point));
    let of_country = |row: u32| country.is_none_or(|country| index.places.country_number(row) == country);
    let reach = match country {
        Some(_) => AREA_WITHIN_M,
        None if index.borders.is_empty() => NAMED_WITHIN_M,
        None => HARBOUR_M,
    };
    let site = site_at(index, point, reach.min(NAMED_WITHIN_M), of_country);
    let populated = nearest(index, &index.populated, point, reach, of_country);
    let town = populated.filter(|town| town.distance_m <= NAMED_WITHIN_M);
    let gives_way = |site: &Nearest| {
        let extent = index.places.extent_m(site.row);
        let within_m = town.map_or(extent * INNER_PART, |town| town.distance_m);
        extent > LARGE_SITE_M && site.distance_m >= within_m
    };
    let area = || populated.map(|far| Nearest { row: area_of(index, far.row), ..far });
    site.filter(|site| !gives_way(site)).or(town).or_else(area)
}

/// The state of a row, else the country, else the row itself.
fn area_of(index: &Index, row: u32) -> u32 {
    let mut ancestors = index.places.ancestors(row);
    ancestors.find(|&area| index.places.role(area) <= Role::State).unwrap_or(row)
}

/// The site that `point` is on, its centre at most `within_m` away: of several the one that is smallest for its distance.
fn site_at(index: &Index, point: Coordinate, within_m: f64, keep: impl Fn(u32) -> bool) -> Option<Nearest> {
    let centre = point.unit_vector();
    let lat = (point.lat * UNITS_PER_DEGREE) as i64;
    let mut best: Option<(f64, Nearest)> = None;
    for row in index.sites.over(centre).flatten() {
        let extent = index.places.extent_m(row);
        // Most sites of a tile are out by their latitude alone, which costs no trigonometry.
        let north = (i64::from(index.places.stored_position(row).0) - lat).abs() as f64;
        if north - SLACK > extent / METRES_PER_DEGREE * UNITS_PER_DEGREE || !keep(row) {
            continue;
        }
        let distance_m = chord_to_metres(chord(centre, index.places.position(row).unit_vector()));
        let size = distance_m + extent;
        if distance_m <= extent.min(within_m) && best.is_none_or(|(least, known)| (size, row) < (least, known.row)) {
            best = Some((size, Nearest { row, distance_m }));
        }
    }
    best.map(|(_, site)| site)
}

/// The row of `tiles` nearest to `point`, at most `within_m` away, for which `keep` is true; of equally near rows the
/// first.
pub(crate) fn nearest(
    index: &Index,
    tiles: &Tiles,
    point: Coordinate,
    within_m: f64,
    keep: impl Fn(u32) -> bool,
) -> Option<Nearest> {
    let mut reach_m = some_distance_m(index, tiles, point).min(within_m);
    loop {
        let found = nearest_within(index, tiles, point, reach_m, &keep);
        if found.is_some() || reach_m >= within_m {
            return found;
        }
        reach_m = (reach_m * REACH_GROWTH).min(within_m);
    }
}

/// About how far some place near `point` is.
fn some_distance_m(index: &Index, tiles: &Tiles, point: Coordinate) -> f64 {
    let ring = libm::cos(point.lat.to_radians());
    let (lat, lon) = (point.lat * UNITS_PER_DEGREE, point.lon * UNITS_PER_DEGREE);
    let squared = |row: u32| {
        let (row_lat, row_lon) = index.places.stored_position(row);
        let (up, across) = (f64::from(row_lat) - lat, (f64::from(row_lon) - lon).abs());
        let across = ring * across.min(UNITS_ROUND as f64 - across);
        up * up + across * across
    };
    let least = tiles.beside(point, |row| index.places.position(row)).map(squared).fold(f64::INFINITY, f64::min);
    (libm::sqrt(least) / UNITS_PER_DEGREE * METRES_PER_DEGREE * ROUNDING).max(LEAST_REACH_M)
}

fn nearest_within(
    index: &Index,
    tiles: &Tiles,
    point: Coordinate,
    reach_m: f64,
    keep: impl Fn(u32) -> bool,
) -> Option<Nearest> {
    let centre = point.unit_vector();
    let reach = metres_to_chord(reach_m);
    let mut window = Window::around(point);
    let mut best = (reach, u32::MAX);
    window.shrink(best.0);
    for row in tiles.within(centre, reach).flatten() {
        if !window.admits(index.places.stored_position(row)) || !keep(row) {
            continue;
        }
        let chord = chord(centre, index.places.position(row).unit_vector());
        if (chord, row) < best {
            best = (chord, row);
            window.shrink(chord);
        }
    }
    (best.1 != u32::MAX).then(|| Nearest { row: best.1, distance_m: chord_to_metres(best.0) })
}

/// The rows of `tiles` within `reach_m` of `point` for which `keep` is true, in no order.
pub(crate) fn within(
    index: &Index,
    tiles: &Tiles,
    point: Coordinate,
    reach_m: f64,
    keep: impl Fn(u32) -> bool,
) -> Vec<Nearest> {
    let rows = tiles.within(point.unit_vector(), metres_to_chord(reach_m)).flatten().filter(|&row| keep(row));
    let near = rows.map(|row| Nearest { row, distance_m: point.distance_m(index.places.position(row)) });
    near.filter(|near| near.distance_m <= reach_m).collect()
}

pub(crate) fn chord(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|i| (a[i] - b[i]) * (a[i] - b[i])).sum()
}

/// The latitudes and longitudes, in stored units, beyond which nothing can be nearer than what is known: most rows of
/// a tile are passed over by two comparisons, without trigonometry.
struct Window {
    lat: i64,
    lon: i64,
    ring: f64,
    lat_degrees: f64,
    lat_reach: i64,
    lon_reach: i64,
}

const UNITS_PER_DEGREE: f64 = 1e5;
const UNITS_ROUND: i64 = 36_000_000;

/// Rounding of stored positions and of the arithmetic, in stored units.
const SLACK: f64 = 2.0;

impl Window {
    fn around(point: Coordinate) -> Self {
        Self {
            lat: (point.lat * UNITS_PER_DEGREE) as i64,
            lon: (point.lon * UNITS_PER_DEGREE) as i64,
            ring: libm::cos(point.lat.to_radians()),
            lat_degrees: point.lat.abs(),
            lat_reach: i64::MAX,
            lon_reach: i64::MAX,
        }
    }

    fn admits(&self, (lat, lon): (i32, i32)) -> bool {
        let across = (i64::from(lon) - self.lon).abs();
        (i64::from(lat) - self.lat).abs() <= self.lat_reach && across.min(UNITS_ROUND - across) <= self.lon_reach
    }

    /// chord^2 >= cos(lat) cos(lat') (2 sin(dlon / 2))^2, and no admitted lat' is beyond the reach in latitude. The
    /// reaches need not be tight: for a sine up to [`SMALL_SINE`] an upper bound does without trigonometry.
    fn shrink(&mut self, chord: f64) {
        let half_chord = (libm::sqrt(chord) / 2.0).min(1.0);
        let reach = 2.0 * arc(half_chord).to_degrees();
        self.lat_reach = (reach * UNITS_PER_DEGREE + SLACK) as i64;
        let highest = self.lat_degrees + reach;
        let ring = if highest >= 90.0 { 0.0 } else { self.ring * libm::cos(highest.to_radians()) };
        let half_sine = half_chord / libm::sqrt(ring);
        self.lon_reach = if half_sine < 1.0 {
            (2.0 * arc(half_sine).to_degrees() * UNITS_PER_DEGREE + SLACK) as i64
        } else {
            i64::MAX
        };
    }
}

/// Up to this sine, asin(x) <= x (1 + x^2 / 5): its series is x + x^3 / 6 + 3 x^5 / 40 + ..., and all terms behind the
/// second stay below x^3 / 30.
const SMALL_SINE: f64 = 0.5;

/// The angle of a sine, or a little more.
fn arc(sine: f64) -> f64 {
    if sine <= SMALL_SINE { sine * (1.0 + sine * sine / 5.0) } else { libm::asin(sine) }
}

/// How sure the answer is: full within the place's extent, halved with each further extent.
pub(crate) fn confidence(index: &Index, near: Nearest) -> f64 {
    let extent = index.places.extent_m(near.row).max(1.0);
    let beyond = (near.distance_m / extent - 1.0).max(0.0);
    let sure = if index.places.role(near.row).is_area() { 0.7 } else { 0.95 };
    libm::round(sure * libm::exp2(-beyond / 2.0) * 1e4) / 1e4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arc_is_never_too_short_and_hardly_too_long() {
        for step in 0..=1_000 {
            let sine = f64::from(step) / 1_000.0;
            let (arc, exact) = (arc(sine), libm::asin(sine));
            assert!(exact <= arc && arc <= exact * 1.01, "{sine}: {arc}, not {exact}");
            assert!(sine <= SMALL_SINE || arc == exact, "{sine}");
        }
    }

    /// The window is the circle's, but for the rounding: what lies farther north or east than its edge is not admitted.
    #[test]
    fn a_window_is_as_high_and_wide_as_its_circle() {
        let check = |lat: f64, lon: f64, degrees: f64, [up, across]: [f64; 2]| {
            let mut window = Window::around(Coordinate { lat, lon });
            assert!(window.admits((-9_000_000, 0)) && window.admits((9_000_000, -18_000_000)), "all at first");
            window.shrink(metres_to_chord(degrees * METRES_PER_DEGREE));
            let units = |degrees: f64| (degrees * UNITS_PER_DEGREE) as i32;
            let east = |degrees: f64| (units(lon + degrees) + 18_000_000).rem_euclid(36_000_000) - 18_000_000;
            for side in [-1.0, 1.0] {
                for (share, expect) in [(0.99, true), (1.01, false)] {
                    let point = (units(lat + side * share * up), units(lon));
                    assert_eq!(window.admits(point), expect, "{lat} {lon} {degrees}: {point:?}");
                    let point = (units(lat), east(side * share * across));
                    assert_eq!(window.admits(point), expect, "{lat} {lon} {degrees}: {point:?}");
                }
            }
        };
        check(0.0, 0.0, 1.0, [1.0, 1.0]);
        check(0.0, 100.0, 40.0, [40.11, 46.19]);
        check(60.0, 10.0, 1.0, [1.0, 2.03]);
        check(-60.0, 10.0, 1.0, [1.0, 2.03]);
        check(10.0, 179.8, 1.0, [1.0, 1.017]);
        check(10.0, -179.8, 1.0, [1.0, 1.017]);
        check(80.0, 0.0, 5.0, [5.0, 41.65]);
    }

    /// Nearer to a pole than the circle reaches, every meridian is in it.
    #[test]
    fn a_window_over_a_pole_holds_all_meridians() {
        for (lat, degrees) in [(89.5, 1.0), (-89.5, 1.0), (89.0, 1.0), (-89.0, 1.0), (80.0, 9.9)] {
            let mut window = Window::around(Coordinate { lat, lon: 20.0 });
            window.shrink(metres_to_chord(degrees * METRES_PER_DEGREE));
            assert!(window.admits(((lat * UNITS_PER_DEGREE) as i32, -16_000_000)), "{lat}");
        }
    }
}
