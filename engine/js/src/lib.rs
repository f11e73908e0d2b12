//! The engine for JavaScript: one class, which wraps an opened index. It does no I/O: the caller passes the bytes.
//!
//! Every method throws an `Error` with a `code` (`invalid_index`, `invalid_argument`). The instance stays usable after one.

use js_sys::Array;
use serde::{Serialize, Serializer};
use toponym_engine::pages::PageId;
#[cfg(feature = "pages")]
use toponym_engine::pages::Paged;
use toponym_engine::request::{
    AUTOCOMPLETE, FORWARD, Fault, Lookup, Operation, Options, PointRequest, TextRoute, Values, check_count,
};
use toponym_engine::{About, Answer, Engine, Fact, Geocode, Search, Suggestion};
use wasm_bindgen::prelude::*;

mod arguments;
mod errors;
mod json;
#[cfg(feature = "pages")]
mod pages;

use arguments::{item, values};
use errors::{invalid, invalid_index};
use json::to_js;

/// A geocoder for one index, for several that answer together, or for an index in pages.
///
/// Of an index in pages, a method that needs pages returns `{ missing }` in place of its answer: the numbers of the pages that
/// have to be inserted before it is asked again.
#[wasm_bindgen]
pub struct Geocoder {
    source: Source,
}

/// Source of the answers of a geocoder: whole indexes, or an index in pages.
enum Source {
    Whole(Engine),
    #[cfg(feature = "pages")]
    Paged(Box<Paged>),
}

/// Numbers of the pages that the answer to a question needs.
#[derive(Serialize)]
struct Missing {
    missing: Vec<u32>,
}

/// Facts about an index, for its users.
#[derive(Serialize)]
struct Credits<'i> {
    title: &'i str,
    data_date: &'i str,
    attribution: &'i [String],
}

/// Suggestions with what a program needs to know of them.
struct AllKnown<'s>(&'s [Suggestion]);

