//! The answers of a batch: an Arrow table, whose columns are listed here.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use pyo3_arrow::PyTable;
use toponym_engine::{Fact, FactSet, Facts, Place};

use crate::reply::invalid;

/// The answer to one row.
pub enum Answer {
    /// The row has no question: all columns are null.
    Missing,
    /// The best place.
    Found(Box<Place>),
    /// Nothing matches.
    NotFound,
    /// The question is invalid, with what to change.
    Fault(String),
}

impl Answer {
    /// Creates the answer from a place, if there is one.
    pub fn of(place: Option<Place>) -> Self {
        place.map_or(Self::NotFound, |place| Self::Found(Box::new(place)))
    }

    fn place(&self) -> Option<&Place> {
        if let Self::Found(place) = self { Some(place) } else { None }
    }

    fn status(&self) -> Option<&str> {
        match self {
            Self::Missing => None,
            Self::Found(_) => Some("ok"),
            Self::NotFound => Some("not_found"),
            Self::Fault(_) => Some("error"),
        }
    }

    fn error(&self) -> Option<&str> {
        if let Self::Fault(error) = self { Some(error) } else { None }
    }
}

/// Function that reads the value of a column from a place, by type.
#[derive(Clone, Copy)]
enum Value {
    Text(fn(&Place) -> Option<&str>),
    Integer(fn(&Place) -> Option<i64>),
    Number(fn(&Place) -> Option<f64>),
}

/// The columns of every table, between `status` and `error`.
const COLUMNS: [(&str, Value); 12] = [
    ("place_id", Value::Integer(|place| i64::try_from(place.place_id).ok())),
    ("name", Value::Text(|place| place.facts.as_ref()?.name.as_deref())),
    ("display_name", Value::Text(|place| Some(&place.display_name))),
    ("type", Value::Text(|place| Some(&place.kind))),
    ("lat", Value::Number(|place| Some(place.lat))),
    ("lon", Value::Number(|place| Some(place.lon))),
    ("city", Value::Text(|place| place.city.as_deref())),
    ("county", Value::Text(|place| place.address.get("county"))),
    ("state", Value::Text(|place| place.address.get("state"))),
    // A sea lies in no country.
    ("country", Value::Text(|place| Some(place.country.as_str()).filter(|name| !name.is_empty()))),
    ("country_code", Value::Text(|place| place.address.get("country_code"))),
    ("confidence", Value::Number(|place| Some(place.confidence))),
];

/// The columns of facts that are one value: the others are only in the answers of `forward`, `reverse` and `place`.
const FACTS: [(Fact, Value); 4] = [
    (Fact::Population, Value::Integer(|place| i64::try_from(fact(place)?.population?).ok())),
    (Fact::Timezone, Value::Text(|place| fact(place)?.timezone.as_deref())),
    (Fact::Iso31662, Value::Text(|place| fact(place)?.iso_3166_2.as_deref())),
    (Fact::Distance, Value::Number(|place| fact(place)?.distance)),
];

fn fact(place: &Place) -> Option<&Facts> {
    place.facts.as_deref()
}

/// The columns of a table.
pub struct Columns {
    schema: SchemaRef,
    values: Vec<Value>,
}

impl Columns {
    /// Creates the columns of every table, and those of the facts that are asked for.
    ///
    /// # Errors
    /// `ValueError` if a fact is not one value.
    pub fn new(facts: FactSet) -> PyResult<Self> {
        let is_column = |fact: &Fact| *fact == Fact::Name || FACTS.iter().any(|(other, _)| other == fact);
        if Fact::ALL.iter().any(|fact| facts.contains(*fact) && !is_column(fact)) {
            let known = FACTS.map(|(fact, _)| fact.name()).join(", ");
            return Err(invalid(format!("in a batch, fields must be a list of some of these: {known}")));
        }
        let asked = FACTS.into_iter().filter(|(fact, _)| facts.contains(*fact));
        let all: Vec<_> = COLUMNS.into_iter().chain(asked.map(|(fact, value)| (fact.name(), value))).collect();
        let of_places = all.iter().map(|(name, value)| Field::new(*name, value.kind(), true));
        let fields: Vec<_> = [text_field("status")].into_iter().chain(of_places).chain([text_field("error")]).collect();
        Ok(Self { schema: Arc::new(Schema::new(fields)), values: all.into_iter().map(|(_, value)| value).collect() })
    }

