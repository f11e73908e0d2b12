//! Answers as JavaScript has them.

use std::io::{Error, Result as Written, Write};

use js_sys::JSON;
use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;
use wasm_bindgen::JsValue;

use crate::errors::js_error;

/// Converts a value for JavaScript. One text crosses over, and V8 reads it: to set each field from here takes three times as
/// long.
pub fn to_js<T: Serialize + ?Sized>(value: &T) -> Result<JsValue, JsValue> {
    let mut json = Vec::new();
    let written = value.serialize(&mut Serializer::with_formatter(&mut json, Numbers)).ok();
    // Without the reasons, whose texts would be part of the module.
    let text = written.and_then(|()| String::from_utf8(json).ok());
    JSON::parse(&text.ok_or_else(|| js_error("internal", "an answer cannot be written as JSON"))?)
}

/// The greatest integer below which every integer is a number of JavaScript.
const MAX_SAFE: u64 = (1 << 53) - 1;

/// Decimals of the numbers in answers: degrees have five, all others fewer.
const DECIMALS: f64 = 1e5;

/// Writes numbers as decimals, exactly. The code of any library that can write every number is 9 kB more, of 250 packed.
struct Numbers;

impl Formatter for Numbers {
    fn write_u64<W: Write + ?Sized>(&mut self, writer: &mut W, value: u64) -> Written<()> {
        if value > MAX_SAFE {
            return Err(Error::other("an integer that JavaScript would round"));
        }
        write!(writer, "{value}")
    }

    fn write_f64<W: Write + ?Sized>(&mut self, writer: &mut W, value: f64) -> Written<()> {
        let units = (value * DECIMALS).round();
        debug_assert_eq!(units / DECIMALS, value, "more decimals");
        let sign = if units < 0.0 { "-" } else { "" };
        let units = units.abs() as u64;
        write!(writer, "{sign}{}.{:05}", units / DECIMALS as u64, units % DECIMALS as u64)
    }
}
