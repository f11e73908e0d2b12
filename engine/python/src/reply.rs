//! Answers of the engine as Python objects with the keys of the HTTP contract, and faults of the caller as exceptions.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pythonize::pythonize;

/// Converts `value` into dicts and lists, as in its JSON.
///
/// # Errors
/// Only if Python has no memory left.
pub fn object<T: serde::Serialize + ?Sized>(py: Python<'_>, value: &T) -> PyResult<Py<PyAny>> {
    Ok(pythonize(py, value)?.unbind())
}

/// Creates a `ValueError` that says what to change.
pub fn invalid(message: impl Into<String>) -> PyErr {
    PyValueError::new_err(message.into())
}
