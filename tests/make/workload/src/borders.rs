//! Reads border rings from the sections of an index. Rings are stored one after the other. Each ends with its first
//! vertex, which it may touch before. The lists of the cells contain the edges with the border of each. No edge starts at
//! the last vertex of a ring.

use std::collections::HashMap;

use toponym_engine::geo::Coordinate;
use toponym_engine::{Border, Bordered};

/// A cell word with this bit is the offset of a list.
const LIST: u32 = 1 << 31;

/// Reads the borders of these countries and states.
pub(crate) fn borders(
    of: impl Iterator<Item = Bordered>,
    vertices: &[i32],
    cells: &[u32],
    edges: &[u32],
) -> Vec<Border> {
    let mut borders: Vec<Border> = of.map(|of| Border { of, rings: Vec::new() }).collect();
    let owners = owners(cells, edges);
    let points: Vec<[i32; 2]> = vertices.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
    let mut first = 0;
    while first < points.len() {
        let Some(end) =
            (first + 1..points.len()).find(|&at| points[at] == points[first] && !owners.contains_key(&(at as u32)))
        else {
            break;
        };
        if let Some(owner) = (first..end).find_map(|edge| owners.get(&(edge as u32))) {
            let ring = points[first..=end].iter().filter_map(|&[lat, lon]| coordinate(lat, lon));
            borders[*owner].rings.push(ring.collect());
        }
        first = end + 1;
    }
    borders
}

/// Finds the border of each edge. An edge is identified by the number of its first vertex.
fn owners(cells: &[u32], edges: &[u32]) -> HashMap<u32, usize> {
    let mut owners = HashMap::new();
    for list in cells.iter().filter(|&&word| word & LIST != 0).map(|word| (word & !LIST) as usize) {
        let mut at = list + 1;
        for _ in 0..edges[list] {
            let count = (edges[at] & 0xffff) as usize;
            let border = (edges[at] >> 16 & 0x7fff) as usize;
            let runs = edges[at + 1..=at + count].iter();
            owners.extend(runs.flat_map(|&run| run >> 4..=(run >> 4) + (run & 15)).map(|edge| (edge, border)));
            at += 1 + count;
        }
    }
    owners
}

/// Returns the point of stored coordinates, in 1e-5 degrees, if it is on the globe.
pub(crate) fn coordinate(lat: i32, lon: i32) -> Option<Coordinate> {
    Coordinate::new(degrees(lat), degrees(lon))
}

/// Returns stored degrees as they are.
pub(crate) fn degrees(stored: i32) -> f64 {
    f64::from(stored) / 1e5
}
