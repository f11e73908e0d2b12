//! Names the cities of many points: what `toponym.reverse_geocoder` answers.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::Ordering;

use pyo3::exceptions::PyRuntimeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyList, PyString, PyTuple};
use toponym_engine::geo::Coordinate;
use toponym_engine::request::point_at;
use toponym_engine::{Batch, CityRef, Engine};

use crate::batch::on_threads;
use crate::columns::Numbers;
use crate::options::wrong;

/// Metres up to which the nearest city is looked for where there is none, such as at sea: the most that the engine allows.
const FARTHEST_M: f64 = 500_000.0;

/// Rows that take less time than to start a thread.
const FEW: usize = 256;

/// Bits of a row in a key of the order.
const ROW_BITS: u32 = u32::BITS;

/// Points by their row; a missing one has no numbers.
pub struct Points {
    lats: Numbers,
    lons: Numbers,
}

/// The cities of some points: for each row the number of its city in the list.
struct Part<'e> {
    rows: Vec<(u32, Option<u32>)>,
    cities: Vec<CityRef<'e>>,
}

impl Points {
    /// Reads a list of pairs.
    ///
    /// # Errors
    /// If an item is not a pair, or not of numbers.
    pub fn read(points: &Bound<'_, PyList>) -> PyResult<Self> {
        let columns: Option<(Vec<f64>, Vec<f64>)> = points.iter().map(|point| pair(&point)).collect();
        if let Some((lats, lons)) = columns {
            return Ok(Self { lats: lats.into(), lons: lons.into() });
        }
        let column = |at: usize| {
            let items = points.iter().map(|point| point.get_item(at)).collect::<PyResult<Vec<_>>>();
            PyList::new(points.py(), items?).map(Bound::into_any)
        };
        Ok(Self { lats: Numbers::read("lats", &column(0)?)?, lons: Numbers::read("lons", &column(1)?)? })
    }

    fn get(&self, row: u32) -> PyResult<Option<Coordinate>> {
        let row = row as usize;
        let (Some(lat), Some(lon)) = (self.lats.get(row), self.lons.get(row)) else { return Ok(None) };
        point_at(Some(lat), Some(lon)).map(Some).map_err(wrong)
    }
}

/// Reads the usual form of a point quickly; `None` if it is another.
fn pair(point: &Bound<'_, PyAny>) -> Option<(f64, f64)> {
    let pair = point.cast_exact::<PyTuple>().ok()?;
    Some((pair.get_borrowed_item(0).ok()?.extract().ok()?, pair.get_borrowed_item(1).ok()?.extract().ok()?))
}

/// Lists a record of the city at each point. Points at one place share a record.
///
/// # Errors
/// `ValueError` if a number is out of range; what a signal handler raises.
pub fn records<'py>(py: Python<'py>, engine: &Engine, points: &Points, jobs: usize) -> PyResult<Bound<'py, PyList>> {
    let rows = points.lats.rows();
    let keys = in_parts(py, rows, jobs, |rows| sorted_keys(points, rows))?;
    let order = py.detach(|| {
        let mut order = keys.concat();
        // The parts are in order already: this merges them.
        order.sort();
        order
    });
    let parts = in_parts(py, rows, jobs, |range| find_cities(engine, points, &order[range]))?;
    let mut writer = Writer { py, texts: HashMap::new() };
    let nowhere = writer.write(None)?;
    let mut written = Vec::new();
    for part in &parts {
        written.push(part.cities.iter().map(|city| writer.write(Some(*city))).collect::<PyResult<Vec<_>>>()?);
    }
    let mut of_rows = vec![&nowhere; rows];
    for (part, written) in parts.iter().zip(&written) {
        for &(row, city) in &part.rows {
            of_rows[row as usize] = city.map_or(&nowhere, |city| &written[city as usize]);
        }
    }
    PyList::new(py, of_rows)
}

