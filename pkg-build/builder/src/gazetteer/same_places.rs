//! Merges records that are one place under two names: the display name of one is a usual name of the other, both are of one
//! kind, and they are nearer than two such places can be. GeoNames and the curated rows list wards of Tokyo and
//! arrondissements of Paris, and sources of airports and stations list some twice.
//!
//! The more important record keeps its id, place and kind; it gets the names and codes of the other. Records with rows of one of an
//! operator's own files are two places.

use std::collections::{HashMap, HashSet};

use toponym_engine::{Name, NameClass, Record, Role};

use super::additions::Additions;
use super::matcher::{Kind, Matcher, Subject};
use crate::text::key_hash;

/// Returns the records that are left, in their order, and the id of the record that each of the others became part of.
pub(crate) fn merge(
    mut records: Vec<Record>,
    additions: &Additions,
    matcher: &mut Matcher,
) -> (Vec<Record>, HashMap<u64, u64>) {
    let mut order: Vec<usize> = (0..records.len()).collect();
    order.sort_by(|&a, &b| {
        let a = &records[a];
        let b = &records[b];
        b.importance.total_cmp(&a.importance).then(a.id.cmp(&b.id))
    });
    let subjects: Vec<(usize, Subject)> =
        order.into_iter().filter_map(|at| Some((at, subject(&records[at], additions)?))).collect();
    let (order, subjects): (Vec<usize>, Vec<Subject>) = subjects.into_iter().unzip();
    let mut same = Vec::new();
    matcher.duplicates(&subjects, |kept, other| same.push((order[kept], order[other])));
    drop(subjects);
    let mut merged: HashMap<u64, u64> = HashMap::new();
    for (kept, other) in same {
        merged.insert(records[other].id, records[kept].id);
        let names = records[other].names.clone();
        let codes = records[other].codes.clone();
        absorb(&mut records[kept], names);
        let fresh = codes.into_iter().filter(|code| !records[kept].codes.contains(code)).collect::<Vec<_>>();
        records[kept].codes.extend(fresh);
    }
    records.retain(|record| !merged.contains_key(&record.id));
    for record in &mut records {
        // A place does not become a part of itself.
        record.parent = record.parent.map(|id| merged.get(&id).copied().unwrap_or(id)).filter(|&id| id != record.id);
    }
    (records, merged)
}

/// Returns what the matcher compares of a place, by its usual names; `None` for areas, which have codes.
fn subject<'r>(record: &'r Record, additions: &Additions) -> Option<Subject<'r>> {
    let kind = match record.kind.role {
        Role::City | Role::Quarter => {
            Kind::Settlement { is_part: record.kind.role == Role::Quarter, has_people: true, division: "" }
        }
        Role::Airport => Kind::Airport(None),
        Role::Station => Kind::Station,
        Role::Landmark => Kind::Landmark(&record.kind.r#type),
        _ => return None,
    };
    let (display, others) = record.names.split_first().expect("a record has a name");
    let usual = others.iter().filter(|name| !name.class.is_alternate()).map(|name| key_hash(&name.text));
    let is_quarter = record.kind.role == Role::Quarter;
    let numbered = is_quarter.then(|| additions.up_to_number(&display.text)).flatten();
    let number = numbered.filter(|(_, is_all)| *is_all).map(|(core, _)| core.key);
    let subject = Subject::new(record.id, &display.text, record.country, record.position, kind);
    let core = matches!(kind, Kind::Settlement { .. }).then(|| additions.without(&display.text, record.country));
    let core = numbered.map(|(core, _)| core).or(core.flatten());
    Some(Subject { extent_m: record.extent_m, others: usual.chain(number).collect(), core, ..subject })
}

/// Adds the names that a record lacks; a name that it has gets the better class of the two.
fn absorb(record: &mut Record, names: Vec<Name>) {
    let known: HashSet<u64> = record.names.iter().map(|name| key_hash(&name.text)).collect();
    record.names.extend(names.into_iter().filter(|name| !known.contains(&key_hash(&name.text))));
    record.names[1..].sort_by_key(|name| name.class == NameClass::Weak);
}

#[cfg(test)]
mod tests {
    use toponym_engine::geo::{Coordinate, METRES_PER_DEGREE};
    use toponym_engine::{Code, CodeScheme, Kind};

    use std::collections::BTreeMap;

    use super::*;
    use crate::gazetteer::matcher::{Imported, Merges, OwnRow, PLACES};
    use crate::sources::tables::{AdditionWord, Place};

    fn merge(records: Vec<Record>, groups: &BTreeMap<String, String>) -> (Vec<Record>, HashMap<u64, u64>) {
        super::merge(
            records,
            &Additions::default(),
            &mut Matcher::new(PLACES, groups, &mut Imported::default(), &mut Merges::default()),
        )
    }

