//! The engine for JavaScript: one class, which wraps an opened index. It does no I/O: the caller passes the bytes.
//!
//! Every method throws an `Error` with a `code` (`invalid_index`, `invalid_argument`). The instance stays usable after one.

use js_sys::{Array, Reflect};
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use toponym_engine::geo::{Bounds, Coordinate};
use toponym_engine::index::OpenError;
use toponym_engine::pages::PageId;
#[cfg(feature = "pages")]
use toponym_engine::pages::Paged;
use toponym_engine::{
    Answer, Engine, Fact, FactSet, Filter, Geocode, MAX_RADIUS_M, Nearby, Outcome, Question, Reference, Search, Shown,
    Structured, Suggestion,
};
use wasm_bindgen::prelude::*;

#[cfg(feature = "pages")]
mod pages;

/// Default limit of forward and autocomplete, as in the HTTP contract.
const DEFAULT_LIMIT: usize = 5;

/// Maximum limits.
const MAX_FORWARD_LIMIT: usize = 50;
const MAX_AUTOCOMPLETE_LIMIT: usize = 10;
const MAX_REVERSE_LIMIT: usize = 10;

/// Maximum number of questions of a batch.
const MAX_BATCH: usize = 100;

/// A geocoder for one index, for several that answer together, or for an index in pages.
///
/// Of an index in pages, a method that needs pages returns `{ missing }` in place of its answer: the numbers of the pages that
/// have to be inserted before it is asked again.
#[wasm_bindgen]
pub struct Geocoder {
    source: Source,
}

/// What a geocoder answers from.
enum Source {
    Whole(Engine),
    #[cfg(feature = "pages")]
    Paged(Box<Paged>),
}

/// What a question of an index in pages needs.
#[derive(Serialize)]
struct Missing {
    missing: Vec<u32>,
}

/// What a method is asked: a plain object, of which each method reads the fields that it knows. The package has checked the
/// types of their values; one of another type is as if it were missing. Without a `Deserialize` of its own, which would
/// be some 15 kB of code.
struct Arguments(JsValue);

/// A suggestion with what a program needs to know of it. Over HTTP the contract leaves that out; its `name` is a fact that
/// is always asked for here.
#[derive(Serialize)]
struct Known<'s> {
    place_id: u64,
    #[serde(flatten)]
    suggestion: &'s Suggestion,
    #[serde(skip_serializing_if = "Option::is_none")]
    country_code: Option<&'s str>,
    kind: &'static str,
}

