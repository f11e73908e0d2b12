//! The index: one file that is written once and read in place. `FORMAT.md` is its specification.
//!
//! [`write()`] turns a gazetteer into bytes, `Index::open` turns bytes into what the engine reads: places by row, names by
//! search, points by position. A row is a place; rows of populated places come first, then sites, both in spatial order, then
//! areas. Nothing outside this folder knows a section.

mod checks;
mod degrees;
mod format;
mod layer;
mod names;
mod opened;
mod places;
mod points;
#[cfg(test)]
mod tests;
mod transliteration;
mod writer;

pub use checks::{MAX_ID, MAX_NAME_BYTES, WriteError};
pub use format::{Element, FORMAT_VERSION, MAGIC, OpenError, SECTIONS, SectionInfo, sections};
pub use names::MAX_KEY_LETTERS;
pub use writer::{write, write_without_sounds};

pub(crate) use names::{Cost, MAX_EDITS, Match, NameSearch, Names, Posting, UNIT, of_class, share};
pub(crate) use opened::Index;
pub(crate) use places::{Language, PlaceRef};
pub(crate) use points::Nearest;
