//! A filter made ready for an index: it decides about each place.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::areas::{AreaSet, Location, areas_called};
use super::budget::Budgets;
use crate::filter::{AreaNames, Filter};
use crate::index::{Index, PlaceRef, Segment};
use crate::record::Kind;

/// A filter, prepared to tell which places of an index it admits.
pub(crate) struct Admission<'q> {
    filter: &'q Filter<'q>,
    /// Per segment, per kind: whether the filter asks for it; `None`: it asks for all.
    kinds: Option<Vec<Vec<bool>>>,
    /// The place must have one of the countries that are listed.
    listed: Option<CountrySet>,
    /// The place must lie in each area that is asked for by name.
    named: Rc<AllOf>,
    /// The place must lie in the area that is asked for by its id.
    within: AllOf,
}

/// Sets of areas, in each of which a place must lie.
#[derive(Debug, Default)]
struct AllOf {
    areas: Vec<AreaSet>,
    /// The place must have a country of each, which those of divisions have. This says sooner than the divisions that a place does
    /// not lie there.
    countries: Vec<CountrySet>,
}

/// Areas by the names that filters ask for. The rows of a table share them: to look for a misspelt one takes as long as to answer a row.
#[derive(Debug, Default)]
pub(crate) struct NamedAreas(FxHashMap<[Option<String>; NAMES], Known>);

/// The areas of some names, and the units of each budget that it took to find them.
#[derive(Debug)]
struct Known {
    areas: Rc<AllOf>,
    units: Vec<u32>,
}

/// Number of names of a filter.
const NAMES: usize = 4;

/// Number of names that are known at most, each with some hundred bytes. Then the list begins anew.
const MOST_NAMES: usize = 20_000;

impl NamedAreas {
    /// Finds the areas of a filter. Names share the budgets of the question, also where they are known: an answer does not depend on
    /// the questions before.
    fn of(&mut self, index: &Index, names: AreaNames, budgets: &Budgets) -> Rc<AllOf> {
        if names == AreaNames::default() {
            return Rc::default();
        }
        let AreaNames { city, county, state, country } = names;
        let key = [city, county, state, country].map(|name| name.map(str::to_owned));
        if let Some(Known { areas, units }) = self.0.get(&key) {
            budgets.spend_again(units);
            return Rc::clone(areas);
        }
        let before = budgets.left();
        let areas = names.each().map(|(name, role)| areas_called(index, name, role, budgets)).collect();
        let areas = Rc::new(AllOf::new(index, areas));
        let units = before.iter().zip(budgets.left()).map(|(before, left)| before - left).collect();
        if self.0.len() >= MOST_NAMES {
            self.0.clear();
        }
        self.0.insert(key, Known { areas: Rc::clone(&areas), units });
        areas
    }
}

impl AllOf {
    fn new(index: &Index, areas: Vec<AreaSet>) -> Self {
        let of_divisions = areas.iter().filter_map(|areas| areas.countries_of_divisions(index));
        let countries = of_divisions.map(|codes| CountrySet::new(index, &codes)).collect();
        Self { areas, countries }
    }

    #[inline]
    fn have_country_of(&self, place: PlaceRef) -> bool {
        self.countries.iter().all(|countries| countries.has_one_of(place))
    }

    fn hold(&self, place: PlaceRef) -> bool {
        self.areas.iter().all(|areas| areas.locate(place) == Location::Inside)
    }
}

/// Some countries. Per segment, per number of a country: whether it is one of them.
#[derive(Debug)]
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
    /// Resolves names of areas, as far as they are not `known`, and ids. Names share the budgets of the question.
    pub fn new(index: &'q Index, filter: &'q Filter<'q>, budgets: &Budgets, known: &mut NamedAreas) -> Self {
        let is_wanted = |kind: &Kind| filter.types.iter().any(|&name| name == kind.role.name() || name == kind.r#type);
        let of_segment = |segment: Segment| segment.file.header.kinds.iter().map(is_wanted).collect();
        let kinds = (!filter.types.is_empty()).then(|| index.segments().map(of_segment).collect());
        let listed = (!filter.countries.is_empty()).then(|| CountrySet::new(index, filter.countries));
        let named = known.of(index, filter.areas, budgets);
        let within = filter.within.map(|id| {
            let area = index.find(id).filter(|place| place.role().contains_others());
            AreaSet::of(area.map(|place| place.row))
        });
        let within = AllOf::new(index, Vec::from_iter(within));
        Self { filter, kinds, listed, named, within }
    }

    /// Tells whether the filter admits every place.
    pub fn is_open(&self) -> bool {
        self.listed.is_none()
            && self.kinds.is_none()
            && self.filter.bounds.is_none()
            && self.named.areas.is_empty()
            && self.within.areas.is_empty()
    }

    /// Returns the number of areas that were asked for by name.
    pub fn named_areas(&self) -> u8 {
        self.named.areas.len() as u8
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
            && self.listed.as_ref().is_none_or(|listed| listed.has_one_of(place))
            && self.named.have_country_of(place)
            && self.within.have_country_of(place)
            && self.filter.bounds.is_none_or(|bounds| bounds.contains(place.position()))
    }

    /// Tells whether a place lies in the areas of the filter, as far as [`Self::may_admit`] leaves that open.
    pub fn lies_in_areas(&self, place: PlaceRef) -> bool {
        self.named.hold(place) && self.within.hold(place)
    }
}
