//! Measures the quality of the whole index on the project's own golden cases and compares it with a committed snapshot,
//! so that every changed result shows in the diff.
//!
//! The cases in `golden/*.csv` are written from common knowledge:
//!
//! - `forward.csv`, `autocomplete.csv`: a result is correct if it lies in `country`, at most `km` from `lat`, `lon`, and
//!   its display name begins with `name`. An empty `name` means that the position suffices.
//! - `regions.csv`, `context.csv`, `countrycodes.csv`, `focus.csv`: the same, each case with its parameters. An empty
//!   `country` may be any.
//! - `lang.csv`: the display name of the first result begins with `name`.
//! - `reverse.csv`: `expect` is `place`, `area` (nothing near, so the state or country) or `none`; an empty `country`,
//!   `state`, `city` or `name` may be anything.
//! - `absent.csv`: texts that mean no place that an index could know. An answer should have a low confidence.
//!
//! After an intended change, run `UPDATE_EXPECT=1 cargo test --test answers quality` and check the
//! diff.

mod reliability;

use std::collections::HashSet;
use std::fmt::Write;

use expect_test::expect_file;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use toponym_engine::geo::Coordinate;
use toponym_engine::{Engine, Filter, Place, Search, Suggestion};

use crate::default_index::ENGINE;

/// Number of results to check: the contract's default `limit`.
const RANKS: usize = 5;

/// Confidence above which the contract calls an answer reliable.
const SURE: f64 = 0.8;

/// Confidence with which an answer is more likely right than wrong.
const LIKELY: f64 = 0.5;

/// Minimum number of cases for a share. With fewer, it would change in steps too coarse to read.
const FEWEST_CASES: usize = 12;

const SNAPSHOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots/quality.txt");
const RELIABILITY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots/reliability.svg");

#[test]
fn the_answers_are_those_of_the_snapshot() {
    let engine = &*ENGINE;
    let verdicts = |file: &str| -> Vec<Verdict> {
        cases::<TextCase>(file).iter().map(|case| case.judge(&case.answers(engine))).collect()
    };
    let forward = verdicts("forward");
    let regions = verdicts("regions");
    let context = verdicts("context");
    let suggested = verdicts("autocomplete");
    let filtered = verdicts("countrycodes");
    let focused = verdicts("focus");
    let in_language: Vec<Verdict> = cases::<LanguageCase>("lang").iter().map(|case| case.judge(engine)).collect();
    let reverse: Vec<PointCase> = cases("reverse");
    let reverse: Vec<Verdict> = reverse.iter().map(|case| case.judge(engine.reverse(case.point(), None))).collect();
    let absent: Vec<Guess> = cases("absent").into_iter().map(|case| Guess::of(engine, case)).collect();
    let reports = [
        report("forward", &forward),
        report("autocomplete", &suggested),
        report("regions", &regions),
        report("context", &context),
        report("countrycodes", &filtered),
        report("focus", &focused),
        report("lang", &in_language),
        report("reverse", &reverse),
        report_guesses(&absent),
    ];
    expect_file![SNAPSHOT].assert_eq(&reports.join("\n"));
    let asked =
        [&forward, &regions, &context, &filtered].into_iter().flatten().filter(|verdict| verdict.sure.is_some());
    let of_places = asked.map(|verdict| (verdict.confidence, verdict.rank == Some(0)));
    let of_nothing = absent.iter().map(|guess| (guess.confidence, false));
    let answers: Vec<(f64, bool)> = of_places.chain(of_nothing).filter(|&(confidence, _)| confidence > 0.0).collect();
    expect_file![RELIABILITY].assert_eq(&reliability::plot(&answers).expect("a text can be written"));
    // Renewing the snapshot cannot bless a loss.
    let right_when_sure =
        part(&forward, |verdict| is_sure(verdict) && verdict.rank == Some(0)) / part(&forward, is_sure);
    for (what, share, floor) in [
        ("forward", right(&forward), 0.965),
        ("autocomplete", right(&suggested), 0.95),
        ("regions", right(&regions), 0.98),
        ("context", right(&context), 0.94),
        ("countrycodes", right(&filtered), 0.97),
        ("focus", right(&focused), 0.92),
        ("lang", right(&in_language), 0.95),
        ("reverse", right(&reverse), 0.95),
        ("right when sure", right_when_sure, 0.99),
        ("absent texts below a confidence of 1/2", part(&absent, |guess| guess.confidence < LIKELY), 0.97),
    ] {
        assert!(share >= floor, "{what}: {share:.4} is below the floor of {floor}");
    }
}

