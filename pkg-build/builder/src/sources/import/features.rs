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
use super::row_reader::{Fault, Rows, fault, without_mark};
use crate::error::BuildError;

/// Calls `read` with every feature and its line. Returns the number of invalid ones.
pub(crate) fn each_feature(
    file: &ImportFile,
    mut read: impl FnMut(u64, &Value) -> Result<(), Fault>,
) -> Result<u64, BuildError> {
    let (mut rows, reader) = Rows::open(file)?;
    let mut number = 0u64;
    let mut failed = None;
    let outcome = each_text(reader, |line, text| {
        number += 1;
        let parsed = serde_json::from_str(text).map_err(|error| fault("", without_line(&error)));
        let outcome = parsed.and_then(|feature| read(line, &feature));
        failed = rows.take(|| format!("line {line}, feature {number}"), outcome).err();
        failed.is_none()
    });
    match (failed, outcome) {
        (Some(error), _) => Err(error),
        (None, Ok(())) => rows.finish(),
        (None, Err(error)) => Err(BuildError::Broken {
            path: file.path().to_owned(),
            at: format!("line {}, column {}", error.line(), error.column()),
            message: error.to_string(),
        }),
    }
}

/// Returns the first feature of a file. `None` if it has none, or it cannot be read: who reads all of them says why.
pub(crate) fn first_feature(file: &ImportFile) -> Result<Option<Value>, BuildError> {
    let reader = without_mark(file.open()?.unpack()).map_err(file.read_error())?;
    let mut first = None;
    // An error is what ends the reading.
    let _ = each_text(reader, |_, text| {
        first = serde_json::from_str(text).ok();
        false
    });
    Ok(first)
}

/// Calls `take` with the line and the text of each feature, until it returns false.
fn each_text(reader: impl Read, take: impl FnMut(u64, &str) -> bool) -> serde_json::Result<()> {
    let lines = Rc::new(Cell::new(1));
    let reader = CountingLines { reader: BufReader::new(reader), lines: lines.clone() };
    let mut json = serde_json::Deserializer::from_reader(reader);
    json.deserialize_map(&mut Features { lines, take }).and_then(|()| json.end())
}

/// Returns the message of an error in one object, without a line that counts from the beginning of the object.
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
    lines: Rc<Cell<u64>>,
    take: F,
}

impl<'de, F: FnMut(u64, &str) -> bool> Visitor<'de> for &mut Features<F> {
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
            let text = feature.get();
            if !(self.take)(self.lines.get() - newlines(text.as_bytes()), text) {
                return Err(A::Error::custom("the rest is not wanted"));
            }
        }
        Ok(())
    }
}

impl<'de, F: FnMut(u64, &str) -> bool> DeserializeSeed<'de> for &mut Features<F> {
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
