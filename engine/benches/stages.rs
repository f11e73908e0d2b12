//! Benchmarks of single stages, with the workload of `cargo xtask bench`: `cargo bench --package toponym-engine --bench
//! stages`.
//!
//! The index is `build/index.toponym`, or the path in `TOPONYM_INDEX`. A measured value is the mean time of a query.
//! `operations.rs` measures whole operations.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use toponym_engine::geo::Coordinate;
use toponym_engine::stages::{Found, Stages};
use toponym_engine::{Engine, Search, fold};
use toponym_workload::{Question, Workload};

/// Number of queries of each kind.
const QUERIES: usize = 500;

/// Limit of names and of results.
const LIMIT: usize = 10;

fn stages(criterion: &mut Criterion) {
    let (file, workload) = Workload::of_index(QUERIES);
    let engine = Engine::open(file.clone()).expect("it was opened before");
    let stages = Stages::new(&engine);

    let (prefixes, exact) = (texts(&workload, "prefix 3"), texts(&workload, "exact"));
    let (one, two) = (texts(&workload, "typo 1"), texts(&workload, "typo 2"));
    let in_country = texts(&workload, "city, country");
    let countries: Vec<String> =
        in_country.iter().filter_map(|text| text.rsplit_once(", ")).map(|(_, country)| country.to_owned()).collect();
    let folded = |texts: &[String]| texts.iter().map(|text| fold(text)).collect::<Vec<_>>();
    each(criterion, "fold", &exact, |text| fold(text));
    each(criterion, "terms", &in_country, |text| stages.terms(text));
    each(criterion, "code", &prefixes, |text| stages.code(text));
    each(criterion, "names: exact", &folded(&exact), |name| stages.exact(name));
    each(criterion, "names: prefix, 3 letters", &folded(&prefixes), |name| stages.prefix(name, LIMIT));
    each(criterion, "names: one edit", &folded(&one), |name| stages.with_edits(name, 1, LIMIT));
    each(criterion, "names: two edits", &folded(&two), |name| stages.with_edits(name, 2, LIMIT));
    each(criterion, "context", &countries, |text| stages.context(text));
    each(criterion, "by sound", &exact, |text| stages.by_sound(text));
    let candidates = |text: &String, unfinished| stages.candidates(&Search::new(text, LIMIT), unfinished);
    each(criterion, "candidates: 3 letters", &prefixes, |text| candidates(text, true));
    each(criterion, "candidates: city, country", &in_country, |text| candidates(text, false));
    let found: Vec<Found> = in_country.iter().map(|text| candidates(text, false)).collect();
    each(criterion, "confidences", &found, |found| stages.confidences(found));
    each(criterion, "label: place", &found, |found| stages.place(found));
    each(criterion, "label: suggestion", &found, |found| stages.suggestion(found));

    for kind in ["city", "border", "random"] {
        let points = points(&workload, &format!("reverse {kind}"));
        bench_points(criterion, kind, stages, &points);
    }
    let file = bytes::Bytes::from(file);
    criterion.bench_function("open: all", |bencher| bencher.iter(|| Engine::open(black_box(file.clone()))));
    criterion.bench_function("open: trusted", |bencher| bencher.iter(|| Engine::open_trusted(black_box(file.clone()))));
}

fn bench_points(criterion: &mut Criterion, kind: &str, stages: Stages, points: &[Coordinate]) {
    let name = |stage: &str| format!("{stage}, {kind}");
    each(criterion, &name("country"), points, |&point| stages.country(point));
    each(criterion, &name("nearest"), points, |&point| stages.nearest(point));
    each(criterion, &name("place at"), points, |&point| stages.place_at(point));
}

/// Measures `stage` for each of `items` in turn.
fn each<T, R>(criterion: &mut Criterion, name: &str, items: &[T], stage: impl Fn(&T) -> R) {
    let mut items = items.iter().cycle();
    criterion.bench_function(name, |bencher| bencher.iter(|| stage(items.next().expect("a cycle does not end"))));
}

fn texts(workload: &Workload, operation: &str) -> Vec<String> {
    let cases = workload.operations.iter().filter(|known| known.name == operation).flat_map(|known| &known.cases);
    let text = |question: &Question| match question {
        Question::Autocomplete(text) | Question::Forward(text) => Some(text.clone()),
        Question::Reverse(_) | Question::Batch(_) => None,
    };
    let texts: Vec<String> = cases.filter_map(|case| text(&case.question)).collect();
    assert!(!texts.is_empty(), "the workload has no {operation}");
    texts
}

fn points(workload: &Workload, operation: &str) -> Vec<Coordinate> {
    let cases = workload.operations.iter().filter(|known| known.name == operation).flat_map(|known| &known.cases);
    let point = |question: &Question| if let Question::Reverse(point) = question { Some(*point) } else { None };
    let points: Vec<Coordinate> = cases.filter_map(|case| point(&case.question)).collect();
    assert!(!points.is_empty(), "the workload has no {operation}");
    points
}

criterion_group!(benches, stages);
criterion_main!(benches);
