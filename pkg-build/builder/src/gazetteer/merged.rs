//! A gazetteer in memory.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use toponym_engine::{Gazetteer, PlaceFacts, Record};

use super::country_facts::Counts;
use super::drafts::Drafts;
use super::import::Rows;
use super::in_order::in_order;
use super::inputs::Inputs;
use super::matcher::Merges;
use super::merge::{Rest, merge};
use crate::error::BuildError;

/// A gazetteer in memory.
#[derive(Debug)]
pub(crate) struct Merged {
    /// The places in order of their id, the capitals among them, and the facts about places and countries.
    pub gazetteer: Gazetteer,
    pub merges: Merges,
    /// The population of settlements by id.
    pub people: HashMap<u64, u64>,
    /// Ids of the places that have rows of added files.
    pub added: HashSet<u64>,
}

impl Merged {
    /// Merges the rows of all sources in memory.
    ///
    /// # Errors
    /// Errors of [`merge`], and when two places have the same id.
    pub fn of(inputs: &Inputs, rows: Rows, folder: &Path) -> Result<Self, BuildError> {
        let mut places = Vec::new();
        let mut facts = Vec::new();
        let mut people = HashMap::new();
        let mut added = HashSet::new();
        let Rest { gazetteer, merges } = merge(inputs, rows, Drafts::new(folder), |place| {
            people.extend((place.people > 0).then_some((place.record.id, place.people)));
            added.extend(place.is_added.then_some(place.record.id));
            facts.extend(place.facts);
            places.push(place.record);
            Ok(())
        })?;
        facts.sort_unstable_by_key(|facts: &PlaceFacts| facts.place);
        let gazetteer = Gazetteer { places: in_order(places)?, facts, ..gazetteer };
        Ok(Self { gazetteer, merges, people, added })
    }

    /// Keeps the wanted places, those that contain them, and what is said of both.
    pub fn with_ancestors(self, is_wanted: impl Fn(&Record) -> bool) -> Self {
        self.reduce(|gazetteer| {
            let Gazetteer { mut places, mut facts, mut capitals, mut further_countries, mut borders, .. } = gazetteer;
            let parents: HashMap<u64, u64> =
                places.iter().filter_map(|place| Some((place.id, place.parent?))).collect();
            let mut kept: HashSet<u64> = HashSet::new();
            for place in places.iter().filter(|place| is_wanted(place)) {
                let mut id = Some(place.id);
                while let Some(next) = id.filter(|&id| kept.insert(id)) {
                    id = parents.get(&next).copied();
                }
            }
            places.retain(|place| kept.contains(&place.id));
            facts.retain(|facts| kept.contains(&facts.place));
            capitals.retain(|capital| kept.contains(&capital.area) && kept.contains(&capital.city));
            further_countries.retain(|further| kept.contains(&further.region));
            borders.retain(|border| border.state().is_none_or(|state| kept.contains(&state)));
            Gazetteer { places, facts, capitals, further_countries, borders, ..gazetteer }
        })
    }

    /// Keeps a part of the places, and counts people and cities anew.
    pub fn reduce(self, part: impl FnOnce(Gazetteer) -> Gazetteer) -> Self {
        let mut gazetteer = part(self.gazetteer);
        let mut counts = Counts::default();
        let people = |place: &Record| self.people.get(&place.id).copied().unwrap_or(0);
        gazetteer.places.iter().for_each(|place| counts.take(place, people(place)));
        counts.finish(&mut gazetteer.about.countries);
        Self { gazetteer, ..self }
    }
}
