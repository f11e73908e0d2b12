//! The four routes that geocode. [`read`] turns a request into a [`GeocodeRequest`] and its cost, without the engine or an
//! object. [`GeocodeRequest::answer`] asks the engine.

use toponym_engine::Engine;
use toponym_engine::geo::Coordinate;

use super::{batch, reverse, text};
use crate::error::Failure;
use crate::http::{Body, Request};
use crate::response::Response;

/// The operations of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Text to places.
    Forward,
    /// Unfinished text to suggestions.
    Autocomplete,
    /// Point to place.
    Reverse,
    /// Many texts to places.
    Batch,
}

/// A parsed request. It has a cost even if it is invalid.
#[derive(Debug)]
pub struct Reading {
    /// Units.
    pub cost: u32,
    /// The request, or the 400.
    pub request: Result<GeocodeRequest, Failure>,
}

/// A valid geocoding request.
#[derive(Clone, Debug, PartialEq)]
pub enum GeocodeRequest {
    /// Places for a text.
    Forward(text::Text),
    /// Suggestions for an unfinished text.
    Autocomplete(text::Text),
    /// The place at a point.
    Reverse(Coordinate),
    /// The best place for each text.
    Batch(Vec<String>),
}

/// Reads a geocoding request.
pub async fn read<B: Body>(operation: Operation, request: Request<B>) -> Reading {
    let read = match operation {
        Operation::Forward => text::FORWARD.read(&request.query).map(GeocodeRequest::Forward),
        Operation::Autocomplete => text::AUTOCOMPLETE.read(&request.query).map(GeocodeRequest::Autocomplete),
        Operation::Reverse => reverse::read(&request.query).map(GeocodeRequest::Reverse),
        Operation::Batch => batch::read(request.body).await.map(GeocodeRequest::Batch),
    };
    Reading { cost: read.as_ref().map_or(1, GeocodeRequest::cost), request: read }
}

impl GeocodeRequest {
    /// Units of section 8.4 of the contract.
    fn cost(&self) -> u32 {
        match self {
            Self::Batch(queries) => queries.len().try_into().unwrap_or(u32::MAX),
            _ => 1,
        }
    }

    /// The engine's answer.
    pub fn answer(self, engine: &Engine) -> Result<Response, Failure> {
        match self {
            Self::Forward(text) => Response::json(&engine.forward(&text.search())),
            Self::Autocomplete(text) => Response::json(&engine.autocomplete(&text.search())),
            Self::Reverse(point) => Response::json(&engine.reverse(point).ok_or(Failure::NoLocation)?),
            Self::Batch(queries) => {
                let results = engine.batch(&queries);
                // The results repeat the queries, so these need no memory while the answer is written.
                drop(queries);
                Response::json(&batch::Results::of(results))
            }
        }
    }
}