fn is_sure(verdict: &Verdict) -> bool {
    verdict.sure == Some(true)
}

fn right(verdicts: &[Verdict]) -> f64 {
    part(verdicts, |verdict| verdict.rank == Some(0))
}

fn part<T>(all: &[T], is_good: impl Fn(&T) -> bool) -> f64 {
    all.iter().filter(|one| is_good(one)).count() as f64 / all.len() as f64
}

#[test]
fn the_cases_are_sound() {
    for file in ["forward", "autocomplete", "regions", "context", "countrycodes", "focus"] {
        let cases: Vec<TextCase> = cases(file);
        let mut seen = HashSet::new();
        for case in &cases {
            let asked = (case.op, &case.query, &case.countrycodes, case.focus().map(|at| format!("{at:?}")));
            assert!(seen.insert(asked), "{file}: {} is there twice", case.query);
            assert!(case.km > 0.0 && (case.country.is_empty() || is_code(&case.country)), "{file}: {}", case.query);
            case.point();
        }
        check_tags(file, cases.into_iter().map(|case| case.tag));
    }
    let absent: Vec<AbsentCase> = cases("absent");
    let queries: HashSet<&String> = absent.iter().map(|case| &case.query).collect();
    assert_eq!(queries.len(), absent.len(), "absent: a text is there twice");
    check_tags("absent", absent.into_iter().map(|case| case.tag));
    let cases: Vec<PointCase> = cases("reverse");
    for case in &cases {
        let described = !case.country.is_empty() && is_code(&case.country);
        assert_eq!(described, case.expect != Expected::None, "reverse: {} {}", case.lat, case.lon);
        case.point();
    }
    check_tags("reverse", cases.into_iter().map(|case| case.tag));
}

fn check_tags(file: &str, of_cases: impl Iterator<Item = String>) {
    let of_cases: Vec<String> = of_cases.collect();
    for tag in of_cases.iter().collect::<HashSet<_>>() {
        let count = of_cases.iter().filter(|other| *other == tag).count();
        assert!(count >= FEWEST_CASES, "{file}: {count} cases of {tag}");
    }
}

fn is_code(country: &str) -> bool {
    country.len() == 2 && country.bytes().all(|letter| letter.is_ascii_uppercase())
}

/// A text that means no place.
#[derive(Deserialize)]
struct AbsentCase {
    tag: String,
    query: String,
}

/// Answer to a text that means no place.
struct Guess {
    tag: String,
    query: String,
    answer: String,
    /// 0 if there is no answer.
    confidence: f64,
}

impl Guess {
    fn of(engine: &Engine, AbsentCase { tag, query }: AbsentCase) -> Self {
        let first = engine.forward(&Search::new(&query, 1)).pop();
        let confidence = first.as_ref().map_or(0.0, |place| place.confidence);
        Self { tag, query, confidence, answer: first.map_or_else(String::new, |place| place.display_name) }
    }
}

/// A name in a language.
#[derive(Deserialize)]
struct LanguageCase {
    lang: String,
    query: String,
    name: String,
    country: String,
}

impl LanguageCase {
    fn judge(&self, engine: &Engine) -> Verdict {
        let found = engine.forward(&Search { lang: Some(&self.lang), ..Search::new(&self.query, RANKS) });
        let is_met = |place: &Place| {
            let country = place.address.get("country_code").unwrap_or_default();
            place.display_name.starts_with(&self.name) && country.eq_ignore_ascii_case(&self.country)
        };
        Verdict {
            tag: "lang".to_owned(),
            asked: format!("{} in {}", self.query, self.lang),
            expected: self.name.clone(),
            got: found.first().map_or_else(|| "nothing".to_owned(), |place| place.display_name.clone()),
            rank: found.iter().position(is_met),
            sure: None,
            confidence: 0.0,
        }
    }
}

/// Operation that a case asks for.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Hash)]
#[serde(rename_all = "lowercase")]
enum Operation {
    #[default]
    Forward,
    Autocomplete,
}

/// A text with its parameters, and the intended place.
#[derive(Deserialize)]
struct TextCase {
    #[serde(default)]
    op: Operation,
    /// Country codes as in a request: `us,ca`.
    #[serde(default)]
    countrycodes: String,
    focus_lat: Option<f64>,
    focus_lon: Option<f64>,
    tag: String,
    query: String,
    name: String,
    country: String,
    lat: f64,
    lon: f64,
    km: f64,
}

