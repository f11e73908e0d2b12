//! Pages of places by position.

use serde::{Deserialize, Serialize};

use super::directory::{PageId, in_order};
use crate::geo::chord;

/// Pages of places by position, in the order of the Hilbert curve. Stored as their list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Vec<GlobePage>", into = "Vec<GlobePage>")]
pub(crate) struct Globe {
    pages: Vec<GlobePage>,
    /// Boxes around each [`BLOCK`] of them: a search of 30,000 pages looks at one in fifty.
    around: Vec<Corners>,
}

/// Pages with a box around all of them. Neighbours on the curve are neighbours on the globe, so that most of these boxes are small.
const BLOCK: usize = 128;

/// A page of places by position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct GlobePage {
    /// Position on the Hilbert curve from which on it has all places, up to that of the next page.
    pub first: u32,
    pub page: PageId,
    /// Low and high corners of the boxes around its populated places and around its sites with their extents; none: it has none.
    pub populated: Option<Corners>,
    pub sites: Option<Corners>,
}

/// Opposite corners of a box around unit vectors.
pub(crate) type Corners = [[f32; 3]; 2];

/// Corners that contain nothing.
const NOWHERE: Corners = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];

impl From<Vec<GlobePage>> for Globe {
    fn from(pages: Vec<GlobePage>) -> Self {
        let around = |block: &[GlobePage]| block.iter().flat_map(GlobePage::boxes).fold(NOWHERE, both);
        let around = pages.chunks(BLOCK).map(around).collect();
        Self { pages, around }
    }
}

impl From<Globe> for Vec<GlobePage> {
    fn from(globe: Globe) -> Self {
        globe.pages
    }
}

impl Globe {
    /// All pages.
    pub fn pages(&self) -> &[GlobePage] {
        &self.pages
    }

    /// The page whose part of the Hilbert curve has a position.
    pub fn page(&self, curve: u32) -> Option<PageId> {
        let at = self.pages.partition_point(|page| page.first <= curve).checked_sub(1)?;
        Some(self.pages[at].page)
    }

    /// Pages with places or sites in reach of a point (a squared chord), nearest first, at most so many.
    pub fn within(&self, point: [f64; 3], reach: f64, most: usize) -> impl Iterator<Item = PageId> {
        let blocks = self.pages.chunks(BLOCK).zip(&self.around);
        let pages = blocks.filter(|&(_, &around)| distance(point, around) <= reach).flat_map(|(block, _)| block);
        let pages = pages.map(|page| {
            let nearest = page.boxes().map(|corners| distance(point, corners)).fold(f64::INFINITY, f64::min);
            (nearest, page.page)
        });
        // The bits of numbers that are not negative are in their order.
        let near = pages.filter(|near| near.0 <= reach).map(|(distance, page)| (distance.to_bits(), page));
        in_order(near.collect()).take(most)
    }
}

impl GlobePage {
    /// Around its places, and around its sites.
    fn boxes(&self) -> impl Iterator<Item = Corners> {
        self.populated.into_iter().chain(self.sites)
    }
}

/// A box around two.
fn both([low, high]: Corners, [other_low, other_high]: Corners) -> Corners {
    [
        std::array::from_fn(|axis| low[axis].min(other_low[axis])),
        std::array::from_fn(|axis| high[axis].max(other_high[axis])),
    ]
}

/// Squared distance of a point from a box.
fn distance(point: [f64; 3], [low, high]: Corners) -> f64 {
    let nearest = std::array::from_fn(|axis| point[axis].max(f64::from(low[axis])).min(f64::from(high[axis])));
    chord(point, nearest)
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;

    /// Boxes along a line, as pages follow the curve, some of them large and some empty.
    fn pages(rng: &mut Rng, count: u32) -> Vec<GlobePage> {
        let corners = |rng: &mut Rng, number: u32| {
            let low = [number as f32 / count as f32, rng.f32(), rng.f32()];
            let size = if rng.u8(0..20) == 0 { 0.5 } else { 0.01 };
            [low, low.map(|side| side + size * rng.f32())]
        };
        let page = |number| GlobePage {
            first: number,
            page: PageId(count - number),
            populated: (rng.u8(0..10) > 0).then(|| corners(rng, number)),
            sites: rng.bool().then(|| corners(rng, number)),
        };
        (0..count).map(page).collect()
    }

    #[test]
    fn pages_in_reach_are_those_of_a_scan() {
        let mut rng = Rng::with_seed(11);
        for count in [0, 1, 127, 128, 129, 2_000] {
            let globe = Globe::from(pages(&mut rng, count));
            for _ in 0..200 {
                let point = std::array::from_fn(|_| rng.f64() * 1.2 - 0.1);
                let reach = [0.0, 1e-4, 1e-2, 0.2, 3.0][rng.usize(..5)];
                let most = [1, 4, usize::MAX][rng.usize(..3)];
                let near = |page: &GlobePage| {
                    let nearest = page.boxes().map(|corners| distance(point, corners)).min_by(f64::total_cmp);
                    nearest.filter(|&nearest| nearest <= reach).map(|nearest| (nearest, page.page))
                };
                let mut scan: Vec<_> = globe.pages().iter().filter_map(near).collect();
                scan.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                let scan: Vec<PageId> = scan.into_iter().map(|(_, page)| page).take(most).collect();
                assert_eq!(globe.within(point, reach, most).collect::<Vec<_>>(), scan, "{point:?} {reach}");
            }
        }
    }
}
