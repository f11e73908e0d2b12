//! Pages of places by position.

use std::sync::OnceLock;

use bytes::Bytes;

use super::page_id::{PageId, Run, Runs, in_order};
use crate::index::{Column, Cuboid, OpenError, Tree, column};

/// Pages of places by position, in the order of the Hilbert curve.
pub(crate) struct Globe {
    /// Per page: position on the Hilbert curve from which on it has all places, up to that of the next page.
    firsts: Column<u32>,
    /// Per page: the sides of both boxes, in units of [`UNIT`].
    sides: Column<i16>,
    pages: Run,
    /// Over the boxes of the pages. Neighbours on the curve are neighbours on the globe, as the tree wants them. Made when first
    /// needed.
    tree: OnceLock<Tree>,
}

/// A page of places by position.
#[derive(Clone, Debug)]
pub(crate) struct GlobePage {
    /// Position on the Hilbert curve from which on it has all places.
    pub first: u32,
    /// Boxes around the unit vectors of its populated places, and of its sites with their extents; none: it has none.
    pub boxes: [Option<Cuboid>; 2],
}

/// Unit of the sides of boxes, which are rounded outwards: 400 m on the globe.
const UNIT: f32 = 1.0 / 16_384.0;

/// Sides of the two boxes of a page, and of one.
const SIDES_OF_PAGE: usize = 2 * SIDES;
const SIDES: usize = 6;

/// Encodes pages in the order of the curve: their first positions, and the sides of their boxes.
pub(crate) fn encode_globe(pages: &[GlobePage]) -> (Vec<u8>, Vec<u8>) {
    let boxes = pages.iter().flat_map(|page| page.boxes);
    // A box that is not there has its sides the wrong way round.
    let sides = boxes.flat_map(|cuboid| {
        let Cuboid { low, high } = cuboid.unwrap_or(Cuboid::EMPTY);
        // Numbers too large for the type become the largest. No point of the globe is as far out.
        low.map(|side| libm::floorf(side / UNIT) as i16)
            .into_iter()
            .chain(high.map(|side| libm::ceilf(side / UNIT) as i16))
    });
    (column(pages.iter().map(|page| page.first)), column(sides))
}

impl Globe {
    /// Opens what [`encode_globe`] made.
    pub fn open(firsts: Bytes, sides: Bytes, runs: &mut Runs) -> Result<Self, OpenError> {
        let firsts = Column::new(firsts);
        let sides = Column::new(sides);
        if sides.len() != firsts.len() * SIDES_OF_PAGE {
            return Err(OpenError::Malformed("boxes of pages"));
        }
        Ok(Self { pages: runs.next(firsts.len())?, firsts, sides, tree: OnceLock::new() })
    }

    /// Returns all pages.
    pub fn pages(&self) -> &Run {
        &self.pages
    }

    /// Returns the page whose part of the Hilbert curve has a position.
    pub fn page(&self, curve: u32) -> Option<PageId> {
        let at = self.firsts.partition_point(|first| first <= curve).checked_sub(1)?;
        self.pages.get(at)
    }

    /// Iterates over the pages with places or sites in reach of a point (a squared chord), nearest first, at most so
    /// many.
    pub fn within(&self, point: [f64; 3], reach: f64, most: usize) -> impl Iterator<Item = PageId> {
        let pages =
            self.tree().meeting(Cuboid::within(point, reach)).map(|number| (self.distance(number, point), number));
        // The bits of numbers that are not negative are in their order.
        let near = pages
            .filter(|near| near.0 <= reach)
            .filter_map(|(distance, number)| Some((distance.to_bits(), self.pages.get(number)?)));
        in_order(near.collect()).take(most)
    }

    /// Returns the distance of a point (a squared chord) from the nearer box of a page.
    fn distance(&self, number: u32, point: [f64; 3]) -> f64 {
        self.boxes(number).map(|cuboid| cuboid.distance(point)).fold(f64::INFINITY, f64::min)
    }

    fn tree(&self) -> &Tree {
        self.tree.get_or_init(|| {
            let pages = 0..self.pages.len();
            Tree::of(pages.map(|number| self.boxes(number).fold(Cuboid::EMPTY, Cuboid::around)).collect())
        })
    }

    /// Iterates over the boxes around the places of a page, and around its sites.
    fn boxes(&self, number: u32) -> impl Iterator<Item = Cuboid> {
        let sides = self.sides.array::<SIDES_OF_PAGE>(number * SIDES_OF_PAGE as u32).unwrap_or_default();
        let boxes = [0, SIDES].map(|from| {
            let side = |at: usize| f32::from(sides[from + at]) * UNIT;
            Cuboid { low: std::array::from_fn(side), high: std::array::from_fn(|axis| side(axis + SIDES / 2)) }
        });
        boxes.into_iter().filter(|cuboid| cuboid.low[0] <= cuboid.high[0])
    }
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;

    /// Creates boxes along a line, as pages follow the curve, some of them large and some empty.
    fn pages(rng: &mut Rng, count: u32) -> Vec<GlobePage> {
        fn cuboid(rng: &mut Rng, number: u32, count: u32) -> Cuboid {
            let low = [number as f32 / count as f32, rng.f32(), rng.f32()];
            let size = if rng.u8(0..20) == 0 { 0.5 } else { 0.01 };
            Cuboid { low, high: low.map(|side| side + size * rng.f32()) }
        }
        let page = |number| {
            let populated = (rng.u8(0..10) > 0).then(|| cuboid(rng, number, count));
            GlobePage { first: number, boxes: [populated, rng.bool().then(|| cuboid(rng, number, count))] }
        };
        (0..count).map(page).collect()
    }

    /// Rounds a box as it is stored.
    fn round_outward(Cuboid { low, high }: Cuboid) -> Cuboid {
        Cuboid { low: low.map(|side| (side / UNIT).floor() * UNIT), high: high.map(|side| (side / UNIT).ceil() * UNIT) }
    }

    #[test]
    fn pages_in_reach_are_those_of_a_scan() {
        let mut rng = Rng::with_seed(11);
        for count in [0, 1, 8, 9, 2_000] {
            let pages = pages(&mut rng, count);
            let (firsts, boxes) = encode_globe(&pages);
            let globe = Globe::open(firsts.into(), boxes.into(), &mut Runs::default()).expect("it was just written");
            fn distance(page: &GlobePage, point: [f64; 3]) -> f64 {
                let boxes = page.boxes.iter().flatten().map(|&cuboid| round_outward(cuboid).distance(point));
                boxes.fold(f64::INFINITY, f64::min)
            }
            for _ in 0..200 {
                let point = std::array::from_fn(|_| rng.f64() * 1.2 - 0.1);
                let reach = [0.0, 1e-4, 1e-2, 0.2, 3.0][rng.usize(..5)];
                let most = [1, 4, usize::MAX][rng.usize(..3)];
                let scan = (0..).map(PageId).zip(&pages).map(|(id, page)| (distance(page, point), id));
                let mut scan: Vec<_> = scan.filter(|&(distance, _)| distance <= reach).collect();
                scan.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                let scan: Vec<PageId> = scan.into_iter().map(|(_, page)| page).take(most).collect();
                assert_eq!(globe.within(point, reach, most).collect::<Vec<_>>(), scan, "{point:?} {reach}");
            }
        }
    }
}
