//! Detects the format of an imported file by its name and first row.

use std::io::{BufRead, BufReader, Read};

use serde_json::Value;

use super::adapters::{ADAPTERS, adapter_of};
use super::features::first_feature;
use super::{ImportFile, columns};
use crate::error::BuildError;

/// The formats in reading order: each may need the rows of those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Format {
    /// GeoNames `countryInfo.txt`.
    CountryInfo,
    /// GeoNames `admin1CodesASCII.txt`.
    Admin1,
    /// GeoNames `admin2Codes.txt`.
    Admin2,
    /// GeoNames `allCountries.txt`, `cities500.txt`, `FR.txt`.
    Table,
    /// GeoNames `alternateNamesV2.txt`.
    AlternateNames,
    /// OurAirports `airports.csv`.
    OurAirports,
    /// A source with an adapter: its index among [`ADAPTERS`].
    Adapted(usize, Layout),
    /// The project's own schema.
    Plain(Layout),
}

/// Layout of the rows of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Layout {
    /// CSV with a header.
    Csv,
    /// A GeoJSON collection.
    Features,
    /// Lines with a JSON object each.
    Lines,
}

impl Format {
    /// Returns its name in `data/sources.toml`.
    pub fn name(self) -> &'static str {
        match self {
            Self::CountryInfo => "geonames-country-info",
            Self::Admin1 => "geonames-admin1-codes",
            Self::Admin2 => "geonames-admin2-codes",
            Self::Table => "geonames-table",
            Self::AlternateNames => "geonames-alternate-names",
            Self::OurAirports => "ourairports",
            Self::Adapted(adapter, _) => ADAPTERS[adapter].name,
            Self::Plain(_) => "plain",
        }
    }

    /// Lists the formats, with one layout each.
    #[cfg(test)]
    pub fn all() -> impl Iterator<Item = Self> {
        use Format::{Adapted, Admin1, Admin2, AlternateNames, CountryInfo, OurAirports, Plain, Table};
        let adapted = (0..ADAPTERS.len()).map(|adapter| Adapted(adapter, Layout::Lines));
        let before = [CountryInfo, Admin1, Admin2, Table, AlternateNames, OurAirports];
        before.into_iter().chain(adapted).chain([Plain(Layout::Csv)])
    }

    /// Returns the layout of a format whose rows are read as those of the plain schema.
    pub fn layout(self) -> Option<Layout> {
        match self {
            Self::Adapted(_, layout) | Self::Plain(layout) => Some(layout),
            _ => None,
        }
    }
}

/// Upper limit of a first row: a longer one is not a text table.
const FIRST_ROW_BYTES: u64 = 1 << 20;

/// Recognises the format of a file.
pub(crate) fn recognise(file: &ImportFile) -> Result<Format, BuildError> {
    let name = file.name().to_lowercase();
    let row = first_row(file, |line| !line.trim().is_empty() && !line.starts_with('#'))?;
    if row.starts_with('\u{fffd}') && row.contains('\0') {
        let reason = "it is UTF-16: save it as UTF-8, or run `iconv -f UTF-16 -t UTF-8 FILE > NEW_FILE`".to_owned();
        return Err(BuildError::Unrecognised { path: file.path().to_owned(), reason });
    }
    let format = by_content(&name, &row)
        .or_else(|| by_name(&name))
        .ok_or_else(|| BuildError::Unrecognised { path: file.path().to_owned(), reason: reason(&row) })?;
    Ok(match format {
        Format::Plain(layout) => find_adapter(file, layout)?.unwrap_or(format),
        other => other,
    })
}

/// Finds the adapter of a file by its first place.
fn find_adapter(file: &ImportFile, layout: Layout) -> Result<Option<Format>, BuildError> {
    let first = match layout {
        Layout::Csv => None,
        Layout::Features => first_feature(file)?,
        // After the bracket of a list.
        Layout::Lines => first_row(file, |line| !line.trim().is_empty() && line.trim() != "[")
            .map(|line| serde_json::from_str(line.trim().trim_end_matches(',')).ok())?,
    };
    Ok(first.and_then(|first: Value| adapter_of(&first)).map(|adapter| Format::Adapted(adapter, layout)))
}

