//! No place is there twice: no other place of its kind and country has its display name and is near.

use std::collections::HashMap;

use toponym_engine::Role;
use toponym_engine::geo::Coordinate;

use super::measure::Measure;
use super::world::{Code, World};

/// Two towns of one name are seldom so near; neighbouring hamlets may be.
const ONE_SETTLEMENT_M: f64 = 10_000.0;

/// Two airports, stations or sights of one name are not so near.
const ONE_SITE_M: f64 = 3_000.0;

/// Measures how many places have no double nearby.
pub fn measures(world: &World) -> Vec<Measure> {
    use Role::{Airport, City, Landmark, Quarter, Station};
    let settlements =
        Measure::new("cities, towns, villages and quarters with no namesake within 10 km", 230_000, 0.998);
    let airports = Measure::new("airports with no namesake within 3 km", 16_800, 1.0);
    let stations = Measure::new("stations with no namesake within 3 km", 4_800, 0.9995);
    let landmarks = Measure::new("landmarks with no namesake within 3 km", 26_000, 0.9995);
    vec![
        alone(world, settlements, &[City, Quarter], ONE_SETTLEMENT_M),
        alone(world, airports, &[Airport], ONE_SITE_M),
        alone(world, stations, &[Station], ONE_SITE_M),
        alone(world, landmarks, &[Landmark], ONE_SITE_M),
    ]
}

/// Counts each place of some roles that has no namesake within `reach` metres.
fn alone(world: &World, mut measure: Measure, roles: &[Role], reach: f64) -> Measure {
    let index = &world.index;
    let place = |row: u32| {
        let role = index.role(row).filter(|role| roles.contains(role))?;
        Some((role, index.display_name(row)?, index.country(row)?, index.position(row)?))
    };
    let places: Vec<(Role, &str, Code, Coordinate)> = (0..index.rows()).filter_map(place).collect();
    let mut namesakes: HashMap<(Code, String), Vec<usize>> = HashMap::new();
    for (at, (_, name, country, _)) in places.iter().enumerate() {
        namesakes.entry((*country, name.to_lowercase())).or_default().push(at);
    }
    for (at, (role, name, country, position)) in places.iter().enumerate() {
        // Of two, the later one is told.
        let earlier = namesakes[&(*country, name.to_lowercase())].iter().take_while(|&&other| other < at);
        let is_alone = earlier.copied().all(|other| places[other].3.distance_m(*position) >= reach);
        measure.row(is_alone, || format!("{name} ({role:?}, {})", String::from_utf8_lossy(country)));
    }
    measure
}
