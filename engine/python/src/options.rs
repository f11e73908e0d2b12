//! Reads the keyword arguments of a question: those of the engine's table of parameters, and what only Python has.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};
use toponym_engine::request::{Fault, Operation, Parameter, Style, Takes, Value, Values};

use crate::reply::invalid;

/// The keyword arguments of one call.
pub struct Keywords<'a, 'py> {
    given: Option<&'a Bound<'py, PyDict>>,
}

impl<'a, 'py> Keywords<'a, 'py> {
    /// Takes the arguments `given` to `method`: those of an operation but for some, which are given otherwise, and
    /// further ones.
    ///
    /// # Errors
    /// `TypeError` if one has another name.
    pub fn new(
        given: Option<&'a Bound<'py, PyDict>>,
        method: &str,
        operation: Operation,
        (without, with): (&[&str], &[&str]),
    ) -> PyResult<Self> {
        let of_operation = operation.parameters(Style::Keywords).map(|parameter| parameter.name);
        let known: Vec<&str> =
            of_operation.filter(|name| !without.contains(name)).chain(with.iter().copied()).collect();
        for name in given.into_iter().flat_map(|dict| dict.keys()) {
            let name: String = name.extract()?;
            if !known.contains(&name.as_str()) {
                let message = format!("{method}() has no argument {name:?}: it takes {}", known.join(", "));
                return Err(PyTypeError::new_err(message));
            }
        }
        Ok(Self { given })
    }

    /// Returns the argument `name`; `None` if it is missing or `None`.
    pub fn any(&self, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(given) = self.given else { return Ok(None) };
        Ok(given.get_item(name)?.filter(|value| !value.is_none()))
    }

    /// Reads the argument `name` as a `T`.
    ///
    /// # Errors
    /// `TypeError` with `what` it must be.
    pub fn get<T: for<'e> FromPyObject<'e, 'py>>(&self, name: &str, what: &str) -> PyResult<Option<T>> {
        let Some(value) = self.any(name)? else { return Ok(None) };
        value.extract().map(Some).map_err(|_| not(name, what))
    }

    /// Reads the values of an operation.
    ///
    /// # Errors
    /// `TypeError` if one has another type than its parameter takes.
    pub fn values(&self, operation: Operation, without: &[&str]) -> PyResult<Values> {
        let mut values = Values::new(Style::Keywords);
        for parameter in operation.parameters(Style::Keywords).filter(|one| !without.contains(&one.name)) {
            if let Some(value) = self.any(parameter.name)? {
                values.put(parameter, read(parameter, &value)?);
            }
        }
        Ok(values)
    }
}

/// Creates a `ValueError` that says what to change.
pub fn wrong(fault: Fault) -> PyErr {
    invalid(fault.into_message())
}

fn read(&Parameter { name, takes, .. }: &Parameter, value: &Bound<'_, PyAny>) -> PyResult<Value> {
    let list = |of: &dyn Fn(&Bound<'_, PyAny>) -> Option<Value>| {
        let items: Option<Vec<Value>> = value.try_iter().ok()?.map(|item| of(&item.ok()?)).collect();
        items.map(Value::List)
    };
    // Spaces between the items of a text are not part of them.
    let of_text = || {
        let Some(Value::Text(text)) = text(value) else { return None };
        Some(Value::List(text.split(',').map(|item| Value::Text(item.trim().to_owned())).collect()))
    };
    match takes {
        Takes::Text => text(value).ok_or_else(|| not(name, "a str")),
        Takes::Integer => value.extract::<i64>().ok().and(number(value)).ok_or_else(|| not(name, "an integer")),
        Takes::Number => number(value).ok_or_else(|| not(name, "a number")),
        Takes::Texts => of_text().or_else(|| list(&text)).ok_or_else(|| not(name, "a str or a list of str")),
        Takes::Numbers(2) => list(&number).ok_or_else(|| not(name, "a pair (lat, lon) of numbers")),
        Takes::Numbers(count) => list(&number).ok_or_else(|| not(name, &format!("{count} numbers"))),
    }
}

/// Reads a text.
fn text(value: &Bound<'_, PyAny>) -> Option<Value> {
    value.cast::<PyString>().ok()?.extract().ok().map(Value::Text)
}

/// Reads a number, which is not a bool.
fn number(value: &Bound<'_, PyAny>) -> Option<Value> {
    let number = if value.is_instance_of::<PyBool>() { None } else { value.extract::<f64>().ok() };
    number.map(Value::Number)
}

fn not(name: &str, what: &str) -> PyErr {
    PyTypeError::new_err(format!("{name} must be {what}"))
}
