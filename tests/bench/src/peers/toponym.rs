//! Engine of this project.

use std::path::Path;

use anyhow::Result;
use toponym_engine::{Engine, Outcome, Search};
use toponym_workload::Question;

use super::{LIMIT, Peer};
use crate::measure::Answer;
use crate::prepare::position;

/// The engine.
pub struct Toponym(pub Engine);

impl Toponym {
    /// Opens an index file.
    pub fn load(path: &Path) -> Result<Self> {
        Ok(Self(Engine::open(fs_err::read(path)?)?))
    }
}

impl Peer for Toponym {
    fn ask(&self, question: &Question) -> Option<Vec<Answer>> {
        let engine = &self.0;
        Some(match question {
            Question::Autocomplete(text) => {
                engine.autocomplete(&Search::new(text, LIMIT)).iter().map(|found| at(found.lat, found.lon)).collect()
            }
            Question::Forward(text) => {
                engine.forward(&Search::new(text, LIMIT)).iter().map(|found| at(found.lat, found.lon)).collect()
            }
            Question::Reverse(point) => {
                let found = engine.reverse(*point, None);
                found
                    .iter()
                    .map(|found| {
                        let (lat, lon, _) = at(found.lat, found.lon);
                        (lat, lon, found.address.get("country_code").map(|code| code.to_ascii_uppercase()))
                    })
                    .collect()
            }
            Question::Batch(texts) => {
                let found = engine.batch(texts);
                let position = |outcome: &Outcome| match *outcome {
                    Outcome::Ok { lat, lon, .. } => at(lat, lon),
                    _ => (0, 0, None),
                };
                found.iter().map(|item| position(&item.outcome)).collect()
            }
        })
    }
}

fn at(lat: f64, lon: f64) -> Answer {
    let (lat, lon) = position(lat, lon);
    (lat, lon, None)
}
