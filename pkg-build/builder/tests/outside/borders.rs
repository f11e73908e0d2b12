//! The engine's borders against Natural Earth's polygons, on random points of the land and on settlements.

use toponym_engine::Role;
use toponym_engine::geo::Coordinate;

use super::measure::Measure;
use super::world::World;

/// Number of random points on the globe, of which three in ten are on land.
const POINTS: usize = 60_000;

/// Step between compared settlements: all of them take a minute.
const EVERY: usize = 10;

/// Measures how many points and settlements agree.
pub fn measures(world: &World) -> Vec<Measure> {
    vec![random_points(world), settlements(world, false), settlements(world, true)]
}

fn random_points(world: &World) -> Measure {
    let mut measure = Measure::new("random points on land: borders and Natural Earth's polygons", 16_000, 0.995);
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..POINTS {
        // Uniform on the sphere.
        let lat = (random.f64() * 2.0 - 1.0).asin().to_degrees();
        let lon = random.f64() * 360.0 - 180.0;
        let point = Coordinate::new(lat, lon).expect("it is on the Earth");
        if let Some(country) = world.polygon_at(point) {
            let found = world.engine.country_at(point);
            measure
                .row(found == Some(country), || format!("{lat:.2}, {lon:.2}: {} {}", text(found), text(Some(country))));
        }
    }
    measure
}

fn settlements(world: &World, of_atlas: bool) -> Measure {
    let mut measure = if of_atlas {
        Measure::new("settlements in Natural Earth's polygon of their country", 20_000, 0.995)
    } else {
        Measure::new("settlements in their country's borders", 20_000, 0.999)
    };
    let rows = (0..world.index.rows()).filter(|&row| matches!(world.index.role(row), Some(Role::City | Role::Quarter)));
    for row in rows.step_by(EVERY) {
        let country = world.index.country(row).expect("every place has a country");
        let at = world.index.position(row).expect("every place has a position");
        let is_in = if of_atlas { world.is_in_polygons(at, country) } else { Some(world.is_in_borders(at, country)) };
        let name = || format!("{} ({})", world.index.display_name(row).unwrap_or_default(), text(Some(country)));
        if let Some(is_in) = is_in {
            measure.row(is_in, name);
        }
    }
    measure
}

fn text(country: Option<[u8; 2]>) -> String {
    country.map_or_else(|| "none".to_owned(), |code| String::from_utf8_lossy(&code).into_owned())
}
