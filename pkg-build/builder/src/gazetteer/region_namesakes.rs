//! Compares regions with the countries, divisions and parts of cities of their name: some are the same area, and of the
//! others one is meant before the other.

use std::collections::{BTreeSet, HashMap};

use toponym_engine::geo::Bounds;
use toponym_engine::{Name, NameClass, Record, Role};

use crate::text::key;

/// Joins regions that are a country or a division of today (Iceland, Sicily, Kent) into its record: it takes their names, and
/// the importance that their fame gives. Returns the others.
///
/// Of two that only share a name and a part of their area, people mean the country or the state: Ireland and its island,
/// Mississippi and its river.
pub(crate) fn join_areas(regions: Vec<Record>, divisions: &mut [Record]) -> Vec<Record> {
    let areas = by_name(divisions, |role| role <= Role::County);
    let joined = |mut region: Record| {
        let called_so = namesakes(&region, &areas);
        let same = called_so.iter().copied().filter(|&index| is_same_area(&region, &divisions[index]));
        if let Some(index) = same.min_by_key(|&index| divisions[index].kind.role) {
            join(&mut divisions[index], region);
            return None;
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

/// Puts each region with a part of a city of its name into that city.
pub(crate) fn join_cities(regions: &mut [Record], cities: &[Record]) {
    let quarters = by_name(cities, |role| role == Role::Quarter);
    for region in regions {
        let quarter = namesakes(region, &quarters).into_iter().find(|&index| is_quarter(region, &cities[index]));
        if let Some(index) = quarter {
            region.parent = cities[index].parent;
        }
    }
}

/// A region is less important by this than the country or state of its name: more than a better class of name makes up for,
/// because each is called so in other languages.
const BESIDE_NAMESAKE: f64 = 0.10;

/// A region and a division of one name are the same area if their boxes have this share in common.
const SAME_AREA: f64 = 0.3;

/// Boxes of countries reach far into the sea, so a region that is one only has to lie in it with this share of its box.
const IN_COUNTRY: f64 = 0.8;

/// Returns the indices of records of some roles by the keys of their names that are more than alternates.
fn by_name(places: &[Record], is_wanted: fn(Role) -> bool) -> HashMap<String, Vec<usize>> {
    let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
    for (index, place) in places.iter().enumerate().filter(|(_, place)| is_wanted(place.kind.role)) {
        let names = place.names.iter().filter(|name| name.class <= NameClass::Other);
        let keys: BTreeSet<String> = names.map(|name| key(&name.text)).collect();
        keys.into_iter().for_each(|key| by_name.entry(key).or_default().push(index));
    }
    by_name
}

/// Returns the indices of records that share a name with a region.
fn namesakes(region: &Record, by_name: &HashMap<String, Vec<usize>>) -> BTreeSet<usize> {
    let keys: BTreeSet<String> = region.names.iter().map(|name| key(&name.text)).collect();
    keys.iter().filter_map(|key| by_name.get(key)).flatten().copied().collect()
}

/// Tells whether a region of one country is the division `place`: they have a usual name in common, and about the same box.
fn is_same_area(region: &Record, place: &Record) -> bool {
    let Some((ours, theirs)) = region.bounds.zip(place.bounds) else { return false };
    let is_same = match place.kind.role {
        Role::Country => overlap(ours, theirs) >= IN_COUNTRY * area(ours),
        _ => overlap(ours, theirs) >= SAME_AREA * (area(ours) + area(theirs) - overlap(ours, theirs)),
    };
    region.parent.is_some() && region.country == place.country && is_same && share_a_usual_name(region, place)
}

/// Tells whether a region has a part of a city on it, as Staten Island does: they have a usual name in common, and the region
/// is at most as large as a city.
fn is_quarter(region: &Record, place: &Record) -> bool {
    let holds = region.bounds.is_some_and(|bounds| bounds.contains(place.position));
    let is_small = region.extent_m <= CITY_EXTENT_M;
    region.country == place.country && holds && is_small && share_a_usual_name(region, place)
}

/// Parts of a city reach no farther than this from their centre, in metres.
const CITY_EXTENT_M: f64 = 30_000.0;

fn share_a_usual_name(a: &Record, b: &Record) -> bool {
    !usual_names(a).is_disjoint(&usual_names(b))
}

fn usual_names(record: &Record) -> BTreeSet<String> {
    let names = record.names.iter().filter(|name| name.class <= NameClass::English);
    names.map(|name| key(&name.text)).collect()
}

/// Tells whether a name that the two have in common means the division `place` before the region.
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
            // The display name of the division is its own, and its name in English.
            let class = name.class.max(NameClass::English);
            let lang = name.lang.filter(|lang| lang != "en");
            place.names.push(Name { class, lang, ..name });
        }
    }
    place.importance = place.importance.max(region.importance);
}

/// Returns the area, in square degrees, of a box that does not cross the date line.
fn area(of: Bounds) -> f64 {
    (of.north - of.south).max(0.0) * (of.east - of.west).max(0.0)
}

/// Returns the area that two boxes have in common; 0 if one crosses the date line.
fn overlap(a: Bounds, b: Bounds) -> f64 {
    let both = Bounds {
        south: a.south.max(b.south),
        north: a.north.min(b.north),
        west: a.west.max(b.west),
        east: a.east.min(b.east),
    };
    area(both)
}

#[cfg(test)]
mod tests {
    use toponym_engine::Kind;
    use toponym_engine::geo::Coordinate;