/// Returns the first line that is a row.
fn first_row(file: &ImportFile, is_row: impl Fn(&str) -> bool) -> Result<String, BuildError> {
    let reader = file.open()?.unpack();
    let lines = BufReader::new(reader.take(FIRST_ROW_BYTES)).split(b'\n');
    for line in lines {
        let line = line.map_err(file.read_error())?;
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_start_matches('\u{feff}').trim_end_matches('\r');
        if is_row(text) {
            return Ok(text.to_owned());
        }
    }
    Ok(String::new())
}

fn by_content(name: &str, row: &str) -> Option<Format> {
    let end = name.rsplit_once('.').map_or("", |(_, end)| end);
    if row.trim_start().starts_with('{') {
        return json(end, row);
    }
    // A list with an object on each line, as in Wikidata's dump.
    if row.trim() == "[" {
        return Some(Format::Plain(Layout::Lines));
    }
    if let Some(format) = csv(row) {
        return Some(format);
    }
    let columns: Vec<&str> = row.split('\t').collect();
    let dots = columns[0].matches('.').count();
    match columns.len() {
        19 if columns[0].len() == 2 && columns[1].len() == 3 => Some(Format::CountryInfo),
        19 => Some(Format::Table),
        8 | 10 if columns[0].parse::<u64>().is_ok() => Some(Format::AlternateNames),
        4 if dots == 1 => Some(Format::Admin1),
        4 if dots == 2 => Some(Format::Admin2),
        _ => None,
    }
}

fn csv(row: &str) -> Option<Format> {
    let header = header(row);
    if super::ourairports::COLUMNS.iter().all(|name| header.iter().any(|column| column == name)) {
        Some(Format::OurAirports)
    } else if missing_fields(&header).is_empty() {
        Some(Format::Plain(Layout::Csv))
    } else {
        None
    }
}

fn header(row: &str) -> Vec<String> {
    row.split(columns::separator(row)).map(|name| name.trim().trim_matches('"').to_owned()).collect()
}

/// Returns the required columns of the plain schema that a header lacks.
fn missing_fields(header: &[String]) -> Vec<&'static str> {
    let columns = columns::rename_headers(header);
    columns::REQUIRED.into_iter().filter(|name| !columns.iter().any(|column| column == name)).collect()
}

/// Distinguishes GeoJSON, which is one object with a list of features, from lines of features or plain objects.
fn json(end: &str, row: &str) -> Option<Format> {
    match serde_json::from_str::<Value>(row) {
        Ok(object) if object["type"] == "FeatureCollection" || object["features"].is_array() => {
            return Some(Format::Plain(Layout::Features));
        }
        Ok(_) => return Some(Format::Plain(Layout::Lines)),
        Err(_) => {}
    }
    match end {
        "ndjson" | "jsonl" | "geojsonl" | "geojsons" => Some(Format::Plain(Layout::Lines)),
        "geojson" | "json" => Some(Format::Plain(Layout::Features)),
        _ if row.contains("\"FeatureCollection\"") => Some(Format::Plain(Layout::Features)),
        _ if row.trim_end().ends_with('}') => Some(Format::Plain(Layout::Lines)),
        _ => None,
    }
}

/// Guesses the format from the name, for a file with a broken first row.
fn by_name(name: &str) -> Option<Format> {
    match name {
        "countryinfo.txt" => Some(Format::CountryInfo),
        "admin1codesascii.txt" => Some(Format::Admin1),
        "admin2codes.txt" => Some(Format::Admin2),
        "allcountries.txt" => Some(Format::Table),
        "alternatenamesv2.txt" | "alternatenames.txt" => Some(Format::AlternateNames),
        _ => {
            let stem = name.strip_suffix(".txt")?;
            let is_country = stem.len() == 2 && stem.bytes().all(|byte| byte.is_ascii_lowercase());
            let is_cities =
                stem.strip_prefix("cities").is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
            (is_country || is_cities).then_some(Format::Table)
        }
    }
}

fn reason(row: &str) -> String {
    if row.is_empty() {
        return "it has no rows".to_owned();
    }
    let missing = missing_fields(&header(row));
    if missing.len() < columns::REQUIRED.len() {
        let missing: Vec<String> = missing.into_iter().map(columns::describe_field).collect();
        return format!("its header lacks the columns {}: add them", missing.join(" and "));
    }
    if row.contains('\t') {
        return format!(
            "its first row has {} columns between tabs, and no format has so many",
            row.split('\t').count()
        );
    }
    if row.starts_with('[') {
        return "it is a JSON list: write one object per line, without brackets and commas".to_owned();
    }
    let header: String = row.chars().take(100).collect();
    let plain = columns::REQUIRED.join(", ");
    format!("its first row is {header:?}, neither the header of OurAirports nor one with the columns {plain}")
}

