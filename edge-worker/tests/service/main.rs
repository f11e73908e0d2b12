//! The whole service, natively, on a platform in memory.

mod admin;
mod contract;
mod gazetteer;
mod support;
