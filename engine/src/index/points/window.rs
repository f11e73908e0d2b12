//! A window around a point: a fast filter for the nearest-place search that needs no trigonometry.

use super::tiles::TILE_ROWS;
use crate::geo::Centre;

/// The range of latitudes and longitudes, in stored units, outside of which no place can be nearer than the best so far. Two
/// comparisons exclude most rows of a tile.
pub(super) struct Window {
    lat: i32,
    lon: i32,
    ring: f64,
    lat_degrees: f64,
    lat_reach: u32,
    lon_reach: u32,
}

pub(super) const UNITS_PER_DEGREE: f64 = 1e5;
/// Stored units of 360 degrees.
pub(super) const UNITS_ROUND: u32 = 36_000_000;

/// Tolerance for rounding of stored positions and arithmetic, in stored units.
const SLACK: f64 = 2.0;

impl Window {
    pub fn around(centre: &Centre) -> Self {
        let point = centre.point;
        Self {
            lat: (point.lat * UNITS_PER_DEGREE) as i32,
            lon: (point.lon * UNITS_PER_DEGREE) as i32,
            ring: centre.ring,
            lat_degrees: point.lat.abs(),
            lat_reach: u32::MAX,
            lon_reach: u32::MAX,
        }
    }

    /// Iterates over the rows from `first` on whose positions the window admits: at most those of a tile. Without a branch for
    /// each, several are compared at once.
    #[inline]
    pub fn rows_inside<P>(&self, first: u32, positions: P) -> impl Iterator<Item = u32> + use<P>
    where
        P: Iterator<Item = (i32, i32)>,
    {
        let mut is_inside = [false; TILE_ROWS as usize];
        for (is_inside, position) in is_inside.iter_mut().zip(positions) {
            *is_inside = self.admits(position);
        }
        let mut bits = 0_u64;
        for (at, byte) in is_inside.as_chunks().0.iter().enumerate() {
            bits |= u64::from(bits_of(*byte)) << (at * BYTE);
        }
        std::iter::from_fn(move || {
            let row = first + (bits != 0).then(|| bits.trailing_zeros())?;
            bits &= bits - 1;
            Some(row)
        })
    }

    #[inline]
    pub fn admits(&self, (lat, lon): (i32, i32)) -> bool {
        let across = lon.abs_diff(self.lon);
        // Only a damaged index has positions that are farther apart than the globe is wide.
        let across = across.min(UNITS_ROUND.wrapping_sub(across));
        (lat.abs_diff(self.lat) <= self.lat_reach) & (across <= self.lon_reach)
    }

    /// Shrinks the window to a squared chord. chord^2 >= cos(lat) cos(lat') (2 sin(dlon / 2))^2, and every admitted lat' is
    /// within the reach in latitude. The reaches need not be tight: for a sine up to [`SMALL_SINE`], an upper bound avoids
    /// trigonometry.
    pub fn shrink(&mut self, chord: f64) {
        let half_chord = (libm::sqrt(chord) / 2.0).min(1.0);
        let reach = 2.0 * arc(half_chord).to_degrees();
        self.lat_reach = (reach * UNITS_PER_DEGREE + SLACK) as u32;
        let highest = self.lat_degrees + reach;
        let ring = if highest >= 90.0 { 0.0 } else { self.ring * libm::cos(highest.to_radians()) };
        let half_sine = half_chord / libm::sqrt(ring);
        self.lon_reach = if half_sine < 1.0 {
            (2.0 * arc(half_sine).to_degrees() * UNITS_PER_DEGREE + SLACK) as u32
        } else {
            u32::MAX
        };
    }
}

/// Rows that are looked at together.
const BYTE: usize = u8::BITS as usize;

/// Returns a byte with a bit for each that is set. Nearly always none is.
fn bits_of(set: [bool; BYTE]) -> u8 {
    if set == [false; BYTE] {
        return 0;
    }
    set.iter().enumerate().fold(0, |bits, (at, &is_set)| bits | u8::from(is_set) << at)
}

