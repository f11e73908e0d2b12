//! Tests the engine in a browser, with an index loaded by `fetch` as in a page.
#![cfg(target_arch = "wasm32")]

use toponym_wasm_tests::answers;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

mod boundary;

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen(inline_js = r#"
export async function fetched(bytes) {
    const response = await fetch(URL.createObjectURL(new Blob([bytes])));
    return new Uint8Array(await response.arrayBuffer());
}
"#)]
extern "C" {
    /// Returns the bytes, passed through `fetch`.
    async fn fetched(bytes: &[u8]) -> wasm_bindgen::JsValue;
}

#[wasm_bindgen_test]
fn index_and_answers_are_the_golden_ones() {
    answers::check();
}

#[wasm_bindgen_test]
async fn a_fetched_index_answers() {
    let index = toponym_wasm_tests::index();
    let bytes = js_sys::Uint8Array::from(fetched(&index).await).to_vec();
    assert_eq!(bytes, index);
    assert_eq!(answers::of(bytes), answers::of(index));
}

#[wasm_bindgen_test]
fn javascript_sees_values_and_errors() {
    boundary::check();
}

#[wasm_bindgen_test]
fn javascript_sees_texts_and_numbers_as_they_are() {
    boundary::check_json();
}
