//! The engine for JavaScript: one class, which wraps an opened index. It does no I/O: the caller passes the bytes.
//!
//! Every method throws an `Error` with a `code` (`invalid_index`, `invalid_argument`). The instance stays usable after one.

use js_sys::Array;
use serde::Serialize;
use toponym_engine::pages::PageId;
#[cfg(feature = "pages")]
use toponym_engine::pages::Paged;
use toponym_engine::{
    Answer, Engine, Fact, Filter, Geocode, MAX_RADIUS_M, Nearby, Outcome, Question, Reference, Search, Shown,
    Structured, Suggestion,
};
use wasm_bindgen::prelude::*;

mod arguments;
mod errors;
#[cfg(feature = "pages")]
mod pages;
mod value;

use arguments::Arguments;
use errors::{invalid, invalid_index};
use value::to_js;

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
        self.search(&Arguments::of(question), MAX_FORWARD_LIMIT, &|search| answered(self.geocode().forward(search)))
    }

    /// Suggestions for a `text` whose last term may be unfinished: an array, the most relevant first. Empty for a blank
    /// text, which is how every search field begins.
    ///
    /// # Errors
    /// `invalid_argument` if the text is too long, or an option is out of range.
    pub fn autocomplete(&self, question: JsValue) -> Result<JsValue, JsValue> {
        let question = Arguments::of(question);
        if question.text().is_some_and(|text| text.trim().is_empty()) {
            return Ok(Array::new().into());
        }
        self.search(&question, MAX_AUTOCOMPLETE_LIMIT, &|search| {
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
        self.search(&Arguments::of(question), MAX_FORWARD_LIMIT, &|search| {
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
        let question = Arguments::of(question);
        let point = question.coordinate().ok_or_else(|| invalid(RANGES))?;
        let (countries, types) = (question.countries()?, question.types());
        let types = self.known(&types)?;
        let filter = question.filter(&countries, &types)?;
        let (lang, limit, radius_m) = (question.lang(), question.limit(), question.radius());
        let (lang, facts) = (lang.as_deref(), question.facts()?);
        if limit.is_none() && radius_m.is_none() && filter == Filter::default() {
            return one(self.geocode().reverse(point, Shown { lang, facts }));
        }
        let plain = Nearby::new(point, question.limit_within(1, MAX_REVERSE_LIMIT)?);
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
        let options = Arguments::of(options);
        let (lang, facts) = (options.lang(), options.facts()?);
        let shown = Shown { lang: lang.as_deref(), facts };
        let answer = |question: JsValue| {
            let question = Arguments::of(question);
            let (text, fields) = (question.text(), question.parts());
            let asked = match (question.is_point(), question.coordinate()) {
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
        let question = Arguments::of(question);
        let by_id = || question.id().map(Reference::Id);
        let by_code = || question.code()?.parse().ok();
        let reference = by_id().or_else(by_code).ok_or_else(|| {
            invalid("a place is a place_id, or iata:, icao:, iso: or geonames: and a code, such as iata:CDG")
        })?;
        let (lang, facts) = (question.lang(), question.facts()?);
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
        question: &Arguments,
        max_limit: usize,
        answer: &dyn Fn(&Search) -> Result<JsValue, JsValue>,
    ) -> Result<JsValue, JsValue> {
        let (text, fields) = (question.text(), question.parts());
        let asked = asked(&text, &fields);
        if let Some(fault) = asked.fault() {
            return Err(invalid(&fault));
        }
        let limit = question.limit_within(DEFAULT_LIMIT, max_limit)?;
        let focus = question.focus_point()?;
        let (lang, countries, types) = (question.lang(), question.countries()?, question.types());
        let types = self.known(&types)?;
        let search = asked.search(limit).unwrap_or_else(|| Search::new("", limit));
        let search = search.filtered(question.filter(&countries, &types)?);
        let facts = question.facts()?;
        answer(&Search { lang: lang.as_deref(), focus, facts, ..search })
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

fn asked<'q>(text: &'q Option<String>, fields: &'q [Option<String>; 5]) -> Question<'q> {
    let [name, city, county, state, country] = fields.each_ref().map(Option::as_deref);
    let fields = Structured { name, city, county, state, country };
    text.as_deref().map_or(Question::Fields(fields), Question::Text)
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
