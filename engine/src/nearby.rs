//! A question for the places near a point: what [`crate::Engine::nearby`] takes.

use crate::facts::FactSet;
use crate::filter::Filter;
use crate::geo::Coordinate;

/// A point at most this far from the nearest populated place gets its name. This is about two thirds of a degree of
/// latitude; farther away, the name would not say where the point is.
pub(crate) const NAMED_WITHIN_M: f64 = 75_000.0;

/// A point on land at most this far from the nearest populated place of its country gets the name of the state. Farther
/// away (ice caps, Antarctica) there is no result.
pub(crate) const AREA_WITHIN_M: f64 = 500_000.0;

/// Largest radius of [`Nearby`]: the distance up to which a point has a name at all.
pub const MAX_RADIUS_M: f64 = AREA_WITHIN_M;

/// A question for the places near a point. Of cities and quarters, and of sites, the nearest 20,000 or so are looked at, and of an
/// index in pages those of the twelve pages nearest to the point: what is farther away is not found, however rare it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearby<'q> {
    /// Point to search around.
    pub point: Coordinate,
    /// Largest number of results.
    pub limit: usize,
    /// Only places at most this far from the point, in metres, up to [`MAX_RADIUS_M`].
    pub radius_m: f64,
    /// Only places that this filter admits.
    pub filter: Filter<'q>,
    /// Language of names, as in [`crate::Search::lang`].
    pub lang: Option<&'q str>,
    /// Facts that each answer has.
    pub facts: FactSet,
}

impl Nearby<'_> {
    /// Creates a question for at most `limit` places of any kind, as far away as a place still says where the point is.
    ///
    /// # Example: list what is near a point, the nearest first
    ///
    /// ```
    /// # let engine = toponym_workload::example_engine();
    ///
    /// use toponym_engine::{Nearby, geo::Coordinate};
    ///
    /// let louvre = Coordinate::new(48.86111, 2.33639).unwrap();
    /// let found = engine.nearby(&Nearby { radius_m: 5_000.0, ..Nearby::new(louvre, 10) });
    /// let names: Vec<&str> = found.iter().filter_map(|(place, _)| place.display_name.split(',').next()).collect();
    /// assert_eq!(names, ["Louvre", "Paris", "Montmartre"]);
    /// ```
    pub fn new(point: Coordinate, limit: usize) -> Self {
        let filter = Filter::default();
        let facts = FactSet::default();
        Self { point, limit, radius_m: NAMED_WITHIN_M, filter, lang: None, facts }
    }
}
