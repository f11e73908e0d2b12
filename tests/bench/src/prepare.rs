//! Writes places and queries of an index to files: `workload.json`, `places.json` for Node, the tables that geosuggest
//! and rrgeo read, and the index itself.

use std::fmt::Write;
use std::path::Path;

use anyhow::Result;
use country_boundaries::{BOUNDARIES_ODBL_360X180, CountryBoundaries, LatLon};
use serde::{Deserialize, Serialize};
use serde_json::json;
use toponym_engine::geo::Coordinate;
use toponym_engine::{Gazetteer, NameClass, Record, Role};
use toponym_workload::{Case, Operation, Question, Workload, gazetteer};

/// Questions of each kind: p99 is then the fifth slowest.
const QUESTIONS: usize = 500;

/// The files of the working folder.
pub const INDEX: &str = "index.toponym";
pub const WORKLOAD: &str = "workload.json";
pub const PLACES: &str = "places.json";
pub const GEONAMES: &str = "geonames-cities.txt";
pub const COUNTRIES: &str = "geonames-countries.txt";
pub const CITIES_CSV: &str = "cities.csv";

/// The questions of one kind, with what is known of their answers.
#[derive(Deserialize, Serialize)]
pub struct Questions {
    /// The operation.
    pub name: String,
    /// Questions of the operation.
    pub cases: Vec<Known>,
}

/// A question and what is known of its answer.
#[derive(Deserialize, Serialize)]
pub struct Known {
    /// Question that is asked.
    pub question: Question,
    /// Positions of right answers; of a point, the place that is nearest on the sphere.
    pub right: Vec<(i32, i32)>,
    /// Countries that a point lies in, none at sea.
    pub countries: Vec<String>,
}

/// Writes the files.
pub fn run(index: &Path, work: &Path) -> Result<()> {
    fs_err::create_dir_all(work)?;
    let file = fs_err::read(index)?;
    fs_err::write(work.join(INDEX), &file)?;
    let places = gazetteer(file)?;
    let questions = questions(&places)?;
    fs_err::write(work.join(WORKLOAD), serde_json::to_vec(&questions)?)?;
    fs_err::write(work.join(PLACES), serde_json::to_vec(&for_node(&places))?)?;
    let (cities, countries) = geonames(&places);
    fs_err::write(work.join(GEONAMES), cities)?;
    fs_err::write(work.join(COUNTRIES), countries)?;
    fs_err::write(work.join(CITIES_CSV), cities_csv(&places))?;
    Ok(())
}

fn questions(places: &Gazetteer) -> Result<Vec<Questions>> {
    let boundaries = CountryBoundaries::from_reader(BOUNDARIES_ODBL_360X180)?;
    let populated: Vec<(Position, [f64; 3])> =
        populated(places).map(|place| (position_of(place), place.position.unit_vector())).collect();
    let known = |case: Case| -> Result<Known> {
        let (right, countries) = match case.question {
            Question::Reverse(point) => (vec![nearest(&populated, point)], countries(&boundaries, point)?),
            _ => (case.right, Vec::new()),
        };
        Ok(Known { question: case.question, right, countries })
    };
    let of_operation = |operation: Operation| {
        let cases = operation.cases.into_iter().map(known).collect::<Result<_>>()?;
        Ok(Questions { name: operation.name, cases })
    };
    Workload::of(places, QUESTIONS).operations.into_iter().map(of_operation).collect()
}

type Position = (i32, i32);

/// Converts latitude and longitude to 1e-5 degrees.
pub fn position(lat: f64, lon: f64) -> Position {
    (in_steps(lat), in_steps(lon))
}

fn in_steps(degrees: f64) -> i32 {
    (degrees * 1e5).round() as i32
}

fn position_of(place: &Record) -> Position {
    position(place.position.lat(), place.position.lon())
}

/// Iterates over what reverse looks among: cities and their quarters.
fn populated(places: &Gazetteer) -> impl Iterator<Item = &Record> {
    places.places.iter().filter(|place| matches!(place.kind.role, Role::City | Role::Quarter))
}

fn nearest(populated: &[(Position, [f64; 3])], point: Coordinate) -> Position {
    let centre = point.unit_vector();
    let chord = |vector: &[f64; 3]| (0..3).map(|i| (vector[i] - centre[i]).powi(2)).sum::<f64>();
    let nearest = populated.iter().map(|(position, vector)| (chord(vector), *position));
    nearest.min_by(|a, b| a.0.total_cmp(&b.0)).map_or((0, 0), |(_, position)| position)
}

/// Returns ISO codes of the countries at a point; subdivisions, such as `US-TX`, are left out.
fn countries(boundaries: &CountryBoundaries, point: Coordinate) -> Result<Vec<String>> {
    let ids = boundaries.ids(LatLon::new(point.lat(), point.lon())?);
    Ok(ids.into_iter().filter(|id| id.len() == 2).map(str::to_owned).collect())
}

/// Lists name, country's code and name, importance, position, whether reverse may answer it.
fn for_node(places: &Gazetteer) -> Vec<serde_json::Value> {
    let names = country_names(places);
    let row = |place: &Record| {
        let (lat, lon) = position_of(place);
        let populated = matches!(place.kind.role, Role::City | Role::Quarter);
        let country = names.get(&place.country).copied().unwrap_or_default();
        json!([place.names[0].text, code(place), country, place.importance, lat, lon, populated])
    };
    places.places.iter().map(row).collect()
}

fn country_names(places: &Gazetteer) -> std::collections::HashMap<[u8; 2], &str> {
    let countries = places.places.iter().filter(|place| place.kind.role == Role::Country);
    countries.map(|place| (place.country, place.names[0].text.as_str())).collect()
}

fn code(place: &Record) -> String {
    place.country.iter().map(|&letter| char::from(letter)).collect()
}

/// Writes the tables of GeoNames, as geosuggest reads them: ids are row numbers, because its own have 32 bits;
/// population is made of importance, so that places rank as they do here.
fn geonames(places: &Gazetteer) -> (String, String) {
    let mut cities = String::new();
    let mut countries = String::new();
    for (row, place) in (1..).zip(&places.places) {
        let name = &place.names[0].text;
        let code = code(place);
        let others = place.names.iter().skip(1).filter(|name| name.class < NameClass::Weak && !name.text.contains(','));
        let others = others.map(|name| name.text.as_str()).collect::<Vec<_>>().join(",");
        let lat = place.position.lat();
        let lon = place.position.lon();
        let people = (place.importance * 1e8) as u32;
        if place.kind.role == Role::Country {
            writeln!(
                countries,
                "{code}\t{code}A\t0\t{code}\t{name}\t\t0\t{people}\tEU\t.x\tX\tX\t1\t\t\ten\t{row}\t\t"
            )
            .expect("a string takes everything");
        }
        writeln!(
            cities,
            "{row}\t{name}\t{name}\t{others}\t{lat}\t{lon}\tP\tPPL\t{code}\t\t\t\t\t\t{people}\t\t0\tUTC\t2000-01-01"
        )
        .expect("a string takes everything");
    }
    (cities, countries)
}

/// Writes the table that rrgeo reads.
fn cities_csv(places: &Gazetteer) -> String {
    let row = |place: &Record| {
        let lat = place.position.lat();
        let lon = place.position.lon();
        format!("{lat},{lon},{},,,{}\n", quote(&place.names[0].text), code(place))
    };
    "lat,lon,name,admin1,admin2,cc\n".to_owned() + &populated(places).map(row).collect::<String>()
}

fn quote(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}
