//! Writes a table that resembles GeoNames' `allCountries.txt` in format, size and content, to measure the cost of reading it.
//!
//! `cargo run --release -p toponym-workload --example geonames_table -- 13000000 build/allCountries.txt`
//!
//! The same number of rows gives the same bytes. Shares of classes, lengths of names, alternates and populations are
//! roughly those of the real table: two rows in five are populated places, and one in seven of those has a population.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write};

use fastrand::Rng;

const SEED: u64 = 0x6765_6f6e_616d_6573;

/// The first id: larger than those of the real table, so that every row is a new place.
const FIRST_ID: u64 = 20_000_000;

/// Country, the middle of its land, how far it reaches in degrees, its time zone, and its share of a thousand rows.
const COUNTRIES: [(&str, f64, f64, f64, &str, u32); 24] = [
    ("US", 39.0, -96.0, 9.0, "America/Chicago", 180),
    ("CN", 32.0, 108.0, 9.0, "Asia/Shanghai", 100),
    ("IN", 22.0, 79.0, 6.0, "Asia/Kolkata", 80),
    ("MX", 22.0, -101.0, 4.0, "America/Mexico_City", 60),
    ("ID", -3.0, 113.0, 5.0, "Asia/Jakarta", 60),
    ("RU", 56.0, 60.0, 9.0, "Asia/Yekaterinburg", 60),
    ("NO", 62.0, 9.0, 2.0, "Europe/Oslo", 50),
    ("PK", 30.0, 70.0, 3.0, "Asia/Karachi", 40),
    ("FR", 46.6, 2.5, 3.0, "Europe/Paris", 40),
    ("DE", 51.0, 10.0, 3.0, "Europe/Berlin", 40),
    ("CA", 50.0, -90.0, 8.0, "America/Winnipeg", 40),
    ("AU", -27.0, 140.0, 8.0, "Australia/Brisbane", 30),
    ("BR", -12.0, -48.0, 8.0, "America/Sao_Paulo", 30),
    ("TH", 15.5, 101.5, 2.5, "Asia/Bangkok", 30),
    ("KR", 36.3, 127.8, 1.0, "Asia/Seoul", 30),
    ("JP", 36.0, 138.0, 1.5, "Asia/Tokyo", 20),
    ("ES", 40.0, -3.7, 3.0, "Europe/Madrid", 20),
    ("IT", 43.0, 12.3, 1.5, "Europe/Rome", 20),
    ("GB", 52.6, -1.5, 1.3, "Europe/London", 15),
    ("PL", 52.0, 19.2, 2.0, "Europe/Warsaw", 15),
    ("NG", 9.5, 8.0, 3.0, "Africa/Lagos", 10),
    ("CD", -3.0, 23.0, 5.0, "Africa/Kinshasa", 10),
    ("IR", 32.5, 54.0, 5.0, "Asia/Tehran", 10),
    ("AR", -34.0, -64.0, 6.0, "America/Argentina/Cordoba", 10),
];

/// Class, code, and its share of a thousand rows.
const FEATURES: [(&str, &str, u32); 28] = [
    ("P", "PPL", 360),
    ("P", "PPLL", 20),
    ("P", "PPLX", 10),
    ("P", "PPLQ", 5),
    ("P", "PPLA4", 8),
    ("P", "PPLA3", 5),
    ("P", "PPLA2", 2),
    ("A", "ADM4", 20),
    ("A", "ADM3", 10),
    ("A", "ADMD", 10),
    ("A", "ADM2", 4),
    ("A", "ADM1", 1),
    ("H", "STM", 140),
    ("H", "LK", 40),
    ("H", "FLLS", 1),
    ("S", "SCH", 60),
    ("S", "CH", 50),
    ("S", "HTL", 50),
    ("S", "FRM", 40),
    ("S", "RSTN", 6),
    ("S", "AIRP", 3),
    ("S", "MUS", 2),
    ("S", "CSTL", 1),
    ("T", "MT", 55),
    ("T", "HLL", 60),
    ("T", "ISL", 12),
    ("L", "PRK", 5),
    ("L", "LCTY", 20),
];

