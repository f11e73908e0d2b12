//! Reads the files that an operator imports with `cargo toponym index --add FILE...`. Their documentation is
//! `data/ADDING.md`.
//!
//! The name and the first row decide the format. Files are read row by row, so that a table of thirteen million rows
//! needs no more memory than the places kept from it.

mod adapters;
mod columns;
mod features;
mod file;
mod format;
mod geometry;
pub(crate) mod geonames_admin_codes;
pub(crate) mod geonames_alternate_names;
pub(crate) mod geonames_country_info;
pub(crate) mod geonames_table;
pub(crate) mod languages;
pub(crate) mod ourairports;
pub(crate) mod own_ids;
mod packed;
pub(crate) mod plain;
mod row_reader;
mod source;

pub(crate) use adapters::Classes;
pub(crate) use file::ImportFile;
pub(crate) use format::{Format, recognise};
pub(crate) use source::{IdSpace, ImportSource};
