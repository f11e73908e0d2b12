//! Weakens alternate names that belong to a far more important place. GeoNames lists "Athens" for Oshkosh, "New Jersey"
//! for Three Rivers and "Moscow" for Moscow Mills, which were former or intended names. An untagged alternate of a
//! settlement becomes weak if it is a proper name of such a place.

use std::collections::HashMap;

use toponym_engine::{NameClass, Record, Role};

use crate::text::key;

/// How much more important the other place must be.
const FAR: f64 = 0.15;

/// Weakens the misplaced names of settlements among `records`.
pub(crate) fn weaken(records: &mut [Record]) {
    let mut owners: HashMap<String, f64> = HashMap::new();
    for record in records.iter() {
        for name in record.names.iter().filter(|name| name.class <= NameClass::English) {
            let best = owners.entry(key(&name.text)).or_default();
            *best = best.max(record.importance);
        }
    }
    let settlements = records.iter_mut().filter(|record| matches!(record.kind.role, Role::City | Role::Quarter));
    for record in settlements {
        let mut changed = false;
        for name in record.names.iter_mut().skip(1) {
            let is_guess = name.class == NameClass::Other && name.lang.is_none();
            if is_guess && owners.get(&key(&name.text)).is_some_and(|owner| owner - record.importance >= FAR) {
                name.class = NameClass::Weak;
                changed = true;
            }
        }
        if changed {
            record.names[1..].sort_by(|a, b| (a.class, &a.lang, &a.text).cmp(&(b.class, &b.lang, &b.text)));
        }
    }
}

#[cfg(test)]
mod tests {
    use toponym_engine::geo::Coordinate;
    use toponym_engine::{Kind, Name};

    use super::*;

    #[test]
    fn misplaced_names_are_weak() {
        let place = |id: u64, importance: f64, names: &[(&str, NameClass, Option<&str>)]| Record {
            id,
            kind: Kind { role: Role::City, category: "place".into(), r#type: "city".into() },
            names: names
                .iter()
                .map(|(text, class, lang)| Name { text: (*text).into(), class: *class, lang: lang.map(str::to_owned) })
                .collect(),
            codes: Vec::new(),
            position: Coordinate::new(0.0, 0.0).expect("it is in range"),
            parent: None,
            country: *b"US",
            importance,
            extent_m: 1.0,
            bounds: None,
        };
        let mut records = [
            place(1, 0.8, &[("Athens", NameClass::Primary, None), ("Athènes", NameClass::Other, Some("fr"))]),
            place(
                2,
                0.55,
                &[
                    ("Oshkosh", NameClass::Primary, None),
                    ("Athens", NameClass::Other, None),
                    ("Athènes", NameClass::Other, None),
                    ("Osh", NameClass::Other, None),
                ],
            ),
            place(3, 0.5, &[("Osh", NameClass::Primary, None)]),
            place(4, 0.5, &[("Athenai", NameClass::Primary, None), ("Athens", NameClass::Other, Some("en"))]),
        ];
        weaken(&mut records);
        let classes: Vec<Vec<(&str, NameClass)>> = records
            .iter()
            .map(|record| record.names.iter().map(|name| (name.text.as_str(), name.class)).collect())
            .collect();
        assert_eq!(
            classes[1],
            [
                ("Oshkosh", NameClass::Primary),
                ("Athènes", NameClass::Other),
                ("Osh", NameClass::Other),
                ("Athens", NameClass::Weak)
            ]
        );
        assert_eq!(classes[3][1].1, NameClass::Other);
    }
}
