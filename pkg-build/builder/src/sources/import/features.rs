//! Reads the features of a GeoJSON collection one at a time, each with its number and the line it begins in.

use std::cell::Cell;
use std::fmt;
use std::io::{BufReader, Read};
use std::rc::Rc;

use serde::Deserializer as _;
use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use super::ImportFile;
use super::row_reader::{Fault, Rows, fault};
use crate::error::BuildError;

/// Calls `read` with every feature and its line. Returns the number of invalid ones.
pub(crate) fn each_feature(
    file: &ImportFile,
    read: impl FnMut(u64, &Value) -> Result<(), Fault>,
) -> Result<u64, BuildError> {
    let (rows, reader) = Rows::open(file)?;
    let lines = Rc::new(Cell::new(1));
    let reader = CountingLines { reader: BufReader::new(reader), lines: lines.clone() };
    let mut features = Features { rows, number: 0, lines, read, failed: None };
    let mut json = serde_json::Deserializer::from_reader(reader);
    let outcome = json.deserialize_map(&mut features).and_then(|()| json.end());
    match (features.failed, outcome) {
        (Some(error), _) => Err(error),
        (None, Ok(())) => features.rows.finish(),
        (None, Err(error)) => Err(BuildError::Broken {
            path: file.path().to_owned(),
            at: format!("line {}, column {}", error.line(), error.column()),
            message: error.to_string(),
        }),
    }
}

/// What an error in one object says, without a line that counts from the beginning of the object.
pub(crate) fn without_line(error: &serde_json::Error) -> String {
    let message = error.to_string();
    message.split_once(" at line ").map_or(message.as_str(), |(message, _)| message).to_owned()
}

/// Counts the lines read. The parser reads byte by byte, so the count is that of its position.
struct CountingLines<R> {
    reader: R,
    lines: Rc<Cell<u64>>,
}

impl<R: Read> Read for CountingLines<R> {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        let count = self.reader.read(bytes)?;
        self.lines.set(self.lines.get() + newlines(&bytes[..count]));
        Ok(count)
    }
}

fn newlines(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|&&byte| byte == b'\n').count() as u64
}

struct Features<F> {
    rows: Rows,
    number: u64,
    lines: Rc<Cell<u64>>,
    read: F,
    failed: Option<BuildError>,
}

impl<F: FnMut(u64, &Value) -> Result<(), Fault>> Features<F> {
    fn take(&mut self, text: &str) -> Result<(), BuildError> {
        self.number += 1;
        let line = self.lines.get() - newlines(text.as_bytes());
        let parsed = serde_json::from_str(text).map_err(|error| fault("", without_line(&error)));
        let outcome = parsed.and_then(|feature| (self.read)(line, &feature));
        let number = self.number;
        self.rows.take(|| format!("line {line}, feature {number}"), outcome).map(|_| ())
    }
}

impl<'de, F: FnMut(u64, &Value) -> Result<(), Fault>> Visitor<'de> for &mut Features<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a GeoJSON FeatureCollection")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut found = false;
        while let Some(name) = map.next_key::<String>()? {
            if name == "features" {
                found = true;
                map.next_value_seed(&mut *self)?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        let advice = "there is no list of features: make it a FeatureCollection, or write one feature per line";
        if found { Ok(()) } else { Err(A::Error::custom(advice)) }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(feature) = list.next_element::<Box<RawValue>>()? {
            if let Err(error) = self.take(feature.get()) {
                self.failed = Some(error);
                return Err(A::Error::custom("too many bad rows"));
            }
        }
        Ok(())
    }
}

impl<'de, F: FnMut(u64, &Value) -> Result<(), Fault>> DeserializeSeed<'de> for &mut Features<F> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

#[cfg(test)]
mod tests {
    use super::super::file::test_import;
    use super::*;

    #[test]
    fn each_feature_has_its_line() {
        let text = "\u{feff}{\"features\": [\n{\"a\":\n1}, {\"a\": 2},\n\n{\"a\": 3}\n], \"more\": [4]}\n";
        let mut seen = Vec::new();
        let file = test_import("a.geojson", text);
        each_feature(&file, |line, feature| {
            seen.push((line, feature["a"].as_u64()));
            Ok(())
        })
        .expect("it is sound");
        assert_eq!(seen, [(2, Some(1)), (3, Some(2)), (5, Some(3))]);
    }
}
