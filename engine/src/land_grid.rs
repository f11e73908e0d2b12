//! Where land is near: one bit per cell of a coarse grid.
//!
//! Borders reach out into the waters of their country; this grid says where a point is too far out to be called after
//! a place on the coast.

use crate::geo::Coordinate;

/// Cells along one degree: 0.25 degrees are about 28 km.
pub const LAND_CELLS_PER_DEGREE: usize = 4;

/// A grid of cells over the globe, rows from the south pole, columns from 180 W, one bit each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LandGrid {
    bits: Vec<u8>,
}

impl LandGrid {
    /// Rows of the grid.
    pub const ROWS: usize = 180 * LAND_CELLS_PER_DEGREE;
    /// Columns of the grid.
    pub const COLUMNS: usize = 360 * LAND_CELLS_PER_DEGREE;

    /// A grid without land.
    pub fn empty() -> Self {
        Self { bits: vec![0; Self::ROWS * Self::COLUMNS / 8] }
    }

    /// Row and column of a point. The cell east of the date line is that of longitude -180, the one west of it that of 180.
    pub fn cell(point: Coordinate) -> (usize, usize) {
        let at = |degrees: f64, cells: usize| ((degrees * LAND_CELLS_PER_DEGREE as f64) as usize).min(cells - 1);
        (at(point.lat + 90.0, Self::ROWS), at(point.lon + 180.0, Self::COLUMNS))
    }

    /// Marks a cell.
    ///
    /// # Panics
    /// When it is not a cell of the grid, or the grid is the default one.
    pub fn mark(&mut self, row: usize, column: usize) {
        let bit = row * Self::COLUMNS + column;
        self.bits[bit / 8] |= 1 << (bit % 8);
    }

    /// Whether a cell is marked; none is in the default grid.
    pub fn is_marked(&self, row: usize, column: usize) -> bool {
        is_set(&self.bits, row, column)
    }

    /// Whether the cell of a point is marked.
    pub fn is_near(&self, point: Coordinate) -> bool {
        let (row, column) = Self::cell(point.canonical());
        self.is_marked(row, column)
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.bits.clone()
    }
}

/// Whether the bit of a cell is set.
pub(crate) fn is_set(bits: &[u8], row: usize, column: usize) -> bool {
    let bit = row * LandGrid::COLUMNS + column;
    bits.get(bit / 8).is_some_and(|byte| byte >> (bit % 8) & 1 == 1)
}
