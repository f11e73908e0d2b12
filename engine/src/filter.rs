//! Filters: which places may be answers.

use crate::geo::Bounds;
use crate::record::Role;

/// Conditions for the places that may be answers. The default admits every place; each condition that is set must hold.
///
/// # Example: find museums in a box
///
/// ```
/// # let engine = toponym_workload::example_engine();
///
/// use toponym_engine::geo::Bounds;
/// use toponym_engine::{Filter, Search};
///
/// let bounds = Some(Bounds { south: 48.0, north: 49.0, west: 2.0, east: 3.0 });
/// let museums = Filter { types: &["museum"], bounds, ..Filter::default() };
/// let found = engine.forward(&Search { filter: museums, ..Search::new("louvre", 5) });
/// assert_eq!(found[0].kind, "museum");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Filter<'q> {
    /// ISO 3166-1 alpha-2 codes in upper case; empty: every country. A region needs one of its countries to be listed.
    pub countries: &'q [[u8; 2]],
    /// Kinds of places: each a role ([`Role::from_name`]) or a type of the index (`town`, `museum`, `river`); empty: every
    /// kind. A role stands for all its types.
    pub types: &'q [&'q str],
    /// The centre of the place lies in this box.
    pub bounds: Option<Bounds>,
    /// The place lies in the place with this id: a country, state, county, city or region. No place lies in an id that
    /// the index lacks.
    pub within: Option<u64>,
    /// The place lies in areas with these names.
    pub areas: AreaNames<'q>,
}

impl<'q> Filter<'q> {
    /// Creates a filter for places in these countries (ISO 3166-1 alpha-2 codes in upper case); for all places if there
    /// are none.
    ///
    /// # Example: find places of one country
    ///
    /// ```
    /// # let engine = toponym_workload::example_engine();
    ///
    /// use toponym_engine::{Filter, Search};
    ///
    /// let countries = [*b"US"];
    /// let american = Search { filter: Filter::in_countries(&countries), ..Search::new("paris", 5) };
    /// assert_eq!(engine.forward(&american)[0].display_name, "Paris, Texas, United States");
    /// ```
    pub fn in_countries(countries: &'q [[u8; 2]]) -> Self {
        Self { countries, ..Self::default() }
    }
}

/// Names of areas that a place must lie in, in any language, possibly misspelt, or as codes (`FR`, `TX`). If several areas
/// have a name, the place must lie in one of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AreaNames<'q> {
    /// Name of a city, town or village.
    pub city: Option<&'q str>,
    /// Name of a second-level division.
    pub county: Option<&'q str>,
    /// Name of a first-level division.
    pub state: Option<&'q str>,
    /// Name of a country.
    pub country: Option<&'q str>,
}

impl<'q> AreaNames<'q> {
    /// Iterates over the names, each with the role of its area, the largest area first.
    pub(crate) fn each(self) -> impl Iterator<Item = (&'q str, Role)> {
        let all = [
            (self.country, Role::Country),
            (self.state, Role::State),
            (self.county, Role::County),
            (self.city, Role::City),
        ];
        all.into_iter().filter_map(|(name, role)| Some((name?, role)))
    }
}
