//! `GET /attribution`: the data sets of the index, and the credits and licence texts that their licences require.

use serde::Serialize;
use toponym_engine::{About, DataSet, Geocode};

use crate::error::Failure;
use crate::platform::{Made, Platform};
use crate::response::Response;

/// Time for which clients may cache the answer, seconds: it changes with the index.
const HOLDS_S: u64 = 3_600;

/// The texts of all sources that an index can be built from.
const NOTICES: &str = include_str!("../../../data/NOTICES.txt");

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Attribution<'a> {
    title: &'a str,
    data_date: &'a str,
    made: Option<Made>,
    made_of: Vec<&'a DataSet>,
    sources: Vec<&'a str>,
    notices: &'static str,
}

/// Returns the attribution of the index: of several, title and date of the first, and the sources of all.
pub async fn attribution<P: Platform>(platform: &P) -> Result<Response, Failure> {
    platform.places().await?.ask(|places| of_places(places, platform.made()))
}

/// Returns the attribution of places, made as their builder says.
pub(crate) fn of_places(places: &dyn Geocode, made: Option<Made>) -> Result<Response, Failure> {
    let each = places.about_each();
    let About { title, data_date, .. } = each.first().ok_or(Failure::Unexpected)?;
    let made_of = distinct(each.iter().flat_map(|about| &about.made_of));
    let sources = distinct(each.iter().flat_map(|about| &about.attribution).map(String::as_str));
    let attribution = Attribution { title, data_date, made, made_of, sources, notices: NOTICES };
    Response::public(&attribution, HOLDS_S)
}

/// Returns each item once, in the order of the first ones.
fn distinct<T: PartialEq>(items: impl Iterator<Item = T>) -> Vec<T> {
    items.fold(Vec::new(), |mut kept, item| {
        if !kept.contains(&item) {
            kept.push(item);
        }
        kept
    })
}
