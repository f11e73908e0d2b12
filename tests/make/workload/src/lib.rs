//! Generates queries for benchmarks from the places of an index, by rules and with a fixed seed. So every engine in a
//! comparison gets the same queries about the same places, and every run repeats them.
//!
//! - `gazetteer` reads an index back into the records it was written from, using only `FORMAT.md`;
//! - [`Workload::of`] makes the queries;
//! - [`mixed_rows`] makes rows of a table with cities and countries, as people write them;
//! - `synthetic` makes a gazetteer of any size whose names look like the real ones;
//! - [`example_engine`] opens the small index that examples of the documentation ask.

mod borders;
mod example;
mod gazetteer;
mod mixed;
mod synthetic;
mod typos;
mod workload;

pub use example::{example_engine, example_gazetteer};
pub use gazetteer::{ReadError, gazetteer};
pub use mixed::{MixedRow, mixed_rows};
pub use synthetic::synthetic;
pub use workload::{Case, Operation, Position, Question, Workload};
