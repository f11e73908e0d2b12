//! Builds a coarse grid that separates the open sea from land and coastal waters, whichever country they belong to.

use std::sync::Arc;

use toponym_engine::geo::Coordinate;
use toponym_engine::{LAND_CELLS_PER_DEGREE, LandGrid};

/// Cells within this many rows of land, about 28 km each at 0.25 degrees, count as near it.
const NEAR_ROWS: usize = 1;

/// The cells that hold land. They take a second to find, so all merges share them.
#[derive(Clone, Debug)]
pub(crate) struct Surface(Arc<LandGrid>);

impl Default for Surface {
    fn default() -> Self {
        Self(Arc::new(LandGrid::empty()))
    }
}

impl Surface {
    /// Creates the surface inside the rings of the coasts.
    pub fn new(rings: &[Vec<Coordinate>]) -> Self {
        Self(Arc::new(surface(rings)))
    }

    /// Returns the cells that hold land.
    pub fn cells(&self) -> &LandGrid {
        &self.0
    }

    /// Returns the cells that hold land or are next to such a cell.
    pub fn with_waters(&self) -> LandGrid {
        widen(&self.0)
    }
}

/// Finds the cells that hold land.
fn surface(rings: &[Vec<Coordinate>]) -> LandGrid {
    let rings: Vec<Vec<Vertex>> = rings.iter().map(|ring| unwrap_ring(ring)).collect();
    let mut land = LandGrid::empty();
    for edge in rings.iter().flat_map(|ring| ring.windows(2)) {
        mark_edge(&mut land, edge[0], edge[1]);
    }
    for row in 0..LandGrid::ROWS {
        mark_inside(&mut land, &rings, row);
    }
    land
}

/// Latitude, and a longitude that may be off by whole turns.
type Vertex = (f64, f64);

/// Returns the ring with continuous longitudes: the source's rings cross the date line.
fn unwrap_ring(ring: &[Coordinate]) -> Vec<Vertex> {
    let mut turns = 0.0;
    let mut before = ring.first().map_or(0.0, |point| point.lon());
    let step = |point: &Coordinate| {
        turns -= ((point.lon() - before) / 360.0).round() * 360.0;
        before = point.lon();
        (point.lat(), point.lon() + turns)
    };
    ring.iter().map(step).collect()
}

/// Returns the row and column of a vertex.
fn cell((lat, lon): Vertex) -> (usize, usize) {
    let point = Coordinate::new(lat, (lon + 180.0).rem_euclid(360.0) - 180.0);
    LandGrid::cell(point.expect("vertices are of points, but for turns"))
}

/// Marks every cell that an edge crosses, in steps of half a cell.
fn mark_edge(land: &mut LandGrid, a: Vertex, b: Vertex) {
    let cells = LAND_CELLS_PER_DEGREE as f64;
    let steps = ((a.0 - b.0).abs().max((a.1 - b.1).abs()) * cells * 2.0).ceil().max(1.0);
    for step in 0..=steps as usize {
        let share = step as f64 / steps;
        let (row, column) = cell((a.0 + (b.0 - a.0) * share, a.1 + (b.1 - a.1) * share));
        land.mark(row, column);
    }
}

/// Marks the cells of a row whose centre is inside an odd number of rings: for each ring between its first and second
/// crossing, third and fourth, and so on. A ring around a pole has no inside on a flat map; only its coast is marked.
fn mark_inside(land: &mut LandGrid, rings: &[Vec<Vertex>], row: usize) {
    let cells = LAND_CELLS_PER_DEGREE as f64;
    let lat = (row as f64 + 0.5) / cells - 90.0;
    let mut inside = vec![false; LandGrid::COLUMNS];
    for ring in rings {
        let crossing = ring.windows(2).filter(|edge| (edge[0].0 > lat) != (edge[1].0 > lat));
        let at = |edge: &[Vertex]| {
            let a = edge[0];
            let b = edge[1];
            a.1 + (b.1 - a.1) * (lat - a.0) / (b.0 - a.0)
        };
        let mut crossings: Vec<f64> = crossing.map(at).collect();
        crossings.sort_by(f64::total_cmp);
        for pair in crossings.chunks_exact(2) {
            let middles = (pair[0] * cells - 0.5).ceil() as i64..=(pair[1] * cells - 0.5).floor() as i64;
            for middle in middles {
                let (_, column) = cell((lat, (middle as f64 + 0.5) / cells));
                inside[column] = !inside[column];
            }
        }
    }
    (0..LandGrid::COLUMNS).filter(|&column| inside[column]).for_each(|column| land.mark(row, column));
}

fn widen(land: &LandGrid) -> LandGrid {
    let mut near = LandGrid::empty();
    for row in 0..LandGrid::ROWS {
        let lat = (row as f64 + 0.5) / LAND_CELLS_PER_DEGREE as f64 - 90.0;
        // A degree of longitude shrinks towards the poles, so one row corresponds to more columns. libm is the same on
        // every machine.
        let columns = ((NEAR_ROWS as f64 / libm::cos(lat.to_radians())).ceil() as usize).min(LandGrid::COLUMNS / 2);
        for column in (0..LandGrid::COLUMNS).filter(|&column| land.is_marked(row, column)) {
            for other in row.saturating_sub(NEAR_ROWS)..=(row + NEAR_ROWS).min(LandGrid::ROWS - 1) {
                for step in 0..=2 * columns {
                    near.mark(other, (column + LandGrid::COLUMNS + step - columns) % LandGrid::COLUMNS);
                }
            }
        }
    }
    near
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_island_and_its_waters() {
        let ring = vec![corner(0.0, 10.0), corner(2.0, 10.0), corner(2.0, 13.0), corner(0.0, 13.0), corner(0.0, 10.0)];
        let grid = Surface::new(&[ring]).with_waters();
        let check =
            |lat: f64, lon: f64, expect: bool| assert_eq!(grid.is_near(corner(lat, lon)), expect, "{lat} {lon}");
        check(1.0, 11.5, true);
        check(2.2, 11.5, true);
        check(1.0, 9.8, true);
        check(2.8, 11.5, false);
        check(1.0, 9.2, false);
        check(1.0, -170.0, false);
    }

    fn corner(lat: f64, lon: f64) -> Coordinate {
        Coordinate::new(lat, lon).expect("a test coordinate is in range")
    }

    #[test]
    fn an_island_over_the_date_line() {
        let ring =
            vec![corner(0.0, 178.0), corner(4.0, 178.0), corner(4.0, -177.0), corner(0.0, -177.0), corner(0.0, 178.0)];
        let grid = surface(&[ring]);
        let check =
            |lat: f64, lon: f64, expect: bool| assert_eq!(grid.is_near(corner(lat, lon)), expect, "{lat} {lon}");
        check(2.0, 179.9, true);
        check(2.0, -179.9, true);
        check(2.0, -178.0, true);
        check(2.0, -176.0, false);
        check(2.0, 177.0, false);
        check(2.0, 0.0, false);
    }
}
