//! `GET /attribution`: the credits for the data of the index, which the licences require.

use serde::Serialize;

use crate::error::Failure;
use crate::platform::Platform;
use crate::response::Response;

/// How long clients may cache the answer, seconds: it changes with the index.
const HOLDS_S: u64 = 3_600;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Attribution<'a> {
    title: &'a str,
    data_date: &'a str,
    sources: &'a [String],
}

/// The attribution of the index.
pub async fn attribution<P: Platform>(platform: &P) -> Result<Response, Failure> {
    let engine = platform.engine().await?;
    let about = engine.about();
    let attribution = Attribution { title: &about.title, data_date: &about.data_date, sources: &about.attribution };
    Response::public(&attribution, HOLDS_S)
}
