//! The GeoNames feature codes of settlements that the builder distinguishes.

use serde::{Deserialize, Serialize};

/// The GeoNames feature code of a settlement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Feature {
    /// PPLC: seat of a national government.
    Capital,
    /// PPLA: seat of a first-level division.
    FirstSeat,
    /// PPLA2: seat of a second-level division.
    SecondSeat,
    /// PPLA3 to PPLA5.
    LowerSeat,
    /// PPL, PPLL and the like.
    Place,
    /// No code.
    Unknown,
    /// PPLX: part of a city.
    Section,
    /// PPLQ, PPLH, PPLW, PPLCH: abandoned or destroyed.
    Former,
}
