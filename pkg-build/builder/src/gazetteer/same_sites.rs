//! Merges a station or landmark that several sources hold.
//!
//! The site of the preferred [`crate::sources::rows::Origin`] keeps its id, position and type; it gets the
//! names of the others and the highest prominence. Within one source, sites are merged only by id: a source is assumed
//! to have no duplicates. Two rows of one of an operator's own files are not merged by way of a third site either.

use std::cmp::Ordering;

use super::matcher::{Kind, Matcher, Subject};
use super::sites::{self, STATION, written_out};
use crate::sources::rows::Site;
use crate::text::{key, key_hash};

/// Returns the sites without duplicates, in order of their origin, then in input order.
pub(crate) fn merge(mut sites: Vec<Site>, matcher: &mut Matcher) -> Vec<Site> {
    sites.sort_by_key(|site| site.origin);
    let mut same = Vec::new();
    let subjects: Vec<Subject> = sites.iter().map(subject).collect();
    matcher.duplicates(&subjects, |kept, other| same.push((kept, other)));
    drop(subjects);
    let mut rows: Vec<Option<Site>> = sites.into_iter().map(Some).collect();
    for (kept, other) in same {
        let other = rows[other].take().expect("a site is part of one other");
        absorb(rows[kept].as_mut().expect("what is kept is there"), other);
    }
    rows.into_iter().flatten().collect()
}

/// Returns what the matcher compares of a site. Names of unknown language do not identify it: they may belong to another place.
pub(crate) fn subject(site: &Site) -> Subject<'_> {
    let kind = if site.r#type == STATION { Kind::Station } else { Kind::Landmark(&site.r#type) };
    let ranked = site.ranked.iter().map(|ranked| &ranked.name.text);
    let others = site.tagged.iter().map(|name| &name.text).chain(ranked).map(|name| key_hash(&written_out(name)));
    Subject {
        label: &site.slug,
        extent_m: site.reach_m(),
        origin: site.origin,
        first: key_hash(&written_out(&site.name)),
        others: others.collect(),
        ..Subject::new(sites::id(site), &site.name, site.country, site.position, kind)
    }
}

fn absorb(kept: &mut Site, other: Site) {
    if key(&other.name) != key(&kept.name) {
        kept.merged.push(other.name);
    }
    kept.merged.extend(other.merged);
    kept.alternates.extend(other.alternates);
    kept.tagged.extend(other.tagged);
    kept.ranked.extend(other.ranked);
    if kept.prominence.total_cmp(&other.prominence) == Ordering::Less {
        kept.prominence = other.prominence;
    }
    kept.extent_m = kept.extent_m.or(other.extent_m);
    if kept.city.is_empty() {
        kept.city = other.city;
    }
}

#[cfg(test)]
mod tests {
    use toponym_engine::geo::Coordinate;

    use super::*;
    use crate::gazetteer::matcher::{Imported, Merges, OwnRow, ROWS, SAME_SITE_M};
    use crate::sources::rows::{Origin, Tagged};

    fn merge(sites: Vec<Site>) -> Vec<Site> {
        let groups = [("museum", "building"), ("castle", "building"), ("park", "green")];
        let groups = groups.map(|(name, group)| (name.to_owned(), group.to_owned())).into();
        let mut imported = Imported::default();
        for site in &sites {
            // The files of the tests have one letter.
            if let Some((file, _)) = site.slug.split_once('/') {
                let file = file.bytes().next().map_or(0, u32::from);
                imported.add_own(sites::id(site), OwnRow { file, id: site.slug.clone() });
            }
        }
        super::merge(sites, &mut Matcher::new(ROWS, &groups, &mut imported, &mut Merges::default()))
    }

    fn site(slug: &str, origin: Origin, name: &str, lat: f64, prominence: f64) -> Site {
        Site {
            slug: slug.to_owned(),
            origin,
            name: name.to_owned(),
            tagged: Vec::new(),
            ranked: Vec::new(),
            alternates: Vec::new(),
            merged: Vec::new(),
            country: *b"FR",
            city: String::new(),
            position: Coordinate::new(lat, 2.0).expect("a test coordinate is in range"),
            r#type: "museum".to_owned(),
            prominence,
            extent_m: None,
            bounds: None,
        }
    }

    #[test]
    fn the_preferred_source_is_kept() {
        use Origin::{Added, Curated, Operator, Pinned};
        let curated = site("louvre", Curated, "Louvre", 48.0, 0.5);
        check_kept(&[site("g-1", Added, "LOUVRE", 48.01, 0.0), curated.clone()], &[("louvre", 0.5, 0)]);
        check_kept(&[curated.clone(), site("mine", Operator, "Louvre", 48.0, 0.1)], &[("mine", 0.5, 0)]);
        check_kept(&[curated.clone(), site("louvre", Operator, "The Louvre", 40.0, 0.9)], &[("louvre", 0.9, 1)]);
        check_kept(
            &[curated.clone(), site("far", Pinned, "Louvre", 48.1, 0.0)],
            &[("louvre", 0.5, 0), ("far", 0.0, 0)],
        );
        check_kept(
            &[curated.clone(), site("other", Curated, "Louvre", 48.0, 0.0)],
            &[("louvre", 0.5, 0), ("other", 0.0, 0)],
        );
    }

