//! The routes that geocode. [`read`] turns a request into a [`GeocodeRequest`] and its cost, without the engine or an
//! object. [`GeocodeRequest::answer`] asks the engine.

use toponym_engine::geo::Coordinate;
use toponym_engine::{Answer, Geocode};

use super::{batch, body, place, reverse, text};
use crate::error::Failure;
use crate::http::{Body, Request};
use crate::meter::lease::held::Kind;
use crate::response::Response;

/// Most characters of a word that somebody begins to type: search fields ask from the first to the third one on.
const BEGINNING: usize = 4;

/// The operations of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Text to places.
    Forward,
    /// Unfinished text to suggestions.
    Autocomplete,
    /// Unfinished text in a body to suggestions.
    Suggest,
    /// Point to place.
    Reverse,
    /// Many questions, to the best place for each.
    Batch,
    /// Code to place.
    PlaceByCode,
    /// Id, the last segment of the path, to place.
    PlaceById,
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
    Reverse(reverse::Reverse),
    /// The best place for each of several questions.
    Batch(batch::Batch),
    /// The place with an id or a code.
    Place(place::Lookup),
}

/// Reads a geocoding request. One that prefers places near its caller asks where that is.
pub async fn read<B: Body>(
    operation: Operation,
    request: Request<B>,
    caller_place: impl FnOnce() -> Option<Coordinate>,
) -> Reading {
    let (query, accepted) = (request.query.as_str(), request.header("accept-language"));
    let id = || request.path.trim_end_matches('/').rsplit('/').next();
    let read = match operation {
        Operation::Forward => text::FORWARD.read(query, accepted).map(GeocodeRequest::Forward),
        Operation::Autocomplete => text::AUTOCOMPLETE.read(query, accepted).map(GeocodeRequest::Autocomplete),
        Operation::Suggest => {
            let accepted = accepted.map(str::to_owned);
            let json = body::bytes(request.body, text::MAX_BODY).await;
            let read = json.and_then(|json| text::AUTOCOMPLETE.read_body(&json, accepted.as_deref()));
            read.map(GeocodeRequest::Autocomplete)
        }
        Operation::Reverse => reverse::read(query, accepted).map(GeocodeRequest::Reverse),
        Operation::PlaceByCode => place::read(None, query, accepted).map(GeocodeRequest::Place),
        Operation::PlaceById => place::read(id(), query, accepted).map(GeocodeRequest::Place),
        Operation::Batch => {
            let accepted = accepted.map(str::to_owned);
            batch::read(request.body, query, accepted.as_deref()).await.map(GeocodeRequest::Batch)
        }
    };
    let read = read.map(|request| request.located(caller_place));
    Reading { cost: read.as_ref().map_or(1, GeocodeRequest::cost), request: read }
}

impl GeocodeRequest {
    /// Units of section 8.4 of the contract.
    fn cost(&self) -> u32 {
        match self {
            Self::Batch(batch) => batch.items.len().try_into().unwrap_or(u32::MAX),
            _ => 1,
        }
    }

    fn located(mut self, caller_place: impl FnOnce() -> Option<Coordinate>) -> Self {
        if let Self::Forward(text) | Self::Autocomplete(text) = &mut self {
            text.locate(caller_place);
        }
        self
    }

    /// Whether it may use what is lent to whoever types.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Autocomplete(text) => Kind::Typed { begins: text.sought.characters() <= BEGINNING },
            _ => Kind::Other,
        }
    }

    /// The answer, or what it needs.
    pub fn answer(&self, places: &dyn Geocode) -> Answer<Result<Response, Failure>> {
        match self {
            Self::Forward(text) => shown(text.forward(places), |found| text.extensions.format.many(&found)),
            Self::Autocomplete(text) => shown(text.autocomplete(places), |found| text.extensions.format.many(&found)),
            Self::Reverse(reverse) => shown(reverse.places(places), |found| reverse.shown(&found)),
            Self::Batch(batch) => batch.answer(places),
            Self::Place(lookup) => lookup.answer(places),
        }
    }
}

/// The response that shows what was found.
fn shown<T>(
    found: Result<Answer<T>, Failure>,
    show: impl FnOnce(T) -> Result<Response, Failure>,
) -> Answer<Result<Response, Failure>> {
    match found {
        Ok(answer) => answer.map(show),
        Err(failure) => Answer::Ready(Err(failure)),
    }
}
