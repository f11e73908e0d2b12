//! Computes centre and extent of areas: of divisions from the places in them, of countries from their outlines.

use geo::{Area, Centroid, Contains, InteriorPoint, LineString, MapCoords, Polygon, coord};
use toponym_engine::geo::{Bounds, Coordinate};
use toponym_engine::{LAND_CELLS_PER_DEGREE, LandGrid};

/// Extent of an area with a single known place.
const LEAST_EXTENT_M: f64 = 5_000.0;

/// Longest step along an edge of an outline, in degrees, so that long edges count in the search for the emptiest band
/// of longitudes.
const STEP_DEG: f64 = 2.0;

/// Centre, bounds and extent of an area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cover {
    pub centre: Coordinate,
    /// `None` for a single point.
    pub bounds: Option<Bounds>,
    pub extent_m: f64,
}

/// Returns the area that covers `places` and their `outline`, if that is known; `None` without places. The centre is the mean
/// of the places on the sphere. For places far apart in the north it lies north of all of them, and the bounds include it too.
pub(crate) fn of_places(places: &[Coordinate], outline: &[Vec<Coordinate>]) -> Option<Cover> {
    let centre = mean(places.iter().map(|&place| (place, 1.0)))?;
    let points = || places.iter().chain(outline.iter().flatten()).copied();
    let reach = points().map(|point| point.distance_m(centre)).fold(0.0, f64::max);
    let bounds = Bounds::of(points().chain([centre])).filter(|_| reach >= 1.0);
    Some(Cover { centre, bounds, extent_m: reach.max(LEAST_EXTENT_M) })
}

/// Returns the weighted mean on the sphere; the first place if the places cancel out, `None` without places.
fn mean(places: impl Iterator<Item = (Coordinate, f64)>) -> Option<Coordinate> {
    let mut sum = [0.0; 3];
    let mut first = None;
    for (place, weight) in places {
        first = first.or(Some(place));
        let vector = place.unit_vector();
        (0..3).for_each(|axis| sum[axis] += weight * vector[axis]);
    }
    let [x, y, z] = sum;
    let ring = libm::hypot(x, y);
    if ring == 0.0 && z == 0.0 {
        return first;
    }
    Coordinate::new(libm::atan2(z, ring).to_degrees(), libm::atan2(y, x).to_degrees())
}

/// Returns the area of a country with these outer rings, which include its waters. The centre is the middle of its land;
/// without known land it is the middle of the largest part, or a point inside if that part is bent around its middle.
pub(crate) fn of_outline(rings: &[Vec<Coordinate>], area_km2: f64, land: &LandGrid) -> Option<Cover> {
    let parts = rings.iter().map(|ring| flat(ring));
    let largest = parts.max_by(|a, b| a.unsigned_area().total_cmp(&b.unsigned_area()))?;
    let middle = || largest.centroid().filter(|point| largest.contains(point)).or_else(|| largest.interior_point());
    let centre = match middle_of_land(rings, land) {
        Some(centre) => centre,
        None => middle().and_then(|point| {
            Coordinate::new(libm::asin(point.y().clamp(-1.0, 1.0)).to_degrees(), point.x().clamp(-180.0, 180.0))
        })?,
    };
    let points = rings.iter().flat_map(|ring| ring.windows(2)).flat_map(|edge| along(edge[0], edge[1]));
    Some(Cover {
        centre,
        bounds: whole_circle(Bounds::of(points)?),
        extent_m: (area_km2.max(1.0) * 1e6 / core::f64::consts::PI).sqrt(),
    })
}

/// Returns the centre of the land cell inside the rings that is nearest to the middle of all such cells.
fn middle_of_land(rings: &[Vec<Coordinate>], land: &LandGrid) -> Option<Coordinate> {
    let inside: Vec<Coordinate> = rings.iter().flat_map(|ring| land_inside(ring, land)).collect();
    // A cell is as wide as the cosine of its latitude.
    let middle = mean(inside.iter().map(|point| (*point, libm::cos(point.lat().to_radians()))))?;
    inside.into_iter().min_by(|a, b| a.distance_m(middle).total_cmp(&b.distance_m(middle)))
}

/// Returns the centres of the land cells inside a ring.
fn land_inside(ring: &[Coordinate], land: &LandGrid) -> Vec<Coordinate> {
    let Some(bounds) = Bounds::of(ring.iter().copied()).filter(|bounds| bounds.west <= bounds.east) else {
        return Vec::new();
    };
    let line: LineString = ring.iter().map(|point| coord! { x: point.lon(), y: point.lat() }).collect();
    let polygon = Polygon::new(line, Vec::new());
    let (south, west) = cell_at(bounds.south, bounds.west);
    let (north, east) = cell_at(bounds.north, bounds.east);
    let cells = (south..=north).flat_map(|row| (west..=east).map(move |column| (row, column)));
    let middles = cells
        .filter(|&(row, column)| land.is_marked(row, column))
        .filter_map(|(row, column)| Coordinate::new(cell_middle(row) - 90.0, cell_middle(column) - 180.0));
    middles.filter(|point| polygon.contains(&coord! { x: point.lon(), y: point.lat() })).collect()
}

