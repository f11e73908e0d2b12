//! Columns of a batch as Python has them: whatever offers the Arrow PyCapsule interface (pyarrow, Polars, pandas), arrays of
//! NumPy, and lists. None of these libraries has to be installed.

use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{Array, ArrayRef, Float64Array, LargeStringArray};
use arrow_cast::cast;
use arrow_schema::DataType;
use arrow_select::concat::concat;
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyImportError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyString;
use pyo3_arrow::input::AnyArray;

use crate::reply::invalid;

/// Texts, some of which may be missing.
pub enum Texts {
    /// A text for all rows.
    All(String),
    /// One for each row.
    Each(LargeStringArray),
}

/// Numbers, some of which may be missing.
pub struct Numbers(Float64Array);

impl Texts {
    /// Reads the argument `name`.
    ///
    /// # Errors
    /// `TypeError` that names the argument and the row, if something is neither a text nor missing.
    pub fn read(name: &str, column: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = column.cast::<PyString>() {
            return Ok(Self::All(text.to_str()?.to_owned()));
        }
        if let Some(chunks) = arrow(name, column)? {
            return texts(name, &chunks).map(Self::Each);
        }
        check_shape(name, column)?;
        let rows = items(name, column)?;
        let rows = rows.into_iter().enumerate();
        let texts = rows.map(|(row, item)| text(&item).ok_or_else(|| not(name, row, &item, "a str")));
        texts.collect::<PyResult<LargeStringArray>>().map(Self::Each)
    }

    /// Returns the text of a row; `None` if it is missing.
    pub fn get(&self, row: usize) -> Option<&str> {
        match self {
            Self::All(text) => Some(text),
            Self::Each(texts) => texts.is_valid(row).then(|| texts.value(row)),
        }
    }

    /// Returns the number of rows; `None` if one text stands for any number of them.
    pub fn rows(&self) -> Option<usize> {
        match self {
            Self::All(_) => None,
            Self::Each(texts) => Some(texts.len()),
        }
    }
}

impl Numbers {
    /// Reads the argument `name`.
    ///
    /// # Errors
    /// `TypeError` that names the argument and the row, if something is neither a number nor missing.
    pub fn read(name: &str, column: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Some(chunks) = arrow(name, column)? {
            return numbers(name, &chunks).map(Self);
        }
        check_shape(name, column)?;
        if let Some(numbers) = buffer(column)? {
            return Ok(Self(numbers.into()));
        }
        let rows = items(name, column)?;
        let rows = rows.into_iter().enumerate();
        let numbers = rows.map(|(row, item)| number(&item).ok_or_else(|| not(name, row, &item, "a number")));
        numbers.collect::<PyResult<Float64Array>>().map(Self)
    }

    /// Returns the number of a row; `None` if it is missing or not a number.
    pub fn get(&self, row: usize) -> Option<f64> {
        self.0.is_valid(row).then(|| self.0.value(row)).filter(|number| !number.is_nan())
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.0.len()
    }
}

impl From<Vec<f64>> for Numbers {
    fn from(numbers: Vec<f64>) -> Self {
        Self(numbers.into())
    }
}

/// Reads the chunks of an Arrow column; `None` if the object offers none. The Arrow interface of pandas needs pyarrow, so it
/// may be missing.
fn arrow(name: &str, column: &Bound<'_, PyAny>) -> PyResult<Option<Vec<ArrayRef>>> {
    if !column.hasattr("__arrow_c_stream__")? && !column.hasattr("__arrow_c_array__")? {
        return Ok(None);
    }
    let read = column.extract::<AnyArray>().and_then(|array| Ok(array.into_chunked_array()?));
    match read {
        Ok(chunked) => {
            let (mut chunks, field) = chunked.into_inner();
            if chunks.is_empty() {
                chunks.push(arrow_array::new_empty_array(field.data_type()));
            }
            Ok(Some(chunks))
        }
        Err(error) if error.is_instance_of::<PyImportError>(column.py()) => Ok(None),
        Err(error) => Err(PyTypeError::new_err(format!("{name}: the column cannot be read: {error}"))),
    }
}

fn texts(name: &str, chunks: &[ArrayRef]) -> PyResult<LargeStringArray> {
    let kind = chunks[0].data_type();
    if !is_text(kind) && !matches!(kind, DataType::Dictionary(_, values) if is_text(values)) {
        return Err(PyTypeError::new_err(format!("{name} must be a column of str, not of {kind}")));
    }
    Ok(join_chunks(name, chunks, &DataType::LargeUtf8)?.as_string().clone())
}

