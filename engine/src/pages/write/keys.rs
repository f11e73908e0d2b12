//! The keys by which a place is found.

use super::super::key::{Entry, Key};
use crate::index::{Cost, name_keys, of_class, of_importance, sound_keys, stored_importance, translations};
use crate::record::{NameClass, Record};
use crate::search::{PREFIX_OF_ALTERNATE, PREFIX_OF_SPELLING};
use crate::text::fold;

/// Returns the keys of a place by its names and codes.
pub(super) fn of_names(place: &Record, number: u32) -> Vec<Entry> {
    let names = name_keys(place).into_iter().map(|(text, class)| (text, Some(class)));
    let codes = place.codes.iter().map(|code| (code.text.to_ascii_lowercase(), None));
    entries(place, number, names.chain(codes).collect())
}

/// Returns the phonetic keys of a place.
pub(super) fn of_sounds(place: &Record, number: u32) -> Vec<Entry> {
    let keys = sound_keys(place).into_iter().map(|(text, class)| (text, Some(class)));
    entries(place, number, keys.collect())
}

fn entries(place: &Record, number: u32, mut keys: Vec<(String, Option<NameClass>)>) -> Vec<Entry> {
    // Few places have sounds.
    if keys.is_empty() {
        return Vec::new();
    }
    // Of equal keys the one of the best class is left.
    keys.sort();
    keys.dedup_by(|later, first| later.0 == first.0 && later.1.is_some() == first.1.is_some());
    let folded: Vec<String> = translations(place).into_iter().map(|(_, name)| fold(name)).collect();
    let importance = of_importance(stored_importance(place.importance));
    let entries = keys.into_iter().map(|(text, class)| {
        let named = (0..).zip(&folded).filter(|(_, name)| **name == text).map(|(number, _)| number).collect();
        let cost = importance + class.map_or(0, of_class);
        Entry { weight: cost + begun(class), cost, key: Key { text, place: number, class, named } }
    });
    entries.collect()
}

fn begun(class: Option<NameClass>) -> Cost {
    match class {
        Some(NameClass::Primary) | None => 0,
        Some(NameClass::English) => PREFIX_OF_SPELLING,
        Some(NameClass::Other | NameClass::Weak) => PREFIX_OF_ALTERNATE,
    }
}
