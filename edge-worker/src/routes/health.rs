//! `GET /health`, and the probe behind the uptime: checks whether customer requests would be answered.
//!
//! The service is healthy if its variables are valid, its index opens and finds a country that it holds, and the object
//! of a key answers in time. The check calls an object that belongs to no key: it stores nothing and charges nobody. An
//! isolate checks at most once a second, whatever the result.

use serde::Serialize;
use toponym_engine::Search;

use crate::durable::message::{Command, Reply};
use crate::error::Failure;
use crate::fetching::fetch_answer;
use crate::metrics::board::Message;
use crate::metrics::shared::share;
use crate::places::Places;
use crate::platform::Platform;
use crate::response::Response;
use crate::unwell::Unwell;
use crate::unwind::caught;

/// Name of an object that represents those of all keys. No key has this name, because keys begin with `gck_`.
const OBJECT: &str = "health";

/// Time for which an isolate caches a good result, milliseconds.
const HOLDS_MS: u64 = 1_000;

#[derive(Serialize)]
struct Health {
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

/// Answers 200 when the service works, else 503.
pub async fn health<P: Platform>(platform: &P) -> Result<Response, Failure> {
    match share(platform, &platform.memory().health, HOLDS_MS, async || works(platform).await).await {
        Ok(()) => Response::json(&Health { ok: true, message: None }),
        Err(unwell) => {
            let failure = Failure::Unavailable;
            let message = Some(format!("{}: {unwell}", failure.message()));
            Response::json_with_status(failure.status(), &Health { ok: false, message })
        }
    }
}

/// Reports to the board whether the service works, for the minute of `at_ms`.
pub async fn probe<P: Platform>(platform: &P, at_ms: u64) -> Result<(), Failure> {
    let good = works(platform).await.is_ok();
    platform.board(Message::Probe { at_ms, good }).await.map(drop)
}

async fn works<P: Platform>(platform: &P) -> Result<(), Unwell> {
    let found = caught(examine(platform)).await.unwrap_or(Err(Unwell::Defect));
    if let Err(unwell) = found {
        platform.log(&format!("not healthy: {unwell}"));
    }
    found
}

async fn examine<P: Platform>(platform: &P) -> Result<(), Unwell> {
    platform.config().map_err(|_| Unwell::Configuration)?;
    let places = platform.places().await.map_err(|_| Unwell::NoIndex)?;
    match finds_what_it_holds(platform, &places).await {
        Ok(true) => {}
        Ok(false) => return Err(Unwell::WrongAnswer),
        Err(_) => return Err(Unwell::NoIndex),
    }
    match platform.ask(OBJECT, Command::Show).await {
        Ok(Reply::UnknownKey) => Ok(()),
        Ok(Reply::Late) => Err(Unwell::LateObject),
        Ok(_) => Err(Unwell::Defect),
        Err(_) => Err(Unwell::NoObject),
    }
}

/// Tells whether the most populous country is found by its name. An index without countries only has to open.
async fn finds_what_it_holds<P: Platform>(platform: &P, places: &Places) -> Result<bool, Failure> {
    let query = platform
        .memory()
        .known_query
        .borrow_mut()
        .get_or_insert_with(|| {
            let largest = places.coverage().into_iter().max_by_key(|country| country.population);
            largest.map(|country| country.name).unwrap_or_default()
        })
        .clone();
    if query.is_empty() {
        return Ok(true);
    }
    let search = Search::new(&query, 1);
    let found = fetch_answer(platform, |places| places.forward(&search).map(Ok)).await?;
    Ok(found.first().is_some_and(|place| place.country == query))
}
