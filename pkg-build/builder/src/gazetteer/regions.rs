//! Builds the records of regions. A landmark that is one of them (a lake, an island) is left out, and its names are kept.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use toponym_engine::geo::{Bounds, Coordinate};
use toponym_engine::{FurtherCountry, Kind, NO_COUNTRY, Name, NameClass, Record, Role, fold};

use super::country_index::CountryIndex;
use super::sites::bare;
use crate::ids::{Namespace, hashed};
use crate::importance;
use crate::name_list::NameList;
use crate::sources::regions::Region;
use crate::sources::rows::{Iso2, Site};
use crate::text::{key, script};

/// Landmarks of these types may be listed as a region too.
const SHARED_TYPES: [&str; 6] = ["canyon", "desert", "glacier", "island", "lake", "river"];

/// A landmark lies this far outside the box of a region at most, in degrees.
const BESIDE_DEGREES: f64 = 0.1;

/// The records, and the landmarks that are none of them.
pub(crate) fn records(
    regions: &[Region],
    landmarks: Vec<Site>,
    country_index: &CountryIndex,
    states: &StatesByLatitude,
    words: &BTreeSet<String>,
) -> (Vec<Record>, Vec<Site>) {
    let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
    for (index, region) in regions.iter().enumerate() {
        for name in region.names.iter().map(|name| &name.text).chain([&region.name]) {
            by_name.entry(key(name)).or_default().push(index);
        }
    }
    let mut lists: Vec<NameList> = regions.iter().map(|region| names(region, country_index, words)).collect();
    let mut others = Vec::new();
    for site in landmarks {
        let is_shared = SHARED_TYPES.contains(&site.r#type.as_str());
        let namesakes = by_name.get(&key(&site.name)).filter(|_| is_shared).into_iter().flatten();
        match namesakes.into_iter().find(|&&index| regions[index].bounds.holds(site.position, BESIDE_DEGREES)) {
            Some(&index) => {
                for name in &site.tagged {
                    let class = country_index.class_of(site.country, &name.lang);
                    lists[index].add_tagged(&name.text, &name.lang, class);
                }
                site.alternates.iter().for_each(|name| lists[index].add(name, NameClass::Weak));
            }
            None => others.push(site),
        }
    }
    let records = regions.iter().zip(lists).map(|(region, list)| record(region, list, country_index, states));
    (records.collect(), others)
}

/// Joins regions that are a country or a division of today (Iceland, Sicily, Kent) into its record: it takes their names, and
/// the importance that their fame gives. Returns the others. A region with a part of a city of its name lies in the city.
///
/// Of two that only share a name and a part of their area, people mean the country or the state: Ireland and its island,
/// Mississippi and its river.
pub(crate) fn join_areas(regions: Vec<Record>, divisions: &mut [Record], cities: &[Record]) -> Vec<Record> {
    let areas = by_name(divisions, |role| role <= Role::County);
    let quarters = by_name(cities, |role| role == Role::Quarter);
    let joined = |mut region: Record| {
        let called_so = namesakes(&region, &areas);
        let same = called_so.iter().copied().filter(|&index| is_same_area(&region, &divisions[index]));
        if let Some(index) = same.min_by_key(|&index| divisions[index].kind.role) {
            join(&mut divisions[index], region);
            return None;
        }
        let quarter = namesakes(&region, &quarters).into_iter().find(|&index| is_quarter(&region, &cities[index]));
        if let Some(index) = quarter {
            region.parent = cities[index].parent;
        }
        for index in called_so {
            if is_meant_before(&divisions[index], &region) {
                give_way(&mut region, &divisions[index]);
            }
        }
        Some(region)
    };
    regions.into_iter().filter_map(joined).collect()
}

/// The countries of the regions that have a record, beside the main one of each.
pub(crate) fn further_countries(regions: &[Region], records: &[Record]) -> Vec<FurtherCountry> {
    let kept: BTreeSet<u64> = records.iter().map(|record| record.id).collect();
    let of_region = |region: &Region| {
        let id = hashed(Namespace::Region, &region.slug);
        let countries = region.countries.iter().skip(1).filter(|_| kept.contains(&id)).copied();
        countries.map(|country| FurtherCountry { region: id, country }).collect::<Vec<_>>()
    };
    regions.iter().flat_map(of_region).collect()
}

/// How much less important a region is than the country or state of its name: more than a better class of name makes up
/// for, because each is called so in other languages.
const BESIDE_NAMESAKE: f64 = 0.10;

/// A region and a division of one name are the same area if their boxes have this share in common.
const SAME_AREA: f64 = 0.3;

/// Boxes of countries reach far into the sea, so a region that is one only has to lie in it with this share of its box.
const IN_COUNTRY: f64 = 0.8;

/// Records of some roles by the keys of their names that are more than alternates.
fn by_name(places: &[Record], is_wanted: fn(Role) -> bool) -> HashMap<String, Vec<usize>> {
    let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
    for (index, place) in places.iter().enumerate().filter(|(_, place)| is_wanted(place.kind.role)) {
        let names = place.names.iter().filter(|name| name.class <= NameClass::Other);
        let keys: BTreeSet<String> = names.map(|name| key(&name.text)).collect();
        keys.into_iter().for_each(|key| by_name.entry(key).or_default().push(index));
    }
    by_name
}

/// The indices of records that share a name with a region.
fn namesakes(region: &Record, by_name: &HashMap<String, Vec<usize>>) -> BTreeSet<usize> {
    let keys: BTreeSet<String> = region.names.iter().map(|name| key(&name.text)).collect();
    keys.iter().filter_map(|key| by_name.get(key)).flatten().copied().collect()
}

/// Whether a region of one country is the division `place`: they have a usual name in common, and about the same box.
fn is_same_area(region: &Record, place: &Record) -> bool {
    let Some((ours, theirs)) = region.bounds.zip(place.bounds) else { return false };
    let is_same = match place.kind.role {
        Role::Country => overlap(ours, theirs) >= IN_COUNTRY * area(ours),
        _ => overlap(ours, theirs) >= SAME_AREA * (area(ours) + area(theirs) - overlap(ours, theirs)),
    };
    region.parent.is_some() && region.country == place.country && is_same && share_a_usual_name(region, place)
}

/// Whether a region has a part of a city on it, as Staten Island does: they have a usual name in common, and it is no larger than a city.
fn is_quarter(region: &Record, place: &Record) -> bool {
    let holds = region.bounds.is_some_and(|bounds| bounds.holds(place.position, 0.0));
    let is_small = region.extent_m <= CITY_EXTENT_M;
    region.country == place.country && holds && is_small && share_a_usual_name(region, place)
}

/// Parts of a city reach no farther than this from their centre, in metres.
const CITY_EXTENT_M: f64 = 30_000.0;

fn share_a_usual_name(a: &Record, b: &Record) -> bool {
    let usual = |record: &Record| -> BTreeSet<String> {
        let names = record.names.iter().filter(|name| name.class <= NameClass::English);
        names.map(|name| key(&name.text)).collect()
    };
    !usual(a).is_disjoint(&usual(b))
}

/// Whether a name that the two have in common means the division `place` before the region.
fn is_meant_before(place: &Record, region: &Record) -> bool {
    let are_near = region.bounds.zip(place.bounds).is_some_and(|(ours, theirs)| ours.overlaps(theirs));
    place.kind.role <= Role::State && are_near
}

/// Gives the names that a region shares with a division to the division. A region that is called so itself, in its display
/// name, is less important.
fn give_way(region: &mut Record, place: &Record) {
    let theirs: BTreeSet<String> = place.names.iter().map(|name| key(&name.text)).collect();
    let (display, others) = region.names.split_first_mut().expect("a record has a name");
    others.iter_mut().filter(|name| theirs.contains(&key(&name.text))).for_each(|name| name.class = NameClass::Weak);
    if theirs.contains(&key(&display.text)) {
        region.importance = region.importance.min(place.importance - BESIDE_NAMESAKE);
    }
}

fn join(place: &mut Record, region: Record) {
    for name in region.names {
        if !place.names.iter().any(|known| known.text == name.text && known.lang == name.lang) {
            // The display name of the division is its own.
            let class = name.class.max(NameClass::English);
            place.names.push(Name { class, ..name });
        }
    }
    place.importance = place.importance.max(region.importance);
}

/// In square degrees, of a box that does not cross the date line.
fn area(of: Bounds) -> f64 {
    (of.north - of.south).max(0.0) * (of.east - of.west).max(0.0)
}

/// The area that two boxes have in common; 0 if one crosses the date line.
fn overlap(a: Bounds, b: Bounds) -> f64 {
    let both = Bounds {
        south: a.south.max(b.south),
        north: a.north.min(b.north),
        west: a.west.max(b.west),
        east: a.east.min(b.east),
    };
    area(both)
}

/// Settlements with the state that each lies in.
pub(crate) struct StatesByLatitude(Vec<(Coordinate, Iso2, u64)>);

impl StatesByLatitude {
    /// From the position, country and state of settlements.
    pub fn new(settlements: impl Iterator<Item = (Coordinate, Iso2, u64)>) -> Self {
        let mut sorted: Vec<_> = settlements.collect();
        sorted.sort_by(|a, b| a.0.lat().total_cmp(&b.0.lat()));
        Self(sorted)
    }

    /// The state of `country` that nearly all settlements of `country` in the box lie in.
    fn holding(&self, bounds: Bounds, country: Iso2) -> Option<u64> {
        let south = self.0.partition_point(|(at, ..)| at.lat() < bounds.south);
        let in_band = self.0[south..].iter().take_while(|(at, ..)| at.lat() <= bounds.north);
        let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
        for (_, _, state) in in_band.filter(|(at, of, _)| *of == country && bounds.holds(*at, 0.0)) {
            *counts.entry(*state).or_default() += 1;
        }
        let all: usize = counts.values().sum();
        let (state, count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
        (count as f64 >= IN_STATE * all as f64).then_some(state)
    }
}

/// A region lies in a state if this share of the settlements in its box does.
const IN_STATE: f64 = 0.95;

fn record(region: &Region, names: NameList, country_index: &CountryIndex, states: &StatesByLatitude) -> Record {
    let parent = match region.countries[..] {
        [only] => states.holding(region.bounds, only).or_else(|| country_index.get(only).map(|country| country.id)),
        _ => None,
    };
    let Region { position, bounds, category, r#type, .. } = region.clone();
    let corner = Coordinate::new(bounds.north, bounds.east).unwrap_or(position);
    Record {
        id: hashed(Namespace::Region, &region.slug),
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
