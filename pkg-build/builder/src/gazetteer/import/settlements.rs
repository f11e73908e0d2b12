//! Merges imported settlements: those of GeoNames by id, those of the plain schema by id, else by name, kind and distance.

use std::collections::{HashMap, HashSet};

use super::super::imported::{Candidate, Imported, OwnRow, by_distance, pairs};
use super::super::merges::{Merges, Side, Why};
use super::super::settlements::SAME_PLACE_M;
use crate::feature::Feature;
use crate::progress::Step;
use crate::sources::rows::Settlement;
use crate::spatial::Nearby;
use crate::text::key;

/// An imported settlement without a division gets that of the nearest settlement within this distance.
const DIVISION_REACH_M: f64 = 30_000.0;

/// Shorter names other than the first do not identify a settlement.
const SHORTEST_OTHER_NAME: usize = 3;

/// How imported settlements are compared with known ones.
pub(super) struct Matching {
    /// What the progress calls them.
    pub step: &'static str,
    /// Whether they may also agree in a name other than the first.
    pub other_names: bool,
    /// Combines the known and the imported population.
    pub population: fn(u64, u64) -> u64,
}

/// A settlement in the plain schema.
pub(super) struct Plain {
    /// Its row, if the file is an operator's own.
    pub row: Option<OwnRow>,
    pub settlement: Settlement,
}

/// Settlements of tables with the same id are the same. If a table repeats an id, the last row wins.
pub(super) fn add_settlements(
    settlements: &mut Vec<Settlement>,
    added: Vec<Settlement>,
    imported: &mut Imported,
    merges: &mut Merges,
) {
    added.iter().for_each(|settlement| imported.add(settlement.id));
    put(settlements, added, |_, known, new| {
        let id = known.id.to_string();
        merges.add(
            Side { id: &id, name: &new.name, at: new.position },
            Side { id: &id, name: &known.name, at: known.position },
            Why::Id,
        );
    });
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
    let (mut tagged, mut ranked) = (std::mem::take(&mut old.tagged), std::mem::take(&mut old.ranked));
    tagged.extend(new.tagged);
    ranked.extend(new.ranked);
    let or =
        |new: &std::sync::Arc<str>, old: &std::sync::Arc<str>| if new.is_empty() { old.clone() } else { new.clone() };
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
            or(&new.admin2, &old.admin2)
        } else {
            new.admin2.clone()
        },
        admin1: or(&new.admin1, &old.admin1),
        timezone: or(&new.timezone, &old.timezone),
        name: new.name,
        position: new.position,
        country: new.country,
        bounds: new.bounds.or(old.bounds.take()),
    };
}

