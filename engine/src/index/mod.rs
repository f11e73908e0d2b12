//! The index: one file that is written once and read in place. `FORMAT.md` is its specification.
//!
//! [`write()`] encodes a gazetteer, `Index::open` reads the bytes: places by row, names by search, points by position.
//! Several files can answer as one index, each as a segment of it. A row is a place. Rows of populated places come first, then
//! sites, both in spatial order, then areas. Only this folder knows about sections.

#[cfg(test)]
mod borders_tests;
mod checks;
mod degrees;
mod format;
mod layer;
mod names;
#[cfg(test)]
mod names_tests;
mod opened;
mod places;
mod points;
#[cfg(test)]
mod points_tests;
mod remote;
mod scripts;
mod segment;
mod spellings;
#[cfg(test)]
mod tests;
mod transliteration;
mod vicinity;
mod writer;

pub use checks::{MAX_ID, MAX_NAME_BYTES, WriteError};
pub(crate) use checks::{check_place, check_rest, display_name};
pub(crate) use format::{Column, checksum, encode as column};
pub use format::{Element, FORMAT_VERSION, MAGIC, MEANINGS, OpenError, SECTIONS, SectionInfo, sections};
pub use names::{MAX_KEY_LETTERS, WORK_PER_PLACE};
pub use spellings::MAX_SPELLING;
pub use writer::{write, write_watched, write_without_sounds};

pub(crate) use degrees::as_stored;
pub(crate) use layer::Layer;
pub(crate) use names::{
    Cost, Distances, Keys, MAX_EDITS, Match, NameSearch, Names, OrderedSearch, Posting, Prefix, STEP, Spelled,
    SpelledSearch, Subtree, TableKeys, UNIT, encode_fst, in_steps, last_lead, name_keys, no_keys, of_class,
    of_importance, share, sound_keys, stored_importance,
};
pub(crate) use places::{PlaceRef, language_ranges, translations};
pub(crate) use points::{Cuboid, Tree, Window, divide_borders, encode_borders};
pub(crate) use remote::{RemoteRecords, language_bit};
pub(crate) use scripts::Lattices;
pub(crate) use segment::{Index, Languages, Opened, RowId, Segment};
pub(crate) use spellings::Lattice;
pub(crate) use vicinity::{Near, Vicinity};
pub(crate) use writer::{Contents, encode};
