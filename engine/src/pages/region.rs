//! The pages of a region, for going offline with it on purpose.

use std::collections::BTreeSet;

use super::page_id::PageId;
use super::paged::{Needed, Paged};
use crate::answer::Answer;
use crate::filter::Filter;
use crate::geo::{Bounds, Coordinate, metres_to_chord};
use crate::text::fold;

impl Paged {
    /// Returns the pages with which places in some countries, in a box, or both are found by their names and by
    /// position: by display names, and by names in `lang`.
    pub fn pages_of(&self, region: &Filter, lang: Option<&str>) -> Answer<Vec<PageId>> {
        self.in_region(region, lang).map_or_else(Answer::Missing, Answer::Ready)
    }

    fn in_region(&self, region: &Filter, lang: Option<&str>) -> Needed<Vec<PageId>> {
        let index = self.root_index();
        let of_countries = region.countries.iter().filter_map(|&code| Some(index.country_place(code)?.bounds()));
        let boxes: Vec<Bounds> = region.bounds.map_or_else(|| of_countries.collect(), |bounds| vec![bounds]);
        let mut pages: BTreeSet<PageId> = BTreeSet::new();
        for bounds in boxes {
            let (centre, radius_m) = around(bounds);
            pages.extend(self.directory().globe.within(centre.unit_vector(), metres_to_chord(radius_m), usize::MAX));
        }
        let engine = self.engine(&pages, lang, &[])?;
        let index = engine.index();
        let languages = index.languages(lang);
        for place in index.copies() {
            let is_in_countries = region.countries.is_empty() || region.countries.contains(&place.country().iso2);
            if !is_in_countries || !region.bounds.is_none_or(|bounds| bounds.contains(place.position())) {
                continue;
            }
            pages.extend(self.directory().border_pages(place.position()));
            pages.extend(self.directory().id_page(place.id()));
            for name in [place.display_name(), place.name_in(&languages)] {
                pages.extend(self.directory().names.path(&fold(name)));
            }
        }
        Ok(pages.into_iter().collect())
    }
}

/// Returns a circle around a box: its centre, and its radius in metres.
fn around(bounds: Bounds) -> (Coordinate, f64) {
    let Bounds { south, north, west, east } = bounds;
    let width = if west > east { east + 360.0 - west } else { east - west };
    let lon = west + width / 2.0;
    let lat = (south + north) / 2.0;
    let centre = Coordinate { lat, lon: if lon > 180.0 { lon - 360.0 } else { lon } };
    // A parallel near the equator is the farthest from the centre; a box wider than half the globe is everywhere. `clamp` can
    // panic, and its message brings 9 kB of code to print numbers.
    let corners = [south, north, 0.0_f64.max(south).min(north)].map(|lat| Coordinate { lat, lon: west });
    let farthest = corners.iter().map(|corner| centre.distance_m(*corner)).fold(0.0, f64::max);
    (centre, if width > 180.0 { HALF_ROUND_M } else { farthest })
}

/// Half of the way around the globe, in metres.
const HALF_ROUND_M: f64 = 20_100_000.0;
