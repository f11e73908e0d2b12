//! Reads the postal codes of `countrystatecity-postal-codes`, which are share-alike (ODbL): a JSON array for each country.

use std::collections::BTreeSet;

use serde::Deserialize;
use toponym_engine::geo::Coordinate;

use super::File;
use super::rows::Iso2;
use crate::error::BuildError;

/// A code of a country, and a place where it is used. A code may have several rows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PostalCode {
    pub country: Iso2,
    /// Code as the source writes it: `111 22`, `K1A`.
    pub code: String,
    /// The part of an ISO 3166-2 code after the hyphen, of the division it is in; empty if unknown.
    pub state: String,
    /// Place where mail goes: a town, one of its streets, a post office; empty if unknown.
    pub locality: String,
    /// Five of six rows have none.
    pub position: Option<Coordinate>,
}

/// Countries whose rows are not postal codes. Those of Spain are the numbers of its municipalities: 28001 is Acebeda there,
/// and not the centre of Madrid.
const NO_CODES: [Iso2; 1] = [*b"ES"];

/// Ending that marks the unknown part of a locality in the source.
const UNKNOWN: &str = ", NULL";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    code: String,
    country_code: String,
    state_code: Option<String>,
    locality_name: Option<String>,
    latitude: Option<f64>,
    longitude: Option<f64>,
}

/// Reads the codes of the `known` countries, in the order of the files.
pub(crate) fn read(files: &[File], known: &BTreeSet<Iso2>) -> Result<Vec<PostalCode>, BuildError> {
    let mut codes = Vec::new();
    for file in files {
        for (at, row) in file.json::<Vec<Row>>()?.into_iter().enumerate() {
            let place = |field: &'static str| move || format!("record {at}, field {field}");
            let country = file.country(place("countryCode"), &row.country_code)?;
            if !known.contains(&country) || NO_CODES.contains(&country) {
                continue;
            }
            let position = match row.latitude.zip(row.longitude) {
                Some((lat, lon)) => Some(file.coordinate(place("latitude"), lat, lon)?),
                None => None,
            };
            let locality = row.locality_name.unwrap_or_default().replace(UNKNOWN, "");
            let code = row.code.trim().to_owned();
            let state = row.state_code.unwrap_or_default();
            codes.push(PostalCode { country, code, state, locality, position });
        }
    }
    Ok(codes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::test_file;

    #[test]
    fn rows_with_and_without_a_position() {
        let nowhere = r#""localityName": "PARIS", "latitude": null, "longitude": null"#;
        let somewhere = r#""localityName": null, "latitude": 34.1, "longitude": -118.4"#;
        let rows = [row("75001 ", "FR", nowhere), row("90210", "US", somewhere), row("28001", "ES", nowhere)];
        check(&rows, Ok(&["75001 PARIS false", "90210  true"]));
        check(
            &[row("1", "FR", r#""localityName": "A, NULL", "latitude": null, "longitude": null"#)],
            Ok(&["1 A false"]),
        );
        check(&[row("1", "XX", nowhere)], Ok(&[]));
        check(&[row("1", "fr", nowhere)], Err("record 0, field countryCode"));
        check(&[row("1", "US", &somewhere.replace("34.1", "99"))], Err("record 0, field latitude"));
    }

    fn check(rows: &[String], expect: Result<&[&str], &str>) {
        let file = test_file("postcodes.json", format!("[{}]", rows.join(",")));
        let found = read(&[file], &BTreeSet::from([*b"FR", *b"US", *b"ES"]));
        let shown = found.map(|codes| {
            codes
                .into_iter()
                .map(|row| format!("{} {} {}", row.code, row.locality, row.position.is_some()))
                .collect::<Vec<_>>()
        });
        let shown = shown.map_err(|error| error.to_string());
        match expect {
            Ok(lines) => {
                assert_eq!(shown.as_deref(), Ok(lines.iter().map(|l| (*l).to_owned()).collect::<Vec<_>>().as_slice()))
            }
            Err(part) => assert!(shown.is_err_and(|error| error.contains(part)), "{part}"),
        }
    }

    fn row(code: &str, country: &str, rest: &str) -> String {
        format!(r#"{{"code": "{code}", "countryCode": "{country}", "stateCode": null, "type": "full", {rest}}}"#)
    }
}
