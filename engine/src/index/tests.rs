//! Compares the searches of an index with brute force, on random gazetteers with fixed seeds.

use std::cell::Cell;
use std::collections::BTreeMap;

use fastrand::Rng;

use super::format::{self, Header, SECTIONS, Section};
use super::names::STEP;
use super::points::Nearest;
use super::{Cost, Index, Layer, NameSearch, Names, Near, PlaceRef, Prefix, RowId, share, write};
use crate::geo::{Bounds, Coordinate, METRES_PER_DEGREE};
use crate::land_grid::LandGrid;
use crate::query::{Mode, Search};
use crate::record::{Border, Bordered, Code, CodeScheme, Gazetteer, Kind, Name, NameClass, Record, Role};
use crate::reverse;
use crate::search::candidates;
use crate::text::{fold, variants};

/// Creates places with short pronounceable names, so that many share prefixes or differ by few edits; many near the
/// date line and the poles.
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
    const SYLLABLES: [&str; 14] =
        ["ka", "ro", "min", "so", "te", "lu", "an", "st", "par", "is", "нов", "ó", "თბ", "市"];
    (0..rng.usize(1..5)).map(|_| SYLLABLES[rng.usize(0..SYLLABLES.len())]).collect()
}

fn class(rng: &mut Rng) -> NameClass {
    [NameClass::Primary, NameClass::English, NameClass::Other, NameClass::Weak][rng.usize(0..4)]
}

/// Creates a position: uniform on the sphere, with more near the date line and the poles, where plane geometry fails.
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
    Coordinate::new(stored(lat), stored(lon)).expect("generated in range")
}

fn open(gazetteer: &Gazetteer) -> Index {
    Index::open(write(gazetteer).expect("the gazetteer is sound").into()).expect("the index is whole")
}

