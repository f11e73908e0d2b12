//! What a page shows of places, and of what contains them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::source::Source;
use crate::geo::Coordinate;
use crate::index::{language_bit, translations};
use crate::record::{Capital, FurtherCountry, Gazetteer, Name, NameClass, PlaceFacts, Record, Role};

/// The names of a place that a page shows beside its display name.
#[derive(Clone, Debug)]
pub(super) enum Shown {
    /// None.
    First,
    /// Those with these numbers among its [`translations`].
    Some(BTreeSet<u16>),
    /// All.
    All,
}

/// A place that a page is made for.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    pub number: u32,
    pub names: Shown,
    /// Whether its codes are shown.
    pub codes: bool,
}

/// What a page has of places.
#[derive(Debug, Default)]
pub(super) struct Content {
    pub gazetteer: Gazetteer,
    /// Number and id of each place that the page is made for.
    pub ids: Vec<(u32, u64)>,
    /// Places that are there only as parents of others.
    pub bare: BTreeSet<u64>,
    /// Bits of languages in which places have further names.
    pub named: BTreeMap<u64, u32>,
}

/// Countries and states, which the labels of all others need.
pub(super) fn is_in_root(place: &Record) -> bool {
    place.kind.role <= Role::State
}

/// The content of a page of some places.
pub(super) fn content<S: Source>(
    source: &S,
    further: &BTreeMap<u64, Vec<FurtherCountry>>,
    wanted: &[Wanted],
) -> Result<Content, S::Error> {
    let mut places: BTreeMap<u64, Record> = BTreeMap::new();
    let mut content = Content::default();
    let mut facts: Vec<PlaceFacts> = Vec::new();
    let mut parents: BTreeSet<u64> = BTreeSet::new();
    for Wanted { number, names, codes } in wanted {
        let (place, of_place) = source.with_facts(*number)?;
        facts.extend(of_place.map(Cow::into_owned));
        parents.extend(place.parent);
        content.ids.push((*number, place.id));
        content.named.extend(named_elsewhere(&place, names).map(|bits| (place.id, bits)));
        places.insert(place.id, shown(&place, *codes, names));
    }
    // What only contains others is no answer: its bounds and facts are left out. What contains a place that is shown may be shown itself.
    while let Some(id) = parents.pop_first() {
        let known = places.contains_key(&id);
        let Some(number) = source.number(id).filter(|_| !known) else { continue };
        let area = source.place(number)?;
        if is_in_root(&area) {
            continue;
        }
        parents.extend(area.parent);
        content.named.extend(named_elsewhere(&area, &Shown::First).map(|bits| (id, bits)));
        content.bare.insert(id);
        places.insert(id, bare(&area));
    }
    let further_countries = places.keys().filter_map(|id| further.get(id)).flatten().copied().collect();
    content.gazetteer =
        Gazetteer { places: places.into_values().collect(), facts, further_countries, ..Gazetteer::default() };
    Ok(content)
}

/// The content of a page of capitals: they and their areas, of which an answer shows no more than their names.
pub(super) fn content_of_capitals<S: Source>(source: &S, capitals: &[Capital]) -> Result<Content, S::Error> {
    let mut content = Content::default();
    let ids: BTreeSet<u64> = capitals.iter().flat_map(|capital| [capital.area, capital.city]).collect();
    for number in ids.iter().filter_map(|&id| source.number(id)) {
        let place = source.place(number)?;
        content.named.extend(named_elsewhere(&place, &Shown::First).map(|bits| (place.id, bits)));
        content.gazetteer.places.push(Record { parent: None, ..bare(&place) });
    }
    content.bare = ids;
    content.gazetteer.capitals = capitals.to_vec();
    Ok(content)
}

/// A place as a page shows it.
fn shown(place: &Record, codes: bool, names: &Shown) -> Record {
    let first = place.names.iter().take(1).map(|name| Name { lang: None, ..name.clone() });
    let others = (0..).zip(translations(place)).filter(|(number, _)| is_shown(names, *number));
    let others = others.map(|(_, (tag, name))| Name {
        text: name.to_owned(),
        class: NameClass::Other,
        lang: Some(tag.to_owned()),
    });
    Record {
        id: place.id,
        kind: place.kind.clone(),
        names: first.chain(others).collect(),
        codes: if codes { place.codes.clone() } else { Vec::new() },
        position: place.position,
        parent: place.parent,
        country: place.country,
        importance: place.importance,
        extent_m: place.extent_m,
        bounds: place.bounds,
    }
}

fn is_shown(names: &Shown, number: u16) -> bool {
    match names {
        Shown::First => false,
        Shown::Some(numbers) => numbers.contains(&number),
        Shown::All => true,
    }
}

/// A place as the parent of others. Only of a city it matters where it lies.
fn bare(place: &Record) -> Record {
    let shown = Record { bounds: None, ..shown(place, false, &Shown::First) };
    match place.kind.role {
        Role::County => Record { position: Coordinate { lat: 0.0, lon: 0.0 }, importance: 0.0, extent_m: 0.0, ..shown },
        _ => shown,
    }
}

/// Bits of the languages in which a place has names beside those that a page shows.
fn named_elsewhere(place: &Record, names: &Shown) -> Option<u32> {
    let elsewhere = (0..).zip(translations(place)).filter(|(number, _)| !is_shown(names, *number));
    elsewhere.map(|(_, (tag, _))| language_bit(tag)).reduce(|all, bit| all | bit)
}