impl<'s> Known<'s> {
    fn of(suggestion: &'s Suggestion) -> Self {
        let Suggestion { place_id, country_code, role, .. } = suggestion;
        Self { place_id: *place_id, suggestion, country_code: country_code.as_deref(), kind: role.name() }
    }
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
        let engine = opened.map_err(invalid_index)?;
        Ok(Self { source: Source::Whole(engine) })
    }

    /// Adds the index of another geocoder behind its own, and frees the other one. Of several only the first can be in pages.
    pub fn join(&mut self, other: Geocoder) {
        match (&mut self.source, other.source) {
            (Source::Whole(engine), Source::Whole(other)) => engine.join(other),
            #[cfg(feature = "pages")]
            (Source::Paged(paged), Source::Whole(other)) => paged.join(other),
            #[cfg(feature = "pages")]
            (_, Source::Paged(_)) => {}
        }
    }

    /// The places for `text` or fields: an array, the most relevant first.
    ///
    /// # Errors
    /// `invalid_argument` if a text is blank or too long, or an option is out of range.
    pub fn forward(&self, question: JsValue) -> Result<JsValue, JsValue> {
        self.search(question, MAX_FORWARD_LIMIT, &|search| answered(self.geocode().forward(search)))
    }

    /// Suggestions for a `text` whose last term may be unfinished: an array, the most relevant first. Empty for a blank
    /// text, which is how every search field begins.
    ///
    /// # Errors
    /// `invalid_argument` if the text is too long, or an option is out of range.
    pub fn autocomplete(&self, question: JsValue) -> Result<JsValue, JsValue> {
        let is_blank = Arguments(question.clone()).text("text").is_some_and(|text| text.trim().is_empty());
        if is_blank {
            return Ok(Array::new().into());
        }
        self.search(question, MAX_AUTOCOMPLETE_LIMIT, &|search| {
            let search = Search { facts: search.facts.with(Fact::Name), ..*search };
            match self.geocode().autocomplete(&search) {
                Answer::Ready(found) => to_js(&found.iter().map(Known::of).collect::<Vec<_>>()),
                Answer::Missing(pages) => missing(&pages),
            }
        })
    }

    /// The candidates of a question with their signals: those of `autocomplete` if `unfinished`, or else those of `forward`.
    ///
    /// # Errors
    /// `invalid_argument` if a text is blank or too long, or an option is out of range.
    pub fn explain(&self, question: JsValue, unfinished: bool) -> Result<JsValue, JsValue> {
        self.search(question, MAX_FORWARD_LIMIT, &|search| {
            let geocode = self.geocode();
            answered(if unfinished { geocode.explain_autocomplete(search) } else { geocode.explain_forward(search) })
        })
    }

    /// The place at `point`, `null` at sea and far from everything. With `limit`, an array of the nearest places that pass
    /// the filters.
    ///
    /// # Errors
    /// `invalid_argument` if the point or an option is out of range.
    pub fn reverse(&self, question: JsValue) -> Result<JsValue, JsValue> {
        let question = Arguments(question);
        let point = question.coordinate().ok_or_else(|| invalid(RANGES))?;
        let (countries, types) = (question.countries()?, question.texts("types"));
        let types = self.known(&types)?;
        let filter = question.filter(&countries, &types)?;
        let (lang, limit, radius_m) = (question.text("lang"), question.number("limit"), question.number("radius"));
        let (lang, facts) = (lang.as_deref(), question.facts()?);
        if limit.is_none() && radius_m.is_none() && filter == Filter::default() {
            return one(self.geocode().reverse(point, Shown { lang, facts }));
        }
        let plain = Nearby::new(point, question.limit(1, MAX_REVERSE_LIMIT)?);
        let radius_m = radius_m.unwrap_or(plain.radius_m);
        if !(1.0..=MAX_RADIUS_M).contains(&radius_m) {
            return Err(invalid(&format!("radius must be between 1 and {} metres", MAX_RADIUS_M as u32)));
        }
        let found = self.geocode().nearby(&Nearby { radius_m, filter, lang, facts, ..plain });
        let found = found.map(|found| found.into_iter().map(|(place, _)| place));
        if limit.is_some() {
            answered(found.map(|found| found.collect::<Vec<_>>()))
        } else {
            one(found.map(|mut found| found.next()))
        }
    }

    /// The best place for each of 1 to 100 questions, in order, with the names and the facts that `options` ask for.
    ///
    /// # Errors
    /// `invalid_argument` if `questions` is not an array of 1 to 100 questions.
    pub fn batch(&self, questions: Vec<JsValue>, options: JsValue) -> Result<JsValue, JsValue> {
        if questions.is_empty() || questions.len() > MAX_BATCH {
            return Err(invalid("queries array must contain between 1 and 100 items"));
        }
        let options = Arguments(options);
        let (lang, facts) = (options.text("lang"), options.facts()?);
        let shown = Shown { lang: lang.as_deref(), facts };
        let answer = |question: JsValue| {
            let question = Arguments(question);
            let (text, fields) = (question.text("text"), question.fields());
            let asked = match (question.has("lat"), question.coordinate()) {
                (true, Some(point)) => Question::Point(point),
                (true, None) => return Answer::Ready(Outcome::Error { error: RANGES.to_owned() }),
                (false, _) => asked(&text, &fields),
            };
            self.geocode().outcome(asked, shown)
        };
        answered(Answer::all(questions.into_iter().map(answer)))
    }

    /// The place with `id` or `ref`; `null` if the index lacks it.
    ///
    /// # Errors
    /// `invalid_argument` if neither is a reference.
    pub fn place(&self, question: JsValue) -> Result<JsValue, JsValue> {
        let question = Arguments(question);
        let by_id = || whole(question.number("id")?).map(Reference::Id);
        let by_code = || question.text("ref")?.parse().ok();
        let reference = by_id().or_else(by_code).ok_or_else(|| {
            invalid("a place is a place_id, or iata:, icao:, iso: or geonames: and a code, such as iata:CDG")
        })?;
        let (lang, facts) = (question.text("lang"), question.facts()?);
        let shown = Shown { lang: lang.as_deref(), facts };
        one(self.geocode().place(&reference, shown))
    }

    /// Whether an index has names in a language (a BCP 47 tag), or in one of its shorter tags.
    pub fn has_language(&self, tag: &str) -> bool {
        self.geocode().has_language(tag)
    }

    /// Title, date and attribution of each index: an array, the first index first.
    ///
    /// # Errors
    /// None that a caller can cause.
    pub fn about(&self) -> Result<JsValue, JsValue> {
        to_js(&self.geocode().about_each())
    }
}

