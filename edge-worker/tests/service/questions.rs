//! Tests what goes beyond the contract: filters, fields, look-up, several places near a point, languages and GeoJSON.

use serde_json::{Value, json};
use toponym_edge::meter::plan::Plan;
use toponym_edge::response::Response;
use toponym_engine::geo::Coordinate;

use super::support::{InMemory, json_of};

/// Returns what an answer holds: status and ids of places, `*` before those of a single object, or status and message.
fn outcome(response: &Response) -> String {
    let body = json_of(response);
    let shown = match (&body["message"], &body["features"], &body) {
        (Value::String(message), ..) => message.clone(),
        (_, Value::Array(features), _) => format!("features {}", ids(features)),
        (.., Value::Array(places)) => ids(places),
        (.., place) => format!("* {}", ids(std::slice::from_ref(place))),
    };
    format!("{} {shown}", response.status).trim_end().to_owned()
}

fn ids(places: &[Value]) -> String {
    let id = |place: &Value| place["place_id"].as_u64().or_else(|| place["id"].as_u64()).unwrap_or_default();
    places.iter().map(|place| id(place).to_string()).collect::<Vec<_>>().join(" ")
}

/// Checks rows of a request and what its answer holds. Every row costs one unit.
fn check(rows: &[(&str, &str)]) {
    let platform = InMemory::new();
    let token = platform.token("localdemo");
    for (at, (request, expect)) in rows.iter().enumerate() {
        let response = platform.send_as(&token, &format!("GET /v1/geocoding/{request}"), "");
        assert_eq!(outcome(&response), *expect, "{request}");
        let left = response.header("x-ratelimit-remaining").map(|left| left.parse::<usize>().expect("a number"));
        assert_eq!(left, Some(100_000 - 1 - at), "{request} costs 1");
    }
}

const BBOX: &str = "400 bbox must be west,south,east,north: degrees between -180 and 180 and between -90 and 90, with \
                    south at most north";
const TYPES: &str = "400 types must be kinds of places such as city, airport or museum, separated by commas";
const ID: &str = "between 1 and 9007199254740991";

#[test]
fn filters() {
    check(&[
        ("forward?query=Paris", "200 4 5"),
        ("forward?query=Paris&countrycodes=us", "200 5"),
        ("forward?query=Paris&types=city", "200 4 5"),
        ("forward?query=Paris&types=airport", "200 6"),
        ("forward?query=CDG&types=aerodrome,state", "200 6"),
        ("forward?query=Paris&bbox=-100,30,-90,40", "200 5"),
        ("forward?query=Paris&bbox=170,30,-90,40", "200 5"),
        ("forward?query=Paris&within=3", "200 5"),
        ("forward?query=Paris&within=4", "200 6"),
        ("forward?query=Paris&within=6", "200"),
        ("forward?query=Paris&within=99", "200"),
        ("forward?query=Paris&within=1&types=city", "200 4"),
        ("forward?query=Paris&within=1&countrycodes=US", "200"),
        ("reverse?lat=48.8566&lon=2.3522&types=airport", "200 * 6"),
        ("reverse?lat=48.8566&lon=2.3522&types=country", "200 * 1"),
        ("reverse?lat=48.8566&lon=2.3522&types=state", "404 No location found at these coordinates"),
        ("reverse?lat=48.8566&lon=2.3522&countrycodes=US", "404 No location found at these coordinates"),
        ("forward?query=Paris&types=pub", &format!("{TYPES}, not pub")),
        ("reverse?lat=0&lon=0&types=pub", &format!("{TYPES}, not pub")),
        ("forward?query=Paris&types=", TYPES),
        ("autocomplete?q=Par&types=City", TYPES),
        ("forward?query=Paris&bbox=1,2,3", BBOX),
        ("reverse?lat=0&lon=0&bbox=0,5,1,4", BBOX),
        ("forward?query=Paris&within=France", &format!("400 within must be an integer {ID}")),
        ("forward?query=Paris&within=0", &format!("400 within must be an integer {ID}")),
        ("autocomplete?q=Par&types=city&types=state", "400 types parameter must be given once"),
    ]);
}