/// A point, and what a person would call it.
#[derive(Deserialize)]
struct PointCase {
    tag: String,
    lat: f64,
    lon: f64,
    country: String,
    state: String,
    city: String,
    name: String,
    expect: Expected,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Expected {
    Place,
    Area,
    None,
}

/// The parts of a result that a text case checks.
struct Answer {
    display_name: String,
    country_code: Option<String>,
    at: Coordinate,
    /// 0 in a suggestion, which has none.
    confidence: f64,
}

/// The outcome of one case.
struct Verdict {
    tag: String,
    asked: String,
    expected: String,
    got: String,
    /// Rank of the first correct result, from 0.
    rank: Option<usize>,
    /// True if the confidence of the first result marks it as reliable; `None` if it has no confidence.
    sure: Option<bool>,
    /// The confidence of the first result; 0 if there is none.
    confidence: f64,
}

impl TextCase {
    fn point(&self) -> Coordinate {
        Coordinate::new(self.lat, self.lon).expect("the case is on the Earth")
    }

    fn is_met_by(&self, answer: &Answer) -> bool {
        let named = self.name.is_empty() || first_part(&answer.display_name) == self.name;
        let near = self.point().distance_m(answer.at) <= self.km * 1_000.0;
        let there = self.country.is_empty()
            || answer.country_code.as_ref().is_some_and(|code| code.eq_ignore_ascii_case(&self.country));
        named && near && there
    }

    fn judge(&self, answers: &[Answer]) -> Verdict {
        let first = answers.first();
        let name = if self.name.is_empty() { format!("{}, {}", self.lat, self.lon) } else { self.name.clone() };
        Verdict {
            tag: self.tag.clone(),
            asked: self.query.clone(),
            expected: format!("{name}, {}", self.country),
            got: first.map_or_else(|| "nothing".to_owned(), |answer| answer.display_name.clone()),
            rank: answers.iter().position(|answer| self.is_met_by(answer)),
            sure: (self.op == Operation::Forward).then(|| first.is_some_and(|answer| answer.confidence > SURE)),
            confidence: first.map_or(0.0, |answer| answer.confidence),
        }
    }

    fn focus(&self) -> Option<Coordinate> {
        Coordinate::new(self.focus_lat?, self.focus_lon?)
    }

    fn answers(&self, engine: &Engine) -> Vec<Answer> {
        let codes = self.countrycodes.split(',').filter(|code| !code.is_empty());
        let countries: Vec<[u8; 2]> = codes
            .map(|code| code.to_ascii_uppercase().into_bytes().try_into().expect("a country code has two letters"))
            .collect();
        let search =
            Search { filter: Filter::in_countries(&countries), focus: self.focus(), ..Search::new(&self.query, RANKS) };
        match self.op {
            Operation::Forward => engine.forward(&search).into_iter().map(Answer::from).collect(),
            Operation::Autocomplete => engine.autocomplete(&search).into_iter().map(Answer::from).collect(),
        }
    }
}

impl PointCase {
    fn point(&self) -> Coordinate {
        Coordinate::new(self.lat, self.lon).expect("the case is on the Earth")
    }

    fn is_met_by(&self, answer: Option<&Place>) -> bool {
        let Some(place) = answer else { return self.expect == Expected::None };
        let is_area = place.category == "boundary" || place.kind == "country";
        let kind = if is_area { Expected::Area } else { Expected::Place };
        kind == self.expect
            && place.address.get("country_code").is_some_and(|code| code.eq_ignore_ascii_case(&self.country))
            && (self.state.is_empty() || place.address.get("state") == Some(&self.state))
            && (self.city.is_empty() || place.city.as_deref() == Some(&self.city))
            && (self.name.is_empty() || first_part(&place.display_name) == self.name)
    }

