//! Geocoding of places from one compact index, without I/O.

pub mod geo;
mod place;
mod query;
mod record;

pub use place::{Address, BatchResult, Outcome, Place, Suggestion};
pub use query::{MAX_QUERY_CHARS, Search};
pub use record::{About, Code, CodeScheme, Gazetteer, Kind, Name, NameClass, Record, Role};
