//! Merges imported settlements: those of GeoNames by id, those of the plain schema by id, else by name, kind and distance.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::super::matcher::{Known, Matcher, OwnRow, Subject, Why};
use super::super::settlements::subject;
use crate::feature::Feature;
use crate::progress::Step;
use crate::sources::rows::Settlement;
use crate::spatial::Nearby;
use crate::text::{key, key_hash};

/// An imported settlement without a division gets that of the nearest settlement within this distance.
const DIVISION_REACH_M: f64 = 30_000.0;

/// Shorter names other than the first do not identify a settlement.
const SHORTEST_OTHER_NAME: usize = 3;

/// Rules for a merge of imported settlements.
pub(super) struct Merging {
    /// Name of the settlements in the progress.
    pub step: &'static str,
    /// `true` if they may also agree in a name other than the first.
    pub other_names: bool,
    /// Combines the known and the imported population.
    pub population: fn(u64, u64) -> u64,
}

/// A settlement in the plain schema.
pub(super) struct Plain {
    /// Row of the settlement, if the file is an operator's own.
    pub row: Option<OwnRow>,
    pub settlement: Settlement,
}

/// Merges settlements of tables: those with the same id are the same. If a table repeats an id, the last row wins.
pub(super) fn add_settlements(settlements: &mut Vec<Settlement>, added: Vec<Settlement>, matcher: &mut Matcher) {
    added.iter().for_each(|settlement| matcher.imported.add(settlement.id));
    put(settlements, added, |_, known, new| matcher.join(&subject(known), &subject(new), Why::Id));
}

/// Adds settlements, or renews those with the same id. Calls `note` with the number, the known and the new one of the latter.
fn put(
    settlements: &mut Vec<Settlement>,
    added: Vec<Settlement>,
    mut note: impl FnMut(usize, &Settlement, &Settlement),
) {
    let mut known: HashMap<u64, usize> =
        settlements.iter().enumerate().map(|(index, settlement)| (settlement.id, index)).collect();
    settlements.reserve(added.len());
    for (number, settlement) in added.into_iter().enumerate() {
        match known.get(&settlement.id) {
            Some(&index) => {
                note(number, &settlements[index], &settlement);
                renew(&mut settlements[index], settlement);
            }
            None => {
                known.insert(settlement.id, settlements.len());
                settlements.push(settlement);
            }
        }
    }
    settlements.sort_by_key(|settlement| settlement.id);
}

/// Replaces `old` by `new`, keeping the names of both and everything that only `old` has.
fn renew(old: &mut Settlement, new: Settlement) {
    let counts_as = if new.people() > 0 { new.counts_as } else { old.counts_as };
    let mut alternates = std::mem::take(&mut old.alternates);
    if key(&old.name) != key(&new.name) {
        alternates.push(std::mem::take(&mut old.name));
    }
    let known: HashSet<String> = alternates.iter().cloned().collect();
    alternates.extend(new.alternates.into_iter().filter(|name| !known.contains(name)));
    let mut tagged = std::mem::take(&mut old.tagged);
    let mut ranked = std::mem::take(&mut old.ranked);
    tagged.extend(new.tagged);
    ranked.extend(new.ranked);
    let is_vague = matches!(new.feature, Feature::Place | Feature::Unknown);
    *old = Settlement {
        id: old.id,
        alternates,
        tagged,
        ranked,
        counts_as,
        population: if new.population > 0 { new.population } else { old.population },
        has_own_name: new.has_own_name,
        feature: if is_vague && old.feature != Feature::Unknown { old.feature } else { new.feature },
        // A second-level code is only valid within its first level.
        admin2: if new.admin1.is_empty() || new.admin1 == old.admin1 {
            newer(&new.admin2, &old.admin2)
        } else {
            new.admin2.clone()
        },
        admin1: newer(&new.admin1, &old.admin1),
        timezone: newer(&new.timezone, &old.timezone),
        name: new.name,
        position: new.position,
        country: new.country,
        bounds: new.bounds.or(old.bounds.take()),
    };
}

/// Returns the new text, or the old one if the new one is empty.
fn newer(new: &Arc<str>, old: &Arc<str>) -> Arc<str> {
    if new.is_empty() { old.clone() } else { new.clone() }
}

