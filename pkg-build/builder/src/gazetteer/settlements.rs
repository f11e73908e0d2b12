//! Prepares settlements: merges near-duplicates, and adds city names of time zones and of the alias tables.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use itertools::Itertools;

use super::matcher::{Kind, Matcher, Subject};
use crate::error::BuildError;
use crate::feature::Feature;
use crate::importance;
use crate::sources::rows::{Alias, Iso2, Settlement, Tagged};
use crate::text::{key, key_hash};

/// Minimum population of a city with numbered districts.
const DISTRICTED_CITY: u64 = 100_000;

/// Merges settlements that sources list twice. The more important one keeps its id and division; it gets the names of both and the larger
/// population.
pub(crate) fn merge_duplicates(settlements: Vec<Settlement>, matcher: &mut Matcher) -> Vec<Settlement> {
    let mut order: Vec<(f64, usize)> =
        with_namesakes(&settlements).map(|index| (rank(&settlements[index]), index)).collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| settlements[a.1].id.cmp(&settlements[b.1].id)));
    let subjects: Vec<Subject> = order.iter().map(|&(_, index)| subject(&settlements[index])).collect();
    let mut same = Vec::new();
    matcher.duplicates(&subjects, |kept, other| same.push((order[kept].1, order[other].1)));
    let mut rows: Vec<Option<Settlement>> = settlements.into_iter().map(Some).collect();
    for (kept, other) in same {
        let other = rows[other].take().expect("a row is part of one other");
        absorb(rows[kept].as_mut().expect("what is kept is there"), other);
    }
    rows.into_iter().flatten().sorted_by_key(|settlement| settlement.id).collect()
}

fn rank(settlement: &Settlement) -> f64 {
    importance::settlement(settlement.people(), settlement.feature, 0)
}

/// Returns the indices of settlements whose name another one has. There may be millions, of which few have one.
fn with_namesakes(settlements: &[Settlement]) -> impl Iterator<Item = usize> {
    let keys = (0..).zip(settlements).map(|(index, s)| (key_hash(&s.name), index));
    let sorted: Vec<(u64, usize)> = keys.sorted_unstable().collect();
    let groups: Vec<usize> =
        sorted.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1).flatten().map(|&(_, index)| index).collect();
    groups.into_iter()
}

/// Returns what the matcher compares of a settlement: its display name alone, because the others may be those of a place around it.
pub(crate) fn subject(settlement: &Settlement) -> Subject<'_> {
    let Settlement { id, name, country, position, feature, population, admin1, .. } = settlement;
    let kind =
        Kind::Settlement { is_part: *feature == Feature::Section, has_people: *population > 0, division: admin1 };
    Subject::new(*id, name, *country, *position, kind)
}

fn absorb(kept: &mut Settlement, other: Settlement) {
    kept.population = kept.population.max(other.population);
    kept.counts_as = kept.counts_as.max(other.counts_as);
    kept.tagged.extend(other.tagged);
    kept.ranked.extend(other.ranked);
    kept.alternates.push(other.name);
    kept.alternates.extend(other.alternates);
    kept.alternates.sort();
    kept.alternates.dedup();
    if kept.admin2.is_empty() && kept.admin1 == other.admin1 {
        kept.admin2 = other.admin2;
    }
}

/// Marks numbered districts that GeoNames does not mark as sections: "Paris 06 Luxembourg", "Lyon 08".
pub(crate) fn mark_districts(settlements: &mut [Settlement]) {
    let cities: BTreeSet<(Iso2, String)> = settlements
        .iter()
        .filter(|settlement| settlement.population >= DISTRICTED_CITY)
        .map(|settlement| (settlement.country, settlement.name.clone()))
        .collect();
    for settlement in settlements {
        let Some(digit) = settlement.name.find(|c: char| c.is_ascii_digit()) else { continue };
        let city = settlement.name[..digit].trim_end();
        if cities.contains(&(settlement.country, city.to_owned())) {
            settlement.feature = Feature::Section;
        }
    }
}

