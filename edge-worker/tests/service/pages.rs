//! The service over an index in pages answers as over one in one file, and says what happens when a page cannot be fetched.

use bytes::Bytes;
use serde_json::json;
use toponym_edge::places::Places;
use toponym_engine::geo::Coordinate;
use toponym_engine::index::{OpenError, WriteError, write};
use toponym_engine::pages::{PageSizes, write_paged};
use toponym_engine::{About, Gazetteer, Kind, Name, NameClass, Record, Role};

use crate::gazetteer::gazetteer;
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
    let whole = InMemory::new();
    let paged = InMemory::with_pages(&[]);
    let token = whole.token("localdemo");
    let of_paged = paged.token("localdemo");
    let batch = "POST /v1/geocoding/batch";
    for line in QUESTIONS.into_iter().chain([batch, "GET /health", "GET /attribution", "GET /coverage"]) {
        let body = if line == batch { BATCH } else { "" };
        let expect = whole.send_as(&token, line, body);
        let got = paged.send_as(&of_paged, line, body);
        assert_eq!((got.status, json_of(&got)), (expect.status, json_of(&expect)), "{line}");
    }
    assert!(paged.fetches.get() > 5, "{} fetches", paged.fetches.get());
    // What was fetched stays.
    let fetches = paged.fetches.get();
    QUESTIONS.iter().for_each(|line| drop(paged.send_as(&of_paged, line, "")));
    assert_eq!(paged.fetches.get(), fetches);
}

/// Creates an operator's own place, as `toponym index --alone` writes it: with what contains it.
fn of_ones_own() -> Gazetteer {
    let all = gazetteer();
    let mut places: Vec<Record> = all.places.into_iter().filter(|place| [1, 4].contains(&place.id)).collect();
    let name = Name { text: "Our Shop".into(), class: NameClass::Primary, lang: None };
    let kind = Kind { role: Role::Landmark, category: "shop".into(), r#type: "shop".into() };
    let position = Coordinate::new(48.8606, 2.3376).expect("it is on the globe");
    places.push(Record {
        id: 100,
        kind,
        names: vec![name],
        position,
        parent: Some(4),
        importance: 0.3,
        ..places[1].clone()
    });
    let about = About { title: "alone".into(), attribution: vec!["The list of our shops".into()], ..all.about };
    Gazetteer { places, about, ..Gazetteer::default() }
}

/// Checks an operator's own places beside the default ones in pages.
#[test]
fn the_same_answers_with_another_index() {
    let own = [of_ones_own()];
    let whole = InMemory::with_indexes(&own);
    let paged = InMemory::with_pages(&own);
    let token = whole.token("localdemo");
    let of_paged = paged.token("localdemo");
    let of_own = [
        "GET /v1/geocoding/forward?query=our%20shop",
        "GET /v1/geocoding/forward?query=Our%20Shop,%20Paris",
        "GET /v1/geocoding/autocomplete?q=our",
        "GET /v1/geocoding/reverse?lat=48.8606&lon=2.3376",
        "GET /v1/geocoding/reverse?lat=48.86&lon=2.34&limit=3",
        "GET /v1/geocoding/place/100",
        "GET /attribution",
    ];
    for line in of_own.into_iter().chain(QUESTIONS) {
        let expect = whole.send_as(&token, line, "");
        let got = paged.send_as(&of_paged, line, "");
        assert_eq!((got.status, json_of(&got)), (expect.status, json_of(&expect)), "{line}");
    }
    let found = json_of(&paged.send_as(&of_paged, of_own[0], ""));
    assert_eq!(found[0]["place_id"], 100);
}

#[test]
fn a_root_is_the_first_of_several_indexes() {
    let places = gazetteer();
    let mut take = |_| -> Result<(), WriteError> { Ok(()) };
    let sizes = PageSizes { root: 0, crown: 500, page: 500 };
    let root = Bytes::from(write_paged(&places, sizes, &mut take).expect("it is sound"));
    let own = Bytes::from(write(&of_ones_own()).expect("it is sound"));
    check(&[&root, &own], Ok(()));
    check(&[&own, &own], Ok(()));
    check(&[&own, &root], Err(OpenError::InPages));
    check(&[&root, &root], Err(OpenError::InPages));
    check(&[], Err(OpenError::NotAnIndex));
}

fn check(files: &[&Bytes], expect: Result<(), OpenError>) {
    assert_eq!(Places::open(files.iter().copied().cloned()).map(drop), expect);
}

/// Checks that nobody pays for a page that cannot be fetched, and that the next request tries again.
#[test]
fn a_page_that_cannot_be_fetched() {
    let platform = InMemory::with_pages(&[]);
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

/// Checks a deployment whose account of the platform lets a request fetch few pages.
#[test]
fn a_batch_short_of_fetches_succeeds_when_repeated() {
    let platform = InMemory::with_pages(&[]);
    // A key that leases nothing: what is given back shows in its next answer.
    let token = platform.token("localfree");
    platform.pages_a_fetch.set(1);
    let mut refused = 0;
    let response = loop {
        let response = platform.send_as(&token, "POST /v1/geocoding/batch", BATCH);
        if response.status == 200 {
            break response;
        }
        assert_eq!((response.status, response.header("retry-after")), (503, Some("1")));
        assert_eq!(response.header("x-ratelimit-remaining"), None, "no key was asked");
        refused += 1;
        assert!(refused < 20, "it never succeeds");
    };
    assert!(refused > 0, "it fetches one page a request");
    assert!(platform.fetched.borrow().values().all(|&times| times == 1), "{:?}", platform.fetched.borrow());
    assert_eq!(response.header("x-ratelimit-remaining"), Some("26"), "each item costs once");
}

#[test]
fn fetched_pages_stay_when_another_fails() {
    let needed = {
        let platform = InMemory::with_pages(&[]);
        platform.send_as(&platform.token("localdemo"), "POST /v1/geocoding/batch", BATCH);
        platform.fetched.take()
    };
    assert!(needed.len() > 1, "{needed:?}");
    for lacking in needed.keys() {
        let platform = InMemory::with_pages(&[]);
        let token = platform.token("localdemo");
        let send = || platform.send_as(&token, "POST /v1/geocoding/batch", BATCH).status;
        let file = platform.files.borrow_mut().remove(lacking).expect("it is there");
        assert_eq!(send(), 502);
        platform.files.borrow_mut().insert(lacking.clone(), file);
        assert_eq!(send(), 200);
        let fetched = platform.fetched.borrow();
        assert!(fetched.iter().all(|(name, &times)| times == if name == lacking { 2 } else { 1 }), "{fetched:?}");
    }
}
