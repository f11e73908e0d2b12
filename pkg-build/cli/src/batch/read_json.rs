//! Reads JSON: objects line by line, an array of them, or the features of a FeatureCollection, without ever holding more
//! than a few rows.

use std::fmt;
use std::io::BufRead;

use anyhow::{Context, Result, ensure};
use serde::Deserializer as _;
use serde::de::{DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::input::{Input, RowLength, behind_mark};
use super::row::{Head, Members, Record, Row};
use super::sink::Sink;

/// Returns the head of a table of objects: the columns are the members of its first one.
fn head(row: &Row, has_bom: bool) -> Head {
    Head { names: row.names().unwrap_or_default(), has_bom, has_crlf: false }
}

/// Hands each line to `sink`. A line that is not an object is broken.
pub fn read_lines(input: Input, sink: &mut Sink) -> Result<()> {
    let length = input.row_length();
    let (mut reader, has_bom) = behind_mark(input)?;
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        length.end_row();
        let count = reader.read_until(b'\n', &mut line).with_context(|| format!("line {number} cannot be read"))?;
        if count == 0 {
            break;
        }
        let text = line.trim_ascii();
        if text.is_empty() {
            continue;
        }
        let row = object(text);
        if !sink.has_begun() {
            sink.begin(head(&row, has_bom))?;
        }
        sink.push(Record { line: number, row })?;
    }
    if sink.has_begun() { Ok(()) } else { sink.begin(Head { has_bom, ..Head::default() }) }
}

/// Reads the row of a line.
fn object(line: &[u8]) -> Row {
    let broken = |reason: &str| Row::Broken {
        text: String::from_utf8_lossy(line).into_owned(),
        reason: format!("the line is {reason}"),
    };
    match std::str::from_utf8(line) {
        Err(_) => broken("not UTF-8"),
        Ok(text) => match serde_json::from_str::<Box<RawValue>>(text) {
            Err(_) => broken("not JSON"),
            Ok(json) if Members::of(&json).is_none() => broken("not a JSON object"),
            Ok(json) => Row::Object(json),
        },
    }
}

/// Hands each object of an array to `sink`.
pub fn read_array(input: Input, sink: &mut Sink) -> Result<()> {
    let mut rows = Rows::of(&input, sink, false);
    let (reader, has_bom) = behind_mark(input)?;
    rows.has_bom = has_bom;
    let mut json = serde_json::Deserializer::from_reader(reader);
    let read = json.deserialize_seq(&mut rows).and_then(|()| json.end());
    rows.finish(read, "an array of JSON objects")
}

/// Hands each feature of a FeatureCollection to `sink`. Returns the other members, each as JSON behind a comma.
pub fn read_features(input: Input, sink: &mut Sink) -> Result<String> {
    let mut rows = Rows::of(&input, sink, true);
    let (reader, has_bom) = behind_mark(input)?;
    rows.has_bom = has_bom;
    let mut json = serde_json::Deserializer::from_reader(reader);
    let mut others = String::new();
    let read = json.deserialize_map(Collection { rows: &mut rows, others: &mut others }).and_then(|()| json.end());
    rows.finish(read, "a GeoJSON FeatureCollection")?;
    Ok(others)
}

/// Takes the elements of an array.
struct Rows<'a, 's> {
    sink: &'a mut Sink<'s>,
    /// Row length of the input, which the JSON reader owns.
    length: RowLength,
    has_bom: bool,
    number: u64,
    is_feature: bool,
    /// Reason why a row was not taken: the JSON reader would only keep the text.
    failed: Option<anyhow::Error>,
}

impl<'a, 's> Rows<'a, 's> {
    fn of(input: &Input, sink: &'a mut Sink<'s>, is_feature: bool) -> Self {
        Self { sink, length: input.row_length(), has_bom: false, number: 0, is_feature, failed: None }
    }

    fn push(&mut self, json: Box<RawValue>) -> Result<()> {
        self.length.end_row();
        self.number += 1;
        let row = match (json.get().starts_with('{'), self.is_feature) {
            (true, true) => Row::Feature(json),
            (true, false) => Row::Object(json),
            _ => Row::Broken { text: json.get().to_owned(), reason: "the element is not a JSON object".to_owned() },
        };
        if !self.sink.has_begun() {
            self.sink.begin(head(&row, self.has_bom))?;
        }
        self.sink.push(Record { line: self.number, row })
    }

    fn finish(self, read: serde_json::Result<()>, what: &str) -> Result<()> {
        ensure!(!self.sink.was_refused(), "stopped");
        let behind = format!("behind row {}", self.number);
        match (self.failed, read) {
            (Some(error), _) => return Err(error),
            (None, Err(error)) if error.is_io() => {
                return Err(error).with_context(|| format!("the input cannot be read, {behind}"));
            }
            (None, read) => read.with_context(|| format!("the input is not {what}, {behind}"))?,
        }
        if self.sink.has_begun() { Ok(()) } else { self.sink.begin(Head::default()) }
    }
}

impl<'de> Visitor<'de> for &mut Rows<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<(), A::Error> {
        while let Some(json) = elements.next_element::<Box<RawValue>>()? {
            if let Err(error) = self.push(json) {
                self.failed = Some(error);
                return Err(A::Error::custom("a row was not taken"));
            }
        }
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for &mut Rows<'_, '_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

/// Takes the members of a FeatureCollection.
struct Collection<'a, 'r, 's> {
    rows: &'a mut Rows<'r, 's>,
    others: &'a mut String,
}

impl<'de> Visitor<'de> for Collection<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object with features")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut has_features = false;
        while let Some(name) = map.next_key::<String>()? {
            match name.as_str() {
                "features" => {
                    map.next_value_seed(&mut *self.rows)?;
                    has_features = true;
                }
                "type" => drop(map.next_value::<Box<RawValue>>()?),
                _ => {
                    let value = map.next_value::<Box<RawValue>>()?;
                    let name = serde_json::to_string(&name).map_err(A::Error::custom)?;
                    *self.others += &format!(",{name}:{}", value.get());
                }
            }
        }
        if has_features { Ok(()) } else { Err(A::Error::custom("it has no features")) }
    }
}
