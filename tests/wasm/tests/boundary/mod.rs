//! Tests `toponym_js::Geocoder`, the class that JavaScript uses: values across the boundary, and errors that leave it
//! usable.

use js_sys::{Array, Object, Reflect};
use toponym_engine::geo::Coordinate;
use toponym_engine::{About, Gazetteer, Kind, Name, NameClass, Record, Role};
use toponym_js::Geocoder;
use toponym_wasm_tests::index;
use wasm_bindgen::{JsCast, JsValue};

/// Compares texts and numbers that JSON writes in a way of its own with what they were in the index.
pub fn check_json() {
    let every_ascii: String = ('\0'..='\u{7f}').collect();
    for title in [every_ascii.as_str(), "\\\"", "", "Île é東京\u{1d11e}\u{2028}", "\u{1f}\u{10}\n"] {
        for (id, lat, lon) in [((1 << 53) - 1, -0.00001, -180.0), (1, 0.0, 100.00001), (10, 89.99999, 0.1)] {
            let place = Record {
                id,
                kind: Kind { role: Role::City, category: "place".into(), r#type: "city".into() },
                names: vec![Name { text: "Paris \"\\".into(), class: NameClass::Primary, lang: None }],
                codes: vec![],
                position: Coordinate::new(lat, lon).expect("it is on the Earth"),
                parent: None,
                country: *b"FR",
                importance: 0.5,
                extent_m: 5_000.0,
                bounds: None,
            };
            let about = About { title: title.into(), attribution: vec![title.into()], ..About::default() };
            let gazetteer = Gazetteer { places: vec![place], about, ..Gazetteer::default() };
            let bytes = toponym_engine::index::write(&gazetteer).expect("the record is sound");
            let geocoder = Geocoder::new(bytes, None).expect("it was just written");
            let credits = Array::from(&geocoder.about().expect("it has credits")).get(0);
            assert_eq!(get(&credits, "title").as_string().as_deref(), Some(title));
            assert_eq!(Array::from(&get(&credits, "attribution")).get(0).as_string().as_deref(), Some(title));
            let found = geocoder.forward(question(&[("text", "paris".into())])).expect("the question is right");
            let found = Array::from(&found).get(0);
            assert_eq!(get(&found, "display_name").as_string().as_deref(), Some("Paris \"\\, FR"));
            for (key, value) in [("place_id", id as f64), ("lat", lat), ("lon", lon), ("importance", 0.5)] {
                assert_eq!(get(&found, key).as_f64(), Some(value), "{key} of {id}");
            }
        }
    }
}

/// Sends valid and invalid queries to one instance, which must still answer after each error.
pub fn check() {
    check_opening();
    let geocoder = Geocoder::new(index(), None).expect("the index is whole");
    check_searches(&geocoder);
    check_points_and_ids(&geocoder);
    check_explanations(&geocoder);
    check_batch(&geocoder);
    check_errors(&geocoder);
}

fn check_opening() {
    for trusted in [None, Some(false), Some(true)] {
        let opened = Geocoder::new(b"no index".to_vec(), trusted);
        assert_eq!(code(opened.map(|_| JsValue::NULL)), "invalid_index", "trusted: {trusted:?}");
    }
    let trusting = Geocoder::new(index(), Some(true)).expect("the index is whole");
    assert!(trusting.reverse(at(48.86, 2.34)).expect("the point is on the Earth").is_object());
}

fn check_searches(geocoder: &Geocoder) {
    let paris = first(geocoder.forward(text("paris")));
    assert_eq!(get(&paris, "lat").as_f64(), Some(48.85341));
    assert_eq!(get(&paris, "type").as_string().as_deref(), Some("city"));
    assert_eq!(get(&get(&paris, "address"), "country_code").as_string().as_deref(), Some("fr"));
    let suggested = first(geocoder.autocomplete(text("par")));
    assert_eq!(get(&suggested, "place_id").as_f64(), Some(101.0));
    for (key, value) in [("name", "Paris"), ("country_code", "fr"), ("kind", "city"), ("type", "city")] {
        assert_eq!(get(&suggested, key).as_string().as_deref(), Some(value), "{key}");
    }
    for blank in ["", " \u{a0}"] {
        assert_eq!(Array::from(&geocoder.autocomplete(text(blank)).expect("it is blank")).length(), 0);
    }
    let texas = with("countries", Array::of1(&"US".into()).into());
    assert_eq!(get(&first(geocoder.forward(texas)), "lat").as_f64(), Some(33.66094));
    let texas: Array = [-100.0, 30.0, -90.0, 40.0].into_iter().map(JsValue::from).collect();
    assert_eq!(get(&first(geocoder.forward(with("bbox", texas.into()))), "lat").as_f64(), Some(33.66094));
}

fn check_points_and_ids(geocoder: &Geocoder) {
    assert!(geocoder.reverse(at(0.0, -30.0)).expect("the point is on the Earth").is_null());
    let near = question(&[("lat", 48.86.into()), ("lon", 2.34.into()), ("limit", 2.into())]);
    assert!(first(geocoder.reverse(near)).is_object());
    let by_id = geocoder.place(question(&[("id", 101.into())])).expect("it is an id");
    assert_eq!(get(&by_id, "place_id").as_f64(), Some(101.0));
    assert!(geocoder.place(question(&[("id", 99_999.into())])).expect("it is an id").is_null());
}

fn check_explanations(geocoder: &Geocoder) {
    let why = first(geocoder.explain(text("pari"), true));
    assert_eq!(get(&why, "place_id").as_f64(), Some(101.0));
    assert_eq!(get(&why, "prefix").as_bool(), Some(true));
    assert_eq!(get(&why, "class").as_string().as_deref(), Some("Primary"));
    assert_eq!(Array::from(&get(&why, "context")).length(), 2);
    assert_eq!(get(&first(geocoder.explain(text("pariss"), false)), "edits").as_f64(), Some(1.0));
}

fn check_batch(geocoder: &Geocoder) {
    let questions = vec![text("paris"), text(" "), question(&[("city", "paris".into())])];
    let batch = Array::from(&geocoder.batch(questions, JsValue::UNDEFINED).expect("three questions are few"));
    for (at, status) in [(0, "ok"), (1, "error"), (2, "ok")] {
        assert_eq!(get(&batch.get(at), "status").as_string().as_deref(), Some(status));
    }
}

fn check_errors(geocoder: &Geocoder) {
    let wrong = [
        geocoder.forward(text("")),
        geocoder.forward(text(&"a".repeat(501))),
        geocoder.forward(JsValue::UNDEFINED),
        geocoder.forward("no object".into()),
        geocoder.forward(with("limit", 51.into())),
        geocoder.forward(with("limit", f64::NAN.into())),
        geocoder.forward(with("focus", Object::new().into())),
        geocoder.forward(with("types", Array::of1(&"pub".into()).into())),
        geocoder.forward(with("bbox", Array::of1(&1.into()).into())),
        geocoder.forward(with("within", 0.5.into())),
        geocoder.autocomplete(with("limit", 11.into())),
        geocoder.explain(text(""), false),
        geocoder.explain(with("limit", 0.into()), true),
        geocoder.reverse(at(f64::NAN, 0.0)),
        geocoder.reverse(at(0.0, 181.0)),
        geocoder.reverse(JsValue::NULL),
        geocoder.batch(Vec::new(), JsValue::UNDEFINED),
        geocoder.place(question(&[("ref", "CDG".into())])),
    ];
    for (number, outcome) in wrong.into_iter().enumerate() {
        assert_eq!(code(outcome), "invalid_argument", "question {number}");
        assert!(!first(geocoder.forward(text("paris"))).is_undefined(), "after question {number}");
    }
}

fn first(found: Result<JsValue, JsValue>) -> JsValue {
    Array::from(&found.expect("the question is right")).get(0)
}

fn with(name: &str, value: JsValue) -> JsValue {
    question(&[("text", "paris".into()), (name, value)])
}

fn text(text: &str) -> JsValue {
    question(&[("text", text.into())])
}

fn at(lat: f64, lon: f64) -> JsValue {
    question(&[("lat", lat.into()), ("lon", lon.into())])
}

fn code(outcome: Result<JsValue, JsValue>) -> String {
    let error = outcome.expect_err("the question is wrong");
    assert!(error.is_instance_of::<js_sys::Error>());
    get(&error, "code").as_string().expect("every error has a code")
}

fn get(value: &JsValue, name: &str) -> JsValue {
    Reflect::get(value, &name.into()).expect("it is an object")
}

fn question(fields: &[(&str, JsValue)]) -> JsValue {
    let question = Object::new();
    for (name, value) in fields {
        Reflect::set(&question, &(*name).into(), value).expect("a new object takes properties");
    }
    question.into()
}
