//! The grid of cells of the globe, and the test of whether an edge crosses a segment.
//!
//! Positions are integers (1e-5 degrees), so every test is exact.
//!
//! A point on an edge that two countries or states share must be in exactly one of them. So every point is treated as if it were
//! shifted west by an infinitesimal distance and north by an even smaller one (symbolic perturbation). No shifted point lies
//! on an edge or on the line through one.

use crate::geo::Coordinate;
use crate::index::degrees::from_degrees;

/// Size of a cell: one degree. Most cells have no edges, the others about ten.
pub(super) const CELL: i32 = 100_000;
pub(super) const COLUMNS: i32 = 360;
pub(super) const ROWS: i32 = 180;
pub(super) const CELLS: usize = (COLUMNS * ROWS) as usize;

/// The edges of the map.
const SOUTH: i32 = -90 * CELL;
const NORTH: i32 = 90 * CELL;
const WEST: i32 = -180 * CELL;
const EAST: i32 = 180 * CELL;

/// Latitude and longitude in 1e-5 degrees.
pub(super) type Point = (i32, i32);

/// Returns the positions at which a point is looked up. A pole has many longitudes but is looked up at one; a point on
/// the date line is on both edges of the map. All of these stay on the map when they are shifted west and north.
pub(super) fn on_map(point: Point) -> impl IntoIterator<Item = Point> {
    let (first, second) = match point {
        (NORTH.., _) => ((NORTH - 1, 0), None),
        (..=SOUTH, _) => ((SOUTH, 0), None),
        (lat, ..=WEST | EAST..) => ((lat, EAST), Some((lat, WEST + 1))),
        _ => (point, None),
    };
    std::iter::once(first).chain(second)
}

/// Converts a position from degrees.
pub(super) fn point_of(position: Coordinate) -> Point {
    (from_degrees(position.lat), from_degrees(position.lon))
}

pub(super) fn cell_of((lat, lon): Point) -> u32 {
    let row = ((lat - SOUTH) / CELL).clamp(0, ROWS - 1);
    let column = ((lon - WEST) / CELL).clamp(0, COLUMNS - 1);
    (row * COLUMNS + column) as u32
}

/// Returns the south-west corner of a cell.
pub(super) fn corner(cell: u32) -> Point {
    let row = cell as i32 / COLUMNS;
    let column = cell as i32 % COLUMNS;
    (row * CELL + SOUTH, column * CELL + WEST)
}

/// Returns a point in the cell that is unlikely to lie on an edge, because sources use round numbers.
pub(super) fn reference(cell: u32) -> Point {
    let (south, west) = corner(cell);
    (south + 49_957, west + 50_023)
}

/// Returns twice the signed area of a triangle: positive if `c` is to the left of the line from `a` to `b`. Cannot
/// overflow for points on the globe; for others the result does not matter.
fn turn(a: Point, b: Point, c: Point) -> i64 {
    let (ay, ax) = wide(a);
    let (by, bx) = wide(b);
    let (cy, cx) = wide(c);
    ((bx - ax).wrapping_mul(cy - ay)).wrapping_sub((by - ay).wrapping_mul(cx - ax))
}

fn wide((lat, lon): Point) -> (i64, i64) {
    (i64::from(lat), i64::from(lon))
}

/// Tells whether an edge crosses the segment between two points. Both points are shifted (see above), which decides the
/// side of a point that is collinear with the edge, and of a vertex that is collinear with the segment.
pub(super) fn crosses((a, b): (Point, Point), (p, q): (Point, Point)) -> bool {
    let left_of_edge = |point: Point| is_left(turn(a, b, point), b > a);
    let left_of_segment = |vertex: Point| is_left(turn(p, q, vertex), p > q);
    left_of_segment(a) != left_of_segment(b) && left_of_edge(p) != left_of_edge(q)
}

/// Tells whether a turn is to the left; `shifted` decides for collinear points.
fn is_left(turn: i64, shifted: bool) -> bool {
    turn > 0 || turn == 0 && shifted
}