/// Merges settlements in the plain schema: identified by id, else by name and distance. Of several that are near, one of
/// the same kind is preferred, then the nearest. Of the rows of one of an operator's own files, the best match is the known one.
pub(super) fn add_plain_settlements(
    settlements: &mut Vec<Settlement>,
    mut plain: Vec<Plain>,
    matching: &Matching,
    imported: &mut Imported,
    merges: &mut Merges,
) {
    if plain.is_empty() {
        return;
    }
    let nearby = Nearby::new(settlements.iter().map(|settlement| settlement.position).enumerate());
    let same = known_settlements(settlements, &nearby, &plain, matching);
    for (number, Plain { settlement, .. }) in plain.iter_mut().enumerate() {
        let known = same.get(&number).map(|&(index, why)| (&settlements[index], why));
        if let Some((known, why)) = known
            && why != Why::Id
        {
            settlement.id = known.id;
            settlement.population = (matching.population)(known.population, settlement.population);
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
    let (rows, added): (Vec<_>, Vec<_>) = plain.into_iter().map(|plain| (plain.row, plain.settlement)).unzip();
    put(settlements, rows_noted(&rows, added, imported), |number, known, new| {
        let Some(row) = &rows[number] else { return };
        // A place that no source knows may be in two files by its id.
        let why = same.get(&number).map_or(Why::Id, |&(_, why)| why);
        let id = known.id.to_string();
        merges.add(
            Side { id: &row.id, name: &new.name, at: new.position },
            Side { id: &id, name: &known.name, at: known.position },
            why,
        );
    });
}

/// Notes which rows of own files `added` are, and returns them.
fn rows_noted(rows: &[Option<OwnRow>], added: Vec<Settlement>, imported: &mut Imported) -> Vec<Settlement> {
    for (row, settlement) in rows.iter().zip(&added) {
        row.iter().for_each(|row| imported.add_own(settlement.id, row.clone()));
    }
    added
}

/// Returns the known settlement of each imported one that is known.
fn known_settlements(
    settlements: &[Settlement],
    nearby: &Nearby,
    plain: &[Plain],
    matching: &Matching,
) -> HashMap<usize, (usize, Why)> {
    let ids: HashMap<u64, usize> =
        settlements.iter().enumerate().map(|(index, settlement)| (settlement.id, index)).collect();
    let step = Step::counted(matching.step, plain.len());
    let mut candidates = Vec::new();
    for (row, Plain { settlement, .. }) in plain.iter().enumerate() {
        step.advance();
        match ids.get(&settlement.id) {
            Some(&place) => candidates.push(Candidate { rank: (By::Id, false, 0), row, place, why: Why::Id }),
            None => candidates.extend(namesakes(settlements, nearby, (row, settlement), matching)),
        }
    }
    step.finish(plain.len());
    pairs(candidates, |row| plain[row].row.iter().map(|row| row.file).collect())
}

/// How well an imported settlement matches a known one, the best least: by what, whether they are of different kinds, and the distance.
type Rank = (By, bool, u64);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum By {
    Id,
    FirstName,
    OtherName,
}

/// Returns the known settlements that an imported one may be by its names.
fn namesakes(
    settlements: &[Settlement],
    nearby: &Nearby,
    (row, imported): (usize, &Settlement),
    matching: &Matching,
) -> Vec<Candidate<Rank>> {
    let own = key(&imported.name);
    let near = nearby.within(imported.position, SAME_PLACE_M).filter_map(|(place, _)| {
        let known = &settlements[place];
        let distance = known.position.distance_m(imported.position);
        let why = if known.country != imported.country || distance >= SAME_PLACE_M {
            None
        } else if key(&known.name) == own {
            Some(Why::Name)
        } else if matching.other_names && share_another_name(known, imported, &own) {
            Some(Why::OtherName)
        } else {
            None
        };
        let is_other_kind = (known.feature == Feature::Section) != (imported.feature == Feature::Section);
        // A quarter may have the name of its city in another language.
        let why = why.filter(|&why| why == Why::Name || !is_other_kind)?;
        let by = if why == Why::Name { By::FirstName } else { By::OtherName };
        let rank = (by, is_other_kind, by_distance(distance));
        Some(Candidate { rank, row, place, why })
    });
    near.collect()
}

/// Whether the name of one is among the other names of the other.
fn share_another_name(known: &Settlement, imported: &Settlement, own: &str) -> bool {
    let others = known.alternates.iter().chain(known.tagged.iter().map(|name| &name.text));
    // Codes and short forms are not distinctive.
    let is_own = |name: &String| name.chars().count() > SHORTEST_OTHER_NAME && key(name) == own;
    others.into_iter().any(is_own) || {
        let theirs = key(&known.name);
        imported.tagged.iter().any(|name| key(&name.text) == theirs)
    }
}

#[cfg(test)]
mod tests {
    use crate::gazetteer::{test_pair, test_settlement};

    use super::*;

    /// On the line, two places are two.
    #[test]
    fn places_exactly_as_far_apart_as_one_may_reach_are_two() {
        let (a, b) = test_pair(SAME_PLACE_M);
        let mut settlements = vec![Settlement { position: a, ..test_settlement(7, "Ville", (0.0, 0.0), 9) }];
        let own = Settlement { position: b, ..test_settlement(100, "Ville", (0.0, 0.0), 9) };
        add_own(&mut settlements, vec![own]);
        assert_eq!(settlements.len(), 2);
    }

    fn add_own(settlements: &mut Vec<Settlement>, own: Vec<Settlement>) {
        let matching = Matching { step: "your settlements", other_names: true, population: |_, imported| imported };
        let own = own.into_iter().map(|settlement| Plain { row: None, settlement }).collect();
        add_plain_settlements(settlements, own, &matching, &mut Imported::default(), &mut Merges::default());
    }

    #[test]
    fn settlements_agree_in_other_names_if_they_are_of_one_kind() {
        let check = |name: &str, feature: Feature, expect: usize| {
            let known = Settlement {
                alternates: vec!["München".into(), "MUC".into()],
                ..test_settlement(7, "Munich", (48.0, 2.0), 9)
            };
            let mut settlements = vec![known];
            add_own(&mut settlements, vec![Settlement { feature, ..test_settlement(100, name, (48.0, 2.0), 9) }]);
            assert_eq!(settlements.len(), expect, "{name} {feature:?}");
        };
        check("Munich", Feature::Place, 1);
        check("MÜNCHEN", Feature::Place, 1);
        check("München", Feature::Section, 2);
        check("MUC", Feature::Place, 2);
        check("Monaco", Feature::Place, 2);
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
        add_settlements(&mut settlements, vec![added], &mut Imported::default(), &mut Merges::default());
        let found = &settlements[0];
        assert_eq!((found.name.as_str(), found.position.lat(), found.population), ("Ville-sur-Mer", 48.1, 5_000));
        assert_eq!(found.alternates, ["Villa", "Ville", "Вилль"]);
        assert_eq!((&*found.admin1, &*found.admin2, &*found.timezone), ("12", "", "Europe/Paris"));
        assert_eq!(found.feature, Feature::SecondSeat);
    }

    #[test]
    fn plain_settlements_are_the_same_by_id_or_by_name_and_distance() {
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
    fn a_replaced_settlement_keeps_what_only_the_old_one_has() {
        use Feature::{Capital, Place, Section, Unknown};
        let place = |feature, [admin1, admin2]: [&str; 2], population| Settlement {
            feature,
            admin1: admin1.into(),
            admin2: admin2.into(),
            ..test_settlement(7, "Ville", (48.0, 2.0), population)
        };
        let renewed = |old: Settlement, new: Settlement| {
            let mut found = old;
            renew(&mut found, new);
            found
        };
        let check = |old: Feature, new: Feature, expect: Feature| {
            let found = renewed(place(old, ["", ""], 0), place(new, ["", ""], 0));
            assert_eq!(found.feature, expect, "{old:?} {new:?}");
        };
        check(Capital, Place, Capital);
        check(Capital, Unknown, Capital);
        check(Capital, Section, Section);
        check(Unknown, Place, Place);
        check(Unknown, Section, Section);
        let check = |old: [&str; 2], new: [&str; 2], expect: [&str; 2]| {
            let found = renewed(place(Place, old, 0), place(Place, new, 0));
            assert_eq!([&*found.admin1, &*found.admin2], expect, "{old:?} {new:?}");
        };
        check(["11", "77"], ["", ""], ["11", "77"]);
        check(["11", "77"], ["11", ""], ["11", "77"]);
        check(["11", "77"], ["11", "78"], ["11", "78"]);
        check(["11", "77"], ["12", ""], ["12", ""]);
        check(["11", "77"], ["12", "79"], ["12", "79"]);
        check(["11", "77"], ["", "79"], ["11", "79"]);
        let check = |old: u64, new: u64, expect: u64| {
            let found = renewed(place(Place, ["", ""], old), place(Place, ["", ""], new));
            assert_eq!(found.population, expect, "{old} {new}");
        };
        check(5, 0, 5);
        check(5, 1, 1);
        check(5, 9, 9);
        let counts = |old: [u64; 2], new: [u64; 2], expect: [u64; 2]| {
            let of = |[population, counts_as]: [u64; 2]| Settlement { counts_as, ..place(Place, ["", ""], population) };
            let found = renewed(of(old), of(new));
            assert_eq!([found.population, found.counts_as], expect, "{old:?} {new:?}");
        };
        counts([5, 0], [0, 100_000], [5, 100_000]);
        counts([0, 100_000], [0, 0], [0, 100_000]);
        counts([0, 100_000], [5, 0], [5, 0]);
        counts([0, 100_000], [0, 10_000], [0, 10_000]);
    }

    /// Two rows of a file near a known place of their name, of which the second is nearer, and the ids of their places.
    #[test]
    fn of_the_rows_of_one_own_file_the_nearest_is_the_known_place() {
        let check = |files: [u32; 2], expect: &[(u64, f64)]| {
            let mut settlements = vec![test_settlement(7, "Ville", (48.0, 2.0), 9)];
            let own = |file: u32, id: u64, lat: f64| Plain {
                row: Some(OwnRow { file, id: format!("own/{id}") }),
                settlement: test_settlement(id, "Ville", (lat, 2.0), 0),
            };
            let matching = Matching { step: "your settlements", other_names: true, population: |_, imported| imported };
            let plain = vec![own(files[0], 100, 48.02), own(files[1], 101, 48.01)];
            let (mut imported, mut merges) = (Imported::default(), Merges::default());
            add_plain_settlements(&mut settlements, plain, &matching, &mut imported, &mut merges);
            let found: Vec<_> = settlements.iter().map(|place| (place.id, place.position.lat())).collect();
            assert_eq!(found, expect, "{files:?}");
            let lines = merges.csv().split(|&byte| byte == b'\n').count() - 2;
            assert_eq!(lines, 3 - expect.len(), "{files:?}");
        };
        check([1, 1], &[(7, 48.01), (100, 48.02)]);
        // The later file counts.
        check([1, 2], &[(7, 48.01)]);
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
    fn a_plain_settlement_without_a_division_gets_that_of_its_neighbour() {
        let check = |country: &[u8; 2], lat: f64, admin1: &str, expect: [&str; 2]| {
            let neighbour =
                Settlement { admin1: "11".into(), admin2: "77".into(), ..test_settlement(7, "Ville", (48.0, 2.0), 9) };
            let plain =
                Settlement { country: *country, admin1: admin1.into(), ..test_settlement(100, "Own", (lat, 2.0), 9) };
            let mut settlements = vec![neighbour];
            add_own(&mut settlements, vec![plain]);
            let found = settlements.iter().find(|settlement| settlement.id == 100).expect("it is added");
            assert_eq!([&*found.admin1, &*found.admin2], expect, "{country:?} {lat} {admin1}");
        };
        check(b"FR", 48.1, "", ["11", "77"]);
        check(b"FR", 48.1, "12", ["12", ""]);
        check(b"FR", 48.5, "", ["", ""]);
        check(b"BE", 48.1, "", ["", ""]);
    }

    /// Near a border between divisions the nearest settlement may lie beyond it.
    #[test]
    fn a_merged_settlement_keeps_its_division() {
        let of = |id, name: &str, lat: f64, admin1: &str| Settlement {
            admin1: admin1.into(),
            ..test_settlement(id, name, (lat, 2.0), 9)
        };
        let mut settlements = vec![of(7, "Ville", 48.0, "11"), of(8, "Autre", 48.011, "22")];
        add_own(&mut settlements, vec![of(100, "Ville", 48.01, ""), of(101, "Hameau", 48.01, "")]);
        let found: Vec<_> = settlements.iter().map(|place| (place.name.as_str(), &*place.admin1)).collect();
        assert_eq!(found, [("Ville", "11"), ("Autre", "22"), ("Hameau", "22")]);
    }

    #[test]
    fn plain_settlements_with_one_name_are_the_same_within_three_kilometres() {
        let check = |metres: f64, expect: usize| {
            let lat = 48.0 + metres / toponym_engine::geo::METRES_PER_DEGREE;
            let mut settlements = vec![test_settlement(7, "Ville", (48.0, 2.0), 9)];
            add_own(&mut settlements, vec![test_settlement(100, "Ville", (lat, 2.0), 9)]);
            assert_eq!(settlements.len(), expect, "{metres}");
        };
        check(2_990.0, 1);
        check(3_010.0, 2);
    }
}
