//! A reference to a place of an index.

use super::columns::Places;
use super::translations::{Language, Translations};
use crate::geo::{Bounds, Coordinate};
use crate::index::format::Country;
use crate::record::{Kind, Role};

/// A row of an index; its values are read in place.
#[derive(Clone, Copy)]
pub(crate) struct PlaceRef<'i> {
    places: &'i Places,
    translations: &'i Translations,
    /// Its row number.
    pub row: u32,
}

impl<'i> PlaceRef<'i> {
    pub fn new(places: &'i Places, translations: &'i Translations, row: u32) -> Self {
        Self { places, translations, row }
    }

    fn at(self, row: u32) -> Self {
        Self { row, ..self }
    }

    pub fn id(self) -> u64 {
        self.places.id(self.row)
    }

    pub fn kind(self) -> &'i Kind {
        self.places.kind(self.row)
    }

    pub fn role(self) -> Role {
        self.kind().role
    }

    /// 0 to 65535.
    pub fn importance(self) -> u16 {
        self.places.importance(self.row)
    }

    pub fn position(self) -> Coordinate {
        self.places.position(self.row)
    }

    /// Its radius in metres.
    pub fn extent_m(self) -> f64 {
        self.places.extent_m(self.row)
    }

    /// Its stored bounds, or else the box around its extent.
    pub fn bounds(self) -> Bounds {
        self.places.bounds(self.row)
    }

    /// Its name in results without a language.
    pub fn display_name(self) -> &'i str {
        self.places.display_name(self.row)
    }

    /// Its name in a language, if it differs from the display name.
    pub fn name_in(self, language: Language) -> Option<&'i str> {
        self.translations.name(self.row, language)
    }

    /// Number of its country in the index.
    #[inline]
    pub fn country_number(self) -> u16 {
        self.places.country_number(self.row)
    }

    pub fn country(self) -> Country {
        self.places.country(self.row)
    }

    /// Numbers of all its countries, of which only a region has several.
    pub fn country_numbers(self) -> impl Iterator<Item = u16> {
        std::iter::once(self.country_number()).chain(self.places.further_countries(self.row))
    }

    /// The place of its country, if the index has one.
    pub fn country_place(self) -> Option<Self> {
        Some(self.at(self.places.of_country(self.country())?))
    }

    /// The places that contain it, from the smallest to its country.
    pub fn ancestors(self) -> impl Iterator<Item = Self> {
        self.places.ancestors(self.row).map(move |row| self.at(row))
    }

    /// The place, then its ancestors.
    pub fn with_ancestors(self) -> impl Iterator<Item = Self> {
        std::iter::once(self).chain(self.ancestors())
    }

    /// Its capital, if it is a country or state.
    pub fn capital(self) -> Option<Self> {
        Some(self.at(self.places.capital(self.row)?))
    }
}
