//! Errors as JavaScript has them.

use toponym_engine::index::OpenError;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// An `Error` with a `code`.
    #[wasm_bindgen(js_name = Error)]
    type Fault;

    #[wasm_bindgen(constructor, js_class = "Error")]
    fn new(message: &str) -> Fault;

    #[wasm_bindgen(method, setter)]
    fn set_code(this: &Fault, code: &str);
}

/// Creates the error for bytes that are not an index.
pub fn invalid_index(error: OpenError) -> JsValue {
    js_error("invalid_index", &error.to_string())
}

/// Creates the error for a wrong question.
pub fn invalid(message: &str) -> JsValue {
    js_error("invalid_argument", message)
}

/// Creates an `Error` with a `code`.
pub fn js_error(code: &str, message: &str) -> JsValue {
    let error = Fault::new(message);
    error.set_code(code);
    error.into()
}