/// Tags the city that each time zone is named after with its names from `zones`. It is the most populous city in that
/// zone whose name is that of the zone's id or its English name; zones named after islands and stations have none.
pub(crate) fn tag_zone_cities(
    settlements: &mut [Settlement],
    zones: &BTreeMap<String, Vec<Tagged>>,
    today: &BTreeMap<String, String>,
) {
    let mut by_zone: HashMap<Arc<str>, Vec<usize>> = HashMap::new();
    for (index, settlement) in settlements.iter().enumerate() {
        by_zone.entry(settlement.timezone.clone()).or_default().push(index);
    }
    for (id, names) in zones {
        let zone = today.get(id).unwrap_or(id);
        let in_zone = by_zone.get(zone.as_str()).map(Vec::as_slice).unwrap_or_default();
        let wanted = zone_names(id, zone, names);
        let city = in_zone
            .iter()
            .filter(|index| is_called(&settlements[**index], &wanted))
            .max_by_key(|&&index| (settlements[index].population, !index));
        if let Some(&index) = city {
            settlements[index].tagged.splice(0..0, names.iter().map(clean_tag));
        }
    }
}

/// Returns the keys of possible names of a zone's city: `America/Indiana/Knox` gives `Knox`, and its English name.
fn zone_names(id: &str, today: &str, names: &[Tagged]) -> BTreeSet<String> {
    let of_ids = [id, today].map(|id| key(id.rsplit('/').next().unwrap_or(id)));
    let english = names.iter().filter(|name| name.lang == "en").map(|name| key(&clean_tag(name).text));
    english.chain(of_ids).collect()
}

/// Removes the suffix by which CLDR distinguishes namesakes: `Knox [Indiana]`, `Knox, Indiana`.
fn clean_tag(name: &Tagged) -> Tagged {
    let text = crate::names::without_note(&name.text).0;
    let text = text.split([',', '、', '،']).next().unwrap_or(text).trim();
    Tagged { lang: name.lang.clone(), text: text.to_owned() }
}

fn is_called(settlement: &Settlement, keys: &BTreeSet<String>) -> bool {
    keys.contains(&key(&settlement.name)) || settlement.alternates.iter().any(|name| keys.contains(&key(name)))
}

