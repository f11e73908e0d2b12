//! One Durable Object per API key holds its record, rolling minute, month and token exchanges.
//!
//! [`key`] makes the decisions (pure), [`message`] defines the messages between Worker and object, [`record`] the
//! stored data of a key. The storage part, which only runs on the platform, is `object`: it loads, calls [`key`], and
//! stores. There is no `await` between load and store, so no other request of the same key can interleave, and the
//! platform holds the reply back until the writes are durable.
//!
//! A key may move from one object into another: [`home`].
//!
//! [`rows`] defines how stored data and messages may change between versions.

#[cfg(target_arch = "wasm32")]
mod asked;
pub mod billing;
#[cfg(target_arch = "wasm32")]
pub(crate) mod board_object;
pub mod demo;
pub mod directory;
#[cfg(target_arch = "wasm32")]
pub(crate) mod directory_object;
pub mod home;
pub mod key;
pub mod location;
pub mod message;
#[cfg(target_arch = "wasm32")]
pub(crate) mod object;
pub mod record;
pub mod rows;
#[cfg(target_arch = "wasm32")]
mod sql;
pub mod tables;

/// Longest time that an object may take, milliseconds. After it the request is answered 503.
pub const OBJECT_DEADLINE_MS: u64 = 1_500;
