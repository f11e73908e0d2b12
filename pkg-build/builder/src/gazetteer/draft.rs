//! The places of one country, in two steps: a draft, which needs the rows of the country alone, and what becomes of it by rules
//! that look at the names of all countries.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::{Deserialize, Serialize};
use toponym_engine::{Capital, PlaceFacts, Record};

use super::additions::Additions;
use super::borders::{engine_of_borders, state_borders};
use super::clean_names::{self, Others};
use super::country_index::CountryIndex;
use super::import::{Rows, apply};
use super::in_order::in_order;
use super::inputs::Inputs;
use super::locator::Locator;
use super::matcher::{Imported, Matcher, Merges, PLACES, ROWS};
use super::names_of_states::tag_as_states;
use super::place_facts::{Inhabited, place_facts};
use super::states_by_latitude::StatesByLatitude;
use super::{
    airports, capitals, cities, countries, divisions, region_namesakes, regions, same_places, same_sites, settlements,
    sites,
};
use crate::error::BuildError;
use crate::feature::Feature;
use crate::sources::rows::{Iso2, Settlement};

/// Places of one country before the rules that look at all countries.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Draft {
    pub country: Iso2,
    /// Settlements, airports and sites.
    places: Vec<Record>,
    /// City and area of each capital.
    capitals: Vec<(u64, u64)>,
    inhabited: Vec<Inhabited>,
    imported: Imported,
}

/// A draft, with what the others need of it.
#[derive(Debug)]
pub(crate) struct Drawn {
    pub draft: Draft,
    /// The country and its divisions.
    pub areas: Vec<Record>,
    /// The regions in it; those of several countries as this one makes them.
    pub regions: Vec<Record>,
    /// Ids of the settlements and sites that a pinned source has.
    pinned: HashSet<u64>,
    pub merges: Merges,
}

/// A place of the gazetteer.
#[derive(Debug)]
pub(crate) struct Place {
    pub record: Record,
    pub facts: Option<PlaceFacts>,
    /// The population of a settlement, 0 if nobody knows it.
    pub people: u64,
    /// `true` if a row of an added file is it or became part of it.
    pub is_added: bool,
}

/// The places of one country.
#[derive(Debug)]
pub(crate) struct Finished {
    pub places: Vec<Place>,
    pub capitals: Vec<Capital>,
    pub merges: Merges,
    pub cleaned: clean_names::Counts,
    /// The place that each duplicate became part of.
    pub twice: HashMap<u64, u64>,
}

impl Drawn {
    /// Merges the rows of a country, those of sources in `inputs` and those of added files.
    ///
    /// # Errors
    /// When two places have the same id, a table names an unknown place, or the rows cannot be read.
    pub fn of(country: Iso2, mut inputs: Inputs, rows: &Rows) -> Result<Self, BuildError> {
        let pinned = pinned_ids(&inputs);
        apply(&mut inputs, rows, country)?;
        let settlements = std::mem::take(&mut inputs.settlements);
        let tables = inputs.tables.clone();
        let mut matcher = Matcher::new(ROWS, &tables.groups, &mut inputs.imported, &mut inputs.merges);
        inputs.settlements = settlements::merge_duplicates(settlements, &mut matcher);
        settlements::mark_districts(&mut inputs.settlements);
        settlements::tag_zone_cities(&mut inputs.settlements, &inputs.zones, &inputs.tables.zones);
        let country_index = country_index(&inputs);
        let land = countries::record_of(country, &inputs, &country_index);
        let divisions = divisions::divisions(&inputs, &country_index);
        tag_as_states(&mut inputs.settlements, &divisions);
        let aliases = inputs.tables.cities.iter().filter(|alias| alias.country == country);
        let aliases = settlements::aliases(&inputs.settlements, aliases)?;
        let cities = cities::records(&inputs, &country_index, &divisions, &aliases);
        let capitals = capitals::capitals(&inputs, &country_index, &divisions, &cities);

        let mut matcher = Matcher::new(ROWS, &tables.groups, &mut inputs.imported, &mut inputs.merges);
        inputs.stations = same_sites::merge(std::mem::take(&mut inputs.stations), &mut matcher);
        let landmarks = same_sites::merge(std::mem::take(&mut inputs.landmarks), &mut matcher);
        let borders = engine_of_borders(state_borders(&inputs.state_borders, &inputs.settlements));
        let states = StatesByLatitude::new(
            inputs.settlements.iter().filter_map(|settlement| {
                divisions.state(settlement).map(|state| (settlement.position, settlement.country, state))
            }),
            &borders,
        );
        let (mut regions, landmarks) =
            regions::records(&inputs.regions, landmarks, &mut matcher, &country_index, &states, &inputs.tables.regions);
        let state_of: Vec<Option<u64>> =
            inputs.settlements.iter().map(|settlement| divisions.state(settlement)).collect();
        let locator = Locator::new(&inputs.settlements, &cities, &inputs.tables.kind_words, (&borders, &state_of));
        let airports = airports::records(&inputs.airports, &inputs.tables, &country_index, &locator);
        let stations = sites::stations(&inputs.stations, &country_index, &locator);
        let landmarks = sites::landmarks(&landmarks, &inputs.tables.landmarks, &country_index, &locator);

        region_namesakes::join_cities(&mut regions, &cities);
        let draft = Draft {
            country,
            places: [cities, airports, stations, landmarks].into_iter().flatten().collect(),
            capitals: capitals.into_iter().map(|capital| (capital.city, capital.area)).collect(),
            inhabited: inputs.settlements.iter().map(Inhabited::from).collect(),
            imported: inputs.imported,
        };
        let areas = land.into_iter().chain(divisions.into_records()).collect();
        Ok(Self { draft, areas, regions, pinned, merges: inputs.merges })
    }

