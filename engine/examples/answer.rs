//! Answers queries in JSON lines: `cargo run --release --example answer -- build/index.toponym < requests`. Several
//! indexes answer together.
//!
//! A request is `{"id", "op": "forward" | "autocomplete" | "explain", "query", "limit", "lang", "countrycodes",
//! "focus": [lat, lon]}` or `{"id", "op": "reverse", "lat", "lon"}`. The answer is one line `{"id", "results": [...],
//! "micros"}`, where `micros` is the time of the query and the serialisation.

use std::io::{BufRead, Write};
use std::time::Instant;

use serde_json::{Value, json};
use toponym_engine::geo::Coordinate;
use toponym_engine::{Engine, Filter, Search};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let open = |path: &str| -> Result<Engine, Box<dyn std::error::Error>> {
        Ok(Engine::open(std::fs::read(path).map_err(|error| format!("{path}: {error}"))?)?)
    };
    let mut paths = std::env::args().skip(1);
    let mut engine = open(&paths.next().unwrap_or_else(|| "build/index.toponym".to_owned()))?;
    for path in paths {
        engine.join(open(&path)?);
    }
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line?)?;
        let started = Instant::now();
        let results = answer(&engine, &request)?;
        let micros = started.elapsed().as_nanos() as f64 / 1000.0;
        writeln!(out, "{}", json!({"id": request["id"], "results": results, "micros": micros}))?;
        out.flush()?;
    }
    Ok(())
}

fn answer(engine: &Engine, request: &Value) -> Result<Value, Box<dyn std::error::Error>> {
    let text = request["query"].as_str().unwrap_or_default();
    let limit = request["limit"].as_u64().unwrap_or(5) as usize;
    let countries: Vec<[u8; 2]> = request["countrycodes"]
        .as_str()
        .unwrap_or_default()
        .split(',')
        .filter_map(|code| code.trim().to_ascii_uppercase().into_bytes().try_into().ok())
        .collect();
    let focus = request["focus"].as_array().and_then(|at| Coordinate::new(at.first()?.as_f64()?, at.get(1)?.as_f64()?));
    let filter = Filter::in_countries(&countries);
    let search = Search { lang: request["lang"].as_str(), filter, focus, ..Search::new(text, limit) };
    Ok(match request["op"].as_str() {
        Some("forward") => serde_json::to_value(engine.forward(&search))?,
        Some("explain") => serde_json::to_value(engine.explain_forward(&search))?,
        Some("autocomplete") => serde_json::to_value(engine.autocomplete(&search))?,
        Some("reverse") => {
            let number = |key: &str| request[key].as_f64().unwrap_or(f64::NAN);
            let point = Coordinate::new(number("lat"), number("lon"));
            serde_json::to_value(point.and_then(|point| engine.reverse(point, None)).into_iter().collect::<Vec<_>>())?
        }
        _ => return Err(format!("op must be forward, autocomplete, explain or reverse: {request}").into()),
    })
}