/// Has threads work on parts of the rows, in order. Few rows are answered before a thread has started.
fn in_parts<T: Send>(
    py: Python<'_>,
    rows: usize,
    jobs: usize,
    work: impl Fn(Range<usize>) -> PyResult<T> + Sync,
) -> PyResult<Vec<T>> {
    match rows {
        0..=FEW => Ok(vec![py.detach(|| work(0..rows))?]),
        _ => on_threads(py, rows, jobs, |rows, stopped| match stopped.load(Ordering::Relaxed) {
            // Nobody sees this: what stopped the work has been raised.
            true => Err(PyRuntimeError::new_err("stopped")),
            false => work(rows),
        }),
    }
}

/// Sorts rows by the position of their points on the curve: neighbours are answered one after the other, from what the
/// caches of the processor still hold. A key has the position in its upper half, and the row in the lower.
fn sorted_keys(points: &Points, rows: Range<usize>) -> PyResult<Vec<u64>> {
    let keys = rows.map(|row| {
        let point = points.get(row as u32)?;
        Ok(u64::from(point.map_or(0, Coordinate::curve_position)) << ROW_BITS | row as u64)
    });
    let mut keys = keys.collect::<PyResult<Vec<u64>>>()?;
    keys.sort_unstable();
    Ok(keys)
}

fn find_cities<'e>(engine: &'e Engine, points: &Points, keys: &[u64]) -> PyResult<Part<'e>> {
    let batch = Batch::new(engine);
    let mut part = Part { rows: Vec::with_capacity(keys.len()), cities: Vec::new() };
    let mut numbers: HashMap<u64, u32> = HashMap::new();
    // The points lie anywhere in memory: a loop of its own waits for several at once.
    let rows = keys.iter().map(|&key| key as u32);
    let points = rows.map(|row| Ok((row, points.get(row)?))).collect::<PyResult<Vec<_>>>()?;
    for (row, point) in points {
        let city = point.and_then(|point| batch.city_at(point, FARTHEST_M));
        let number = city.map(|city| {
            *numbers.entry(city.place_id()).or_insert_with(|| {
                part.cities.push(city);
                part.cities.len() as u32 - 1
            })
        });
        part.rows.push((row, number));
    }
    Ok(part)
}

/// Writes records. Those of one county share its name.
struct Writer<'py, 'e> {
    py: Python<'py>,
    texts: HashMap<&'e str, Bound<'py, PyString>>,
}

impl<'py, 'e> Writer<'py, 'e> {
    /// Writes the record of a city. All values are texts; what is not known is empty.
    fn write(&mut self, city: Option<CityRef<'e>>) -> PyResult<Bound<'py, PyDict>> {
        let py = self.py;
        let position = city.map(CityRef::position);
        let country = city.and_then(CityRef::country_code);
        let country: String = country.iter().flatten().copied().map(char::from).collect();
        let record = PyDict::new(py);
        record.set_item(intern!(py, "lat"), self.degrees(position.map(Coordinate::lat))?)?;
        record.set_item(intern!(py, "lon"), self.degrees(position.map(Coordinate::lon))?)?;
        record.set_item(intern!(py, "name"), city.map_or("", CityRef::name))?;
        record.set_item(intern!(py, "admin1"), self.text(city.and_then(CityRef::state)))?;
        record.set_item(intern!(py, "admin2"), self.text(city.and_then(CityRef::county)))?;
        record.set_item(intern!(py, "cc"), country)?;
        Ok(record)
    }

    fn degrees(&self, degrees: Option<f64>) -> PyResult<Bound<'py, PyString>> {
        degrees.map_or_else(|| Ok(PyString::new(self.py, "")), |degrees| PyFloat::new(self.py, degrees).str())
    }

    fn text(&mut self, text: Option<&'e str>) -> Bound<'py, PyString> {
        let text = text.unwrap_or_default();
        self.texts.entry(text).or_insert_with(|| PyString::new(self.py, text)).clone()
    }
}
