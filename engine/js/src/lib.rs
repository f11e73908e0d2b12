//! The engine for JavaScript: one class over an opened index. No I/O: the caller brings the bytes.
//!
//! Every fault of a call is an `Error` with a `code` (`invalid_index`, `invalid_argument`); after one the instance
//! still answers.

use serde::{Deserialize, Serialize};
use serde_wasm_bindgen::Serializer;
use toponym_engine::geo::Coordinate;
use toponym_engine::{Engine, MAX_QUERY_CHARS, Search};
use wasm_bindgen::prelude::*;

/// Results of forward and autocomplete when the caller sets no limit, as in the HTTP contract.
const DEFAULT_LIMIT: usize = 5;

/// Most results of forward and of autocomplete.
const FORWARD_LIMIT: usize = 50;
const AUTOCOMPLETE_LIMIT: usize = 10;

/// Most queries of a batch.
const BATCH_LIMIT: usize = 100;

/// Geocodes from one index.
#[wasm_bindgen]
pub struct Geocoder {
    engine: Engine,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Options {
    limit: Option<f64>,
    lang: Option<String>,
    countries: Vec<String>,
    focus: Option<Degrees>,
}

#[derive(Deserialize)]
struct Degrees {
    lat: f64,
    lon: f64,
}

#[wasm_bindgen]
impl Geocoder {
    /// Opens the bytes of an index (`Uint8Array`); `trusted` are those that something else has found whole, whose checksum
    /// need not be computed.
    ///
    /// # Errors
    /// `invalid_index` when they are not a whole, undamaged index of this version.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: Vec<u8>, trusted: Option<bool>) -> Result<Geocoder, JsValue> {
        let opened = if trusted == Some(true) { Engine::open_trusted(bytes) } else { Engine::open(bytes) };
        let engine = opened.map_err(|error| fault("invalid_index", &error.to_string()))?;
        Ok(Self { engine })
    }

    /// Places that a text names: an array, the most relevant first.
    ///
    /// # Errors
    /// `invalid_argument` for a blank or too long query and for options out of range.
    pub fn forward(&self, query: &str, options: JsValue) -> Result<JsValue, JsValue> {
        ask(query, options, FORWARD_LIMIT, |search| to_js(&self.engine.forward(search)))
    }

    /// Suggestions for a text whose last word may be unfinished: an array, the most relevant first.
    ///
    /// # Errors
    /// `invalid_argument` for a blank or too long query and for options out of range.
    pub fn autocomplete(&self, query: &str, options: JsValue) -> Result<JsValue, JsValue> {
        ask(query, options, AUTOCOMPLETE_LIMIT, |search| to_js(&self.engine.autocomplete(search)))
    }

    /// The candidates of a query with their signals: those of `autocomplete` where `unfinished`, else those of `forward`.
    ///
    /// # Errors
    /// `invalid_argument` for a blank or too long query and for options out of range.
    pub fn explain(&self, query: &str, options: JsValue, unfinished: bool) -> Result<JsValue, JsValue> {
        ask(query, options, FORWARD_LIMIT, |search| {
            let explained =
                if unfinished { self.engine.explain_autocomplete(search) } else { self.engine.explain_forward(search) };
            to_js(&explained)
        })
    }

    /// The place at a point, `null` at sea and far from everything.
    ///
    /// # Errors
    /// `invalid_argument` when the point is out of range.
    pub fn reverse(&self, lat: f64, lon: f64) -> Result<JsValue, JsValue> {
        let point = Coordinate::new(lat, lon)
            .ok_or_else(|| fault("invalid_argument", "lat must be between -90 and 90, lon between -180 and 180"))?;
        self.engine.reverse(point).map_or(Ok(JsValue::NULL), |place| to_js(&place))
    }

    /// The best place of each of 1 to 100 texts, in order.
    ///
    /// # Errors
    /// `invalid_argument` when it is not an array of 1 to 100 strings.
    pub fn batch(&self, queries: JsValue) -> Result<JsValue, JsValue> {
        let queries: Vec<String> = serde_wasm_bindgen::from_value(queries)
            .map_err(|_| fault("invalid_argument", "queries must be an array of strings"))?;
        if queries.is_empty() || queries.len() > BATCH_LIMIT {
            return Err(fault("invalid_argument", "queries array must contain between 1 and 100 items"));
        }
        to_js(&self.engine.batch(&queries))
    }

    /// Title, date and attribution of the index.
    ///
    /// # Errors
    /// None that a caller can cause.
    pub fn about(&self) -> Result<JsValue, JsValue> {
        to_js(self.engine.about())
    }
}

fn ask(
    query: &str,
    options: JsValue,
    most: usize,
    answer: impl FnOnce(&Search) -> Result<JsValue, JsValue>,
) -> Result<JsValue, JsValue> {
    let invalid = |message: &str| Err(fault("invalid_argument", message));
    let options = match options.is_undefined() || options.is_null() {
        true => Options::default(),
        false => serde_wasm_bindgen::from_value(options)
            .map_err(|error| fault("invalid_argument", &format!("options: {error}")))?,
    };
    if query.trim().is_empty() {
        return invalid("query must not be empty");
    }
    if query.chars().count() > MAX_QUERY_CHARS {
        return invalid(&format!("query must be at most {MAX_QUERY_CHARS} characters"));
    }
    let limit = options.limit.unwrap_or(DEFAULT_LIMIT as f64);
    if limit.fract() != 0.0 || !(1.0..=most as f64).contains(&limit) {
        return invalid(&format!("limit must be an integer between 1 and {most}"));
    }
    let focus = options.focus.map(|Degrees { lat, lon }| Coordinate::new(lat, lon));
    if focus == Some(None) {
        return invalid("focus.lat must be between -90 and 90, focus.lon between -180 and 180");
    }
    let Some(countries) = options.countries.iter().map(|code| country_code(code)).collect::<Option<Vec<_>>>() else {
        return invalid("countries must be ISO 3166-1 alpha-2 codes");
    };
    answer(&Search {
        text: query,
        limit: limit as usize,
        lang: options.lang.as_deref(),
        countries: &countries,
        focus: focus.flatten(),
    })
}

fn country_code(code: &str) -> Option<[u8; 2]> {
    let code: [u8; 2] = code.to_ascii_uppercase().into_bytes().try_into().ok()?;
    code.iter().all(u8::is_ascii_uppercase).then_some(code)
}

fn to_js<T: Serialize + ?Sized>(value: &T) -> Result<JsValue, JsValue> {
    // Maps as plain objects: an address is read as `place.address.city`.
    let serializer = Serializer::new().serialize_maps_as_objects(true);
    value.serialize(&serializer).map_err(|error| fault("internal", &error.to_string()))
}

fn fault(code: &str, message: &str) -> JsValue {
    let error = js_sys::Error::new(message);
    // Setting a property of a fresh object cannot fail.
    let _ = js_sys::Reflect::set(&error, &"code".into(), &code.into());
    error.into()
}
