//! The class `Geocoder`: one index, or several that answer together.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use toponym_engine::geo::Coordinate;
use toponym_engine::{Engine, Question, Reference, Search, Shown, Structured};

use crate::answers::Answers;
use crate::batch::{self, Asked};
use crate::columns::{Numbers, Texts};
use crate::nearest::{self, Nearest};
use crate::open;
use crate::options::{FIELDS, FILTERS, Keywords, RANGES};
use crate::reply::{invalid, object};

/// Default limit of forward and autocomplete, as in the HTTP contract.
const DEFAULT_LIMIT: usize = 5;

/// Largest limits, as in the HTTP contract.
const MAX_FORWARD_LIMIT: usize = 50;
const MAX_AUTOCOMPLETE_LIMIT: usize = 10;

/// Finds places in one index, or in several that answer together.
///
/// `Geocoder()` opens the index of the wheel; `Geocoder("index.toponym", ...)` opens files, or their bytes. It can be used by
/// several threads at once, and pickled: it opens its files again where it is unpickled.
#[pyclass(module = "toponym", frozen, weakref)]
pub struct Geocoder {
    engine: Engine,
    /// As given, to be opened again by another process.
    indexes: Py<PyTuple>,
}

#[pymethods]
impl Geocoder {
    #[new]
    #[pyo3(signature = (*indexes))]
    fn new(py: Python<'_>, indexes: Bound<'_, PyTuple>) -> PyResult<Self> {
        Ok(Self { engine: open::all(py, &indexes)?, indexes: indexes.unbind() })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, Py<PyTuple>) {
        (slf.get_type().into_any(), slf.get().indexes.clone_ref(slf.py()))
    }

    fn __repr__(&self) -> String {
        let titles: Vec<&str> = self.engine.about_each().map(|about| about.title.as_str()).collect();
        format!("<toponym.Geocoder: {}>", titles.join(" + "))
    }

    /// The places for a text or fields: a list of dicts, the most relevant first.
    #[pyo3(signature = (query=None, **keywords), text_signature = "($self, query=None, *, name=None, city=None, county=None, \
        state=None, country=None, limit=5, lang=None, countrycodes=None, types=None, bbox=None, within=None, focus=None, \
        fields=None)")]
    fn forward(
        &self,
        py: Python<'_>,
        query: Option<String>,
        keywords: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Py<PyAny>> {
        let keywords = Keywords::new(keywords, "forward", &[&FIELDS, &["limit", "focus"], &FILTERS])?;
        let mut fields: [Option<String>; 5] = Default::default();
        for (field, name) in fields.iter_mut().zip(FIELDS) {
            *field = keywords.get(name, "a str")?;
        }
        let asked = question(query.as_deref(), fields.each_ref().map(Option::as_deref))?;
        self.search(py, asked, &keywords, MAX_FORWARD_LIMIT, |search| self.engine.forward(search))
    }

    /// Suggestions for a text whose last term may be unfinished: a list of dicts, the most relevant first.
    #[pyo3(signature = (query, **keywords), text_signature = "($self, query, *, limit=5, lang=None, countrycodes=None, types=None, \
        bbox=None, within=None, focus=None, fields=None)")]
    fn autocomplete(&self, py: Python<'_>, query: String, keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Py<PyAny>> {
        let keywords = Keywords::new(keywords, "autocomplete", &[&["limit", "focus"], &FILTERS])?;
        let asked = Question::Text(&query);
        self.search(py, asked, &keywords, MAX_AUTOCOMPLETE_LIMIT, |search| self.engine.autocomplete(search))
    }

    /// The place at a point: a dict, or `None` at sea and far from everything. With `limit`, a list of the nearest places.
    #[pyo3(signature = (lat, lon, **keywords), text_signature = "($self, lat, lon, *, limit=None, radius=None, lang=None, \
        countrycodes=None, types=None, bbox=None, within=None, fields=None)")]
    fn reverse(&self, py: Python<'_>, lat: f64, lon: f64, keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Py<PyAny>> {
        let keywords = Keywords::new(keywords, "reverse", &[&["limit"], &nearest::KEYWORDS, &FILTERS])?;
        let nearest = Nearest::read(&keywords, &self.engine)?;
        let point = Coordinate::new(lat, lon).ok_or_else(|| invalid(RANGES))?;
        let places = py.detach(|| nearest.places(&self.engine, point));
        if nearest.limit.is_some() { object(py, &places) } else { object(py, &places.first()) }
    }

    /// The place with a `place_id`, or with a code such as `iata:CDG`; `None` if the index lacks it.
    #[pyo3(signature = (reference, *, lang=None, fields=None))]
    fn place(
        &self,
        py: Python<'_>,
        reference: &Bound<'_, PyAny>,
        lang: Option<Bound<'_, PyAny>>,
        fields: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let shown = PyDict::new(py);
        shown.set_item("lang", lang)?;
        shown.set_item("fields", fields)?;
        let options = Keywords::new(Some(&shown), "place", &[&FILTERS])?.options(&self.engine)?;
        let reference = read_reference(reference)?;
        let shown = Shown { lang: options.lang.as_deref(), facts: options.facts };
        let place = py.detach(|| self.engine.place(&reference, shown));
        object(py, &place)
    }

    /// The best place for every row: an Arrow table, with a row for each. Columns are lists, arrays and series; a str is the
    /// same for all rows.
    #[pyo3(signature = (query=None, **keywords), text_signature = "($self, query=None, *, name=None, city=None, county=None, \
        state=None, country=None, lang=None, countrycodes=None, types=None, bbox=None, within=None, focus=None, fields=None, \
        jobs=None)")]
    fn batch(
        &self,
        py: Python<'_>,
        query: Option<&Bound<'_, PyAny>>,
        keywords: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Answers> {
        let keywords = Keywords::new(keywords, "batch", &[&FIELDS, &["focus", "jobs"], &FILTERS])?;
        let query = query.filter(|query| !query.is_none()).map(|query| Texts::read("query", query)).transpose()?;
        let mut fields: [Option<Texts>; 5] = Default::default();
        for (field, name) in fields.iter_mut().zip(FIELDS) {
            *field = keywords.any(name)?.map(|column| Texts::read(name, &column)).transpose()?;
        }
        let asked =
            Asked { query, fields, options: keywords.options(&self.engine)?.with_names(), focus: keywords.focus()? };
        batch::forward(py, &self.engine, &asked, jobs(&keywords)?)
    }

    /// The place at every point: an Arrow table, with a row for each. `lats` and `lons` are lists, arrays or series of numbers.
    #[pyo3(signature = (lats, lons, **keywords), text_signature = "($self, lats, lons, *, radius=None, lang=None, countrycodes=None, \
        types=None, bbox=None, within=None, fields=None, jobs=None)")]
    fn reverse_batch(
        &self,
        py: Python<'_>,
        lats: &Bound<'_, PyAny>,
        lons: &Bound<'_, PyAny>,
        keywords: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Answers> {
        let keywords = Keywords::new(keywords, "reverse_batch", &[&nearest::KEYWORDS, &["jobs"], &FILTERS])?;
        let nearest = Nearest::read(&keywords, &self.engine)?.with_names();
        let (lats, lons) = (Numbers::read("lats", lats)?, Numbers::read("lons", lons)?);
        batch::reverse(py, &self.engine, &nearest, (&lats, &lons), jobs(&keywords)?)
    }

    /// Whether the index has names in a language (a BCP 47 tag), or in one of its shorter tags.
    fn has_language(&self, tag: &str) -> bool {
        self.engine.has_language(tag)
    }

    /// Title, date and attribution of each index. Show the attribution wherever you show results.
    fn about(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        object(py, &self.engine.about_each().collect::<Vec<_>>())
    }
}

