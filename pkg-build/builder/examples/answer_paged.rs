//! As `answer`, from an index in pages: `answer_paged FOLDER`. Says on standard error how many pages the questions took.
use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::time::Instant;

use serde_json::{Value, json};
use toponym_engine::geo::Coordinate;
use toponym_engine::pages::{PageId, Paged};
use toponym_engine::{Answer, Geocode, Search, Shown};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let dir = std::env::args().nth(1).unwrap();
    let mut paged = Paged::open(std::fs::read(format!("{dir}/root.toponym"))?)?;
    let mut out = std::io::stdout().lock();
    let mut counts: BTreeMap<(String, usize), Vec<usize>> = BTreeMap::new();
    let mut stats: BTreeMap<String, Vec<(usize, usize, usize)>> = BTreeMap::new();
    let kinds: BTreeMap<PageId, &str> = paged.kinds().into_iter().collect();
    // Pages by operation, fetch and kind.
    let mut by_kind: BTreeMap<(String, usize, &str), usize> = BTreeMap::new();
    let mut times: BTreeMap<String, Vec<u128>> = BTreeMap::new();
    for line in std::io::stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line?)?;
        let op = request["op"].as_str().unwrap_or_default().to_owned();
        let mut here: Vec<PageId> = Vec::new();
        let (mut rounds, mut bytes) = (0, 0);
        let results = loop {
            let started = Instant::now();
            let answer = answer(&paged, &request);
            let took = started.elapsed().as_micros();
            match answer {
                Answer::Ready(results) => {
                    times.entry(op.clone()).or_default().push(took);
                    break results;
                }
                Answer::Missing(missing) => {
                    rounds += 1;
                    for page in missing {
                        *by_kind.entry((op.clone(), rounds, kinds[&page])).or_default() += 1;
                        let name = paged.file_name(page).unwrap();
                        let file = std::fs::read(format!("{dir}/{name}"))?;
                        bytes += file.len();
                        paged.insert(page, toponym_builder::unpack(&file)?)?;
                        here.push(page);
                    }
                }
            }
        };
        counts.entry((op.clone(), rounds)).or_default().push(here.len());
        stats.entry(op).or_default().push((rounds, here.len(), bytes));
        here.iter().for_each(|&page| paged.remove(page));
        writeln!(out, "{}", json!({"id": request["id"], "results": results}))?;
        out.flush()?;
    }
    for ((op, fetch, kind), count) in by_kind {
        eprintln!("{op}: fetch {fetch}: {count} pages, {kind}");
    }
    for ((op, rounds), pages) in counts {
        eprintln!(
            "{op}: {rounds} rounds: {} questions, {:.1} pages",
            pages.len(),
            pages.iter().sum::<usize>() as f64 / pages.len() as f64
        );
    }
    for (op, mut all) in stats {
        let mut at = |f: &dyn Fn(&(usize, usize, usize)) -> usize, q: f64| {
            all.sort_by_key(|s| f(s));
            f(&all[((all.len() - 1) as f64 * q) as usize])
        };
        let t = times.get_mut(&op).unwrap();
        t.sort();
        eprintln!(
            "{op}: pages p50 {} p90 {} p99 {}; kB p50 {} p99 {}; us p50 {} p99 {}",
            at(&|s| s.1, 0.5),
            at(&|s| s.1, 0.9),
            at(&|s| s.1, 0.99),
            at(&|s| s.2, 0.5) / 1000,
            at(&|s| s.2, 0.99) / 1000,
            t[t.len() / 2],
            t[t.len() * 99 / 100]
        );
    }
    Ok(())
}

fn answer(engine: &Paged, request: &Value) -> Answer<Value> {
    let text = request["query"].as_str().unwrap_or_default();
    let limit = request["limit"].as_u64().unwrap_or(5) as usize;
    let search = Search { lang: request["lang"].as_str(), ..Search::new(text, limit) };
    match request["op"].as_str() {
        Some("forward") => engine.forward(&search).map(|found| serde_json::to_value(found).unwrap()),
        Some("autocomplete") => engine.autocomplete(&search).map(|found| serde_json::to_value(found).unwrap()),
        _ => {
            let number = |key: &str| request[key].as_f64().unwrap_or(f64::NAN);
            let point = Coordinate::new(number("lat"), number("lon")).unwrap();
            engine
                .reverse(point, Shown::default())
                .map(|place| serde_json::to_value(place.into_iter().collect::<Vec<_>>()).unwrap())
        }
    }
}
