//! libFuzzer with every target in one program: `TOPONYM_FUZZ_TARGET` names the one to run.
#![no_main]

use std::sync::OnceLock;

use toponym_fuzz::Target;

static TARGET: OnceLock<Target> = OnceLock::new();

libfuzzer_sys::fuzz_target!(
    init: {
        let name = std::env::var("TOPONYM_FUZZ_TARGET").unwrap_or_default();
        let target = toponym_fuzz::TARGETS.into_iter().find(|target| target.name == name);
        // The macro runs this once, before the first input.
        let _ = TARGET.set(target.expect("TOPONYM_FUZZ_TARGET names a target: `cargo xtask fuzz` sets it"));
    },
    |data: &[u8]| (TARGET.get().expect("it is set before the first input").run)(data)
);