impl Geocoder {
    fn geocode(&self) -> &dyn Geocode {
        match &self.source {
            Source::Whole(engine) => engine,
            #[cfg(feature = "pages")]
            Source::Paged(paged) => &**paged,
        }
    }

    /// Reads a question and calls `answer` with its search.
    fn search(
        &self,
        question: JsValue,
        max_limit: usize,
        answer: &dyn Fn(&Search) -> Result<JsValue, JsValue>,
    ) -> Result<JsValue, JsValue> {
        let question = Arguments(question);
        let (text, fields) = (question.text("text"), question.fields());
        let asked = asked(&text, &fields);
        if let Some(fault) = asked.fault() {
            return Err(invalid(&fault));
        }
        let limit = question.limit(DEFAULT_LIMIT, max_limit)?;
        let focus = Arguments(question.get("focus"));
        if !focus.0.is_undefined() && focus.coordinate().is_none() {
            return Err(invalid("focus.lat must be between -90 and 90, focus.lon between -180 and 180"));
        }
        let (lang, countries, types) = (question.text("lang"), question.countries()?, question.texts("types"));
        let types = self.known(&types)?;
        let search = asked.search(limit).unwrap_or_else(|| Search::new("", limit));
        let search = search.filtered(question.filter(&countries, &types)?);
        let facts = question.facts()?;
        answer(&Search { lang: lang.as_deref(), focus: focus.coordinate(), facts, ..search })
    }

    /// The types, if the index has them all.
    fn known<'t>(&self, types: &'t [String]) -> Result<Vec<&'t str>, JsValue> {
        match types.iter().find(|name| !self.geocode().has_type(name)) {
            Some(unknown) => Err(invalid(&format!(
                "types must be kinds of places such as city, airport or museum: {unknown} is none"
            ))),
            None => Ok(types.iter().map(String::as_str).collect()),
        }
    }
}

const RANGES: &str = "lat must be between -90 and 90, lon between -180 and 180";

impl Arguments {
    fn get(&self, name: &str) -> JsValue {
        // Reading a field of a plain object cannot fail.
        Reflect::get(&self.0, &name.into()).unwrap_or(JsValue::UNDEFINED)
    }

    fn has(&self, name: &str) -> bool {
        !self.get(name).is_undefined()
    }

    fn text(&self, name: &str) -> Option<String> {
        self.get(name).as_string()
    }

    fn number(&self, name: &str) -> Option<f64> {
        self.get(name).as_f64()
    }

    fn list(&self, name: &str) -> Array {
        if self.has(name) { Array::from(&self.get(name)) } else { Array::new() }
    }

    fn texts(&self, name: &str) -> Vec<String> {
        self.list(name).iter().filter_map(|value| value.as_string()).collect()
    }

    fn fields(&self) -> [Option<String>; 5] {
        ["name", "city", "county", "state", "country"].map(|name| self.text(name))
    }