impl Serialize for AllKnown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(Known::of))
    }
}

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

    /// Adds the index of another geocoder behind its own, and frees the other one.
    ///
    /// # Errors
    /// `invalid_argument` if the other one is in pages: of several only the first can be.
    pub fn join(&mut self, other: Geocoder) -> Result<(), JsValue> {
        match (&mut self.source, other.source) {
            (Source::Whole(engine), Source::Whole(other)) => engine.join(other),
            #[cfg(feature = "pages")]
            (Source::Paged(paged), Source::Whole(other)) => paged.join(other),
            #[cfg(feature = "pages")]
            (_, Source::Paged(_)) => return Err(invalid("of several indexes only the first can be in pages")),
        }
        Ok(())
    }

    /// Returns the places for `text` or fields: an array, the most relevant first.
    ///
    /// # Errors
    /// `invalid_argument` if a text is blank or too long, or an option is out of range.
    pub fn forward(&self, question: JsValue) -> Result<JsValue, JsValue> {
        self.search(&FORWARD, &values(Operation::Forward, &question), &|search| {
            to_js_answer(self.geocode().forward(search))
        })
    }

    /// Returns suggestions for a `text` whose last term may be unfinished: an array, the most relevant first. Empty for a
    /// blank text, which is how every search field begins.
    ///
    /// # Errors
    /// `invalid_argument` if the text is too long, or an option is out of range.
    pub fn autocomplete(&self, question: JsValue) -> Result<JsValue, JsValue> {
        let values = values(Operation::Autocomplete, &question);
        if values.text("q").is_some_and(|text| text.trim().is_empty()) {
            return Ok(Array::new().into());
        }
        self.search(&AUTOCOMPLETE, &values, &|search| {
            let search = Search { facts: search.facts.with(Fact::Name), ..*search };
            match self.geocode().autocomplete(&search) {
                Answer::Ready(found) => to_js(&AllKnown(&found)),
                Answer::Missing(pages) => missing_pages(&pages),
            }
        })
    }

    /// Returns the candidates of a question with their signals: those of `autocomplete` if `unfinished`, or else those of
    /// `forward`.
    ///
    /// # Errors
    /// `invalid_argument` if a text is blank or too long, or an option is out of range.
    pub fn explain(&self, question: JsValue, unfinished: bool) -> Result<JsValue, JsValue> {
        self.search(&FORWARD, &values(Operation::Forward, &question), &|search| {
            let geocode = self.geocode();
            to_js_answer(if unfinished {
                geocode.explain_autocomplete(search)
            } else {
                geocode.explain_forward(search)
            })
        })
    }

    /// Returns the place at `point`; `null` at sea and far from everything. With `limit`, an array of the nearest places that
    /// pass the filters.
    ///
    /// # Errors
    /// `invalid_argument` if the point or an option is out of range.
    pub fn reverse(&self, question: JsValue) -> Result<JsValue, JsValue> {
        let asked = PointRequest::read(&values(Operation::Reverse, &question)).map_err(wrong)?;
        let found = asked.near.places(asked.point, self.geocode()).map_err(wrong)?;
        if asked.near.limit.is_some() { to_js_answer(found) } else { one(found.map(|found| found.into_iter().next())) }
    }

    /// Returns the best place for each of 1 to 100 questions, in order, with the names and the facts that `options` ask for.
    ///
    /// # Errors
    /// `invalid_argument` if `questions` is not an array of 1 to 100 questions.
    pub fn batch(&self, questions: Vec<JsValue>, options: JsValue) -> Result<JsValue, JsValue> {
        check_count(questions.len()).map_err(wrong)?;
        let options = Options::read(&values(Operation::Batch, &options)).map_err(wrong)?;
        let shown = options.to_shown(self.geocode());
        to_js_answer(Answer::all(questions.iter().map(|question| item(question).answer(self.geocode(), shown))))
    }

    /// Returns the place with `id` or `ref`; `null` if the index lacks it.
    ///
    /// # Errors
    /// `invalid_argument` if neither is a reference.
    pub fn place(&self, question: JsValue) -> Result<JsValue, JsValue> {
        let values = values(Operation::Place, &question);
        let lookup = Lookup::read(values.get("place_id"), &values).map_err(wrong)?;
        one(lookup.place(self.geocode()))
    }

    /// Tells whether an index has names in a language (a BCP 47 tag), or in one of its shorter tags.
    pub fn has_language(&self, tag: &str) -> bool {
        self.geocode().has_language(tag)
    }

    /// Returns title, date and attribution of each index: an array, the first index first.
    ///
    /// # Errors
    /// None that a caller can cause.
    pub fn about(&self) -> Result<JsValue, JsValue> {
        let credits = self
            .geocode()
            .about_each()
            .into_iter()
            .map(|About { title, data_date, attribution, .. }| Credits { title, data_date, attribution });
        to_js(&credits.collect::<Vec<_>>())
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
        route: &TextRoute,
        values: &Values,
        answer: &dyn Fn(&Search) -> Result<JsValue, JsValue>,
    ) -> Result<JsValue, JsValue> {
        let request = route.read(values).map_err(wrong)?;
        request.search(self.geocode(), |search| answer(search)).map_err(wrong)?
    }
}

/// Creates the error for a wrong question.
fn wrong(fault: Fault) -> JsValue {
    invalid(&fault.into_message())
}

/// Returns a place, `null` for none, or the pages that the answer needs.
fn one<T: Serialize>(answer: Answer<Option<T>>) -> Result<JsValue, JsValue> {
    match answer {
        Answer::Ready(None) => Ok(JsValue::NULL),
        answer => to_js_answer(answer),
    }
}

/// Returns an answer, or the pages that it needs.
fn to_js_answer<T: Serialize>(answer: Answer<T>) -> Result<JsValue, JsValue> {
    match answer {
        Answer::Ready(answer) => to_js(&answer),
        Answer::Missing(pages) => missing_pages(&pages),
    }
}

fn missing_pages(pages: &[PageId]) -> Result<JsValue, JsValue> {
    to_js(&Missing { missing: pages.iter().map(|page| page.number()).collect() })
}
