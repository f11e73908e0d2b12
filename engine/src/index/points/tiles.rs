//! Places by position: tiles of rows that lie together, found through an R-tree.
//!
//! Rows are in Hilbert order, so a run of [`TILE_ROWS`] is a small patch of the globe. The tree is over the boxes of
//! those patches in three dimensions, on the unit sphere, where the date line and the poles are like any other place.
//! Distances are squared chords: they grow with the great circle and cost no trigonometry.

use std::ops::Range;
use std::sync::OnceLock;

use rstar::{AABB, RStarInsertionStrategy, RTree, RTreeObject, RTreeParams};

use crate::geo::{Coordinate, metres_to_chord};
use crate::index::degrees::as_stored;
use crate::index::format::{Column, OpenError, Section, Sections, Value};
use crate::index::layer::Layer;
use crate::index::places::extent_as_stored;
use crate::record::Record;

/// Rows of a tile: fewer make the tree larger and its load slower, more are scanned for nothing.
pub(crate) const TILE_ROWS: u32 = 64;

const SIDES: usize = 6;

/// No side of a box is farther out: a place on the unit sphere reaches no farther than to the other side of it.
const FARTHEST: f32 = 4.0;

/// The tiles of a run of rows, and the tree over them. That is made when it is first asked: most of what an index takes to
/// open would go by for it, and many only ever ask for names.
#[derive(Debug)]
pub(crate) struct Tiles {
    sides: Column<f32>,
    first: u32,
    rows: u32,
    tree: OnceLock<RTree<Tile, Wide>>,
    /// Where on the Hilbert curve the first row of each tile is.
    curve: OnceLock<Vec<u32>>,
}

/// Children of a node of the tree: with 10 instead of rstar's 6 it is made in two thirds of the time, and no slower to ask.
#[derive(Debug)]
struct Wide;

impl RTreeParams for Wide {
    const MIN_SIZE: usize = 5;
    const MAX_SIZE: usize = 10;
    const REINSERTION_COUNT: usize = 1;
    type DefaultInsertionStrategy = RStarInsertionStrategy;
}

#[derive(Clone, Copy, Debug)]
struct Tile {
    low: [f32; 3],
    high: [f32; 3],
    number: u32,
}

impl RTreeObject for Tile {
    type Envelope = AABB<[f32; 3]>;

    fn envelope(&self) -> Self::Envelope {
        AABB::from_corners(self.low, self.high)
    }
}

impl Tiles {
    /// The tiles of a layer of rows.
    pub fn open(sections: &Sections, section: Section, layer: Range<u32>) -> Result<Self, OpenError> {
        let (first, rows) = (layer.start, layer.end - layer.start);
        let sides = Column::<f32>::new(sections.get(section));
        let is_whole = sides.len() == SIDES * rows.div_ceil(TILE_ROWS) as usize;
        // The tree cannot sort what is no number, or becomes none when boxes are measured.
        if !is_whole || (0..sides.len() as u32).any(|side| !(-FARTHEST..=FARTHEST).contains(&sides.get(side))) {
            return Err(OpenError::Malformed("tiles"));
        }
        Ok(Self { sides, first, rows, tree: OnceLock::new(), curve: OnceLock::new() })
    }

    fn tree(&self) -> &RTree<Tile, Wide> {
        self.tree.get_or_init(|| {
            let count = self.rows.div_ceil(TILE_ROWS);
            RTree::bulk_load_with_params((0..count).map(|number| self.tile(number)).collect())
        })
    }

    fn tile(&self, number: u32) -> Tile {
        let side = |i: usize| self.sides.get(number * SIDES as u32 + i as u32);
        Tile { low: std::array::from_fn(side), high: std::array::from_fn(|i| side(3 + i)), number }
    }

    /// The tile on whose stretch of the Hilbert curve `point` lies, as a run of rows: it is most often around the point, and
    /// always of a size that fits how dense places are there. `position` tells where a row is.
    pub fn beside(&self, point: Coordinate, position: impl Fn(u32) -> Coordinate) -> Range<u32> {
        let tiles = 0..self.rows.div_ceil(TILE_ROWS);
        let curve = self.curve.get_or_init(|| tiles.map(|tile| hilbert(position(self.run(tile).start))).collect());
        let behind = hilbert(point);
        let number = curve.partition_point(|&first| first <= behind).saturating_sub(1);
        self.run(number as u32)
    }

    /// The rows of a tile.
    fn run(&self, number: u32) -> Range<u32> {
        let first = self.first + number * TILE_ROWS;
        first..(first + TILE_ROWS).min(self.first + self.rows)
    }

    /// Runs of rows that hold every row within a squared chord of `point`.
    pub fn within(&self, point: [f64; 3], chord: f64) -> impl Iterator<Item = Range<u32>> + '_ {
        let reach = libm::sqrt(chord);
        let corner = |direction: f64| point.map(|side| outward(side + direction * reach, direction));
        let near = AABB::from_corners(corner(-1.0), corner(1.0));
        self.tree().locate_in_envelope_intersecting(near).map(|tile| self.run(tile.number))
    }

    /// Runs of rows whose tile reaches over `point`.
    pub fn over(&self, point: [f64; 3]) -> impl Iterator<Item = Range<u32>> + '_ {
        self.within(point, 0.0)
    }
}

/// Cells of a side of the grid that orders places: about 600 m at the equator.
const HILBERT_ORDER: u8 = 16;

/// Where a position is on the curve that rows are in the order of.
pub(crate) fn hilbert(position: Coordinate) -> u32 {
    let cells = f64::from(1u32 << HILBERT_ORDER);
    let cell = |share: f64| (share * cells).min(cells - 1.0) as u16;
    fast_hilbert::xy2h(cell((position.lon + 180.0) / 360.0), cell((position.lat + 90.0) / 180.0), HILBERT_ORDER)
}

/// The tile section of a layer of places in row order. It goes by what is stored, as it is rounded there.
pub(crate) fn encode_tiles(places: &[&Record], layer: Layer) -> Vec<u8> {
    let members = places.iter().filter(|place| Layer::of(place.kind.role) == layer);
    let reach = |place: &Record| if layer == Layer::Sites { extent_as_stored(place.extent_m) } else { 0.0 };
    encode(&members.map(|place| (as_stored(place.position), reach(place))).collect::<Vec<_>>())
}

/// Tiles of positions, each with how far it reaches in metres (0 for its point alone).
fn encode(places: &[(Coordinate, f64)]) -> Vec<u8> {
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