/// Returns the names of a table with their lowest cost, from a scan of the records.
fn names_of(index: &Index, table: &Names, gazetteer: &Gazetteer) -> BTreeMap<String, Cost> {
    let alternates = std::ptr::eq(table, &index.segment(0).file.alternates);
    let mut names = BTreeMap::new();
    for place in &gazetteer.places {
        let keys = |alternate: bool| {
            let names = place.names.iter().filter(move |name| name.class.is_alternate() == alternate);
            names.flat_map(|name| [vec![fold(&name.text)], variants(&name.text, &fold(&name.text))].concat())
        };
        for folded in keys(alternates).filter(|key| !alternates || keys(false).all(|usual| usual != *key)) {
            let id = table.id(&folded).expect("every folded name is a key");
            let cost = table
                .postings(id)
                .map(|posting| index.segment(0).file.cost(posting))
                .min()
                .expect("a key has postings");
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
        for table in [&index.segment(0).file.usual, &index.segment(0).file.alternates] {
            let names = names_of(&index, table, &gazetteer);
            for prefix in ["", "k", "ka", "paris", "st", "но", "нов", "o", "x"] {
                let longer = names.iter().filter(|(name, _)| name.starts_with(prefix) && *name != prefix);
                let mut expected: Vec<(Cost, u32)> =
                    longer.map(|(name, &cost)| (cost / STEP * STEP, table.id(name).unwrap())).collect();
                expected.sort_unstable();
                let search = NameSearch::prefix(table, prefix, 0);
                let found: Vec<(Cost, u32)> = search.map(|found| (found.floor, found.id)).collect();
                assert_eq!(found, expected, "{size} {prefix}");
            }
            let ids: Vec<u32> = names.keys().map(|name| table.id(name).unwrap()).collect();
            assert!(ids.iter().copied().eq(0..ids.len() as u32), "names are numbered in alphabetical order");
            assert_eq!(ids.len(), table.len() as usize, "nothing else is a key");
        }
    }
}

/// Computes the distance of each beginning of a name by the textbook dynamic programming algorithm, without a band,
/// with the weights of the first character.
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

/// Returns the first byte of a character in UTF-8.
fn lead(letter: &char) -> u8 {
    letter.encode_utf8(&mut [0; 4]).as_bytes()[0]
}

#[test]
fn typos_give_what_a_scan_gives() {
    let mut rng = Rng::with_seed(2);
    let mut gazetteer = gazetteer(&mut rng, 1_500);
    for place in gazetteer.places.iter_mut().step_by(2) {
        let first = &mut place.names[0].text;
        *first = format!("{} {first}", word(&mut rng));
    }
    let index = open(&gazetteer);
    let table = &index.segment(0).file.usual;
    let names = names_of(&index, table, &gazetteer);
    let prefix_cost = share(0.3);
    for _ in 0..400 {
        let prefix = [None, Some(Prefix::Letters), Some(Prefix::Words)][rng.usize(0..3)];
        let (pattern, max) = (fold(&word(&mut rng)), rng.u8(0..3));
        let letters: Vec<char> = pattern.chars().collect();
        // Nothing is compared from the first character on that is of a later script than Latin and than the whole pattern.
        let last_lead = letters.iter().map(lead).fold(lead(&'\u{2ff}'), u8::max);
        let mut expected = BTreeMap::new();
        for name in names.keys() {
            let name_letters: Vec<char> = name.chars().collect();
            let row = distance(&name_letters, &letters);
            let compared = 1 + name.chars().take_while(|letter| lead(letter) <= last_lead).count();
            let whole = if compared == row.len() { row[compared - 1] } else { usize::MAX };
            let ends_word = |&at: &usize| name_letters.get(at) == Some(&' ');
            let edits = match prefix {
                None => whole,
                Some(Prefix::Letters) => *row[..compared].iter().min().unwrap(),
                Some(Prefix::Words) => (0..compared).filter(ends_word).map(|at| row[at]).chain([whole]).min().unwrap(),
            };
            if edits <= usize::from(max) {
                expected.insert(table.id(name).unwrap(), edits);
            }
        }
        let mut found = BTreeMap::new();
        let mut floor = 0;
        for hit in NameSearch::fuzzy(table, &pattern, prefix.map(|prefix| (prefix, prefix_cost)), max, share(0.1)) {
            assert!(hit.floor >= floor, "costs never fall");
            floor = hit.floor;
            let least = table
                .postings(hit.id)
                .map(|posting| index.segment(0).file.cost(posting))
                .min()
                .expect("a key has postings");
            let penalty = Cost::from(hit.edits) * share(0.1) + if hit.prefix { prefix_cost } else { 0 };
            assert!(floor <= least + penalty && least + penalty < floor + STEP, "the floor is the cost, in steps");
            let best = found.entry(hit.id).or_insert(usize::MAX);
            *best = (*best).min(usize::from(hit.edits));
        }
        assert_eq!(found, expected, "{pattern} {prefix:?} max {max}");
    }
}

/// Checks a file with more rows than are listed by id: areas are found in the runs of their roles, others by a look at all.
#[test]
fn ids_find_rows_in_a_large_file() {
    const PLACES: u64 = 70_000;
    let roles = [Role::City, Role::Landmark, Role::Postcode, Role::Region, Role::County, Role::State, Role::Country];
    let mut rng = Rng::with_seed(21);
    let place = |id: u64| {
        // Every role has ids from everywhere, and countries are few.
        let at = rng.usize(0..roles.len());
        let role = if at + 1 == roles.len() && !id.is_multiple_of(100) { Role::City } else { roles[at] };
        Record {
            id: 3 * id,
            kind: Kind { role, category: "place".into(), r#type: format!("{role:?}") },
            names: vec![Name { text: "Place".into(), class: NameClass::Primary, lang: None }],
            codes: vec![],
            position: position(&mut rng),
            parent: None,
            country: *b"XX",
            importance: 0.5,
            extent_m: 1_000.0,
            bounds: None,
        }
    };
    let places: Vec<Record> = (1..=PLACES).map(place).collect();
    let index = open(&Gazetteer { places, ..Gazetteer::default() });
    let file = index.segment(0).file;
    let areas = file.header.layer(Layer::Areas);
    for row in areas.clone().chain((0..areas.start).step_by(97)) {
        assert_eq!(file.places.row_of(file.places.id(row)), Some(row));
    }
    assert!(areas.len() > 10_000 && [0, 1, 3 * PLACES + 1].iter().all(|&id| file.places.row_of(id).is_none()));
}

#[test]
fn the_nearest_place_is_the_nearest_of_all() {
    let mut rng = Rng::with_seed(3);
    let gazetteer = gazetteer(&mut rng, 3_000);
    let index = open(&gazetteer);
    let vectors: Vec<[f64; 3]> = (0..3_000).map(|row| index.segment(0).place(row).position().unit_vector()).collect();
    for _ in 0..POINTS {
        let point = position(&mut rng);
        let centre = point.unit_vector();
        let chord = |vector: &[f64; 3]| (0..3).map(|i| (vector[i] - centre[i]) * (vector[i] - centre[i])).sum::<f64>();
        let expected =
            (0u32..).zip(&vectors).map(|(row, vector)| (chord(vector), row)).min_by(|a, b| a.0.total_cmp(&b.0));
        let found = index.segment(0).file.populated().nearest(point, 3e7, |_| true, |_| true).map(|near| near.row);
        assert_eq!(found, expected.map(|(_, row)| row), "{point:?}");
    }
}

/// Compares searches by position with a scan: for one and for several, of few and of many rows, near and far.
#[test]
fn kept_nearest_places_equal_a_scan() {
    let mut rng = Rng::with_seed(22);
    let index = open(&gazetteer(&mut rng, 3_000));
    for _ in 0..3_000 {
        let (point, within_m, limit) = (position(&mut rng), 10.0 * libm::pow(3e6, rng.f64()), rng.usize(0..12));
        let one_of = [1, 2, 30, 1_000, 4_000][rng.usize(0..5)];
        let is_kept = |row: u32| row % one_of == 7 % one_of;
        let far = |row: u32| point.distance_m(index.segment(0).copy(row).position());
        let all = (0..3_000).filter(|&row| is_kept(row)).map(|row| Nearest { row, distance_m: far(row) });
        let mut expected: Vec<Nearest> = all.filter(|near| near.distance_m <= within_m).collect();
        expected.sort_by(|a, b| a.distance_m.total_cmp(&b.distance_m).then(a.row.cmp(&b.row)));
        let populated = index.segment(0).file.populated();
        let nearest = populated.nearest(point, within_m, is_kept, |_| true);
        assert_eq!(nearest, expected.first().copied(), "{point:?} {within_m} {one_of}");
        assert_eq!(populated.nearest(point, within_m, |_| true, is_kept), nearest, "{point:?} {within_m} {one_of}");
        expected.truncate(limit);
        assert_eq!(populated.nearest_many(point, within_m, limit, is_kept), expected, "{point:?} {within_m} {one_of}");
    }
}

/// Checks the regions over a point, with bounds of their own and without, against the bounds of each.
#[test]
fn regions_over_a_point_equal_a_scan() {
    let mut rng = Rng::with_seed(23);
    let mut places = towns_and_sites(&mut rng, 100);
    for place in &mut places {
        // A region contains no others by their parents.
        if place.kind.role != Role::State && rng.u8(0..3) > 0 {
            place.kind = Kind { role: Role::Region, category: "place".into(), r#type: "region".into() };
            place.extent_m = 1_000.0 * libm::pow(3e3, rng.f64());
        }
        place.bounds = rng.bool().then(|| Bounds::around(around(place.position, 5_000.0, &mut rng), place.extent_m));
    }
    let index = open(&Gazetteer { places, ..Gazetteer::default() });
    let mut found = 0;
    for _ in 0..3_000 {
        let point = position(&mut rng);
        let is_over = |place: &PlaceRef| place.role() == Role::Region && place.bounds().contains(point);
        let segment = index.segment(0);
        let all = segment.copies(0..segment.file.rows());
        let expected: Vec<RowId> = all.filter(is_over).map(|place| place.row).collect();
        let found_rows: Vec<RowId> = index.vicinity(point).regions().map(|place| place.row).collect();
        assert_eq!(found_rows, expected, "{point:?}");
        found += expected.len();
    }
    assert!(found > 300, "{found}");
}

/// Checks that the window excludes most places nearby: of 3,000 places, a query looks at three.
#[test]
fn few_places_are_looked_at_for_the_nearest() {
    let mut rng = Rng::with_seed(12);
    let index = open(&gazetteer(&mut rng, 3_000));
    let looked_at = Cell::new(0);
    let count = |_| {
        looked_at.set(looked_at.get() + 1);
        true
    };
    for _ in 0..1_000 {
        assert!(index.segment(0).file.populated().nearest(position(&mut rng), 3e7, count, |_| true).is_some());
    }
    assert!(looked_at.get() < 3_000, "{looked_at:?}");
}

#[test]
fn places_within_a_distance_equal_a_scan() {
    let mut rng = Rng::with_seed(13);
    let index = open(&gazetteer(&mut rng, 3_000));
    for _ in 0..1_000 {
        let (point, reach_m) = (position(&mut rng), rng.f64() * 2e6);
        let is_kept = |row: u32| !row.is_multiple_of(3);
        let far = |row: u32| point.distance_m(index.segment(0).place(row).position());
        let expected: Vec<u32> = (0..3_000).filter(|&row| is_kept(row) && far(row) <= reach_m).collect();
        let mut found = index.segment(0).file.populated().within(point, reach_m, is_kept);
        found.sort_by_key(|near| near.row);
        assert!(found.iter().all(|near| near.distance_m == far(near.row)), "{point:?}");
        assert_eq!(found.iter().map(|near| near.row).collect::<Vec<_>>(), expected, "{point:?}");
    }
}

#[test]
fn how_sure_a_name_is_for_a_point() {
    let place = |role: Role, extent_m: f64| Record {
        id: 1,
        kind: Kind { role, category: "place".into(), r#type: format!("{role:?}") },
        names: vec![Name { text: "Place".into(), class: NameClass::Primary, lang: None }],
        codes: vec![],
        position: Coordinate { lat: 0.0, lon: 0.0 },
        parent: None,
        country: *b"XX",
        importance: 0.5,
        extent_m,
        bounds: None,
    };
    // The distance in extents of the place.
    let check = |role: Role, extent_m: f64, extents: f64, expect: f64| {
        let index = open(&Gazetteer { places: vec![place(role, extent_m)], ..Gazetteer::default() });
        let distance_m = extents * index.segment(0).place(0).extent_m().max(1.0);
        let found = reverse::confidence(Near { place: index.segment(0).place(0), distance_m });
        assert_eq!(found, expect, "{role:?} {extent_m} {extents}");
    };
    check(Role::City, 1_000.0, 0.0, 0.95);
    check(Role::City, 1_000.0, 1.0, 0.95);
    check(Role::City, 1_000.0, 2.0, 0.6718);
    check(Role::City, 1_000.0, 3.0, 0.475);
    check(Role::Station, 50_000.0, 5.0, 0.2375);
    check(Role::State, 1_000.0, 0.5, 0.7);
    check(Role::State, 1_000.0, 3.0, 0.35);
    check(Role::City, 0.0, 1.0, 0.95);
    check(Role::City, 0.0, 3.0, 0.475);
}

const POINTS: usize = 100_000;

#[test]
fn a_border_contains_its_points() {
    let mut rng = Rng::with_seed(4);
    let square = |south: f64, west: f64, size: f64| {
        let corners = [(0.0, 0.0), (0.0, size), (size, size), (size, 0.0), (0.0, 0.0)];
        corners.iter().map(|(y, x)| Coordinate { lat: south + y, lon: west + x }).collect::<Vec<_>>()
    };
    // A country with a hole, the enclave in the hole with a hole of its own, and one far away over several cells.
    let border = |country: &[u8; 2], rings: Vec<Vec<Coordinate>>| Border { of: Bordered::Country(*country), rings };
    let borders = [
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
    // States across countries and beyond them, one in two parts; in any order among the countries.
    let state = |id: u64, rings: Vec<Vec<Coordinate>>| Border { of: Bordered::State(id), rings };
    let states = [
        state(8, vec![square(9.8, 9.8, 1.0), square(11.1, 11.3, 0.3)]),
        state(7, vec![square(10.8, 9.9, 0.9)]),
        state(9, vec![square(11.8, 8.0, 9.0)]),
    ];
    let (first, second) = borders.split_at(1);
    let borders_in_any_order = [&states[..1], first, &states[1..], second].concat();
    let index = open(&Gazetteer { borders: borders_in_any_order, ..gazetteer(&mut rng, 3) });
    for _ in 0..POINTS {
        let (south, west, size) = [(9.5, 9.5, 4.0), (10.9, 10.9, 0.7), (-6.0, -180.0, 15.0)][rng.usize(0..3)];
        let point = Coordinate { lat: stored(south + rng.f64() * size), lon: stored(west + rng.f64() * size) };
        // On an edge a point is in the shape to its west.
        let beside = Coordinate { lon: point.lon - 1e-9, ..point };
        let expected = borders.iter().find(|border| inside(border, beside)).and_then(Border::country);
        assert_eq!(index.vicinity(point).country(), expected, "{point:?}");
        let expected = states.iter().find(|border| inside(border, beside)).and_then(Border::state);
        assert_eq!(index.vicinity(point).state(), expected, "{point:?}");
    }
}

/// Countries of [`tiling`] from pole to pole, and around the globe.
const TILES: usize = 6;

fn country_of_tile(row: usize, column: usize) -> [u8; 2] {
    [b'A' + row as u8, b'A' + column as u8]
}

/// Creates a globe without gaps: every edge is shared by two countries, but for those at the date line and the poles.
fn tiling(rng: &mut Rng) -> Vec<Border> {
    let (south, west) = (-90.0, -180.0);
    let (high, wide) = (180.0 / TILES as f64, 360.0 / TILES as f64);
    // Corners inside are moved about, the others stay on the edge of the map.
    let mut corners = [[(0.0, 0.0); TILES + 1]; TILES + 1];
    for (row, column) in (0..=TILES).flat_map(|row| (0..=TILES).map(move |column| (row, column))) {
        let mut moved = |at: usize, step: f64| {
            let inside = 0 < at && at < TILES && rng.bool();
            at as f64 * step + if inside { stored((rng.f64() - 0.5) * step / 2.0) } else { 0.0 }
        };
        let (lat, lon) = (south + moved(row, high), west + moved(column, wide));
        corners[row][column] = (lat, lon);
    }
    let cells = (0..TILES).flat_map(|row| (0..TILES).map(move |column| (row, column)));
    let border = |(row, column): (usize, usize)| {
        let mut ring = vec![(row, column), (row, column + 1), (row + 1, column + 1), (row + 1, column), (row, column)];
        // The orientation of a ring does not matter.
        if (row + column) % 3 == 0 {
            ring.reverse();
        }
        let ring = ring.into_iter().map(|(row, column)| corners[row][column]);
        Border {
            of: Bordered::Country(country_of_tile(row, column)),
            rings: vec![ring.map(|(lat, lon)| Coordinate { lat, lon }).collect()],
        }
    };
    cells.map(border).collect()
}

fn stored(degrees: f64) -> f64 {
    (degrees * 1e5).round() / 1e5
}

/// Tells whether a border contains a point that is shifted slightly west, and far less north: with a ray to the east,
/// in integers fine enough to be exact.
fn contains_shifted(border: &Border, (lat, lon): (i128, i128)) -> bool {
    const FINE: u32 = 56;
    let (lat, lon) = ((lat << FINE) + 1, (lon << FINE) - (1 << 26));
    let whole = |point: &Coordinate| ((point.lat * 1e5).round() as i128, (point.lon * 1e5).round() as i128);
    let edges = border.rings.iter().flat_map(|ring| ring.windows(2));
    let crossed = edges.filter(|pair| {
        let (a, b) = (whole(&pair[0]), whole(&pair[1]));
        let (low, high) = if a.0 < b.0 { (a, b) } else { (b, a) };
        let beside = low.0 << FINE < lat && lat < high.0 << FINE;
        beside && (lon - (low.1 << FINE)) * (high.0 - low.0) < (high.1 - low.1) * (lat - (low.0 << FINE))
    });
    crossed.count() % 2 == 1
}

#[test]
fn a_full_globe_has_one_country_everywhere() {
    let mut rng = Rng::with_seed(6);
    for _ in 0..8 {
        let borders = tiling(&mut rng);
        let index = open(&Gazetteer { borders: borders.clone(), ..gazetteer(&mut rng, 3) });
        let country_at = |lat: i128, lon: i128| {
            let point = Coordinate { lat: lat as f64 / 1e5, lon: lon as f64 / 1e5 };
            index.vicinity(point).country()
        };
        let vertices: Vec<Coordinate> = borders.iter().flat_map(|border| border.rings[0].clone()).collect();
        for _ in 0..4_000 {
            // On a vertex, on the parallel or meridian of one, beside one, on an edge.
            let (a, b) = (vertices[rng.usize(0..vertices.len())], vertices[rng.usize(0..vertices.len())]);
            let whole = |degrees: f64| (degrees * 1e5).round() as i128;
            let (mut lat, mut lon) = (whole(a.lat), whole([a, b][rng.usize(0..2)].lon));
            if rng.bool() {
                (lat, lon) = (lat + rng.i128(-1..=1), lon + rng.i128(-1..=1));
            }
            if rng.u8(0..4) == 0 {
                lat = rng.i128(-9_000_000..=9_000_000);
            }
            let (lat, lon) = (lat.clamp(-9_000_000, 9_000_000), lon.clamp(-18_000_000, 18_000_000));
            // The form of a point on the date line or a pole that stays on the map when it is shifted.
            let inside = match (lat, lon) {
                (9_000_000, _) => (8_999_999, 0),
                (-9_000_000, _) => (lat, 0),
                (_, -18_000_000) => (lat, 18_000_000),
                _ => (lat, lon),
            };
            let containing: Vec<_> = borders.iter().filter(|border| contains_shifted(border, inside)).collect();
            assert_eq!(containing.len(), 1, "the globe has no gaps: {lat} {lon}");
            assert_eq!(country_at(lat, lon), containing[0].country(), "{lat} {lon}");
        }
        for lat in (-9_000_000..=9_000_000).step_by(77_777) {
            assert_eq!(country_at(lat, 18_000_000), country_at(lat, -18_000_000), "{lat}");
            assert_eq!(country_at(lat, 18_000_000), country_at(lat, 17_999_999), "{lat}");
        }
        for (lat, lon) in [-9_000_000, 9_000_000]
            .into_iter()
            .flat_map(|lat| (-18_000_000..=18_000_000).step_by(1_234_567).map(move |lon| (lat, lon)))
        {
            assert_eq!(country_at(lat, lon), country_at(lat, 0), "a pole is one point: {lat} {lon}");
        }
    }
}

#[test]
fn a_country_reaches_to_the_date_line() {
    let mut rng = Rng::with_seed(8);
    for (west, east) in [(-180.0, -170.0), (170.0, 180.0)] {
        let ring = [(0.0, west), (0.0, east), (9.0, east), (9.0, west), (0.0, west)];
        let ring = ring.map(|(lat, lon)| Coordinate { lat, lon }).to_vec();
        let border = Border { of: Bordered::Country(*b"AA"), rings: vec![ring] };
        let index = open(&Gazetteer { borders: vec![border], ..gazetteer(&mut rng, 3) });
        for lon in [180.0, -180.0, 179.999999, -179.999999] {
            let at = |lat| index.vicinity(Coordinate { lat, lon }).country();
            assert!(at(4.5).is_some() && at(-4.5).is_none(), "{west} {lon}");
        }
    }
}

#[test]
fn date_line_and_poles_are_canonical() {
    let mut rng = Rng::with_seed(7);
    let mut gazetteer = gazetteer(&mut rng, 400);
    // Every place has a mirror image across the date line, at the same distance from every point on it.
    let mirrored = |place: &Record| {
        let position = Coordinate { lon: -place.position.lon, ..place.position };
        Record { id: place.id + 400, position, ..place.clone() }
    };
    let mirrored: Vec<Record> = gazetteer.places.iter().map(mirrored).collect();
    gazetteer.places.extend(mirrored);
    let index = open(&Gazetteer { borders: tiling(&mut rng), ..gazetteer });
    let check = |a: Coordinate, b: Coordinate| {
        let found = |point| reverse::place_at(&index, point).map(|near| (near.place.row, near.distance_m));
        assert_eq!(found(a), found(b), "{a:?} {b:?}");
        let nearest = |at| index.segment(0).file.populated().nearest(at, 3e7, |_| true, |_| true);
        assert_eq!(nearest(a), nearest(b), "{a:?} {b:?}");
    };
    for _ in 0..2_000 {
        let lat = position(&mut rng).lat;
        check(Coordinate { lat, lon: 180.0 }, Coordinate { lat, lon: -180.0 });
        let pole = [90.0, -90.0][rng.usize(0..2)];
        let [a, b] = [0, 1].map(|_| Coordinate { lat: pole, lon: position(&mut rng).lon });
        check(a, b);
    }
}

/// Creates towns, sites of all sizes, and their states; most towns and sites are far from each other.
fn towns_and_sites(rng: &mut Rng, size: u64) -> Vec<Record> {
    let state = |id: u64, position: Coordinate| Record {
        id,
        kind: Kind { role: Role::State, category: "boundary".into(), r#type: "state".into() },
        names: vec![Name { text: "State".into(), class: NameClass::Primary, lang: None }],
        codes: vec![],
        position,
        parent: None,
        country: tile_of(position),
        importance: 0.5,
        extent_m: 100_000.0,
        bounds: None,
    };
    let mut places = Vec::new();
    for id in 1..=size {
        let at = position(rng);
        let area = state(3 * id, at);
        let roles = [Role::City, Role::Quarter, Role::Airport, Role::Station, Role::Landmark];
        for (id, near) in [(3 * id + 1, at), (3 * id + 2, around(at, rng.f64() * 150_000.0, rng))] {
            let role = roles[rng.usize(0..roles.len())];
            let kind = Kind { role, category: "place".into(), r#type: format!("{role:?}") };
            // From 10 m to 1,000 km, small ones as often as large ones.
            let extent_m = 10.0 * libm::pow(1e5, rng.f64());
            let parent = rng.bool().then_some(area.id);
            places.push(Record { id, kind, position: near, extent_m, parent, ..area.clone() });
        }
        places.push(area);
    }
    places
}

/// Creates a point at this distance from another, in a random direction.
fn around(centre: Coordinate, metres: f64, rng: &mut Rng) -> Coordinate {
    let angle = rng.f64() * core::f64::consts::TAU;
    let degrees = metres / METRES_PER_DEGREE;
    let lat = (centre.lat + degrees * angle.sin()).clamp(-90.0, 90.0);
    let lon = centre.lon + degrees * angle.cos() / centre.lat.to_radians().cos().max(1e-3);
    Coordinate::new(stored(lat), stored((lon + 180.0).rem_euclid(360.0) - 180.0)).expect("it is in range")
}

/// Returns the country that [`tiling`] has at a point, or a neighbour of it.
fn tile_of(at: Coordinate) -> [u8; 2] {
    let tile = |share: f64| (share * TILES as f64).min(TILES as f64 - 1.0) as usize;
    country_of_tile(tile((at.lat + 90.0) / 180.0), tile((at.lon + 180.0) / 360.0))
}

/// Finds the row that reverse should find, from a scan of all rows.
fn place_by_scan(index: &Index, point: Coordinate) -> Option<u32> {
    let vicinity = index.vicinity(point);
    let country = vicinity.country().filter(|_| vicinity.is_near_land());
    let reach = if country.is_some() { 500_000.0 } else { 12_000.0 };
    let sites = index.segment(0).file.header.layer(Layer::Sites);
    let near = |rows: std::ops::Range<u32>| {
        let of_country =
            rows.filter(|&row| country.is_none_or(|country| index.segment(0).place(row).country().iso2 == country));
        of_country
            .map(|row| (index.segment(0).place(row).position().distance_m(point), row))
            .filter(|&(far, _)| far <= reach)
    };
    let is_of = |id: u64, code| index.find(id).is_some_and(|place| place.country().iso2 == code);
    let state = country.and_then(|code| vicinity.state().filter(|&id| is_of(id, code)));
    let state_of = |row: u32| index.segment(0).place(row).state();
    let nearest = |is_kept: &dyn Fn(f64, u32) -> bool| {
        near(0..sites.start).filter(|&(far, row)| is_kept(far, row)).min_by(|a, b| a.0.total_cmp(&b.0))
    };
    let any = nearest(&|_, _| true);
    let is_right = any.is_none_or(|(far, row)| far <= index.segment(0).place(row).extent_m() || state_of(row) == state);
    let of_state = nearest(&|_, row| state_of(row) == state);
    let town = if state.is_none() || is_right { any } else { of_state.or(any) };
    let site = near(sites)
        .filter(|&(far, row)| far <= index.segment(0).place(row).extent_m() && far <= 75_000.0)
        .min_by(|a, b| {
            (a.0 + index.segment(0).place(a.1).extent_m()).total_cmp(&(b.0 + index.segment(0).place(b.1).extent_m()))
        });
    match (site, town) {
        (Some((_, site)), _) if index.segment(0).place(site).extent_m() <= 5_000.0 => Some(site),
        (Some((far, site)), Some(town)) if town.0 <= 75_000.0 && far < town.0 => Some(site),
        (Some((far, site)), town)
            if town.is_none_or(|town| town.0 > 75_000.0) && far < index.segment(0).place(site).extent_m() / 2.0 =>
        {
            Some(site)
        }
        (_, Some((far, town))) if far <= 75_000.0 => Some(town),
        _ if state.is_some() => index.find(state?).map(|place| place.row.row),
        (_, Some((_, town))) => Some(index.segment(0).place(town).ancestors().next().map_or(town, |area| area.row.row)),
        (_, None) => None,
    }
}

#[test]
fn reverse_equals_a_scan() {
    let mut rng = Rng::with_seed(9);
    let mut found = BTreeMap::new();
    for size in [40, 150, 600] {
        let places = towns_and_sites(&mut rng, size);
        let mut land = LandGrid::empty();
        let dry = (0..LandGrid::ROWS * LandGrid::COLUMNS).filter(|_| rng.u8(0..5) > 0).collect::<Vec<_>>();
        dry.into_iter().for_each(|cell| land.mark(cell / LandGrid::COLUMNS, cell % LandGrid::COLUMNS));
        // States of half of the globe have borders, some across those of their country, and some are not states.
        let mut rng_of_states = Rng::with_seed(size);
        let mut state = |border: Border| {
            let of_country =
                |place: &&Record| place.kind.role == Role::State && Some(place.country) == border.country();
            let all: Vec<u64> = places.iter().filter(of_country).map(|place| place.id).collect();
            let id = if all.is_empty() { 0 } else { all[rng_of_states.usize(0..all.len())] };
            Border { of: Bordered::State(id + u64::from(rng_of_states.u8(0..8) == 0)), ..border }
        };
        let mut borders: Vec<Border> =
            tiling(&mut Rng::with_seed(size)).into_iter().step_by(2).map(&mut state).collect();
        borders.extend(tiling(&mut rng));
        let index = open(&Gazetteer { places, land, borders, ..Gazetteer::default() });
        for _ in 0..6_000 {
            // Near the edge of a place, where rounding matters most.
            let row = rng.u32(0..index.segment(0).file.header.layer(Layer::Sites).end);
            let edge = index.segment(0).place(row).extent_m() * [0.0, 0.5, 0.99, 1.01][rng.usize(0..4)];
            let point = around(index.segment(0).place(row).position(), edge, &mut rng);
            let place = reverse::place_at(&index, point).map(|near| near.place.row.row);
            assert_eq!(place, place_by_scan(&index, point), "{point:?}");
            *found.entry(place.map(|row| index.segment(0).place(row).role())).or_insert(0) += 1;
        }
    }
    assert!(found.len() >= 6 && found.values().all(|&times| times > 100), "all kinds of answers: {found:?}");
}

/// Checks a forged file: its header has no places, kinds or countries, and its other sections are those of places.
#[test]
fn names_and_codes_without_places_are_ignored() {
    let mut of_places = gazetteer(&mut Rng::with_seed(11), 300);
    let code = |text: &str| Code { scheme: CodeScheme::Iata, text: text.to_owned() };
    of_places.places.iter_mut().for_each(|place| place.codes = vec![code("CDG")]);
    let whole = bytes::Bytes::from(write(&of_places).expect("it is sound"));
    let (header, _) = format::open(whole.clone()).expect("the index is whole");
    // Without the header, which comes first.
    let sections = format::sections(whole).expect("the index is whole").split_off(1);
    let of_rows = [
        Section::Latitude,
        Section::Longitude,
        Section::Importance,
        Section::Kind,
        Section::Country,
        Section::Parent,
        Section::Id,
        Section::Extent,
        Section::DisplayName,
        Section::PopulatedTiles,
        Section::SiteTiles,
    ];
    let kept: [Vec<u8>; SECTIONS.len()] = std::array::from_fn(|number| {
        let is_empty = of_rows.iter().any(|&of_rows| of_rows as usize == number);
        if is_empty { Vec::new() } else { sections[number].1.to_vec() }
    });
    let header = Header { populated: 0, sites: 0, areas: 0, kinds: Vec::new(), countries: Vec::new(), ..header };
    let bytes = format::assemble(header, kept).expect("it fits");
    let index = Index::open(bytes.into()).expect("no section contradicts the header");
    let texts = of_places.places.iter().flat_map(|place| &place.names).map(|name| name.text.as_str());
    for text in texts.chain(["cdg", "airport cdg", "ka", "karominso"]) {
        for mode in [Mode::Forward, Mode::Autocomplete] {
            assert!(candidates(&index, &Search::new(text, 5), mode).is_empty(), "{text}");
        }
    }
    assert!(reverse::place_at(&index, Coordinate { lat: 0.0, lon: 0.0 }).is_none());
}

/// Checks half-width kana, letters with marks behind them, and capitals: a table has one form of each.
#[test]
fn every_form_of_a_text_is_transliterated() {
    let transliteration = [('й', "j"), ('ガ', "ga")].map(|(letter, latin)| (letter, latin.to_owned())).to_vec();
    let file = write(&Gazetteer { transliteration, ..Gazetteer::default() }).expect("the gazetteer is sound");
    let index = Index::open(file.into()).expect("the index is whole");
    let check =
        |text: &str, expect: Option<&str>| assert_eq!(index.scripts().transliterate(text).as_deref(), expect, "{text}");
    check("й", Some("j"));
    check("Й", Some("j"));
    check("и\u{306}", Some("j"));
    check("ガ", Some("ga"));
    check("カ\u{3099}", Some("ga"));
    check("\u{ff76}\u{ff9e}", Some("ga"));
    check("Ulm", None);
}
