//! A segment of an index: one opened file. [`super::Index`] answers from several together.

use std::ops::{Deref, Range};

use bytes::Bytes;

use super::elsewhere::PlacesElsewhere;
use super::format::{self, Country, Header, OpenError, Section};
use super::layer::Layer;
use super::names::{self, Cost, Names, Posting};
use super::opened::Index;
use super::places::{Codes, FactColumns, Language, PlaceRef, Places, Translations};
use super::points::{Borders, Land, Points, Tiles};
use super::spellings::SpellingTable;
use super::transliteration::Transliteration;
use crate::geo::Coordinate;
use crate::record::{About, CodeScheme, Kind, Lexicon, Role};

/// A row of a segment of an index: what a place is until it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct RowId {
    /// Number of the segment in the index.
    pub segment: u32,
    /// Number of the place in the segment.
    pub row: u32,
}

/// A segment of an index. What needs no more than the file is that of the [`Opened`] that it derefs to.
#[derive(Clone, Copy)]
pub(crate) struct Segment<'i> {
    index: &'i Index,
    file: &'i Opened,
    /// Its number in the index.
    pub number: u32,
}

/// An opened file. Rows are its own.
pub(crate) struct Opened {
    header: Header,
    usual: Names,
    alternates: Names,
    sounds: Names,
    codes: Codes,
    transliteration: Transliteration,
    spellings: SpellingTable,
    places: Places,
    translations: Translations,
    facts: FactColumns,
    populated: Tiles,
    sites: Tiles,
    borders: Borders,
    land: Land,
    elsewhere: PlacesElsewhere,
    directory: Bytes,
}

impl Deref for Segment<'_> {
    type Target = Opened;

    fn deref(&self) -> &Opened {
        self.file
    }
}

impl<'i> Segment<'i> {
    pub fn new(index: &'i Index, number: u32, file: &'i Opened) -> Self {
        Self { index, file, number }
    }

