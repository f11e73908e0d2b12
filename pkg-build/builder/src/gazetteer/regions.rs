//! Builds the records of regions. A landmark that is one of them (a lake, an island) is left out, and its names are kept.

use std::collections::{BTreeSet, HashMap};

use toponym_engine::geo::{Bounds, Coordinate};
use toponym_engine::{Kind, NO_COUNTRY, Name, NameClass, Record, Role};

use super::country_index::CountryIndex;
use crate::ids::{Namespace, hashed};
use crate::importance;
use crate::name_list::NameList;
use crate::sources::regions::Region;
use crate::sources::rows::Site;
use crate::text::key;

/// Landmarks of these types may be listed as a region too.
const SHARED_TYPES: [&str; 5] = ["desert", "glacier", "island", "lake", "canyon"];

/// A landmark lies this far outside the box of a region at most, in degrees.
const BESIDE_DEGREES: f64 = 0.1;

/// The records, and the landmarks that are none of them.
pub(crate) fn records(
    regions: &[Region],
    landmarks: Vec<Site>,
    country_index: &CountryIndex,
) -> (Vec<Record>, Vec<Site>) {
    let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
    for (index, region) in regions.iter().enumerate() {
        for name in region.names.iter().map(|name| &name.text).chain([&region.name]) {
            by_name.entry(key(name)).or_default().push(index);
        }
    }
    let mut lists: Vec<NameList> = regions.iter().map(|region| names(region, country_index)).collect();
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
    let records = regions.iter().zip(lists).map(|(region, list)| record(region, list, country_index));
    (records.collect(), others)
}

/// Joins regions that are a country or a division of today (Sicily, Kent) into its record: it takes their names, and the
/// importance that their fame gives. Returns the others.
pub(crate) fn join_divisions(regions: Vec<Record>, places: &mut [Record]) -> Vec<Record> {
    let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
    for (index, place) in places.iter().enumerate().filter(|(_, place)| place.kind.role <= Role::County) {
        let usual = place.names.iter().filter(|name| name.class <= NameClass::English);
        let keys: BTreeSet<String> = usual.map(|name| key(&name.text)).collect();
        keys.into_iter().for_each(|key| by_name.entry(key).or_default().push(index));
    }
    let joined = |region: &Record, places: &mut [Record]| {
        let usual = region.names.iter().filter(|name| name.class <= NameClass::English);
        let namesakes = usual.filter_map(|name| by_name.get(&key(&name.text))).flatten();
        let Some(&same) = namesakes.min_by_key(|&&index| places[index].kind.role).filter(|&&index| {
            let (ours, theirs) = (region.bounds, places[index].bounds);
            places[index].country == region.country
                && ours.zip(theirs).is_some_and(|(ours, theirs)| share_in_common(ours, theirs) >= SAME_AREA)
        }) else {
            return false;
        };
        let place = &mut places[same];
        for name in &region.names {
            if !place.names.iter().any(|known| known.text == name.text && known.lang == name.lang) {
                // Its display name is its own.
                let class = name.class.max(NameClass::English);
                place.names.push(Name { class, ..name.clone() });
            }
        }
        place.importance = place.importance.max(region.importance);
        true
    };
    regions.into_iter().filter(|region| !joined(region, places)).collect()
}

/// A region and a division of one name are the same area if their boxes have this share in common.
const SAME_AREA: f64 = 0.3;

/// Intersection over union of two boxes, in square degrees; 0 if one crosses the date line.
fn share_in_common(a: Bounds, b: Bounds) -> f64 {
    let area = |b: Bounds| (b.north - b.south).max(0.0) * (b.east - b.west).max(0.0);
    let both = Bounds {
        south: a.south.max(b.south),
        north: a.north.min(b.north),
        west: a.west.max(b.west),
        east: a.east.min(b.east),
    };
    let is_apart = both.south > both.north || both.west > both.east;
    if is_apart { 0.0 } else { area(both) / (area(a) + area(b) - area(both)).max(f64::MIN_POSITIVE) }
}

fn record(region: &Region, names: NameList, country_index: &CountryIndex) -> Record {
    let parent = match region.countries[..] {
        [only] => country_index.get(only).map(|country| country.id),
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

/// Names in the languages of one of its countries are its own.
fn names(region: &Region, country_index: &CountryIndex) -> NameList {
    let mut list = NameList::new(&*region.name);
    for name in &region.names {
        let classes = region.countries.iter().map(|&country| country_index.class_of(country, &name.lang));
        let usual = if name.lang == "en" { NameClass::English } else { NameClass::Other };
        list.add_tagged(&name.text, &name.lang, classes.min().unwrap_or(usual).min(usual));
    }
    list
}
