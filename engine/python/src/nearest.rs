//! What `reverse` and `reverse_batch` ask at each point.

use pyo3::prelude::*;
use toponym_engine::geo::Coordinate;
use toponym_engine::{Engine, Filter, MAX_RADIUS_M, Nearby, Place, Shown};

use crate::options::{Keywords, Options};
use crate::reply::invalid;

/// Largest limit, as in the HTTP contract.
const MAX_LIMIT: usize = 10;

/// Keyword arguments beside those of the filters.
pub const KEYWORDS: [&str; 1] = ["radius"];

/// A question for the places near any point.
pub struct Nearest {
    /// Filters, language, facts.
    pub options: Options,
    /// Whether a list was asked for, and how long it may be.
    pub limit: Option<usize>,
    radius_m: Option<f64>,
}

impl Nearest {
    /// Reads it.
    ///
    /// # Errors
    /// `TypeError` or `ValueError` if an argument has another type or is out of range.
    pub fn read(keywords: &Keywords, engine: &Engine) -> PyResult<Self> {
        let radius_m: Option<f64> = keywords.get("radius", "a number of metres")?;
        if radius_m.is_some_and(|radius| !(1.0..=MAX_RADIUS_M).contains(&radius)) {
            return Err(invalid(format!("radius must be between 1 and {} metres", MAX_RADIUS_M as u32)));
        }
        Ok(Self { options: keywords.options(engine)?, limit: keywords.limit(MAX_LIMIT)?, radius_m })
    }

    /// The same, with what every batch shows.
    pub fn with_names(self) -> Self {
        Self { options: self.options.with_names(), ..self }
    }

    /// The places at or near `point`, the best first.
    pub fn places(&self, engine: &Engine, point: Coordinate) -> Vec<Place> {
        let Options { lang, facts, .. } = &self.options;
        let (lang, facts) = (lang.as_deref(), *facts);
        let types = self.options.types();
        let filter = self.options.filter(&types);
        if self.limit.is_none() && self.radius_m.is_none() && filter == Filter::default() {
            return engine.reverse(point, Shown { lang, facts }).into_iter().collect();
        }
        let plain = Nearby::new(point, self.limit.unwrap_or(1));
        let radius_m = self.radius_m.unwrap_or(plain.radius_m);
        let found = engine.nearby(&Nearby { radius_m, filter, lang, facts, ..plain });
        found.into_iter().map(|(place, _)| place).collect()
    }
}
