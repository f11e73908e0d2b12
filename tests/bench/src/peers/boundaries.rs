//! country-boundaries: the country of a point, no place. Because it is what the countries of points are judged by, its
//! own are right by definition; what counts is its time.

use anyhow::Result;
use country_boundaries::{BOUNDARIES_ODBL_360X180, CountryBoundaries, LatLon};
use toponym_workload::Question;

use super::Peer;
use crate::measure::Answer;

/// Reads the boundaries.
pub fn load() -> Result<Boundaries> {
    Ok(Boundaries(CountryBoundaries::from_reader(BOUNDARIES_ODBL_360X180)?))
}

/// The boundaries.
pub struct Boundaries(CountryBoundaries);

impl Peer for Boundaries {
    fn ask(&self, question: &Question) -> Option<Vec<Answer>> {
        let Question::Reverse(point) = question else { return None };
        let ids = self.0.ids(LatLon::new(point.lat(), point.lon()).ok()?);
        let countries = ids.into_iter().filter(|id| id.len() == 2);
        Some(countries.map(|id| (i32::MAX, i32::MAX, Some(id.to_owned()))).collect())
    }
}
