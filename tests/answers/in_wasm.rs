//! Checks natively what `tests/wasm` checks in Node and in Chromium: the same index and the same answers. With
//! `RENEW=1` this run writes `tests/wasm/golden.json`.

#[test]
fn index_and_answers_are_the_golden_ones() {
    toponym_wasm_tests::answers::check();
}

#[test]
fn a_cut_index_is_an_error() {
    toponym_wasm_tests::damage::check_cut();
}

#[test]
fn a_changed_index_is_an_error() {
    toponym_wasm_tests::damage::check_changed();
}
