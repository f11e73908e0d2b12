//! Questions to a method: each is a plain object, of which each operation reads the parameters that it has.
//!
//! `serde-wasm-bindgen` was measured in place of this (0.6.5, in Node): a question with a text and a limit takes 0.6 us longer to read
//! (1.05 for 0.46), one with seven options 2.5 us (4.7 for 2.2), and the module is 16 kB larger in gzip.

use js_sys::Array;
use toponym_engine::request::{FIELDS, Fields, Item, Operation, Parameter, Style, Value, Values};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// A value that JavaScript gives.
    type Given;

    /// Returns a property of an object, unless it is missing or `null`. A getter that throws ends the question: the package passes
    /// objects of its own.
    #[wasm_bindgen(method, structural, indexing_getter)]
    fn get(this: &Given, name: &JsValue) -> Option<Given>;
}

thread_local! {
    /// Names of options as JavaScript has them: a name that crosses over with each question takes as long as reading its value.
    static NAMES: std::cell::RefCell<Vec<(&'static str, JsValue)>> = const { std::cell::RefCell::new(Vec::new()) };
}

/// Reads the values of an operation. The package has checked their types; one of another type is as if it were missing.
pub fn values(operation: Operation, question: &JsValue) -> Values {
    let mut values = Values::new(Style::Options);
    if question.is_object() {
        for parameter in operation.parameters(Style::Options) {
            option(question.unchecked_ref(), parameter).into_iter().for_each(|value| values.put(parameter, value));
        }
    }
    values
}

/// Reads an item of a batch: a point if it has a latitude, a text, or else fields.
pub fn item(question: &JsValue) -> Item {
    if !question.is_object() {
        return blank_item();
    }
    let get = |name| property(question.unchecked_ref(), name);
    if let Some(lat) = get("lat") {
        return Item::Point { lat: degrees(Some(lat)), lon: degrees(get("lon")) };
    }
    let text = |name| get(name)?.as_string();
    match text("text") {
        None => Fields::new(FIELDS.map(text)).map_or_else(blank_item, Item::Fields),
        Some(text) => Item::Text(text),
    }
}

/// Reads a number; NaN, which is never a coordinate, if it is missing or not a number.
fn degrees(given: Option<Given>) -> f64 {
    given.and_then(|given| given.as_f64()).unwrap_or(f64::NAN)
}

/// Creates the item that every engine refuses: a blank text.
fn blank_item() -> Item {
    Item::Text(String::new())
}

fn option(question: &Given, parameter: &Parameter) -> Option<Value> {
    let value = property(question, parameter.option)?;
    if let Some(scalar) = scalar(&value) {
        return Some(scalar);
    }
    if let Some(list) = value.dyn_ref::<Array>() {
        return Some(Value::List(list.iter().filter_map(|item| scalar(&item)).collect()));
    }
    // A point is an object.
    let sides = ["lat", "lon"].map(|side| property(&value, side).and_then(|side| scalar(&side)));
    value.is_object().then(|| Value::List(sides.into_iter().flatten().collect()))
}

fn scalar(value: &JsValue) -> Option<Value> {
    value.as_f64().map(Value::Number).or_else(|| value.as_string().map(Value::Text))
}

/// Returns a property of a value; `None` if it lacks it.
fn property(value: &Given, name: &'static str) -> Option<Given> {
    NAMES.with_borrow_mut(|names| {
        let at = names.iter().position(|(known, _)| std::ptr::eq(*known, name)).unwrap_or_else(|| {
            names.push((name, JsValue::from_str(name)));
            names.len() - 1
        });
        value.get(&names[at].1)
    })
}
