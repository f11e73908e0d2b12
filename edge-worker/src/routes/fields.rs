//! Reads structured questions: `name`, `city`, `county`, `state` and `country`. The parameter that is called `fields` is another
//! one: [`super::facts`] reads it.

use serde::{Serialize, Serializer};
use toponym_engine::{MAX_QUERY_CHARS, Structured};

use crate::error::Failure;

/// A question in fields, of which at least one is set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fields([Option<String>; 5]);

/// Their names, the smallest first.
pub const NAMES: [&str; 5] = ["name", "city", "county", "state", "country"];

impl Fields {
    /// Fields in the order of [`NAMES`]; `None` if none is set.
    pub fn new(values: [Option<String>; 5]) -> Option<Self> {
        values.iter().any(Option::is_some).then_some(Self(values))
    }

    /// Reads parameters in the order of [`NAMES`]. One that is blank is as if it were missing.
    pub fn read(values: [Option<String>; 5]) -> Result<Option<Self>, Failure> {
        let values = values.map(|value| value.filter(|value| !value.trim().is_empty()));
        for (name, value) in NAMES.iter().zip(&values) {
            if value.as_ref().is_some_and(|value| value.chars().count() > MAX_QUERY_CHARS) {
                let message = format!("{name} parameter must be between 1 and {MAX_QUERY_CHARS} characters");
                return Err(Failure::bad_request(message));
            }
        }
        Ok(Self::new(values))
    }

    /// The question for the engine.
    pub fn structured(&self) -> Structured<'_> {
        let [name, city, county, state, country] = self.0.each_ref().map(Option::as_deref);
        Structured { name, city, county, state, country }
    }
}

/// As an object of those that are set.
impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(NAMES.iter().zip(&self.0).filter_map(|(name, value)| Some((name, value.as_ref()?))))
    }
}