const SYLLABLES: [&str; 40] = [
    "ba", "ka", "lo", "mar", "vil", "san", "ber", "ton", "gra", "nov", "est", "mon", "chi", "ru", "dor", "pe", "al",
    "is", "wen", "shi", "tan", "gar", "ol", "hu", "ne", "ri", "sta", "ko", "mi", "dal", "fer", "zu", "qui", "ley",
    "ham", "burg", "grad", "pur", "abad", "ville",
];

/// One populated place in so many has a population.
const POPULATION_EVERY: u32 = 7;

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (Some(rows), Some(path)) = (arguments.next().and_then(|rows| rows.parse().ok()), arguments.next()) else {
        eprintln!("usage: geonames_table ROWS FILE");
        std::process::exit(2);
    };
    let mut out = BufWriter::new(File::create(path)?);
    let mut rng = Rng::with_seed(SEED);
    let mut line = String::new();
    for id in (FIRST_ID..).take(rows) {
        line.clear();
        write_row(&mut line, id, &mut rng);
        out.write_all(line.as_bytes())?;
    }
    out.flush()
}

fn write_row(line: &mut String, id: u64, rng: &mut Rng) {
    let &(country, lat, lon, reach, zone, _) = pick(&COUNTRIES, |country| country.5, rng);
    let &(class, code, _) = pick(&FEATURES, |feature| feature.2, rng);
    let lat = near(lat, reach, rng);
    let lon = near(lon, reach * 1.3, rng);
    let name = name(rng);
    let mut alternates = String::new();
    if class == "P" && rng.u32(..5) < 2 {
        for _ in 0..rng.u32(1..5) {
            alternates.push_str(if alternates.is_empty() { "" } else { "," });
            alternates.push_str(&self::name(rng));
        }
    }
    let population = if class == "P" && rng.u32(..POPULATION_EVERY) == 0 { people(rng) } else { 0 };
    let admin1 = rng.u32(1..30);
    let admin2 = rng.u32(1..40);
    writeln!(
        line,
        "{id}\t{name}\t{name}\t{alternates}\t{lat:.5}\t{lon:.5}\t{class}\t{code}\t{country}\t\t{admin1:02}\t{admin2:03}\t\t\t\
         {population}\t\t{}\t{zone}\t2026-01-01",
        rng.u32(..2_000)
    )
    .expect("a string can be written");
}

/// Draws a number around the middle: the sum of two even numbers lies rather there.
fn near(middle: f64, reach: f64, rng: &mut Rng) -> f64 {
    middle + reach * (rng.f64() + rng.f64() - 1.0)
}

/// Picks a population from a hundred to a few millions, each factor of ten a tenth as often.
fn people(rng: &mut Rng) -> u64 {
    (100.0 / rng.f64().max(1e-5)) as u64
}

fn name(rng: &mut Rng) -> String {
    let syllables = 2 + rng.usize(..3);
    let mut name: String = (0..syllables).map(|_| SYLLABLES[rng.usize(..SYLLABLES.len())]).collect();
    name[..1].make_ascii_uppercase();
    if rng.u32(..4) == 0 {
        name.push(' ');
        let second = SYLLABLES[rng.usize(..SYLLABLES.len())];
        name.push_str(&second[..1].to_ascii_uppercase());
        name.push_str(&second[1..]);
        name.push_str(SYLLABLES[rng.usize(..SYLLABLES.len())]);
    }
    name
}

/// Picks one of `all`, each as often as its share says.
fn pick<'a, T>(all: &'a [T], share: impl Fn(&T) -> u32, rng: &mut Rng) -> &'a T {
    let whole: u32 = all.iter().map(&share).sum();
    let mut rest = rng.u32(..whole);
    all.iter()
        .find(|item| {
            let found = rest < share(item);
            rest = rest.saturating_sub(share(item));
            found
        })
        .expect("the shares add up to the whole")
}
