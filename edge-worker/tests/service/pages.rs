//! The service over an index in pages answers as over one in one file, and says what happens when a page cannot be fetched.

use serde_json::json;

use crate::support::{InMemory, json_of};

const QUESTIONS: [&str; 10] = [
    "GET /v1/geocoding/forward?query=Paris",
    "GET /v1/geocoding/forward?query=paris,%20france&lang=fr&fields=all",
    "GET /v1/geocoding/forward?query=Paris&types=airport",
    "GET /v1/geocoding/autocomplete?q=par&limit=3",
    "GET /v1/geocoding/reverse?lat=48.85&lon=2.35",
    "GET /v1/geocoding/reverse?lat=48.85&lon=2.35&limit=3",
    "GET /v1/geocoding/place/4",
    "GET /v1/geocoding/place?ref=iata:CDG",
    "GET /v1/geocoding/place/99",
    "GET /v1/geocoding/forward?query=Xqzzvkj",
];

const BATCH: &str = r#"{"queries":["Paris","Parma Heights",{"lat":48.85,"lon":2.35},"Xqzzvkj"]}"#;

#[test]
fn the_same_answers_in_pages() {
    let (whole, paged) = (InMemory::new(), InMemory::paged());
    let (token, of_paged) = (whole.token("localdemo"), paged.token("localdemo"));
    let batch = "POST /v1/geocoding/batch";
    for line in QUESTIONS.into_iter().chain([batch, "GET /health", "GET /attribution", "GET /coverage"]) {
        let body = if line == batch { BATCH } else { "" };
        let (expect, got) = (whole.send_as(&token, line, body), paged.send_as(&of_paged, line, body));
        assert_eq!((got.status, json_of(&got)), (expect.status, json_of(&expect)), "{line}");
    }
    assert!(paged.fetches.get() > 5, "{} fetches", paged.fetches.get());
    // What was fetched stays.
    let fetches = paged.fetches.get();
    QUESTIONS.iter().for_each(|line| drop(paged.send_as(&of_paged, line, "")));
    assert_eq!(paged.fetches.get(), fetches);
}

/// Nobody pays for it, and the next request tries again.
#[test]
fn a_page_that_cannot_be_fetched() {
    let platform = InMemory::paged();
    let token = platform.token("localdemo");
    let files = platform.files.take();
    let ask = || platform.send_as(&token, QUESTIONS[0], "");
    let response = ask();
    let expect = json!({ "statusCode": 502, "error": "Bad Gateway", "message": "Upstream service error" });
    assert_eq!((response.status, json_of(&response)), (502, expect));
    platform.files.replace(files.keys().map(|name| (name.clone(), b"no page".to_vec())).collect());
    assert_eq!(ask().status, 502);
    platform.files.replace(files);
    let response = ask();
    assert_eq!(response.status, 200);
    assert_eq!(response.header("x-ratelimit-remaining"), Some("99999"), "it is the first that costs");
}
