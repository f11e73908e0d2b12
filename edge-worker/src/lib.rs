//! The geocoding service on Cloudflare Workers: credentials, tokens, metering and HTTP around [`toponym_engine`].
//!
//! Everything but `entry`, `workers` and the storage half of [`durable`] is platform-free: the router is generic over one
//! [`Platform`] trait, so that the whole service runs natively in tests with an in-memory platform.
//!
//! ```text
//! route ─> token ─> validate ─> admission ─> [key object: authorise and charge] with the engine ─> response
//! ```
//!
//! - A request is charged by its key's object while it is computed, a batch before. What is answered 500 or above is given back.
//! - Isolates lease units of keys, charge requests alone, and report them within seconds ([`meter::lease`]).
//! - After a key was refused, nothing is computed for it until it is known to be admitted: [`admission`].
//! - The number of requests under way and the bytes of their bodies are bounded: [`under_way`].
//! - [`error::Failure`] is the only type that becomes an error status and message.
//! - No log line contains a token, a secret or the text of a query.

pub mod admission;
pub mod auth;
#[cfg(target_arch = "wasm32")]
mod bindings;
pub mod clock;
pub mod config;
pub mod durable;
#[cfg(target_arch = "wasm32")]
mod entry;
pub mod error;
pub mod etag;
#[cfg(all(target_arch = "wasm32", feature = "faults"))]
mod fault;
pub mod fetching;
pub mod gate;
pub mod homes;
pub mod http;
#[cfg(target_arch = "wasm32")]
mod isolate;
pub mod meter;
pub mod metrics;
pub mod places;
pub mod platform;
pub mod query;
pub mod refusal;
pub mod response;
pub mod router;
pub mod routes;
pub mod under_way;
pub mod unmetered;
pub mod unwell;
pub mod unwind;
#[cfg(target_arch = "wasm32")]
mod web;
#[cfg(target_arch = "wasm32")]
mod workers;

pub use config::Config;
pub use platform::Platform;
pub use router::handle;