/// Returns the cells that an edge touches.
pub(super) fn cells_of((a, b): (Point, Point)) -> Vec<u32> {
    let first = cell_of((a.0.min(b.0), a.1.min(b.1)));
    let last = cell_of((a.0.max(b.0), a.1.max(b.1)));
    let rows = first as i32 / COLUMNS..=last as i32 / COLUMNS;
    let columns = first as i32 % COLUMNS..=last as i32 % COLUMNS;
    let all = rows.flat_map(|row| columns.clone().map(move |column| (row * COLUMNS + column) as u32));
    all.filter(|&cell| touches((a, b), corner(cell))).collect()
}

/// Tells whether an edge touches a cell that overlaps its bounding box: not all corners are on one side of its line.
fn touches((a, b): (Point, Point), (south, west): Point) -> bool {
    let corners = [(south, west), (south + CELL, west), (south, west + CELL), (south + CELL, west + CELL)];
    let left = corners.iter().filter(|&&corner| turn(a, b, corner) > 0).count();
    let right = corners.iter().filter(|&&corner| turn(a, b, corner) < 0).count();
    left != 4 && right != 4
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with points that are really moved: all edges and ways between the points of a small grid.
    #[test]
    fn an_edge_crosses_the_perturbed_way() {
        const FINE: i128 = 1 << 40;
        const HAIR: i128 = 1 << 20;
        fn wide((lat, lon): Point) -> (i128, i128) {
            (i128::from(lat) * FINE, i128::from(lon) * FINE)
        }
        fn shift(point: Point) -> (i128, i128) {
            (wide(point).0 + 1, wide(point).1 - HAIR)
        }
        fn is_left([a, b]: [(i128, i128); 2], c: (i128, i128)) -> bool {
            (b.1 - a.1) * (c.0 - a.0) > (b.0 - a.0) * (c.1 - a.1)
        }
        let grid: Vec<Point> = (0..9).map(|at| (at / 3, at % 3)).collect();
        fn pairs(first: &[Point]) -> Vec<(Point, Point)> {
            first.iter().flat_map(|&a| first.iter().map(move |&b| (a, b))).collect()
        }
        for (a, b) in pairs(&grid) {
            for (p, q) in pairs(&grid) {
                let edge = [wide(a), wide(b)];
                let way = [shift(p), shift(q)];
                let ends_differ = is_left(edge, way[0]) != is_left(edge, way[1]);
                let expect = ends_differ && is_left(way, edge[0]) != is_left(way, edge[1]);
                assert_eq!(crosses((a, b), (p, q)), expect, "{a:?} {b:?} {p:?} {q:?}");
            }
        }
        assert_eq!(turn((1, 2), (4, 9), (8, 7)), 34);
    }

    /// Checks a point, the number of its cell, and the corner and the reference point of that cell.
    #[test]
    fn cells_are_numbered_from_the_south_west() {
        fn check(point: Point, cell: u32, south_west: Point, inside: Point) {
            assert_eq!((cell_of(point), corner(cell), reference(cell)), (cell, south_west, inside), "{point:?}");
        }
        check((-9_000_000, -18_000_000), 0, (-9_000_000, -18_000_000), (-8_950_043, -17_949_977));
        check((-8_900_001, -17_800_001), 1, (-9_000_000, -17_900_000), (-8_950_043, -17_849_977));
        check((-8_900_000, -18_000_000), 360, (-8_900_000, -18_000_000), (-8_850_043, -17_949_977));
        check((0, 0), 32_580, (0, 0), (49_957, 50_023));
        check((4_850_000, 235_000), 49_862, (4_800_000, 200_000), (4_849_957, 250_023));
        // What lies on the northern or eastern edge of the map, or behind it, is in the last cell.
        check((9_000_000, 18_000_000), 64_799, (8_900_000, 17_900_000), (8_949_957, 17_950_023));
        check((9_200_000, 18_200_000), 64_799, (8_900_000, 17_900_000), (8_949_957, 17_950_023));
        check((-9_200_000, -18_200_000), 0, (-9_000_000, -18_000_000), (-8_950_043, -17_949_977));
    }

    #[test]
    fn points_of_the_map_edge_are_looked_up() {
        fn check(point: Point, expect: &[Point]) {
            assert_eq!(on_map(point).into_iter().collect::<Vec<_>>(), expect, "{point:?}");
        }
        check((5, 7), &[(5, 7)]);
        check((8_999_999, 17_999_999), &[(8_999_999, 17_999_999)]);
        for lon in [-18_000_000, -7, 7, 18_000_000] {
            check((9_000_000, lon), &[(8_999_999, 0)]);
            check((-9_000_000, lon), &[(-9_000_000, 0)]);
        }
        check((5, 18_000_000), &[(5, 18_000_000), (5, -17_999_999)]);
        check((5, -18_000_000), &[(5, 18_000_000), (5, -17_999_999)]);
    }

    /// Checks lines that cut off one corner of a cell, and lines that pass it by.
    #[test]
    fn a_line_touches_cells_between_its_sides() {
        let near = CELL / 10;
        let far = CELL - near;
        fn check(a: Point, b: Point, expect: bool) {
            for (south, west) in [(0, 0), (3 * CELL, -2 * CELL)] {
                let shift = |(lat, lon): Point| (lat + south, lon + west);
                assert_eq!(touches((shift(a), shift(b)), (south, west)), expect, "{a:?} {b:?} {south} {west}");
                assert_eq!(touches((shift(b), shift(a)), (south, west)), expect, "{b:?} {a:?} {south} {west}");
            }
        }
        check((0, near), (near, 0), true);
        check((0, far), (near, CELL), true);
        check((far, 0), (CELL, near), true);
        check((far, CELL), (CELL, far), true);
        check((-2 * near, near), (near, -2 * near), false);
        check((-2 * near, far), (near, CELL + 2 * near), false);
        check((far, -2 * near), (CELL + 2 * near, near), false);
        check((far, CELL + 2 * near), (CELL + 2 * near, far), false);
        // Along an edge of the cell, and through a corner alone.
        check((0, near), (0, far), true);
        check((near, -near), (-near, near), true);
    }

    #[test]
    fn an_edge_lists_the_cells_it_touches() {
        fn check(a: (f64, f64), b: (f64, f64), expect: &[(i32, i32)]) {
            fn point((lat, lon): (f64, f64)) -> Point {
                (from_degrees(lat), from_degrees(lon))
            }
            fn cells(edge: (Point, Point)) -> Vec<Point> {
                cells_of(edge).into_iter().map(corner).collect::<Vec<_>>()
            }
            let expect: Vec<Point> = expect.iter().map(|&(lat, lon)| (lat * CELL, lon * CELL)).collect();
            assert_eq!(cells((point(a), point(b))), expect, "{a:?} {b:?}");
            assert_eq!(cells((point(b), point(a))), expect, "{b:?} {a:?}");
        }
        check((0.2, 0.3), (0.8, 0.9), &[(0, 0)]);
        check((-0.5, 0.5), (1.5, 0.6), &[(-1, 0), (0, 0), (1, 0)]);
        check((0.5, -1.5), (0.6, 0.5), &[(0, -2), (0, -1), (0, 0)]);
        check((0.9, 0.5), (1.9, 1.4), &[(0, 0), (1, 0), (1, 1)]);
        check((0.9, 1.5), (1.9, 0.6), &[(0, 1), (1, 0), (1, 1)]);
        check((10.1, 20.5), (12.9, 21.5), &[(10, 20), (11, 20), (11, 21), (12, 21)]);
        // Through a corner: all four cells that meet there.
        check((0.5, 0.5), (1.5, 1.5), &[(0, 0), (0, 1), (1, 0), (1, 1)]);
        check((0.5, 1.5), (1.5, 0.5), &[(0, 0), (0, 1), (1, 0), (1, 1)]);
    }
}
