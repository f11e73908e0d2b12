//! Looks into an index: what it holds, all facts about one place, and whether it is valid.

mod contents;
mod counts;
mod facts;
mod verify;

pub use contents::Contents;
pub use counts::{KindCount, SectionSize, countries, kinds, scripts, section_sizes};
pub use facts::{Facts, facts};
pub use verify::{Faults, verify};

#[cfg(test)]
mod tests;
