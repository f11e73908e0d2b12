//! The core of a gazetteer: what a page in a browser needs most and can afford to load.
//!
//! Countries, states, towns that matter as much as one of [`TOWN_PEOPLE`] people, airports with a code, stations and
//! landmarks, with their local, English and Latin names. What is left out: villages, second-level divisions, airfields,
//! names that stand badly for their place, names in scripts that the place itself does not write, and what finds a name
//! by its sound or from the letters of Han.

use std::collections::{BTreeMap, BTreeSet};

use toponym_engine::{CodeScheme, Gazetteer, Name, NameClass, Record, Role};
use unicode_script::Script;

use crate::importance;
use crate::sources::rows::Feature;
use crate::text::script;

/// A town is in the core when it is as important as an ordinary one of so many people.
const TOWN_PEOPLE: u64 = 15_000;

/// The core of `gazetteer`.
pub(crate) fn core(gazetteer: Gazetteer) -> Gazetteer {
    let parents: BTreeMap<u64, Option<u64>> = gazetteer.places.iter().map(|place| (place.id, place.parent)).collect();
    let mut places: Vec<Record> = gazetteer.places.into_iter().filter(is_in).collect();
    let kept: BTreeSet<u64> = places.iter().map(|place| place.id).collect();
    for place in &mut places {
        place.parent = std::iter::successors(place.parent, |id| parents.get(id).copied().flatten())
            .find(|parent| kept.contains(parent));
        thin(&mut place.names);
    }
    let mut about = gazetteer.about;
    about.title = "core".to_owned();
    let letters = gazetteer.letters.into_iter().filter(|(letter, _)| !is_han(*letter)).collect();
    Gazetteer { places, about, letters, ..gazetteer }
}

fn is_in(place: &Record) -> bool {
    match place.kind.role {
        Role::Country | Role::State | Role::Station | Role::Landmark => true,
        Role::City | Role::Quarter => place.importance >= importance::settlement(TOWN_PEOPLE, Feature::Place),
        Role::Airport => place.codes.iter().any(|code| code.scheme == CodeScheme::Iata),
        Role::County => false,
    }
}

/// Leaves the names that matter; the first one is what is displayed and stays.
fn thin(names: &mut Vec<Name>) {
    let mut first = true;
    names.retain(|name| std::mem::take(&mut first) || matters(name));
}

fn matters(name: &Name) -> bool {
    match name.class {
        NameClass::Primary | NameClass::English => true,
        NameClass::Other => script(&name.text) == Some(Script::Latin),
        NameClass::Weak => false,
    }
}

fn is_han(letter: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&letter)
}
