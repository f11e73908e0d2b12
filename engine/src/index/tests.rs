//! The searches of an index against brute force, over random gazetteers with fixed seeds.

use std::collections::BTreeMap;

use fastrand::Rng;

use super::cost::STEP;
use super::{Cost, Index, NameSearch, Names, share, write};
use crate::geo::Coordinate;
use crate::record::{Border, Gazetteer, Kind, Name, NameClass, Record, Role};
use crate::reverse;
use crate::text::{fold, variants};

/// Places with short pronounceable names, so that prefixes and near misses abound; many near the date line and poles.
fn gazetteer(rng: &mut Rng, size: usize) -> Gazetteer {
    let places = (1..=size as u64)
        .map(|id| Record {
            id,
            kind: Kind { role: Role::City, category: "place".into(), r#type: "town".into() },
            names: (0..rng.usize(1..4)).map(|_| Name { text: word(rng), class: class(rng), lang: None }).collect(),
            codes: vec![],
            position: position(rng),
            parent: None,
            country: *b"XX",
            importance: rng.f64(),
            extent_m: 1_000.0,
            bounds: None,
        })
        .collect();
    Gazetteer { places, ..Gazetteer::default() }
}

fn word(rng: &mut Rng) -> String {
    const SYLLABLES: [&str; 12] = ["ka", "ro", "min", "so", "te", "lu", "an", "st", "par", "is", "нов", "ó"];
    (0..rng.usize(1..5)).map(|_| SYLLABLES[rng.usize(0..SYLLABLES.len())]).collect()
}

fn class(rng: &mut Rng) -> NameClass {
    [NameClass::Primary, NameClass::English, NameClass::Other, NameClass::Weak][rng.usize(0..4)]
}

/// Uniform on the sphere, with a share at the places where planar thinking breaks.
fn position(rng: &mut Rng) -> Coordinate {
    let lat = (rng.f64() * 2.0 - 1.0).asin().to_degrees();
    let lon = rng.f64() * 360.0 - 180.0;
    let (lat, lon) = match rng.u8(0..10) {
        0 => (lat, 180.0 - rng.f64() * 0.5),
        1 => (lat, -180.0 + rng.f64() * 0.5),
        2 => (90.0 - rng.f64(), lon),
        3 => (-90.0 + rng.f64(), lon),
        _ => (lat, lon),
    };
    let stored = |degrees: f64| (degrees * 1e5).round() / 1e5;
    Coordinate::new(stored(lat), stored(lon)).expect("generated in range")
}

fn open(gazetteer: &Gazetteer) -> Index {
    Index::open(write(gazetteer).expect("the gazetteer is sound").into()).expect("the index is whole")
}

/// The names of a table with their least cost, by scanning the records.
fn names_of(index: &Index, table: &Names, gazetteer: &Gazetteer) -> BTreeMap<String, Cost> {
    let alternates = std::ptr::eq(table, &index.alternates);
    let mut names = BTreeMap::new();
    for place in &gazetteer.places {
        let keys = |alternate: bool| {
            let names = place.names.iter().filter(move |name| name.class.is_alternate() == alternate);
            names.flat_map(|name| [vec![fold(&name.text)], variants(&name.text)].concat())
        };
        for folded in keys(alternates).filter(|key| !alternates || keys(false).all(|own| own != *key)) {
            let id = table.id(&folded).expect("every folded name is a key");
            let cost = table.postings(id).map(|posting| index.cost(posting)).min().expect("a key has postings");
            names.insert(folded, cost);
        }
    }
    names
}

#[test]
fn a_prefix_gives_its_names_cheapest_first() {
    let mut rng = Rng::with_seed(1);
    for size in [1, 30, 2_000] {
        let gazetteer = gazetteer(&mut rng, size);
        let index = open(&gazetteer);
        for table in [&index.names, &index.alternates] {
            let names = names_of(&index, table, &gazetteer);
            for prefix in ["", "k", "ka", "paris", "st", "но", "нов", "o", "x"] {
                let begun = names.iter().filter(|(name, _)| name.starts_with(prefix) && *name != prefix);
                let mut expected: Vec<(Cost, u32)> =
                    begun.map(|(name, &cost)| (cost / STEP * STEP, table.id(name).unwrap())).collect();
                expected.sort_unstable();
                let search = NameSearch::begun(table, prefix, 0);
                let found: Vec<(Cost, u32)> = search.map(|found| (found.floor, found.id)).collect();
                assert_eq!(found, expected, "{size} {prefix}");
            }
            let ids: Vec<u32> = names.keys().map(|name| table.id(name).unwrap()).collect();
            assert!(ids.iter().copied().eq(0..ids.len() as u32), "names are numbered as the alphabet has them");
            assert_eq!(ids.len(), table.len(), "nothing else is a key");
        }
    }
}

/// The textbook programme, without a band and with the weights of the first letter.
fn distance(name: &[char], pattern: &[char]) -> Vec<usize> {
    let weight = |i: usize, j: usize| if i <= 1 && j <= 1 { 2 } else { 1 };
    let mut d = vec![vec![0usize; pattern.len() + 1]; name.len() + 1];
    for i in 0..=name.len() {
        for j in 0..=pattern.len() {
            if i == 0 && j == 0 {
                continue;
            }
            let mut best = usize::MAX;
            if i > 0 {
                best = best.min(d[i - 1][j] + weight(i, i));
            }
            if j > 0 {
                best = best.min(d[i][j - 1] + weight(i, j));
            }
            if i > 0 && j > 0 {
                let kept = if name[i - 1] == pattern[j - 1] { 0 } else { weight(i, j) };
                best = best.min(d[i - 1][j - 1] + kept);
            }
            if i > 1 && j > 1 && name[i - 1] == pattern[j - 2] && name[i - 2] == pattern[j - 1] {
                best = best.min(d[i - 2][j - 2] + weight(i - 1, j - 1));
            }
            d[i][j] = best;
        }
    }
    (0..=name.len()).map(|i| d[i][pattern.len()]).collect()
}

#[test]
fn typos_give_what_a_scan_gives() {
    let mut rng = Rng::with_seed(2);
    let gazetteer = gazetteer(&mut rng, 1_500);
    let index = open(&gazetteer);
    let table = &index.names;
    let names = names_of(&index, table, &gazetteer);
    let begun = share(0.3);
    for _ in 0..300 {
        let (pattern, prefix, max) = (fold(&word(&mut rng)), rng.bool(), rng.u8(1..3));
        let letters: Vec<char> = pattern.chars().collect();
        let mut expected = BTreeMap::new();
        for name in names.keys() {
            let row = distance(&name.chars().collect::<Vec<_>>(), &letters);
            let edits = if prefix { *row.iter().min().unwrap() } else { row[row.len() - 1] };
            if edits <= usize::from(max) {
                expected.insert(table.id(name).unwrap(), edits);
            }
        }
        let mut found = BTreeMap::new();
        let mut floor = 0;
        for hit in NameSearch::fuzzy(table, &pattern, prefix.then_some(begun), max, share(0.1)) {
            assert!(hit.floor >= floor, "costs never fall");
            floor = hit.floor;
            let least = table.postings(hit.id).map(|posting| index.cost(posting)).min().expect("a key has postings");
            let doubt = Cost::from(hit.edits) * share(0.1) + if hit.whole { 0 } else { begun };
            assert!(floor <= least + doubt && least + doubt < floor + STEP, "the floor is the cost, in steps");
            let best = found.entry(hit.id).or_insert(usize::MAX);
            *best = (*best).min(usize::from(hit.edits));
        }
        assert_eq!(found, expected, "{pattern} prefix {prefix} max {max}");
    }
}

#[test]
fn the_nearest_place_is_the_nearest_of_all() {
    let mut rng = Rng::with_seed(3);
    let gazetteer = gazetteer(&mut rng, 3_000);
    let index = open(&gazetteer);
    let vectors: Vec<[f64; 3]> = (0..3_000).map(|row| index.places.position(row).unit_vector()).collect();
    for _ in 0..POINTS {
        let point = position(&mut rng);
        let centre = point.unit_vector();
        let chord = |vector: &[f64; 3]| (0..3).map(|i| (vector[i] - centre[i]) * (vector[i] - centre[i])).sum::<f64>();
        let expected =
            (0u32..).zip(&vectors).map(|(row, vector)| (chord(vector), row)).min_by(|a, b| a.0.total_cmp(&b.0));
        let found = reverse::nearest(&index, &index.populated, point, 3e7, |_| true).map(|near| near.row);
        assert_eq!(found, expected.map(|(_, row)| row), "{point:?}");
    }
}

const POINTS: usize = 100_000;

#[test]
fn a_point_is_in_the_border_that_holds_it() {
    let mut rng = Rng::with_seed(4);
    let square = |south: f64, west: f64, size: f64| {
        let corners = [(0.0, 0.0), (0.0, size), (size, size), (size, 0.0), (0.0, 0.0)];
        corners.iter().map(|(y, x)| Coordinate { lat: south + y, lon: west + x }).collect::<Vec<_>>()
    };
    // A country with a hole, the enclave in the hole with a hole of its own, and one far away over several cells.
    let border = |country: &[u8; 2], rings: Vec<Vec<Coordinate>>| Border { country: *country, rings };
    let borders = vec![
        border(b"AA", vec![square(10.0, 10.0, 3.0), square(11.0, 11.0, 0.5), square(11.2, 11.2, 0.1)]),
        border(b"BB", vec![square(11.0, 11.0, 0.5), square(11.2, 11.2, 0.1)]),
        border(
            b"CC",
            vec![
                vec![(-5.0, -179.9), (-5.3, -170.1), (8.7, -172.4), (-5.0, -179.9)]
                    .into_iter()
                    .map(|(lat, lon)| Coordinate { lat, lon })
                    .collect(),
            ],
        ),
    ];
    let inside = |border: &Border, point: Coordinate| {
        let edges = border.rings.iter().flat_map(|ring| ring.windows(2));
        let crossed = edges.filter(|pair| {
            let (a, b) = (pair[0], pair[1]);
            (a.lat > point.lat) != (b.lat > point.lat)
                && point.lon < (b.lon - a.lon) * (point.lat - a.lat) / (b.lat - a.lat) + a.lon
        });
        crossed.count() % 2 == 1
    };
    let index = open(&Gazetteer { borders: borders.clone(), ..gazetteer(&mut rng, 3) });
    for _ in 0..POINTS {
        let (south, west, size) = [(9.5, 9.5, 4.0), (10.9, 10.9, 0.7), (-6.0, -180.0, 15.0)][rng.usize(0..3)];
        let stored = |degrees: f64| (degrees * 1e5).round() / 1e5;
        let point = Coordinate { lat: stored(south + rng.f64() * size), lon: stored(west + rng.f64() * size) };
        let expected = borders.iter().find(|border| inside(border, point)).map(|border| border.country);
        let found = index.borders.country_at(point).map(|country| index.header.countries[usize::from(country)].iso2);
        assert_eq!(found, expected, "{point:?}");
    }
}
