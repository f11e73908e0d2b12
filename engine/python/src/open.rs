//! Opens the indexes that `Geocoder(...)` names: paths of files, or their bytes. Each file is read once into memory: a map of
//! it would need unsafe code, and a full index is read in some 20 ms.

use std::path::{Path, PathBuf};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use toponym_engine::Engine;

use crate::reply::invalid;

/// The file with the index of the wheel, beside the Python files of the package.
const CORE: &str = "core.toponym";

/// Opens one engine for all of `indexes`, the first one first; for the index of the wheel if there are none.
///
/// # Errors
/// `OSError` if a file cannot be read, `ValueError` if it is not an index, `TypeError` if an argument is neither path nor
/// bytes.
pub fn all(py: Python<'_>, indexes: &Bound<'_, PyTuple>) -> PyResult<Engine> {
    if indexes.is_empty() {
        return file(py, &core(py)?);
    }
    let mut engines = indexes.iter().map(|index| one(&index));
    // There is at least one.
    let mut all = engines.next().ok_or_else(|| invalid("name at least one index"))??;
    for further in engines {
        all.join(further?);
    }
    Ok(all)
}

fn core(py: Python<'_>) -> PyResult<PathBuf> {
    let package: PathBuf = py.import("toponym")?.getattr("__file__")?.extract()?;
    Ok(package.with_file_name(CORE))
}

fn one(index: &Bound<'_, PyAny>) -> PyResult<Engine> {
    if let Ok(bytes) = index.cast::<PyBytes>() {
        return open(bytes.as_bytes().to_vec(), "the bytes");
    }
    let path: PathBuf = index.extract().map_err(|_| {
        let kind = index.get_type().name().map_or_else(|_| "object".to_owned(), |name| name.to_string());
        PyTypeError::new_err(format!("an index is the path of a file (str, os.PathLike) or its bytes, not {kind}"))
    })?;
    file(index.py(), &path)
}

fn file(py: Python<'_>, path: &Path) -> PyResult<Engine> {
    py.detach(|| {
        let bytes = std::fs::read(path)
            .map_err(|error| std::io::Error::new(error.kind(), format!("{}: {error}", path.display())))?;
        open(bytes, &path.display().to_string())
    })
}

fn open(bytes: Vec<u8>, what: &str) -> PyResult<Engine> {
    Engine::open(bytes).map_err(|error| invalid(format!("{what}: {error}")))
}
