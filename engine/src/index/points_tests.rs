//! Searches by position, and reverse geocoding, give what a scan of all rows gives.

use std::cell::Cell;
use std::collections::BTreeMap;

use fastrand::Rng;

use super::borders_tests::{tile_of, tiling};
use super::tests::{POINTS, gazetteer, open, position, round_as_stored};
use crate::geo::{Bounds, Centre, Coordinate, METRES_PER_DEGREE};
use crate::index::points::Nearest;
use crate::index::{Index, Layer, Near, PlaceRef, RowId};
use crate::land_grid::LandGrid;
use crate::record::{Border, Bordered, Gazetteer, Kind, Name, NameClass, Record, Role};
use crate::reverse;

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
        let found = index
            .segment(0)
            .file
            .populated()
            .nearest(&Centre::new(point), 3e7, |_| true, |_| true)
            .map(|near| near.row);
        assert_eq!(found, expected.map(|(_, row)| row), "{point:?}");
    }
}

/// Compares searches by position with a scan: for one and for several, of few and of many rows, near and far.
#[test]
fn kept_nearest_places_equal_a_scan() {
    let mut rng = Rng::with_seed(22);
    let index = open(&gazetteer(&mut rng, 3_000));
    for _ in 0..3_000 {
        let point = position(&mut rng);
        let within_m = 10.0 * libm::pow(3e6, rng.f64());
        let limit = rng.usize(0..12);
        let one_of = [1, 2, 30, 1_000, 4_000][rng.usize(0..5)];
        let is_kept = |row: u32| row % one_of == 7 % one_of;
        let far = |row: u32| point.distance_m(index.segment(0).copy(row).position());
        let all = (0..3_000).filter(|&row| is_kept(row)).map(|row| Nearest { row, distance_m: far(row) });
        let mut expected: Vec<Nearest> = all.filter(|near| near.distance_m <= within_m).collect();
        expected.sort_by(|a, b| a.distance_m.total_cmp(&b.distance_m).then(a.row.cmp(&b.row)));
        let populated = index.segment(0).file.populated();
        let centre = Centre::new(point);
        let nearest = populated.nearest(&centre, within_m, is_kept, |_| true);
        assert_eq!(nearest, expected.first().copied(), "{point:?} {within_m} {one_of}");
        assert_eq!(populated.nearest(&centre, within_m, |_| true, is_kept), nearest, "{point:?} {within_m} {one_of}");
        expected.truncate(limit);
        assert_eq!(
            populated.nearest_many(&centre, within_m, limit, is_kept),
            expected,
            "{point:?} {within_m} {one_of}"
        );
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
        let segment = index.segment(0);
        let all = segment.copies(0..segment.file.rows());
        let expected: Vec<RowId> = all
            .filter(|place| place.role() == Role::Region && place.bounds().contains(point))
            .map(|place| place.row)
            .collect();
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
        assert!(
            index.segment(0).file.populated().nearest(&Centre::new(position(&mut rng)), 3e7, count, |_| true).is_some()
        );
    }
    assert!(looked_at.get() < 3_000, "{looked_at:?}");
}

#[test]
fn places_within_a_distance_equal_a_scan() {
    let mut rng = Rng::with_seed(13);
    let index = open(&gazetteer(&mut rng, 3_000));
    for _ in 0..1_000 {
        let point = position(&mut rng);
        let reach_m = rng.f64() * 2e6;
        fn is_kept(row: u32) -> bool {
            !row.is_multiple_of(3)
        }
        let far = |row: u32| point.distance_m(index.segment(0).place(row).position());
        let expected: Vec<u32> = (0..3_000).filter(|&row| is_kept(row) && far(row) <= reach_m).collect();
        let mut found = index.segment(0).file.populated().within(&Centre::new(point), reach_m, is_kept);
        found.sort_by_key(|near| near.row);
        assert!(found.iter().all(|near| near.distance_m == far(near.row)), "{point:?}");
        assert_eq!(found.iter().map(|near| near.row).collect::<Vec<_>>(), expected, "{point:?}");
    }
}

#[test]
fn how_sure_a_name_is_for_a_point() {
    // The distance in extents of the place.
    fn check(role: Role, extent_m: f64, extents: f64, expect: f64) {
        let index = open(&Gazetteer { places: vec![place_of_extent(role, extent_m)], ..Gazetteer::default() });
        let distance_m = extents * index.segment(0).place(0).extent_m().max(1.0);
        let found = reverse::confidence(Near { place: index.segment(0).place(0), distance_m });
        assert_eq!(found, expect, "{role:?} {extent_m} {extents}");
    }
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

fn place_of_extent(role: Role, extent_m: f64) -> Record {
    Record {
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
    }
}

#[test]
fn date_line_and_poles_are_canonical() {
    let mut rng = Rng::with_seed(7);
    let mut gazetteer = gazetteer(&mut rng, 400);
    // Every place has a mirror image across the date line, at the same distance from every point on it.
    for mut place in gazetteer.places.clone() {
        place.id += 400;
        place.position.lon = -place.position.lon;
        gazetteer.places.push(place);
    }
    let index = open(&Gazetteer { borders: tiling(&mut rng), ..gazetteer });
    let check = |a: Coordinate, b: Coordinate| {
        let found = |point| reverse::place_at(&index, point).map(|near| (near.place.row, near.distance_m));
        assert_eq!(found(a), found(b), "{a:?} {b:?}");
        let nearest =
            |at: Coordinate| index.segment(0).file.populated().nearest(&Centre::new(at), 3e7, |_| true, |_| true);
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

/// Creates a state.
fn state(id: u64, position: Coordinate) -> Record {
    Record {
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
    }
}

/// Creates a point at this distance from another, in a random direction.
fn around(centre: Coordinate, metres: f64, rng: &mut Rng) -> Coordinate {
    let angle = rng.f64() * core::f64::consts::TAU;
    let degrees = metres / METRES_PER_DEGREE;
    let lat = (centre.lat + degrees * angle.sin()).clamp(-90.0, 90.0);
    let lon = centre.lon + degrees * angle.cos() / centre.lat.to_radians().cos().max(1e-3);
    Coordinate::new(round_as_stored(lat), round_as_stored((lon + 180.0).rem_euclid(360.0) - 180.0))
        .expect("it is in range")
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
    let state = vicinity.state().and_then(|id| index.find(id));
    let state = state.filter(|state| Some(state.country().iso2) == country).map(PlaceRef::id);
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
        let mut borders: Vec<Border> = Vec::new();
        for border in tiling(&mut Rng::with_seed(size)).into_iter().step_by(2) {
            let of_country = places.iter().filter(|place| Some(place.country) == border.country());
            let states = of_country.filter(|place| place.kind.role == Role::State);
            let ids: Vec<u64> = states.map(|place| place.id).collect();
            let id = if ids.is_empty() { 0 } else { ids[rng_of_states.usize(0..ids.len())] };
            let of = Bordered::State(id + u64::from(rng_of_states.u8(0..8) == 0));
            borders.push(Border { of, ..border });
        }
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
