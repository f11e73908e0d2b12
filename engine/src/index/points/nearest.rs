//! Searches by position: the nearest place, all places within a distance, and all places whose extent covers a point.

use super::tiles::Tiles;
use super::window::{UNITS_PER_DEGREE, UNITS_ROUND, Window};
use crate::geo::{Centre, METRES_PER_DEGREE, chord, chord_to_metres, metres_to_chord};
use crate::index::places::Places;

/// Safety factor of the first radius. It is computed with plane geometry, which may give less than the distance on the
/// sphere: for 75 km, 0.4 % less at 60 degrees of latitude and 1.3 % at 80; for shorter distances, less still. If the radius
/// is too small even so, the search goes on without one.
const ROUNDING: f64 = 1.02;

/// Most rows of a layer that a search for several looks at: those of the few tiles around a point, and no continent.
const MOST_ROWS: usize = 20_000;

/// Minimum search radius, so that a place at the point itself is inside.
const LEAST_REACH_M: f64 = 50.0;

/// A row, and the distance of its centre from the point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Nearest {
    pub row: u32,
    pub distance_m: f64,
}

/// The places of a layer, by position.
#[derive(Clone, Copy)]
pub(crate) struct Points<'i> {
    tiles: &'i Tiles,
    places: &'i Places,
}

impl<'i> Points<'i> {
    pub fn new(tiles: &'i Tiles, places: &'i Places) -> Self {
        Self { tiles, places }
    }

    /// Finds the row nearest to `centre`, at most `within_m` metres away, for which `keep` and `is_meant` are true. Of
    /// equally near rows, returns the first. `is_meant`, which may take longer, is asked only of a row that would be the
    /// nearest.
    ///
    /// Looks first in the circle of some place nearby: the few tiles of it in any order take a third of the instructions of
    /// tiles nearest first.
    pub fn nearest(
        self,
        centre: &Centre,
        within_m: f64,
        keep: impl Fn(u32) -> bool,
        is_meant: impl Fn(u32) -> bool,
    ) -> Option<Nearest> {
        let reach_m = self.some_distance_m(centre).min(within_m);
        let found = self.nearest_within(centre, reach_m, &keep, &is_meant);
        if found.is_some() || reach_m >= within_m {
            return found;
        }
        self.nearest_first(centre, within_m, (1, usize::MAX), |row| keep(row) && is_meant(row)).pop()
    }

    /// Finds the `limit` rows nearest to `centre`, at most `within_m` metres away, for which `keep` is true; the nearest
    /// first, equally near ones by row. Leaves out what is farther away than the nearest [`MOST_ROWS`] or so.
    pub fn nearest_many(
        self,
        centre: &Centre,
        within_m: f64,
        limit: usize,
        keep: impl Fn(u32) -> bool,
    ) -> Vec<Nearest> {
        let mut found = self.nearest_first(centre, within_m, (limit, MOST_ROWS), keep);
        found.sort_unstable_by(|a, b| a.distance_m.total_cmp(&b.distance_m).then(a.row.cmp(&b.row)));
        found
    }

    /// Finds the `limit` rows nearest to `centre`, at most `within_m` metres away, for which `keep` is true, in order. Looks at
    /// tiles nearest first, and leaves out what is farther away than the tiles with the nearest `most_rows`.
    fn nearest_first(
        self,
        centre: &Centre,
        within_m: f64,
        (limit, most_rows): (usize, usize),
        keep: impl Fn(u32) -> bool,
    ) -> Vec<Nearest> {
        let mut reach = metres_to_chord(within_m);
        let mut window = Window::around(centre);
        window.shrink(reach);
        let (mut found, mut looked_at) = (Vec::<(f64, u32)>::new(), 0);
        for (nearest, rows) in self.tiles.nearest_first(centre.vector) {
            if limit == 0 || nearest > reach {
                break;
            }
            if looked_at >= most_rows {
                found.retain(|&(chord, _)| chord <= nearest);
                break;
            }
            looked_at += rows.len();
            for (row, position) in self.places.stored_positions(rows) {
                if !window.admits(position) || !keep(row) {
                    continue;
                }
                let chord = chord(centre.vector, self.places.position(row).unit_vector());
                let at = found.partition_point(|&other| other < (chord, row));
                if chord <= reach && at < limit {
                    found.insert(at, (chord, row));
                    found.truncate(limit);
                    if let Some(&(farthest, _)) = found.get(limit - 1) {
                        reach = farthest;
                        window.shrink(reach);
                    }
                }
            }
        }
        found.into_iter().map(|(chord, row)| Nearest { row, distance_m: chord_to_metres(chord) }).collect()
    }

