//! The engine for Python, as the module `toponym._native`: one class, which wraps an opened index, and the columns of a batch.
//!
//! ```text
//! geocoder ─> options (what is asked)  ─> engine ─> reply (dicts)
//!        ├──> columns (lists, Arrow)   ─> batch ─> answers (Arrow)
//!        └──> cities (the drop-in for reverse_geocoder)
//! ```

mod answers;
mod batch;
mod cities;
mod columns;
mod geocoder;
mod open;
mod options;
mod reply;

use pyo3::prelude::*;

/// The module.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::answers::Answers;
    #[pymodule_export]
    use super::geocoder::Geocoder;
}
