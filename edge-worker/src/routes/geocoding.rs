//! The routes that geocode. [`read`] turns a request into a [`GeocodeRequest`] and its cost, without the engine or an
//! object. [`GeocodeRequest::answer`] asks the engine.

use toponym_engine::geo::Coordinate;
use toponym_engine::request::{
    self, AUTOCOMPLETE, FORWARD, Fault, Lookup, PointRequest, TextRequest, TextRoute, Value,
};
use toponym_engine::{Answer, Geocode, Place};

use super::batch::{self, Batch};
use super::body;
use super::format::Format;
use super::parameters::Source;
use crate::error::Failure;
use crate::http::{Body, Request};
use crate::meter::lease::held::Kind;
use crate::response::Response;

/// Most characters of a word that somebody begins to type: search fields ask from the first to the third one on.
pub const BEGINNING: usize = 4;

/// Largest body of `suggest` in bytes: room for a text of 500 characters, each escaped as `\uXXXX\uXXXX`, and for the rest.
const MAX_BODY: usize = 8 * 1024;

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

/// A valid geocoding request, and the shape of its answer.
#[derive(Clone, Debug, PartialEq)]
pub enum GeocodeRequest {
    /// Places for a text.
    Forward(TextRequest, Format),
    /// Suggestions for an unfinished text.
    Autocomplete(TextRequest, Format),
    /// The place at a point.
    Reverse(PointRequest, Format),
    /// The best place for each of several questions.
    Batch(Batch),
    /// The place with an id or a code.
    Place(Lookup, Format),
}

/// Reads a geocoding request. One that prefers places near its caller asks where that is.
pub async fn read<B: Body>(
    operation: Operation,
    request: Request<B>,
    caller_place: impl FnOnce() -> Option<Coordinate>,
) -> Reading {
    let query = request.query.as_str();
    let accepted = request.header("accept-language");
    let source = Source::Query(query);
    let read = match operation {
        Operation::Forward => {
            text(&FORWARD, source, accepted).map(|(text, format)| GeocodeRequest::Forward(text, format))
        }
        Operation::Autocomplete => suggest(source, accepted),
        Operation::Suggest => {
            let accepted = accepted.map(str::to_owned);
            let json = body::bytes(request.body, MAX_BODY).await;
            json.and_then(|json| suggest(Source::Body(&json), accepted.as_deref()))
        }
        Operation::Reverse => reverse(source, accepted),
        Operation::PlaceByCode => place(None, source, accepted),
        Operation::PlaceById => {
            let id = request.path.trim_end_matches('/').rsplit('/').next();
            place(id, source, accepted)
        }
        Operation::Batch => {
            let accepted = accepted.map(str::to_owned);
            batch::read(request.body, query, accepted.as_deref()).await.map(GeocodeRequest::Batch)
        }
    };
    let read = read.map(|request| request.with_caller_place(caller_place));
    Reading { cost: read.as_ref().map_or(1, GeocodeRequest::cost), request: read }
}

fn text(route: &TextRoute, source: Source, accepted: Option<&str>) -> Result<(TextRequest, Format), Failure> {
    let values = source.values(route.operation, accepted)?;
    Ok((route.read(&values)?, Format::read(&values)?))
}

fn suggest(source: Source, accepted: Option<&str>) -> Result<GeocodeRequest, Failure> {
    text(&AUTOCOMPLETE, source, accepted).map(|(text, format)| GeocodeRequest::Autocomplete(text, format))
}

fn reverse(source: Source, accepted: Option<&str>) -> Result<GeocodeRequest, Failure> {
    let values = source.values(request::Operation::Reverse, accepted)?;
    Ok(GeocodeRequest::Reverse(PointRequest::read(&values)?, Format::read(&values)?))
}

/// Reads the look-up: `GET /v1/geocoding/place/{place_id}`, with the id, and `GET /v1/geocoding/place?ref=...`.
fn place(id: Option<&str>, source: Source, accepted: Option<&str>) -> Result<GeocodeRequest, Failure> {
    let values = source.values(request::Operation::Place, accepted)?;
    let id = id.map(|id| Value::Text(id.to_owned()));
    Ok(GeocodeRequest::Place(Lookup::read(id.as_ref(), &values)?, Format::read(&values)?))
}

impl GeocodeRequest {
    /// Returns the units that the request costs by section 8.4 of the contract.
    fn cost(&self) -> u32 {
        match self {
            Self::Batch(batch) => batch.items.len().try_into().unwrap_or(u32::MAX),
            _ => 1,
        }
    }

    fn with_caller_place(mut self, caller_place: impl FnOnce() -> Option<Coordinate>) -> Self {
        if let Self::Forward(text, _) | Self::Autocomplete(text, _) = &mut self {
            text.locate(caller_place);
        }
        self
    }

    /// Returns the kind of the request: whether it may use what is lent to whoever types.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Autocomplete(text, _) => Kind::Typed { begins: text.sought.characters() <= BEGINNING },
            _ => Kind::Other,
        }
    }

    /// Returns the answer, or what it needs.
    pub fn answer(&self, places: &dyn Geocode) -> Answer<Result<Response, Failure>> {
        match self {
            Self::Forward(text, format) => respond(text.forward(places), |found| format.many(&found)),
            Self::Autocomplete(text, format) => respond(text.autocomplete(places), |found| format.many(&found)),
            Self::Reverse(asked, format) => {
                let is_list = asked.near.limit.is_some();
                respond(asked.near.places(asked.point, places), |found| near(&found, is_list, *format))
            }
            Self::Batch(batch) => batch.answer(places),
            Self::Place(lookup, format) => {
                lookup.place(places).map(|place| format.one(&place.ok_or(Failure::UnknownPlace)?))
            }
        }
    }
}

/// Shows one place, or with `limit` an array of places.
fn near(found: &[Place], is_list: bool, format: Format) -> Result<Response, Failure> {
    if is_list { format.many(found) } else { format.one(found.first().ok_or(Failure::NoLocation)?) }
}

/// Creates the response that shows what was found.
fn respond<T>(
    found: Result<Answer<T>, Fault>,
    show: impl FnOnce(T) -> Result<Response, Failure>,
) -> Answer<Result<Response, Failure>> {
    match found {
        Ok(answer) => answer.map(show),
        Err(fault) => Answer::Ready(Err(fault.into())),
    }
}
