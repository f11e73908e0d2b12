//! The parameters of all operations.

/// An operation that a caller can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// The places for a text or fields.
    Forward,
    /// Suggestions for an unfinished text.
    Autocomplete,
    /// The places at or near a point.
    Reverse,
    /// The best place for each of many questions.
    Batch,
    /// The place with an id or a code.
    Place,
    /// The pages of a region.
    Region,
}

/// The form in which a host writes values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// As texts, with commas between the items of a list: query strings and the terminal.
    Text,
    /// As the keyword arguments of Python.
    Keywords,
    /// As the options of JavaScript.
    Options,
}

/// A parameter.
#[derive(Debug)]
pub struct Parameter {
    /// Name in query strings, bodies, Python and the terminal.
    pub name: &'static str,
    /// Name among the options of JavaScript.
    pub option: &'static str,
    /// The values that it takes.
    pub takes: Takes,
    /// The operations that have it.
    of: &'static [Operation],
    /// True if only hosts that write texts have the parameter, false if only the others have it; `None`: all have it.
    only_texts: Option<bool>,
}

/// The values that a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// A text.
    Text,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// Some texts, or one with commas between them.
    Texts,
    /// So many numbers, or a text with commas between them.
    Numbers(usize),
}

use Operation::{Autocomplete, Batch, Forward, Place, Region, Reverse};

const ALL: &[Operation] = &[Forward, Autocomplete, Reverse, Batch, Place, Region];
const SHOWN: &[Operation] = &[Forward, Autocomplete, Reverse, Batch, Place];
const FILTERED: &[Operation] = &[Forward, Autocomplete, Reverse];
const LOCATED: &[Operation] = &[Forward, Autocomplete, Reverse, Region];
const TYPED: &[Operation] = &[Forward, Autocomplete];

/// Every parameter.
static PARAMETERS: [Parameter; 24] = [
    Parameter { option: "text", ..Parameter::new("query", Takes::Text, &[Forward]) },
    Parameter { option: "text", ..Parameter::new("q", Takes::Text, &[Autocomplete]) },
    Parameter::new("name", Takes::Text, &[Forward]),
    Parameter::new("city", Takes::Text, &[Forward]),
    Parameter::new("county", Takes::Text, &[Forward]),
    Parameter::new("state", Takes::Text, &[Forward]),
    Parameter::new("country", Takes::Text, &[Forward]),
    Parameter::new("lat", Takes::Number, &[Reverse]),
    Parameter::new("lon", Takes::Number, &[Reverse]),
    Parameter { only_texts: Some(true), ..Parameter::new("lat", Takes::Number, TYPED) },
    Parameter { only_texts: Some(true), ..Parameter::new("lon", Takes::Number, TYPED) },
    Parameter { only_texts: Some(true), ..Parameter::new("near", Takes::Text, TYPED) },
    Parameter { only_texts: Some(false), ..Parameter::new("focus", Takes::Numbers(2), TYPED) },
    Parameter::new("ref", Takes::Text, &[Place]),
    Parameter { option: "id", only_texts: Some(false), ..Parameter::new("place_id", Takes::Integer, &[Place]) },
    Parameter { only_texts: Some(true), ..Parameter::new("format", Takes::Text, SHOWN) },
    Parameter::new("limit", Takes::Integer, FILTERED),
    Parameter::new("radius", Takes::Number, &[Reverse]),
    Parameter::new("lang", Takes::Text, ALL),
    Parameter::new("fields", Takes::Texts, SHOWN),
    Parameter { option: "countries", ..Parameter::new("countrycodes", Takes::Texts, LOCATED) },
    Parameter::new("types", Takes::Texts, FILTERED),
    Parameter::new("bbox", Takes::Numbers(4), LOCATED),
    Parameter::new("within", Takes::Integer, FILTERED),
];

impl Parameter {
    /// Creates a parameter of some operations, for all hosts and with one name.
    pub const fn new(name: &'static str, takes: Takes, of: &'static [Operation]) -> Self {
        Self { name, option: name, takes, of, only_texts: None }
    }

    /// Returns the name by which a host knows the parameter that is called `name`.
    pub(super) fn name_in(name: &'static str, style: Style) -> &'static str {
        let known = PARAMETERS.iter().find(|one| one.name == name && style == Style::Options);
        known.map_or(name, |one| one.option)
    }

    /// Tells a person what it does, if more than one operation has it.
    pub fn about(&self) -> &'static str {
        match self.name {
            "name" => "In place of the text: name of a place of any kind",
            "city" => "In place of the text: name of a city, town or village",
            "county" => "In place of the text: name of a second-level division",
            "state" => "In place of the text: name or code of a first-level division",
            "country" => "In place of the text: name or code of a country",
            "limit" => "Largest number of results",
            "radius" => "Only places at most this far away, in metres",
            "lang" => "Language of the names: a BCP 47 tag such as fr",
            "fields" => "Facts to show beside the usual answer, such as population,timezone; or all",
            "countrycodes" => "Only places in these countries: ISO 3166-1 alpha-2, separated by commas",
            "types" => "Only places of these kinds, such as city,airport",
            "bbox" => "Only places in this box: west,south,east,north",
            "within" => "Only places in the place with this place_id",
            _ => "",
        }
    }
}

impl Operation {
    /// Returns its parameters in hosts that write values in a way.
    pub fn parameters(self, style: Style) -> impl Iterator<Item = &'static Parameter> {
        let is_text = style == Style::Text;
        PARAMETERS.iter().filter(move |one| one.of.contains(&self) && one.only_texts.is_none_or(|only| only == is_text))
    }
}

impl Takes {
    /// Tells whether the value is a list.
    pub fn is_list(self) -> bool {
        matches!(self, Self::Texts | Self::Numbers(_))
    }
}
