//! Tests unusual queries: random text, texts that are as expensive as possible, and the same text in other Unicode
//! forms. All must be answered, and the same text must get the same results.

use std::collections::HashMap;

use fastrand::Rng;
use serde::Deserialize;
use toponym_engine::geo::Coordinate;
use toponym_engine::{Filter, MAX_QUERY_CHARS, Place, Search, Suggestion};
use unicode_normalization::UnicodeNormalization;

use crate::default_index::{ENGINE, GAZETTEER};

const HEAVY: &str = include_str!("../bench/heavy.jsonl");

/// Number of random queries in a test run. TOPONYM_QUESTIONS sets another number.
const QUESTIONS: usize = 4_000;

/// Maximum places of a country whose places a one-letter suggestion can all show.
const FEW_PLACES: usize = 10;

/// A line of `heavy.jsonl`.
#[derive(Deserialize)]
struct Heavy {
    shape: String,
    text: String,
    #[serde(default = "once")]
    times: usize,
}

fn once() -> usize {
    1
}

impl Heavy {
    fn text(&self) -> String {
        self.text.repeat(self.times).chars().take(MAX_QUERY_CHARS).collect()
    }
}

fn heavy() -> Vec<Heavy> {
    HEAVY.lines().map(|line| serde_json::from_str(line).expect("a line is a shape")).collect()
}

fn golden(file: &str) -> Vec<String> {
    let path = format!("{}/golden/{file}.csv", env!("CARGO_MANIFEST_DIR"));
    let mut reader = csv::Reader::from_path(path).expect("the cases are there");
    reader.records().map(|row| row.expect("a case is a row")[1].to_owned()).collect()
}

/// Runs every kind of query with a text.
fn ask_all(search: &Search) {
    let places = ENGINE.forward(search);
    assert!(places.len() <= search.limit && ENGINE.autocomplete(search).len() <= search.limit, "{search:?}");
    assert!(places.iter().all(|place| (0.0..=1.0).contains(&place.confidence)), "{search:?}");
}

/// Makes a random text of letters of one or several scripts, words of place names, marks, spaces and commas.
fn random_text(rng: &mut Rng, words: &[String]) -> String {
    const SCRIPTS: [(u32, u32); 24] = [
        (0x20, 0x7f),
        (0xa0, 0x24f),
        (0x300, 0x36f),
        (0x370, 0x3ff),
        (0x400, 0x52f),
        (0x530, 0x58f),
        (0x590, 0x5ff),
        (0x600, 0x6ff),
        (0x780, 0x7bf),
        (0x900, 0x97f),
        (0x980, 0xdff),
        (0xe00, 0xeff),
        (0xf00, 0xfff),
        (0x1000, 0x10ff),
        (0x1100, 0x139f),
        (0x1780, 0x17ff),
        (0x1e00, 0x1fff),
        (0x2000, 0x214f),
        (0x3040, 0x30ff),
        (0x4e00, 0x9fff),
        (0xac00, 0xd7a3),
        (0xfb00, 0xfdff),
        (0x1d400, 0x1d7ff),
        (0, 0x10ffff),
    ];
    let mut text = String::new();
    for _ in 0..rng.usize(1..6) {
        match rng.u8(0..6) {
            0 => text.push_str(&words[rng.usize(0..words.len())]),
            1 => text.push(rng.choice([' ', ',', '-', '\'', '/', '\n', '　', '、']).expect("there are some")),
            2 => {
                let word: Vec<char> = words[rng.usize(0..words.len())].chars().collect();
                text.extend(word.iter().take(rng.usize(0..=word.len())));
            }
            _ => {
                let (first, last) = SCRIPTS[rng.usize(0..SCRIPTS.len())];
                let letters = rng.usize(1..12);
                text.extend((0..letters).filter_map(|_| char::from_u32(rng.u32(first..=last))));
            }
        }
    }
    text.chars().take(MAX_QUERY_CHARS).collect()
}

