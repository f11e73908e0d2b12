//! An opened index, and what can be asked of it.

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
    /// Reads header and directory; columns stay where they are.
    ///
    /// # Errors
    /// When the bytes are not a whole, undamaged index of this version.
    pub fn open(bytes: Bytes) -> Result<Self, OpenError> {
        format::verify(&bytes)?;
        Self::open_trusted(bytes)
    }

    /// Like [`Index::open`] without a look at the checksum.
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

    /// What the index says about itself.
    pub fn about(&self) -> &About {
        &self.header.about
    }

    /// Terms that say what kind of place is meant, and fillers.
    pub fn lexicon(&self) -> &Lexicon {
        &self.header.lexicon
    }

    /// How many places there are.
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

    /// The countries, by number, in the order of their codes.
    pub fn countries(&self) -> &[Country] {
        &self.header.countries
    }

    /// The place that is a country, where the index has one.
    pub fn country_place(&self, country: Country) -> Option<PlaceRef<'_>> {
        Some(self.place(self.places.of_country(country)?))
    }

    /// A place by its row.
    #[inline]
    pub fn place(&self, row: u32) -> PlaceRef<'_> {
        PlaceRef::new(&self.places, &self.translations, row)
    }

    /// Names of the better classes, as they are written: what a place is called by those who live there, and in English.
    pub fn usual_names(&self) -> &Names {
        &self.usual
    }

    /// Names of the other classes, as they are written.
    pub fn alternates(&self) -> &Names {
        &self.alternates
    }

    /// Names as they sound.
    pub fn sounds(&self) -> &Names {
        &self.sounds
    }

    /// What a code (capitals) stands for: scheme and row.
    pub fn meanings(&self, code: &str) -> Vec<(CodeScheme, u32)> {
        self.codes.meanings(code)
    }

    /// `text` in Latin letters; `None` when it is in Latin already, or in letters that the index cannot transliterate.
    pub fn transliterate(&self, text: &str) -> Option<String> {
        self.transliteration.latin(text)
    }

    /// The languages of the index that fit a BCP 47 tag, the best first.
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

    /// Whether the index knows borders at all.
    pub fn has_borders(&self) -> bool {
        !self.borders.is_empty()
    }

    /// Number of the country whose borders hold a point; `None` at sea.
    pub fn country_at(&self, point: Coordinate) -> Option<u16> {
        self.borders.country_at(point)
    }

    /// Whether land is near a point; everywhere, where the index does not know.
    pub fn is_near_land(&self, point: Coordinate) -> bool {
        self.land.is_near(point)
    }

    /// What a place costs before anything is known of the query.
    pub fn cost_of_importance(&self, row: u32) -> Cost {
        names::of_importance(self.places.importance(row))
    }

    /// The part of a candidate's cost that was known when the index was written.
    pub fn cost(&self, posting: Posting) -> Cost {
        self.cost_of_importance(posting.row) + names::of_class(posting.class)
    }
}