/// Returns the aliases of each settlement by id. An alias belongs to the most populous settlement with its country and name.
///
/// # Errors
/// When a country has no settlement of that name.
pub(crate) fn aliases<'a>(
    settlements: &[Settlement],
    aliases: impl Iterator<Item = &'a Alias> + Clone,
) -> Result<HashMap<u64, Vec<&'a Alias>>, BuildError> {
    let wanted: BTreeSet<(Iso2, String)> = aliases.clone().map(|alias| (alias.country, key(&alias.place))).collect();
    let mut greatest: HashMap<(Iso2, String), &Settlement> = HashMap::new();
    for settlement in settlements {
        let name = (settlement.country, key(&settlement.name));
        if wanted.contains(&name) {
            let best = greatest.entry(name).or_insert(settlement);
            if settlement.population > best.population {
                *best = settlement;
            }
        }
    }
    // An imported row may have renamed it; its old name is kept among the others.
    let missing: BTreeSet<&(Iso2, String)> = wanted.iter().filter(|name| !greatest.contains_key(*name)).collect();
    for settlement in settlements.iter().filter(|_| !missing.is_empty()) {
        for name in settlement.alternates.iter().map(|name| (settlement.country, key(name))) {
            if missing.contains(&name) && greatest.get(&name).is_none_or(|best| settlement.population > best.population)
            {
                greatest.insert(name, settlement);
            }
        }
    }
    let mut found: HashMap<u64, Vec<&Alias>> = HashMap::new();
    for alias in aliases {
        let settlement = greatest.get(&(alias.country, key(&alias.place))).ok_or_else(|| BuildError::Row {
            file: "data/tables/city-aliases.csv".to_owned(),
            at: format!("row {:?}, field place", alias.text),
            message: format!("{} has no settlement {:?}", String::from_utf8_lossy(&alias.country), alias.place),
        })?;
        found.entry(settlement.id).or_default().push(alias);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use toponym_engine::NameClass;
    use toponym_engine::geo::Coordinate;

    use super::*;
    use crate::gazetteer::matcher::{Imported, Merges, OwnRow, ROWS, SAME_PLACE_M};
    use crate::gazetteer::test_settlement as settlement;

    fn merge_duplicates(settlements: Vec<Settlement>) -> Vec<Settlement> {
        merge_into(settlements, &mut Imported::default(), &mut Merges::default())
    }

    fn merge_into(settlements: Vec<Settlement>, imported: &mut Imported, merges: &mut Merges) -> Vec<Settlement> {
        super::merge_duplicates(settlements, &mut Matcher::new(ROWS, &BTreeMap::new(), imported, merges))
    }

    /// Checks two places of one name: the own file of each, the second population and the metres between them.
    #[test]
    fn rows_of_one_own_file_are_no_duplicates() {
        check_duplicates([Some(1), Some(1)], 7, 750.0, 2);
        check_duplicates([Some(1), Some(2)], 7, 750.0, 1);
        check_duplicates([None, Some(1)], 7, 750.0, 1);
        check_duplicates([None, None], 7, 750.0, 1);
        // Only sources that do not count people place a town where its name stands on a map.
        check_duplicates([None, None], 0, 7_000.0, 1);
        check_duplicates([None, Some(1)], 0, 7_000.0, 2);
    }

    fn check_duplicates(files: [Option<u32>; 2], population: u64, metres: f64, expect: usize) {
        let lat = 48.0 + metres / toponym_engine::geo::METRES_PER_DEGREE;
        let mut imported = Imported::default();
        let mut merges = Merges::default();
        for (id, file) in (1..).zip(files) {
            file.into_iter().for_each(|file| imported.add_own(id, OwnRow { file, id: format!("own/{id}") }));
        }
        let both = vec![settlement(1, "Ville", (48.0, 2.0), 9_000), settlement(2, "Ville", (lat, 2.0), population)];
        let found = merge_into(both, &mut imported, &mut merges);
        assert_eq!(found.len(), expect, "{files:?} {population} {metres}");
        assert_eq!(merges.count(), 2 - expect, "{files:?}");
    }

    #[test]
    fn near_duplicates_become_one() {
        let town = settlement(1, "Ville", (48.0, 2.0), 5_000);
        let centre = Settlement {
            alternates: vec!["Villa".into()],
            feature: Feature::Section,
            ..settlement(2, "VILLE", (48.01, 2.0), 9_000)
        };
        let far = settlement(3, "Ville", (48.1, 2.0), 100);
        let abroad = Settlement { country: *b"BE", ..settlement(4, "Ville", (48.0, 2.0), 100) };
        let merged = merge_duplicates(vec![far, centre, abroad, town]);
        let found: Vec<_> = merged.iter().map(|s| (s.id, s.population)).collect();
        assert_eq!(found, [(1, 9_000), (3, 100), (4, 100)]);
        assert_eq!(merged[0].alternates, ["VILLE", "Villa"]);
    }

    #[test]
    fn numbered_districts_are_sections() {
        let mut settlements = vec![
            settlement(1, "Paris", (48.8, 2.3), 2_000_000),
            settlement(2, "Paris 06 Luxembourg", (48.8, 2.3), 40_000),
            settlement(3, "Sector 1", (44.0, 26.0), 200_000),
            settlement(4, "Parish 7", (44.0, 26.0), 20),
        ];
        mark_districts(&mut settlements);
        let sections: Vec<bool> = settlements.iter().map(|s| s.feature == Feature::Section).collect();
        assert_eq!(sections, [false, true, false, false]);
    }

    #[test]
    fn zones_name_their_greatest_city() {
        let mut settlements =
            vec![indian(1, "Kolkata", 50), indian(2, "Kolkata", 4_000_000), indian(3, "Delhi", 9_000_000)];
        let zones = BTreeMap::from([
            ("Asia/Calcutta".to_owned(), vec![name("en", "Kolkata"), name("fr", "Calcutta [Inde]")]),
            ("Antarctica/Troll".to_owned(), vec![name("fr", "Troll")]),
        ]);
        let today = BTreeMap::from([("Asia/Calcutta".to_owned(), "Asia/Kolkata".to_owned())]);
        tag_zone_cities(&mut settlements, &zones, &today);
        let tagged: Vec<usize> = settlements.iter().map(|s| s.tagged.len()).collect();
        assert_eq!(tagged, [0, 2, 0]);
        assert_eq!(settlements[1].tagged[1], name("fr", "Calcutta"));
    }

    fn name(lang: &str, text: &str) -> Tagged {
        Tagged { lang: lang.into(), text: text.into() }
    }

    fn indian(id: u64, name: &str, population: u64) -> Settlement {
        Settlement { timezone: "Asia/Kolkata".into(), ..settlement(id, name, (22.0, 88.0), population) }
    }

    #[test]
    fn an_alias_needs_its_place() {
        let settlements = [settlement(1, "Köln", (50.9, 6.9), 9), settlement(2, "Koln", (51.0, 7.0), 7)];
        let right = [alias("Köln")];
        assert_eq!(aliases(&settlements, right.iter()).expect("the place is there").keys().collect::<Vec<_>>(), [&1]);
        let message = aliases(&settlements, [alias("Kölln")].iter()).expect_err("there is none").to_string();
        assert!(message.contains("city-aliases.csv") && message.contains("Kölln"), "{message}");
    }

    fn alias(place: &str) -> Alias {
        Alias {
            is_shown: false,
            country: *b"FR",
            place: place.into(),
            text: "Cologne".into(),
            lang: None,
            class: NameClass::English,
        }
    }

    #[test]
    fn a_duplicates_county_counts_within_its_state() {
        check_county(["11", ""], ["11", "77"], "77");
        check_county(["11", ""], ["12", "77"], "");
        check_county(["11", "75"], ["11", "77"], "75");
        check_county(["11", "75"], ["12", "77"], "75");
    }

    fn check_county(kept: [&str; 2], other: [&str; 2], expect: &str) {
        let merged = merge_duplicates(vec![in_division(1, 9_000, kept), in_division(2, 10, other)]);
        assert_eq!((merged.len(), &*merged[0].admin2), (1, expect), "{kept:?} {other:?}");
    }

    fn in_division(id: u64, population: u64, [admin1, admin2]: [&str; 2]) -> Settlement {
        Settlement { admin1: admin1.into(), admin2: admin2.into(), ..settlement(id, "Ville", (48.0, 2.0), population) }
    }

    #[test]
    fn namesakes_merge_within_three_kilometres() {
        check_distance(2_990.0, 1);
        check_distance(3_010.0, 2);
        let (a, b) = crate::gazetteer::test_pair(SAME_PLACE_M);
        assert_eq!(merge_duplicates(vec![ville(1, a), ville(2, b)]).len(), 2, "exactly three kilometres");
    }

    fn ville(id: u64, position: Coordinate) -> Settlement {
        Settlement { position, ..settlement(id, "Ville", (0.0, 0.0), 9) }
    }

    fn check_distance(metres: f64, expect: usize) {
        let lat = 48.0 + metres / toponym_engine::geo::METRES_PER_DEGREE;
        let found =
            merge_duplicates(vec![settlement(1, "Ville", (48.0, 2.0), 9), settlement(2, "Ville", (lat, 2.0), 7)]);
        assert_eq!(found.len(), expect, "{metres}");
    }

    #[test]
    fn zone_cities_may_have_other_names() {
        check_zone_cities(&["Paris"], [5, 9], [0, 2]);
        check_zone_cities(&["Paris"], [9, 5], [2, 0]);
        // Of two that are as great, the first.
        check_zone_cities(&["Paris"], [5, 5], [2, 0]);
        check_zone_cities(&["Paname"], [5, 9], [0, 2]);
        check_zone_cities(&["Lutèce"], [5, 9], [0, 0]);
        check_zone_cities(&["Ville", "Paris"], [5, 9], [0, 2]);
        check_zone_cities(&["Ville"], [5, 9], [0, 0]);
    }

    fn check_zone_cities(called: &[&str], population: [u64; 2], expect: [usize; 2]) {
        let of = |id: u64, population| Settlement {
            alternates: called[1..].iter().map(|&name| name.to_owned()).collect(),
            ..settlement(id, called[0], (48.0, 2.0), population)
        };
        let mut settlements = vec![of(1, population[0]), of(2, population[1])];
        let zones = BTreeMap::from([("Europe/Paris".to_owned(), vec![name("en", "Paname"), name("fr", "Lutèce")])]);
        tag_zone_cities(&mut settlements, &zones, &BTreeMap::new());
        assert_eq!([settlements[0].tagged.len(), settlements[1].tagged.len()], expect, "{called:?}");
    }

    #[test]
    fn an_alias_goes_to_the_greatest_namesake() {
        check_alias([9, 7, 5], 1);
        check_alias([5, 9, 7], 2);
        check_alias([5, 7, 9], 3);
        // Of two that are as great, the first.
        check_alias([9, 9, 9], 1);
    }

    fn check_alias(populations: [u64; 3], expect: u64) {
        let settlements = [1, 2, 3].map(|id| settlement(id, "Köln", (50.9, 6.9), populations[id as usize - 1]));
        let alias = [Alias {
            is_shown: false,
            country: *b"FR",
            place: "Köln".into(),
            text: "Cologne".into(),
            lang: None,
            class: NameClass::English,
        }];
        let found = aliases(&settlements, alias.iter()).expect("the place is there");
        assert_eq!(found.keys().collect::<Vec<_>>(), [&expect], "{populations:?}");
    }
}
