//! Tiles: groups of neighbouring rows, in an R-tree.
//!
//! Rows are in Hilbert order, so [`TILE_ROWS`] consecutive rows lie close together. The tree contains the bounding boxes of
//! tiles in three dimensions, on the unit sphere, where the date line and the poles need no special case. Distances are
//! squared chords, which grow with the great-circle distance and need no trigonometry.

use std::ops::Range;
use std::sync::OnceLock;

use super::tree::{Cuboid, Tree};
use crate::geo::{Coordinate, metres_to_chord};
use crate::index::degrees::as_stored;
use crate::index::format::{Column, OpenError, Section, Sections, Value};
use crate::index::layer::Layer;
use crate::index::places::extent_as_stored;
use crate::record::Record;

/// Rows per tile. With fewer, the tree is larger and slower to load; with more, more rows are scanned in vain.
pub(crate) const TILE_ROWS: u32 = 64;

const SIDES: usize = 6;

/// Maximum absolute coordinate of a box: a position on the unit sphere plus the longest possible extent.
const MAX_COORDINATE: f32 = 4.0;

/// The tiles of a layer, and the tree over them. The tree is built when first needed: that takes most of the time of
/// opening an index, and many hosts only search by name.
#[derive(Debug)]
pub(crate) struct Tiles {
    sides: Column<f32>,
    first: u32,
    rows: u32,
    tree: OnceLock<Tree>,
    /// Position on the Hilbert curve of the first row of each tile.
    curve: OnceLock<Vec<u32>>,
}

impl Tiles {
    /// Opens the tiles of a layer of rows.
    pub fn open(sections: &Sections, section: Section, layer: Range<u32>) -> Result<Self, OpenError> {
        let first = layer.start;
        let rows = layer.end - layer.start;
        let sides = Column::<f32>::new(sections.get(section));
        // A page that is not searched by position has none.
        let rows = if sides.len() == 0 { 0 } else { rows };
        let is_whole = sides.len() == SIDES * rows.div_ceil(TILE_ROWS) as usize;
        // A side that is not a number, or outside of every box, is one of a damaged index.
        if !is_whole
            || (0..sides.len() as u32).any(|side| !(-MAX_COORDINATE..=MAX_COORDINATE).contains(&sides.get(side)))
        {
            return Err(OpenError::Malformed("tiles"));
        }
        Ok(Self { sides, first, rows, tree: OnceLock::new(), curve: OnceLock::new() })
    }

    fn tree(&self) -> &Tree {
        let tiles = 0..self.rows.div_ceil(TILE_ROWS);
        self.tree.get_or_init(|| Tree::of(tiles.map(|number| self.cuboid(number)).collect()))
    }

    /// Returns the box of a tile.
    fn cuboid(&self, number: u32) -> Cuboid {
        let side = |i: usize| self.sides.get(number * SIDES as u32 + i as u32);
        Cuboid { low: std::array::from_fn(side), high: std::array::from_fn(|i| side(3 + i)) }
    }

    /// Returns the rows of the tile whose part of the Hilbert curve contains `point`. It usually lies around the point,
    /// and its size always fits the density of places there. `position` returns the position of a row.
    pub fn beside(&self, point: Coordinate, position: impl Fn(u32) -> Coordinate) -> Range<u32> {
        let tiles = 0..self.rows.div_ceil(TILE_ROWS);
        let curve =
            self.curve.get_or_init(|| tiles.map(|tile| position(self.rows_of(tile).start).curve_position()).collect());
        let here = point.curve_position();
        let number = curve.partition_point(|&first| first <= here).saturating_sub(1);
        self.rows_of(number as u32)
    }

    /// Returns the rows of a tile.
    fn rows_of(&self, number: u32) -> Range<u32> {
        let first = self.first + number * TILE_ROWS;
        first..(first + TILE_ROWS).min(self.first + self.rows)
    }

    /// Iterates over ranges that contain all rows within a squared chord of `point`.
    pub fn within(&self, point: [f64; 3], chord: f64) -> impl Iterator<Item = Range<u32>> + '_ {
        self.tree().meeting(Cuboid::within(point, chord)).map(|number| self.rows_of(number))
    }

    /// Iterates over the rows of each tile, with the squared chord from `point` to its box, the nearest first.
    pub fn nearest_first(&self, point: [f64; 3]) -> impl Iterator<Item = (f64, Range<u32>)> + '_ {
        self.tree().nearest_first(point).map(|(chord, number)| (chord, self.rows_of(number)))
    }

    /// Iterates over the rows of each tile whose box contains `point`.
    pub fn over(&self, point: [f64; 3]) -> impl Iterator<Item = Range<u32>> + '_ {
        self.within(point, 0.0)
    }
}

/// Encodes the section of tiles of a layer, for places in row order. Uses positions and extents as stored, which are
/// rounded.
pub(crate) fn encode_tiles(places: &[&Record], layer: Layer) -> Vec<u8> {
    let members = places.iter().filter(|place| Layer::of(place.kind.role) == layer);
    let reach = |place: &Record| if layer == Layer::Sites { extent_as_stored(place.extent_m) } else { 0.0 };
    encode(&members.map(|place| (as_stored(place.position), reach(place))).collect::<Vec<_>>())
}

/// Encodes the tiles of positions, each with a radius in metres (0 for a point).
fn encode(places: &[(Coordinate, f64)]) -> Vec<u8> {
    let mut out = Vec::new();
    for tile in places.chunks(TILE_ROWS as usize) {
        let cuboids =
            tile.iter().map(|(position, reach_m)| Cuboid::within(position.unit_vector(), metres_to_chord(*reach_m)));
        let Cuboid { low, high } = cuboids.fold(Cuboid::EMPTY, Cuboid::around);
        low.iter().chain(&high).for_each(|side| side.append(&mut out));
    }
    out
}