#[test]
fn suggestions_are_filtered_too() {
    let platform = InMemory::new();
    let token = platform.token("localdemo");
    let check = |filter: &str, expect: &[&str]| {
        let body = json_of(&platform.send_as(&token, &format!("GET /v1/geocoding/autocomplete?q=par{filter}"), ""));
        let names: Vec<&str> =
            body.as_array().expect("an array").iter().filter_map(|one| one["display_name"].as_str()).collect();
        assert_eq!(names, expect, "{filter}");
    };
    check("&types=airport", &["Paris Charles de Gaulle Airport, Paris, France"]);
    check("&within=3", &["Paris, Texas, United States"]);
    check("&bbox=-90,40,-80,50", &["Parma Heights, United States"]);
    check("&countrycodes=de", &[]);
}

#[test]
fn fields() {
    check(&[
        ("forward?city=Paris&country=France", "200 4"),
        ("forward?city=Paris&state=Texas", "200 5"),
        ("forward?city=Pariss&state=Texass", "200 5"),
        ("forward?city=Paris&state=Bavaria", "200"),
        ("forward?city=Paris&country=Brazil", "200"),
        ("forward?country=France", "200 1"),
        ("forward?state=Texas&country=United+States", "200 3"),
        ("forward?name=Paris+Charles+de+Gaulle+Airport&city=Paris", "200 6"),
        ("forward?name=Paris&types=city&bbox=0,40,10,50", "200 4"),
        ("forward?city=%20", "400 query parameter is required"),
        (
            "forward?query=Paris&country=France",
            "400 query parameter takes no name, city, county, state, country beside it",
        ),
        ("autocomplete?city=Paris", "400 q parameter is required"),
    ]);
}

#[test]
fn look_up() {
    check(&[
        ("place/4", "200 * 4"),
        ("place/4/", "200 * 4"),
        ("place/99", "404 No such place"),
        ("place/0", &format!("400 place_id must be an integer {ID}")),
        ("place/x", &format!("400 place_id must be an integer {ID}")),
        ("place/9007199254740992", &format!("400 place_id must be an integer {ID}")),
        ("place?ref=iata:cdg", "200 * 6"),
        ("place?ref=geonames:5", "200 * 5"),
        ("place/?ref=geonames:5", "200 * 5"),
        ("place?ref=icao:LFPG", "404 No such place"),
        ("place", "400 ref parameter is required"),
        ("place?ref=CDG", "400 ref must be iata:, icao:, iso: or geonames: and a code, such as iata:CDG or iso:FR-IDF"),
    ]);
    let platform = InMemory::new();
    let token = platform.token("localdemo");
    for (line, expect) in [
        ("GET /v1/geocoding/place/4/5", "404 Cannot GET /v1/geocoding/place/4/5"),
        ("POST /v1/geocoding/place/4", "404 Cannot POST /v1/geocoding/place/4"),
        ("GET /v1/geocoding/places", "404 Cannot GET /v1/geocoding/places"),
    ] {
        assert_eq!(outcome(&platform.send_as(&token, line, "")), expect);
    }
    assert_eq!(outcome(&platform.send("GET /v1/geocoding/place/4", "")), "401 Missing Authorization header");
}

#[test]
fn several_places_near_a_point() {
    check(&[
        ("reverse?lat=48.8566&lon=2.3522&limit=10", "200 4 6"),
        ("reverse?lat=48.8566&lon=2.3522&limit=1", "200 4"),
        ("reverse?lat=48.8566&lon=2.3522&limit=10&radius=1000", "200 4"),
        ("reverse?lat=48.8566&lon=2.3522&limit=10&types=airport,country", "200 1 6"),
        ("reverse?lat=49.0097&lon=2.5479&limit=2", "200 6 4"),
        ("reverse?lat=0&lon=-140&limit=2", "200"),
        ("reverse?lat=48.9&lon=2.3522&radius=1000", "404 No location found at these coordinates"),
        ("reverse?lat=48.9&lon=2.3522&radius=5000", "200 * 4"),
        ("reverse?lat=0&lon=0&limit=11", "400 limit must be an integer between 1 and 10"),
        ("reverse?lat=0&lon=0&radius=0", "400 radius must be between 1 and 500000 metres"),
        ("reverse?lat=0&lon=0&radius=500001", "400 radius must be between 1 and 500000 metres"),
    ]);
}

