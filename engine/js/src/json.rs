//! Answers as JavaScript has them.
//!
//! An answer is written once, as JSON, into a text that all answers share, and V8 reads it there: to set each field from here takes
//! three times as long. The writer knows what answers hold, and nothing else: with serde_json the module would be larger by 5 kB in
//! gzip, and an answer would take longer.

use std::cell::RefCell;
use std::fmt;

use serde::Serialize;
use serde::ser::{Error, Impossible, SerializeMap, SerializeSeq, SerializeStruct, SerializeTuple, Serializer};
use wasm_bindgen::prelude::*;

use crate::errors::js_error;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = JSON)]
    fn parse(json: &str) -> JsValue;
}

thread_local! {
    /// The last answer. Its memory serves the next one.
    static ANSWER: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Converts a value for JavaScript.
pub fn to_js<T: Serialize + ?Sized>(value: &T) -> Result<JsValue, JsValue> {
    ANSWER.with_borrow_mut(|text| {
        text.clear();
        value.serialize(Json(text)).map_err(|_| js_error("internal", "an answer cannot be written as JSON"))?;
        Ok(parse(text))
    })
}

/// The greatest integer below which every integer is a number of JavaScript.
const MAX_SAFE: u64 = (1 << 53) - 1;

/// Decimals of the numbers in answers: degrees have five, all others fewer.
const DECIMALS: f64 = 1e5;

/// The most digits of an integer.
const MAX_DIGITS: usize = 20;

/// Writes a value behind a text.
struct Json<'t>(&'t mut String);

/// Writes the parts of a value between brackets.
struct Parts<'t> {
    text: &'t mut String,
    is_first: bool,
    end: char,
}

/// A value is of a kind that no answer holds, or is an integer that JavaScript would round.
#[derive(Debug)]
struct Unwritable;

impl<'t> Json<'t> {
    fn parts(self, begin: char, end: char) -> Parts<'t> {
        self.0.push(begin);
        Parts { text: self.0, is_first: true, end }
    }

    /// Writes the digits of a number, with zeros before them if there are fewer than `least`.
    fn digits(&mut self, mut number: u64, least: usize) {
        let mut digits = [b'0'; MAX_DIGITS];
        let mut begin = MAX_DIGITS;
        while number > 0 {
            begin -= 1;
            digits[begin] += (number % 10) as u8;
            number /= 10;
        }
        self.0.extend(digits[begin.min(MAX_DIGITS - least)..].iter().copied().map(char::from));
    }

    /// Writes a text between quotation marks.
    fn quoted(&mut self, text: &str) {
        self.0.push('"');
        let mut rest = text;
        while let Some(at) = rest.bytes().position(|byte| byte < b' ' || byte == b'"' || byte == b'\\') {
            let (plain, special) = rest.split_at(at);
            self.0.push_str(plain);
            match special.as_bytes()[0] {
                byte @ (b'"' | b'\\') => self.0.extend(['\\', char::from(byte)]),
                control => {
                    self.0.push_str("\\u00");
                    self.0.push(char::from(b'0' + (control >> 4)));
                    self.0.extend(char::from_digit(u32::from(control & 15), 16));
                }
            }
            rest = &special[1..];
        }
        self.0.push_str(rest);
        self.0.push('"');
    }
}

impl Parts<'_> {
    fn next(&mut self) -> Json<'_> {
        if !std::mem::take(&mut self.is_first) {
            self.text.push(',');
        }
        Json(self.text)
    }

    fn key(&mut self, key: &str) -> Json<'_> {
        self.next().quoted(key);
        self.text.push(':');
        Json(self.text)
    }

    fn close(self) -> Result<(), Unwritable> {
        self.text.push(self.end);
        Ok(())
    }
}

impl<'t> Serializer for Json<'t> {
    type Ok = ();
    type Error = Unwritable;
    type SerializeSeq = Parts<'t>;
    type SerializeTuple = Parts<'t>;
    type SerializeTupleStruct = Impossible<(), Unwritable>;
    type SerializeTupleVariant = Impossible<(), Unwritable>;
    type SerializeMap = Parts<'t>;
    type SerializeStruct = Parts<'t>;
    type SerializeStructVariant = Impossible<(), Unwritable>;

    fn serialize_bool(self, value: bool) -> Result<(), Unwritable> {
        self.0.push_str(if value { "true" } else { "false" });
        Ok(())
    }

