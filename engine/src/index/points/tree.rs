//! A packed R-tree: a tree over boxes of which neighbours in the list lie close together.
//!
//! A node is the box around [`CHILDREN`] successive boxes of the level below. So a level is a list, the number of a node says
//! which are its children, and a walk through the tree needs no memory of its own.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use crate::geo::chord;

/// Children of a node. With 4 a search is as fast and the tree larger, with 16 it takes 5 % longer.
const CHILDREN: usize = 8;

/// A box with its sides along the axes, edges included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cuboid {
    pub low: [f32; 3],
    pub high: [f32; 3],
}

impl Cuboid {
    /// A box that meets none.
    pub const EMPTY: Self = Self { low: [f32::INFINITY; 3], high: [f32::NEG_INFINITY; 3] };

    /// Creates the box around all within a squared chord of a point.
    pub fn within(point: [f64; 3], chord: f64) -> Self {
        let reach = libm::sqrt(chord);
        let corner = |direction: f64| point.map(|side| outward(side + direction * reach, direction));
        Self { low: corner(-1.0), high: corner(1.0) }
    }

    /// Returns the squared distance of a point.
    pub fn distance(&self, point: [f64; 3]) -> f64 {
        let nearest =
            std::array::from_fn(|axis| point[axis].max(f64::from(self.low[axis])).min(f64::from(self.high[axis])));
        chord(point, nearest)
    }

    /// Tells whether two boxes have a point in common. Compares all sides: a branch for each takes longer.
    fn meets(&self, other: &Self) -> bool {
        (0..3).fold(true, |meets, axis| {
            meets & (self.low[axis] <= other.high[axis]) & (other.low[axis] <= self.high[axis])
        })
    }

    /// Returns the smallest box around two.
    pub fn around(self, other: Self) -> Self {
        Self {
            low: std::array::from_fn(|axis| self.low[axis].min(other.low[axis])),
            high: std::array::from_fn(|axis| self.high[axis].max(other.high[axis])),
        }
    }
}

/// The levels of a tree. The first has the boxes themselves, the last at most [`CHILDREN`] nodes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tree(Vec<Vec<Cuboid>>);

impl Tree {
    pub fn of(boxes: Vec<Cuboid>) -> Self {
        Self(std::iter::successors(Some(boxes), |level| parents(level)).collect())
    }

    /// Iterates over the numbers of the boxes, each with its squared distance from a point, the nearest first.
    pub fn nearest_first(&self, point: [f64; 3]) -> impl Iterator<Item = (f64, u32)> + '_ {
        let node = move |level: usize, at: usize| {
            let cuboid = self.0[level].get(at)?;
            Some(Reverse(Waiting { distance: cuboid.distance(point), level, at }))
        };
        let top = self.0.len() - 1;
        let mut waiting: BinaryHeap<_> = (0..self.0[top].len()).filter_map(|at| node(top, at)).collect();
        std::iter::from_fn(move || {
            loop {
                let Reverse(Waiting { distance, level, at }) = waiting.pop()?;
                let Some(below) = level.checked_sub(1) else { return Some((distance, at as u32)) };
                waiting.extend((at * CHILDREN..(at + 1) * CHILDREN).filter_map(|child| node(below, child)));
            }
        })
    }

    /// Iterates over the numbers of the boxes that meet `other`, in order.
    pub fn meeting(&self, other: Cuboid) -> impl Iterator<Item = u32> + '_ {
        let top = self.0.len() - 1;
        let mut level = top;
        let mut at = 0;
        std::iter::from_fn(move || {
            loop {
                // Past the end of a level there is nothing more on the levels above it either.
                let meets = self.0[level].get(at)?.meets(&other);
                if meets && level > 0 {
                    (level, at) = (level - 1, at * CHILDREN);
                    continue;
                }
                let number = at as u32;
                at += 1;
                while at % CHILDREN == 0 && level < top {
                    (level, at) = (level + 1, at / CHILDREN);
                }
                if meets {
                    return Some(number);
                }
            }
        })
    }
}

/// Returns the nodes above those of a level; `None` above the roots.
fn parents(level: &[Cuboid]) -> Option<Vec<Cuboid>> {
    let nodes = level.chunks(CHILDREN).filter_map(|children| children.iter().copied().reduce(Cuboid::around));
    (level.len() > CHILDREN).then(|| nodes.collect())
}

/// A node that a search has not looked into yet.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    /// Squared distance of the point from its box.
    distance: f64,
    level: usize,
    at: usize,
}

impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        self.distance.total_cmp(&other.distance).then((self.level, self.at).cmp(&(other.level, other.at)))
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Waiting {}

/// Rounds to single precision in the given direction, so that a box never shrinks.
fn outward(side: f64, direction: f64) -> f32 {
    (side + direction * f64::from(f32::EPSILON)) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_finds_the_boxes_that_meet_another() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut cuboid = |size: f32| {
            let low: [f32; 3] = std::array::from_fn(|_| random.f32());
            Cuboid { low, high: low.map(|side| side + size * random.f32()) }
        };
        for count in [0, 1, 7, 8, 9, 63, 64, 65, 512, 1_000, 5_000] {
            let boxes: Vec<Cuboid> = (0..count).map(|_| cuboid(0.1)).collect();
            let tree = Tree::of(boxes.clone());
            for size in [0.0, 0.01, 0.3, 3.0] {
                let other = cuboid(size);
                let apart =
                    |axis: usize, each: &Cuboid| each.high[axis] < other.low[axis] || other.high[axis] < each.low[axis];
                let all = 0..count;
                let meeting = all.filter(|&number| !(0..3).any(|axis| apart(axis, &boxes[number as usize])));
                let expect: Vec<u32> = meeting.collect();
                assert_eq!(tree.meeting(other).collect::<Vec<_>>(), expect, "{count} boxes, {other:?}");
            }
            let point = cuboid(0.0).low.map(f64::from);
            let found: Vec<(f64, u32)> = tree.nearest_first(point).collect();
            assert!(found.is_sorted_by(|a, b| a.0 <= b.0), "{count} boxes, {point:?}");
            assert!(found.iter().all(|&(distance, number)| distance == boxes[number as usize].distance(point)));
            let mut numbers: Vec<u32> = found.iter().map(|&(_, number)| number).collect();
            numbers.sort_unstable();
            assert_eq!(numbers, (0..count).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_edges_of_a_box_are_in_it() {
        fn box_between(low: f32, high: f32) -> Cuboid {
            Cuboid { low: [0.0, low, 0.0], high: [0.0, high, 0.0] }
        }
        fn check(low: f32, high: f32, expect: bool) {
            assert_eq!(
                Tree::of(vec![box_between(1.0, 2.0)]).meeting(box_between(low, high)).count(),
                usize::from(expect),
                "{low} {high}"
            );
        }
        check(2.0, 3.0, true);
        check(0.0, 1.0, true);
        check(2.1, 3.0, false);
        check(0.0, 0.9, false);
    }
}
