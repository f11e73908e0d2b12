//! The routes, one file each. Those that geocode share [`geocoding`].

pub mod admin;
pub mod attribution;
pub mod batch;
pub mod body;
pub mod coverage;
pub mod facts;
pub mod fields;
pub mod filters;
pub mod format;
pub mod geocoding;
pub mod health;
pub mod language;
pub mod numbers;
pub mod openapi;
mod parameters;
pub mod place;
pub mod reverse;
pub mod sla;
pub mod text;
pub mod token;