    fn serialize_i8(self, value: i8) -> Result<(), Unwritable> {
        self.serialize_i64(value.into())
    }

    fn serialize_i16(self, value: i16) -> Result<(), Unwritable> {
        self.serialize_i64(value.into())
    }

    fn serialize_i32(self, value: i32) -> Result<(), Unwritable> {
        self.serialize_i64(value.into())
    }

    fn serialize_i64(self, value: i64) -> Result<(), Unwritable> {
        if value < 0 {
            self.0.push('-');
        }
        self.serialize_u64(value.unsigned_abs())
    }

    fn serialize_u8(self, value: u8) -> Result<(), Unwritable> {
        self.serialize_u64(value.into())
    }

    fn serialize_u16(self, value: u16) -> Result<(), Unwritable> {
        self.serialize_u64(value.into())
    }

    fn serialize_u32(self, value: u32) -> Result<(), Unwritable> {
        self.serialize_u64(value.into())
    }

    fn serialize_u64(mut self, value: u64) -> Result<(), Unwritable> {
        if value > MAX_SAFE {
            return Err(Unwritable);
        }
        self.digits(value, 1);
        Ok(())
    }

    fn serialize_f32(self, value: f32) -> Result<(), Unwritable> {
        self.serialize_f64(value.into())
    }

    /// Writes a number as decimals, exactly. The code of any library that can write every number is 9 kB more.
    fn serialize_f64(mut self, value: f64) -> Result<(), Unwritable> {
        let units = (value.abs() * DECIMALS + 0.5) as u64;
        debug_assert_eq!(units as f64 / DECIMALS, value.abs(), "more decimals");
        if value < 0.0 {
            self.0.push('-');
        }
        self.digits(units / DECIMALS as u64, 1);
        let decimals = units % DECIMALS as u64;
        if decimals > 0 {
            self.0.push('.');
            self.digits(decimals, DECIMALS.log10() as usize);
        }
        Ok(())
    }

    fn serialize_char(self, value: char) -> Result<(), Unwritable> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(mut self, value: &str) -> Result<(), Unwritable> {
        self.quoted(value);
        Ok(())
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<(), Unwritable> {
        Err(Unwritable)
    }

    fn serialize_none(self) -> Result<(), Unwritable> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Unwritable> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Unwritable> {
        self.0.push_str("null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Unwritable> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Unwritable> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), Unwritable> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Unwritable> {
        Err(Unwritable)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Parts<'t>, Unwritable> {
        Ok(self.parts('[', ']'))
    }

    fn serialize_tuple(self, _: usize) -> Result<Parts<'t>, Unwritable> {
        Ok(self.parts('[', ']'))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct, Unwritable> {
        Err(Unwritable)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Unwritable> {
        Err(Unwritable)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Parts<'t>, Unwritable> {
        Ok(self.parts('{', '}'))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Parts<'t>, Unwritable> {
        Ok(self.parts('{', '}'))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Unwritable> {
        Err(Unwritable)
    }
}

impl SerializeSeq for Parts<'_> {
    type Ok = ();
    type Error = Unwritable;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unwritable> {
        value.serialize(self.next())
    }

    fn end(self) -> Result<(), Unwritable> {
        self.close()
    }
}

impl SerializeTuple for Parts<'_> {
    type Ok = ();
    type Error = Unwritable;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unwritable> {
        value.serialize(self.next())
    }

    fn end(self) -> Result<(), Unwritable> {
        self.close()
    }
}

impl SerializeMap for Parts<'_> {
    type Ok = ();
    type Error = Unwritable;

    /// Keys of answers are texts.
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Unwritable> {
        key.serialize(self.next())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unwritable> {
        self.text.push(':');
        value.serialize(Json(self.text))
    }

    fn end(self) -> Result<(), Unwritable> {
        self.close()
    }
}

impl SerializeStruct for Parts<'_> {
    type Ok = ();
    type Error = Unwritable;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Unwritable> {
        value.serialize(self.key(key))
    }

    fn end(self) -> Result<(), Unwritable> {
        self.close()
    }
}

impl Error for Unwritable {
    /// Drops the reason, whose texts would be part of the module.
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

impl std::error::Error for Unwritable {}

impl fmt::Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an answer cannot be written as JSON")
    }
}