    /// Returns the approximate distance of some place near `centre`, not necessarily the nearest. In single precision, and with
    /// squares compared as integers, which order them alike, several places are looked at together.
    fn some_distance_m(self, &Centre { point, ring, .. }: &Centre) -> f64 {
        let lat = (point.lat * UNITS_PER_DEGREE).round() as i32;
        let lon = (point.lon * UNITS_PER_DEGREE).round() as i32;
        let squared = |(_, (row_lat, row_lon)): (u32, (i32, i32))| {
            let across = row_lon.abs_diff(lon);
            let across = ring as f32 * across.min(UNITS_ROUND.wrapping_sub(across)) as i32 as f32;
            let up = row_lat.wrapping_sub(lat) as f32;
            (up * up + across * across).to_bits() as i32
        };
        let beside = self.tiles.beside(point, |row| self.places.position(row));
        let least = self.places.stored_positions(beside).map(squared).fold(f32::INFINITY.to_bits() as i32, i32::min);
        let least = f64::from(f32::from_bits(least as u32));
        (libm::sqrt(least) / UNITS_PER_DEGREE * METRES_PER_DEGREE * ROUNDING).max(LEAST_REACH_M)
    }

    fn nearest_within(
        self,
        centre: &Centre,
        reach_m: f64,
        keep: impl Fn(u32) -> bool,
        is_meant: impl Fn(u32) -> bool,
    ) -> Option<Nearest> {
        let reach = metres_to_chord(reach_m);
        let mut window = Window::around(centre);
        let mut best = (reach, u32::MAX);
        window.shrink(best.0);
        for rows in self.tiles.within(centre.vector, reach) {
            let positions = self.places.stored_positions(rows.clone()).map(|(_, position)| position);
            for row in window.rows_inside(rows.start, positions) {
                if !keep(row) {
                    continue;
                }
                let chord = chord(centre.vector, self.places.position(row).unit_vector());
                if (chord, row) < best && is_meant(row) {
                    best = (chord, row);
                    window.shrink(chord);
                }
            }
        }
        (best.1 != u32::MAX).then(|| Nearest { row: best.1, distance_m: chord_to_metres(best.0) })
    }

    /// Returns the rows within `reach_m` metres of `centre` for which `keep` is true, in any order.
    pub fn within(self, centre: &Centre, reach_m: f64, keep: impl Fn(u32) -> bool) -> Vec<Nearest> {
        let rows = self.tiles.within(centre.vector, metres_to_chord(reach_m)).flatten().filter(|&row| keep(row));
        let near = rows.map(|row| Nearest { row, distance_m: self.distance_m(centre, row) });
        near.filter(|near| near.distance_m <= reach_m).collect()
    }

    /// Iterates over the rows whose extent covers `centre`, with their own centres at most `within_m` metres away, for which
    /// `keep` is true, in any order.
    pub fn over(self, centre: Centre, within_m: f64, keep: impl Fn(u32) -> bool) -> impl Iterator<Item = Nearest> {
        let lat = (centre.point.lat * UNITS_PER_DEGREE) as i32;
        // Latitude alone excludes most sites of a tile, without trigonometry.
        let rows = self.tiles.over(centre.vector).flat_map(move |rows| self.places.rows_reaching(lat, rows));
        rows.filter(move |&row| keep(row)).filter_map(move |row| {
            let distance_m = self.distance_m(&centre, row);
            (distance_m <= self.places.extent_m(row).min(within_m)).then_some(Nearest { row, distance_m })
        })
    }

