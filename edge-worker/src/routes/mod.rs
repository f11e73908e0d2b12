//! The routes, one file each. Those that geocode share [`geocoding`].

pub mod admin;
pub mod attribution;
pub mod batch;
pub mod body;
pub mod coverage;
pub mod format;
pub mod geocoding;
pub mod health;
pub mod openapi;
pub mod parameters;
pub mod sla;
pub mod token;
