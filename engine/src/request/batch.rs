//! The questions of a batch.

use serde::Serialize;

use super::fault::Fault;
use super::numbers::point_at;
use super::sought::Fields;
use crate::answer::{Answer, Geocode};
use crate::place::Outcome;
use crate::question::Question;
use crate::shown::Shown;

/// Largest number of items.
pub const MAX_ITEMS: usize = 100;

/// One question of a batch, as it was sent.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Item {
    /// The best place for a text.
    Text(String),
    /// The best place for fields.
    Fields(Fields),
    /// The place at a point.
    Point {
        /// Degrees, not checked yet.
        lat: f64,
        /// Degrees, not checked yet.
        lon: f64,
    },
}

impl Item {
    /// Returns the answer.
    pub fn answer(&self, places: &dyn Geocode, shown: Shown) -> Answer<Outcome> {
        match self {
            Self::Text(text) => places.outcome(Question::Text(text), shown),
            Self::Fields(fields) => places.outcome(Question::Fields(fields.as_structured()), shown),
            Self::Point { lat, lon } => match point_at(Some(*lat), Some(*lon)) {
                Ok(point) => places.outcome(Question::Point(point), shown),
                Err(fault) => Answer::Ready(Outcome::Error { error: fault.to_string() }),
            },
        }
    }
}

/// Checks the number of items.
///
/// # Errors
/// If there is none, or more than [`MAX_ITEMS`].
///
/// # Example: check the size of a batch
///
/// ```
/// use toponym_engine::request;
///
/// assert!(request::check_count(100).is_ok());
/// assert_eq!(
///     request::check_count(101).unwrap_err().to_string(),
///     "queries array must contain between 1 and 100 items"
/// );
/// ```
pub fn check_count(count: usize) -> Result<(), Fault> {
    match count {
        0 => Err(Fault::new("queries array cannot be empty")),
        1..=MAX_ITEMS => Ok(()),
        _ => Err(Fault::new(format!("queries array must contain between 1 and {MAX_ITEMS} items"))),
    }
}
