//! A reference to a place of an index.

use std::ops::Range;

use super::columns::Places;
use crate::geo::{Bounds, Coordinate};
use crate::index::format::Country;
use crate::index::names::{self, Cost};
use crate::index::segment::{Index, Languages, Opened, RowId, Segment};
use crate::record::{CodeScheme, Kind, Role};

/// Maximum number of ancestors of a place. Only a damaged file has longer chains, or cycles.
const MAX_DEPTH: usize = 8;

/// A row of a segment of an index; its values are read in place.
#[derive(Clone, Copy)]
pub(crate) struct PlaceRef<'i> {
    index: &'i Index,
    file: &'i Opened,
    pub row: RowId,
}

impl<'i> Segment<'i> {
    /// Returns the place of a row, as the index shows it.
    #[inline]
    pub fn place(self, row: u32) -> PlaceRef<'i> {
        self.copy(row).as_shown()
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

impl<'i> PlaceRef<'i> {
    #[inline]
    pub fn new(index: &'i Index, file: &'i Opened, row: RowId) -> Self {
        Self { index, file, row }
    }

    pub fn index(self) -> &'i Index {
        self.index
    }

    fn places(self) -> &'i Places {
        &self.file.places
    }

    /// Returns another place of the same segment, as the index shows it.
    #[inline]
    fn other(self, row: u32) -> Self {
        Self { row: RowId { row, ..self.row }, ..self }.as_shown()
    }

    /// Returns the copy of the place that the index shows: that of the first segment which has it whole.
    #[inline]
    pub fn as_shown(self) -> Self {
        if self.row.segment == 0 && !self.is_bare() {
            return self;
        }
        self.index.find(self.id()).unwrap_or(self)
    }

    /// Tells whether the copy is only there as a parent of others.
    #[inline]
    pub fn is_bare(self) -> bool {
        self.places().is_bare(self.row.row)
    }

    pub fn id(self) -> u64 {
        self.places().id(self.row.row)
    }

    pub fn kind(self) -> &'i Kind {
        self.places().kind(self.row.row)
    }

    /// Returns the number of the place's kind among those of its segment.
    pub fn kind_number(self) -> usize {
        self.places().kind_number(self.row.row)
    }

    pub fn role(self) -> Role {
        self.kind().role
    }

    /// Returns the importance, 0 to 65535.
    pub fn importance(self) -> u16 {
        self.places().importance(self.row.row)
    }

    /// Returns the cost of the place without any penalty.
    pub fn cost(self) -> Cost {
        names::of_importance(self.importance())
    }

    pub fn position(self) -> Coordinate {
        self.places().position(self.row.row)
    }

    /// Returns the radius in metres.
    pub fn extent_m(self) -> f64 {
        self.places().extent_m(self.row.row)
    }

    /// Returns the stored bounds, or else the box around the extent.
    pub fn bounds(self) -> Bounds {
        self.places().bounds(self.row.row)
    }

    /// Returns the name of the place in results without a language.
    pub fn display_name(self) -> &'i str {
        self.places().display_name(self.row.row)
    }

    /// Iterates over the names of the place, those in the best languages first; without those that are the display
    /// name.
    pub fn names_in(self, languages: &Languages) -> impl Iterator<Item = &'i str> {
        self.ranked_names(languages).map(|(_, name)| name)
    }

    /// Returns its names in the best languages first, each with the rank of its language. Pages of languages may have better ones
    /// than its own page.
    fn ranked_names(self, languages: &Languages) -> impl Iterator<Item = (usize, &'i str)> {
        let of_segment = languages.of_segment(self.row.segment).iter();
        let own = of_segment.filter_map(move |&language| {
            let name = self.file.translations.name(self.row.row, language)?;
            Some((language.rank, name))
        });
        let mut all = languages.remote_names(self.index, self.id());
        let is_alone = all.is_empty();
        if !is_alone {
            all.extend(own.clone());
            all.sort_by_key(|&(rank, _)| rank);
        }
        own.take(if is_alone { usize::MAX } else { 0 }).chain(all)
    }

    /// Returns the name of the place in the best of the languages, or else its display name.
    pub fn name_in(self, languages: &Languages) -> &'i str {
        let translated = if languages.is_empty() { None } else { self.names_in(languages).next() };
        translated.unwrap_or_else(|| self.display_name())
    }

    /// Tells whether a page of the language `tag`, which has a rank among `languages`, may have a better name of it than its own
    /// page.
    pub fn may_have_remote_name(self, languages: &Languages, (rank, tag): (usize, &str)) -> bool {
        self.file.remote.may_name(self.row.row, tag)
            && self.ranked_names(languages).next().is_none_or(|(own, _)| rank < own)
    }

    /// Iterates over the names of the place that differ from the display name, each with a BCP 47 tag.
    pub fn translations(self) -> impl Iterator<Item = (&'i str, &'i str)> {
        self.file.translations.of_row(self.row.row)
    }

    /// Returns the number of inhabitants of a city, a quarter or a country, if it is known.
    pub fn population(self) -> Option<u64> {
        if self.role() != Role::Country {
            return self.file.facts.population(self.row.row).map(u64::from);
        }
        let code = self.country().iso2;
        let country = self.file.header.about.countries.iter().find(|country| country.code == code);
        country.map(|country| country.population).filter(|&people| people > 0)
    }

    /// Returns the time zone by IANA, if it is known.
    pub fn time_zone(self) -> Option<&'i str> {
        let row = self.row.row;
        self.file.facts.time_zone(row, self.places().country_number(row))
    }

    /// Iterates over the codes of the place, its own before those that it shares.
    pub fn codes(self) -> impl Iterator<Item = (CodeScheme, String)> {
        self.file.facts.codes(self.row.row)
    }

    pub fn country(self) -> Country {
        self.places().country(self.row.row)
    }

    /// Iterates over all countries of the place, of which only a region has several.
    pub fn countries(self) -> impl Iterator<Item = [u8; 2]> {
        self.country_numbers().map(move |number| self.places().country_of_number(number).iso2)
    }

    /// Iterates over the numbers of its countries among those of its segment.
    pub fn country_numbers(self) -> impl Iterator<Item = u16> {
        std::iter::once(self.places().country_number(self.row.row)).chain(self.places().further_countries(self.row.row))
    }

    /// Returns the place of its country, if the index has one.
    pub fn country_place(self) -> Option<Self> {
        let Country { iso2, row } = self.country();
        let own = self.places().existing_row(row).map(|row| self.other(row));
        own.or_else(|| self.index.country_place(iso2))
    }

    /// Returns the smallest place that contains it.
    fn parent(self) -> Option<Self> {
        match self.places().parent(self.row.row) {
            Some(row) => Some(self.other(row)),
            None => self.index.find(self.places().remote_parent(self.row.row)?),
        }
    }

    /// Iterates over the places that contain it, from the smallest to its country.
    pub fn ancestors(self) -> impl Iterator<Item = Self> {
        std::iter::successors(self.parent(), |place| place.parent()).take(MAX_DEPTH)
    }

    /// Iterates over the place, then its ancestors.
    pub fn with_ancestors(self) -> impl Iterator<Item = Self> {
        std::iter::once(self).chain(self.ancestors())
    }

    /// Returns the id of its state.
    pub fn state(self) -> Option<u64> {
        self.ancestors().find(|area| area.role() == Role::State).map(Self::id)
    }

    /// Returns its capital, if it is a country or state: as the first segment has it that knows both.
    pub fn capital(self) -> Option<Self> {
        if self.role() > Role::State {
            return None;
        }
        self.own_capital().or_else(|| {
            let others = self.index.segments().filter(|segment| segment.number != self.row.segment);
            let mut copies = others.filter_map(|segment| Some(segment.copy(segment.file.places.row_of(self.id())?)));
            copies.find_map(Self::own_capital)
        })
    }

    /// Returns the capital that its own segment has for it.
    fn own_capital(self) -> Option<Self> {
        self.places().capital(self.row.row).map(|city| self.other(city))
    }
}
