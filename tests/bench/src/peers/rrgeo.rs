//! rrgeo, the crate `reverse_geocoder`: a k-d tree over unit vectors.

use std::path::Path;

use anyhow::Result;
use reverse_geocoder::ReverseGeocoder;
use toponym_workload::Question;

use super::Peer;
use crate::measure::Answer;
use crate::prepare::{CITIES_CSV, position};

/// Loads the table of cities.
pub fn load(work: &Path) -> Result<Rrgeo> {
    Ok(Rrgeo(ReverseGeocoder::from_path(work.join(CITIES_CSV))?))
}

/// The tree.
pub struct Rrgeo(ReverseGeocoder);

impl Peer for Rrgeo {
    fn ask(&self, question: &Question) -> Option<Vec<Answer>> {
        let Question::Reverse(point) = question else { return None };
        let found = self.0.search((point.lat(), point.lon())).record;
        let (lat, lon) = position(found.lat, found.lon);
        Some(vec![(lat, lon, Some(found.cc.clone()))])
    }
}
