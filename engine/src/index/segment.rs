//! A segment of an index: one opened file. [`super::Index`] answers from several together.

use std::sync::Arc;

use bytes::Bytes;

use super::format::{self, Header, OpenError, Section};
use super::layer::Layer;
use super::names::{self, Cost, Names, Posting};
use super::places::{Codes, FactColumns, Language, Places, Translations};
use super::points::{Borders, Land, Points, Tiles};
use super::remote::RemotePlaces;
use super::spellings::SpellingTable;
use super::transliteration::Transliteration;
use crate::record::Role;

/// An opened index: one segment, or several that answer together.
pub(crate) struct Index {
    /// At least one.
    pub(super) files: Vec<Arc<Opened>>,
}

/// The languages to try for names, the best first; nothing if none is asked for.
#[derive(Default)]
pub(crate) struct Languages {
    /// Languages of each segment.
    pub(super) of_segments: Vec<Vec<Language>>,
    /// The segments that have names of places of others, each with its language.
    pub(super) remote: Vec<(usize, Language)>,
}

impl Languages {
    /// Returns the languages of a segment, by its number.
    pub fn of_segment(&self, number: u32) -> &[Language] {
        self.of_segments.get(number as usize).map_or(&[], Vec::as_slice)
    }

    /// Returns the names of a place that pages of languages have, each with the rank of its language.
    pub fn remote_names<'i>(&self, index: &'i Index, id: u64) -> Vec<(usize, &'i str)> {
        let pages = self.remote.iter();
        pages.filter_map(|&(at, language)| Some((language.rank, index.files[at].remote.name(id)?))).collect()
    }

    /// Tells whether no language is asked for.
    pub fn is_empty(&self) -> bool {
        self.of_segments.is_empty()
    }
}

/// A row of a segment of an index: what a place is until it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct RowId {
    /// Number of the segment in the index.
    pub segment: u32,
    /// Number of the place in the segment.
    pub row: u32,
}

/// A segment of an index.
#[derive(Clone, Copy)]
pub(crate) struct Segment<'i> {
    pub index: &'i Index,
    pub file: &'i Opened,
    /// Number of the segment in the index.
    pub number: u32,
}

/// An opened file. Rows are its own.
pub(crate) struct Opened {
    pub header: Header,
    /// The usual names: primary and English ones, as written.
    pub usual: Names,
    /// Names of the other classes, as written.
    pub alternates: Names,
    /// Phonetic keys of names.
    pub sounds: Names,
    pub codes: Codes,
    pub transliteration: Transliteration,
    /// Latin spellings of letters of other scripts.
    pub spellings: SpellingTable,
    pub places: Places,
    pub translations: Translations,
    pub facts: FactColumns,
    populated: Tiles,
    sites: Tiles,
    pub borders: Borders,
    pub land: Land,
    pub remote: RemotePlaces,
    /// The encoded directory of pages; empty if there are none.
    pub directory: Bytes,
}

impl Opened {
    /// Reads the header; sections are not copied.
    ///
    /// # Errors
    /// If the bytes are not a complete, undamaged index of this version.
    pub fn open(bytes: Bytes) -> Result<Self, OpenError> {
        format::verify(&bytes)?;
        Self::open_trusted(bytes)
    }

    /// Opens a file like [`Opened::open`], but skips the checksum.
    pub fn open_trusted(bytes: Bytes) -> Result<Self, OpenError> {
        let (header, sections) = format::open(bytes)?;
        let rows = header.rows();
        Ok(Self {
            places: Places::open(&header, &sections)?,
            usual: Names::open(&sections, names::USUAL, rows)?,
            alternates: Names::open(&sections, names::ALTERNATES, rows)?,
            sounds: Names::open(&sections, names::SOUNDS, rows)?,
            codes: Codes::open(&sections, rows)?,
            transliteration: Transliteration::open(&sections)?,
            spellings: SpellingTable::open(&sections)?,
            populated: Tiles::open(&sections, Section::PopulatedTiles, header.layer(Layer::Populated))?,
            sites: Tiles::open(&sections, Section::SiteTiles, header.layer(Layer::Sites))?,
            borders: Borders::open(&header, &sections)?,
            land: Land::open(sections.get(Section::Land))?,
            remote: RemotePlaces::open(&sections)?,
            directory: sections.get(Section::Directory),
            translations: Translations::open(&header.languages, &sections)?,
            facts: FactColumns::open(&header, &sections)?,
            header,
        })
    }

    /// Returns the number of places.
    pub fn rows(&self) -> u32 {
        self.header.rows()
    }

    /// Returns the number of a country, if the segment knows it.
    pub fn country_number(&self, iso2: [u8; 2]) -> Option<u16> {
        self.header.countries.binary_search_by_key(&iso2, |country| country.iso2).ok().map(|at| at as u16)
    }

    /// Tells whether the segment has places of a type.
    pub fn has_type(&self, name: &str) -> bool {
        self.header.kinds.iter().any(|kind| kind.r#type == name)
    }

    /// Tells whether the segment has a place, and not merely as a parent of others.
    pub fn has_whole(&self, id: u64) -> bool {
        self.places.row_of(id).is_some_and(|row| !self.places.is_bare(row))
    }

    /// Tells whether the segment has places of a role.
    pub fn has(&self, role: Role) -> bool {
        self.header.kinds.iter().any(|kind| kind.role == role)
    }

    /// Returns the folded name with a number among the usual names, or among the alternates.
    pub fn folded_name(&self, is_alternate: bool, number: u32) -> Option<String> {
        if is_alternate { self.alternates.key(number) } else { self.usual.key(number) }
    }

    /// Returns cities and quarters, by position.
    pub fn populated(&self) -> Points<'_> {
        Points::new(&self.populated, &self.places)
    }

    /// Returns airports, stations and landmarks, by position.
    pub fn sites(&self) -> Points<'_> {
        Points::new(&self.sites, &self.places)
    }

    /// Tells whether the segment is the root of an index in pages.
    pub fn is_root(&self) -> bool {
        !self.directory.is_empty()
    }

    /// Returns a test of whether a row is of a country; `None` if no row is, because the segment does not know the
    /// country.
    pub fn in_country(&self, country: Option<[u8; 2]>) -> Option<impl Fn(u32) -> bool> {
        let number = match country {
            Some(iso2) => Some(self.country_number(iso2)?),
            None => None,
        };
        Some(move |row| number.is_none_or(|number| self.places.country_number(row) == number))
    }

    /// Returns the cost of a place without any penalty.
    pub fn cost_of_importance(&self, row: u32) -> Cost {
        names::of_importance(self.places.importance(row))
    }

    /// Returns the cost of one of the segment's postings without the penalties of a query.
    pub fn cost(&self, posting: Posting) -> Cost {
        self.cost_of_importance(posting.row) + names::of_class(posting.class)
    }
}
