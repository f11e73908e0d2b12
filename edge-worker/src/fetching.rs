//! Asks a question, and fetches the pages that it needs.

use toponym_engine::{Answer, Geocode};

use crate::error::Failure;
use crate::platform::{FetchedPages, Platform};

/// Fetches of one question. It needs two; other questions may have taken the room of its pages meanwhile.
const MOST_FETCHES: usize = 6;

/// Asks a question until there is an answer, and fetches the pages that it needs. Pages that came stay, also if others did not: the
/// next request goes on from there. [`Failure::Upstream`] if a page cannot be fetched or is not what it should be,
/// [`Failure::Unavailable`] if this request may fetch no more.
pub async fn fetch_answer<P: Platform, T>(
    platform: &P,
    question: impl Fn(&dyn Geocode) -> Answer<Result<T, Failure>>,
) -> Result<T, Failure> {
    let places = platform.places().await?;
    for _ in 0..=MOST_FETCHES {
        let pages = match places.ask(&question) {
            Answer::Ready(answer) => return answer,
            Answer::Missing(pages) => pages,
        };
        let FetchedPages { files, failure } = platform.pages(&places.files(&pages)).await;
        if let Err(error) = places.insert(&pages, files) {
            platform.log(&format!("a page cannot be opened: {error}"));
            return Err(Failure::Upstream);
        }
        if let Some(failure) = failure {
            return Err(failure);
        }
    }
    platform.log("a question has no end");
    Err(Failure::Unexpected)
}
