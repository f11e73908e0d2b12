//! Tests the whole service natively, on an in-memory platform.

mod admin;
mod billing;
mod contract;
mod exchanges;
mod gazetteer;
mod leases;
mod moves;
mod openapi;
mod pages;
mod parameters;
mod pins;
mod questions;
mod refusals;
mod rows;
mod status;
mod support;
mod unmetered;
