//! An index in pages gives the answer that it gives with all its pages, whichever of them are there when a question begins, and
//! after two fetches at most.
#![cfg(not(target_arch = "wasm32"))]

use std::ops::Range;
use std::sync::LazyLock;

use fastrand::Rng;
use serde_json::Value;
use toponym_engine::geo::{Bounds, Coordinate};
use toponym_engine::index::WriteError;
use toponym_engine::pages::{PageId, PageSizes, Paged, WrittenPages, write_paged};
use toponym_engine::{
    Answer, Engine, Filter, Gazetteer, Geocode, Nearby, Question, Reference, Search, Shown, Suggestion,
};
use toponym_workload::gazetteer;

/// Small enough to be divided in a test, with what a large one has.
const INDEX: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../build/core.toponym");

/// Number of questions of a test run. TOPONYM_QUESTIONS sets another number.
const QUESTIONS: usize = 2_000;

/// First letters that the small root has suggestions for.
const MOST_LETTERS: usize = 5;

/// Small pages, so that there are crowns below crowns.
const SIZES: PageSizes = PageSizes { root: 20_000, crown: 8_000, page: 20_000 };

static BYTES: LazyLock<Vec<u8>> =
    LazyLock::new(|| std::fs::read(INDEX).expect("the index is there: run `cargo xtask index --core`"));
static GAZETTEER: LazyLock<Gazetteer> = LazyLock::new(|| gazetteer(BYTES.clone()).expect("the index can be read back"));

/// The root, and the pages.
static WRITTEN: LazyLock<(Vec<u8>, Vec<Vec<u8>>)> = LazyLock::new(|| {
    let mut pages = Vec::new();
    let mut take = |written: WrittenPages| -> Result<(), WriteError> {
        pages.extend(written.pages.into_iter().map(|page| page.bytes));
        Ok(())
    };
    let root = write_paged(&GAZETTEER, SIZES, &mut take).expect("the gazetteer is sound");
    (root, pages)
});

fn page(id: PageId) -> Vec<u8> {
    WRITTEN.1[id.number() as usize].clone()
}

fn root() -> Paged {
    Paged::open(WRITTEN.0.clone()).expect("a root just written opens")
}

/// The index with those pages that `keep` is true for.
fn with_pages(mut keep: impl FnMut() -> bool) -> Paged {
    let mut paged = root();
    for (id, _) in paged.kinds() {
        if keep() {
            paged.insert(id, page(id)).expect("it is the page");
        }
    }
    paged
}

/// A question of any kind about places of the index.
#[derive(Debug)]
enum Asked {
    Forward(String, Conditions),
    Autocomplete(String, Conditions),
    Reverse(Coordinate),
    Nearby(Coordinate, f64, Conditions),
    Place(Reference),
    Outcome(String),
}

#[derive(Debug, Default)]
struct Conditions {
    lang: Option<&'static str>,
    countries: Vec<[u8; 2]>,
    types: Vec<&'static str>,
    bounds: Option<Bounds>,
    within: Option<u64>,
    limit: usize,
}

impl Conditions {
    fn any(rng: &mut Rng) -> Self {
        let place = any_place(rng);
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

fn any_place(rng: &mut Rng) -> &'static toponym_engine::Record {
    &GAZETTEER.places[rng.usize(..GAZETTEER.places.len())]
}

/// A name as people write it: whole, begun, with a slip, with what it lies in, or with a word for a kind.
fn any_text(rng: &mut Rng) -> String {
    let way = rng.u8(..WAYS);
    text_of(rng, way)
}

/// Number of ways to write a name, and those with a slip.
const WAYS: u8 = 8;
const SLIPS: Range<u8> = 2..4;

fn text_of(rng: &mut Rng, way: u8) -> String {
    let place = any_place(rng);
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
        4 => format!("{name}, {}", any_place(rng).names[0].text),
        5 => {
            let area = place.parent.and_then(|id| GAZETTEER.places.iter().find(|area| area.id == id));
            format!("{name} {}", area.map_or("", |area| area.names[0].text.as_str()))
        }
        6 => format!("{name} {}", ["airport", "station", "Bahnhof", "lake"][rng.usize(..4)]),
        _ => name.clone(),
    }
}

fn any_question(rng: &mut Rng) -> Asked {
    let point = |rng: &mut Rng| {
        let at = any_place(rng).position;
        let off = |degrees: f64, most: f64, rng: &mut Rng| (degrees + rng.f64() * 2.0 - 1.0).clamp(-most, most);
        match rng.u8(..4) {
            0 => Coordinate::new(rng.f64() * 180.0 - 90.0, rng.f64() * 360.0 - 180.0),
            1 => Coordinate::new([90.0, -90.0, 67.0][rng.usize(..3)], [180.0, -180.0, 0.0][rng.usize(..3)]),
            _ => Coordinate::new(off(at.lat(), 90.0, rng), off(at.lon(), 180.0, rng)),
        }
        .expect("it is on the globe")
    };
    match rng.u8(..12) {
        0..4 => Asked::Forward(any_text(rng), Conditions::any(rng)),
        4..8 => Asked::Autocomplete(any_text(rng), Conditions::any(rng)),
        8 => Asked::Reverse(point(rng)),
        9 => Asked::Nearby(point(rng), rng.f64() * 200_000.0, Conditions::any(rng)),
        10 if rng.bool() => Asked::Place(Reference::Id(any_place(rng).id)),
        10 => Asked::Place("iata:CDG".parse().expect("it is a reference")),
        _ => Asked::Outcome(any_text(rng)),
    }
}

