//! A point to the place a person would name there.

use crate::geo::{Coordinate, chord_to_metres};
use crate::index::{Index, Tiles};
use crate::record::Role;

/// Nothing populated within this distance: the point has no place. Farther out a name would say nothing about it.
pub(crate) const MAX_DISTANCE_M: f64 = 100_000.0;

/// A site as large as this (a national park) is named only where no town is nearer than its own centre.
const LARGE_SITE_M: f64 = 5_000.0;

/// The nearest row of a run of tiles, and its distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Nearest {
    pub row: u32,
    pub distance_m: f64,
}

/// The place at `point`: a site whose extent reaches over it, else the nearest populated place within
/// [`MAX_DISTANCE_M`].
pub(crate) fn place_at(index: &Index, point: Coordinate) -> Option<Nearest> {
    let populated = nearest(index, &index.populated, point, |_| true).filter(|near| near.distance_m <= MAX_DISTANCE_M);
    let site = site_at(index, point).filter(|site| {
        let large = index.places.extent_m(site.row) > LARGE_SITE_M;
        !large || populated.is_none_or(|near| site.distance_m < near.distance_m)
    });
    site.or(populated)
}

/// The site that `point` is on: of several the one that is smallest for its distance.
fn site_at(index: &Index, point: Coordinate) -> Option<Nearest> {
    let rows = index.sites.over(point.unit_vector()).flatten();
    let near = rows.map(|row| Nearest { row, distance_m: point.distance_m(index.places.position(row)) });
    let on = near.filter(|near| near.distance_m <= index.places.extent_m(near.row));
    on.min_by(|a, b| {
        let size = |near: &Nearest| near.distance_m + index.places.extent_m(near.row);
        size(a).total_cmp(&size(b)).then(a.row.cmp(&b.row))
    })
}

/// The row of `tiles` nearest to `point` for which `keep` is true; of equally near rows the first.
pub(crate) fn nearest(index: &Index, tiles: &Tiles, point: Coordinate, keep: impl Fn(u32) -> bool) -> Option<Nearest> {
    let centre = point.unit_vector();
    let mut window = Window::around(point);
    let mut best: Option<(f64, u32)> = None;
    for (least, rows) in tiles.nearest(centre) {
        if best.is_some_and(|(chord, _)| least > chord) {
            break;
        }
        for row in rows {
            if !window.admits(index.places.stored_position(row)) || !keep(row) {
                continue;
            }
            let chord = chord(centre, index.places.position(row).unit_vector());
            if best.is_none_or(|known| (chord, row) < known) {
                best = Some((chord, row));
                window.shrink(chord);
            }
        }
    }
    best.map(|(chord, row)| Nearest { row, distance_m: chord_to_metres(chord) })
}

fn chord(a: [f64; 3], b: [f64; 3]) -> f64 {
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

    /// chord^2 >= cos(lat) cos(lat') (2 sin(dlon / 2))^2, and no admitted lat' is beyond the reach in latitude.
    fn shrink(&mut self, chord: f64) {
        let half_chord = (libm::sqrt(chord) / 2.0).min(1.0);
        let reach = 2.0 * libm::asin(half_chord).to_degrees();
        self.lat_reach = (reach * UNITS_PER_DEGREE + SLACK) as i64;
        let highest = self.lat_degrees + reach;
        let ring = if highest >= 90.0 { 0.0 } else { self.ring * libm::cos(highest.to_radians()) };
        let half_sine = half_chord / libm::sqrt(ring);
        self.lon_reach = if half_sine < 1.0 {
            (2.0 * libm::asin(half_sine).to_degrees() * UNITS_PER_DEGREE + SLACK) as i64
        } else {
            i64::MAX
        };
    }
}

/// How sure the answer is: full within the place's extent, halved with each further extent.
pub(crate) fn confidence(index: &Index, near: Nearest) -> f64 {
    let extent = index.places.extent_m(near.row).max(1.0);
    let beyond = (near.distance_m / extent - 1.0).max(0.0);
    let sure = if index.places.role(near.row) > Role::Quarter { 0.97 } else { 0.95 };
    libm::round(sure * libm::exp2(-beyond / 2.0) * 1e4) / 1e4
}
