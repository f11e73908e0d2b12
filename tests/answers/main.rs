//! Tests of what the whole default index answers. One program, so that one link, one reading of the index and both cores
//! serve all of them.

mod capitals;
mod code_to_copy;
mod context;
mod default_index;
mod filters;
mod ids;
mod imports;
mod in_wasm;
mod joined;
mod options;
mod paged_index;
mod postcodes;
mod quality;
mod questions;
mod size;
mod spelled;
mod words;