impl Geocoder {
    /// Reads the options of a question, and calls `answer` with its search: without Python's lock, so that other threads run.
    fn search<T: serde::Serialize + Send>(
        &self,
        py: Python<'_>,
        asked: Question,
        keywords: &Keywords,
        max_limit: usize,
        answer: impl FnOnce(&Search) -> Vec<T> + Send,
    ) -> PyResult<Py<PyAny>> {
        if let Some(fault) = asked.fault() {
            return Err(invalid(fault));
        }
        let limit = keywords.limit(max_limit)?.unwrap_or(DEFAULT_LIMIT);
        let (focus, options) = (keywords.focus()?, keywords.options(&self.engine)?);
        let types = options.types();
        let search = asked.search(limit).unwrap_or_else(|| Search::new("", limit)).filtered(options.filter(&types));
        let search = Search { lang: options.lang.as_deref(), focus, facts: options.facts, ..search };
        let found = py.detach(|| answer(&search));
        object(py, &found)
    }
}

/// A text alone is a text; beside fields it is the name.
fn question<'q>(query: Option<&'q str>, fields: [Option<&'q str>; 5]) -> PyResult<Question<'q>> {
    let [name, city, county, state, country] = fields;
    if query.is_some() && name.is_some() {
        return Err(invalid("give query or name, not both: beside fields, query is the name"));
    }
    let structured = Structured { name: query.or(name), city, county, state, country };
    Ok(match query {
        Some(text) if fields == [None; 5] => Question::Text(text),
        _ => Question::Fields(structured),
    })
}

fn jobs(keywords: &Keywords) -> PyResult<usize> {
    let jobs: Option<i64> = keywords.get("jobs", "a number of threads")?;
    let all = || std::thread::available_parallelism().map_or(1, usize::from);
    let read = |jobs| usize::try_from(jobs).ok().filter(|&jobs| jobs > 0);
    jobs.map_or_else(|| Ok(all()), |jobs| read(jobs).ok_or_else(|| invalid("jobs must be at least 1")))
}

/// A `place_id`, or a code such as `iata:CDG`.
fn read_reference(reference: &Bound<'_, PyAny>) -> PyResult<Reference> {
    const FORMS: &str = "a place is a place_id, or iata:, icao:, iso: or geonames: and a code, such as \"iata:CDG\"";
    if let Ok(text) = reference.extract::<String>() {
        return text.parse().map_err(|_| invalid(FORMS));
    }
    let id: i64 = reference.extract().map_err(|_| PyTypeError::new_err(FORMS))?;
    u64::try_from(id).ok().filter(|&id| id > 0).map(Reference::Id).ok_or_else(|| invalid(FORMS))
}
