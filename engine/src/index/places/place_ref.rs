//! A reference to a place of an index.

use super::columns::Places;
use crate::geo::{Bounds, Coordinate};
use crate::index::format::Country;
use crate::index::opened::{Index, Languages};
use crate::index::part::Part;
use crate::record::{CodeScheme, Kind, Role};

/// Maximum number of ancestors of a place. Only a damaged file has longer chains, or cycles.
const MAX_DEPTH: usize = 8;

/// A row of an index; its values are read in place.
#[derive(Clone, Copy)]
pub(crate) struct PlaceRef<'i> {
    index: &'i Index,
    part: &'i Part,
    /// Row number of the place in the index.
    pub row: u32,
}

impl Index {
    /// Returns a place by its row.
    #[inline]
    pub fn place(&self, row: u32) -> PlaceRef<'_> {
        PlaceRef { index: self, part: self.part(row), row }
    }

    /// Returns the place of a country, if a part has one.
    pub fn country_place(&self, iso2: [u8; 2]) -> Option<PlaceRef<'_>> {
        self.country_row(iso2).map(|row| self.place(row))
    }
}

impl<'i> PlaceRef<'i> {
    fn places(self) -> &'i Places {
        self.part.places()
    }

    /// Returns the row number of the place in its part.
    fn own_row(self) -> u32 {
        self.row - self.part.first()
    }

    /// Returns a place of the same part, as the index has it.
    fn other(self, own_row: u32) -> Self {
        self.index.place(self.part.in_index(own_row))
    }

    pub fn id(self) -> u64 {
        self.places().id(self.own_row())
    }

    pub fn kind(self) -> &'i Kind {
        self.places().kind(self.own_row())
    }

    /// Returns the number of the place's kind among those of its part.
    pub fn kind_number(self) -> usize {
        self.places().kind_number(self.own_row())
    }

    /// Returns the number of the place's part.
    pub fn part_number(self) -> usize {
        self.index.part_number(self.row)
    }

    pub fn role(self) -> Role {
        self.kind().role
    }

    /// Returns the importance, 0 to 65535.
    pub fn importance(self) -> u16 {
        self.places().importance(self.own_row())
    }

    pub fn position(self) -> Coordinate {
        self.places().position(self.own_row())
    }

    /// Returns the radius in metres.
    pub fn extent_m(self) -> f64 {
        self.places().extent_m(self.own_row())
    }

    /// Returns the stored bounds, or else the box around the extent.
    pub fn bounds(self) -> Bounds {
        self.places().bounds(self.own_row())
    }

    /// Returns the name of the place in results without a language.
    pub fn display_name(self) -> &'i str {
        self.places().display_name(self.own_row())
    }

    /// Iterates over the names of the place, those in the best languages first; without those that are the display
    /// name.
    pub fn names_in(self, languages: &Languages) -> impl Iterator<Item = &'i str> {
        self.ranked_names(languages).map(|(_, name)| name)
    }

    /// Returns its names in the best languages first, each with the rank of its language. Pages of languages may have better ones
    /// than its own page.
    fn ranked_names(self, languages: &Languages) -> impl Iterator<Item = (usize, &'i str)> {
        let of_part = languages.of_part(self.part_number()).iter();
        let name = move |language| self.part.translations().name(self.own_row(), language);
        let own = of_part.filter_map(move |&language| Some((language.rank, name(language)?)));
        let mut all = self.index.names_elsewhere(languages, self.id());
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
    pub fn may_be_named_elsewhere(self, languages: &Languages, (rank, tag): (usize, &str)) -> bool {
        let is_better = || self.ranked_names(languages).next().is_none_or(|(own, _)| rank < own);
        self.part.elsewhere().may_name(self.own_row(), tag) && is_better()
    }

    /// Iterates over the names of the place that differ from the display name, each with a BCP 47 tag.
    pub fn translations(self) -> impl Iterator<Item = (&'i str, &'i str)> {
        self.part.translations().of_row(self.own_row())
    }

    /// Returns the number of inhabitants of a city, a quarter or a country, if it is known.
    pub fn population(self) -> Option<u64> {
        if self.role() != Role::Country {
            return self.part.facts().population(self.own_row()).map(u64::from);
        }
        let code = self.country().iso2;
        let country = self.part.about().countries.iter().find(|country| country.code == code);
        country.map(|country| country.population).filter(|&people| people > 0)
    }

    /// Returns the time zone by IANA, if it is known.
    pub fn time_zone(self) -> Option<&'i str> {
        let row = self.own_row();
        self.part.facts().time_zone(row, self.places().country_number(row))
    }

    /// Iterates over the codes of the place, its own before those that it shares.
    pub fn codes(self) -> impl Iterator<Item = (CodeScheme, String)> {
        self.part.facts().codes(self.own_row())
    }

    pub fn country(self) -> Country {
        self.places().country(self.own_row())
    }

    /// Iterates over all countries of the place, of which only a region has several.
    pub fn countries(self) -> impl Iterator<Item = [u8; 2]> {
        self.country_numbers().map(move |number| self.places().country_of_number(number).iso2)
    }

    /// Iterates over the numbers of its countries among those of its part.
    pub fn country_numbers(self) -> impl Iterator<Item = u16> {
        let own = self.own_row();
        std::iter::once(self.places().country_number(own)).chain(self.places().further_countries(own))
    }

    /// Returns the place of its country, if the index has one.
    pub fn country_place(self) -> Option<Self> {
        let Country { iso2, row } = self.country();
        let of_part = self.places().known(row).map(|row| self.other(row));
        of_part.or_else(|| self.index.country_place(iso2))
    }

    /// Returns the smallest place that contains it.
    fn parent(self) -> Option<Self> {
        let own = self.own_row();
        match self.places().parent(own) {
            Some(row) => Some(self.other(row)),
            None => self.index.row_of(self.places().outside_parent(own)?).map(|row| self.index.place(row)),
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

    /// Returns its capital, if it is a country or state: as the first part has it that knows both.
    pub fn capital(self) -> Option<Self> {
        if self.role() > Role::State {
            return None;
        }
        let own = self.places().capital(self.own_row()).map(|city| self.other(city));
        let others = || self.index.parts().iter().filter(|part| part.first() != self.part.first());
        let of_part = |part: &Part| {
            let area = part.places().row_of(self.id())?;
            Some(part.in_index(part.places().capital(area)?))
        };
        own.or_else(|| others().find_map(of_part).map(|city| self.index.place(city)))
    }
}
