//! An example for `imports/main.rs`; nothing compiles it.
mod deep;
mod names;
mod paths;
mod room;
mod tested;

pub use names::Name;
