//! Parts of a gazetteer.

use std::collections::{HashMap, HashSet};

use toponym_engine::{PlaceFacts, Record};

/// The facts of those that are among `places`.
pub(crate) fn facts_of(mut facts: Vec<PlaceFacts>, places: &[Record]) -> Vec<PlaceFacts> {
    let kept: HashSet<u64> = places.iter().map(|place| place.id).collect();
    facts.retain(|fact| kept.contains(&fact.place));
    facts
}

/// The `wanted` places and their ancestors.
pub(crate) fn with_ancestors(places: Vec<Record>, wanted: impl Fn(&Record) -> bool) -> Vec<Record> {
    let parents: HashMap<u64, u64> = places.iter().filter_map(|place| Some((place.id, place.parent?))).collect();
    let mut kept: HashSet<u64> = HashSet::new();
    for place in places.iter().filter(|place| wanted(place)) {
        let mut id = Some(place.id);
        while let Some(next) = id.filter(|&id| kept.insert(id)) {
            id = parents.get(&next).copied();
        }
    }
    places.into_iter().filter(|place| kept.contains(&place.id)).collect()
}