    /// Checks two rows of one file or of two, and a known place with the name of both between them.
    #[test]
    fn rows_of_one_own_file_are_two_places() {
        check_pair([1, 1], [2, 3], 1);
        check_pair([1, 2], [0, 3], 2);
    }

    fn check_pair(files: [u32; 2], expect: [u64; 2], lines: usize) {
        let mut imported = Imported::default();
        let mut merges = Merges::default();
        for (id, file) in (1..).zip(files) {
            imported.add_own(id, OwnRow { file, id: format!("own/{id}") });
        }
        let records = vec![market(1, 0.0, 0.4), market(2, 750.0, 0.3), market(3, 300.0, 0.5)];
        let groups = BTreeMap::new();
        let (found, _) = super::merge(
            records,
            &Additions::default(),
            &mut Matcher::new(PLACES, &groups, &mut imported, &mut merges),
        );
        let found: Vec<u64> = found.iter().map(|record| record.id).collect();
        assert_eq!(found, expect.into_iter().filter(|&id| id > 0).collect::<Vec<_>>(), "{files:?}");
        assert_eq!(merges.count(), lines, "{files:?}");
    }

    fn market(id: u64, metres: f64, importance: f64) -> Record {
        record(id, (Role::Landmark, "market", "Market", importance), metres)
    }

    /// Role, type, names (`~` other), importance.
    type Line = (Role, &'static str, &'static str, f64);

