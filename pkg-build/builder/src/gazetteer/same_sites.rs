//! Merges a station or landmark that several sources hold, by id, else by name and distance.
//!
//! The site of the preferred [`Origin`](crate::sources::rows::Origin) keeps its id, position and type; it gets the
//! names of the others and the highest prominence. Within one source, sites are merged only by id: a source is assumed
//! to have no duplicates.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::sites::written_out;
use crate::sources::rows::{Iso2, Site};
use crate::text::{key, key_hash};

/// Two sites with the same name from two sources are the same if they are nearer than this plus the extent of the
/// larger one.
pub(crate) const SAME_SITE_M: f64 = 1_200.0;

/// Returns the sites without duplicates, in order of their origin, then in input order.
pub(crate) fn merge(mut sites: Vec<Site>) -> Vec<Site> {
    sites.sort_by_key(|site| site.origin);
    let mut kept = Kept::default();
    for site in sites {
        match kept.find(&site) {
            Some(index) => absorb(&mut kept.sites[index], site),
            None => kept.push(site),
        }
    }
    kept.sites
}

#[derive(Default)]
struct Kept {
    sites: Vec<Site>,
    by_slug: HashMap<String, usize>,
    by_name: HashMap<(Iso2, u64), Vec<usize>>,
}

impl Kept {
    fn find(&self, site: &Site) -> Option<usize> {
        let namesakes = || names(site).filter_map(|name| self.by_name.get(&(site.country, name))).flatten();
        let by_name = || namesakes().copied().find(|&index| is_same(&self.sites[index], site));
        self.by_slug.get(&site.slug).copied().or_else(by_name)
    }

    fn push(&mut self, site: Site) {
        let index = self.sites.len();
        for name in names(&site) {
            self.by_name.entry((site.country, name)).or_default().push(index);
        }
        self.by_slug.insert(site.slug.clone(), index);
        self.sites.push(site);
    }
}

/// The names that identify a site. Names of unknown language do not: they may belong to another place.
fn names(site: &Site) -> impl Iterator<Item = u64> {
    site.tagged.iter().map(|name| &name.text).chain([&site.name]).map(|name| key_hash(&written_out(name)))
}

fn is_same(kept: &Site, site: &Site) -> bool {
    let reach = kept.extent_m.max(site.extent_m);
    kept.origin != site.origin && kept.position.distance_m(site.position) < SAME_SITE_M + reach
}

fn absorb(kept: &mut Site, other: Site) {
    if key(&other.name) != key(&kept.name) {
        kept.merged.push(other.name);
    }
    kept.merged.extend(other.merged);
    kept.alternates.extend(other.alternates);
    kept.tagged.extend(other.tagged);
    if kept.prominence.total_cmp(&other.prominence) == Ordering::Less {
        kept.prominence = other.prominence;
    }
    if kept.city.is_empty() {
        kept.city = other.city;
    }
}

#[cfg(test)]
mod tests {
    use toponym_engine::geo::Coordinate;

    use super::*;
    use crate::sources::rows::Origin;

    fn site(slug: &str, origin: Origin, name: &str, lat: f64, prominence: f64) -> Site {
        Site {
            slug: slug.to_owned(),
            origin,
            name: name.to_owned(),
            tagged: Vec::new(),
            alternates: Vec::new(),
            merged: Vec::new(),
            country: *b"FR",
            city: String::new(),
            position: Coordinate::new(lat, 2.0).expect("a test coordinate is in range"),
            r#type: "museum".to_owned(),
            prominence,
            extent_m: 300.0,
        }
    }

    #[test]
    fn the_preferred_source_is_kept() {
        use Origin::{Added, Curated, Operator, Pinned};
        let check = |sites: &[Site], expect: &[(&str, f64, usize)]| {
            let found = merge(sites.to_vec());
            let found: Vec<_> =
                found.iter().map(|site| (site.slug.as_str(), site.prominence, site.merged.len())).collect();
            assert_eq!(found, expect);
        };
        let curated = site("louvre", Curated, "Louvre", 48.0, 0.5);
        check(&[site("g-1", Added, "LOUVRE", 48.01, 0.0), curated.clone()], &[("louvre", 0.5, 0)]);
        check(&[curated.clone(), site("mine", Operator, "Louvre", 48.0, 0.1)], &[("mine", 0.5, 0)]);
        check(&[curated.clone(), site("louvre", Operator, "The Louvre", 40.0, 0.9)], &[("louvre", 0.9, 1)]);
        check(&[curated.clone(), site("far", Pinned, "Louvre", 48.1, 0.0)], &[("louvre", 0.5, 0), ("far", 0.0, 0)]);
        check(
            &[curated.clone(), site("other", Curated, "Louvre", 48.0, 0.0)],
            &[("louvre", 0.5, 0), ("other", 0.0, 0)],
        );
    }

    #[test]
    fn sites_with_one_name_are_the_same_within_their_extent() {
        use Origin::{Curated, Operator};
        let check = |metres: f64, name: &str, expect: usize| {
            let lat = 48.0 + metres / toponym_engine::geo::METRES_PER_DEGREE;
            let sites = vec![site("a", Curated, "Louvre", 48.0, 0.5), site("b", Operator, name, lat, 0.5)];
            assert_eq!(merge(sites).len(), expect, "{metres} {name}");
        };
        // 1,200 m, and the 300 m that the larger one reaches.
        check(1_490.0, "Louvre", 1);
        check(1_510.0, "Louvre", 2);
        check(0.0, "Orsay", 2);
        let (a, b) = crate::gazetteer::test_pair(SAME_SITE_M + 300.0);
        let sites = [(Curated, "a", a), (Operator, "b", b)];
        let sites = sites.map(|(origin, slug, position)| Site { position, ..site(slug, origin, "Louvre", 0.0, 0.5) });
        assert_eq!(merge(sites.to_vec()).len(), 2, "exactly as far as one may reach");
    }

    #[test]
    fn merged_sites_keep_their_names_and_city() {
        use Origin::{Curated, Operator};
        let tagged = |text: &str| crate::sources::rows::Tagged { lang: "fr".into(), text: text.into() };
        let kept = site("mine", Operator, "Louvre", 48.0, 0.1);
        let other = Site {
            alternates: vec!["Luwr".into()],
            merged: vec!["Palais".into()],
            tagged: vec![tagged("Le Louvre")],
            city: "Paris".into(),
            ..site("mine", Curated, "The Louvre", 48.0, 0.5)
        };
        let check = |kept: Site, city: &str| {
            let found = merge(vec![kept, other.clone()]);
            let found = found.first().expect("they are one");
            assert_eq!(
                (found.alternates.as_slice(), found.tagged.as_slice()),
                (&["Luwr".to_owned()][..], &[tagged("Le Louvre")][..])
            );
            assert_eq!(
                (found.merged.as_slice(), found.city.as_str()),
                (&["The Louvre".to_owned(), "Palais".to_owned()][..], city)
            );
        };
        check(kept.clone(), "Paris");
        check(Site { city: "Lens".into(), ..kept }, "Lens");
    }
}
