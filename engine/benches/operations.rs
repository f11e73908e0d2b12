//! Benchmarks of whole operations on the full index, with the workload that `cargo xtask bench` also runs against other
//! engines: `cargo bench --package toponym-engine`.
//!
//! The index is `build/index.toponym`, or the path in `TOPONYM_INDEX`. A measured value is the mean time of a query of its
//! kind; `tests/bench/RESULTS.md` has percentiles.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use toponym_engine::{Engine, Search};
use toponym_workload::{Case, Question, Workload};

/// Number of queries of each kind.
const QUERIES: usize = 500;

/// Limit of results: the default of the contract.
const LIMIT: usize = 5;

fn operations(criterion: &mut Criterion) {
    let (file, workload) = Workload::of_index(QUERIES);
    let engine = Engine::open(file.clone()).expect("it was opened before");
    for operation in &workload.operations {
        let mut cases = operation.cases.iter().cycle();
        criterion.bench_function(&operation.name, |bencher| {
            bencher.iter(|| run(&engine, cases.next().expect("a cycle does not end")));
        });
    }
    let file = bytes::Bytes::from(file);
    criterion.bench_function("open", |bencher| bencher.iter(|| Engine::open(black_box(file.clone()))));
}

fn run(engine: &Engine, case: &Case) {
    match &case.question {
        Question::Autocomplete(text) => drop(black_box(engine.autocomplete(&Search::new(text, LIMIT)))),
        Question::Forward(text) => drop(black_box(engine.forward(&Search::new(text, LIMIT)))),
        Question::Reverse(point) => drop(black_box(engine.reverse(*point, None))),
        Question::Batch(texts) => drop(black_box(engine.batch(texts))),
    }
}

criterion_group!(benches, operations);
criterion_main!(benches);
