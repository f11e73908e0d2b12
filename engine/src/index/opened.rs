//! An opened index: read access to all of its parts.

use std::ops::Range;

use bytes::Bytes;

use super::format::{self, Country, Header, OpenError, Section};
use super::layer::Layer;
use super::names::{self, Cost, Names, Posting};
use super::places::{Codes, Language, PlaceRef, Places, Translations};
use super::points::{Borders, Land, Points, Tiles};
use super::transliteration::Transliteration;
use crate::geo::Coordinate;
use crate::record::{About, CodeScheme, Lexicon};

/// An opened index.
pub(crate) struct Index {
    header: Header,
    usual: Names,
    alternates: Names,
    sounds: Names,
    codes: Codes,
    transliteration: Transliteration,
    places: Places,
    translations: Translations,
    populated: Tiles,
    sites: Tiles,
    borders: Borders,
    land: Land,
}

impl Index {
    /// Reads the header; sections are not copied.
    ///
    /// # Errors
    /// If the bytes are not a complete, undamaged index of this version.
    pub fn open(bytes: Bytes) -> Result<Self, OpenError> {
        format::verify(&bytes)?;
        Self::open_trusted(bytes)
    }

    /// Like [`Index::open`], but skips the checksum.
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
            header,
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
    pub fn site_rows(&self) -> Range<u32> {
        self.header.layer(Layer::Sites)
    }

    /// The countries by number, sorted by code.
    pub fn countries(&self) -> &[Country] {
        &self.header.countries
    }

    /// The place of a country, if the index has one.
    pub fn country_place(&self, country: Country) -> Option<PlaceRef<'_>> {
        Some(self.place(self.places.of_country(country)?))
    }

    /// A place by its row.
    #[inline]
    pub fn place(&self, row: u32) -> PlaceRef<'_> {
        PlaceRef::new(&self.places, &self.translations, row)
    }

    /// Usual names: primary and English ones, as written.
    pub fn usual_names(&self) -> &Names {
        &self.usual
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

    /// Whether the index has borders.
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

    /// Cost of a place without any penalty.
    pub fn cost_of_importance(&self, row: u32) -> Cost {
        names::of_importance(self.places.importance(row))
    }

    /// Cost of a posting without the penalties of a query.
    pub fn cost(&self, posting: Posting) -> Cost {
        self.cost_of_importance(posting.row) + names::of_class(posting.class)
    }
}