    /// The facts that `fields` names: an array, or the text `all`.
    fn facts(&self) -> Result<FactSet, JsValue> {
        let names = self.text("fields").map_or_else(|| self.texts("fields"), |all| vec![all]);
        if names.is_empty() {
            return Ok(FactSet::default());
        }
        names.join(",").parse().map_err(|_| {
            let known = Fact::ALL.map(Fact::name).join(", ");
            invalid(&format!("fields must be \"all\", or an array of some of these: {known}"))
        })
    }

    fn coordinate(&self) -> Option<Coordinate> {
        Coordinate::new(self.number("lat")?, self.number("lon")?)
    }

    fn limit(&self, default: usize, most: usize) -> Result<usize, JsValue> {
        let limit = self.number("limit").unwrap_or(default as f64);
        let is_good = limit.fract() == 0.0 && (1.0..=most as f64).contains(&limit);
        if is_good {
            Ok(limit as usize)
        } else {
            Err(invalid(&format!("limit must be an integer between 1 and {most}")))
        }
    }

    fn countries(&self) -> Result<Vec<[u8; 2]>, JsValue> {
        let codes = self.texts("countries").iter().map(|code| country_code(code)).collect::<Option<_>>();
        codes.ok_or_else(|| invalid("countries must be ISO 3166-1 alpha-2 codes"))
    }

    fn filter<'q>(&self, countries: &'q [[u8; 2]], types: &'q [&'q str]) -> Result<Filter<'q>, JsValue> {
        let bounds = || {
            let side = |at: u32| self.list("bbox").get(at).as_f64();
            let (west, south, east, north) = (side(0)?, side(1)?, side(2)?, side(3)?);
            Coordinate::new(south, west).and(Coordinate::new(north, east)).filter(|_| south <= north)?;
            Some(Bounds { south, north, west, east })
        };
        let (bounds, within) = (bounds(), self.number("within").and_then(whole));
        if self.has("bbox") && bounds.is_none() {
            return Err(invalid("bbox must be [west, south, east, north] in degrees, with south at most north"));
        }
        if self.has("within") && within.is_none() {
            return Err(invalid("within must be a place_id"));
        }
        Ok(Filter { types, bounds, within, ..Filter::in_countries(countries) })
    }
}

fn asked<'q>(text: &'q Option<String>, fields: &'q [Option<String>; 5]) -> Question<'q> {
    let [name, city, county, state, country] = fields.each_ref().map(Option::as_deref);
    let fields = Structured { name, city, county, state, country };
    text.as_deref().map_or(Question::Fields(fields), Question::Text)
}

/// The greatest integer below which every integer is a number of JavaScript.
const MAX_SAFE: f64 = 9_007_199_254_740_991.0;

fn whole(number: f64) -> Option<u64> {
    (number.fract() == 0.0 && (1.0..=MAX_SAFE).contains(&number)).then_some(number as u64)
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

/// A place, `null` for none, or the pages that the answer needs.
fn one<T: Serialize>(answer: Answer<Option<T>>) -> Result<JsValue, JsValue> {
    match answer {
        Answer::Ready(None) => Ok(JsValue::NULL),
        answer => answered(answer),
    }
}

/// An answer, or the pages that it needs.
fn answered<T: Serialize>(answer: Answer<T>) -> Result<JsValue, JsValue> {
    match answer {
        Answer::Ready(answer) => to_js(&answer),
        Answer::Missing(pages) => missing(&pages),
    }
}

fn missing(pages: &[PageId]) -> Result<JsValue, JsValue> {
    to_js(&Missing { missing: pages.iter().map(|page| page.number()).collect() })
}

fn invalid_index(error: OpenError) -> JsValue {
    js_error("invalid_index", &error.to_string())
}

fn invalid(message: &str) -> JsValue {
    js_error("invalid_argument", message)
}

fn js_error(code: &str, message: &str) -> JsValue {
    let error = js_sys::Error::new(message);
    // Setting a property of a fresh object cannot fail.
    let _ = Reflect::set(&error, &"code".into(), &code.into());
    error.into()
}
