//! Reads the German stations of `db-stations`: one JSON object per line.

use serde::Deserialize;

use super::File;
use super::rows::{Origin, Site};
use crate::error::BuildError;

/// Deutsche Bahn's categories run from 1 (hubs) to 7 (halts); categories up to this one are kept.
const LAST_CATEGORY: u32 = 3;

/// The weight of the busiest station, and the weight below which the category must be a mistake.
const WEIGHTS: (f64, f64) = (1200.0, 50.0);

/// Extent of a station.
const EXTENT_M: f64 = 300.0;

#[derive(Deserialize)]
struct Row {
    id: String,
    name: String,
    weight: Option<f64>,
    category: Option<u32>,
    location: Option<Location>,
    address: Option<Address>,
}

#[derive(Deserialize)]
struct Location {
    latitude: f64,
    longitude: f64,
}

#[derive(Deserialize)]
struct Address {
    city: Option<String>,
}

/// Reads the stations of categories 1 to 3 with a position, in order of their id.
pub(crate) fn read(file: &File) -> Result<Vec<Site>, BuildError> {
    let mut sites = Vec::new();
    for row in file.json_lines::<Row>() {
        let (line, row) = row?;
        let Some(category) = row.category.filter(|category| (1..=LAST_CATEGORY).contains(category)) else { continue };
        let weight = row.weight.unwrap_or_default();
        let Some(location) = row.location.filter(|_| weight >= WEIGHTS.1) else { continue };
        let at = || format!("line {line}, field location");
        sites.push(Site {
            slug: format!("db-{}", row.id),
            origin: Origin::Pinned,
            name: row.name,
            tagged: Vec::new(),
            ranked: Vec::new(),
            alternates: Vec::new(),
            merged: Vec::new(),
            country: *b"DE",
            city: row.address.and_then(|address| address.city).unwrap_or_default(),
            position: file.coordinate(at, location.latitude, location.longitude)?,
            r#type: "station".to_owned(),
            prominence: prominence(category, weight),
            extent_m: Some(EXTENT_M),
            bounds: None,
        });
    }
    sites.sort_by(|a, b| a.slug.cmp(&b.slug));
    Ok(sites)
}

/// Returns a prominence from 0.15 for a small station of category 3 to 0.85 for the busiest of category 1.
fn prominence(category: u32, weight: f64) -> f64 {
    0.15 * f64::from(LAST_CATEGORY + 1 - category) + 0.4 * (weight / WEIGHTS.0).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::test_file;

    #[test]
    fn main_stations_only() {
        let lines = [row("2", 3, 300.0), row("1", 1, 900.0), row("3", 4, 900.0), row("4", 1, 3.0)].join("\n");
        let read = read(&test_file("full.ndjson", lines)).expect("the rows are whole");
        assert_eq!(read.iter().map(|site| site.slug.as_str()).collect::<Vec<_>>(), ["db-1", "db-2"]);
        assert!(read[0].prominence > read[1].prominence);
    }

    fn row(id: &str, category: u32, weight: f64) -> String {
        format!(
            r#"{{"id": "{id}", "name": "N", "weight": {weight}, "category": {category},
                "location": {{"latitude": 50.0, "longitude": 8.0}}, "address": {{"city": "Stadt"}}}}"#
        )
        .replace('\n', "")
    }
}
