//! `GET /health`, and the probe behind the uptime: whether a request of a customer would be answered.
//!
//! Healthy is a service whose variables are good, whose index opens and finds a country that it holds, and whose object of
//! a key answers. The object asked is one that no key has: it stores nothing and charges nobody.

use serde::Serialize;
use toponym_engine::{Engine, Search};

use crate::durable::message::Command;
use crate::error::Failure;
use crate::metrics::board::Message;
use crate::platform::{Memory, Platform};
use crate::response::Response;

/// Name of an object that stands for those of all keys. No key has it: keys begin with `gck_`.
const OBJECT: &str = "health";

/// How long an isolate repeats that all is well, milliseconds: anybody may ask as often as they like.
const HOLDS_MS: u64 = 1_000;

#[derive(Serialize)]
struct Health<'a> {
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
}

/// 200 when the service works, else 503.
pub async fn health<P: Platform>(platform: &P) -> Result<Response, Failure> {
    let memo = &platform.memory().healthy;
    if memo.borrow().recall(&(), platform.now_ms()).is_some() {
        return Response::json(&Health { ok: true, message: None });
    }
    match works(platform).await {
        Ok(()) => {
            memo.borrow_mut().keep((), (), platform.now_ms() + HOLDS_MS);
            Response::json(&Health { ok: true, message: None })
        }
        Err(failure) => {
            let status = failure.status();
            Response::json_with_status(status, &Health { ok: false, message: Some(&failure.message()) })
        }
    }
}

/// Tells the board whether the service works.
pub async fn probe<P: Platform>(platform: &P) -> Result<(), Failure> {
    let at_ms = platform.now_ms();
    let good = works(platform).await.is_ok();
    platform.board(Message::Probe { at_ms, good }).await.map(drop)
}

async fn works<P: Platform>(platform: &P) -> Result<(), Failure> {
    platform.config()?;
    let engine = platform.engine().await?;
    if !finds_what_it_holds(&engine, platform.memory()) {
        platform.log("the index does not find a country that it holds");
        return Err(Failure::Unavailable);
    }
    platform.ask(OBJECT, Command::Show).await.map(drop)
}

/// The most populous country has to be found by its name. An index without any has only to open.
fn finds_what_it_holds(engine: &Engine, memory: &Memory) -> bool {
    let mut known = memory.known_query.borrow_mut();
    let query = known.get_or_insert_with(|| {
        let largest = engine.coverage().into_iter().max_by_key(|country| country.population);
        largest.map(|country| country.name).unwrap_or_default()
    });
    query.is_empty() || engine.forward(&Search::new(query, 1)).first().is_some_and(|place| place.country == *query)
}