#[test]
fn geojson() {
    check(&[
        ("forward?query=Paris&format=json&types=city", "200 4 5"),
        ("forward?query=Paris&format=geojson", "200 features 4 5"),
        ("forward?query=Qqqqzzzz&format=geojson", "200 features"),
        ("autocomplete?q=parma&limit=1&format=geojson", "200 features 0"),
        ("reverse?lat=48.8566&lon=2.3522&format=geojson", "200 features 4"),
        ("reverse?lat=48.8566&lon=2.3522&limit=2&format=geojson", "200 features 4 6"),
        ("reverse?lat=0&lon=-140&format=geojson", "404 No location found at these coordinates"),
        ("place/4?format=geojson", "200 features 4"),
        ("forward?query=Paris&format=xml", "400 format must be json or geojson"),
        ("place/4?format=", "400 format must be json or geojson"),
    ]);
    let platform = InMemory::new();
    let token = platform.token("localdemo");
    let get = |line: &str| platform.send_as(&token, &format!("GET /v1/geocoding/{line}"), "");
    let response = get("place/5?format=geojson");
    assert_eq!(response.header("content-type"), Some("application/geo+json"));
    let feature = &json_of(&response)["features"][0];
    let place = json_of(&get("place/5"));
    let sides = place["boundingbox"].as_array().expect("a box");
    assert_eq!(feature["properties"], place);
    assert_eq!(feature["geometry"], json!({ "type": "Point", "coordinates": [-95.5555, 33.6609] }));
    assert_eq!(feature["bbox"], json!([sides[2], sides[0], sides[3], sides[1]]));
}

#[test]
fn batches_of_objects() {
    let platform = InMemory::new();
    let token = platform.token("localdemo");
    let queries = json!([
        "Paris",
        { "city": "Paris", "state": "Texas" },
        { "city": "Paris", "country": "Brazil" },
        { "lat": 49.0097, "lon": 2.5479 },
        { "lat": 91, "lon": 0 },
        { "lat": 0, "lon": -140 },
        { "city": " " },
    ]);
    let send = |target: &str| {
        platform.send_as(
            &token,
            &format!("POST /v1/geocoding/batch{target}"),
            &json!({ "queries": queries }).to_string(),
        )
    };
    let response = send("");
    assert_eq!(response.header("x-ratelimit-remaining"), Some("99993"), "each item costs 1");
    let body = json_of(&response);
    let results = body["results"].as_array().expect("results");
    let expect = [
        "ok Paris, France",
        "ok Paris, Texas, United States",
        "not_found",
        "ok Paris Charles de Gaulle Airport, Paris, France",
        "error  lat must be between -90 and 90",
        "not_found",
        "error  city must not be empty",
    ];
    assert_eq!(results.iter().map(result_line).collect::<Vec<_>>(), expect);
    assert_eq!((&body["total"], &body["successful"], &body["failed"]), (&json!(7), &json!(3), &json!(4)));
    assert_eq!(results[0]["query"], "Paris");
    assert_eq!(results[1]["query"], queries[1]);
    assert_eq!(results[3]["query"], json!({ "lat": 49.0097, "lon": 2.5479 }));

    let features = json_of(&send("?format=geojson"))["features"].clone();
    assert_eq!(features[1]["geometry"]["coordinates"], json!([-95.5555, 33.6609]));
    assert_eq!((&features[2]["geometry"], &features[2]["properties"]["status"]), (&json!(null), &json!("not_found")));
    let message = |target: &str| json_of(&send(target))["message"].clone();
    assert_eq!(message("?format=csv"), "format must be json or geojson");
    assert_eq!(message("?lang=d_e"), "lang must be a BCP 47 language tag, or auto");
    assert_eq!(message("?lang=%FF"), "query string must be percent-encoded UTF-8");
}

fn result_line(result: &Value) -> String {
    let texts = ["status", "display_name", "error"].map(|key| result[key].as_str().unwrap_or_default().to_owned());
    texts.join(" ").trim().to_owned()
}

