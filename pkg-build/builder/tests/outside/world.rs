//! The index, and Natural Earth's polygons of the countries (world-atlas), which the index knows only as one land.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use serde::Deserialize;
use toponym_builder::inspect::Contents;
use toponym_engine::Engine;
use toponym_engine::geo::{Coordinate, METRES_PER_DEGREE};

use super::packages::Packages;

/// ISO 3166-1 alpha-2.
pub type Code = [u8; 2];

/// A point so near to a border or coast may be on the other side of it: Natural Earth's lines are drawn for 1:10,000,000.
pub const SLACK_M: f64 = 3_000.0;

/// Directions in which the neighbourhood of a point is looked at.
const DIRECTIONS: u32 = 16;

/// Index and outlines that are compared.
pub struct World {
    pub index: Contents,
    pub engine: Engine,
    /// The edges of Natural Earth's polygons, by the bands of latitude that they cross.
    bands: Vec<Vec<Edge>>,
    /// The countries of the polygons.
    known: BTreeSet<Code>,
}

/// A part of a country's outline: longitude and latitude of both ends.
#[derive(Clone, Copy)]
struct Edge {
    country: Code,
    ends: [[f64; 2]; 2],
}

/// Bands of latitude in a degree: so narrow that only some thousand edges cross one.
const BANDS: f64 = 4.0;

impl World {
    pub fn read(root: &Path, packages: &Packages) -> Self {
        let file = std::fs::read(root.join("build/index.toponym")).expect("`cargo toponym index` has built the index");
        let index = Contents::open(file).expect("it is an index");
        let engine = Engine::open(index.file()).expect("it is an index");
        let edges = edges(packages);
        let known = edges.iter().map(|edge| edge.country).collect();
        let mut bands = vec![Vec::new(); band(90.0) + 1];
        for edge in edges {
            let [[_, a], [_, b]] = edge.ends;
            bands[band(a.min(b))..=band(a.max(b))].iter_mut().for_each(|band| band.push(edge));
        }
        Self { index, engine, bands, known }
    }

    /// Finds the country of Natural Earth at a point: the one whose outline lies to the east of it an odd number of
    /// times.
    pub fn polygon_at(&self, point: Coordinate) -> Option<Code> {
        let mut inside = BTreeSet::new();
        for edge in &self.bands[band(point.lat())] {
            let [[x, y], [to_x, to_y]] = edge.ends;
            let is_crossed = (y > point.lat()) != (to_y > point.lat())
                && point.lon() < x + (point.lat() - y) / (to_y - y) * (to_x - x);
            if is_crossed && !inside.remove(&edge.country) {
                inside.insert(edge.country);
            }
        }
        inside.pop_first()
    }

    /// Tells whether the engine's borders have `country` within [`SLACK_M`] of a point.
    pub fn is_in_borders(&self, point: Coordinate, country: Code) -> bool {
        neighbourhood(point).any(|near| self.engine.country_at(near) == Some(country))
    }

    /// Tells whether Natural Earth has `country` within [`SLACK_M`] of a point. `None` if it does not know the country.
    pub fn is_in_polygons(&self, point: Coordinate, country: Code) -> Option<bool> {
        self.known.contains(&country).then(|| neighbourhood(point).any(|near| self.polygon_at(near) == Some(country)))
    }
}

fn band(lat: f64) -> usize {
    ((lat + 90.0) * BANDS) as usize
}

/// Iterates over a point and the points around it.
fn neighbourhood(point: Coordinate) -> impl Iterator<Item = Coordinate> {
    let around = (0..DIRECTIONS).filter_map(move |direction| {
        let angle = f64::from(direction) / f64::from(DIRECTIONS) * std::f64::consts::TAU;
        let north = SLACK_M * angle.cos();
        let east = SLACK_M * angle.sin();
        let lon = point.lon() + east / (METRES_PER_DEGREE * point.lat().to_radians().cos().max(0.01));
        Coordinate::new(point.lat() + north / METRES_PER_DEGREE, (lon + 180.0).rem_euclid(360.0) - 180.0)
    });
    std::iter::once(point).chain(around)
}

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
    countries: Collection,
}

