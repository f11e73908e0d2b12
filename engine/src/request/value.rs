//! The values of a request.

use super::fault::Fault;
use super::parameter::{Operation, Parameter, Style};
use crate::text::decimal;

/// A value as a host has it.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A text.
    Text(String),
    /// A number.
    Number(f64),
    /// Several values.
    List(Vec<Value>),
}

/// The values of a request that are there.
#[derive(Clone, Debug)]
pub struct Values {
    pub(super) style: Style,
    /// The `Accept-Language` of the caller.
    pub(super) accepted: Option<String>,
    all: Vec<(&'static str, Value)>,
}

impl Values {
    /// Creates an empty set of values.
    pub fn new(style: Style) -> Self {
        Self { style, accepted: None, all: Vec::new() }
    }

    /// Sets the meaning of `lang=auto`: the header `Accept-Language` of the caller.
    #[must_use]
    pub fn with_accept_language(self, languages: Option<&str>) -> Self {
        Self { accepted: languages.map(str::to_owned), ..self }
    }

    /// Adds the value of a parameter.
    pub fn put(&mut self, parameter: &Parameter, value: Value) {
        self.all.push((parameter.name, value));
    }

    /// Adds the value of the parameter of an operation that is called `name`: for what a host gives by position.
    pub fn put_named(&mut self, operation: Operation, name: &str, value: Value) {
        if let Some(parameter) = operation.parameters(self.style).find(|one| one.name == name) {
            self.put(parameter, value);
        }
    }

    /// Returns the value of a parameter.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.all.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// Returns the text of a parameter; `None` if it is missing or has another value.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.get(name)?.text()
    }

    /// Returns the texts of a list.
    pub(super) fn texts(&self, name: &str) -> Option<Vec<&str>> {
        Some(match self.get(name)? {
            Value::List(items) => items.iter().filter_map(Value::text).collect(),
            value => value.text()?.split(',').collect(),
        })
    }

    /// Returns the numbers of a list, `None` for each item that is not a number.
    pub(super) fn numbers(&self, name: &str) -> Option<Vec<Option<f64>>> {
        Some(match self.get(name)? {
            Value::List(items) => items.iter().map(Value::number).collect(),
            value => value.text()?.split(',').map(decimal).collect(),
        })
    }

    /// Makes the fault of a parameter: its name, and what it `must` be.
    pub(super) fn fault(&self, name: &'static str, must: impl AsRef<str>) -> Fault {
        Fault::new(format!("{} must {}", Parameter::name_in(name, self.style), must.as_ref()))
    }
}

impl Value {
    fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// Returns the number; of a text, which is read strictly, as query strings and JavaScript write it.
    pub(super) fn number(&self) -> Option<f64> {
        match self {
            Self::Text(text) => decimal(text),
            Self::Number(number) => Some(*number),
            Self::List(_) => None,
        }
    }

    /// Returns the whole number, without sign and fraction.
    pub(super) fn whole(&self) -> Option<u64> {
        match self {
            Self::Text(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => text.parse().ok(),
            Self::Number(number) if number.fract() == 0.0 && (0.0..=MAX_WHOLE).contains(number) => Some(*number as u64),
            _ => None,
        }
    }
}

/// The greatest number up to which every whole one is an `f64`.
const MAX_WHOLE: f64 = 9_007_199_254_740_991.0;

/// Creates the values of texts, as a query string has them.
#[cfg(test)]
pub(super) fn of_texts(texts: &[(&'static str, &str)]) -> Values {
    let all = texts.iter().map(|&(name, text)| (name, Value::Text(text.to_owned()))).collect();
    Values { style: Style::Text, accepted: None, all }
}
