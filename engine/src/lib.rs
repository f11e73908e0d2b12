//! Geocoding of places from one compact index, without I/O: forward, reverse, autocomplete and batch for countries,
//! regions, cities, villages, quarters, airports, stations and monuments. Not street addresses, not businesses.
//!
//! The same bytes give the same answers natively, in a Worker and in a browser. The host supplies the bytes; the engine
//! uses no files, no clock and no network, and keeps no state between queries.
//!
//! ```
//! use toponym_engine::{Engine, Gazetteer, Kind, Name, NameClass, Record, Role, Search, geo::Coordinate, index};
//!
//! let paris = Record {
//!     id: 2988507,
//!     kind: Kind { role: Role::City, category: "place".into(), r#type: "city".into() },
//!     names: vec![Name { text: "Paris".into(), class: NameClass::Primary, lang: None }],
//!     codes: vec![],
//!     position: Coordinate::new(48.85341, 2.3488).unwrap(),
//!     parent: None,
//!     country: *b"FR",
//!     importance: 0.9,
//!     extent_m: 9_000.0,
//!     bounds: None,
//! };
//! let bytes = index::write(&Gazetteer { places: vec![paris], ..Gazetteer::default() })?;
//! let engine = Engine::open(bytes)?;
//! assert_eq!(engine.autocomplete(&Search::new("par", 5))[0].lat, 48.85341);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Engine::forward`] turns text into terms, interpretations, candidates, confidences and labels. [`Engine::reverse`]
//! turns a point into a country, the nearest place and its label.

mod answer;
mod batch;
mod city;
pub mod coverage;
mod engine;
mod explain;
mod facts;
mod filter;
pub mod geo;
pub mod geojson;
pub mod index;
mod label;
mod land_grid;
mod nearby;
pub mod pages;
mod place;
mod query;
mod question;
mod record;
mod reference;
pub mod request;
mod reverse;
mod search;
mod shown;
#[doc(hidden)]
pub mod stages;
mod structured;
mod text;
mod view;

pub use answer::{Answer, Geocode};
pub use batch::Batch;
pub use city::CityRef;
pub use engine::Engine;
pub use explain::Explanation;
pub use facts::{Ancestor, Capital as CapitalFact, Codes, Fact, FactSet, Facts, Matched, NoFacts};
pub use filter::{AreaNames, Filter};
pub use land_grid::{LAND_CELLS_PER_DEGREE, LandGrid};
pub use nearby::{MAX_RADIUS_M, Nearby};
pub use place::{Address, BatchResult, Outcome, Place, Suggestion};
pub use query::{MAX_QUERY_CHARS, Search};
pub use question::Question;
pub use record::{
    About, Beside, Border, Bordered, Capital, Code, CodeScheme, DataSet, FurtherCountry, Gazetteer, Kind, Lexicon,
    NO_COUNTRY, Name, NameClass, PlaceFacts, Record, Role, Spelling, Spellings, is_held_out,
};
pub use reference::{NoReference, Reference};
pub use shown::Shown;
pub use structured::Structured;
pub use text::{fold, letters};