#[derive(Deserialize)]
struct Collection {
    geometries: Vec<Geometry>,
}

#[derive(Deserialize)]
struct Geometry {
    /// ISO 3166-1 numeric; disputed areas have none.
    id: Option<String>,
    #[serde(flatten)]
    shape: Shape,
}

#[derive(Deserialize)]
#[serde(tag = "type", content = "arcs")]
enum Shape {
    Polygon(Vec<Vec<i32>>),
    MultiPolygon(Vec<Vec<Vec<i32>>>),
}

#[derive(Deserialize)]
struct Codes {
    #[serde(rename = "3166-1")]
    countries: Vec<CodeRow>,
}

#[derive(Deserialize)]
struct CodeRow {
    alpha_2: String,
    numeric: String,
}

fn edges(packages: &Packages) -> Vec<Edge> {
    let codes: Codes = packages.json("pycountry", "pycountry/databases/iso3166-1.json");
    let codes: HashMap<String, Code> = codes
        .countries
        .into_iter()
        .map(|row| (row.numeric, row.alpha_2.as_bytes().try_into().expect("codes have two letters")))
        .collect();
    let topology: Topology = packages.json("world-atlas", "countries-10m.json");
    let arcs: Vec<Vec<[f64; 2]>> = topology.arcs.iter().map(|arc| absolute(arc, &topology.transform)).collect();
    let mut edges = Vec::new();
    for geometry in topology.objects.countries.geometries {
        let Some(&country) = geometry.id.as_ref().and_then(|id| codes.get(id)) else { continue };
        let rings = match geometry.shape {
            Shape::Polygon(rings) => rings,
            Shape::MultiPolygon(parts) => parts.into_iter().flatten().collect(),
        };
        for ring in rings {
            let points = on_one_side(points(&ring, &arcs));
            // A ring across the date line reaches beyond 180 degrees: its copy is for the points on the other side.
            let reach =
                points.iter().fold([180.0_f64, -180.0], |[west, east], [lon, _]| [west.min(*lon), east.max(*lon)]);
            for shift in [0.0, 360.0, -360.0] {
                if reach[0] + shift < 180.0 && reach[1] + shift > -180.0 {
                    let at = |[lon, lat]: [f64; 2]| [lon + shift, lat];
                    edges.extend(points.windows(2).map(|ends| Edge { country, ends: [at(ends[0]), at(ends[1])] }));
                }
            }
        }
    }
    edges
}

/// Collects the points of a ring.
fn points(ring: &[i32], arcs: &[Vec<[f64; 2]>]) -> Vec<[f64; 2]> {
    let mut points = Vec::new();
    for &number in ring {
        // A negative number is the complement of that of an arc to be followed backwards.
        let arc = &arcs[usize::try_from(if number < 0 { !number } else { number }).expect("it is not negative")];
        if number < 0 {
            points.extend(arc.iter().rev())
        } else {
            points.extend(arc)
        };
    }
    points
}

/// Moves a ring to one side of the date line, beyond which its longitudes go on without a jump. A ring around a pole
/// keeps its jump.
fn on_one_side(points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    let mut turns = 0.0;
    let mut last = points[0][0];
    let mut moved = Vec::with_capacity(points.len());
    for &[lon, lat] in &points {
        turns -= ((lon - last) / 360.0).round();
        last = lon;
        moved.push([lon + turns * 360.0, lat]);
    }
    if turns == 0.0 { moved } else { points }
}

/// Computes the points of an arc, each of which is written as its difference from the one before.
fn absolute(arc: &[[i64; 2]], Transform { scale, translate }: &Transform) -> Vec<[f64; 2]> {
    let sum = arc.iter().scan([0, 0], |sum, step| {
        *sum = [sum[0] + step[0], sum[1] + step[1]];
        Some(*sum)
    });
    sum.map(|[x, y]| [x as f64 * scale[0] + translate[0], y as f64 * scale[1] + translate[1]]).collect()
}
