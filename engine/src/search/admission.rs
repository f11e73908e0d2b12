//! A filter made ready for an index: it decides about each place.

use super::areas::{AreaSet, Location, called};
use super::budget::Budgets;
use crate::filter::Filter;
use crate::index::{Index, PlaceRef, Segment};
use crate::record::Kind;

/// A filter, prepared to tell which places of an index it admits.
pub(crate) struct Admission<'q> {
    filter: &'q Filter<'q>,
    /// Per segment, per kind: whether the filter asks for it; `None`: it asks for all.
    kinds: Option<Vec<Vec<bool>>>,
    /// The place must have a country of each: of those that are listed, and of those of each set of divisions that it must lie
    /// in. A country says sooner than the divisions that a place does not lie there.
    countries: Vec<CountrySet>,
    /// The place must lie in an area of each.
    areas: Vec<AreaSet>,
    /// Number of areas that were asked for by name.
    named: u8,
}

/// Some countries. Per segment, per number of a country: whether it is one of them.
struct CountrySet(Vec<Vec<bool>>);

impl CountrySet {
    fn new(index: &Index, wanted: &[[u8; 2]]) -> Self {
        let of_segment = |segment: Segment| {
            let countries = segment.file.header.countries.iter();
            countries.map(|country| wanted.contains(&country.iso2)).collect()
        };
        Self(index.segments().map(of_segment).collect())
    }

    fn has_one_of(&self, place: PlaceRef) -> bool {
        let of_segment = &self.0[place.row.segment as usize];
        place.country_numbers().any(|number| of_segment[usize::from(number)])
    }
}

impl<'q> Admission<'q> {
    /// Resolves names of areas and ids. Names share the budgets of the question.
    pub fn new(index: &'q Index, filter: &'q Filter<'q>, budgets: &Budgets) -> Self {
        let is_wanted = |kind: &Kind| filter.types.iter().any(|&name| name == kind.role.name() || name == kind.r#type);
        let of_segment = |segment: Segment| segment.file.header.kinds.iter().map(is_wanted).collect();
        let kinds = (!filter.types.is_empty()).then(|| index.segments().map(of_segment).collect());
        let mut areas = Vec::new();
        for (name, role) in filter.areas.each() {
            areas.push(called(index, name, role, budgets));
        }
        let named = areas.len() as u8;
        let within = filter.within.and_then(|id| index.find(id));
        let within = within.filter(|place| place.role().contains_others());
        areas.extend(filter.within.map(|_| AreaSet::of(within.map(|place| place.row))));
        let listed = (!filter.countries.is_empty()).then(|| CountrySet::new(index, filter.countries));
        let of_divisions = areas.iter().filter_map(|areas| areas.countries_of_divisions(index));
        let countries = listed.into_iter().chain(of_divisions.map(|codes| CountrySet::new(index, &codes))).collect();
        Self { filter, kinds, countries, areas, named }
    }

    /// Tells whether the filter admits every place.
    pub fn is_open(&self) -> bool {
        self.filter.countries.is_empty()
            && self.kinds.is_none()
            && self.filter.bounds.is_none()
            && self.areas.is_empty()
    }

    /// Returns the number of areas that were asked for by name.
    pub fn named_areas(&self) -> u8 {
        self.named
    }

    /// Tells whether the filter admits a place.
    pub fn admits(&self, place: PlaceRef) -> bool {
        self.may_admit(place) && self.lies_in_areas(place)
    }

    /// Tells whether the kind, the countries and the box of the filter admit a place: a few columns, which rule out most places.
    #[inline]
    pub fn may_admit(&self, place: PlaceRef) -> bool {
        let of_segment = |kinds: &Vec<Vec<bool>>| kinds[place.row.segment as usize][place.kind_number()];
        // The cheapest conditions first.
        self.kinds.as_ref().is_none_or(of_segment)
            && self.countries.iter().all(|countries| countries.has_one_of(place))
            && self.filter.bounds.is_none_or(|bounds| bounds.contains(place.position()))
    }

    /// Tells whether a place lies in the areas of the filter, as far as [`Self::may_admit`] leaves that open.
    pub fn lies_in_areas(&self, place: PlaceRef) -> bool {
        self.areas.iter().all(|areas| areas.locate(place) == Location::Inside)
    }
}