    fn check_kept(sites: &[Site], expect: &[(&str, f64, usize)]) {
        let found = merge(sites.to_vec());
        let found: Vec<_> = found.iter().map(|site| (site.slug.as_str(), site.prominence, site.merged.len())).collect();
        assert_eq!(found, expect);
    }

    #[test]
    fn namesake_sites_merge_within_their_extent() {
        use Origin::{Curated, Operator};
        // 1,200 m, and the 300 m that the larger one reaches.
        check_extent(1_490.0, "Louvre", 1);
        check_extent(1_510.0, "Louvre", 2);
        check_extent(0.0, "Orsay", 2);
        let (a, b) = crate::gazetteer::test_pair(SAME_SITE_M + 300.0);
        let sites = [(Curated, "a", a), (Operator, "b", b)];
        let sites = sites.map(|(origin, slug, position)| Site { position, ..site(slug, origin, "Louvre", 0.0, 0.5) });
        assert_eq!(merge(sites.to_vec()).len(), 2, "exactly as far as one may reach");
    }

    fn check_extent(metres: f64, name: &str, expect: usize) {
        let lat = 48.0 + metres / toponym_engine::geo::METRES_PER_DEGREE;
        let sites = vec![site("a", Origin::Curated, "Louvre", 48.0, 0.5), site("b", Origin::Operator, name, lat, 0.5)];
        assert_eq!(merge(sites).len(), expect, "{metres} {name}");
    }

    #[test]
    fn sites_of_other_kinds_stay_apart() {
        use Origin::{Added, Curated, Operator};
        check_kinds(("a", "museum", Curated), ("f/1", "castle", Operator), 1);
        check_kinds(("a", "museum", Curated), ("f/1", "park", Operator), 2);
        check_kinds(("a", "museum", Curated), ("f/1", "attraction", Operator), 1);
        check_kinds(("f/1", "museum", Operator), ("f/2", "museum", Operator), 2);
        check_kinds(("f/1", "museum", Operator), ("g/1", "museum", Operator), 1);
        // A table of GeoNames, and two files of sources with an adapter.
        check_kinds(("geonames-1", "museum", Added), ("geonames-2", "museum", Added), 2);
        check_kinds(("geonames-1", "museum", Added), ("f/1", "museum", Added), 1);
        check_kinds(("f/1", "museum", Added), ("g/1", "museum", Added), 1);
        check_kinds(("f/1", "museum", Added), ("f/2", "museum", Added), 2);
    }

    fn check_kinds(a: (&str, &str, Origin), b: (&str, &str, Origin), expect: usize) {
        assert_eq!(merge(vec![site_of(a), site_of(b)]).len(), expect, "{a:?} {b:?}");
    }

    fn site_of((slug, r#type, origin): (&str, &str, Origin)) -> Site {
        Site { r#type: r#type.to_owned(), ..site(slug, origin, "Louvre", 48.0, 0.5) }
    }

    #[test]
    fn two_own_sites_stay_two_beside_another() {
        use Origin::{Curated, Operator};
        let found = merge(vec![
            louvre("g/1", Operator),
            louvre("f/1", Operator),
            louvre("f/2", Operator),
            louvre("louvre", Curated),
        ]);
        let slugs: Vec<&str> = found.iter().map(|site| site.slug.as_str()).collect();
        assert_eq!(slugs, ["g/1", "f/2"]);
    }

    fn louvre(slug: &str, origin: Origin) -> Site {
        site(slug, origin, "Louvre", 48.0, 0.5)
    }

    #[test]
    fn merged_sites_keep_their_names_and_city() {
        use Origin::{Curated, Operator};
        let kept = site("mine", Operator, "Louvre", 48.0, 0.1);
        let other = Site {
            alternates: vec!["Luwr".into()],
            merged: vec!["Palais".into()],
            tagged: vec![tagged_name("Le Louvre")],
            city: "Paris".into(),
            ..site("mine", Curated, "The Louvre", 48.0, 0.5)
        };
        let check = |kept: Site, city: &str| {
            let found = merge(vec![kept, other.clone()]);
            let found = found.first().expect("they are one");
            assert_eq!(
                (found.alternates.as_slice(), found.tagged.as_slice()),
                (&["Luwr".to_owned()][..], &[tagged_name("Le Louvre")][..])
            );
            assert_eq!(
                (found.merged.as_slice(), found.city.as_str()),
                (&["The Louvre".to_owned(), "Palais".to_owned()][..], city)
            );
        };
        check(kept.clone(), "Paris");
        check(Site { city: "Lens".into(), ..kept }, "Lens");
    }

    fn tagged_name(text: &str) -> Tagged {
        Tagged { lang: "fr".into(), text: text.into() }
    }
}
