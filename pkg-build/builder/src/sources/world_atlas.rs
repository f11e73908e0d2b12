//! Reads the land of the world from `land-10m.json` of world-atlas, a TopoJSON topology (quantized, delta-encoded
//! arcs).

use serde::Deserialize;
use toponym_engine::geo::Coordinate;

use super::File;
use crate::error::BuildError;

#[derive(Deserialize)]
struct Topology {
    transform: Transform,
    arcs: Vec<Vec<[i64; 2]>>,
    objects: Objects,
}

#[derive(Deserialize)]
struct Transform {
    scale: [f64; 2],
    translate: [f64; 2],
}

#[derive(Deserialize)]
struct Objects {
    land: Collection,
}

#[derive(Deserialize)]
struct Collection {
    geometries: Vec<MultiPolygon>,
}

#[derive(Deserialize)]
struct MultiPolygon {
    /// Parts, rings, arcs; an arc `!n` is arc `n` walked backwards.
    arcs: Vec<Vec<Vec<i64>>>,
}

/// Reads all closed rings: coasts, and shores of lakes and inland seas. A point inside an odd number of rings is on
/// land.
pub(crate) fn read(file: &File) -> Result<Vec<Vec<Coordinate>>, BuildError> {
    let topology: Topology = file.json()?;
    let arcs = topology.arcs.iter().map(|arc| decode(file, arc, &topology.transform));
    let arcs: Vec<Vec<Coordinate>> = arcs.collect::<Result<_, _>>()?;
    let parts = topology.objects.land.geometries.iter().flat_map(|geometry| &geometry.arcs);
    parts.flatten().map(|ring| join(file, ring, &arcs)).collect()
}

/// Decodes integer deltas to degrees.
fn decode(file: &File, arc: &[[i64; 2]], transform: &Transform) -> Result<Vec<Coordinate>, BuildError> {
    let mut x = 0;
    let mut y = 0;
    let degrees = |whole: i64, axis: usize| whole as f64 * transform.scale[axis] + transform.translate[axis];
    let point = |&[dx, dy]: &[i64; 2]| {
        (x, y) = (x + dx, y + dy);
        file.coordinate(|| "field arcs".to_owned(), degrees(y, 1), degrees(x, 0))
    };
    arc.iter().map(point).collect()
}

/// Joins arcs to a ring; each begins where the previous one ends.
fn join(file: &File, ring: &[i64], arcs: &[Vec<Coordinate>]) -> Result<Vec<Coordinate>, BuildError> {
    let mut points: Vec<Coordinate> = Vec::new();
    for &number in ring {
        let index = if number < 0 { !number } else { number };
        let arc = usize::try_from(index).ok().and_then(|index| arcs.get(index));
        let arc = arc.ok_or_else(|| file.error("field objects.land", format!("there is no arc {number}")))?;
        points.pop();
        if number < 0 {
            points.extend(arc.iter().rev());
        } else {
            points.extend(arc);
        }
    }
    Ok(points)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::test_file;

    #[test]
    fn arcs_are_joined() {
        let text = r#"{"transform": {"scale": [0.5, 0.5], "translate": [-10, -20]},
            "arcs": [[[0, 0], [2, 0], [0, 2]], [[0, 0], [0, 2], [2, 0]]],
            "objects": {"land": {"geometries": [{"arcs": [[[0, -2]]]}]}}}"#;
        let rings = read(&test_file("land.json", text)).expect("the topology is whole");
        let points: Vec<(f64, f64)> = rings[0].iter().map(|point| (point.lat(), point.lon())).collect();
        assert_eq!(points, [(-20.0, -10.0), (-20.0, -9.0), (-19.0, -9.0), (-19.0, -10.0), (-20.0, -10.0)]);
        let broken = text.replace("[0, -2]", "[0, 7]");
        let error = read(&test_file("land.json", broken)).expect_err("there is no such arc").to_string();
        assert!(error.contains("no arc 7"), "{error}");
    }
}
