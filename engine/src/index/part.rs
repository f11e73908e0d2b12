//! A part of an index: one opened file, with its own rows. [`super::Index`] numbers the rows of several parts in one sequence.

use std::ops::Range;

use bytes::Bytes;

use super::format::{self, Country, Header, OpenError, Section};
use super::layer::Layer;
use super::names::{self, Cost, Names, Posting};
use super::places::{Codes, FactColumns, Language, Places, Translations};
use super::points::{Borders, Land, Points, Tiles};
use super::transliteration::Transliteration;
use crate::geo::Coordinate;
use crate::record::{About, CodeScheme, Kind, Lexicon, Role};

/// An opened file. Rows are its own unless a method says otherwise.
pub(crate) struct Part {
    header: Header,
    /// Row of its first place in the index.
    first: u32,
    /// Rows of places that an earlier part has as well, in ascending order, each with the row in the index of the earlier one.
    twins: Vec<(u32, u32)>,
    usual: Names,
    alternates: Names,
    sounds: Names,
    codes: Codes,
    transliteration: Transliteration,
    places: Places,
    translations: Translations,
    facts: FactColumns,
    populated: Tiles,
    sites: Tiles,
    borders: Borders,
    land: Land,
}

impl Part {
    /// Reads the header; sections are not copied.
    ///
    /// # Errors
    /// If the bytes are not a complete, undamaged index of this version.
    pub fn open(bytes: Bytes) -> Result<Self, OpenError> {
        format::verify(&bytes)?;
        Self::open_trusted(bytes)
    }

    /// Like [`Part::open`], but skips the checksum.
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
            populated: Tiles::open(&sections, Section::PopulatedTiles, layer(Layer::Populated))?,
            sites: Tiles::open(&sections, Section::SiteTiles, layer(Layer::Sites))?,
            borders: Borders::open(&header, &sections)?,
            land: Land::open(sections.get(Section::Land))?,
            translations: Translations::open(&header.languages, &sections)?,
            facts: FactColumns::open(&header, &sections)?,
            header,
            first: 0,
            twins: Vec::new(),
        })
    }

    /// Title, date, attribution and country facts.
    pub fn about(&self) -> &About {
        &self.header.about
    }

    /// Terms that name kinds, and fillers.
    pub fn lexicon(&self) -> &Lexicon {
        &self.header.lexicon
    }

    /// Number of places.
    pub fn rows(&self) -> u32 {
        self.header.rows()
    }

    /// The rows of cities and quarters.
    pub fn populated_rows(&self) -> Range<u32> {
        self.header.layer(Layer::Populated)
    }

    /// The rows of airports, stations and landmarks.
    #[cfg(test)]
    pub fn site_rows(&self) -> Range<u32> {
        self.header.layer(Layer::Sites)
    }

    /// The rows of areas.
    pub fn area_rows(&self) -> Range<u32> {
        self.header.layer(Layer::Areas)
    }

    /// The countries by number, sorted by code.
    pub fn countries(&self) -> &[Country] {
        &self.header.countries
    }

    /// The number of a country, if the part knows it.
    pub fn country_number(&self, iso2: [u8; 2]) -> Option<u16> {
        self.header.countries.binary_search_by_key(&iso2, |country| country.iso2).ok().map(|at| at as u16)
    }

    /// The kinds of its places, by number.
    pub fn kinds(&self) -> &[Kind] {
        &self.header.kinds
    }

    /// Whether it has places of a role.
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

    /// Gives it its place behind the parts before it.
    pub fn put_behind(&mut self, first: u32, twins: Vec<(u32, u32)>) {
        (self.first, self.twins) = (first, twins);
    }

    /// Whether some of `rows` are places that no earlier part has.
    pub fn has_its_own(&self, rows: Range<u32>) -> bool {
        let at = |row: u32| self.twins.partition_point(|&(own, _)| own < row);
        at(rows.end) - at(rows.start) < rows.len()
    }

    /// Row of its first place in the index.
    pub fn first(&self) -> u32 {
        self.first
    }

    /// The row in the index of one of its rows: that of the first part which has the place.
    pub fn in_index(&self, row: u32) -> u32 {
        match self.twins.binary_search_by_key(&row, |&(own, _)| own) {
            Ok(at) => self.twins[at].1,
            Err(_) => self.first + row,
        }
    }

    /// Whether no earlier part has the place.
    pub fn is_its_own(&self, row: u32) -> bool {
        self.twins.is_empty() || self.in_index(row) == self.first + row
    }

    /// Usual names: primary and English ones, as written.
    pub fn usual_names(&self) -> &Names {
        &self.usual
    }

    /// The folded name with a number among the usual names, or among the alternates.
    pub fn folded_name(&self, is_alternate: bool, number: u32) -> Option<String> {
        if is_alternate { self.alternates.key(number) } else { self.usual.key(number) }
    }

    /// Alternates: names of the other classes, as written.
    pub fn alternates(&self) -> &Names {
        &self.alternates
    }

    /// Phonetic keys of names.
    pub fn sounds(&self) -> &Names {
        &self.sounds
    }

    /// The places that have a code (upper case), each with the scheme.
    pub fn meanings(&self, code: &str) -> Vec<(CodeScheme, u32)> {
        self.codes.meanings(code)
    }

    /// Transliterates `text` to Latin; `None` if it is in Latin already, or has no character that the index can transliterate.
    pub fn transliterate(&self, text: &str) -> Option<String> {
        self.transliteration.latin(text)
    }

    /// The languages of the index that match a BCP 47 tag, the best first.
    pub fn languages(&self, tag: &str) -> Vec<Language> {
        self.translations.languages(tag)
    }

    /// Cities and quarters, by position.
    pub fn populated(&self) -> Points<'_> {
        Points::new(&self.populated, &self.places)
    }

    /// Airports, stations and landmarks, by position.
    pub fn sites(&self) -> Points<'_> {
        Points::new(&self.sites, &self.places)
    }

    /// Whether it has borders.
    pub fn has_borders(&self) -> bool {
        !self.borders.is_empty()
    }

    /// Number of the country that contains a point; `None` at sea.
    pub fn country_at(&self, point: Coordinate) -> Option<u16> {
        self.borders.country_at(point)
    }

    /// Whether a point is near land. Always true if the index has no land grid.
    pub fn is_near_land(&self, point: Coordinate) -> bool {
        self.land.is_near(point)
    }

    /// Whether a row is of a country; `None` if no row is, because the part does not know the country.
    pub fn in_country(&self, country: Option<[u8; 2]>) -> Option<impl Fn(u32) -> bool> {
        let number = match country {
            Some(iso2) => Some(self.country_number(iso2)?),
            None => None,
        };
        Some(move |row| number.is_none_or(|number| self.places.country_number(row) == number))
    }

    /// Cost of a place without any penalty.
    pub fn cost_of_importance(&self, row: u32) -> Cost {
        names::of_importance(self.places.importance(row))
    }

    /// Cost of one of its postings without the penalties of a query.
    pub fn cost(&self, posting: Posting) -> Cost {
        self.cost_of_importance(posting.row) + names::of_class(posting.class)
    }
}
