//! The engines that run natively, behind one question.

mod boundaries;
mod geosuggest;
mod rrgeo;
pub mod toponym;

use std::path::Path;

use anyhow::Result;
use clap::ValueEnum;
use toponym_workload::Question;

use crate::measure::Answer;
use crate::prepare;

/// Results asked for: the contract's default.
pub const LIMIT: usize = 5;

/// Something that answers questions.
pub trait Peer {
    /// Answers a question; `None` when the engine has no such operation.
    fn ask(&self, question: &Question) -> Option<Vec<Answer>>;
}

/// The engines.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub enum Name {
    /// Engine of this project.
    Toponym,
    /// geosuggest-core.
    Geosuggest,
    /// rrgeo, the crate `reverse_geocoder`.
    Rrgeo,
    /// country-boundaries.
    CountryBoundaries,
}

/// Returns what a report calls the engine.
pub fn title(name: Name) -> &'static str {
    match name {
        Name::Toponym => "Toponym, native",
        Name::Geosuggest => "geosuggest",
        Name::Rrgeo => "rrgeo",
        Name::CountryBoundaries => "country-boundaries",
    }
}

/// Returns the file that the engine loads.
pub fn file(name: Name) -> Option<&'static str> {
    match name {
        Name::Toponym => Some(prepare::INDEX),
        Name::Geosuggest => Some(geosuggest::FILE),
        Name::Rrgeo => Some(prepare::CITIES_CSV),
        Name::CountryBoundaries => None,
    }
}

/// Makes the file of an engine that has a format of its own.
pub fn prepare(name: Name, work: &Path) -> Result<()> {
    if name == Name::Geosuggest { geosuggest::prepare(work) } else { Ok(()) }
}

/// Loads the engine.
pub fn load(name: Name, work: &Path) -> Result<Box<dyn Peer>> {
    Ok(match name {
        Name::Toponym => Box::new(toponym::Toponym::load(&work.join(prepare::INDEX))?),
        Name::Geosuggest => Box::new(geosuggest::load(work)?),
        Name::Rrgeo => Box::new(rrgeo::load(work)?),
        Name::CountryBoundaries => Box::new(boundaries::load()?),
    })
}