fn answer(paged: &Paged, asked: &Asked) -> Answer<Value> {
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
fn fetched(paged: &mut Paged, asked: &Asked) -> (Value, usize) {
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

#[test]
fn the_same_answer_whatever_is_there_and_two_fetches_at_most() {
    let questions = std::env::var("TOPONYM_QUESTIONS").ok().and_then(|count| count.parse().ok()).unwrap_or(QUESTIONS);
    let mut rng = Rng::with_seed(19);
    let whole = with_pages(|| true);
    let mut trips = [0; 3];
    let mut paged = root();
    for number in 0..questions {
        // A cache that is empty, that has what others asked for, or that has lost some of it.
        match number % 50 {
            0 => paged = root(),
            25 => paged = with_pages(|| rng.u8(..4) > 0),
            _ => {}
        }
        let asked = any_question(&mut rng);
        let Answer::Ready(expect) = answer(&whole, &asked) else { panic!("{asked:?} lacks a page of all pages") };
        let (found, fetches) = fetched(&mut paged, &asked);
        assert_eq!(found, expect, "{asked:?}");
        assert!(fetches <= 2, "{asked:?} took {fetches} fetches");
        trips[fetches] += 1;
    }
    assert!(trips.iter().all(|&count| count > questions / 100), "{trips:?}");
}

/// Shares of questions with the first answer of the same index in one file. A slip is looked for in the pages where its names
/// are likely; of small ones there are many.
#[test]
fn nearly_always_the_first_answer_of_one_file() {
    let mut rng = Rng::with_seed(20);
    let (paged, engine) = (with_pages(|| true), Engine::open(BYTES.clone()).expect("the index is whole"));
    // Of texts without and with a slip: all, and those with the same answer.
    let mut counts = [[0; 2]; 2];
    for number in 0..QUESTIONS {
        let way = rng.u8(..WAYS);
        let text = text_of(&mut rng, way);
        let search = Search::new(&text, 5);
        let first = |source: &dyn Geocode| match number % 2 {
            0 => source.autocomplete(&search).unwrap().first().map(|found| found.place_id),
            _ => source.forward(&search).unwrap().first().map(|found| found.place_id),
        };
        let [all, same] = &mut counts[usize::from(SLIPS.contains(&way))];
        *all += 1;
        *same += usize::from(first(&paged) == first(&engine));
    }
    let [without, with] = counts.map(|[all, same]| same as f64 / all as f64);
    assert!(without > 0.97 && with > 0.8, "{without} {with}");
}

#[test]
fn every_place_is_named_at_its_own_position() {
    let mut rng = Rng::with_seed(21);
    let (paged, engine) = (with_pages(|| true), Engine::open(BYTES.clone()).expect("the index is whole"));
    for _ in 0..QUESTIONS {
        let at = any_place(&mut rng).position;
        let Answer::Ready(found) = paged.reverse(at, Shown::default()) else { panic!("{at:?} lacks a page") };
        assert_eq!(found, engine.reverse(at, None), "{at:?}");
    }
}

/// The best of all names are in the root, so that it has the suggestions for most first letters.
#[test]
fn first_letters_need_no_page() {
    let (paged, engine) = (root(), Engine::open(BYTES.clone()).expect("the index is whole"));
    let mut answered = 0;
    for letter in 'a'..='z' {
        let letter = letter.to_string();
        let search = Search::new(&letter, 5);
        if let Answer::Ready(found) = paged.autocomplete(&search) {
            let ids = |found: &[Suggestion]| found.iter().map(|found| found.place_id).collect::<Vec<_>>();
            assert_eq!(ids(&found), ids(&engine.autocomplete(&search)), "{letter}");
            answered += 1;
        }
    }
    assert!(answered >= MOST_LETTERS, "{answered} of 26");
}

/// Whatever a page says of itself: a host may have damaged it.
#[test]
fn a_page_with_a_changed_byte_is_refused() {
    let mut rng = Rng::with_seed(23);
    let mut paged = root();
    for (id, kind) in paged.kinds().into_iter().step_by(7) {
        let mut bytes = page(id);
        let at = rng.usize(..bytes.len());
        bytes[at] ^= 1 << rng.u8(..8);
        assert!(paged.insert(id, bytes).is_err(), "{kind}, byte {at}");
    }
}