/// Merges settlements in the plain schema: of several places that one may be, one of the same kind is preferred, then the nearest. Of the
/// rows of one of an operator's own files, the best match is the known one.
pub(super) fn add_plain_settlements(
    settlements: &mut Vec<Settlement>,
    mut plain: Vec<Plain>,
    merging: &Merging,
    matcher: &mut Matcher,
) {
    if plain.is_empty() {
        return;
    }
    let step = Step::open(merging.step);
    for Plain { row, settlement } in &plain {
        row.iter().for_each(|row| matcher.imported.add_own(settlement.id, row.clone()));
    }
    let same = known_settlements(settlements, &plain, merging, matcher);
    let nearby = Nearby::new(settlements.iter().map(|settlement| settlement.position).enumerate());
    for (number, Plain { settlement, .. }) in plain.iter_mut().enumerate() {
        let known = same.get(&number).map(|known| (&settlements[known.place], known.why));
        if let Some((known, why)) = known
            && why != Why::Id
        {
            matcher.join(&subject(known), &subject(settlement), why);
            settlement.id = known.id;
            settlement.population = (merging.population)(known.population, settlement.population);
        }
        // The known place knows its division better than its neighbours do.
        let has_division = known.is_some_and(|(known, _)| !known.admin1.is_empty());
        if settlement.admin1.is_empty() && !has_division {
            let mut near = nearby.within(settlement.position, DIVISION_REACH_M).map(|(index, _)| &settlements[index]);
            if let Some(other) = near.find(|other| other.country == settlement.country) {
                (settlement.admin1, settlement.admin2) = (other.admin1.clone(), other.admin2.clone());
            }
        }
    }
    step.finish(plain.len());
    let added = plain.into_iter().map(|plain| plain.settlement).collect();
    put(settlements, added, |number, known, new| {
        // A place that no source knows may be in two files by its id.
        if same.get(&number).is_none_or(|known| known.why == Why::Id) {
            matcher.join(&subject(known), &subject(new), Why::Id);
        }
    });
}

/// Returns the known settlement of each imported one that is known.
fn known_settlements(
    settlements: &[Settlement],
    plain: &[Plain],
    merging: &Merging,
    matcher: &Matcher,
) -> HashMap<usize, Known> {
    let known: Vec<Subject> = settlements.iter().map(|settlement| with_other_names(settlement, merging)).collect();
    let rows = plain.iter().map(|Plain { settlement, .. }| {
        // Names of unknown language are weak.
        let tagged = settlement.tagged.iter().filter(|_| merging.other_names).map(|name| key_hash(&name.text));
        Subject { others: tagged.collect(), ..subject(settlement) }
    });
    let rows: Vec<Subject> = rows.collect();
    matcher.known(&known, &rows, |row| plain[row].row.iter().map(|row| row.file).collect())
}

