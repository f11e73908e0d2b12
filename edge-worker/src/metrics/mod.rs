//! The data behind the status endpoints, from sample to figure. This module is pure; the objects that store the data
//! are in [`crate::durable`].
//!
//! ```text
//! request ─> Tally (isolate) ─ every 20 s ─> Board (one object) ─> /sla-*
//! ```
//!
//! - A sample is a request to one of the four geocoding routes: its status, and the milliseconds to its answer, the reply
//!   of the key's object included. The platform's clock stands still during computation, so that time without I/O counts
//!   as the least value of 1 ms.
//! - The time of a request has two parts: waiting for its key's object, or for the answer to another request's question
//!   to it, and the rest. [`metering`] counts both.
//! - No request waits for any of this or fails because of it.
//! - Nothing counts twice. Each batch has a number in its isolate, and the board takes it once.
//! - The board reads only the rows that a message needs, and writes samples every ten seconds at most: [`stored_board`].
//! - When an isolate ends, its unsent samples are lost: at most those of 22 seconds. When the board ends without a word, those of
//!   ten.

pub mod board;
pub mod bucket;
pub mod counts;
pub mod flush;
pub mod latencies;
pub mod memo;
pub mod metering;
pub mod report;
pub mod rows;
pub mod shared;
pub mod snapshot;
pub mod stored_board;
pub mod tally;
