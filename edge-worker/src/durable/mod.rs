//! One object per API key: it holds the key's record, its rolling minute, its month and its token exchanges.
//!
//! [`key`] decides (pure), [`message`] is what Worker and object say to each other, [`record`] what is stored of a key.
//! The storage half, which runs only on the platform, is `object`: it loads, lets [`key`] decide, stores. No `await`
//! lies between load and store, so that no other request of the same key can come in between, and the platform holds
//! the reply back until the writes are durable.
//!
//! [`rows`] says how what is stored and said may change from version to version.

#[cfg(target_arch = "wasm32")]
mod asked;
pub mod billing;
#[cfg(target_arch = "wasm32")]
pub(crate) mod board_object;
pub mod demo;
pub mod directory;
#[cfg(target_arch = "wasm32")]
pub(crate) mod directory_object;
pub mod key;
pub mod message;
#[cfg(target_arch = "wasm32")]
pub(crate) mod object;
pub mod record;
pub mod rows;
#[cfg(target_arch = "wasm32")]
pub(crate) mod shard_object;
#[cfg(target_arch = "wasm32")]
mod sql;
pub mod tables;

/// How long an object may take, milliseconds; past it the request is answered 503.
pub const OBJECT_DEADLINE_MS: u64 = 1_500;
