//! Tests that the engine builds the same index and returns the same results natively and in wasm: this file runs as a
//! native test and in Node. `web.rs` runs the same in a browser.

use toponym_engine::Engine;
use wasm_bindgen_test::wasm_bindgen_test;

mod answers;
#[cfg(target_arch = "wasm32")]
mod boundary;
mod small;

#[wasm_bindgen_test(unsupported = test)]
fn index_and_answers_are_the_golden_ones() {
    answers::check();
}

#[wasm_bindgen_test(unsupported = test)]
fn a_cut_index_is_an_error() {
    let whole = small::index();
    for length in samples(whole.len()) {
        assert!(Engine::open(whole[..length].to_vec()).is_err(), "the first {length} bytes of {}", whole.len());
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn a_changed_index_is_an_error() {
    let whole = small::index();
    for position in samples(whole.len()) {
        let mut changed = whole.clone();
        changed[position] ^= 1;
        assert!(Engine::open(changed).is_err(), "byte {position} of {} was changed", whole.len());
    }
}

#[cfg(target_arch = "wasm32")]
#[wasm_bindgen_test]
fn javascript_sees_values_and_errors() {
    boundary::check();
}

/// Every position in the frame and the first part of the header, then a sample.
fn samples(length: usize) -> impl Iterator<Item = usize> {
    const DENSE: usize = 512;
    const STRIDE: usize = 997;
    (0..DENSE).chain((DENSE..length).step_by(STRIDE))
}
