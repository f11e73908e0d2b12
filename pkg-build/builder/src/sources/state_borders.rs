//! Reads the table that `data/distil/state_borders.py` makes: borders of first-level divisions, as rings of lines that
//! neighbours share.

use std::collections::BTreeMap;

use serde::Deserialize;
use toponym_engine::geo::Coordinate;

use super::File;
use crate::error::BuildError;

/// Closed rings of each division, by its GeoNames code (`US.TX`).
pub(crate) type RingsByDivision = BTreeMap<String, Vec<Vec<Coordinate>>>;

/// Steps of the table in a degree.
const STEPS_PER_DEGREE: f64 = 1_000.0;

#[derive(Deserialize)]
struct Document {
    /// Longitude and latitude of the first point of a line, then the way from each point to the next.
    lines: Vec<Vec<i32>>,
    /// Per ring of a division: numbers of lines; the complement of a number is its line backwards.
    states: BTreeMap<String, Vec<Vec<i32>>>,
}

/// Reads the rings of each division.
///
/// # Errors
/// When a line is not on the globe, or a ring names a line that is not there or does not close.
pub(crate) fn read(file: &File) -> Result<RingsByDivision, BuildError> {
    let document: Document = file.json()?;
    let lines: Vec<Vec<Coordinate>> =
        document.lines.iter().enumerate().map(|(number, steps)| line(file, number, steps)).collect::<Result<_, _>>()?;
    let rings = |(code, rings): (String, Vec<Vec<i32>>)| {
        let ring = |numbers: &Vec<i32>| {
            let message = "a ring has to be made of lines that are there, and to end where it begins";
            ring(&lines, numbers).ok_or_else(|| file.error(format!("state {code}"), message))
        };
        let rings = rings.iter().map(ring).collect::<Result<Vec<_>, _>>()?;
        Ok((code, rings))
    };
    document.states.into_iter().map(rings).collect()
}

fn line(file: &File, number: usize, steps: &[i32]) -> Result<Vec<Coordinate>, BuildError> {
    let mut lon = 0;
    let mut lat = 0;
    let point = |step: &[i32]| {
        (lon, lat) = (lon + step[0], lat + step[1]);
        file.coordinate(|| format!("line {number}"), degrees(lat), degrees(lon))
    };
    steps.chunks_exact(2).map(point).collect()
}

fn degrees(steps: i32) -> f64 {
    f64::from(steps) / STEPS_PER_DEGREE
}

fn ring(lines: &[Vec<Coordinate>], numbers: &[i32]) -> Option<Vec<Coordinate>> {
    let mut ring: Vec<Coordinate> = Vec::new();
    for &number in numbers {
        let backwards = number < 0;
        let mut line = lines.get(if backwards { !number } else { number } as usize)?.clone();
        if backwards {
            line.reverse();
        }
        let joins = ring.last().is_none_or(|last| line.first() == Some(last));
        if !joins {
            return None;
        }
        ring.extend(line.into_iter().skip(usize::from(!ring.is_empty())));
    }
    (ring.len() > 3 && ring.first() == ring.last()).then_some(ring)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::test_file;

    /// Reads a square of two lines, and the triangle that shares one of them.
    #[test]
    fn neighbours_share_a_line() {
        let found = read_states(r#""AA.1": [[0, 1]], "AA.2": [[-2, 2]]"#).expect("the rings are whole");
        let shown = |code: &str| {
            let ring = found[code][0].iter().map(|point| format!("{} {}", point.lon(), point.lat()));
            ring.collect::<Vec<_>>().join(", ")
        };
        assert_eq!(shown("AA.1"), "0 0, 0 1, 1 1, 1 0, 0 0");
        assert_eq!(shown("AA.2"), "0 0, 1 0, 1 1, 1.5 -0.5, 0 0");
        for (states, at) in
            [(r#""AA.3": [[0]]"#, "AA.3"), (r#""AA.4": [[0, 7]]"#, "AA.4"), (r#""AA.5": [[0, 0]]"#, "AA.5")]
        {
            let error = read_states(states).expect_err("the ring is broken").to_string();
            assert!(error.contains(at), "{error}");
        }
    }

    fn read_states(states: &str) -> Result<RingsByDivision, BuildError> {
        let lines = "[[0,0,0,1000,1000,0],[1000,1000,0,-1000,-1000,0],[1000,1000,500,-1500,-1500,500]]";
        read(&test_file("borders.json", format!(r#"{{"lines": {lines}, "states": {{{states}}}}}"#)))
    }
}
