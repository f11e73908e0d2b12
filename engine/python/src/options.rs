//! Reads the keyword arguments of a question: fields, filters, language, facts. Every method takes the ones that it names.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use toponym_engine::geo::{Bounds, Coordinate};
use toponym_engine::{Engine, Fact, FactSet, Filter};

use crate::reply::invalid;

/// What a point has to be.
pub const RANGES: &str = "lat must be between -90 and 90, lon between -180 and 180";

/// The parts of an address, the smallest first: keyword arguments that name what to find.
pub const FIELDS: [&str; 5] = ["name", "city", "county", "state", "country"];

/// Keyword arguments of all methods that filter places: the first entries of every list of names.
pub const FILTERS: [&str; 6] = ["lang", "fields", "countrycodes", "types", "bbox", "within"];

/// The keyword arguments of one call.
pub struct Keywords<'a, 'py> {
    given: Option<&'a Bound<'py, PyDict>>,
}

/// Which places may be answers, and how they are shown.
#[derive(Debug, Default)]
pub struct Options {
    /// The language of names.
    pub lang: Option<String>,
    /// Facts beside the contract.
    pub facts: FactSet,
    countries: Vec<[u8; 2]>,
    types: Vec<String>,
    bounds: Option<Bounds>,
    within: Option<u64>,
}

impl<'a, 'py> Keywords<'a, 'py> {
    /// The arguments of `method`, which takes those of the lists `known`.
    ///
    /// # Errors
    /// `TypeError` if one has another name.
    pub fn new(given: Option<&'a Bound<'py, PyDict>>, method: &str, known: &[&[&str]]) -> PyResult<Self> {
        for name in given.into_iter().flat_map(|dict| dict.keys()) {
            let name: String = name.extract()?;
            if !known.concat().contains(&name.as_str()) {
                let all = known.concat().join(", ");
                let message = format!("{method}() has no argument {name:?}: it takes {all}");
                return Err(PyTypeError::new_err(message));
            }
        }
        Ok(Self { given })
    }

    /// The argument `name`; `None` if it is missing or `None`.
    pub fn any(&self, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(given) = self.given else { return Ok(None) };
        Ok(given.get_item(name)?.filter(|value| !value.is_none()))
    }

    /// The argument `name` as a `T`.
    ///
    /// # Errors
    /// `TypeError` with `what` it must be.
    pub fn get<T: for<'e> FromPyObject<'e, 'py>>(&self, name: &str, what: &str) -> PyResult<Option<T>> {
        let Some(value) = self.any(name)? else { return Ok(None) };
        let wrong = || PyTypeError::new_err(format!("{name} must be {what}"));
        value.extract().map(Some).map_err(|_| wrong())
    }

    /// A text, or a list of texts.
    fn texts(&self, name: &str) -> PyResult<Vec<String>> {
        let Some(value) = self.any(name)? else { return Ok(Vec::new()) };
        if let Ok(text) = value.cast::<PyString>() {
            return Ok(text.to_str()?.split(',').map(|part| part.trim().to_owned()).collect());
        }
        let wrong = || PyTypeError::new_err(format!("{name} must be a str or a list of str"));
        value.extract().map_err(|_| wrong())
    }

    /// The integer `limit` from 1 to `most`.
    pub fn limit(&self, most: usize) -> PyResult<Option<usize>> {
        let must = format!("limit must be an integer between 1 and {most}");
        let limit: Option<i64> = self.get("limit", &format!("an integer between 1 and {most}"))?;
        let good = |limit: i64| usize::try_from(limit).ok().filter(|limit| (1..=most).contains(limit));
        limit.map(|limit| good(limit).ok_or_else(|| invalid(must))).transpose()
    }

    /// The point `focus`.
    pub fn focus(&self) -> PyResult<Option<Coordinate>> {
        let focus: Option<[f64; 2]> = self.get("focus", "a pair (lat, lon) of numbers")?;
        let point = |[lat, lon]: [f64; 2]| Coordinate::new(lat, lon).ok_or_else(|| invalid(format!("focus: {RANGES}")));
        focus.map(point).transpose()
    }

    /// Filters, language and facts.
    pub fn options(&self, engine: &Engine) -> PyResult<Options> {
        Ok(Options {
            lang: self.get("lang", "a str such as \"de\"")?,
            facts: self.facts()?,
            countries: self.texts("countrycodes")?.iter().map(|code| country(code)).collect::<PyResult<_>>()?,
            types: self.texts("types")?.into_iter().map(|name| known(engine, name)).collect::<PyResult<_>>()?,
            bounds: self.bounds()?,
            within: self.get("within", "a place_id")?,
        })
    }

    fn facts(&self) -> PyResult<FactSet> {
        let names = self.texts("fields")?;
        if names.is_empty() {
            return Ok(FactSet::default());
        }
        names.join(",").parse().map_err(|_| {
            let known = Fact::ALL.map(Fact::name).join(", ");
            invalid(format!("fields must be \"all\", or a list of some of these: {known}"))
        })
    }

    fn bounds(&self) -> PyResult<Option<Bounds>> {
        let sides: Option<[f64; 4]> = self.get("bbox", "four numbers (west, south, east, north)")?;
        let Some([west, south, east, north]) = sides else { return Ok(None) };
        let corners = Coordinate::new(south, west).and(Coordinate::new(north, east));
        let wrong = || invalid("bbox must be (west, south, east, north) in degrees, with south at most north");
        corners.filter(|_| south <= north).ok_or_else(wrong)?;
        Ok(Some(Bounds { south, north, west, east }))
    }
}

impl Options {
    /// With the name of each place beside its display name, which is a column of every batch.
    pub fn with_names(self) -> Self {
        Self { facts: self.facts.with(Fact::Name), ..self }
    }

    /// The types, as a filter borrows them.
    pub fn types(&self) -> Vec<&str> {
        self.types.iter().map(String::as_str).collect()
    }

    /// The filter, with the `types` of these options.
    pub fn filter<'q>(&'q self, types: &'q [&'q str]) -> Filter<'q> {
        Filter { types, bounds: self.bounds, within: self.within, ..Filter::in_countries(&self.countries) }
    }
}

fn country(code: &str) -> PyResult<[u8; 2]> {
    let upper = code.to_ascii_uppercase().into_bytes().try_into();
    let letters = upper.ok().filter(|code: &[u8; 2]| code.iter().all(u8::is_ascii_uppercase));
    letters
        .ok_or_else(|| invalid(format!("countrycodes must be ISO 3166-1 alpha-2 codes such as \"fr\", not {code:?}")))
}

fn known(engine: &Engine, name: String) -> PyResult<String> {
    let is_known = engine.has_type(&name);
    let wrong = || format!("types must be kinds of places such as city, airport or museum: {name} is none");
    if is_known { Ok(name) } else { Err(invalid(wrong())) }
}
