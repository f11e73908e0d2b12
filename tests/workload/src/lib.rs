//! Questions to measure with. Everything comes from the places of an index, by rule and by a fixed seed, so that every
//! engine of a comparison gets the same questions about the same places, and every run the same ones as the last.
//!
//! - `gazetteer` reads an index back into the records it was written from, by `FORMAT.md` alone;
//! - [`Workload::of`] makes the questions;
//! - `synthetic` makes a gazetteer of any size whose names look like the real ones.

mod borders;
mod degrees;
mod gazetteer;
mod synthetic;
mod typos;
mod workload;

pub use gazetteer::{ReadError, gazetteer};
pub use synthetic::synthetic;
pub use workload::{Case, Operation, Position, Question, Workload};
