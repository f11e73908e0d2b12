//! `bodies` of `toponym_fuzz`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| toponym_fuzz::http::bodies(data));
