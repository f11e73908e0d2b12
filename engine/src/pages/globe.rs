//! Pages of places by position.

use serde::{Deserialize, Serialize};

use super::page_id::{PageId, in_order};
use crate::index::{Cuboid, Tree};

/// Pages of places by position, in the order of the Hilbert curve. Stored as their list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Vec<GlobePage>", into = "Vec<GlobePage>")]
pub(crate) struct Globe {
    pages: Vec<GlobePage>,
    /// Over the boxes of the pages. Neighbours on the curve are neighbours on the globe, as the tree wants them.
    tree: Tree,
}

/// A page of places by position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct GlobePage {
    /// Position on the Hilbert curve from which on it has all places, up to that of the next page.
    pub first: u32,
    pub page: PageId,
    /// Boxes around the unit vectors of its populated places, and of its sites with their extents; none: it has none.
    pub populated: Option<Cuboid>,
    pub sites: Option<Cuboid>,
}

impl Default for Globe {
    fn default() -> Self {
        Self::from(Vec::new())
    }
}

impl From<Vec<GlobePage>> for Globe {
    fn from(pages: Vec<GlobePage>) -> Self {
        let around = |page: &GlobePage| page.boxes().fold(Cuboid::EMPTY, Cuboid::around);
        let tree = Tree::of(pages.iter().map(around).collect());
        Self { pages, tree }
    }
}

impl From<Globe> for Vec<GlobePage> {
    fn from(globe: Globe) -> Self {
        globe.pages
    }
}

impl Globe {
    /// Returns all pages.
    pub fn pages(&self) -> &[GlobePage] {
        &self.pages
    }

    /// Returns the page whose part of the Hilbert curve has a position.
    pub fn page(&self, curve: u32) -> Option<PageId> {
        let at = self.pages.partition_point(|page| page.first <= curve).checked_sub(1)?;
        Some(self.pages[at].page)
    }

    /// Iterates over the pages with places or sites in reach of a point (a squared chord), nearest first, at most so
    /// many.
    pub fn within(&self, point: [f64; 3], reach: f64, most: usize) -> impl Iterator<Item = PageId> {
        let pages = self.tree.meeting(Cuboid::within(point, reach)).map(|number| &self.pages[number as usize]);
        let pages = pages.map(|page| (page.distance(point), page.page));
        // The bits of numbers that are not negative are in their order.
        let near = pages.filter(|near| near.0 <= reach).map(|(distance, page)| (distance.to_bits(), page));
        in_order(near.collect()).take(most)
    }
}

impl GlobePage {
    /// Iterates over the boxes around the page's places, and around its sites.
    fn boxes(&self) -> impl Iterator<Item = Cuboid> {
        self.populated.into_iter().chain(self.sites)
    }

    /// Returns the squared distance of the page's nearest box from a point.
    fn distance(&self, point: [f64; 3]) -> f64 {
        self.boxes().map(|cuboid| cuboid.distance(point)).fold(f64::INFINITY, f64::min)
    }
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;

    /// Creates boxes along a line, as pages follow the curve, some of them large and some empty.
    fn pages(rng: &mut Rng, count: u32) -> Vec<GlobePage> {
        let cuboid = |rng: &mut Rng, number: u32| {
            let low = [number as f32 / count as f32, rng.f32(), rng.f32()];
            let size = if rng.u8(0..20) == 0 { 0.5 } else { 0.01 };
            Cuboid { low, high: low.map(|side| side + size * rng.f32()) }
        };
        let page = |number| GlobePage {
            first: number,
            page: PageId(count - number),
            populated: (rng.u8(0..10) > 0).then(|| cuboid(rng, number)),
            sites: rng.bool().then(|| cuboid(rng, number)),
        };
        (0..count).map(page).collect()
    }

    #[test]
    fn pages_in_reach_are_those_of_a_scan() {
        let mut rng = Rng::with_seed(11);
        for count in [0, 1, 8, 9, 2_000] {
            let globe = Globe::from(pages(&mut rng, count));
            for _ in 0..200 {
                let point = std::array::from_fn(|_| rng.f64() * 1.2 - 0.1);
                let reach = [0.0, 1e-4, 1e-2, 0.2, 3.0][rng.usize(..5)];
                let most = [1, 4, usize::MAX][rng.usize(..3)];
                let pages = globe.pages().iter().map(|page| (page.distance(point), page.page));
                let mut scan: Vec<_> = pages.filter(|&(distance, _)| distance <= reach).collect();
                scan.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                let scan: Vec<PageId> = scan.into_iter().map(|(_, page)| page).take(most).collect();
                assert_eq!(globe.within(point, reach, most).collect::<Vec<_>>(), scan, "{point:?} {reach}");
            }
        }
    }
}
