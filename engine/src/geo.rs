//! Positions and boxes on the sphere, in decimal degrees (WGS84).
//!
//! Distances are computed from unit vectors, so that the date line and the poles need no special case, and with `libm`,
//! so that the same input gives the same bits natively and in wasm.

use libm::{asin, cos, sin, sincos, sqrt};
use serde::{Deserialize, Serialize};

/// Mean Earth radius in metres (IUGG R1).
pub const EARTH_RADIUS_M: f64 = 6_371_008.8;

/// Metres in one degree of latitude on the mean sphere.
pub const METRES_PER_DEGREE: f64 = EARTH_RADIUS_M * core::f64::consts::PI / 180.0;

/// Order of the Hilbert curve: cells are about 600 m wide at the equator.
const CURVE_ORDER: u8 = 16;

/// A point: latitude in -90..=90, longitude in -180..=180.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Degrees", into = "Degrees")]
pub struct Coordinate {
    // Inside this crate the fields can be out of range, if the index is damaged.
    pub(crate) lat: f64,
    pub(crate) lon: f64,
}

/// A [`Coordinate`] as it is serialised: not yet checked.
#[derive(Serialize, Deserialize)]
struct Degrees {
    lat: f64,
    lon: f64,
}

impl TryFrom<Degrees> for Coordinate {
    type Error = &'static str;

    fn try_from(Degrees { lat, lon }: Degrees) -> Result<Self, Self::Error> {
        Self::new(lat, lon).ok_or("a latitude is between -90 and 90, a longitude between -180 and 180")
    }
}

impl From<Coordinate> for Degrees {
    fn from(Coordinate { lat, lon }: Coordinate) -> Self {
        Self { lat, lon }
    }
}

impl Coordinate {
    /// Creates the point; `None` if a value is NaN or out of range.
    ///
    /// # Example: check a point
    ///
    /// ```
    /// use toponym_engine::geo::Coordinate;
    ///
    /// let paris = Coordinate::new(48.85, 2.35).unwrap();
    /// assert_eq!((paris.lat(), paris.lon()), (48.85, 2.35));
    /// assert_eq!(Coordinate::new(91.0, 0.0), None);
    /// ```
    pub const fn new(lat: f64, lon: f64) -> Option<Self> {
        let inside = -90.0 <= lat && lat <= 90.0 && -180.0 <= lon && lon <= 180.0;
        if inside { Some(Self { lat, lon }) } else { None }
    }

    /// Returns the latitude in degrees north.
    pub const fn lat(self) -> f64 {
        self.lat
    }

    /// Returns the longitude in degrees east.
    pub const fn lon(self) -> f64 {
        self.lon
    }

    /// Returns the point in canonical form: longitude 180 instead of -180, and 0 at a pole.
    pub fn canonical(self) -> Self {
        let lon = match (self.lat, self.lon) {
            (-90.0 | 90.0, _) => 0.0,
            (_, -180.0) => 180.0,
            (_, lon) => lon,
        };
        Self { lon, ..self }
    }

    /// Returns the point on the unit sphere: x towards 0°E, y towards 90°E, z towards the north pole.
    pub fn unit_vector(self) -> [f64; 3] {
        Centre::new(self).vector
    }

    /// Returns the position of the point on a Hilbert curve around the globe: points that follow each other on it are near each
    /// other. Rows of an index are in this order, and questions for many points are answered faster in it.
    ///
    /// # Example: sort points
    ///
    /// ```
    /// use toponym_engine::geo::Coordinate;
    ///
    /// let paris_sydney_paris = [(48.85, 2.35), (-33.87, 151.21), (48.86, 2.36)];
    /// let mut points = paris_sydney_paris.map(|(lat, lon)| Coordinate::new(lat, lon).unwrap());
    /// points.sort_unstable_by_key(|point| point.curve_position());
    /// assert_ne!(points[1].lat(), -33.87, "the points in Paris follow each other");
    /// ```
    pub fn curve_position(self) -> u32 {
        fn cell(share: f64) -> u16 {
            let cells = f64::from(1_u32 << CURVE_ORDER);
            (share * cells).min(cells - 1.0) as u16
        }
        fast_hilbert::xy2h(cell((self.lon + 180.0) / 360.0), cell((self.lat + 90.0) / 180.0), CURVE_ORDER)
    }