fn cell_middle(cell: usize) -> f64 {
    (cell as f64 + 0.5) / LAND_CELLS_PER_DEGREE as f64
}

fn cell_at(lat: f64, lon: f64) -> (usize, usize) {
    LandGrid::cell(Coordinate::new(lat, lon).expect("bounds of points are in range"))
}

/// Projects a ring to an equal-area plane: longitude, and the sine of latitude.
fn flat(ring: &[Coordinate]) -> Polygon {
    let ring: LineString = ring.iter().map(|point| coord! { x: point.lon(), y: point.lat() }).collect();
    Polygon::new(ring, Vec::new()).map_coords(|point| coord! { x: point.x, y: libm::sin(point.y.to_radians()) })
}

/// Iterates over the start of an edge and points along it.
fn along(from: Coordinate, to: Coordinate) -> impl Iterator<Item = Coordinate> {
    let steps = ((to.lon() - from.lon()).abs() / STEP_DEG).ceil().max(1.0);
    (0..steps as u32).filter_map(move |step| {
        let part = f64::from(step) / steps;
        Coordinate::new(from.lat() + (to.lat() - from.lat()) * part, from.lon() + (to.lon() - from.lon()) * part)
    })
}

/// Extends bounds to all longitudes if the gap is not wider than a step, as for areas around a pole.
fn whole_circle(bounds: Bounds) -> Option<Bounds> {
    let gap = (bounds.west - bounds.east).rem_euclid(360.0);
    Some(if gap <= STEP_DEG { Bounds { west: -180.0, east: 180.0, ..bounds } } else { bounds })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(lat: f64, lon: f64) -> Coordinate {
        Coordinate::new(lat, lon).expect("a test coordinate is in range")
    }

    fn ring(points: &[(f64, f64)]) -> Vec<Coordinate> {
        points.iter().chain(points.first()).map(|&(lat, lon)| at(lat, lon)).collect()
    }

    #[test]
    fn places_on_both_sides_of_the_date_line() {
        let cover = of_places(&[at(0.0, 179.0), at(0.0, -179.0)], &[]).expect("there are places");
        assert!((cover.centre.lon().abs() - 180.0).abs() < 1e-6, "{cover:?}");
        assert!((cover.extent_m - 111_195.0).abs() < 10.0, "{cover:?}");
        let bounds = cover.bounds.expect("there are two places");
        assert_eq!((bounds.west, bounds.east), (179.0, -179.0));
        assert_eq!(of_places(&[at(1.0, 2.0)], &[]).expect("there is one").bounds, None);
        assert_eq!(of_places(&[], &[]), None);
    }

    #[test]
    fn bounds_hold_a_centre_north_of_places() {
        let cover = of_places(&[at(49.0, 2.0), at(49.0, 82.0)], &[]).expect("there are places");
        assert!(
            cover.centre.lat() > 50.0 && cover.bounds.is_some_and(|bounds| bounds.contains(cover.centre)),
            "{cover:?}"
        );
    }

    #[test]
    fn centre_of_the_largest_part() {
        let main = ring(&[(0.0, 0.0), (0.0, 4.0), (4.0, 4.0), (4.0, 0.0)]);
        let island = ring(&[(0.0, 20.0), (0.0, 21.0), (1.0, 21.0), (1.0, 20.0)]);
        let cover = of_outline(&[island, main], 100.0, &LandGrid::default()).expect("there are parts");
        assert!((cover.centre.lat() - 2.0).abs() < 0.01 && (cover.centre.lon() - 2.0).abs() < 0.01, "{cover:?}");
        assert_eq!(cover.bounds.map(|b| (b.south, b.north, b.west, b.east)), Some((0.0, 4.0, 0.0, 21.0)));
    }

    #[test]
    fn a_bent_country_contains_its_centre() {
        let bent = ring(&[(0.0, 0.0), (0.0, 10.0), (10.0, 10.0), (10.0, 9.0), (1.0, 9.0), (1.0, 0.0)]);
        let centre = of_outline(&[bent], 100.0, &LandGrid::default()).expect("there is a part").centre;
        assert!(centre.lat() < 1.0 || centre.lon() > 9.0, "{centre:?}");
    }

    #[test]
    fn waters_do_not_move_the_centre() {
        let waters = ring(&[(0.0, 0.0), (0.0, 20.0), (4.0, 20.0), (4.0, 0.0)]);
        let mut land = LandGrid::empty();
        for lon in [1.0, 2.0, 3.0, 30.0] {
            let (row, column) = LandGrid::cell(at(2.0, lon));
            land.mark(row, column);
        }
        let centre = of_outline(&[waters], 100.0, &land).expect("there is a part").centre;
        assert_eq!((centre.lat(), centre.lon()), (2.125, 2.125));
    }

    #[test]
    fn around_the_pole() {
        let cap =
            ring(&[(-90.0, -180.0), (-90.0, 180.0), (-65.0, 180.0), (-65.0, 20.0), (-70.0, -20.0), (-65.0, -180.0)]);
        let bounds =
            of_outline(&[cap], 100.0, &LandGrid::default()).and_then(|cover| cover.bounds).expect("there is a part");
        assert_eq!((bounds.west, bounds.east), (-180.0, 180.0));
    }
}
