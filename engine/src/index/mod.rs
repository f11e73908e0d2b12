//! The index: one file that is written once and read in place. `FORMAT.md` is its specification.
//!
//! [`write()`] turns a gazetteer into bytes, `Index::open` turns bytes into sections that answer by row. A row is a
//! place; rows of populated places come first, then the other points, both in spatial order, then areas.

mod borders;
mod checks;
mod codes;
mod column;
mod cost;
mod edits;
mod land;
mod layout;
mod letters;
mod minima;
mod name_search;
mod name_table;
mod names;
mod open_error;
mod places;
mod sections;
mod spatial;
#[cfg(test)]
mod tests;
mod transducer;
mod translations;
mod writer;

pub use checks::{MAX_ID, MAX_NAME_BYTES, WriteError};
pub use layout::sections;
pub use names::MAX_KEY_LETTERS;
pub use open_error::{FORMAT_VERSION, MAGIC, OpenError};
pub use sections::{Element, SECTIONS, SectionInfo};
pub use writer::{write, write_without_sounds};

pub(crate) use borders::Borders;
pub(crate) use codes::Codes;
pub(crate) use cost::{Cost, UNIT, share};
pub(crate) use edits::MAX_EDITS;
pub(crate) use land::Land;
pub(crate) use letters::Letters;
pub(crate) use name_search::{Match, NameSearch};
pub(crate) use names::{Names, Posting};
pub(crate) use places::Places;
pub(crate) use spatial::Tiles;
pub(crate) use translations::Language;
use translations::Translations;

use bytes::Bytes;

use crate::record::NameClass;
use layout::Header;
use sections::Section;

/// An opened index.
pub(crate) struct Index {
    pub header: Header,
    /// Names of the better classes, as they are written.
    pub names: Names,
    /// Names of the other classes, as they are written.
    pub alternates: Names,
    /// Names as they sound.
    pub sounds: Names,
    pub codes: Codes,
    pub letters: Letters,
    pub places: Places,
    /// Cities and quarters: what a point is near.
    pub populated: Tiles,
    /// Airports, stations, landmarks: what a point is on.
    pub sites: Tiles,
    /// What country a point is in.
    pub borders: Borders,
    /// Whether land is near.
    pub land: Land,
    /// Names to show.
    pub translations: Translations,
}

impl Index {
    /// Reads header and directory; columns stay where they are.
    ///
    /// # Errors
    /// When the bytes are not a whole, undamaged index of this version.
    pub fn open(bytes: Bytes) -> Result<Self, OpenError> {
        layout::verify(&bytes)?;
        Self::open_trusted(bytes)
    }

    /// Like [`Index::open`] without a look at the checksum.
    pub fn open_trusted(bytes: Bytes) -> Result<Self, OpenError> {
        let (header, sections) = layout::open(bytes)?;
        let places = Places::open(&header, &sections)?;
        let rows = header.rows();
        let names = Names::open(&sections, names::OWN, rows)?;
        let alternates = Names::open(&sections, names::ALTERNATES, rows)?;
        let sounds = Names::open(&sections, names::SOUNDS, rows)?;
        let codes = Codes::open(&sections, rows)?;
        let letters = Letters::open(&sections)?;
        let populated = Tiles::open(&sections, Section::PopulatedTiles, 0, header.populated)?;
        let sites = Tiles::open(&sections, Section::SiteTiles, header.populated, header.sites)?;
        let borders = Borders::open(&header, &sections)?;
        let land = Land::open(sections.get(Section::Land))?;
        let translations = Translations::open(&header.languages, &sections)?;
        Ok(Self {
            header,
            names,
            alternates,
            sounds,
            codes,
            letters,
            places,
            populated,
            sites,
            borders,
            land,
            translations,
        })
    }

    /// What a place costs before anything is known of the query.
    pub fn cost_of_importance(&self, row: u32) -> Cost {
        cost::of_importance(self.places.importance(row))
    }

    /// What the class of a name adds.
    pub fn cost_of_class(&self, class: NameClass) -> Cost {
        cost::of_class(class)
    }

    /// The part of a candidate's cost that was known when the index was written.
    pub fn cost(&self, posting: Posting) -> Cost {
        self.cost_of_importance(posting.row) + self.cost_of_class(posting.class)
    }
}
