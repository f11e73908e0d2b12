//! Builds the index: fetches the pinned sources, reads them, merges them into one gazetteer, writes it.
//!
//! ```text
//! data/sources.toml ─> fetch ─> sources (one adapter each) ─> gazetteer ─> toponym_engine::index::write ─> file
//! ```
//!
//! [`index::build`] is the whole of it, [`index::gazetteer`] all but the last step. [`inspect`] looks into an index, [`check`]
//! holds places against one, [`pack()`] makes it small for a browser. The same inputs give the same bytes; a failed build leaves
//! nothing behind.

mod archive;
pub mod attribution;
pub mod check;
mod core;
mod error;
mod feature;
mod fetch;
#[cfg(feature = "fuzz")]
pub mod fuzz;
mod gazetteer;
mod ids;
mod importance;
pub mod index;
pub mod inspect;
mod letters;
mod lexicon;
mod name_list;
mod names;
mod pack;
mod progress;
mod sources;
mod spatial;
mod text;

pub use error::BuildError;
pub use fetch::{Manifest, Registry, Source, fetch};
pub use pack::{Effort, pack};
