//! Builds the records of regions. A landmark that is one of them (a lake, an island) is left out, and its names are kept.

use std::collections::{BTreeSet, HashMap};

use toponym_engine::geo::Coordinate;
use toponym_engine::{FurtherCountry, Kind, NO_COUNTRY, NameClass, Record, Role, fold};

use super::country_index::CountryIndex;
use super::matcher::{self, Known, Matcher, Subject};
use super::ranked_names::add_ranked;
use super::same_sites;
use super::sites::bare;
use super::states_by_latitude::StatesByLatitude;
use crate::ids::{Namespace, hash_id};
use crate::importance;
use crate::name_list::NameList;
use crate::sources::regions::Region;
use crate::sources::rows::Site;
use crate::text::{key_hash, script};

/// Creates the records of regions, and returns the landmarks that are not regions. A region is at most one row of one of an
/// operator's own files, but one of several countries may be a row in each.
pub(crate) fn records(
    regions: &[Region],
    landmarks: Vec<Site>,
    matches: &mut Matcher,
    country_index: &CountryIndex,
    states: &StatesByLatitude,
    words: &BTreeSet<String>,
) -> (Vec<Record>, Vec<Site>) {
    let of_regions: Vec<Subject> = regions.iter().map(subject).collect();
    let joined = join_landmarks(&of_regions, &landmarks, matches);
    let mut lists: Vec<NameList> = regions.iter().map(|region| names(region, country_index, words)).collect();
    let mut others = Vec::new();
    for (number, site) in landmarks.into_iter().enumerate() {
        match joined.get(&number) {
            Some(&Known { place: index, why }) => {
                matches.join(&of_regions[index], &same_sites::subject(&site), why);
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

/// Returns the region that each landmark is, by the index of the landmark.
fn join_landmarks(regions: &[Subject], landmarks: &[Site], matches: &Matcher) -> HashMap<usize, Known> {
    let of_sites: Vec<Subject> = landmarks.iter().map(by_display_name).collect();
    matches.known(regions, &of_sites, |row| matches.imported.files(of_sites[row].id).collect())
}

/// Returns a landmark by its display name alone: a lake may have the name of its river beside its own.
fn by_display_name(site: &Site) -> Subject<'_> {
    Subject { others: Vec::new(), first: key_hash(&site.name), ..same_sites::subject(site) }
}

/// Returns what the matcher compares of a region.
fn subject(region: &Region) -> Subject<'_> {
    let country = region.countries.first().copied().unwrap_or(NO_COUNTRY);
    let others = region.names.iter().map(|name| key_hash(&name.text)).collect();
    Subject {
        others,
        ..Subject::new(id(region), &region.name, country, region.position, matcher::Kind::Region(region))
    }
}

/// Returns the countries of the regions that have a record, beside the main one of each.
pub(crate) fn further_countries(regions: &[Region], records: &[Record]) -> Vec<FurtherCountry> {
    let kept: BTreeSet<u64> = records.iter().map(|record| record.id).collect();
    let of_region = |region: &Region| {
        let id = id(region);
        let countries = region.countries.iter().skip(1).filter(|_| kept.contains(&id)).copied();
        countries.map(|country| FurtherCountry { region: id, country }).collect::<Vec<_>>()
    };
    regions.iter().flat_map(of_region).collect()
}

/// Returns the id of a region.
pub(crate) fn id(region: &Region) -> u64 {
    hash_id(Namespace::Region, &region.slug)
}

fn record(region: &Region, names: NameList, country_index: &CountryIndex, states: &StatesByLatitude) -> Record {
    let parent = match region.countries[..] {
        [only] => {
            states.state_around(region.bounds, only).or_else(|| country_index.get(only).map(|country| country.id))
        }
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

/// Returns the names of a region. Names in the languages of one of its countries are its own. "Tahoe" for "Lake Tahoe" is
/// weak: with it, "Lago Tahoe" finds the lake too.
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
