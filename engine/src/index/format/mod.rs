//! The file format: the frame, the table of sections, and the columns and texts that sections consist of.

mod column;
mod layout;
mod open_error;
mod sections;
mod texts;

pub use layout::sections;
pub use open_error::{FORMAT_VERSION, MAGIC, OpenError};
pub use sections::{Element, MEANINGS, SECTIONS, SectionInfo};

pub(crate) use column::{Column, Value, encode};
pub(crate) use layout::{Country, Header, NO_ROW, assemble, checksum, open, verify};
pub(crate) use sections::{EncodedSection, Section, Sections};
pub(crate) use texts::{Texts, text_at};