    /// Returns the great-circle distance in metres.
    ///
    /// # Example: measure a distance
    ///
    /// ```
    /// use toponym_engine::geo::Coordinate;
    ///
    /// let (paris, london) = (Coordinate::new(48.8566, 2.3522).unwrap(), Coordinate::new(51.5074, -0.1278).unwrap());
    /// assert_eq!((paris.distance_m(london) / 1_000.0).round(), 344.0);
    /// ```
    pub fn distance_m(self, other: Self) -> f64 {
        chord_to_metres(chord(self.unit_vector(), other.unit_vector()))
    }
}

/// A point, and what searches around it need of its position on the unit sphere: to compute that takes as long as one of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Centre {
    pub point: Coordinate,
    pub vector: [f64; 3],
    /// Radius of its circle of latitude.
    pub ring: f64,
}

impl Centre {
    pub fn new(point: Coordinate) -> Self {
        let Coordinate { lat, lon } = point.canonical();
        let (height, ring) = sincos(lat.to_radians());
        let (east, ahead) = sincos(lon.to_radians());
        Self { point, vector: [ring * ahead, ring * east, height], ring }
    }
}

/// Returns the squared chord between two unit vectors (0..=4).
pub(crate) fn chord(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|i| (a[i] - b[i]) * (a[i] - b[i])).sum()
}

/// Converts a squared chord of the unit sphere (0..=4) into a great-circle distance in metres.
pub fn chord_to_metres(chord_squared: f64) -> f64 {
    2.0 * EARTH_RADIUS_M * asin((sqrt(chord_squared) / 2.0).min(1.0))
}

/// Converts `metres` along a great circle into the squared chord of the unit sphere that spans them.
pub fn metres_to_chord(metres: f64) -> f64 {
    let half = sin((metres / EARTH_RADIUS_M).min(core::f64::consts::PI) / 2.0);
    4.0 * half * half
}

/// A box of meridians and parallels. `west > east` means that it crosses the date line, as in RFC 7946 section 5.2.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bounds {
    /// Southern latitude.
    pub south: f64,
    /// Northern latitude.
    pub north: f64,
    /// Western longitude.
    pub west: f64,
    /// Eastern longitude.
    pub east: f64,
}

impl Bounds {
    /// Creates the bounding box of the circle of `radius_m` metres around `centre`; over a pole it has all longitudes.
    ///
    /// # Example: make the box around a point
    ///
    /// ```
    /// use toponym_engine::geo::{Bounds, Coordinate};
    ///
    /// let suva = Coordinate::new(-18.14, 178.44).unwrap();
    /// let bounds = Bounds::around(suva, 300_000.0);
    /// assert!(bounds.west > bounds.east, "it crosses the date line");
    /// ```
    pub fn around(centre: Coordinate, radius_m: f64) -> Self {
        let centre = centre.canonical();
        let reach = radius_m / METRES_PER_DEGREE;
        let south = centre.lat - reach;
        let north = centre.lat + reach;
        let ring = cos(centre.lat.to_radians());
        if south <= -90.0 || north >= 90.0 {
            return Self { south: south.max(-90.0), north: north.min(90.0), west: -180.0, east: 180.0 };
        }
        // The meridian that touches the circle does so nearer to the pole than its centre.
        let side = asin((sin(reach.to_radians()) / ring).min(1.0)).to_degrees();
        Self { south, north, west: wrap(centre.lon - side), east: wrap(centre.lon + side) }
    }