/// Up to this sine, asin(x) <= x (1 + x^2 / 5): the series is x + x^3 / 6 + 3 x^5 / 40 + ..., and all terms after the second
/// are together below x^3 / 30.
const SMALL_SINE: f64 = 0.5;

/// Returns an upper bound of the arcsine.
fn arc(sine: f64) -> f64 {
    if sine <= SMALL_SINE { sine * (1.0 + sine * sine / 5.0) } else { libm::asin(sine) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geo::{Coordinate, METRES_PER_DEGREE, metres_to_chord};

    #[test]
    fn an_arc_is_hardly_longer_than_needed() {
        for step in 0..=1_000 {
            let sine = f64::from(step) / 1_000.0;
            let arc = arc(sine);
            let exact = libm::asin(sine);
            assert!(exact <= arc && arc <= exact * 1.01, "{sine}: {arc}, not {exact}");
            assert!(sine <= SMALL_SINE || arc == exact, "{sine}");
        }
    }

    /// Checks that the window is the circle's, but for the rounding: what lies farther north or east than its edge is
    /// not admitted.
    #[test]
    fn a_window_fits_its_circle() {
        fn check(lat: f64, lon: f64, degrees: f64, [up, across]: [f64; 2]) {
            let mut window = Window::around(&Centre::new(Coordinate { lat, lon }));
            assert!(window.admits((-9_000_000, 0)) && window.admits((9_000_000, -18_000_000)), "all at first");
            window.shrink(metres_to_chord(degrees * METRES_PER_DEGREE));
            fn units(degrees: f64) -> i32 {
                (degrees * UNITS_PER_DEGREE) as i32
            }
            let east = |degrees: f64| (units(lon + degrees) + 18_000_000).rem_euclid(36_000_000) - 18_000_000;
            for side in [-1.0, 1.0] {
                for (share, expect) in [(0.99, true), (1.01, false)] {
                    let point = (units(lat + side * share * up), units(lon));
                    assert_eq!(window.admits(point), expect, "{lat} {lon} {degrees}: {point:?}");
                    let point = (units(lat), east(side * share * across));
                    assert_eq!(window.admits(point), expect, "{lat} {lon} {degrees}: {point:?}");
                }
            }
        }
        check(0.0, 0.0, 1.0, [1.0, 1.0]);
        check(0.0, 100.0, 40.0, [40.11, 46.19]);
        check(60.0, 10.0, 1.0, [1.0, 2.03]);
        check(-60.0, 10.0, 1.0, [1.0, 2.03]);
        check(10.0, 179.8, 1.0, [1.0, 1.017]);
        check(10.0, -179.8, 1.0, [1.0, 1.017]);
        check(80.0, 0.0, 5.0, [5.0, 41.65]);
    }

    /// Checks that a place exactly on the edge is admitted: it is as near as what is known, and may come first by its
    /// row.
    #[test]
    fn the_edge_of_a_window_is_in_it() {
        for (lat, units, degrees) in [(0.0, 50_000, 0.5), (0.0, 1_000_000, 10.0)] {
            let mut window = Window::around(&Centre::new(Coordinate { lat, lon: 0.0 }));
            window.shrink(metres_to_chord(degrees * METRES_PER_DEGREE));
            for position in [(units, 0), (-units, 0), (0, units), (0, -units)] {
                assert!(window.admits(position), "{position:?} in {degrees} degrees");
            }
        }
    }

    /// Checks that a window nearer to a pole than its circle reaches has every meridian in it.
    #[test]
    fn a_window_over_a_pole_holds_all_meridians() {
        for (lat, degrees) in [(89.5, 1.0), (-89.5, 1.0), (89.0, 1.0), (-89.0, 1.0), (80.0, 9.9)] {
            let mut window = Window::around(&Centre::new(Coordinate { lat, lon: 20.0 }));
            window.shrink(metres_to_chord(degrees * METRES_PER_DEGREE));
            assert!(window.admits(((lat * UNITS_PER_DEGREE) as i32, -16_000_000)), "{lat}");
        }
    }
}
