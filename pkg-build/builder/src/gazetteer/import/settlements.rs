//! Merges imported settlements: those of GeoNames by id, those of the plain schema by id, else by name, kind and distance.

use std::collections::{HashMap, HashSet};

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

/// Settlements with the same id are the same. If a table repeats an id, the last row wins.
pub(super) fn add_settlements(settlements: &mut Vec<Settlement>, added: Vec<Settlement>) {
    let mut known: HashMap<u64, usize> =
        settlements.iter().enumerate().map(|(index, settlement)| (settlement.id, index)).collect();
    settlements.reserve(added.len());
    for settlement in added {
        match known.get(&settlement.id) {
            Some(&index) => renew(&mut settlements[index], settlement),
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
        population: if new.population > 0 { new.population } else { old.population },
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
/// the same kind is preferred, then the nearest.
pub(super) fn add_plain_settlements(
    settlements: &mut Vec<Settlement>,
    mut plain: Vec<(String, Settlement)>,
    matching: &Matching,
    merges: &mut Merges,
) {
    if plain.is_empty() {
        return;
    }
    let ids: HashMap<u64, usize> =
        settlements.iter().enumerate().map(|(index, settlement)| (settlement.id, index)).collect();
    let nearby = Nearby::new(settlements.iter().map(|settlement| settlement.position).enumerate());
    let step = Step::counted(matching.step, plain.len());
    for (row, settlement) in &mut plain {
        step.advance();
        let by_id = ids.get(&settlement.id).map(|&index| (index, Why::Id));
        let same = by_id.or_else(|| same_settlement(settlements, &nearby, settlement, matching));
        if let Some((index, why)) = same {
            let known = &settlements[index];
            let id = known.id.to_string();
            merges.add(
                Side { id: row, name: &settlement.name, at: settlement.position },
                Side { id: &id, name: &known.name, at: known.position },
                why,
            );
            if why != Why::Id {
                settlement.id = known.id;
                settlement.population = (matching.population)(known.population, settlement.population);
            }
        }
        // The known place knows its division better than its neighbours do.
        let has_division = same.is_some_and(|(index, _)| !settlements[index].admin1.is_empty());
        if settlement.admin1.is_empty() && !has_division {
            let mut near = nearby.within(settlement.position, DIVISION_REACH_M).map(|(index, _)| &settlements[index]);
            if let Some(other) = near.find(|other| other.country == settlement.country) {
                (settlement.admin1, settlement.admin2) = (other.admin1.clone(), other.admin2.clone());
            }
        }
    }
    step.finish(plain.len());
    add_settlements(settlements, plain.into_iter().map(|(_, settlement)| settlement).collect());
}

/// The known settlement that an imported one is.
fn same_settlement(
    settlements: &[Settlement],
    nearby: &Nearby,
    imported: &Settlement,
    matching: &Matching,
) -> Option<(usize, Why)> {
    let own = key(&imported.name);
    let near = nearby.within(imported.position, SAME_PLACE_M).filter_map(|(index, _)| {
        let known = &settlements[index];
        let why = if known.country != imported.country || known.position.distance_m(imported.position) >= SAME_PLACE_M {
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
        Some((why == Why::OtherName, is_other_kind, index, why))
    });
    // The nearest comes first, and the first of equals is kept.
    near.min_by_key(|&(is_other_name, is_other_kind, ..)| (is_other_name, is_other_kind))
        .map(|(.., index, why)| (index, why))
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
        let own = own.into_iter().map(|settlement| (String::new(), settlement)).collect();
        add_plain_settlements(settlements, own, &matching, &mut Merges::default());
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
        add_settlements(&mut settlements, vec![added]);
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
