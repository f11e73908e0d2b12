//! The class `Geocoder`: one index, or several that answer together.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use toponym_engine::request::{
    AUTOCOMPLETE, FIELDS, FORWARD, NearOptions, Operation, Options, TextRoute, Value, point_at,
};
use toponym_engine::{Engine, Fact, Reference, Search};

use crate::answers::Answers;
use crate::batch::{self, Asked};
use crate::cities::{self, Points};
use crate::columns::{Numbers, Texts};
use crate::open;
use crate::options::{Keywords, wrong};
use crate::reply::{invalid, object};

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

    /// Returns the places for a text or fields: a list of dicts, the most relevant first.
    #[pyo3(signature = (query=None, **keywords), text_signature = "($self, query=None, *, name=None, city=None, county=None, \
        state=None, country=None, limit=5, lang=None, countrycodes=None, types=None, bbox=None, within=None, focus=None, \
        fields=None)")]
    fn forward(
        &self,
        py: Python<'_>,
        query: Option<String>,
        keywords: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Py<PyAny>> {
        let keywords = Keywords::new(keywords, "forward", FORWARD.operation, (&["query"], &[]))?;
        self.search(py, &FORWARD, ("query", query), &keywords, |search| self.engine.forward(search))
    }

    /// Returns suggestions for a text whose last term may be unfinished: a list of dicts, the most relevant first.
    #[pyo3(signature = (query, **keywords), text_signature = "($self, query, *, limit=5, lang=None, countrycodes=None, types=None, \
        bbox=None, within=None, focus=None, fields=None)")]
    fn autocomplete(&self, py: Python<'_>, query: String, keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Py<PyAny>> {
        let keywords = Keywords::new(keywords, "autocomplete", AUTOCOMPLETE.operation, (&["q"], &[]))?;
        self.search(py, &AUTOCOMPLETE, ("q", Some(query)), &keywords, |search| self.engine.autocomplete(search))
    }

    /// Returns the place at a point: a dict, or `None` at sea and far from everything. With `limit`, a list of the nearest
    /// places.
    #[pyo3(signature = (lat, lon, **keywords), text_signature = "($self, lat, lon, *, limit=None, radius=None, lang=None, \
        countrycodes=None, types=None, bbox=None, within=None, fields=None)")]
    fn reverse(&self, py: Python<'_>, lat: f64, lon: f64, keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Py<PyAny>> {
        let keywords = Keywords::new(keywords, "reverse", Operation::Reverse, (&POINT, &[]))?;
        let near = NearOptions::read(&keywords.values(Operation::Reverse, &POINT)?).map_err(wrong)?;
        let point = point_at(Some(lat), Some(lon)).map_err(wrong)?;
        let places = py.detach(|| near.places(point, &self.engine)).map_err(wrong)?.unwrap();
        if near.limit.is_some() { object(py, &places) } else { object(py, &places.first()) }
    }

    /// Returns the place with a `place_id`, or with a code such as `iata:CDG`; `None` if the index lacks it.
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
        let keywords = Keywords::new(Some(&shown), "place", Operation::Place, (&[], &[]))?;
        let options = Options::read(&keywords.values(Operation::Place, &[])?).map_err(wrong)?;
        let reference = read_reference(reference)?;
        let place = py.detach(|| self.engine.place(&reference, options.to_shown(&self.engine)));
        object(py, &place)
    }

    /// Finds the best place for every row: an Arrow table, with a row for each. Columns are lists, arrays and series; a str is
    /// the same for all rows.
    #[pyo3(signature = (query=None, **keywords), text_signature = "($self, query=None, *, name=None, city=None, county=None, \
        state=None, country=None, lang=None, countrycodes=None, types=None, bbox=None, within=None, focus=None, fields=None, \
        jobs=None)")]
    fn batch(
        &self,
        py: Python<'_>,
        query: Option<&Bound<'_, PyAny>>,
        keywords: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Answers> {
        let keywords = Keywords::new(keywords, "batch", Operation::Forward, (&["query", "limit"], &["jobs"]))?;
        let query = query.filter(|query| !query.is_none()).map(|query| Texts::read("query", query)).transpose()?;
        let mut fields: [Option<Texts>; 5] = Default::default();
        for (field, name) in fields.iter_mut().zip(FIELDS) {
            *field = keywords.any(name)?.map(|column| Texts::read(name, &column)).transpose()?;
        }
        let columns: Vec<&str> = FIELDS.into_iter().chain(["query", "limit"]).collect();
        let options = Options::with_focus(&keywords.values(Operation::Forward, &columns)?).map_err(wrong)?;
        let asked = Asked { query, fields, options: with_names(options) };
        batch::forward(py, &self.engine, &asked, jobs(&keywords)?)
    }

    /// Finds the place at every point: an Arrow table, with a row for each. `lats` and `lons` are lists, arrays or series of
    /// numbers.
    #[pyo3(signature = (lats, lons, **keywords), text_signature = "($self, lats, lons, *, radius=None, lang=None, countrycodes=None, \
        types=None, bbox=None, within=None, fields=None, jobs=None)")]
    fn reverse_batch(
        &self,
        py: Python<'_>,
        lats: &Bound<'_, PyAny>,
        lons: &Bound<'_, PyAny>,
        keywords: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Answers> {
        let without = ["lat", "lon", "limit"];
        let keywords = Keywords::new(keywords, "reverse_batch", Operation::Reverse, (&without, &["jobs"]))?;
        let near = NearOptions::read(&keywords.values(Operation::Reverse, &without)?).map_err(wrong)?;
        let near = NearOptions { options: with_names(near.options), ..near };
        let lats = Numbers::read("lats", lats)?;
        let lons = Numbers::read("lons", lons)?;
        batch::reverse(py, &self.engine, &near, (&lats, &lons), jobs(&keywords)?)
    }

    /// Finds the city at every point: the answers of the drop-in for reverse_geocoder.
    #[pyo3(signature = (points, jobs=None))]
    fn _cities_at<'py>(
        &self,
        py: Python<'py>,
        points: &Bound<'py, PyList>,
        jobs: Option<usize>,
    ) -> PyResult<Bound<'py, PyList>> {
        cities::records(py, &self.engine, &Points::read(points)?, jobs.unwrap_or_else(all_cores))
    }

    /// Tells whether the index has names in a language (a BCP 47 tag), or in one of its shorter tags.
    fn has_language(&self, tag: &str) -> bool {
        self.engine.has_language(tag)
    }

    /// Returns title, date and attribution of each index. Show the attribution wherever you show results.
    fn about(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        object(py, &self.engine.about_each().collect::<Vec<_>>())
    }
}