    /// Creates the smallest box that contains `points`: it leaves out the widest gap between longitudes. `None` if there are no
    /// points.
    ///
    /// # Example: make the box around several points
    ///
    /// ```
    /// use toponym_engine::geo::{Bounds, Coordinate};
    ///
    /// let points = [(48.85, 2.35), (43.3, 5.37)].map(|(lat, lon)| Coordinate::new(lat, lon).unwrap());
    /// assert_eq!(Bounds::of(points), Some(Bounds { south: 43.3, north: 48.85, west: 2.35, east: 5.37 }));
    /// ```
    pub fn of(points: impl IntoIterator<Item = Coordinate>) -> Option<Self> {
        let mut south = f64::INFINITY;
        let mut north = f64::NEG_INFINITY;
        let mut lons = Vec::new();
        for point in points {
            (south, north) = (south.min(point.lat), north.max(point.lat));
            lons.push(point.lon);
        }
        lons.sort_by(f64::total_cmp);
        let &first = lons.first()?;
        let &last = lons.last()?;
        let outer_gap = first + 360.0 - last;
        let widest = lons.windows(2).map(|w| (w[1] - w[0], w[0], w[1])).max_by(|a, b| a.0.total_cmp(&b.0));
        match widest {
            Some((gap, before, after)) if gap > outer_gap => Some(Self { south, north, west: after, east: before }),
            _ => Some(Self { south, north, west: first, east: last }),
        }
    }

    /// Tells whether the box contains the point; edges are inside. A pole has every longitude, the date line both 180 and -180.
    ///
    /// # Example: look whether a point lies in a box
    ///
    /// ```
    /// use toponym_engine::geo::{Bounds, Coordinate};
    ///
    /// let fiji = Bounds { south: -20.0, north: -15.0, west: 177.0, east: -178.0 };
    /// assert!(fiji.contains(Coordinate::new(-17.0, 179.0).unwrap()));
    /// assert!(!fiji.contains(Coordinate::new(-17.0, 0.0).unwrap()));
    /// ```
    pub fn contains(&self, point: Coordinate) -> bool {
        self.is_within(point, 0.0)
    }

    /// Tells whether the point lies in the box, or at most `degrees` of latitude and longitude outside it.
    pub fn is_within(&self, point: Coordinate, degrees: f64) -> bool {
        (self.south - degrees..=self.north + degrees).contains(&point.lat)
            && (point.lat.abs() == 90.0 || self.spans(point.lon, degrees))
    }

    /// Tells whether two boxes have a point in common.
    pub fn overlaps(&self, other: Self) -> bool {
        let in_latitude = self.south <= other.north && other.south <= self.north;
        in_latitude && (self.spans(other.west, 0.0) || other.spans(self.west, 0.0))
    }

    /// Tells whether a longitude is at most `degrees` outside the box, which may cross the date line or end at it.
    fn spans(&self, lon: f64, degrees: f64) -> bool {
        let west = self.west - degrees;
        let east = self.east + degrees;
        if self.west > self.east {
            return west <= lon || lon <= east;
        }
        [lon, lon - 360.0, lon + 360.0].iter().any(|lon| (west..=east).contains(lon))
    }
}

fn wrap(lon: f64) -> f64 {
    if lon > 180.0 {
        lon - 360.0
    } else if lon < -180.0 {
        lon + 360.0
    } else {
        lon
    }
}

