//! Files that an operator adds: `cargo xtask index --add FILE...`. `data/ADDING.md` describes them for people.
//!
//! Each is recognised by its name and its first row, and read row by row, so that a table of thirteen million rows needs
//! no more memory than the places that are kept of it.

pub(crate) mod alternate_names;
pub(crate) mod codes;
pub(crate) mod countries;
mod format;
mod input;
pub(crate) mod ourairports;
pub(crate) mod plain;
mod rows;
pub(crate) mod table;

pub(crate) use format::{Format, recognise};
pub(crate) use input::Input;
