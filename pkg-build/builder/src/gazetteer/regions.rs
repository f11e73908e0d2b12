//! Builds the records of regions. A landmark that is one of them (a lake, an island) is left out, and its names are kept.

use std::collections::{BTreeSet, HashMap};

use toponym_engine::geo::Coordinate;
use toponym_engine::{FurtherCountry, Kind, NO_COUNTRY, NameClass, Record, Role, fold};

use super::country_index::CountryIndex;
use super::imported::{Candidate, Imported, Same, by_distance, pairs};
use super::merges::{Merges, Why};
use super::ranked_names::add_ranked;
use super::sites::{self, bare};
use super::states_by_latitude::StatesByLatitude;
use crate::ids::{Namespace, hashed};
use crate::importance;
use crate::name_list::NameList;
use crate::sources::regions::Region;
use crate::sources::rows::Site;
use crate::text::{key, script};

/// Landmarks of these types may be listed as a region too.
const SHARED_TYPES: [&str; 6] = ["canyon", "desert", "glacier", "island", "lake", "river"];

/// A landmark lies this far outside the box of a region at most, in degrees.
const BESIDE_DEGREES: f64 = 0.1;

/// Landmarks, of which some may be regions.
pub(crate) struct Landmarks<'i> {
    pub sites: Vec<Site>,
    /// The rows of added files among them.
    pub imported: &'i mut Imported,
    pub merges: &'i mut Merges,
}

/// The records, and the landmarks that are none of them. Of one of an operator's own files a region is one row at most, but one of several
/// countries may be a row in each.
pub(crate) fn records(
    regions: &[Region],
    landmarks: Landmarks,
    country_index: &CountryIndex,
    states: &StatesByLatitude,
    words: &BTreeSet<String>,
) -> (Vec<Record>, Vec<Site>) {
    let Landmarks { sites: landmarks, imported, merges } = landmarks;
    let joined = joined(regions, &landmarks, imported);
    let mut lists: Vec<NameList> = regions.iter().map(|region| names(region, country_index, words)).collect();
    let mut others = Vec::new();
    for (number, site) in landmarks.into_iter().enumerate() {
        match joined.get(&number) {
            Some(&(index, why)) => {
                let region = Same { id: id(&regions[index]), name: &regions[index].name, at: regions[index].position };
                let same = Same { id: sites::id(&site), name: &site.name, at: site.position };
                imported.merge(region, same, why, merges);
                for name in &site.tagged {
                    let class = country_index.class_of(site.country, &name.lang);
                    lists[index].add_tagged(&name.text, &name.lang, class);
                }
                add_ranked(&mut lists[index], &site.ranked, site.country, country_index);
                site.alternates.iter().for_each(|name| lists[index].add(name, NameClass::Weak));
            }
            None => others.push(site),
        }
    }
    let records = regions.iter().zip(lists).map(|(region, list)| record(region, list, country_index, states));
    (records.collect(), others)
}

/// The region that each landmark is, by the index of the landmark.
fn joined(regions: &[Region], landmarks: &[Site], imported: &Imported) -> HashMap<usize, (usize, Why)> {
    let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
    for (index, region) in regions.iter().enumerate() {
        for name in region.names.iter().map(|name| &name.text).chain([&region.name]) {
            by_name.entry(key(name)).or_default().push(index);
        }
    }
    let mut candidates = Vec::new();
    for (row, site) in landmarks.iter().enumerate().filter(|(_, site)| SHARED_TYPES.contains(&site.r#type.as_str())) {
        let namesakes = by_name.get(&key(&site.name)).into_iter().flatten().enumerate();
        for (order, &place) in namesakes.filter(|&(_, &index)| is_in(site, &regions[index])) {
            let distance = regions[place].position.distance_m(site.position);
            candidates.push(Candidate { rank: (order, by_distance(distance)), row, place, why: Why::Name });
        }
    }
    let files_of = |row: usize| {
        let site = &landmarks[row];
        imported.files(sites::id(site)).map(|file| (file, site.country)).collect()
    };
    pairs(candidates, files_of)
}

fn is_in(site: &Site, region: &Region) -> bool {
    region.bounds.is_within(site.position, BESIDE_DEGREES)
}

/// The countries of the regions that have a record, beside the main one of each.
pub(crate) fn further_countries(regions: &[Region], records: &[Record]) -> Vec<FurtherCountry> {
    let kept: BTreeSet<u64> = records.iter().map(|record| record.id).collect();
    let of_region = |region: &Region| {
        let id = id(region);
        let countries = region.countries.iter().skip(1).filter(|_| kept.contains(&id)).copied();
        countries.map(|country| FurtherCountry { region: id, country }).collect::<Vec<_>>()
    };
    regions.iter().flat_map(of_region).collect()
}

/// The id of a region.
pub(crate) fn id(region: &Region) -> u64 {
    hashed(Namespace::Region, &region.slug)
}

fn record(region: &Region, names: NameList, country_index: &CountryIndex, states: &StatesByLatitude) -> Record {
    let parent = match region.countries[..] {
        [only] => states.holding(region.bounds, only).or_else(|| country_index.get(only).map(|country| country.id)),
        _ => None,
    };
    let Region { position, bounds, category, r#type, .. } = region.clone();
    let corner = Coordinate::new(bounds.north, bounds.east).unwrap_or(position);
    Record {
        id: id(region),
        kind: Kind { role: Role::Region, category, r#type },
        names: names.finish(),
        codes: Vec::new(),
        position,
        parent,
        country: region.countries.first().copied().unwrap_or(NO_COUNTRY),
        importance: importance::region(importance::prominence(region.prominence)),
        extent_m: position.distance_m(corner),
        bounds: Some(bounds),
    }
}

/// The category of lakes, reservoirs and lagoons.
const WATER: &str = "water";

fn starts_with_one_of(name: &str, words: &BTreeSet<String>) -> bool {
    name.split(' ').next().is_some_and(|first| words.contains(&fold(first)))
}

/// Names in the languages of one of its countries are its own. "Tahoe" for "Lake Tahoe" is weak: with it, "Lago Tahoe" finds
/// the lake too.
fn names(region: &Region, country_index: &CountryIndex, words: &BTreeSet<String>) -> NameList {
    let mut list = NameList::new(&*region.name);
    let usual = |lang: &str| if lang == "en" { NameClass::English } else { NameClass::Other };
    for name in &region.names {
        let classes = region.countries.iter().map(|&country| country_index.class_of(country, &name.lang));
        list.add_tagged(&name.text, &name.lang, classes.min().unwrap_or(NameClass::Other).min(usual(&name.lang)));
    }
    for word in &region.words {
        let of_language = region.names.iter().filter(|name| name.lang == word.lang).map(|name| &name.text);
        for name in of_language.chain([&region.name]).filter(|name| script(name) == script(&word.text)) {
            list.add(&format!("{} {name}", word.text), NameClass::Other);
        }
    }
    let all = region.names.iter().map(|name| &name.text).chain([&region.name]);
    // The rest of other names is often a mere adjective: `Black Sea`, `Upper Peninsula`.
    let of_lakes = all.filter(|name| region.category == WATER && starts_with_one_of(name, words));
    for bare in of_lakes.filter_map(|name| bare(name, words)) {
        list.add(&bare, NameClass::Weak);
    }
    list
}