    /// Returns the names and types of the columns.
    pub fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    /// Builds the columns of some rows.
    ///
    /// # Errors
    /// None: the columns are those of the schema.
    pub fn batch(&self, answers: &[Answer]) -> Result<RecordBatch, ArrowError> {
        let texts = |value: fn(&Answer) -> Option<&str>| -> ArrayRef {
            Arc::new(answers.iter().map(value).collect::<StringArray>())
        };
        let of_places = self.values.iter().map(|value| value.column(answers));
        let all = [texts(Answer::status)].into_iter().chain(of_places).chain([texts(Answer::error)]);
        RecordBatch::try_new(self.schema(), all.collect())
    }
}

/// Creates the field of a column of texts.
fn text_field(name: &str) -> Field {
    Field::new(name, DataType::Utf8, true)
}

impl Value {
    fn kind(self) -> DataType {
        match self {
            Self::Text(_) => DataType::Utf8,
            Self::Integer(_) => DataType::Int64,
            Self::Number(_) => DataType::Float64,
        }
    }

    fn column(self, answers: &[Answer]) -> ArrayRef {
        let places = answers.iter().map(Answer::place);
        match self {
            Self::Text(of) => Arc::new(places.map(|place| place.and_then(of)).collect::<StringArray>()),
            Self::Integer(of) => Arc::new(places.map(|place| place.and_then(of)).collect::<Int64Array>()),
            Self::Number(of) => Arc::new(places.map(|place| place.and_then(of)).collect::<Float64Array>()),
        }
    }
}

/// The answers of a batch, one row for each question: an Arrow table.
///
/// Libraries of tables take it as it is (`pyarrow.table(answers)`, `polars.DataFrame(answers)`). Without any,
/// `answers["lat"]` is the list of a column, and `answers.to_pylist()` a list of dicts.
#[pyclass(module = "toponym", frozen)]
pub struct Answers {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

#[pymethods]
impl Answers {
    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    fn __repr__(&self) -> String {
        format!("<toponym.Answers: {} rows of {}>", self.__len__(), self.column_names().join(", "))
    }

    /// Returns the names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<&str> {
        self.schema.fields().iter().map(|field| field.name().as_str()).collect()
    }

    /// Returns a column as a list.
    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyList>> {
        let at = self.schema.index_of(name).map_err(|_| {
            PyKeyError::new_err(format!("there is no column {name:?}, only {}", self.column_names().join(", ")))
        })?;
        let list = PyList::empty(py);
        for batch in &self.batches {
            for row in 0..batch.num_rows() {
                list.append(value(py, batch.column(at), row)?)?;
            }
        }
        Ok(list)
    }

    /// Returns a list of dicts, one for each row.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for batch in &self.batches {
            for row in 0..batch.num_rows() {
                let dict = PyDict::new(py);
                for (name, column) in self.column_names().iter().zip(batch.columns()) {
                    dict.set_item(name, value(py, column, row)?)?;
                }
                list.append(dict)?;
            }
        }
        Ok(list)
    }

    /// Converts the answers into a `pyarrow.Table`. Needs pyarrow.
    fn to_pyarrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pyarrow")?.call_method1("table", (slf,))
    }

    /// Converts the answers into a `pandas.DataFrame`. Needs pandas and pyarrow.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::to_pyarrow(slf)?.call_method0("to_pandas")
    }

    /// Converts the answers into a `polars.DataFrame`. Needs Polars.
    fn to_polars<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("polars")?.call_method1("DataFrame", (slf,))
    }

    /// Exports the answers to libraries that take Arrow tables: a capsule, as the Arrow PyCapsule interface describes it.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.table(py)?.call_method1("__arrow_c_stream__", (requested_schema,))
    }

    /// Exports the names and types of the columns as a capsule of the Arrow PyCapsule interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.table(py)?.call_method0("__arrow_c_schema__")
    }
}

impl Answers {
    /// Creates the answers from batches, which have the `schema`.
    pub fn new(schema: SchemaRef, batches: Vec<RecordBatch>) -> Self {
        Self { schema, batches }
    }

    fn table<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let table = PyTable::try_new(self.batches.clone(), Arc::clone(&self.schema))?;
        Ok(Bound::new(py, table)?.into_any())
    }
}

/// Converts one value of a column for Python; a missing one is `None`.
fn value<'py>(py: Python<'py>, column: &ArrayRef, row: usize) -> PyResult<Bound<'py, PyAny>> {
    if column.is_null(row) {
        return Ok(py.None().into_bound(py));
    }
    Ok(match column.data_type() {
        DataType::Int64 => column.as_primitive::<Int64Type>().value(row).into_pyobject(py)?.into_any(),
        DataType::Float64 => column.as_primitive::<Float64Type>().value(row).into_pyobject(py)?.into_any(),
        _ => column.as_string::<i32>().value(row).into_pyobject(py)?.into_any(),
    })
}
