//! The engine for JavaScript: one class, which wraps an opened index. It does no I/O: the caller passes the bytes.
//!
//! Every method throws an `Error` with a `code` (`invalid_index`, `invalid_argument`). The instance stays usable after one.

use serde::{Deserialize, Serialize};
use serde_wasm_bindgen::Serializer;
use toponym_engine::geo::Coordinate;
use toponym_engine::{Engine, MAX_QUERY_CHARS, Search};
use wasm_bindgen::prelude::*;

/// Default limit of forward and autocomplete, as in the HTTP contract.
const DEFAULT_LIMIT: usize = 5;

/// Maximum limit of forward and of autocomplete.
const MAX_FORWARD_LIMIT: usize = 50;
const MAX_AUTOCOMPLETE_LIMIT: usize = 10;

/// Maximum number of queries of a batch.
const MAX_BATCH: usize = 100;

/// A geocoder for one index.
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
    /// Opens the bytes of an index (`Uint8Array`). With `trusted`, skips the checksum: for bytes that were verified some other
    /// way.
    ///
    /// # Errors
    /// `invalid_index` if the bytes are not a complete, undamaged index of this version.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: Vec<u8>, trusted: Option<bool>) -> Result<Geocoder, JsValue> {
        let opened = if trusted == Some(true) { Engine::open_trusted(bytes) } else { Engine::open(bytes) };
        let engine = opened.map_err(|error| js_error("invalid_index", &error.to_string()))?;
        Ok(Self { engine })
    }

    /// The places that match a text: an array, the most relevant first.
    ///
    /// # Errors
    /// `invalid_argument` if the query is blank or too long, or an option is out of range.
    pub fn forward(&self, query: &str, options: JsValue) -> Result<JsValue, JsValue> {
        with_search(query, options, MAX_FORWARD_LIMIT, |search| to_js(&self.engine.forward(search)))
    }

    /// Suggestions for a text whose last term may be unfinished: an array, the most relevant first.
    ///
    /// # Errors
    /// `invalid_argument` if the query is blank or too long, or an option is out of range.
    pub fn autocomplete(&self, query: &str, options: JsValue) -> Result<JsValue, JsValue> {
        with_search(query, options, MAX_AUTOCOMPLETE_LIMIT, |search| to_js(&self.engine.autocomplete(search)))
    }

    /// The candidates of a query with their signals: those of `autocomplete` if `unfinished`, or else those of `forward`.
    ///
    /// # Errors
    /// `invalid_argument` if the query is blank or too long, or an option is out of range.
    pub fn explain(&self, query: &str, options: JsValue, unfinished: bool) -> Result<JsValue, JsValue> {
        with_search(query, options, MAX_FORWARD_LIMIT, |search| {
            let explained =
                if unfinished { self.engine.explain_autocomplete(search) } else { self.engine.explain_forward(search) };
            to_js(&explained)
        })
    }

    /// The place at a point, `null` at sea and far from everything.
    ///
    /// # Errors
    /// `invalid_argument` if the point is out of range.
    pub fn reverse(&self, lat: f64, lon: f64) -> Result<JsValue, JsValue> {
        let point = Coordinate::new(lat, lon)
            .ok_or_else(|| js_error("invalid_argument", "lat must be between -90 and 90, lon between -180 and 180"))?;
        self.engine.reverse(point).map_or(Ok(JsValue::NULL), |place| to_js(&place))
    }

    /// The best place for each of 1 to 100 texts, in order.
    ///
    /// # Errors
    /// `invalid_argument` if `queries` is not an array of 1 to 100 strings.
    pub fn batch(&self, queries: JsValue) -> Result<JsValue, JsValue> {
        let queries: Vec<String> = serde_wasm_bindgen::from_value(queries)
            .map_err(|_| js_error("invalid_argument", "queries must be an array of strings"))?;
        if queries.is_empty() || queries.len() > MAX_BATCH {
            return Err(js_error("invalid_argument", "queries array must contain between 1 and 100 items"));
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

/// Parses the options and calls `answer` with the search.
fn with_search(
    query: &str,
    options: JsValue,
    max_limit: usize,
    answer: impl FnOnce(&Search) -> Result<JsValue, JsValue>,
) -> Result<JsValue, JsValue> {
    let invalid = |message: &str| Err(js_error("invalid_argument", message));
    let options = match options.is_undefined() || options.is_null() {
        true => Options::default(),
        false => serde_wasm_bindgen::from_value(options)
            .map_err(|error| js_error("invalid_argument", &format!("options: {error}")))?,
    };
    if query.trim().is_empty() {
        return invalid("query must not be empty");
    }
    if query.chars().count() > MAX_QUERY_CHARS {
        return invalid(&format!("query must be at most {MAX_QUERY_CHARS} characters"));
    }
    let limit = options.limit.unwrap_or(DEFAULT_LIMIT as f64);
    if limit.fract() != 0.0 || !(1.0..=max_limit as f64).contains(&limit) {
        return invalid(&format!("limit must be an integer between 1 and {max_limit}"));
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
    value.serialize(&serializer).map_err(|error| js_error("internal", &error.to_string()))
}

fn js_error(code: &str, message: &str) -> JsValue {
    let error = js_sys::Error::new(message);
    // Setting a property of a fresh object cannot fail.
    let _ = js_sys::Reflect::set(&error, &"code".into(), &code.into());
    error.into()
}
