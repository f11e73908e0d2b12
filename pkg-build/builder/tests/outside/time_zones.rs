//! The time zones of settlements against those of the airports beside them, which come from another list.

use serde::Deserialize;
use toponym_engine::geo::Coordinate;
use toponym_engine::{Fact, FactSet, Filter, Nearby};

use super::measure::Measure;
use super::packages::Packages;
use super::world::{Code, World};

/// A settlement so near to an airport has the same time, but for a few at a border of time zones.
const BESIDE_M: f64 = 15_000.0;

/// Step between compared airports with an IATA code: a few thousand say as much as all.
const EVERY: usize = 3;

/// A row of airportsdata. The index has no time zone from there.
#[derive(Deserialize)]
struct Airport {
    iata: String,
    name: String,
    country: String,
    lat: f64,
    lon: f64,
    tz: String,
}

/// Measures how many settlements agree by name. Where they do not, the other list mostly has the zone of a larger area with
/// the same time: `America/New_York` for Detroit.
pub fn measures(world: &World, packages: &Packages) -> Vec<Measure> {
    let mut zones = Measure::new("settlements in the time zone of the airport beside them", 1_000, 0.95);
    let facts = FactSet::default().with(Fact::Timezone);
    let bytes = packages.bytes("airportsdata", "airportsdata/airports.csv");
    let mut reader = csv::Reader::from_reader(bytes.as_slice());
    let airports = reader.deserialize().map(|row| row.expect("the file is whole"));
    let airports = airports.filter(|airport: &Airport| !airport.iata.is_empty() && !airport.tz.is_empty());
    for airport in airports.step_by(EVERY) {
        let Ok(country) = Code::try_from(airport.country.as_bytes()) else { continue };
        let point = Coordinate::new(airport.lat, airport.lon).expect("it is on the Earth");
        let countries = [country];
        let filter = Filter { types: &["city"], ..Filter::in_countries(&countries) };
        let nearby = Nearby { filter, facts, radius_m: BESIDE_M, ..Nearby::new(point, 1) };
        let Some((settlement, _)) = world.engine.nearby(&nearby).pop() else { continue };
        let zone = settlement.facts.and_then(|facts| facts.timezone).unwrap_or_default();
        zones.row(zone == airport.tz, || {
            format!("{}: {zone}, of {} ({}): {}", settlement.display_name, airport.name, airport.iata, airport.tz)
        });
    }
    vec![zones]
}
