//! Fault injection for tests on workerd, for faults that they cannot cause from outside. Only builds with the feature
//! `faults` contain this module; `tests/live/faults.mjs` chooses the faults, `cargo xtask worker --faults` builds it.

use worker::wasm_bindgen;
use worker::wasm_bindgen::prelude::wasm_bindgen;

use crate::isolate::held;

#[wasm_bindgen]
extern "C" {
    /// Of the tests: which fault is to happen at `place` now.
    #[wasm_bindgen(js_namespace = globalThis, js_name = toponymFault)]
    fn fault(place: &str) -> Option<String>;
}

/// Bytes that are asked for at once: the longest vector that 32 bits allow. A second one finds no memory.
const MUCH: usize = i32::MAX as usize;

/// What [`held`] tells.
#[wasm_bindgen(js_name = whatIsHeld)]
pub fn what_is_held() -> Vec<u32> {
    held().map(|count| count as u32).to_vec()
}

/// The fault that is to happen at `place`, if any.
pub(crate) fn strike(place: &str) {
    match fault(place).as_deref() {
        Some("panic") => panic!("a fault on demand"),
        Some("memory") => exhaust(),
        Some("stack") => drop(descend(0)),
        Some("calls") => drop(call(0)),
        _ => {}
    }
}

/// Takes memory until there is none.
fn exhaust() {
    let mut taken: Vec<Vec<u8>> = Vec::new();
    while taken.len() < 3 {
        taken.push(Vec::with_capacity(MUCH));
    }
}

/// Calls itself until the stack in this memory is full.
#[expect(unconditional_recursion, reason = "that is the fault")]
fn descend(depth: u64) -> u64 {
    let here = std::hint::black_box([depth; 64]);
    descend(here[0] + 1) + here[1]
}

/// Calls itself until the stack of JavaScript is full: it keeps nothing in this memory.
#[inline(never)]
fn call(depth: u32) -> u32 {
    if depth == u32::MAX { depth } else { call(depth + 1).rotate_left(7) ^ depth }
}
