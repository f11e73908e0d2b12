//! Places by row: their columns, translations, codes and facts.

mod codes;
mod columns;
mod encode;
mod facts;
mod place_ref;
mod translations;

pub(crate) use codes::Codes;
pub(crate) use columns::{Places, extent_as_stored};
pub(crate) use encode::{Lists, Rows, encode_places};
pub(crate) use facts::{FactColumns, encode_facts};
pub(crate) use place_ref::PlaceRef;
pub(crate) use translations::{Language, Translations, encode_translations, language_ranges, translations};
