//! The land grid as an index stores it.

use bytes::Bytes;

use crate::geo::Coordinate;
use crate::index::format::OpenError;
use crate::land_grid::{LandGrid, is_set};

/// The land grid of an index. If it has none, every point is near land.
#[derive(Debug)]
pub(crate) struct Land(Bytes);

impl Land {
    pub fn open(bits: Bytes) -> Result<Self, OpenError> {
        let whole = bits.is_empty() || bits.len() == LandGrid::ROWS * LandGrid::COLUMNS / 8;
        if whole { Ok(Self(bits)) } else { Err(OpenError::Malformed("land grid")) }
    }

    /// Tells whether the index has no land grid.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn is_near(&self, point: Coordinate) -> bool {
        let (row, column) = LandGrid::cell(point.canonical());
        self.0.is_empty() || is_set(&self.0, row, column)
    }
}
