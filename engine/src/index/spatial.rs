//! Places by position: tiles of rows that lie together, found through an R-tree.
//!
//! Rows are in Hilbert order, so a run of [`TILE_ROWS`] is a small patch of the globe. The tree is over the boxes of
//! those patches in three dimensions, on the unit sphere, where the date line and the poles are like any other place.
//! Distances are squared chords: they grow with the great circle and cost no trigonometry.

use rstar::{AABB, PointDistance, RTree, RTreeObject};

use super::column::{Column, Value};
use super::layout::{OpenError, Section, Sections};
use crate::geo::{Coordinate, metres_to_chord};

/// Rows of a tile: fewer make the tree larger and its load slower, more are scanned for nothing.
pub(crate) const TILE_ROWS: u32 = 64;

const SIDES: usize = 6;

/// The tree over the tiles of a run of rows.
#[derive(Debug)]
pub(crate) struct Tiles {
    tree: RTree<Tile>,
}

#[derive(Clone, Copy, Debug)]
struct Tile {
    low: [f64; 3],
    high: [f64; 3],
    first: u32,
    end: u32,
}

impl RTreeObject for Tile {
    type Envelope = AABB<[f64; 3]>;

    fn envelope(&self) -> Self::Envelope {
        AABB::from_corners(self.low, self.high)
    }
}

impl PointDistance for Tile {
    fn distance_2(&self, point: &[f64; 3]) -> f64 {
        (0..3)
            .map(|axis| {
                let outside = (self.low[axis] - point[axis]).max(point[axis] - self.high[axis]).max(0.0);
                outside * outside
            })
            .sum()
    }
}

impl Tiles {
    /// The tree over `rows` consecutive rows from `first` on.
    pub fn open(sections: &Sections, section: Section, first: u32, rows: u32) -> Result<Self, OpenError> {
        let sides = Column::<f32>::new(sections.get(section));
        let count = rows.div_ceil(TILE_ROWS);
        if sides.len() != SIDES * count as usize {
            return Err(OpenError::Malformed("tiles"));
        }
        let tile = |number: u32| {
            let side = |i: usize| f64::from(sides.get(number * SIDES as u32 + i as u32));
            let start = first + number * TILE_ROWS;
            Tile {
                low: std::array::from_fn(side),
                high: std::array::from_fn(|i| side(3 + i)),
                first: start,
                end: (start + TILE_ROWS).min(first + rows),
            }
        };
        Ok(Self { tree: RTree::bulk_load((0..count).map(tile).collect()) })
    }

    /// Runs of rows, nearest tile first, each with a lower bound of the squared chord to any place in it.
    pub fn nearest(&self, point: [f64; 3]) -> impl Iterator<Item = (f64, std::ops::Range<u32>)> + '_ {
        self.tree.nearest_neighbor_iter_with_distance_2(point).map(|(tile, distance)| (distance, tile.first..tile.end))
    }

    /// Runs of rows whose tile reaches over `point`.
    pub fn over(&self, point: [f64; 3]) -> impl Iterator<Item = std::ops::Range<u32>> + '_ {
        self.tree.locate_all_at_point(point).map(|tile| tile.first..tile.end)
    }
}

/// The tile section for places in row order, each with how far it reaches in metres (0 for its point alone).
pub(crate) fn encode(places: &[(Coordinate, f64)]) -> Vec<u8> {
    let mut out = Vec::new();
    for tile in places.chunks(TILE_ROWS as usize) {
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for &(position, reach_m) in tile {
            let (vector, reach) = (position.unit_vector(), libm::sqrt(metres_to_chord(reach_m)));
            for axis in 0..3 {
                low[axis] = low[axis].min(vector[axis] - reach);
                high[axis] = high[axis].max(vector[axis] + reach);
            }
        }
        low.iter().for_each(|&side| outward(side, -1.0).append(&mut out));
        high.iter().for_each(|&side| outward(side, 1.0).append(&mut out));
    }
    out
}

/// The next single-precision number in the given direction, so that a box never shrinks.
fn outward(side: f64, direction: f64) -> f32 {
    (side + direction * f64::from(f32::EPSILON)) as f32
}
