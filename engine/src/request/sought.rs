//! Reads what to find: a text, or the fields `name`, `city`, `county`, `state` and `country`. The parameter that is called `fields`
//! is another one.

use serde::{Serialize, Serializer};

use super::fault::Fault;
use super::parameter::Style;
use super::value::Values;
use crate::query::MAX_QUERY_CHARS;
use crate::question::Question;
use crate::structured::Structured;

/// Text or fields to find.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sought {
    /// A text.
    Text(String),
    /// A place by its name and those of the areas that it lies in.
    Fields(Fields),
}

/// A question in fields, of which at least one is set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fields([Option<String>; 5]);

/// Their names, the smallest first.
pub const FIELDS: [&str; 5] = ["name", "city", "county", "state", "country"];

impl Sought {
    /// Returns the number of characters of a text.
    pub fn characters(&self) -> usize {
        match self {
            Self::Text(text) => text.chars().count(),
            Self::Fields(_) => usize::MAX,
        }
    }

    /// Returns the question for the engine.
    pub fn question(&self) -> Question<'_> {
        match self {
            Self::Text(text) => Question::Text(text),
            Self::Fields(fields) => Question::Fields(fields.as_structured()),
        }
    }

    /// Reads the text in the parameter `name`, or in its place fields. In texts of a query string, blank is as good as missing.
    pub(super) fn read(values: &Values, name: &'static str) -> Result<Self, Fault> {
        let text = values.text(name).map(str::to_owned);
        let fields = FIELDS.map(|field| values.text(field).map(str::to_owned));
        if values.style != Style::Text {
            return Self::of_program(text, fields);
        }
        let text = text.filter(|text| !text.trim().is_empty());
        let too_long =
            |name| Fault::new(format!("{name} parameter must be between 1 and {MAX_QUERY_CHARS} characters"));
        let sought = match (text, Fields::of_texts(fields).map_err(too_long)?) {
            (Some(text), None) => Self::Text(text),
            (None, Some(fields)) => Self::Fields(fields),
            (None, None) => return Err(Fault::new(format!("{name} parameter is required"))),
            (Some(_), Some(_)) => {
                return Err(Fault::new(format!("{name} parameter takes no {} beside it", FIELDS.join(", "))));
            }
        };
        let is_too_long = matches!(&sought, Self::Text(text) if text.chars().count() > MAX_QUERY_CHARS);
        if is_too_long { Err(too_long(name)) } else { Ok(sought) }
    }

    /// Reads the values of a program. Beside fields, a text is the name.
    fn of_program(text: Option<String>, mut fields: [Option<String>; 5]) -> Result<Self, Fault> {
        let has_fields = fields.iter().any(Option::is_some);
        let sought = match text {
            Some(text) if !has_fields => Self::Text(text),
            Some(_) if fields[0].is_some() => {
                return Err(Fault::new("give query or name, not both: beside fields, query is the name"));
            }
            text => {
                fields[0] = fields[0].take().or(text);
                Self::Fields(Fields(fields))
            }
        };
        match sought.question().fault() {
            Some(fault) => Err(Fault::new(fault)),
            None => Ok(sought),
        }
    }
}

impl Fields {
    /// Creates fields in the order of [`FIELDS`]; `None` if none is set.
    pub fn new(values: [Option<String>; 5]) -> Option<Self> {
        values.iter().any(Option::is_some).then_some(Self(values))
    }

    /// Creates fields from texts in the order of [`FIELDS`], of which one that is blank is as if it were missing; `None` if none
    /// is set.
    ///
    /// # Errors
    /// The name of a field that is too long.
    pub fn of_texts(values: [Option<String>; 5]) -> Result<Option<Self>, &'static str> {
        let values = values.map(|value| value.filter(|value| !value.trim().is_empty()));
        let mut lengths = values.iter().map(|value| value.as_ref().map_or(0, |value| value.chars().count()));
        match lengths.position(|length| length > MAX_QUERY_CHARS) {
            Some(at) => Err(FIELDS[at]),
            None => Ok(Self::new(values)),
        }
    }

    /// Returns the question for the engine.
    pub fn as_structured(&self) -> Structured<'_> {
        let [name, city, county, state, country] = self.0.each_ref().map(Option::as_deref);
        Structured { name, city, county, state, country }
    }
}

/// As an object of those that are set.
impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.as_structured().each())
    }
}