#[cfg(test)]
mod tests {
    use super::super::file::test_import;
    use super::*;

    #[test]
    fn formats_by_name_and_first_row() {
        let table = format!("3039154\tEl Tarter{}\n", "\t".repeat(17));
        check("allCountries.txt", &table, Ok(Format::Table));
        check("AD.txt", &table, Ok(Format::Table));
        check("mine.tsv", &table, Ok(Format::Table));
        check("cities15000.txt", "broken\trow\n", Ok(Format::Table));
        check("AD.txt", "1\t3039154\tfr\tLe Tarter\t\t\t\t\t\t\n", Ok(Format::AlternateNames));
        check("alternateNamesV2.txt", "1\t3039154\tfr\tLe Tarter\t\t\t\t\t\t\n", Ok(Format::AlternateNames));
        check("admin1CodesASCII.txt", "AD.06\tSant Julià\tSant Julia\t3039162\n", Ok(Format::Admin1));
        check("admin2Codes.txt", "AF.01.7052666\tKohistān\tKohistan\t7052666\n", Ok(Format::Admin2));
        check("countryInfo.txt", &format!("# a remark\n#ISO\nAD\tAND{}\n", "\t".repeat(17)), Ok(Format::CountryInfo));
        check(
            "airports.csv",
            "\"id\",\"ident\",\"type\",\"name\",\"latitude_deg\",\"longitude_deg\",\"iso_country\",\"municipality\",\"iata_code\"\n",
            Ok(Format::OurAirports),
        );
        check("places.csv", "name,country,lat,lon,type\n", Ok(Format::Plain(Layout::Csv)));
        check(
            "places.geojson",
            "{\n\"type\": \"FeatureCollection\", \"features\": []}",
            Ok(Format::Plain(Layout::Features)),
        );
        check("places.ndjson", "{\"name\": \"A\"}\n", Ok(Format::Plain(Layout::Lines)));
        check("places.txt", "{\"name\": \"A\"}\n", Ok(Format::Plain(Layout::Lines)));
        check("empty.txt", "", Err("it has no rows"));
        check("cities.csv", "city;lat;lng\n", Err("its header lacks the columns name (or title"));
        check("cities.csv", "a;b;c\n", Err("neither the header of OurAirports nor"));
        check("places.csv", "Title;Country Code;Latitude;Longitude;Kind\n", Ok(Format::Plain(Layout::Csv)));
        check("places.tsv", "title\tcc\ty\tx\tkind\n", Ok(Format::Plain(Layout::Csv)));
        check("places.geojson", "{\"type\": \"Feature\", \"properties\": {}}\n", Ok(Format::Plain(Layout::Lines)));
        check("latest-all.json", "[\n{\"id\": \"Q1\"},\n", Ok(Format::Plain(Layout::Lines)));
        check("list.json", "[{\"id\": 1}]\n", Err("one object per line"));
        check("hierarchy.txt", "1\t2\tADM\n", Err("3 columns"));
        let overture = r#"{"type": "Feature", "properties": {"names": {"primary": "A"}, "subtype": "locality"}}"#;
        check("divisions.geojsonl", &format!("{overture}\n"), Ok(Format::Adapted(2, Layout::Lines)));
        let collection = format!("{{\n\"type\": \"FeatureCollection\",\n\"features\": [\n{overture},\n");
        check("divisions.geojson", &collection, Ok(Format::Adapted(2, Layout::Features)));
        let item = r#"{"id": "Q1", "labels": {}, "claims": {}}"#;
        check("latest-all.json", &format!("[\n{item},\n"), Ok(Format::Adapted(0, Layout::Lines)));
    }

    fn check(name: &str, text: &str, expect: Result<Format, &str>) {
        match (recognise(&test_import(name, text.to_owned())), expect) {
            (Ok(found), Ok(expect)) => assert_eq!(found, expect, "{name}"),
            (Err(error), Err(part)) => {
                let message = error.to_string();
                assert!(message.contains(name) && message.contains(part), "no {part:?} in {message:?}");
                assert!(message.contains("data/ADDING.md"), "{message:?}");
            }
            (found, expect) => panic!("{name}: {found:?}, not {expect:?}"),
        }
    }
}
