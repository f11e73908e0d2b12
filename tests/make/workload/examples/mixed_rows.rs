//! Writes a table of cities and countries as people write them, to measure batches with: `id,city,country,lat,lon,expected_id`.
//!
//! `cargo run --release -p toponym-workload --example mixed_rows -- 1000000 > rows.csv`
//!
//! No two rows have the same city and country. A second number repeats rows: `-- 1000000 20000` writes a million rows, of
//! which 20,000 are distinct, in random order. The same numbers and the same index give the same bytes. The index is
//! `build/index.toponym`, or the one that TOPONYM_INDEX names.

use std::error::Error;
use std::io::{BufWriter, Write};

use fastrand::Rng;
use toponym_workload::{MixedRow, gazetteer, mixed_rows};

const INDEX: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../build/index.toponym");

/// The seed of the order of repeated rows.
const SEED: u64 = 0x7265_7065_6174;

fn main() -> Result<(), Box<dyn Error>> {
    let numbers: Vec<usize> = std::env::args().skip(1).map(|number| number.parse()).collect::<Result<_, _>>()?;
    let (&count, distinct) = match numbers.as_slice() {
        [count] => (count, *count),
        [count, distinct] => (count, *distinct.min(count)),
        _ => return Err("give the number of rows, and perhaps how many of them are distinct".into()),
    };
    let path = std::env::var("TOPONYM_INDEX").unwrap_or_else(|_| INDEX.to_owned());
    let file = std::fs::read(&path).map_err(|error| format!("{path}: {error}; build it with `cargo toponym index`"))?;
    let rows = mixed_rows(&gazetteer(file)?, distinct);
    let mut out = BufWriter::new(std::io::stdout().lock());
    writeln!(out, "id,city,country,lat,lon,expected_id")?;
    let mut rng = Rng::with_seed(SEED);
    for id in 0..count {
        let at = if distinct == count { id } else { rng.usize(..distinct) };
        let MixedRow { city, country, point, expected_id } = &rows[at];
        writeln!(out, "{},{},{},{},{},{expected_id}", id + 1, quote(city), quote(country), point.lat(), point.lon())?;
    }
    Ok(out.flush()?)
}

/// Writes a field as RFC 4180 does.
fn quote(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}
