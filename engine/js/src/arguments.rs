//! Questions to a method: each is a plain object, of which each operation reads the parameters that it has.

use js_sys::{Array, Reflect};
use toponym_engine::request::{FIELDS, Fields, Item, Operation, Parameter, Style, Value, Values};
use wasm_bindgen::prelude::*;

thread_local! {
    /// Names of options as JavaScript has them: a name that crosses over with each question takes as long as reading its value.
    static NAMES: std::cell::RefCell<Vec<(&'static str, JsValue)>> = const { std::cell::RefCell::new(Vec::new()) };
}

/// Reads the values of an operation. The package has checked their types; one of another type is as if it were missing.
pub fn values(operation: Operation, question: &JsValue) -> Values {
    let mut values = Values::new(Style::Options);
    if question.is_object() {
        for parameter in operation.parameters(Style::Options) {
            option(question, parameter).into_iter().for_each(|value| values.put(parameter, value));
        }
    }
    values
}

/// Reads an item of a batch: a point if it has a latitude, a text, or else fields.
pub fn item(question: &JsValue) -> Item {
    let get = |name| property(question, name);
    if !get("lat").is_undefined() {
        let degrees = |name| get(name).as_f64().unwrap_or(f64::NAN);
        return Item::Point { lat: degrees("lat"), lon: degrees("lon") };
    }
    let fields = || Fields::new(FIELDS.map(|name| get(name).as_string()));
    match get("text").as_string() {
        None => fields().map_or_else(|| Item::Text(String::new()), Item::Fields),
        Some(text) => Item::Text(text),
    }
}

fn option(question: &JsValue, parameter: &Parameter) -> Option<Value> {
    let value = property(question, parameter.option);
    if value.is_undefined() {
        return None;
    }
    // A point is an object.
    if value.is_object() && !Array::is_array(&value) {
        let sides = ["lat", "lon"].map(|side| scalar(&property(&value, side)));
        return Some(Value::List(sides.into_iter().flatten().collect()));
    }
    scalar(&value).or_else(|| {
        let list: &Array = value.dyn_ref()?;
        Some(Value::List(list.iter().filter_map(|item| scalar(&item)).collect()))
    })
}

fn scalar(value: &JsValue) -> Option<Value> {
    value.as_f64().map(Value::Number).or_else(|| value.as_string().map(Value::Text))
}

/// Returns a property of a value; `undefined` if it has none, or is not an object.
fn property(value: &JsValue, name: &'static str) -> JsValue {
    NAMES.with_borrow_mut(|names| {
        let at = names.iter().position(|(known, _)| std::ptr::eq(*known, name)).unwrap_or_else(|| {
            names.push((name, JsValue::from_str(name)));
            names.len() - 1
        });
        Reflect::get(value, &names[at].1).unwrap_or(JsValue::UNDEFINED)
    })
}