/// Tells whether a column of this type has texts alone.
fn is_text(kind: &DataType) -> bool {
    matches!(kind, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null)
}

fn numbers(name: &str, chunks: &[ArrayRef]) -> PyResult<Float64Array> {
    let kind = chunks[0].data_type();
    let is_decimal = matches!(kind, DataType::Decimal32(..) | DataType::Decimal64(..) | DataType::Decimal128(..));
    if !kind.is_numeric() && !is_decimal && *kind != DataType::Null {
        return Err(PyTypeError::new_err(format!("{name} must be a column of numbers, not of {kind}")));
    }
    Ok(join_chunks(name, chunks, &DataType::Float64)?.as_primitive::<Float64Type>().clone())
}

/// Joins the chunks into one array of `kind`.
fn join_chunks(name: &str, chunks: &[ArrayRef], kind: &DataType) -> PyResult<ArrayRef> {
    let cast: Result<Vec<_>, _> = chunks.iter().map(|chunk| cast(chunk, kind)).collect();
    let joined = cast.and_then(|chunks| concat(&chunks.iter().map(AsRef::as_ref).collect::<Vec<_>>()));
    joined.map_err(|error| PyTypeError::new_err(format!("{name}: {error}")))
}

/// Fails for an array that is not a column: a table of points would be read as one long column.
fn check_shape(name: &str, column: &Bound<'_, PyAny>) -> PyResult<()> {
    match column.getattr("ndim").and_then(|ndim| ndim.extract::<usize>()) {
        Ok(ndim) if ndim != 1 => {
            let advice =
                if ndim > 1 { ": give one column of it, such as array[:, 0]" } else { ": give a list of one value" };
            Err(invalid(format!("{name} must have one dimension, not {ndim}{advice}")))
        }
        _ => Ok(()),
    }
}

/// Reads the numbers of an array of NumPy, or of another buffer of floating point numbers; `None` if it is neither. A masked
/// item becomes NaN.
fn buffer(column: &Bound<'_, PyAny>) -> PyResult<Option<Vec<f64>>> {
    let py = column.py();
    if column.hasattr("filled")? {
        return buffer(&column.call_method1("astype", ("float64",))?.call_method1("filled", (f64::NAN,))?);
    }
    if let Ok(buffer) = PyBuffer::<f64>::get(column) {
        return buffer.to_vec(py).map(Some);
    }
    // An array of other numbers: f4, i8.
    let kind = column.getattr("dtype").and_then(|dtype| dtype.getattr("kind"));
    match kind.and_then(|kind| kind.extract::<String>()) {
        Ok(kind) if ["f", "i", "u"].contains(&kind.as_str()) => {
            let floats = column.call_method1("astype", ("float64",))?;
            PyBuffer::<f64>::get(&floats).and_then(|buffer| buffer.to_vec(py)).map(Some).or(Ok(None))
        }
        _ => Ok(None),
    }
}

/// Collects the items of a list, a series or an array.
fn items<'py>(name: &str, column: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let items = column.try_iter().map_err(|_| {
        let kind = kind_of(column);
        PyTypeError::new_err(format!("{name} must be a list, an array or a series, not {kind}"))
    });
    items?.collect()
}

/// Reads a text or nothing; `None` if the item is something else.
fn text(item: &Bound<'_, PyAny>) -> Option<Option<String>> {
    if is_missing(item) { Some(None) } else { item.extract().ok().map(Some) }
}

fn number(item: &Bound<'_, PyAny>) -> Option<Option<f64>> {
    if is_missing(item) { Some(None) } else { item.extract().ok().map(Some) }
}

/// Tells whether it is `None`, the NaN that pandas writes for missing texts, its `NA`, or what a mask of NumPy hides.
fn is_missing(item: &Bound<'_, PyAny>) -> bool {
    item.is_none()
        || ["NAType", "MaskedConstant"].contains(&kind_of(item).as_str())
        || item.extract::<f64>().is_ok_and(f64::is_nan)
}

fn kind_of(item: &Bound<'_, PyAny>) -> String {
    item.get_type().name().map_or_else(|_| "object".to_owned(), |name| name.to_string())
}

fn not(name: &str, row: usize, item: &Bound<'_, PyAny>, what: &str) -> PyErr {
    let shown = item.repr().map_or_else(|_| String::new(), |text| format!(" ({text})"));
    PyTypeError::new_err(format!("{name}: row {row} is {}{shown}, not {what}; a missing one is None", kind_of(item)))
}