    fn judge(&self, answer: Option<Place>) -> Verdict {
        let named = [&self.name, &self.city, &self.state, &self.country].map(String::as_str);
        let named: Vec<&str> = named.into_iter().filter(|part| !part.is_empty()).collect();
        let expected = match self.expect {
            Expected::Place => named.join(", "),
            Expected::Area => format!("area {}", named.join(", ")),
            Expected::None => "nothing".to_owned(),
        };
        Verdict {
            tag: self.tag.clone(),
            asked: format!("{}, {}", self.lat, self.lon),
            expected,
            rank: self.is_met_by(answer.as_ref()).then_some(0),
            sure: answer.as_ref().map(|place| place.confidence > SURE),
            confidence: answer.as_ref().map_or(0.0, |place| place.confidence),
            got: answer.map_or_else(|| "nothing".to_owned(), |place| place.display_name),
        }
    }
}

impl From<Place> for Answer {
    fn from(place: Place) -> Self {
        Self {
            country_code: place.address.get("country_code").map(str::to_owned),
            at: Coordinate::new(place.lat, place.lon).expect("an answer is on the Earth"),
            display_name: place.display_name,
            confidence: place.confidence,
        }
    }
}

impl From<Suggestion> for Answer {
    fn from(suggestion: Suggestion) -> Self {
        Self {
            country_code: suggestion.country_code,
            at: Coordinate::new(suggestion.lat, suggestion.lon).expect("an answer is on the Earth"),
            display_name: suggestion.display_name,
            confidence: 0.0,
        }
    }
}

fn first_part(display_name: &str) -> &str {
    display_name.split(", ").next().unwrap_or_default()
}

fn cases<Case: DeserializeOwned>(file: &str) -> Vec<Case> {
    let path = format!("{}/golden/{file}.csv", env!("CARGO_MANIFEST_DIR"));
    let mut reader = csv::Reader::from_path(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    reader.deserialize().map(|case| case.unwrap_or_else(|error| panic!("{path}: {error}"))).collect()
}

/// Formats a table of shares by tag, then the cases whose first result is wrong.
fn report(file: &str, verdicts: &[Verdict]) -> String {
    let mut tags: Vec<&str> = verdicts.iter().map(|verdict| verdict.tag.as_str()).collect();
    tags.dedup();
    let mut text = format!("{file:<22}cases     @1     @{RANKS}   sure  right when sure\n");
    text += &row("all", &verdicts.iter().collect::<Vec<_>>());
    for tag in tags {
        text += &row(tag, &verdicts.iter().filter(|verdict| verdict.tag == tag).collect::<Vec<_>>());
    }
    let misses = verdicts.iter().filter(|verdict| verdict.rank != Some(0));
    text + "\n" + &misses.map(miss).collect::<String>()
}

/// Formats a table of shares by tag, then the texts that are answered with some confidence.
fn report_guesses(guesses: &[Guess]) -> String {
    let mut tags: Vec<&str> = guesses.iter().map(|guess| guess.tag.as_str()).collect();
    tags.dedup();
    let mut text = format!("{:<22}cases  >= {LIKELY}  >= {SURE}\n", "absent");
    text += &guess_row("all", &guesses.iter().collect::<Vec<_>>());
    for tag in tags {
        text += &guess_row(tag, &guesses.iter().filter(|guess| guess.tag == tag).collect::<Vec<_>>());
    }
    let likely = guesses.iter().filter(|guess| guess.confidence >= LIKELY);
    text + "\n"
        + &likely
            .map(|guess| format!("{}: {} | got {} ({})\n", guess.tag, guess.query, guess.answer, guess.confidence))
            .collect::<String>()
}

fn guess_row(label: &str, of_tag: &[&Guess]) -> String {
    let from = |least: f64| of_tag.iter().filter(|guess| guess.confidence >= least).count();
    let all = of_tag.len();
    let likely = from(LIKELY);
    let sure = from(SURE);
    format!("{label:<22}{all:>5}{:>8}{:>7}\n", share(likely, all), share(sure, all))
}

fn row(label: &str, verdicts: &[&Verdict]) -> String {
    let within = |ranks: usize| verdicts.iter().filter(|verdict| verdict.rank.is_some_and(|rank| rank < ranks)).count();
    let rated = verdicts.iter().filter(|verdict| verdict.sure.is_some()).count();
    let sure: Vec<_> = verdicts.iter().filter(|verdict| verdict.sure == Some(true)).collect();
    let right = sure.iter().filter(|verdict| verdict.rank == Some(0)).count();
    let all = verdicts.len();
    let first = share(within(1), all);
    let any = share(within(RANKS), all);
    format!("{label:<22}{all:>5}{first:>7}{any:>7}{:>7}{:>17}\n", share(sure.len(), rated), share(right, sure.len()))
}

fn share(part: usize, whole: usize) -> String {
    if whole == 0 { "-".to_owned() } else { format!("{:.3}", part as f64 / whole as f64) }
}

fn miss(verdict: &Verdict) -> String {
    let Verdict { tag, asked, expected, got, rank, sure, .. } = verdict;
    let mut line = format!("{tag}: {asked} | expected {expected} | got {got}");
    if *sure == Some(true) {
        line += " (sure)";
    }
    if let Some(rank) = rank {
        write!(line, " | right at {}", rank + 1).expect("a string takes everything");
    }
    line + "\n"
}
