//! The rows of a table on their way from the reader to the renderer.

use csv::ByteRecord;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// A row with the number of the line that it begins in, or its place in an array, counted from 1.
#[derive(Clone, Debug)]
pub struct Record {
    /// Number of the line, for messages.
    pub line: u64,
    /// Row as it was read.
    pub row: Row,
}

/// A row as it was read: nothing of it is lost.
#[derive(Clone, Debug)]
pub enum Row {
    /// Cells of CSV or TSV.
    Cells(ByteRecord),
    /// The text of a JSON object.
    Object(Box<RawValue>),
    /// The text of a GeoJSON feature.
    Feature(Box<RawValue>),
    /// A line that is none of these, and why.
    Broken {
        /// Text as it was read, bytes that are not UTF-8 replaced.
        text: String,
        /// Fault that has to be corrected.
        reason: String,
    },
}

impl Row {
    /// Returns the names of the members of an object, or of the properties of a feature; `None` of other rows.
    pub fn names(&self) -> Option<Vec<String>> {
        let names = |members: Members| members.0.into_iter().map(|(name, _)| name).collect();
        match self {
            Self::Object(json) => Members::of(json).map(names),
            Self::Feature(json) => {
                let feature = Members::of(json)?;
                Some(feature.get("properties").and_then(Members::of).map(names).unwrap_or_default())
            }
            Self::Cells(_) | Self::Broken { .. } => None,
        }
    }

    /// Returns about how many bytes the row takes.
    pub fn size(&self) -> usize {
        match self {
            Self::Cells(cells) => cells.as_slice().len(),
            Self::Object(text) | Self::Feature(text) => text.get().len(),
            Self::Broken { text, .. } => text.len(),
        }
    }
}

/// Facts of a table that are known before its first row.
#[derive(Clone, Debug, Default)]
pub struct Head {
    /// The names of the columns; of JSON, those of the first object.
    pub names: Vec<String>,
    /// True if the file began with a byte order mark.
    pub has_bom: bool,
    /// True if lines end with CR LF.
    pub has_crlf: bool,
}

/// The members of a JSON object in their order, as they were written.
#[derive(Debug, Default)]
pub struct Members<'j>(pub Vec<(String, &'j RawValue)>);

impl<'j> Members<'j> {
    /// Reads the members of an object; `None` of anything else.
    pub fn of(json: &'j RawValue) -> Option<Self> {
        serde_json::from_str(json.get()).ok()
    }

    /// Returns the value of a member; of several with a name the last one, as in JavaScript.
    pub fn get(&self, name: &str) -> Option<&'j RawValue> {
        self.0.iter().rev().find(|(known, _)| known == name).map(|(_, value)| *value)
    }
}

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(InOrder)
    }
}

struct InOrder;

impl<'de> Visitor<'de> for InOrder {
    type Value = Members<'de>;

    fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(name) = map.next_key::<String>()? {
            members.push((name, map.next_value::<&RawValue>()?));
        }
        Ok(Members(members))
    }
}

/// Returns the text of a value in a cell: a string without its quotes, nothing for null, anything else as JSON.
pub fn cell_text(value: &RawValue) -> String {
    match value.get() {
        "null" => String::new(),
        text if text.starts_with('"') => serde_json::from_str(text).unwrap_or_default(),
        other => other.to_owned(),
    }
}
