//! Reads `format`, and shapes answers by it.

use serde::Serialize;
use toponym_engine::geojson::{FeatureCollection, Located};
use toponym_engine::request::Values;

use crate::error::Failure;
use crate::response::Response;

/// The shape of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// The shape of the contract.
    #[default]
    Json,
    /// A `FeatureCollection` (RFC 7946).
    GeoJson,
}

impl Format {
    /// Reads `format`.
    pub fn read(values: &Values) -> Result<Self, Failure> {
        match values.text("format") {
            None | Some("json") => Ok(Self::Json),
            Some("geojson") => Ok(Self::GeoJson),
            Some(_) => Err(Failure::bad_request("format must be json or geojson")),
        }
    }

    /// Creates the answer with all of `found`.
    pub fn many<T: Located + Serialize>(self, found: &[T]) -> Result<Response, Failure> {
        match self {
            Self::Json => Response::json(&found),
            Self::GeoJson => Response::geojson(&FeatureCollection(found)),
        }
    }

    /// Creates the answer with one place.
    pub fn one<T: Located + Serialize>(self, found: &T) -> Result<Response, Failure> {
        match self {
            Self::Json => Response::json(found),
            Self::GeoJson => self.many(std::slice::from_ref(found)),
        }
    }
}
