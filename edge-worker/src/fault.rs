//! Fault injection for tests on workerd, for faults that they cannot cause from outside. Only builds with the feature
//! `faults` contain this module; `tests/live/faults.mjs` chooses the faults, `cargo xtask build worker --faults` builds it.

use worker::wasm_bindgen;
use worker::wasm_bindgen::prelude::wasm_bindgen;

use crate::isolate::{self, usage};

#[wasm_bindgen]
extern "C" {
    /// Returns the fault to inject at `place` now. The tests implement it.
    #[wasm_bindgen(js_namespace = globalThis, js_name = toponymFault)]
    fn fault(place: &str) -> Option<String>;
}

/// Size of one allocation: the longest vector that 32 bits allow. A second one finds no memory.
const HUGE: usize = i32::MAX as usize;

/// Returns the numbers of [`usage`].
#[wasm_bindgen(js_name = isolateUsage)]
pub fn isolate_usage() -> Vec<u32> {
    usage().map(|count| count as u32).to_vec()
}

/// Calls [`isolate::renew`].
#[wasm_bindgen(js_name = renewIsolate)]
pub fn renew_isolate() {
    isolate::renew();
}

/// Injects the fault that is armed at `place`, if any.
pub(crate) fn strike(place: &str) {
    match fault(place).as_deref() {
        Some("panic") => panic!("a fault on demand"),
        Some("memory") => exhaust(),
        Some("stack") => drop(descend(0)),
        Some("calls") => drop(call(0)),
        _ => {}
    }
}

/// Allocates memory until there is none.
fn exhaust() {
    let mut taken: Vec<Vec<u8>> = Vec::new();
    while taken.len() < 3 {
        taken.push(Vec::with_capacity(HUGE));
    }
}

/// Calls itself until the stack in this memory is full.
#[expect(unconditional_recursion, reason = "that is the fault")]
fn descend(depth: u64) -> u64 {
    let here = std::hint::black_box([depth; 64]);
    descend(here[0] + 1) + here[1]
}

/// Calls itself until the stack of JavaScript is full. It keeps nothing in this memory.
#[inline(never)]
fn call(depth: u32) -> u32 {
    if depth == u32::MAX { depth } else { call(depth + 1).rotate_left(7) ^ depth }
}