#[test]
fn names_in_a_language() {
    let platform = InMemory::new();
    let token = platform.token("localdemo");
    let bearer = format!("Bearer {token}");
    let name = |line: &str, accepted: &str, body: &str| {
        let headers = [("authorization", bearer.as_str()), ("accept-language", accepted)];
        let answer = json_of(&platform.send_with(line, &headers, body));
        let place = [&answer["results"][0], &answer[0], &answer].into_iter().find(|one| one.is_object());
        place.and_then(|place| place["country"].as_str()).unwrap_or_default().to_owned()
    };
    let routes = [
        ("GET /v1/geocoding/forward?query=Parma+Heights", ""),
        ("GET /v1/geocoding/autocomplete?q=Parma", ""),
        ("GET /v1/geocoding/reverse?lat=41.39&lon=-81.7596", ""),
        ("GET /v1/geocoding/reverse?lat=41.39&lon=-81.7596&limit=1", ""),
        ("GET /v1/geocoding/place?ref=geonames:7", ""),
        ("GET /v1/geocoding/place/7?", ""),
        ("POST /v1/geocoding/batch?", r#"{"queries":["Parma Heights"]}"#),
    ];
    for (line, body) in routes {
        let check = |lang: &str, accepted: &str, expect: &str| {
            assert_eq!(name(&format!("{line}{lang}"), accepted, body), expect, "{line}{lang} {accepted}");
        };
        check("", "fr", "United States");
        check("&lang=fr", "", "États-Unis");
        check("&lang=fr-CA", "", "États-Unis");
        check("&lang=xx", "fr", "United States");
        check("&lang=auto", "", "United States");
        check("&lang=auto", "xx, fr-CH;q=0.8, en;q=0.5", "États-Unis");
        check("&lang=auto", "*, de;q=0.9", "United States");
    }
}

/// Checks every parameter of `autocomplete` as a field of a body, in each form that it may have.
#[test]
fn suggest_answers_like_autocomplete() {
    let platform = InMemory::new();
    platform.create("shop", Plan::Growth, |_| {});
    let token = platform.token("shop");
    // Each in a minute of its own, so that their counts agree.
    let send = |line: &str, body: &str| {
        platform.clock.set(platform.clock.get() + 61_000);
        let sent = [("authorization", &*format!("Bearer {token}")), ("accept-language", "fr"), ("cf-ray", "1")];
        let mut response = platform.send_with(line, &sent, body);
        response.headers.retain(|(name, _)| *name != "x-ratelimit-reset");
        (response.status, response.headers, response.body.map(|body| String::from_utf8(body).expect("text")))
    };
    let check = |query: &str, bodies: &[&str]| {
        let completed = send(&format!("GET /v1/geocoding/autocomplete?{query}"), "");
        for body in bodies {
            assert_eq!(send("POST /v1/geocoding/suggest", body), completed, "{body}");
        }
    };
    check("q=Par", &[r#"{"q":"Par"}"#, r#"{"q":"P\u0061r","limit":null,"other":[{}]}"#]);
    check("q=par&limit=1", &[r#"{"q":"par","limit":1}"#, r#"{"limit":"1","q":"par"}"#]);
    check(
        "q=par&types=city,airport",
        &[r#"{"q":"par","types":["city","airport"]}"#, r#"{"q":"par","types":"city,airport"}"#],
    );
    check("q=par&countrycodes=us", &[r#"{"q":"par","countrycodes":["us"]}"#, r#"{"q":"par","countrycodes":"us"}"#]);
    check(
        "q=par&bbox=-100,20,-80,45.5",
        &[r#"{"q":"par","bbox":[-100,20,-80,45.5]}"#, r#"{"q":"par","bbox":"-100,20,-80,45.5"}"#],
    );
    check("q=par&within=2", &[r#"{"q":"par","within":2}"#, r#"{"q":"par","within":"2"}"#]);
    check(
        "q=par&lat=33&lon=-95.5&fields=name,distance",
        &[r#"{"q":"par","lat":33,"lon":-95.5,"fields":["name","distance"]}"#],
    );
    check("q=par&lang=auto", &[r#"{"q":"par","lang":"auto"}"#]);
    check("q=par&format=geojson&fields=all", &[r#"{"q":"par","format":"geojson","fields":"all"}"#]);
    check("q=a%26b%25zz", &[r#"{"q":"a&b%zz"}"#]);
    check("q=par&types=City", &[r#"{"q":"par","types":["City"]}"#]);
    check("q=par&types=", &[r#"{"q":"par","types":[]}"#]);
    check("q=par&limit=0", &[r#"{"q":"par","limit":0}"#]);
}

/// Checks that the place that the platform states is the focus only where it is asked for, and if there is one.
#[test]
fn places_near_the_caller() {
    let platform = InMemory::new();
    let token = platform.token("localdemo");
    let answers = |options: &str, body: &str| {
        let line = |route: &str| format!("GET /v1/geocoding/{route}{options}&fields=distance,name");
        let suggest = format!(r#"{{"q":"paris","fields":["distance","name"]{body}}}"#);
        [
            json_of(&platform.send_as(&token, &line("forward?query=paris"), "")),
            json_of(&platform.send_as(&token, &line("autocomplete?q=paris"), "")),
            json_of(&platform.send_as(&token, "POST /v1/geocoding/suggest", &suggest)),
        ]
    };
    let nowhere = answers("", "");
    assert_eq!(answers("&near=auto", r#","near":"auto""#), nowhere, "the platform knows no place");
    platform.caller_place.set(Coordinate::new(33.7, -95.5));
    assert_eq!(answers("", ""), nowhere, "nobody asks for it");
    let here = answers("&near=auto", r#","near":"auto""#);
    assert_eq!(here, answers("&lat=33.7&lon=-95.5", r#","lat":33.7,"lon":-95.5"#));
    assert!(here.iter().all(|places| places[1]["distance"] == 6729.0), "Paris in Texas: {here:?}");
    let given_twice = platform.send_as(&token, "GET /v1/geocoding/forward?query=paris&near=auto&lat=1&lon=1", "");
    assert_eq!(outcome(&given_twice), "400 near parameter takes no lat, lon beside it");
    let elsewhere = platform.send_as(&token, "GET /v1/geocoding/reverse?lat=33.7&lon=-95.5&near=x", "");
    assert_eq!(elsewhere.status, 200, "reverse has no such parameter");
}

/// Checks that one preflight is enough: a browser remembers its answer for a URL, and here it is one URL for all texts.
#[test]
fn suggest_is_preflighted_once() {
    let platform = InMemory::new();
    let preflight = platform.send("OPTIONS /v1/geocoding/suggest", "");
    assert_eq!((preflight.status, preflight.header("access-control-max-age")), (204, Some("7200")));
    assert_eq!(preflight.header("access-control-allow-methods"), Some("POST, OPTIONS"));
    assert_eq!(preflight.header("access-control-allow-headers"), Some("Authorization, Content-Type"));
    let other = json_of(&platform.send("GET /v1/geocoding/suggest?q=Par", ""));
    assert_eq!((&other["statusCode"], &other["message"]), (&json!(404), &json!("Cannot GET /v1/geocoding/suggest")));
}

/// Checks the bytes of the contract's answers, without any option.
#[test]
fn answers_without_options_are_what_they_were() {
    let platform = InMemory::new();
    let token = platform.token("localdemo");
    let check = |line: &str, body: &str, expect: &str| {
        let response = platform.send_as(&token, line, body);
        assert_eq!(response.header("content-type"), Some("application/json"));
        let body = String::from_utf8(response.body.expect("a body")).expect("text");
        assert_eq!(body, expect, "{line}");
    };
    check("GET /v1/geocoding/forward?query=Paris,+Texas&limit=1", "", FORWARD);
    check("GET /v1/geocoding/autocomplete?q=Parma&limit=1", "", AUTOCOMPLETE);
    check("GET /v1/geocoding/reverse?lat=49.0097&lon=2.5479", "", REVERSE);
    check("POST /v1/geocoding/batch", r#"{"queries":["Parma","Qqqqzzzz",""]}"#, BATCH);
}

const FORWARD: &str = concat!(
    r#"[{"place_id":5,"display_name":"Paris, Texas, United States","lat":33.6609,"lon":-95.5555,"#,
    r#""country":"United States","city":"Paris","category":"place","type":"city","importance":0.45,"#,
    r#""boundingbox":[33.5881,33.7337,-95.64297,-95.46803],"address":{"city":"Paris","state":"Texas","#,
    r#""country":"United States","country_code":"us"},"confidence":0.9793}]"#,
);
const AUTOCOMPLETE: &str = concat!(
    r#"[{"display_name":"Parma Heights, United States","lat":41.39,"lon":-81.7596,"#,
    r#""country":"United States","city":"Parma Heights","type":"city"}]"#,
);
const REVERSE: &str = concat!(
    r#"{"place_id":6,"display_name":"Paris Charles de Gaulle Airport, Paris, France","lat":49.0097,"#,
    r#""lon":2.5479,"country":"France","city":"Paris","category":"aeroway","type":"aerodrome","#,
    r#""importance":0.7,"boundingbox":[48.9369,49.0825,2.43691,2.65889],"#,
    r#""address":{"aeroway":"Paris Charles de Gaulle Airport","city":"Paris","country":"France","#,
    r#""country_code":"fr"},"confidence":0.95}"#,
);
const BATCH: &str = concat!(
    r#"{"results":[{"query":"Parma","status":"ok","lat":41.39,"lon":-81.7596,"display_name":"Parma Heights,"#,
    r#" United States","country":"United States","city":"Parma Heights","confidence":0.49},"#,
    r#"{"query":"Qqqqzzzz","status":"not_found"},{"query":"","status":"error","#,
    r#""error":"query must not be empty"}],"total":3,"successful":1,"failed":2}"#,
);

/// Checks the facts of every route, beside what it answers without them.
#[test]
fn facts() {
    let platform = InMemory::new();
    let token = platform.token("localdemo");
    let check = |line: &str, body: &str, fields: &str, expect: Value| {
        let get = |line: &str| {
            let answer = json_of(&platform.send_as(&token, line, body));
            let place = [&answer["results"][0], &answer[0], &answer].into_iter().find(|one| one.is_object());
            place.and_then(Value::as_object).cloned().expect("an answer")
        };
        let mut with = get(&format!("{line}&fields={fields}"));
        let without = get(line);
        for (key, value) in without {
            assert_eq!(with.remove(&key), Some(value), "{line} {key}");
        }
        assert_eq!(Value::Object(with), expect, "{line} {fields}");
    };
    let texas = json!([
        { "place_id": 3, "name": "Texas", "type": "state" },
        { "place_id": 2, "name": "United States", "type": "country" },
    ]);
    check(
        "GET /v1/geocoding/forward?query=Paris,+Texas&limit=1",
        "",
        "name,ancestors",
        json!({ "name": "Paris", "ancestors": texas }),
    );
    check("GET /v1/geocoding/forward?query=pariss&limit=1", "", "matched", json!({ "matched": { "name": "Paris" } }));
    check(
        "GET /v1/geocoding/autocomplete?q=Parma",
        "",
        "name,codes",
        json!({ "name": "Parma Heights", "codes": { "geonames": 7 } }),
    );
    check("GET /v1/geocoding/autocomplete?q=Paris&lat=48.8566&lon=2.3522", "", "distance", json!({ "distance": 0.0 }));
    check("GET /v1/geocoding/reverse?lat=48.8566&lon=2.3522", "", "distance,capital", json!({ "distance": 0.0 }));
    check("GET /v1/geocoding/reverse?lat=48.8656&lon=2.3522&limit=2", "", "distance", json!({ "distance": 1001.0 }));
    check("GET /v1/geocoding/place/5?", "", "ancestors", json!({ "ancestors": texas }));
    check("GET /v1/geocoding/place?ref=iata:CDG", "", "matched", json!({}));
    check(
        "GET /v1/geocoding/place?ref=iata:CDG",
        "",
        "population,timezone,codes",
        json!({ "timezone": "Europe/Paris", "codes": { "iata": "CDG", "geonames": 6 } }),
    );
    check(
        "GET /v1/geocoding/place/4?",
        "",
        "population,timezone,iso_3166_2",
        json!({ "population": 2_138_551, "timezone": "Europe/Paris" }),
    );
    check("GET /v1/geocoding/place/1?", "", "population", json!({ "population": 20_000 }));
    check(
        "POST /v1/geocoding/batch?lang=fr",
        r#"{"queries":["Paris, Texas"]}"#,
        "name,ancestors",
        json!({ "name": "Paris", "ancestors": [
            { "place_id": 3, "name": "Texas", "type": "state" },
            { "place_id": 2, "name": "États-Unis", "type": "country" },
        ] }),
    );
    let place = json_of(&platform.send_as(&token, "GET /v1/geocoding/place/5?fields=all", ""));
    let feature = json_of(&platform.send_as(&token, "GET /v1/geocoding/place/5?fields=all&format=geojson", ""));
    assert_eq!(feature["features"][0]["properties"], place);
    let wrong = "fields must be all, or some of these separated by commas: name, matched, population, timezone, iso_3166_2, \
                 capital, codes, ancestors, distance";
    for line in [
        "GET /v1/geocoding/forward?query=Paris",
        "GET /v1/geocoding/autocomplete?q=Par",
        "GET /v1/geocoding/reverse?lat=1&lon=1",
        "GET /v1/geocoding/place/5?",
        "POST /v1/geocoding/batch?",
    ] {
        let response = platform.send_as(&token, &format!("{line}&fields=names"), r#"{"queries":["Paris"]}"#);
        assert_eq!((response.status, &json_of(&response)["message"]), (400, &json!(wrong)), "{line}");
    }
}
