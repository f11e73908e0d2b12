//! An index in pages gives the answer that it gives with all its pages, whichever of them are there when a question begins, and
//! after two fetches at most.

mod alone;
mod fixture;
mod joined;
pub mod questions;
