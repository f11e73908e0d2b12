//! Looks at all places, for what only that can tell.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::super::directory::EncodedDirectory;
use super::places::each_place;
use super::shown::{Area, is_in_root};
use super::{Source, parallel};
use crate::coverage::{self, CountryFacts, PlacesByKind};
use crate::index::{WriteError, as_stored, check_place, display_name};
use crate::record::{FurtherCountry, Gazetteer, Record, Role};

/// Knowledge of all places that pages need.
#[derive(Debug, Default)]
pub(super) struct Whole {
    /// Numbers of countries and states, ascending.
    pub root_areas: Vec<u32>,
    /// Numbers of regions.
    pub regions: Vec<u32>,
    /// The position of each place on the Hilbert curve.
    pub curve: Vec<u32>,
    /// Places that contain others, by id: without those of the root.
    pub areas: HashMap<u64, Area>,
    /// The further countries of regions, by id.
    pub further: BTreeMap<u64, Vec<FurtherCountry>>,
}

impl Whole {
    /// Looks at every place: checks it, and counts what the directory says of all.
    ///
    /// # Errors
    /// If a place breaks a rule, or cannot be read.
    pub fn scan<S: Source>(source: &S, rest: &Gazetteer) -> Result<(Self, EncodedDirectory<'static>), S::Error> {
        let mut whole = Self::default();
        for one in &rest.further_countries {
            whole.further.entry(one.region).or_default().push(*one);
        }
        let mut census = Census::default();
        let mut parents: HashSet<u64> = HashSet::new();
        let mut before: Option<Cow<Record>> = None;
        let checked = each_place(source, |number, place| {
            check_place(&place)?;
            Ok((number, as_stored(place.position).curve_position(), place))
        });
        for place in checked {
            let (number, curve, place) = place?;
            if let Some(other) = before.filter(|other| other.id == place.id) {
                let names = [&other, &place].map(|place| display_name(place).to_owned());
                return Err(WriteError::Id { id: place.id, names: names.into() }.into());
            }
            whole.curve.push(curve);
            parents.extend(place.parent);
            if is_in_root(&place) {
                whole.root_areas.push(number);
            }
            if place.kind.role == Role::Region {
                whole.regions.push(number);
            }
            census.count(&place, whole.further.get(&place.id).map_or(&[], Vec::as_slice));
            before = Some(place);
        }
        whole.areas = areas(source, parents)?;
        Ok((whole, census.into_directory(&rest.about.countries)?))
    }

    /// Iterates over the numbers of places that are not in the root as areas.
    pub fn numbers(&self) -> impl Iterator<Item = u32> {
        let numbers = 0..self.curve.len() as u32;
        numbers.filter(|number| self.root_areas.binary_search(number).is_err())
    }
}

/// Types of all places, and counts and names for the coverage of countries.
#[derive(Default)]
struct Census {
    types: BTreeSet<String>,
    counts: BTreeMap<[u8; 2], PlacesByKind>,
    names: BTreeMap<[u8; 2], String>,
}

impl Census {
    /// Counts a place in its country and, for a region, in its further countries.
    fn count(&mut self, place: &Record, further: &[FurtherCountry]) {
        if place.kind.role == Role::Country {
            self.names.insert(place.country, display_name(place).to_owned());
        }
        if !self.types.contains(&place.kind.r#type) {
            self.types.insert(place.kind.r#type.clone());
        }
        let further = further.iter().map(|further| further.country);
        for country in std::iter::once(place.country).chain(further) {
            self.counts.entry(country).or_default().count(place.kind.role);
        }
    }

    /// Creates a directory with the types and the coverage, and without pages.
    fn into_directory(self, countries: &[CountryFacts]) -> Result<EncodedDirectory<'static>, WriteError> {
        let coverage = coverage::of_counts(self.counts, countries, |iso2| self.names.get(&iso2).cloned());
        let coverage = postcard::to_allocvec(&coverage).map_err(|_| WriteError::TooMany("countries"))?;
        Ok(EncodedDirectory {
            types: self.types.into_iter().collect(),
            coverage: coverage.into(),
            ..EncodedDirectory::default()
        })
    }
}

/// Reads the places that contain others, without those of the root. They are few, and most pages have some of them.
fn areas<S: Source>(source: &S, parents: HashSet<u64>) -> Result<HashMap<u64, Area>, S::Error> {
    let numbers: Vec<u32> = parents.into_iter().filter_map(|id| source.number(id)).collect();
    let areas = parallel::map(numbers, |number| -> Result<_, S::Error> {
        let (place, _) = source.with_facts(number)?;
        Ok((!is_in_root(&place)).then(|| (place.id, Area::new(place.into_owned()))))
    });
    areas.into_iter().filter_map(Result::transpose).collect()
}
