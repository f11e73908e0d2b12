//! Tests in Node that the engine builds the same index and returns the same results as natively, where
//! `tests/answers/in_wasm.rs` runs the same checks. `web.rs` runs them in a browser.
#![cfg(target_arch = "wasm32")]

use toponym_wasm_tests::{answers, damage};
use wasm_bindgen_test::wasm_bindgen_test;

mod boundary;

#[wasm_bindgen_test]
fn index_and_answers_are_the_golden_ones() {
    answers::check();
}

#[wasm_bindgen_test]
fn a_cut_index_is_an_error() {
    damage::check_cut();
}

#[wasm_bindgen_test]
fn a_changed_index_is_an_error() {
    damage::check_changed();
}

#[wasm_bindgen_test]
fn javascript_sees_values_and_errors() {
    boundary::check();
}

#[wasm_bindgen_test]
fn javascript_sees_texts_and_numbers_as_they_are() {
    boundary::check_json();
}
