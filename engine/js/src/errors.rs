//! Errors as JavaScript has them.

use js_sys::Reflect;
use toponym_engine::index::OpenError;
use wasm_bindgen::JsValue;

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
    let error = js_sys::Error::new(message);
    // Setting a property of a fresh object cannot fail.
    let _ = Reflect::set(&error, &"code".into(), &code.into());
    error.into()
}
