//! Countries and states of points are those of a test of every border.

use fastrand::Rng;

use super::tests::{POINTS, gazetteer, open, round_as_stored};
use crate::geo::Coordinate;
use crate::record::{Border, Bordered, Gazetteer};

#[test]
fn a_border_contains_its_points() {
    let mut rng = Rng::with_seed(4);
    // A country with a hole, the enclave in the hole with a hole of its own, and one far away over several cells.
    let borders = [
        border_of_country(
            b"AA",
            vec![ring_of_square(10.0, 10.0, 3.0), ring_of_square(11.0, 11.0, 0.5), ring_of_square(11.2, 11.2, 0.1)],
        ),
        border_of_country(b"BB", vec![ring_of_square(11.0, 11.0, 0.5), ring_of_square(11.2, 11.2, 0.1)]),
        border_of_country(
            b"CC",
            vec![
                vec![(-5.0, -179.9), (-5.3, -170.1), (8.7, -172.4), (-5.0, -179.9)]
                    .into_iter()
                    .map(|(lat, lon)| Coordinate { lat, lon })
                    .collect(),
            ],
        ),
    ];
    // States across countries and beyond them, one in two parts; in any order among the countries.
    let states = [
        border_of_state(8, vec![ring_of_square(9.8, 9.8, 1.0), ring_of_square(11.1, 11.3, 0.3)]),
        border_of_state(7, vec![ring_of_square(10.8, 9.9, 0.9)]),
        border_of_state(9, vec![ring_of_square(11.8, 8.0, 9.0)]),
    ];
    let (first, second) = borders.split_at(1);
    let borders_in_any_order = [&states[..1], first, &states[1..], second].concat();
    let index = open(&Gazetteer { borders: borders_in_any_order, ..gazetteer(&mut rng, 3) });
    for _ in 0..POINTS {
        let (south, west, size) = [(9.5, 9.5, 4.0), (10.9, 10.9, 0.7), (-6.0, -180.0, 15.0)][rng.usize(0..3)];
        let point = Coordinate {
            lat: round_as_stored(south + rng.f64() * size),
            lon: round_as_stored(west + rng.f64() * size),
        };
        // On an edge a point is in the shape to its west.
        let beside = Coordinate { lon: point.lon - 1e-9, ..point };
        let expected =
            borders.iter().find(|border_of_country| contains(border_of_country, beside)).and_then(Border::country);
        assert_eq!(index.vicinity(point).country(), expected, "{point:?}");
        let expected =
            states.iter().find(|border_of_country| contains(border_of_country, beside)).and_then(Border::state);
        assert_eq!(index.vicinity(point).state(), expected, "{point:?}");
    }
}

fn ring_of_square(south: f64, west: f64, size: f64) -> Vec<Coordinate> {
    let corners = [(0.0, 0.0), (0.0, size), (size, size), (size, 0.0), (0.0, 0.0)];
    corners.iter().map(|(y, x)| Coordinate { lat: south + y, lon: west + x }).collect::<Vec<_>>()
}

fn border_of_country(country: &[u8; 2], rings: Vec<Vec<Coordinate>>) -> Border {
    Border { of: Bordered::Country(*country), rings }
}

fn border_of_state(id: u64, rings: Vec<Vec<Coordinate>>) -> Border {
    Border { of: Bordered::State(id), rings }
}

/// Tells whether a border contains a point that is on no edge.
fn contains(border: &Border, point: Coordinate) -> bool {
    let edges = border.rings.iter().flat_map(|ring| ring.windows(2));
    let crossed = edges.filter(|pair| {
        let a = pair[0];
        let b = pair[1];
        (a.lat > point.lat) != (b.lat > point.lat)
            && point.lon < (b.lon - a.lon) * (point.lat - a.lat) / (b.lat - a.lat) + a.lon
    });
    crossed.count() % 2 == 1
}

/// Countries of [`tiling`] from pole to pole, and around the globe.
const TILES: usize = 6;

fn country_of_tile(row: usize, column: usize) -> [u8; 2] {
    [b'A' + row as u8, b'A' + column as u8]
}

/// Returns the country that [`tiling`] has at a point, or a neighbour of it.
pub(super) fn tile_of(at: Coordinate) -> [u8; 2] {
    fn tile(share: f64) -> usize {
        (share * TILES as f64).min(TILES as f64 - 1.0) as usize
    }
    country_of_tile(tile((at.lat + 90.0) / 180.0), tile((at.lon + 180.0) / 360.0))
}

/// Creates a globe without gaps: every edge is shared by two countries, but for those at the date line and the poles.
pub(super) fn tiling(rng: &mut Rng) -> Vec<Border> {
    let high = 180.0 / TILES as f64;
    let wide = 360.0 / TILES as f64;
    // Corners inside are moved about, the others stay on the edge of the map.
    let mut corners = [[(0.0, 0.0); TILES + 1]; TILES + 1];
    for (row, column) in (0..=TILES).flat_map(|row| (0..=TILES).map(move |column| (row, column))) {
        let mut moved = |at: usize, step: f64| {
            let inside = 0 < at && at < TILES && rng.bool();
            at as f64 * step + if inside { round_as_stored((rng.f64() - 0.5) * step / 2.0) } else { 0.0 }
        };
        corners[row][column] = (moved(row, high) - 90.0, moved(column, wide) - 180.0);
    }
    let mut borders = Vec::new();
    for (row, column) in (0..TILES).flat_map(|row| (0..TILES).map(move |column| (row, column))) {
        let mut ring = vec![(row, column), (row, column + 1), (row + 1, column + 1), (row + 1, column), (row, column)];
        // The orientation of a ring does not matter.
        if (row + column) % 3 == 0 {
            ring.reverse();
        }
        let ring = ring.into_iter().map(|(row, column)| corners[row][column]);
        borders.push(Border {
            of: Bordered::Country(country_of_tile(row, column)),
            rings: vec![ring.map(|(lat, lon)| Coordinate { lat, lon }).collect()],
        });
    }
    borders
}

