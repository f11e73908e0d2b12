//! Tests the commands that geocode in a terminal as their users run them: as a program, on files.

mod ask;
mod batch;
#[cfg(feature = "operator")]
mod fetch_index;
mod manual;
mod readme;
mod resume;
mod serve;
mod support;
