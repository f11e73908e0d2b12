//! Collects the content of a page: what it shows of places, and of what contains them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::shown::{Area, Shown, shown_record};
use super::source::Source;
use super::whole::Whole;
use crate::index::Layer;
use crate::record::{Capital, Gazetteer, Record};

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
pub(super) struct Content<'w> {
    pub gazetteer: Gazetteer,
    /// Places that are there only as parents of others.
    pub areas: Vec<&'w Record>,
    /// Number and id of each place that the page is made for.
    pub ids: Vec<(u32, u64)>,
    /// Ids of the places of which only the name is shown.
    pub bare: BTreeSet<u64>,
    /// Bits of languages in which places have further names.
    pub named: BTreeMap<u64, u32>,
}

/// Collects the content of a page of some places.
pub(super) fn content<'w, S: Source>(source: &S, whole: &'w Whole, wanted: &[Wanted]) -> Result<Content<'w>, S::Error> {
    let mut content = Content::default();
    let mut is_here: HashSet<u64> = HashSet::new();
    let Gazetteer { places, facts, further_countries, .. } = &mut content.gazetteer;
    let mut parents: BTreeSet<u64> = BTreeSet::new();
    for Wanted { number, names, codes } in wanted {
        let (place, of_place) = source.with_facts(*number)?;
        facts.extend(of_place.map(Cow::into_owned));
        parents.extend(place.parent);
        content.ids.push((*number, place.id));
        let (place, named) = shown_record(place, *codes, names);
        content.named.extend(named.map(|bits| (place.id, bits)));
        is_here.insert(place.id);
        places.push(place);
    }
    // What contains a place that is shown may be shown itself.
    while let Some(id) = parents.pop_first() {
        let Some(Area { record, named }) = whole.areas.get(&id).filter(|_| is_here.insert(id)) else { continue };
        parents.extend(record.parent);
        content.named.extend(named.map(|bits| (id, bits)));
        content.bare.insert(id);
        content.areas.push(record);
    }
    further_countries.extend(is_here.iter().filter_map(|id| whole.further.get(id)).flatten());
    Ok(content)
}

/// Collects the content of a page of capitals: they and their areas, of which an answer shows no more than their names.
pub(super) fn content_of_capitals<S: Source>(source: &S, capitals: &[Capital]) -> Result<Content<'static>, S::Error> {
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

impl Content<'_> {
    /// Iterates over the places of a layer that the page is made for.
    pub fn of_layer(&self, layer: Layer) -> impl Iterator<Item = &Record> {
        self.gazetteer.places.iter().filter(move |place| Layer::of(place.kind.role) == layer)
    }

    /// Iterates over all places of the page.
    pub fn places(&self) -> impl Iterator<Item = &Record> {
        self.gazetteer.places.iter().chain(self.areas.iter().copied())
    }
}