/// Converts degrees to units of 1e-5.
fn whole(degrees: f64) -> i128 {
    (degrees * 1e5).round() as i128
}

/// Tells whether a border contains a point that is shifted slightly west, and far less north: with a ray to the east,
/// in integers fine enough to be exact.
fn contains_shifted(border: &Border, (lat, lon): (i128, i128)) -> bool {
    const FINE: u32 = 56;
    let lat = (lat << FINE) + 1;
    let lon = (lon << FINE) - (1 << 26);
    let edges = border.rings.iter().flat_map(|ring| ring.windows(2));
    let crossed = edges.filter(|pair| {
        let ends = [pair[0], pair[1]].map(|end| (whole(end.lat), whole(end.lon)));
        let low = ends[0].min(ends[1]);
        let high = ends[0].max(ends[1]);
        let beside = low.0 << FINE < lat && lat < high.0 << FINE;
        beside && (lon - (low.1 << FINE)) * (high.0 - low.0) < (high.1 - low.1) * (lat - (low.0 << FINE))
    });
    crossed.count() % 2 == 1
}

#[test]
fn a_full_globe_has_one_country_everywhere() {
    let mut rng = Rng::with_seed(6);
    for _ in 0..8 {
        let borders = tiling(&mut rng);
        let index = open(&Gazetteer { borders: borders.clone(), ..gazetteer(&mut rng, 3) });
        let country_at = |lat: i128, lon: i128| {
            let point = Coordinate { lat: lat as f64 / 1e5, lon: lon as f64 / 1e5 };
            index.vicinity(point).country()
        };
        let vertices: Vec<Coordinate> = borders.iter().flat_map(|border| border.rings[0].clone()).collect();
        for _ in 0..4_000 {
            // On a vertex, on the parallel or meridian of one, beside one, on an edge.
            let a = vertices[rng.usize(0..vertices.len())];
            let b = vertices[rng.usize(0..vertices.len())];
            let mut lat = whole(a.lat);
            let mut lon = whole([a, b][rng.usize(0..2)].lon);
            if rng.bool() {
                lat += rng.i128(-1..=1);
                lon += rng.i128(-1..=1);
            }
            if rng.u8(0..4) == 0 {
                lat = rng.i128(-9_000_000..=9_000_000);
            }
            let lat = lat.clamp(-9_000_000, 9_000_000);
            let lon = lon.clamp(-18_000_000, 18_000_000);
            // The form of a point on the date line or a pole that stays on the map when it is shifted.
            let inside = match (lat, lon) {
                (9_000_000, _) => (8_999_999, 0),
                (-9_000_000, _) => (lat, 0),
                (_, -18_000_000) => (lat, 18_000_000),
                _ => (lat, lon),
            };
            let containing: Vec<_> = borders.iter().filter(|border| contains_shifted(border, inside)).collect();
            assert_eq!(containing.len(), 1, "the globe has no gaps: {lat} {lon}");
            assert_eq!(country_at(lat, lon), containing[0].country(), "{lat} {lon}");
        }
        for lat in (-9_000_000..=9_000_000).step_by(77_777) {
            assert_eq!(country_at(lat, 18_000_000), country_at(lat, -18_000_000), "{lat}");
            assert_eq!(country_at(lat, 18_000_000), country_at(lat, 17_999_999), "{lat}");
        }
        for (lat, lon) in [-9_000_000, 9_000_000]
            .into_iter()
            .flat_map(|lat| (-18_000_000..=18_000_000).step_by(1_234_567).map(move |lon| (lat, lon)))
        {
            assert_eq!(country_at(lat, lon), country_at(lat, 0), "a pole is one point: {lat} {lon}");
        }
    }
}

#[test]
fn a_country_reaches_to_the_date_line() {
    let mut rng = Rng::with_seed(8);
    for (west, east) in [(-180.0, -170.0), (170.0, 180.0)] {
        let ring = [(0.0, west), (0.0, east), (9.0, east), (9.0, west), (0.0, west)];
        let ring = ring.map(|(lat, lon)| Coordinate { lat, lon }).to_vec();
        let border = Border { of: Bordered::Country(*b"AA"), rings: vec![ring] };
        let index = open(&Gazetteer { borders: vec![border], ..gazetteer(&mut rng, 3) });
        for lon in [180.0, -180.0, 179.999999, -179.999999] {
            let at = |lat| index.vicinity(Coordinate { lat, lon }).country();
            assert!(at(4.5).is_some() && at(-4.5).is_none(), "{west} {lon}");
        }
    }
}
