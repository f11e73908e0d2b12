//! A coarse grid with one bit per cell: whether the cell is near land.
//!
//! Borders include territorial waters. With this grid, reverse ignores a country if the point is too far from its coast.

use crate::geo::Coordinate;

/// Cells per degree: a cell of 0.25 degrees is about 28 km high.
pub const LAND_CELLS_PER_DEGREE: usize = 4;

/// A grid over the globe with one bit per cell. Rows start at the south pole, columns at 180 W.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LandGrid {
    bits: Vec<u8>,
}

impl LandGrid {
    /// Rows of the grid.
    pub const ROWS: usize = 180 * LAND_CELLS_PER_DEGREE;
    /// Columns of the grid.
    pub const COLUMNS: usize = 360 * LAND_CELLS_PER_DEGREE;

    /// Creates a grid without land.
    pub fn empty() -> Self {
        Self { bits: vec![0; Self::ROWS * Self::COLUMNS / 8] }
    }

    /// Returns row and column of a point. Longitude -180 is in the first column, 180 in the last.
    pub fn cell(point: Coordinate) -> (usize, usize) {
        fn at(degrees: f64, cells: usize) -> usize {
            ((degrees * LAND_CELLS_PER_DEGREE as f64) as usize).min(cells - 1)
        }
        (at(point.lat + 90.0, Self::ROWS), at(point.lon + 180.0, Self::COLUMNS))
    }

    /// Marks a cell.
    ///
    /// # Panics
    /// If there is no such cell, or the grid is the default one.
    ///
    /// # Example: mark the land of an island
    ///
    /// ```
    /// use toponym_engine::{LandGrid, geo::Coordinate};
    ///
    /// let suva = Coordinate::new(-18.14, 178.44).unwrap();
    /// let mut land = LandGrid::empty();
    /// let (row, column) = LandGrid::cell(suva);
    /// land.mark(row, column);
    /// assert!(land.is_near(suva) && !land.is_near(Coordinate::new(0.0, 0.0).unwrap()));
    /// ```
    pub fn mark(&mut self, row: usize, column: usize) {
        let bit = row * Self::COLUMNS + column;
        self.bits[bit / 8] |= 1 << (bit % 8);
    }

    /// Tells whether a cell is marked. In the default grid, none is.
    pub fn is_marked(&self, row: usize, column: usize) -> bool {
        is_set(&self.bits, row, column)
    }

    /// Tells whether the cell of a point is marked.
    pub fn is_near(&self, point: Coordinate) -> bool {
        let (row, column) = Self::cell(point.canonical());
        self.is_marked(row, column)
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.bits.clone()
    }
}

/// Tells whether the bit of a cell is set.
pub(crate) fn is_set(bits: &[u8], row: usize, column: usize) -> bool {
    let bit = row * LandGrid::COLUMNS + column;
    bits.get(bit / 8).is_some_and(|byte| byte >> (bit % 8) & 1 == 1)
}
