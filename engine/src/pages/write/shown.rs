//! A place as a page shows it: with some of its names, whole or only because it contains others.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::geo::Coordinate;
use crate::index::{language_bit, translations};
use crate::record::{Name, NameClass, Record, Role};

/// The names of a place that a page shows beside its display name.
#[derive(Clone, Debug)]
pub(super) enum Shown {
    /// None.
    First,
    /// The names with these numbers among the [`translations`] of the place.
    Some(BTreeSet<u16>),
    /// All.
    All,
}

/// A place as a page shows it because it contains others.
#[derive(Debug)]
pub(super) struct Area {
    pub record: Record,
    /// Bits of languages in which it has further names.
    pub named: Option<u32>,
}

/// Tells whether a place is a country or a state, which the labels of all others need.
pub(super) fn is_in_root(place: &Record) -> bool {
    place.kind.role <= Role::State
}

impl Area {
    /// Creates the area of a place. What only contains others is not an answer, so it has neither bounds nor other names,
    /// and only of a city it matters where it lies.
    pub fn new(place: Record) -> Self {
        let (mut record, named) = shown_record(Cow::Owned(place), false, &Shown::First);
        record.bounds = None;
        if record.kind.role == Role::County {
            (record.position, record.importance, record.extent_m) = (Coordinate { lat: 0.0, lon: 0.0 }, 0.0, 0.0);
        }
        Self { record, named }
    }
}

/// Returns a place as a page shows it, and bits of the languages in which it has names beside those.
pub(super) fn shown_record(place: Cow<Record>, codes: bool, names: &Shown) -> (Record, Option<u32>) {
    let mut others: Vec<Name> = Vec::new();
    let mut named: Option<u32> = None;
    for (number, (tag, text)) in (0..).zip(translations(&place)) {
        if is_shown(names, number) {
            others.push(Name { text: text.to_owned(), class: NameClass::Other, lang: Some(tag.to_owned()) });
        } else {
            named = Some(named.unwrap_or(0) | language_bit(tag));
        }
    }
    let mut place = place.into_owned();
    place.names.truncate(1);
    place.names.iter_mut().for_each(|display| display.lang = None);
    place.names.extend(others);
    if !codes {
        place.codes.clear();
    }
    (place, named)
}

fn is_shown(names: &Shown, number: u16) -> bool {
    match names {
        Shown::First => false,
        Shown::Some(numbers) => numbers.contains(&number),
        Shown::All => true,
    }
}
