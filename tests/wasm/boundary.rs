//! Tests `toponym_js::Geocoder`, the class that JavaScript uses: values across the boundary, and errors that leave it
//! usable.

use js_sys::{Array, Object, Reflect};
use toponym_js::Geocoder;
use wasm_bindgen::{JsCast, JsValue};

use crate::small;

/// Sends valid and invalid queries to one instance, which must still answer after each error.
pub fn check() {
    for trusted in [None, Some(false), Some(true)] {
        let opened = Geocoder::new(b"no index".to_vec(), trusted);
        assert_eq!(code(opened.map(|_| JsValue::NULL)), "invalid_index", "trusted: {trusted:?}");
    }
    let trusting = Geocoder::new(small::index(), Some(true)).expect("the index is whole");
    assert!(trusting.reverse(48.86, 2.34).expect("the point is on the Earth").is_object());
    let geocoder = Geocoder::new(small::index(), None).expect("the index is whole");
    let first = |found: Result<JsValue, JsValue>| Array::from(&found.expect("the question is right")).get(0);
    let none = JsValue::UNDEFINED;

    let paris = first(geocoder.forward("paris", none.clone()));
    assert_eq!(get(&paris, "lat").as_f64(), Some(48.85341));
    assert_eq!(get(&paris, "type").as_string().as_deref(), Some("city"));
    assert_eq!(get(&get(&paris, "address"), "country_code").as_string().as_deref(), Some("fr"));
    assert!(get(&first(geocoder.autocomplete("par", none.clone())), "place_id").is_undefined());
    assert!(geocoder.reverse(0.0, -30.0).expect("the point is on the Earth").is_null());
    let texas = option("countries", &Array::of1(&"US".into()));
    assert_eq!(get(&first(geocoder.forward("paris", texas)), "lat").as_f64(), Some(33.66094));
    let why = first(geocoder.explain("pari", none.clone(), true));
    assert_eq!(get(&why, "place_id").as_f64(), Some(101.0));
    assert_eq!(get(&why, "prefix").as_bool(), Some(true));
    assert_eq!(get(&why, "class").as_string().as_deref(), Some("Primary"));
    assert_eq!(Array::from(&get(&why, "context")).length(), 2);
    assert_eq!(get(&first(geocoder.explain("pariss", none.clone(), false)), "edits").as_f64(), Some(1.0));
    let batch = Array::from(&geocoder.batch(texts(["paris", " "])).expect("two texts are few"));
    assert_eq!(get(&batch.get(0), "status").as_string().as_deref(), Some("ok"));
    assert_eq!(get(&batch.get(1), "status").as_string().as_deref(), Some("error"));

    let long = "a".repeat(501);
    let wrong = [
        geocoder.forward("", none.clone()),
        geocoder.forward(&long, none.clone()),
        geocoder.forward("a", option("limit", &51.into())),
        geocoder.forward("a", option("limit", &f64::NAN.into())),
        geocoder.forward("a", option("limit", &"5".into())),
        geocoder.forward("a", option("focus", &Object::new())),
        geocoder.forward("a", "no object".into()),
        geocoder.autocomplete("a", option("limit", &11.into())),
        geocoder.explain("", none.clone(), false),
        geocoder.explain("a", option("limit", &0.into()), true),
        geocoder.reverse(f64::NAN, 0.0),
        geocoder.reverse(0.0, 181.0),
        geocoder.batch(none.clone()),
        geocoder.batch(Array::new().into()),
        geocoder.batch(Array::of1(&1.into()).into()),
    ];
    for (number, outcome) in wrong.into_iter().enumerate() {
        assert_eq!(code(outcome), "invalid_argument", "question {number}");
        assert!(!first(geocoder.forward("paris", none.clone())).is_undefined(), "after question {number}");
    }
}

fn code(outcome: Result<JsValue, JsValue>) -> String {
    let error = outcome.expect_err("the question is wrong");
    assert!(error.is_instance_of::<js_sys::Error>());
    get(&error, "code").as_string().expect("every error has a code")
}

fn get(value: &JsValue, name: &str) -> JsValue {
    Reflect::get(value, &name.into()).expect("it is an object")
}

fn option(name: &str, value: &JsValue) -> JsValue {
    let options = Object::new();
    Reflect::set(&options, &name.into(), value).expect("a new object takes properties");
    options.into()
}

fn texts<const N: usize>(texts: [&str; N]) -> JsValue {
    texts.into_iter().map(JsValue::from).collect::<Array>().into()
}
