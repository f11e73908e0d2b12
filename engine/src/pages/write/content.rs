//! Collects the content of a page: what it shows of places, and of what contains them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::shown::{Area, Shown, shown_record};
use super::source::Source;
use super::whole::Whole;
use crate::index::Layer;
use crate::record::{Capital, Gazetteer, PlaceFacts, Record};

/// A place that a page is made for.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    pub number: u32,
    pub names: Shown,
    /// True if the codes of the place are shown.
    pub codes: bool,
}

/// Content of a page: what it has of places.
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

/// Collects the content of a page of some places.
pub(super) fn content<S: Source>(source: &S, whole: &Whole, wanted: &[Wanted]) -> Result<Content, S::Error> {
    let mut places: BTreeMap<u64, Record> = BTreeMap::new();
    let mut content = Content::default();
    let mut facts: Vec<PlaceFacts> = Vec::new();
    let mut parents: BTreeSet<u64> = BTreeSet::new();
    for Wanted { number, names, codes } in wanted {
        let (place, of_place) = source.with_facts(*number)?;
        facts.extend(of_place.map(Cow::into_owned));
        parents.extend(place.parent);
        content.ids.push((*number, place.id));
        let (place, named) = shown_record(place, *codes, names);
        content.named.extend(named.map(|bits| (place.id, bits)));
        places.insert(place.id, place);
    }
    // What contains a place that is shown may be shown itself.
    while let Some(id) = parents.pop_first() {
        let known = places.contains_key(&id);
        let Some(Area { record, named }) = whole.areas.get(&id).filter(|_| !known) else { continue };
        parents.extend(record.parent);
        content.named.extend(named.map(|bits| (id, bits)));
        content.bare.insert(id);
        places.insert(id, record.clone());
    }
    let further_countries = places.keys().filter_map(|id| whole.further.get(id)).flatten().copied().collect();
    content.gazetteer =
        Gazetteer { places: places.into_values().collect(), facts, further_countries, ..Gazetteer::default() };
    Ok(content)
}

/// Collects the content of a page of capitals: they and their areas, of which an answer shows no more than their names.
pub(super) fn content_of_capitals<S: Source>(source: &S, capitals: &[Capital]) -> Result<Content, S::Error> {
    let mut content = Content::default();
    let ids: BTreeSet<u64> = capitals.iter().flat_map(|capital| [capital.area, capital.city]).collect();
    for number in ids.iter().filter_map(|&id| source.number(id)) {
        let (place, _) = source.with_facts(number)?;
        let Area { record, named } = Area::new(place.into_owned());
        content.named.extend(named.map(|bits| (record.id, bits)));
        content.gazetteer.places.push(Record { parent: None, ..record });
    }
    content.bare = ids;
    content.gazetteer.capitals = capitals.to_vec();
    Ok(content)
}

impl Content {
    /// Iterates over the places of a layer that the page is made for.
    pub fn of_layer(&self, layer: Layer) -> impl Iterator<Item = &Record> {
        let places = self.gazetteer.places.iter();
        places.filter(move |place| Layer::of(place.kind.role) == layer && !self.bare.contains(&place.id))
    }
}
