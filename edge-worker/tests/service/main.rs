//! The whole service, natively, on a platform in memory.

mod admin;
mod billing;
mod contract;
mod cost;
mod exchanges;
mod gazetteer;
mod openapi;
mod pins;
mod refusals;
mod rows;
mod status;
mod support;
