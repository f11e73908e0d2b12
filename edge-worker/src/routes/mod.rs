//! The routes, one file each. The four that geocode share [`geocoding`].

pub mod admin;
pub mod attribution;
pub mod batch;
pub mod body;
pub mod coverage;
pub mod geocoding;
pub mod health;
pub mod openapi;
mod parameters;
pub mod reverse;
pub mod sla;
pub mod text;
pub mod token;