    fn distance_m(self, centre: &Centre, row: u32) -> f64 {
        chord_to_metres(chord(centre.vector, self.places.position(row).unit_vector()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tiles::TILE_ROWS;
    use super::*;
    use crate::geo::Coordinate;
    use crate::index::{Index, write};
    use crate::record::{Gazetteer, Kind, Name, NameClass, Record, Role};

    /// Creates an index of places of a role, each with its latitude, longitude and extent in metres.
    fn index(role: Role, places: &[(f64, f64, f64)]) -> Index {
        let place = |(id, &(lat, lon, extent_m)): (u64, &(f64, f64, f64))| Record {
            id,
            kind: Kind { role, category: "place".into(), r#type: "town".into() },
            names: vec![Name { text: format!("Place {id}"), class: NameClass::Primary, lang: None }],
            codes: vec![],
            position: Coordinate { lat, lon: if lon > 180.0 { lon - 360.0 } else { lon } },
            parent: None,
            country: *b"XX",
            importance: 0.5,
            extent_m,
            bounds: None,
        };
        let gazetteer = Gazetteer { places: (1..).zip(places).map(place).collect(), ..Gazetteer::default() };
        Index::open(write(&gazetteer).expect("the gazetteer is sound").into()).expect("the index is whole")
    }

    /// Creates an index of towns every tenth of a degree, on both sides of the date line.
    fn towns() -> Index {
        let towns: Vec<_> =
            (0..400).map(|at| (59.0 + f64::from(at / 20) / 10.0, 179.0 + f64::from(at % 20) / 10.0, 1_000.0)).collect();
        index(Role::City, &towns)
    }

    #[test]
    fn some_place_beyond_the_date_line_is_near() {
        let index = index(Role::City, &[(0.0, 179.99, 1_000.0)]);
        let found =
            index.segment(0).file.populated().some_distance_m(&Centre::new(Coordinate { lat: 0.0, lon: -179.99 }));
        let expect = 0.02 * METRES_PER_DEGREE * ROUNDING;
        assert!((found / expect - 1.0).abs() < 1e-6, "{found}, not {expect}");
    }

    /// Checks a site, a point, the longest distance that is asked for, and whether the site covers the point within it.
    #[test]
    fn sites_over_a_point() {
        let check = |site: (f64, f64, f64), point: (f64, f64), within_m: f64, expect: bool| {
            let index = index(Role::Landmark, &[site]);
            let point = Coordinate { lat: point.0, lon: point.1 };
            let found = index.segment(0).file.sites().over(Centre::new(point), within_m, |_| true).count();
            assert_eq!(found, usize::from(expect), "{site:?} over {point:?} within {within_m} m");
        };
        // Extents are stored in steps of 5 %.
        for lat in [0.0, 0.001, 45.0, -60.0] {
            check((lat, 10.0, 5_000.0), (lat, 10.0), 1e6, true);
            check((lat + 0.04, 10.0, 5_000.0), (lat, 10.0), 1e6, true);
            check((lat - 0.04, 10.0, 5_000.0), (lat, 10.0), 1e6, true);
            check((lat + 0.05, 10.0, 5_000.0), (lat, 10.0), 1e6, false);
            check((lat - 0.05, 10.0, 5_000.0), (lat, 10.0), 1e6, false);
            check((lat + 1.5, 10.0, 200_000.0), (lat, 10.0), 1e6, true);
            check((lat + 1.5, 10.0, 200_000.0), (lat, 10.0), 75_000.0, false);
            check((lat + 2.0, 10.0, 200_000.0), (lat, 10.0), 1e6, false);
        }
    }

    /// Checks that a rare place that is farther away than very many others is not looked for.
    #[test]
    fn a_search_for_several_visits_few_places() {
        let lines: Vec<_> =
            (0..40_000).map(|at| (f64::from(at / 200) / 100.0, f64::from(at % 200) / 100.0, 20.0)).collect();
        let index = index(Role::City, &lines);
        let looked = std::cell::Cell::new(0);
        let find = |row: u32| {
            let keep = |other: u32| {
                looked.set(looked.get() + 1);
                other == row
            };
            index
                .segment(0)
                .file
                .populated()
                .nearest_many(&Centre::new(index.segment(0).place(0).position()), 500_000.0, 1, keep)
                .len()
        };
        let row_of = |id: u64| index.find(id).expect("it is there").row.row;
        assert_eq!(find(row_of(200 * 50 + 50)), 1, "half a degree away");
        looked.set(0);
        assert_eq!(find(row_of(40_000)), 0, "two degrees away");
        // The last tile may have more.
        assert!((MOST_ROWS..MOST_ROWS + TILE_ROWS as usize).contains(&looked.get()), "{}", looked.get());
    }

    /// Checks that the distance by plane geometry is nearly that on the sphere, and a little more, across the date line
    /// as well.
    #[test]
    fn the_distance_of_some_place_that_is_near() {
        let index = towns();
        for at in 0..400 {
            let (lat, lon) = (59.03 + f64::from(at / 20) * 0.093, 179.04 + f64::from(at % 20) * 0.091);
            let point = Coordinate { lat, lon: if lon > 180.0 { lon - 360.0 } else { lon } };
            let found = index.segment(0).file.populated().some_distance_m(&Centre::new(point));
            let is_of = |row: u32| {
                let expect = (point.distance_m(index.segment(0).place(row).position()) * ROUNDING).max(LEAST_REACH_M);
                (found / expect - 1.0).abs() < 0.005
            };
            assert!(found < 75_000.0 && (0..400).any(is_of), "{point:?}: {found}");
        }
        assert_eq!(
            index.segment(0).file.populated().some_distance_m(&Centre::new(index.segment(0).place(7).position())),
            LEAST_REACH_M
        );
    }
}
