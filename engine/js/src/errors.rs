//! Errors as JavaScript has them.

use js_sys::Reflect;
use toponym_engine::index::OpenError;
use wasm_bindgen::JsValue;

/// The bytes are no index.
pub fn invalid_index(error: OpenError) -> JsValue {
    js_error("invalid_index", &error.to_string())
}

/// The question is wrong.
pub fn invalid(message: &str) -> JsValue {
    js_error("invalid_argument", message)
}

/// An `Error` with a `code`.
pub fn js_error(code: &str, message: &str) -> JsValue {
    let error = js_sys::Error::new(message);
    // Setting a property of a fresh object cannot fail.
    let _ = Reflect::set(&error, &"code".into(), &code.into());
    error.into()
}
