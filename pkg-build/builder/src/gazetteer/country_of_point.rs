//! The country of a point by the borders, for imported places that do not name theirs.

use geo::{BoundingRect, Contains, Coord, LineString, Point, Polygon, Rect};
use toponym_engine::Border;
use toponym_engine::geo::Coordinate;

use crate::sources::rows::Iso2;

/// The borders, ready for questions.
pub(crate) struct CountryOfPoint(Vec<(Iso2, Vec<(Rect, Polygon)>)>);

impl CountryOfPoint {
    /// From the borders of an index.
    pub fn new(borders: &[Border]) -> Self {
        let ring = |ring: &Vec<Coordinate>| {
            let line: LineString = ring.iter().map(|at| Coord { x: at.lon(), y: at.lat() }).collect();
            let polygon = Polygon::new(line, Vec::new());
            Some((polygon.bounding_rect()?, polygon))
        };
        Self(borders.iter().map(|border| (border.country, border.rings.iter().filter_map(ring).collect())).collect())
    }

    /// The country whose rings hold the point an odd number of times.
    pub fn find(&self, at: Coordinate) -> Option<Iso2> {
        let point = Point::new(at.lon(), at.lat());
        let holds = |rings: &[(Rect, Polygon)]| {
            rings.iter().filter(|(rect, ring)| rect.contains(&point) && ring.contains(&point)).count() % 2 == 1
        };
        self.0.iter().find(|(_, rings)| holds(rings)).map(|(country, _)| *country)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hole_is_outside() {
        let square = |from: f64, to: f64| {
            let corners = [(from, from), (from, to), (to, to), (to, from), (from, from)];
            corners.map(|(lat, lon)| Coordinate::new(lat, lon).expect("it is in range")).to_vec()
        };
        let countries =
            CountryOfPoint::new(&[Border { country: *b"WW", rings: vec![square(0.0, 9.0), square(4.0, 5.0)] }]);
        let check = |lat, lon, expect: Option<&[u8; 2]>| {
            let at = Coordinate::new(lat, lon).expect("it is in range");
            assert_eq!(countries.find(at).as_ref(), expect, "{lat}, {lon}");
        };
        check(1.0, 1.0, Some(b"WW"));
        check(4.5, 4.5, None);
        check(10.0, 1.0, None);
    }
}
