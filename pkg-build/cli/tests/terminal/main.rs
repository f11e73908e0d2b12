//! Tests the commands that geocode in a terminal as their users run them: as a program, on files.

mod ask;
mod batch;
mod manual;
mod readme;
mod resume;
mod serve;
mod support;