#[test]
fn every_question_is_answered() {
    let questions = std::env::var("TOPONYM_QUESTIONS").ok().and_then(|count| count.parse().ok()).unwrap_or(QUESTIONS);
    let words = golden("forward");
    let mut rng = Rng::with_seed(14);
    for _ in 0..questions {
        let text = random_text(&mut rng, &words);
        let focus = Coordinate::new(rng.f64() * 180.0 - 90.0, rng.f64() * 360.0 - 180.0);
        let countries = [*b"NR", *b"US"];
        let search = Search {
            lang: rng.bool().then_some(rng.choice(["de", "zh-Hant-TW", "x", ""]).expect("there are some")),
            filter: Filter::in_countries(if rng.u8(0..4) == 0 { &countries } else { &[] }),
            focus: focus.filter(|_| rng.u8(0..4) == 0),
            ..Search::new(&text, rng.usize(1..=50))
        };
        ask_all(&search);
        if let Some(point) = focus {
            ENGINE.reverse(point, None);
        }
    }
}

#[test]
fn heavy_texts_are_answered() {
    let heavy = heavy();
    let shapes: HashMap<&str, &str> = heavy.iter().map(|heavy| (heavy.shape.as_str(), heavy.text.as_str())).collect();
    assert_eq!(shapes.len(), heavy.len(), "a shape is there twice");
    for heavy in &heavy {
        ask_all(&Search::new(&heavy.text(), 5));
    }
}

#[test]
fn a_too_long_text_names_nothing() {
    for letter in ["h", "a", "ab", "ー", "ا"] {
        let text: String = letter.repeat(MAX_QUERY_CHARS).chars().take(MAX_QUERY_CHARS).collect();
        assert_eq!(ENGINE.forward(&Search::new(&text, 5)), [], "{letter}");
        assert_eq!(ENGINE.autocomplete(&Search::new(&text, 5)), [], "{letter}");
    }
}

#[test]
fn confidence_does_not_depend_on_the_limit() {
    for text in golden("forward").iter().step_by(5).map(String::as_str).chain(["San José", "Santa Cruz"]) {
        let all = confidences(text, 50);
        for limit in [1, 5] {
            let few = confidences(text, limit);
            assert_eq!(few, all[..few.len()], "{text} with {limit}");
        }
    }
}

fn confidences(text: &str, limit: usize) -> Vec<(u64, f64)> {
    let places = ENGINE.forward(&Search::new(text, limit));
    places.iter().map(|place: &Place| (place.place_id, place.confidence)).collect()
}

#[test]
fn composed_and_decomposed_texts_get_the_same_answer() {
    let texts = golden("forward").into_iter().chain(golden("autocomplete"));
    for text in texts.chain(["Thành phố Hồ Chí Minh", "Đà Nẵng", "Bakı Azərbaycan", "Waiʻanae"].map(str::to_owned))
    {
        let [composed, decomposed] = [text.nfc().collect::<String>(), text.nfd().collect()];
        assert_eq!(forward(&composed), forward(&decomposed), "{text}");
        assert_eq!(autocomplete(&composed), autocomplete(&decomposed), "{text}");
    }
}

fn autocomplete(text: &str) -> Vec<Suggestion> {
    ENGINE.autocomplete(&Search::new(text, 5))
}

fn forward(text: &str) -> Vec<Place> {
    ENGINE.forward(&Search::new(text, 5))
}

/// With a filter that few places pass, all of them are found within the same budget.
#[test]
fn a_rare_country_is_found_by_one_letter() {
    let places = &GAZETTEER.places;
    let mut of_country: HashMap<[u8; 2], Vec<&toponym_engine::Record>> = HashMap::new();
    for place in places {
        of_country.entry(place.country).or_default().push(place);
    }
    let mut asked = 0;
    for (country, places) in of_country.into_iter().filter(|(_, places)| places.len() <= FEW_PLACES) {
        for place in places {
            let name = &place.names[0].text;
            let Some(letter) = name.chars().next().filter(|letter| letter.is_ascii_alphabetic()) else { continue };
            let letter = letter.to_string();
            let found = ENGINE
                .autocomplete(&Search { filter: Filter::in_countries(&[country]), ..Search::new(&letter, FEW_PLACES) });
            let is_found = found.iter().any(|found| {
                (found.lat - place.position.lat()).abs() < 1e-4 && (found.lon - place.position.lon()).abs() < 1e-4
            });
            assert!(is_found, "{name} by {letter}: {found:?}");
            asked += 1;
        }
    }
    assert!(asked > 50, "{asked} places of countries with few of them");
}