    use super::*;

    /// Creates a place in France with a box of `sides`: south, north, west, east.
    fn place(id: u64, role: Role, names: &[(&str, NameClass)], sides: [f64; 4], importance: f64) -> Record {
        let [south, north, west, east] = sides;
        Record {
            id,
            kind: Kind { role, category: String::new(), r#type: String::new() },
            names: names.iter().map(|&(text, class)| Name { text: text.to_owned(), class, lang: None }).collect(),
            codes: Vec::new(),
            position: Coordinate::new((south + north) / 2.0, (west + east) / 2.0).expect("it is in range"),
            parent: Some(100 + id),
            country: *b"FR",
            importance,
            extent_m: 10_000.0,
            bounds: Some(Bounds { south, north, west, east }),
        }
    }

    const BOX: [f64; 4] = [40.0, 42.0, 0.0, 2.0];

    fn region(names: &[(&str, NameClass)], sides: [f64; 4]) -> Record {
        place(1, Role::Region, names, sides, 0.6)
    }

    /// Returns the classes of the names, each after its name.
    fn names(of: &Record) -> Vec<String> {
        of.names.iter().map(|name| format!("{} {:?}", name.text, name.class)).collect()
    }

    #[test]
    fn a_region_joins_its_division_of_today() {
        let sicily = [("Sicily", NameClass::Primary), ("Sizilien", NameClass::Other)];
        let check = |role: Role, name: &str, sides: [f64; 4], joins: bool| {
            let mut divisions = [place(2, role, &[(name, NameClass::Primary)], sides, 0.5)];
            let left = join_areas(vec![region(&sicily, BOX)], &mut divisions);
            assert_eq!(left.is_empty(), joins, "{role:?} {name} {sides:?}");
            if joins {
                assert_eq!(names(&divisions[0]), ["Sicily Primary", "Sizilien Other"][..]);
                assert!((divisions[0].importance - 0.6).abs() < 1e-9);
            }
        };
        check(Role::State, "Sicily", BOX, true);
        // 30 % of what either covers.
        check(Role::State, "Sicily", [40.0, 42.0, 0.9, 2.9], true);
        check(Role::State, "Sicily", [40.0, 42.0, 1.2, 3.2], false);
        check(Role::County, "Sicily", BOX, true);
        check(Role::State, "Corsica", BOX, false);
        // The box of a country reaches far into the sea.
        check(Role::Country, "Sicily", [30.0, 50.0, -20.0, 20.0], true);
        check(Role::State, "Sicily", [30.0, 50.0, -20.0, 20.0], false);
        check(Role::Country, "Sicily", [30.0, 50.0, 0.5, 20.0], false);
    }

    #[test]
    fn a_foreign_or_shared_region_stays_apart() {
        let sicily = [("Sicily", NameClass::Primary)];
        let mut divisions = [place(2, Role::State, &sicily, BOX, 0.5)];
        let abroad = Record { country: *b"IT", ..region(&sicily, BOX) };
        let shared = Record { parent: None, ..region(&sicily, BOX) };
        assert_eq!(join_areas(vec![abroad, shared], &mut divisions).len(), 2);
    }

    #[test]
    fn countries_and_states_precede_regions() {
        let river =
            [("Missip", NameClass::Primary), ("Fleuve Missip", NameClass::Other), ("Mississip", NameClass::Other)];
        let check = |role: Role, name: &str, sides: [f64; 4], importance: f64, expect: [&str; 3]| {
            let of_division = [(name, NameClass::Primary), ("Mississip", NameClass::Other)];
            let mut divisions = [place(2, role, &of_division, sides, 0.65)];
            let left = join_areas(vec![region(&river, BOX)], &mut divisions);
            assert_eq!(names(&left[0]), expect, "{role:?} {name} {sides:?}");
            assert!((left[0].importance - importance).abs() < 1e-9, "{role:?} {name}: {}", left[0].importance);
        };
        let beside = [41.9, 45.0, 1.9, 5.0];
        let far = [45.0, 46.0, 5.0, 6.0];
        let gives_way = ["Missip Primary", "Fleuve Missip Other", "Mississip Weak"];
        let keeps = ["Missip Primary", "Fleuve Missip Other", "Mississip Other"];
        check(Role::State, "Missip", beside, 0.55, gives_way);
        check(Role::Country, "Missip", beside, 0.55, gives_way);
        // It is not called so itself.
        check(Role::State, "Other", beside, 0.6, gives_way);
        check(Role::State, "Missip", far, 0.6, keeps);
        check(Role::County, "Missip", beside, 0.6, keeps);
    }

    #[test]
    fn an_island_with_a_quarter_joins_the_city() {
        let island = [("Staten", NameClass::Primary)];
        let check = |name: &str, extent_m: f64, at: [f64; 4], expect: u64| {
            let quarter = place(3, Role::Quarter, &[(name, NameClass::Primary)], at, 0.4);
            let region = Record { extent_m, ..region(&island, BOX) };
            let mut left = [region];
            join_cities(&mut left, &[quarter]);
            assert_eq!(left[0].parent, Some(expect), "{name} {extent_m} {at:?}");
        };
        check("Staten", CITY_EXTENT_M, BOX, 103);
        check("Staten", CITY_EXTENT_M + 1.0, BOX, 101);
        check("Staten", CITY_EXTENT_M, [44.0, 45.0, 0.0, 2.0], 101);
        check("Long", CITY_EXTENT_M, BOX, 101);
    }
}
