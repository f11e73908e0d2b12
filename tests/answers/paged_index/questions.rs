//! Questions about places of an index.

use std::ops::Range;

use fastrand::Rng;
use serde_json::Value;
use toponym_engine::geo::{Bounds, Coordinate};
use toponym_engine::pages::Paged;
use toponym_engine::{Answer, Filter, Geocode, Nearby, Question, Record, Reference, Search, Shown};

use super::fixture::page;

/// A question of any kind about places.
#[derive(Debug)]
pub enum Asked {
    Forward(String, Conditions),
    Autocomplete(String, Conditions),
    Reverse(Coordinate),
    Nearby(Coordinate, f64, Conditions),
    Place(Reference),
    Outcome(String),
}

#[derive(Debug, Default)]
pub struct Conditions {
    lang: Option<&'static str>,
    countries: Vec<[u8; 2]>,
    types: Vec<&'static str>,
    bounds: Option<Bounds>,
    within: Option<u64>,
    limit: usize,
}

impl From<usize> for Conditions {
    /// None but a limit.
    fn from(limit: usize) -> Self {
        Self { limit, ..Self::default() }
    }
}

impl Conditions {
    fn any(places: &[Record], rng: &mut Rng) -> Self {
        let place = any_place(places, rng);
        let lang = [None, None, Some("de"), Some("ja"), Some("zh-Hant-TW"), Some("xx")][rng.usize(..6)];
        let plain = Self { lang, limit: rng.usize(1..=10), ..Self::default() };
        let at = place.position;
        let around = Bounds {
            south: (at.lat() - 2.0).max(-90.0),
            north: (at.lat() + 2.0).min(90.0),
            west: (at.lon() - 2.0).max(-180.0),
            east: (at.lon() + 2.0).min(180.0),
        };
        match rng.u8(..8) {
            0 => Self { countries: vec![place.country], ..plain },
            1 => Self { types: vec![["city", "airport", "station", "region", "landmark"][rng.usize(..5)]], ..plain },
            2 => Self { bounds: Some(around), ..plain },
            3 => Self { within: place.parent, ..plain },
            _ => plain,
        }
    }

    fn filter(&self) -> Filter<'_> {
        Filter {
            countries: &self.countries,
            types: &self.types,
            bounds: self.bounds,
            within: self.within,
            ..Filter::default()
        }
    }

    fn search<'c>(&'c self, text: &'c str) -> Search<'c> {
        Search { lang: self.lang, filter: self.filter(), ..Search::new(text, self.limit) }
    }
}

pub fn any_place<'p>(places: &'p [Record], rng: &mut Rng) -> &'p Record {
    &places[rng.usize(..places.len())]
}

/// A name as people write it: whole, begun, with a slip, with what it lies in, or with a word for a kind.
fn any_text(places: &[Record], rng: &mut Rng) -> String {
    let way = rng.u8(..WAYS);
    text_of(places, rng, way)
}

/// Number of ways to write a name, and those with a slip.
pub const WAYS: u8 = 8;
pub const SLIPS: Range<u8> = 2..4;

pub fn text_of(places: &[Record], rng: &mut Rng, way: u8) -> String {
    let place = any_place(places, rng);
    let name = &place.names[rng.usize(..place.names.len())].text;
    let letters: Vec<char> = name.chars().collect();
    let cut = |count: usize| letters.iter().take(count).collect::<String>();
    match way {
        0 => cut(rng.usize(1..=3)),
        1 => cut(rng.usize(1..=letters.len())),
        _ if SLIPS.contains(&way) => {
            let mut slipped = letters.clone();
            let at = rng.usize(..slipped.len());
            match rng.u8(..3) {
                0 => drop(slipped.remove(at)),
                1 => slipped.insert(at, rng.lowercase()),
                _ => slipped[at] = rng.lowercase(),
            }
            slipped.into_iter().collect()
        }
        4 => format!("{name}, {}", any_place(places, rng).names[0].text),
        5 => {
            let area = place.parent.and_then(|id| places.iter().find(|area| area.id == id));
            format!("{name} {}", area.map_or("", |area| area.names[0].text.as_str()))
        }
        6 => format!("{name} {}", ["airport", "station", "Bahnhof", "lake"][rng.usize(..4)]),
        _ => name.clone(),
    }
}

pub fn any_question(places: &[Record], rng: &mut Rng) -> Asked {
    let point = |rng: &mut Rng| {
        let at = any_place(places, rng).position;
        let off = |degrees: f64, most: f64, rng: &mut Rng| (degrees + rng.f64() * 2.0 - 1.0).clamp(-most, most);
        match rng.u8(..4) {
            0 => Coordinate::new(rng.f64() * 180.0 - 90.0, rng.f64() * 360.0 - 180.0),
            1 => Coordinate::new([90.0, -90.0, 67.0][rng.usize(..3)], [180.0, -180.0, 0.0][rng.usize(..3)]),
            _ => Coordinate::new(off(at.lat(), 90.0, rng), off(at.lon(), 180.0, rng)),
        }
        .expect("it is on the globe")
    };
    match rng.u8(..12) {
        0..4 => Asked::Forward(any_text(places, rng), Conditions::any(places, rng)),
        4..8 => Asked::Autocomplete(any_text(places, rng), Conditions::any(places, rng)),
        8 => Asked::Reverse(point(rng)),
        9 => Asked::Nearby(point(rng), rng.f64() * 200_000.0, Conditions::any(places, rng)),
        10 if rng.bool() => Asked::Place(Reference::Id(any_place(places, rng).id)),
        10 => Asked::Place("iata:CDG".parse().expect("it is a reference")),
        _ => Asked::Outcome(any_text(places, rng)),
    }
}

pub fn answer(paged: &dyn Geocode, asked: &Asked) -> Answer<Value> {
    fn json<T: serde::Serialize>(answer: Answer<T>) -> Answer<Value> {
        answer.map(|answer| serde_json::to_value(answer).expect("an answer is plain values"))
    }
    match asked {
        Asked::Forward(text, conditions) => json(paged.forward(&conditions.search(text))),
        Asked::Autocomplete(text, conditions) => json(paged.autocomplete(&conditions.search(text))),
        Asked::Reverse(point) => json(paged.reverse(*point, Some("de").into())),
        Asked::Nearby(point, radius_m, conditions) => json(paged.nearby(&Nearby {
            radius_m: *radius_m,
            filter: conditions.filter(),
            lang: conditions.lang,
            ..Nearby::new(*point, conditions.limit)
        })),
        Asked::Place(reference) => json(paged.place(reference, Shown::default())),
        Asked::Outcome(text) => json(paged.outcome(Question::Text(text), Shown::default())),
    }
}

/// Asks until there is an answer, and inserts what is missing. Returns the answer and the number of fetches.
pub fn fetched(paged: &mut Paged, asked: &Asked) -> (Value, usize) {
    for fetches in 0.. {
        match answer(paged, asked) {
            Answer::Ready(answer) => return (answer, fetches),
            Answer::Missing(pages) => {
                assert!(!pages.is_empty(), "{asked:?}: something is missing, but no page");
                pages.into_iter().for_each(|id| paged.insert(id, page(id)).expect("it is the page"));
            }
        }
        assert!(fetches < 10, "{asked:?} has no end");
    }
    unreachable!("it asks until there is an answer")
}
