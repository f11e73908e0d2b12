//! Finds places near a point with an R-tree over unit vectors, which needs no special case for the date line or the
//! poles.

use rstar::RTree;
use rstar::primitives::GeomWithData;
use toponym_engine::geo::{Coordinate, chord_to_metres};

/// Points with their index in a list.
pub(crate) struct Nearby(RTree<GeomWithData<[f64; 3], usize>>);

impl Nearby {
    /// A tree over `points`.
    pub fn new(points: impl IntoIterator<Item = (usize, Coordinate)>) -> Self {
        let points = points.into_iter().map(|(index, at)| GeomWithData::new(at.unit_vector(), index));
        Self(RTree::bulk_load(points.collect()))
    }

    /// The points within `metres` of `at` with their distance, nearest first.
    pub fn within(&self, at: Coordinate, metres: f64) -> impl Iterator<Item = (usize, f64)> {
        let nearest = self.0.nearest_neighbor_iter_with_distance_2(at.unit_vector());
        nearest
            .map(|(point, chord)| (point.data, chord_to_metres(chord)))
            .take_while(move |&(_, distance)| distance <= metres)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_first_across_the_date_line() {
        let at = |lon| Coordinate::new(0.0, lon).expect("it is in range");
        let nearby = Nearby::new([(0, at(179.9)), (1, at(-179.9)), (2, at(0.0))]);
        let found: Vec<usize> = nearby.within(at(-179.99), 50_000.0).map(|(index, _)| index).collect();
        assert_eq!(found, [1, 0]);
    }
}