    /// Iterates over the settlements and sites that pinned sources have. What added files call their places says nothing of those.
    pub fn of_sources(&self) -> impl Iterator<Item = &Record> {
        self.draft.places.iter().filter(|place| self.pinned.contains(&place.id))
    }
}

/// Returns the ids of settlements and sites that a country has without added files.
fn pinned_ids(inputs: &Inputs) -> HashSet<u64> {
    let settlements = inputs.settlements.iter().chain(&inputs.quarters).map(|settlement| settlement.id);
    let sites = inputs.stations.iter().chain(&inputs.landmarks).map(sites::id);
    settlements.chain(sites).chain(inputs.airports.iter().map(airports::id)).collect()
}

fn country_index(inputs: &Inputs) -> CountryIndex {
    CountryIndex::new(&inputs.countries, &inputs.tables.scripts, |country| {
        let at_home = inputs.settlements.iter().filter(|place| place.country == country.iso2);
        let namesakes = at_home.filter(|place| {
            let is_capital = place.feature == Feature::Capital && place.alternates.contains(&country.name);
            is_capital || place.name == country.name
        });
        namesakes.map(Settlement::importance).max_by(f64::total_cmp)
    })
}

impl Draft {
    /// Applies the rules that look at the names of all places. `areas` are the country and its divisions.
    ///
    /// # Errors
    /// When two places have the same id.
    pub fn finish(
        self,
        areas: Vec<Record>,
        others: &Others,
        additions: &Additions,
        groups: &BTreeMap<String, String>,
    ) -> Result<Finished, BuildError> {
        let Self { places, capitals, inhabited, mut imported, .. } = self;
        let mut places = in_order(areas.into_iter().chain(places).collect())?;
        let mut cleaned = clean_names::Counts::new();
        places.iter_mut().for_each(|place| others.clean(place, &mut cleaned));
        let mut merges = Merges::default();
        let matcher = &mut Matcher::new(PLACES, groups, &mut imported, &mut merges);
        let (places, same) = same_places::merge(places, additions, matcher);
        let capitals =
            capitals.into_iter().map(|(city, area)| Capital { area, city: same.get(&city).copied().unwrap_or(city) });
        let mut facts: HashMap<u64, PlaceFacts> =
            place_facts(&places, &inhabited).into_iter().map(|facts| (facts.place, facts)).collect();
        let people: HashMap<u64, u64> = inhabited.iter().map(|place| (place.id, place.population)).collect();
        let place = |record: Record| Place {
            facts: facts.remove(&record.id),
            people: people.get(&record.id).copied().unwrap_or(0),
            is_added: imported.has(record.id),
            record,
        };
        let places = places.into_iter().map(place).collect();
        let capitals = capitals.collect();
        Ok(Finished { places, capitals, merges, cleaned, twice: same })
    }

    /// Returns the number of places.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Tells whether a place has a row of an added file.
    pub fn has_row(&self, place: u64) -> bool {
        self.imported.has(place)
    }
}
