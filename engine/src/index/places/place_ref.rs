//! A place of an index, by reference.

use super::columns::Places;
use super::translations::{Language, Translations};
use crate::geo::{Bounds, Coordinate};
use crate::index::format::Country;
use crate::record::{Kind, Role};

/// A row of an index, read where it lies.
#[derive(Clone, Copy)]
pub(crate) struct PlaceRef<'i> {
    places: &'i Places,
    translations: &'i Translations,
    /// Its number in the index.
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

    /// How far it reaches from its position, metres.
    pub fn extent_m(self) -> f64 {
        self.places.extent_m(self.row)
    }

    /// Its own bounds, else a box of its extent.
    pub fn bounds(self) -> Bounds {
        self.places.bounds(self.row)
    }

    /// The name it is shown with where no language is asked for.
    pub fn display_name(self) -> &'i str {
        self.places.display_name(self.row)
    }

    /// Its name in a language, where that differs from the display name.
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

    /// The place that is its country, where the index has one.
    pub fn country_place(self) -> Option<Self> {
        Some(self.at(self.places.of_country(self.country())?))
    }

    /// The places that hold it, from the smallest to its country.
    pub fn ancestors(self) -> impl Iterator<Item = Self> {
        self.places.ancestors(self.row).map(move |row| self.at(row))
    }

    /// Itself, then the places that hold it.
    pub fn with_ancestors(self) -> impl Iterator<Item = Self> {
        std::iter::once(self).chain(self.ancestors())
    }

    /// The city from which it is governed, if it is a country or state.
    pub fn capital(self) -> Option<Self> {
        Some(self.at(self.places.capital(self.row)?))
    }
}