impl Geocoder {
    /// Reads a question, and calls `answer` with its search: without Python's lock, so that other threads run.
    fn search<T: serde::Serialize + Send>(
        &self,
        py: Python<'_>,
        route: &TextRoute,
        (name, text): (&str, Option<String>),
        keywords: &Keywords,
        answer: impl FnOnce(&Search) -> Vec<T> + Send,
    ) -> PyResult<Py<PyAny>> {
        let mut values = keywords.values(route.operation, &[name])?;
        text.into_iter().for_each(|text| values.put_named(route.operation, name, Value::Text(text)));
        let request = route.read(&values).map_err(wrong)?;
        let found = py.detach(|| request.search(&self.engine, answer)).map_err(wrong)?;
        object(py, &found)
    }
}

/// Names of the arguments that are given by position.
const POINT: [&str; 2] = ["lat", "lon"];

/// Adds the name of each place to the facts: beside the display name, it is a column of every batch.
fn with_names(options: Options) -> Options {
    Options { facts: options.facts.with(Fact::Name), ..options }
}

fn jobs(keywords: &Keywords) -> PyResult<usize> {
    let jobs: Option<i64> = keywords.get("jobs", "a number of threads")?;
    let Some(jobs) = jobs else { return Ok(all_cores()) };
    usize::try_from(jobs).ok().filter(|&jobs| jobs > 0).ok_or_else(|| invalid("jobs must be at least 1"))
}

fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Reads a `place_id`, or a code such as `iata:CDG`.
fn read_reference(reference: &Bound<'_, PyAny>) -> PyResult<Reference> {
    const FORMS: &str = "a place is a place_id, or iata:, icao:, iso: or geonames: and a code, such as \"iata:CDG\"";
    if let Ok(text) = reference.extract::<String>() {
        return text.parse().map_err(|_| invalid(FORMS));
    }
    let id: i64 = reference.extract().map_err(|_| PyTypeError::new_err(FORMS))?;
    u64::try_from(id).ok().filter(|&id| id > 0).map(Reference::Id).ok_or_else(|| invalid(FORMS))
}
