//! A filter made ready for an index: it decides about each place.

use super::areas::{AreaSet, Location, called};
use super::budget::Budgets;
use crate::filter::Filter;
use crate::index::{Index, PlaceRef, Segment};
use crate::record::{Kind, Role};

/// A filter, prepared to tell which places of an index it admits.
pub(crate) struct Admission<'q> {
    filter: &'q Filter<'q>,
    /// Per segment, per kind: whether the filter asks for it; `None`: it asks for all.
    kinds: Option<Vec<Vec<bool>>>,
    /// The place must lie in an area of each.
    areas: Vec<AreaSet>,
    /// The country of the division that the place must lie in. Its code says sooner than the division that a place does
    /// not lie there.
    country: Option<[u8; 2]>,
    /// Number of areas that were asked for by name.
    named: u8,
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
        // Sites near a city, and places in a region, may lie in another country.
        let division = within.filter(|place| place.role() <= Role::County);
        Self { filter, kinds, areas, country: division.map(|place| place.country().iso2), named }
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
        let Filter { countries, bounds, .. } = *self.filter;
        let in_area = |areas: &AreaSet| areas.locate(place) == Location::Inside;
        let is_of_kind =
            || self.kinds.as_ref().is_none_or(|kinds| kinds[place.row.segment as usize][place.kind_number()]);
        // The cheapest conditions first.
        (countries.is_empty() || place.countries().any(|country| countries.contains(&country)))
            && self.country.is_none_or(|wanted| place.countries().any(|country| country == wanted))
            && is_of_kind()
            && bounds.is_none_or(|bounds| bounds.contains(place.position()))
            && self.areas.iter().all(in_area)
    }
}