    fn record(id: u64, (role, r#type, names, importance): Line, metres: f64) -> Record {
        Record {
            id,
            kind: Kind { role, category: "place".into(), r#type: r#type.into() },
            names: names.split('|').map(name).collect(),
            codes: vec![Code { scheme: CodeScheme::Iata, text: format!("A{id}") }],
            position: Coordinate::new(metres / METRES_PER_DEGREE, 2.0).expect("it is in range"),
            parent: Some(1),
            country: *b"FR",
            importance,
            extent_m: 100.0,
            bounds: None,
        }
    }

    fn name(text: &str) -> Name {
        let class = if text.starts_with('~') { NameClass::Other } else { NameClass::Primary };
        Name { text: text.trim_start_matches('~').to_owned(), class, lang: None }
    }

    #[test]
    fn settlements_differing_by_an_addition_are_one() {
        use Role::{City, Landmark, Quarter};
        let words = [word("sur", Place::Between), word("Bourg", Place::Before)];
        let kinds = ["ward".to_owned()].into();
        let additions = Additions::new(&words, [(*b"FR", &["fr".to_owned()][..])], &kinds);
        let check = |a: Line, b: Line, metres: f64, expect: usize| {
            let records = vec![record(1, a, 0.0), record(2, b, metres)];
            let mut imported = Imported::default();
            let mut merges = Merges::default();
            let groups = BTreeMap::new();
            let matcher = &mut Matcher::new(PLACES, &groups, &mut imported, &mut merges);
            let (found, _) = super::merge(records, &additions, matcher);
            assert_eq!(found.len(), expect, "{a:?} {b:?} {metres}");
        };
        let town = (City, "town", "Ville", 0.5);
        let linked = (City, "village", "Ville-sur-Mer", 0.4);
        check(town, linked, 400.0, 1);
        check((City, "town", "Ville-sur-Mer", 0.5), (City, "village", "Ville", 0.4), 400.0, 1);
        check(town, linked, 600.0, 2);
        check(town, (Quarter, "quarter", "Ville-sur-Mer", 0.4), 400.0, 2);
        check(linked, (City, "village", "Ville-sur-Lac", 0.4), 0.0, 2);
        check(town, (Quarter, "quarter", "Bourg Ville", 0.4), 1_400.0, 1);
        check(town, (City, "village", "Bourg Ville", 0.4), 1_600.0, 2);
        check(town, (City, "village", "Bourg Ville-sur-Mer", 0.4), 0.0, 2);
        check((Landmark, "castle", "Ville", 0.5), (Landmark, "castle", "Bourg Ville", 0.4), 0.0, 2);
        let remark = (City, "village", "Ville (Mer)", 0.4);
        check(town, remark, 400.0, 1);
        check(town, remark, 600.0, 2);
        check(town, (Quarter, "quarter", "Ville (Mer)", 0.4), 400.0, 2);
        let numbered = |name| (Quarter, "suburb", name, 0.4);
        check(numbered("Ville 07"), numbered("Ville 7th ward"), 2_900.0, 1);
        check(numbered("Ville 07"), numbered("Ville 7th ward"), 3_100.0, 2);
        check(numbered("Ville 7th ward"), numbered("Ville 07 Bourg"), 2_000.0, 1);
        check(numbered("Ville 07 Bourg"), numbered("Ville 7 Mer"), 0.0, 2);
        check(numbered("Ville 07"), numbered("Ville 8th ward"), 0.0, 2);
        check(numbered("Ville 07"), (City, "town", "Ville 7th ward", 0.4), 0.0, 2);
    }

    fn word(word: &str, place: Place) -> AdditionWord {
        AdditionWord { word: word.into(), place, language: "fr".into() }
    }

    #[test]
    fn one_place_or_two() {
        use Role::{Airport, City, Landmark, Quarter, Station};
        let groups = BTreeMap::from([("castle", "building"), ("museum", "building"), ("park", "green")]);
        let groups = groups.into_iter().map(|(name, group)| (name.to_owned(), group.to_owned())).collect();
        let check = |a: Line, b: Line, metres: f64, expect: usize| {
            let records = vec![record(1, a, 0.0), record(2, b, metres)];
            let (found, merged) = merge(records, &groups);
            assert_eq!((found.len(), merged.len()), (expect, 2 - expect), "{a:?} {b:?} {metres}");
        };
        let ward = (City, "city", "Meguro", 0.6);
        check(ward, (Quarter, "suburb", "Meguro City|Meguro", 0.4), 1_400.0, 1);
        check(ward, (Quarter, "suburb", "Meguro City|Meguro", 0.4), 1_600.0, 2);
        check(ward, (Quarter, "suburb", "Meguro City|~Meguro", 0.4), 0.0, 2);
        let large = (Quarter, "suburb", "Queens", 0.6);
        let part = (Quarter, "suburb", "Queens", 0.4);
        check(large, part, 1_400.0, 1);
        check(large, part, 6_000.0, 2);
        check(ward, (City, "town", "Meguro", 0.4), 900.0, 1);
        check(ward, (City, "town", "Meguro", 0.4), 1_100.0, 2);
        check(ward, (Station, "station", "Meguro", 0.4), 0.0, 2);
        // A name that both have beside their first one may be that of what they lie in.
        check((Quarter, "suburb", "Yuso|Millán", 0.4), (Quarter, "suburb", "Suso|Millán", 0.4), 0.0, 2);
        check((Airport, "aerodrome", "A", 0.4), (Airport, "aerodrome", "A", 0.2), 2_900.0, 1);
        check((Airport, "aerodrome", "A", 0.4), (Airport, "aerodrome", "A", 0.2), 3_100.0, 2);
        check((Station, "station", "A", 0.4), (Station, "station", "A Station|A", 0.4), 400.0, 1);
        check((Station, "station", "A", 0.4), (Station, "station", "A Station|A", 0.4), 600.0, 2);
        check((Landmark, "castle", "A", 0.4), (Landmark, "museum", "B|A", 0.4), 1_100.0, 1);
        check((Landmark, "castle", "A", 0.4), (Landmark, "park", "B|A", 0.4), 0.0, 2);
        check((Landmark, "castle", "A", 0.4), (Landmark, "tower", "B|A", 0.4), 0.0, 2);
        check((Landmark, "tower", "A", 0.4), (Landmark, "tower", "B|A", 0.4), 0.0, 1);
    }

    #[test]
    fn parts_of_one_name_merge_within_reach() {
        check(9_000.0, 8_900.0, 1);
        check(9_000.0, 9_100.0, 2);
    }

    fn check(extent_m: f64, metres: f64, expect: usize) {
        let large = Record { extent_m, ..record(1, (Role::Quarter, "suburb", "Queens", 0.6), 0.0) };
        let other = record(2, (Role::Quarter, "suburb", "Queens", 0.4), metres);
        assert_eq!(merge(vec![large, other], &BTreeMap::new()).0.len(), expect, "{extent_m} {metres}");
    }

    #[test]
    fn the_more_important_one_is_kept() {
        let records = vec![
            record(1, (Role::Quarter, "suburb", "Meguro City|Meguro|~目黒区", 0.4), 0.0),
            record(2, (Role::City, "city", "Meguro|~Meguro Ku", 0.6), 100.0),
            record(3, (Role::Landmark, "park", "Park", 0.4), 0.0),
        ];
        let (found, merged) = merge(records, &BTreeMap::new());
        let names: Vec<&str> = found[0].names.iter().map(|name| name.text.as_str()).collect();
        assert_eq!((found[0].id, names), (2, vec!["Meguro", "Meguro Ku", "Meguro City", "目黒区"]));
        assert_eq!(found[0].codes.iter().map(|code| code.text.as_str()).collect::<Vec<_>>(), ["A2", "A1"]);
        // Its parent was the other one.
        assert_eq!((found[0].parent, found[1].parent, merged), (None, Some(2), HashMap::from([(1, 2)])));
    }
}
