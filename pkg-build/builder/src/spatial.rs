//! Finds places near a point with an R-tree over unit vectors, which needs no special case for the date line or the
//! poles.

use std::cmp::Reverse;

use rstar::RTree;
use rstar::primitives::GeomWithData;
use toponym_engine::geo::{Coordinate, chord_to_metres};

/// Points with their index in a list.
pub(crate) struct Nearby(RTree<GeomWithData<[f64; 3], usize>>);

impl Nearby {
    /// Creates a tree over `points`.
    pub fn new(points: impl IntoIterator<Item = (usize, Coordinate)>) -> Self {
        let points = points.into_iter().map(|(index, at)| GeomWithData::new(at.unit_vector(), index));
        Self(RTree::bulk_load(points.collect()))
    }

    /// Finds the points within `metres` of `at` with their distance, nearest first. Those as near as each other are in order of their
    /// index, however the tree is built.
    pub fn within(&self, at: Coordinate, metres: f64) -> impl Iterator<Item = (usize, f64)> {
        let nearest = self.0.nearest_neighbor_iter_with_distance_2(at.unit_vector());
        let mut nearest = nearest.map(|(point, chord)| (chord, point.data)).peekable();
        let mut as_near = Vec::new();
        let in_order = move || {
            if as_near.is_empty() {
                let first = nearest.next()?;
                as_near.push(first);
                as_near.extend(std::iter::from_fn(|| nearest.next_if(|(chord, _)| *chord == first.0)));
                as_near.sort_unstable_by_key(|&(_, index)| Reverse(index));
            }
            as_near.pop()
        };
        std::iter::from_fn(in_order)
            .map(|(chord, index)| (index, chord_to_metres(chord)))
            .take_while(move |&(_, distance)| distance <= metres)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_first_across_the_date_line() {
        let nearby = Nearby::new([(0, at(179.9)), (1, at(-179.9)), (2, at(0.0))]);
        let found: Vec<usize> = nearby.within(at(-179.99), 50_000.0).map(|(index, _)| index).collect();
        assert_eq!(found, [1, 0]);
    }

    fn at(lon: f64) -> Coordinate {
        Coordinate::new(0.0, lon).expect("it is in range")
    }

    #[test]
    fn equally_near_points_keep_their_order() {
        for count in [2, 7, 40] {
            let others = (0..300).map(|number| (1_000 + number, at(10.0 + number as f64 / 10.0)));
            let nearby = Nearby::new((0..count).rev().map(|index| (index, at(1.0))).chain(others));
            let found: Vec<usize> = nearby.within(at(0.99), 5_000.0).map(|(index, _)| index).collect();
            assert_eq!(found, (0..count).collect::<Vec<_>>());
        }
    }
}
