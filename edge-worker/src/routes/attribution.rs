//! `GET /attribution`: the data sets of the index, and the credits and licence texts that their licences require.

use serde::Serialize;
use toponym_engine::{About, DataSet};

use crate::error::Failure;
use crate::platform::{Made, Platform};
use crate::response::Response;

/// How long clients may cache the answer, seconds: it changes with the index.
const HOLDS_S: u64 = 3_600;

/// The texts of all sources that an index can be built from.
const NOTICES: &str = include_str!("../../../data/NOTICES.txt");

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Attribution<'a> {
    title: &'a str,
    data_date: &'a str,
    made: Option<Made>,
    made_of: &'a [DataSet],
    sources: &'a [String],
    notices: &'static str,
}

/// The attribution of the index.
pub async fn attribution<P: Platform>(platform: &P) -> Result<Response, Failure> {
    let engine = platform.engine().await?;
    let About { title, data_date, made_of, attribution: sources, .. } = engine.about();
    let attribution = Attribution { title, data_date, made: platform.made(), made_of, sources, notices: NOTICES };
    Response::public(&attribution, HOLDS_S)
}