    /// Returns the file of the segment.
    pub fn file(self) -> &'i Opened {
        self.file
    }

    /// Returns the place of a row, as the index shows it.
    #[inline]
    pub fn place(self, row: u32) -> PlaceRef<'i> {
        self.copy(row).shown()
    }

    /// Returns the copy of a place that the segment has.
    #[inline]
    pub fn copy(self, row: u32) -> PlaceRef<'i> {
        PlaceRef::new(self.index, self.file, RowId { segment: self.number, row })
    }

    /// Iterates over the copies of the places of some rows.
    pub fn copies(self, rows: Range<u32>) -> impl Iterator<Item = PlaceRef<'i>> {
        rows.map(move |row| self.copy(row))
    }
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
        let layer = |layer| header.layer(layer);
        Ok(Self {
            places: Places::open(&header, &sections)?,
            usual: Names::open(&sections, names::USUAL, rows)?,
            alternates: Names::open(&sections, names::ALTERNATES, rows)?,
            sounds: Names::open(&sections, names::SOUNDS, rows)?,
            codes: Codes::open(&sections, rows)?,
            transliteration: Transliteration::open(&sections)?,
            spellings: SpellingTable::open(&sections)?,
            populated: Tiles::open(&sections, Section::PopulatedTiles, layer(Layer::Populated))?,
            sites: Tiles::open(&sections, Section::SiteTiles, layer(Layer::Sites))?,
            borders: Borders::open(&header, &sections)?,
            land: Land::open(sections.get(Section::Land))?,
            elsewhere: PlacesElsewhere::open(&sections)?,
            directory: sections.get(Section::Directory),
            translations: Translations::open(&header.languages, &sections)?,
            facts: FactColumns::open(&header, &sections)?,
            header,
        })
    }

    /// Returns title, date, attribution and country facts.
    pub fn about(&self) -> &About {
        &self.header.about
    }

    /// Returns the terms that name kinds, and the fillers.
    pub fn lexicon(&self) -> &Lexicon {
        &self.header.lexicon
    }

    /// Returns the number of places.
    pub fn rows(&self) -> u32 {
        self.header.rows()
    }

    /// Returns the rows of airports, stations and landmarks.
    #[cfg(test)]
    pub fn site_rows(&self) -> Range<u32> {
        self.header.layer(Layer::Sites)
    }

    /// Returns the rows of areas.
    pub fn area_rows(&self) -> Range<u32> {
        self.header.layer(Layer::Areas)
    }

    /// Returns the countries by number, sorted by code.
    pub fn countries(&self) -> &[Country] {
        &self.header.countries
    }

    /// Returns the number of a country, if the segment knows it.
    pub fn country_number(&self, iso2: [u8; 2]) -> Option<u16> {
        self.header.countries.binary_search_by_key(&iso2, |country| country.iso2).ok().map(|at| at as u16)
    }

    /// Returns the kinds of the segment's places, by number.
    pub fn kinds(&self) -> &[Kind] {
        &self.header.kinds
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

    pub fn places(&self) -> &Places {
        &self.places
    }

    pub fn translations(&self) -> &Translations {
        &self.translations
    }

    pub fn facts(&self) -> &FactColumns {
        &self.facts
    }

    /// Returns the usual names: primary and English ones, as written.
    pub fn usual_names(&self) -> &Names {
        &self.usual
    }

    /// Returns the folded name with a number among the usual names, or among the alternates.
    pub fn folded_name(&self, is_alternate: bool, number: u32) -> Option<String> {
        if is_alternate { self.alternates.key(number) } else { self.usual.key(number) }
    }

    /// Returns the alternates: names of the other classes, as written.
    pub fn alternates(&self) -> &Names {
        &self.alternates
    }

    /// Returns the phonetic keys of names.
    pub fn sounds(&self) -> &Names {
        &self.sounds
    }

    /// Returns the places that have a code (upper case), each with the scheme.
    pub fn meanings(&self, code: &str) -> Vec<(CodeScheme, u32)> {
        self.codes.meanings(code)
    }

    /// Transliterates `text` to Latin; `None` if it is in Latin already, or has no character that the index can transliterate.
    pub fn transliterate(&self, text: &str) -> Option<String> {
        self.transliteration.latin(text)
    }

    /// Returns the Latin spellings of letters of other scripts.
    pub fn spellings(&self) -> &SpellingTable {
        &self.spellings
    }

    /// Returns the languages of the index that match a BCP 47 tag, the best first.
    pub fn languages(&self, tag: &str) -> Vec<Language> {
        self.translations.languages(tag)
    }

    /// Returns cities and quarters, by position.
    pub fn populated(&self) -> Points<'_> {
        Points::new(&self.populated, &self.places)
    }

    /// Returns airports, stations and landmarks, by position.
    pub fn sites(&self) -> Points<'_> {
        Points::new(&self.sites, &self.places)
    }

    /// Returns what the segment knows of places of other pages.
    pub fn elsewhere(&self) -> &PlacesElsewhere {
        &self.elsewhere
    }

    /// Returns the encoded directory of pages; empty if there are none.
    pub fn directory(&self) -> &[u8] {
        &self.directory
    }

    /// Tells whether the segment is the root of an index in pages.
    pub fn is_root(&self) -> bool {
        !self.directory.is_empty()
    }

    /// Tells whether the segment has borders.
    pub fn has_borders(&self) -> bool {
        !self.borders.is_empty()
    }

    /// Returns the number of the country that contains a point; `None` at sea.
    pub fn country_at(&self, point: Coordinate) -> Option<u16> {
        self.borders.country_at(point)
    }

    /// Returns the id of the state that contains a point, if its border is known.
    pub fn state_at(&self, point: Coordinate) -> Option<u64> {
        self.borders.state_at(point)
    }

    /// Tells whether the borders of the segment say in which country a point lies.
    pub fn covers(&self, point: Coordinate) -> bool {
        self.borders.covers(point)
    }

    /// Tells whether the borders of the segment are those of a part of the globe.
    pub fn has_border_window(&self) -> bool {
        self.borders.has_window()
    }

    /// Tells whether the segment knows where land is.
    pub fn has_land(&self) -> bool {
        !self.land.is_empty()
    }

    /// Tells whether a point is near land. Always true if the index has no land grid.
    pub fn is_near_land(&self, point: Coordinate) -> bool {
        self.land.is_near(point)
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
