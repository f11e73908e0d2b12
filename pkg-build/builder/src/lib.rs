//! Builds the index: fetches the pinned sources, reads them, merges them into one gazetteer, writes it.
//!
//! ```text
//! data/sources.toml ─> fetch ─> sources (one adapter each) ─> rows by country ─> gazetteer ─> one file, or pages
//! ```
//!
//! [`index::build`] runs all steps. [`inspect`] looks into an index, [`check`] compares places with one, [`pack()`] compresses one
//! for browsers. The same inputs give the same bytes, and [`freshness`] says whether they have changed since; a failed build
//! leaves nothing behind.

mod archive;
pub mod attribution;
mod browser_subset;
pub mod check;
mod error;
mod feature;
mod fetch;
mod first_subset;
pub mod freshness;
#[doc(hidden)]
pub mod fuzz;
mod gazetteer;
#[cfg(test)]
mod gazetteer_for_tests;
mod ids;
mod importance;
pub mod index;
mod index_options;
pub mod inspect;
mod lexicon;
mod name_list;
mod names;
mod output;
mod pack;
pub mod paged;
mod parallel;
mod pinned;
mod progress;
pub mod receipt;
mod scratch;
mod simplified;
mod sorted;
mod sources;
mod spatial;
mod spellings;
mod stored;
mod text;
mod transliteration;

pub use error::BuildError;
pub use fetch::{Manifest, Registry, Source, fetch, unfinished_file};
pub use pack::{Compressor, pack, unpack};
