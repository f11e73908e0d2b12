//! Writes a CSV file of places that do not exist, as a colleague's file that an operator adds: near real cities, with names
//! made of the beginnings and ends of real ones. The same number of places and the same index give the same file.
//!
//! ```text
//! cargo run --release -p toponym-builder --example own_places -- [COUNT] [INDEX] > own.csv
//! /usr/bin/time -v cargo toponym index --add own.csv --out own.toponym
//! ```

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use fastrand::Rng;
use toponym_builder::inspect::Contents;
use toponym_engine::Role;
use toponym_engine::geo::Coordinate;

const SEED: u64 = 17;

/// Number of places without an argument.
const USUAL: u64 = 1_000_000;

/// Maximum distance from a real city in degrees: as far as a settlement gets the division of another.
const SPREAD: f64 = 0.25;

/// The types in the file, each with its share in a hundred.
const TYPES: [(&str, u32); 7] =
    [("village", 60), ("town", 5), ("suburb", 10), ("museum", 5), ("monument", 10), ("park", 5), ("station", 5)];

/// One place in so many has a name in another language.
const WITH_OTHER_NAME: u32 = 3;

/// Letters of a name that are its beginning.
const HEAD: usize = 4;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count = std::env::args().nth(1).map_or(Ok(USUAL), |count| count.parse())?;
    let built = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../build/index.toponym"));
    let index = std::env::args_os().nth(2).map_or(built.to_owned(), PathBuf::from);
    let index = Contents::open(std::fs::read(index)?)?;
    let cities = cities(&index);
    let mut rng = Rng::with_seed(SEED);
    let mut out = BufWriter::new(std::io::stdout().lock());
    writeln!(out, "id,name,names,country,lat,lon,type")?;
    for id in 1..=count {
        let City { country, at, .. } = &cities[rng.usize(..cities.len())];
        let mut near = |degrees: f64| degrees + SPREAD * (2.0 * rng.f64() - 1.0);
        let lat = near(at.lat()).clamp(-90.0, 90.0);
        let lon = near(at.lon()).clamp(-180.0, 180.0);
        let name = name(&cities, &mut rng);
        let other = (rng.u32(..WITH_OTHER_NAME) == 0).then(|| format!("fr:{}", self::name(&cities, &mut rng)));
        let other = other.unwrap_or_default();
        writeln!(out, "{id},{name},{other},{country},{lat:.5},{lon:.5},{}", r#type(&mut rng))?;
    }
    Ok(out.flush()?)
}

/// A real city.
struct City {
    name: String,
    country: String,
    at: Coordinate,
}

fn cities(index: &Contents) -> Vec<City> {
    let rows = (0..index.rows()).filter(|&row| index.role(row) == Some(Role::City));
    let city = |row| {
        let name = index.display_name(row)?.to_owned();
        let country = String::from_utf8(index.country(row)?.to_vec()).ok()?;
        let is_plain = name.chars().all(char::is_alphabetic) && name.chars().count() > HEAD;
        Some(City { name, country, at: index.position(row)? }).filter(|_| is_plain)
    };
    rows.filter_map(city).collect()
}

/// Joins the beginning of one city's name and the end of another's.
fn name(cities: &[City], rng: &mut Rng) -> String {
    let mut any = || cities[rng.usize(..cities.len())].name.chars();
    let head = any().take(HEAD);
    let tail = any().skip(HEAD);
    head.chain(tail).collect()
}

fn r#type(rng: &mut Rng) -> &'static str {
    let mut at = rng.u32(..TYPES.iter().map(|(_, share)| share).sum::<u32>());
    let found = TYPES.iter().find(|&&(_, share)| {
        let is_it = at < share;
        at = at.saturating_sub(share);
        is_it
    });
    found.expect("the number is less than the sum of the shares").0
}