/// Returns a known settlement with the other names by which imported ones may know it.
fn with_other_names<'s>(settlement: &'s Settlement, merging: &Merging) -> Subject<'s> {
    let all = settlement.alternates.iter().chain(settlement.tagged.iter().map(|name| &name.text));
    // Codes and short forms are not distinctive.
    let long = all.filter(|name| merging.other_names && name.chars().count() > SHORTEST_OTHER_NAME);
    Subject { others: long.map(|name| key_hash(name)).collect(), ..subject(settlement) }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::gazetteer::matcher::{Imported, Merges, ROWS, SAME_PLACE_M};
    use crate::gazetteer::{test_pair, test_settlement};

    /// Checks that two places exactly at the limit are two.
    #[test]
    fn places_exactly_at_reach_are_two() {
        let (a, b) = test_pair(SAME_PLACE_M);
        let mut settlements = vec![Settlement { position: a, ..test_settlement(7, "Ville", (0.0, 0.0), 9) }];
        let own = Settlement { position: b, ..test_settlement(100, "Ville", (0.0, 0.0), 9) };
        add_own(&mut settlements, vec![own]);
        assert_eq!(settlements.len(), 2);
    }

    fn add_own(settlements: &mut Vec<Settlement>, own: Vec<Settlement>) {
        let own = own.into_iter().map(|settlement| Plain { row: None, settlement }).collect();
        add_plain(settlements, own, &mut Merges::default());
    }

    fn add_plain(settlements: &mut Vec<Settlement>, own: Vec<Plain>, merges: &mut Merges) {
        let merging = Merging { step: "your settlements", other_names: true, population: |_, imported| imported };
        let groups = BTreeMap::new();
        let mut imported = Imported::default();
        add_plain_settlements(settlements, own, &merging, &mut Matcher::new(ROWS, &groups, &mut imported, merges));
    }

    #[test]
    fn settlements_of_one_kind_agree_by_alternates() {
        check_alternates("Munich", Feature::Place, 1);
        check_alternates("MÜNCHEN", Feature::Place, 1);
        check_alternates("München", Feature::Section, 2);
        check_alternates("MUC", Feature::Place, 2);
        check_alternates("Monaco", Feature::Place, 2);
    }

    fn check_alternates(name: &str, feature: Feature, expect: usize) {
        let known = Settlement {
            alternates: vec!["München".into(), "MUC".into()],
            ..test_settlement(7, "Munich", (48.0, 2.0), 9)
        };
        let mut settlements = vec![known];
        add_own(&mut settlements, vec![Settlement { feature, ..test_settlement(100, name, (48.0, 2.0), 9) }]);
        assert_eq!(settlements.len(), expect, "{name} {feature:?}");
    }

    #[test]
    fn imported_data_takes_precedence() {
        let pinned = Settlement {
            alternates: vec!["Villa".into()],
            admin1: "11".into(),
            admin2: "77".into(),
            feature: Feature::SecondSeat,
            ..test_settlement(7, "Ville", (48.0, 2.0), 5_000)
        };
        let mut settlements = vec![pinned, test_settlement(8, "Far", (40.0, 2.0), 1)];
        let added = Settlement {
            alternates: vec!["Villa".into(), "Вилль".into()],
            admin1: "12".into(),
            timezone: "".into(),
            ..test_settlement(7, "Ville-sur-Mer", (48.1, 2.0), 0)
        };
        let groups = BTreeMap::new();
        let mut imported = Imported::default();
        let mut merges = Merges::default();
        add_settlements(&mut settlements, vec![added], &mut Matcher::new(ROWS, &groups, &mut imported, &mut merges));
        let found = &settlements[0];
        assert_eq!((found.name.as_str(), found.position.lat(), found.population), ("Ville-sur-Mer", 48.1, 5_000));
        assert_eq!(found.alternates, ["Villa", "Ville", "Вилль"]);
        assert_eq!((&*found.admin1, &*found.admin2, &*found.timezone), ("12", "", "Europe/Paris"));
        assert_eq!(found.feature, Feature::SecondSeat);
    }

    #[test]
    fn plain_settlements_match_by_id_or_name() {
        let mut settlements = vec![
            Settlement { admin1: "11".into(), ..test_settlement(7, "Ville", (48.0, 2.0), 5_000) },
            test_settlement(8, "Ville", (40.0, 2.0), 1),
        ];
        let plain = vec![
            test_settlement(7, "By id", (48.0, 2.0), 0),
            test_settlement(100, "VILLE", (40.01, 2.0), 9),
            test_settlement(101, "Ville", (48.1, 2.0), 0),
        ];
        add_own(&mut settlements, plain);
        let found: Vec<_> = settlements.iter().map(|s| (s.id, s.name.as_str(), s.population, &*s.admin1)).collect();
        assert_eq!(found, [(7, "By id", 5_000, "11"), (8, "VILLE", 9, ""), (101, "Ville", 0, "11")]);
    }

    /// Checks the known value, the imported value, and the expected result.
    #[test]
    fn a_replaced_settlement_keeps_older_facts() {
        use Feature::{Capital, Place, Section, Unknown};
        check_feature(Capital, Place, Capital);
        check_feature(Capital, Unknown, Capital);
        check_feature(Capital, Section, Section);
        check_feature(Unknown, Place, Place);
        check_feature(Unknown, Section, Section);
        check_divisions(["11", "77"], ["", ""], ["11", "77"]);
        check_divisions(["11", "77"], ["11", ""], ["11", "77"]);
        check_divisions(["11", "77"], ["11", "78"], ["11", "78"]);
        check_divisions(["11", "77"], ["12", ""], ["12", ""]);
        check_divisions(["11", "77"], ["12", "79"], ["12", "79"]);
        check_divisions(["11", "77"], ["", "79"], ["11", "79"]);
        check_people(5, 0, 5);
        check_people(5, 1, 1);
        check_people(5, 9, 9);
        check_counts([5, 0], [0, 100_000], [5, 100_000]);
        check_counts([0, 100_000], [0, 0], [0, 100_000]);
        check_counts([0, 100_000], [5, 0], [5, 0]);
        check_counts([0, 100_000], [0, 10_000], [0, 10_000]);
    }

    fn check_counts(old: [u64; 2], new: [u64; 2], expect: [u64; 2]) {
        let of =
            |[population, counts_as]: [u64; 2]| Settlement { counts_as, ..ville(Feature::Place, ["", ""], population) };
        let found = renew_copy(of(old), of(new));
        assert_eq!([found.population, found.counts_as], expect, "{old:?} {new:?}");
    }

    fn check_people(old: u64, new: u64, expect: u64) {
        let found = renew_copy(ville(Feature::Place, ["", ""], old), ville(Feature::Place, ["", ""], new));
        assert_eq!(found.population, expect, "{old} {new}");
    }

    fn check_divisions(old: [&str; 2], new: [&str; 2], expect: [&str; 2]) {
        let found = renew_copy(ville(Feature::Place, old, 0), ville(Feature::Place, new, 0));
        assert_eq!([&*found.admin1, &*found.admin2], expect, "{old:?} {new:?}");
    }

    fn check_feature(old: Feature, new: Feature, expect: Feature) {
        let found = renew_copy(ville(old, ["", ""], 0), ville(new, ["", ""], 0));
        assert_eq!(found.feature, expect, "{old:?} {new:?}");
    }

    fn renew_copy(old: Settlement, new: Settlement) -> Settlement {
        let mut found = old;
        renew(&mut found, new);
        found
    }

    fn ville(feature: Feature, [admin1, admin2]: [&str; 2], population: u64) -> Settlement {
        Settlement {
            feature,
            admin1: admin1.into(),
            admin2: admin2.into(),
            ..test_settlement(7, "Ville", (48.0, 2.0), population)
        }
    }

    /// Checks two rows of a file near a known place of their name, of which the second is nearer: ids and latitudes of the
    /// places.
    #[test]
    fn the_nearest_own_row_is_the_place() {
        check_nearest([1, 1], &[(7, 48.01), (100, 48.02)]);
        // The later file counts.
        check_nearest([1, 2], &[(7, 48.01)]);
    }

    fn check_nearest(files: [u32; 2], expect: &[(u64, f64)]) {
        let mut settlements = vec![test_settlement(7, "Ville", (48.0, 2.0), 9)];
        let mut merges = Merges::default();
        add_plain(&mut settlements, vec![own_row(files[0], 100, 48.02), own_row(files[1], 101, 48.01)], &mut merges);
        let found: Vec<_> = settlements.iter().map(|place| (place.id, place.position.lat())).collect();
        assert_eq!(found, expect, "{files:?}");
        assert_eq!(merges.count(), 3 - expect.len(), "{files:?}");
    }

    fn own_row(file: u32, id: u64, lat: f64) -> Plain {
        Plain {
            row: Some(OwnRow { file, id: format!("own/{id}") }),
            settlement: test_settlement(id, "Ville", (lat, 2.0), 0),
        }
    }

    #[test]
    fn known_names_are_not_repeated() {
        let mut found =
            Settlement { alternates: vec!["A".into(), "B".into()], ..test_settlement(7, "Ville", (48.0, 2.0), 0) };
        renew(
            &mut found,
            Settlement { alternates: vec!["B".into(), "C".into()], ..test_settlement(7, "VILLE", (48.0, 2.0), 0) },
        );
        assert_eq!(
            (found.name.as_str(), found.alternates.as_slice()),
            ("VILLE", &["A", "B", "C"].map(str::to_owned)[..])
        );
    }

    #[test]
    fn a_settlement_takes_its_neighbours_division() {
        check_division(b"FR", 48.1, "", ["11", "77"]);
        check_division(b"FR", 48.1, "12", ["12", ""]);
        check_division(b"FR", 48.5, "", ["", ""]);
        check_division(b"BE", 48.1, "", ["", ""]);
    }

    fn check_division(country: &[u8; 2], lat: f64, admin1: &str, expect: [&str; 2]) {
        let neighbour =
            Settlement { admin1: "11".into(), admin2: "77".into(), ..test_settlement(7, "Ville", (48.0, 2.0), 9) };
        let plain =
            Settlement { country: *country, admin1: admin1.into(), ..test_settlement(100, "Own", (lat, 2.0), 9) };
        let mut settlements = vec![neighbour];
        add_own(&mut settlements, vec![plain]);
        let found = settlements.iter().find(|settlement| settlement.id == 100).expect("it is added");
        assert_eq!([&*found.admin1, &*found.admin2], expect, "{country:?} {lat} {admin1}");
    }

    /// Near a border between divisions the nearest settlement may lie beyond it.
    #[test]
    fn a_merged_settlement_keeps_its_division() {
        let mut settlements = vec![town(7, "Ville", 48.0, "11"), town(8, "Autre", 48.011, "22")];
        add_own(&mut settlements, vec![town(100, "Ville", 48.01, ""), town(101, "Hameau", 48.01, "")]);
        let found: Vec<_> = settlements.iter().map(|place| (place.name.as_str(), &*place.admin1)).collect();
        assert_eq!(found, [("Ville", "11"), ("Autre", "22"), ("Hameau", "22")]);
    }

    fn town(id: u64, name: &str, lat: f64, admin1: &str) -> Settlement {
        Settlement { admin1: admin1.into(), ..test_settlement(id, name, (lat, 2.0), 9) }
    }

    #[test]
    fn plain_namesakes_merge_within_three_kilometres() {
        check_distance(2_990.0, 1);
        check_distance(3_010.0, 2);
    }

    fn check_distance(metres: f64, expect: usize) {
        let lat = 48.0 + metres / toponym_engine::geo::METRES_PER_DEGREE;
        let mut settlements = vec![test_settlement(7, "Ville", (48.0, 2.0), 9)];
        add_own(&mut settlements, vec![test_settlement(100, "Ville", (lat, 2.0), 9)]);
        assert_eq!(settlements.len(), expect, "{metres}");
    }
}