/// Raises a number to a power, by the same few multiplications on every platform.
pub(crate) fn power(mut base: f64, mut exponent: u32) -> f64 {
    let mut result = 1.0;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result *= base;
        }
        base *= base;
        exponent >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(lat: f64, lon: f64) -> Coordinate {
        Coordinate::new(lat, lon).expect("a test coordinate is in range")
    }

    #[test]
    fn boxes_and_the_points_beside_them() {
        fn check(sides: [f64; 4], (lat, lon): (f64, f64), degrees: f64, expect: bool) {
            assert_eq!(bounds(sides).is_within(at(lat, lon), degrees), expect, "{sides:?} {lat} {lon} {degrees}");
        }
        let lake = [45.0, 46.0, 9.0, 10.0];
        let fiji = [-20.0, -15.0, 177.0, -178.0];
        check(lake, (45.5, 9.5), 0.0, true);
        check(lake, (46.04, 9.5), 0.0, false);
        check(lake, (46.04, 9.5), 0.05, true);
        check(lake, (44.96, 8.96), 0.05, true);
        check(lake, (45.5, 10.06), 0.05, false);
        check(fiji, (-17.0, 179.0), 0.0, true);
        check(fiji, (-17.0, -179.0), 0.0, true);
        check(fiji, (-17.0, 176.96), 0.05, true);
        check(fiji, (-17.0, 176.9), 0.05, false);
        // A shore at the date line goes on behind it.
        let east_end = [-20.0, -15.0, 170.0, 179.98];
        let west_end = [-20.0, -15.0, -179.98, -170.0];
        check(east_end, (-17.0, -179.98), 0.05, true);
        check(east_end, (-17.0, -179.9), 0.05, false);
        check(west_end, (-17.0, 179.98), 0.05, true);
        check(west_end, (-17.0, 179.9), 0.05, false);
        fn meet(a: [f64; 4], b: [f64; 4], expect: bool) {
            assert_eq!((bounds(a).overlaps(bounds(b)), bounds(b).overlaps(bounds(a))), (expect, expect), "{a:?} {b:?}");
        }
        meet(lake, [45.9, 47.0, 9.9, 11.0], true);
        meet(lake, [40.0, 50.0, 0.0, 20.0], true);
        meet(lake, [46.1, 47.0, 9.0, 10.0], false);
        meet(lake, [45.0, 46.0, 10.1, 11.0], false);
        meet(fiji, [-18.0, -17.0, -179.0, -170.0], true);
        meet(fiji, [-18.0, -17.0, 170.0, 178.0], true);
        meet(fiji, [-18.0, -17.0, -170.0, -160.0], false);
    }

    fn bounds([south, north, west, east]: [f64; 4]) -> Bounds {
        Bounds { south, north, west, east }
    }

    #[test]
    fn distances() {
        fn check(a: (f64, f64), b: (f64, f64), km: f64) {
            let metres = at(a.0, a.1).distance_m(at(b.0, b.1));
            assert!((metres / 1000.0 - km).abs() < 0.5, "{a:?} {b:?}: {metres} m, not {km} km");
        }
        check((48.8566, 2.3522), (51.5074, -0.1278), 343.6);
        check((0.0, 179.5), (0.0, -179.5), 111.2);
        check((90.0, 0.0), (-90.0, 0.0), 20_015.1);
        check((89.5, 10.0), (89.5, -170.0), 111.2);
    }

    #[test]
    fn a_degree_in_metres() {
        assert!((METRES_PER_DEGREE - 111_195.08).abs() < 0.01);
        assert!((at(12.0, 7.0).distance_m(at(13.0, 7.0)) - METRES_PER_DEGREE).abs() < 0.01);
    }

    #[test]
    fn chords_and_metres_are_the_same_distance() {
        for metres in [0.0, 1.0, 75_000.0, 5e6, 2e7] {
            assert!((chord_to_metres(metres_to_chord(metres)) - metres).abs() < 1e-3, "{metres}");
        }
        assert_eq!(metres_to_chord(3e7), 4.0, "nothing is farther than the other side");
    }

    #[test]
    fn a_coordinate_survives_json_and_is_checked() {
        let text = r#"{"lat":1.5,"lon":-2.5}"#;
        let read: Coordinate = serde_json::from_str(text).expect("it is in range");
        assert_eq!((read.lat(), read.lon()), (1.5, -2.5));
        assert_eq!(serde_json::to_string(&read).expect("two numbers can be written"), text);
        assert!(serde_json::from_str::<Coordinate>(r#"{"lat":90.5,"lon":0.0}"#).is_err());
    }

    #[test]
    fn boxes_around_a_point() {
        fn check(lat: f64, lon: f64, degrees: f64, [south, north, west, east]: [f64; 4]) {
            let found = Bounds::around(at(lat, lon), degrees * METRES_PER_DEGREE);
            fn near(a: f64, b: f64) -> bool {
                (a - b).abs() < 1e-9
            }
            assert!(
                near(found.south, south)
                    && near(found.north, north)
                    && near(found.west, west)
                    && near(found.east, east),
                "{lat} {lon} {degrees}: {found:?}"
            );
        }
        check(0.0, 0.0, 2.0, [-2.0, 2.0, -2.0, 2.0]);
        // The date line itself is the edge of the map, not one beyond it.
        check(0.0, 179.0, 1.0, [-1.0, 1.0, 178.0, 180.0]);
        check(0.0, -179.0, 1.0, [-1.0, 1.0, -180.0, -178.0]);
        check(89.5, 30.0, 1.0, [88.5, 90.0, -180.0, 180.0]);
        check(-89.5, 30.0, 1.0, [-90.0, -88.5, -180.0, 180.0]);
        check(89.0, 30.0, 1.0, [88.0, 90.0, -180.0, 180.0]);
        check(-89.0, 30.0, 1.0, [-90.0, -88.0, -180.0, 180.0]);
        check(10.0, 30.0, 200.0, [-90.0, 90.0, -180.0, 180.0]);
    }

    /// Walks around circles: none of their points lies outside the box, and each side of it touches one.
    #[test]
    fn the_box_of_a_circle_is_the_smallest() {
        for (lat, lon, degrees) in [(0.0, 0.0, 20.0), (60.0, 10.0, 1.0), (-60.0, 179.0, 5.0), (80.0, -179.0, 9.9)] {
            let bounds = Bounds::around(at(lat, lon), degrees * METRES_PER_DEGREE);
            let east_of = |side: f64| (side - lon + 540.0).rem_euclid(360.0) - 180.0;
            let mut most = 0.0_f64;
            let mut highest = -90.0_f64;
            let mut lowest = 90.0_f64;
            for bearing in 0..3_600 {
                let (bearing, reach, from) =
                    (f64::from(bearing).to_radians() / 10.0, degrees.to_radians(), lat.to_radians());
                let to = asin(sin(from) * cos(reach) + cos(from) * sin(reach) * cos(bearing));
                let across = libm::atan2(sin(bearing) * sin(reach) * cos(from), cos(reach) - sin(from) * sin(to));
                most = most.max(across.to_degrees());
                (highest, lowest) = (highest.max(to.to_degrees()), lowest.min(to.to_degrees()));
            }
            let sides = [bounds.north, bounds.south, east_of(bounds.east), -east_of(bounds.west)];
            for (side, expect) in sides.into_iter().zip([highest, lowest, most, most]) {
                assert!((side - expect).abs() < 1e-4, "{lat} {lon} {degrees}: {bounds:?}, {side} for {expect}");
            }
        }
    }

    #[test]
    fn boxes_of_points() {
        fn check(points: &[(f64, f64)], [south, north, west, east]: [f64; 4]) {
            let found = Bounds::of(points.iter().map(|&(lat, lon)| at(lat, lon)));
            assert_eq!(found, Some(Bounds { south, north, west, east }), "{points:?}");
        }
        check(&[(1.0, 2.0)], [1.0, 1.0, 2.0, 2.0]);
        check(&[(1.0, 50.0), (-3.0, 20.0), (0.0, 40.0)], [-3.0, 1.0, 20.0, 50.0]);
        check(&[(0.0, -80.0), (0.0, 80.0)], [0.0, 0.0, -80.0, 80.0]);
        check(&[(0.0, -100.0), (0.0, 100.0)], [0.0, 0.0, 100.0, -100.0]);
        check(&[(0.0, -170.0), (0.0, -100.0), (0.0, 100.0)], [0.0, 0.0, 100.0, -100.0]);
        // Both ways round are as long: the one that stays on the map.
        check(&[(0.0, -90.0), (0.0, 90.0)], [0.0, 0.0, -90.0, 90.0]);
    }

    #[test]
    fn a_box_contains_its_edges() {
        fn check([south, north, west, east]: [f64; 4], inside: &[(f64, f64)], outside: &[(f64, f64)]) {
            let bounds = Bounds { south, north, west, east };
            assert!(inside.iter().all(|&(lat, lon)| bounds.contains(at(lat, lon))), "{bounds:?}");
            assert!(outside.iter().all(|&(lat, lon)| !bounds.contains(at(lat, lon))), "{bounds:?}");
        }
        check(
            [0.0, 9.0, 10.0, 20.0],
            &[(0.0, 10.0), (9.0, 20.0)],
            &[(-0.1, 15.0), (9.1, 15.0), (5.0, 9.9), (5.0, 20.1)],
        );
        check([0.0, 9.0, 10.0, 10.0], &[(5.0, 10.0)], &[(5.0, 9.9), (5.0, 10.1)]);
        check([0.0, 9.0, 170.0, -170.0], &[(5.0, 170.0), (5.0, -170.0), (5.0, 180.0)], &[(5.0, 169.9), (5.0, -169.9)]);
        check([80.0, 90.0, 10.0, 20.0], &[(90.0, 77.0)], &[(89.0, 77.0)]);
        check([0.0, 9.0, 170.0, 180.0], &[(5.0, -180.0)], &[(5.0, -179.0), (5.0, -175.0)]);
        check([0.0, 9.0, 10.0, 20.0], &[], &[(5.0, -15.0), (90.0, 15.0), (5.0, 180.0)]);
    }

    #[test]
    fn bounds_take_the_short_way_round() {
        let fiji = Bounds::of([at(-17.0, 177.0), at(-16.0, -179.0), at(-18.0, 178.5)]).expect("there are points");
        assert_eq!((fiji.west, fiji.east), (177.0, -179.0));
        assert!(fiji.contains(at(-17.0, 179.9)) && !fiji.contains(at(-17.0, 0.0)));
        let around = Bounds::around(at(10.0, 179.99), 10_000.0);
        assert!(around.west > around.east && around.contains(at(10.0, -179.99)));
        assert_eq!(Bounds::around(at(89.99, 5.0), 10_000.0).west, -180.0);
        assert_eq!(Bounds::of([]), None);
    }

    #[test]
    fn equal_points_have_one_canonical_form() {
        let same = [((67.0, 180.0), (67.0, -180.0)), ((90.0, 12.0), (90.0, -77.0)), ((-90.0, 180.0), (-90.0, 3.0))];
        for (a, b) in same.map(|(a, b)| (at(a.0, a.1), at(b.0, b.1))) {
            assert_eq!(a.canonical(), b.canonical());
            assert_eq!(a.unit_vector(), b.unit_vector());
            assert_eq!(a.distance_m(b), 0.0);
            assert_eq!(Bounds::around(a, 1_000.0), Bounds::around(b, 1_000.0));
            for (west, east) in [(-180.0, -170.0), (170.0, 180.0), (170.0, -170.0), (-10.0, 10.0), (-180.0, 180.0)] {
                let bounds = Bounds { south: -90.0, north: 90.0, west, east };
                assert_eq!(bounds.contains(a), bounds.contains(b), "{bounds:?} {a:?}");
                assert_eq!(bounds.contains(at(67.0, 180.0)), west != -10.0, "{bounds:?}");
            }
        }
        assert_eq!(at(67.0, 179.0).canonical(), at(67.0, 179.0));
    }
}
