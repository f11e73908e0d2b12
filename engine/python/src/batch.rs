//! Answers the rows of a batch on several threads, without Python's lock.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;
use arrow_select::concat::concat_batches;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::prelude::*;
use toponym_engine::request::{FIELDS, NearOptions, Options, point_at};
use toponym_engine::{Batch, Engine, Geocode, Question, Structured};

use crate::answers::{Answer, Answers, Columns};
use crate::columns::{Numbers, Texts};
use crate::options::wrong;
use crate::reply::invalid;

/// Rows that a thread takes at a time: about 0.1 s of texts. The answers to them are in its caches when it writes the columns.
const ROWS_OF_TASK: usize = 512;

/// Rows of each batch of the Arrow table: few batches, of which each is some megabytes.
const ROWS_OF_BATCH: usize = 32_768;

/// Time between two looks for Ctrl+C: a person notices no more than that.
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);

/// The columns of a batch of texts or fields, and what holds for all its rows.
pub struct Asked {
    /// Texts; beside fields they are the names.
    pub query: Option<Texts>,
    /// Names of the fields in the order of [`FIELDS`].
    pub fields: [Option<Texts>; 5],
    /// Filters, language, focus, facts.
    pub options: Options,
}

/// Finds the best place for each row.
///
/// # Errors
/// `ValueError` if the columns differ in length; what a signal handler raises.
pub fn forward(py: Python<'_>, engine: &Engine, asked: &Asked, jobs: usize) -> PyResult<Answers> {
    let rows = asked.rows()?;
    let types = asked.options.filters.known_types(engine).map_err(wrong)?;
    let columns = Columns::new(asked.options.facts)?;
    run((py, engine), rows, jobs, columns, |batch, row| asked.answer(batch, &types, row))
}

/// Finds the place at each point.
///
/// # Errors
/// `ValueError` if the columns differ in length; what a signal handler raises.
pub fn reverse(
    py: Python<'_>,
    engine: &Engine,
    near: &NearOptions,
    (lats, lons): (&Numbers, &Numbers),
    jobs: usize,
) -> PyResult<Answers> {
    check_rows(lats, lons)?;
    near.options.filters.known_types(engine).map_err(wrong)?;
    run((py, engine), lats.rows(), jobs, Columns::new(near.options.facts)?, |batch, row| {
        let (Some(lat), Some(lon)) = (lats.get(row), lons.get(row)) else { return Answer::Missing };
        let found = point_at(Some(lat), Some(lon)).and_then(|point| near.places(point, batch));
        found.map_or_else(
            |fault| Answer::Fault(fault.to_string()),
            |found| Answer::of(found.unwrap().into_iter().next()),
        )
    })
}

fn check_rows(lats: &Numbers, lons: &Numbers) -> PyResult<()> {
    if lats.rows() == lons.rows() {
        return Ok(());
    }
    Err(invalid(format!("lats and lons must have as many rows: lats has {}, lons {}", lats.rows(), lons.rows())))
}

impl Asked {
    /// Returns the number of rows. All columns have as many, except those with one value for all rows.
    fn rows(&self) -> PyResult<usize> {
        let [name, ..] = &self.fields;
        if self.query.is_some() && name.is_some() {
            return Err(invalid("give query or name, not both: beside fields, query is the name"));
        }
        let named = std::iter::once(("query", &self.query)).chain(FIELDS.into_iter().zip(&self.fields));
        let mut lengths = named.filter_map(|(name, column)| Some((name, column.as_ref()?.rows()?)));
        let (first, rows) = lengths
            .next()
            .ok_or_else(|| invalid("a batch needs a column: query, name, city, county, state or country"))?;
        match lengths.find(|(_, other)| *other != rows) {
            Some((other, length)) => {
                Err(invalid(format!("columns must have as many rows: {first} has {rows}, {other} {length}")))
            }
            None => Ok(rows),
        }
    }

    fn answer(&self, batch: &Batch, types: &[&str], row: usize) -> Answer {
        let Some(question) = self.question(row) else { return Answer::Missing };
        if let Some(fault) = question.fault() {
            return Answer::Fault(fault);
        }
        let Some(search) = self.options.search(question, 1, types, batch) else { return Answer::Missing };
        Answer::of(batch.forward(&search).unwrap().pop())
    }

    /// Returns the question of a row; `None` if its text is missing, or all its fields are. A blank field is a missing one:
    /// tables write both.
    fn question(&self, row: usize) -> Option<Question<'_>> {
        let [name, city, county, state, country] =
            self.fields.each_ref().map(|column| non_blank(column.as_ref()?.get(row)));
        let fields = Structured { name, city, county, state, country };
        match &self.query {
            None => (fields != Structured::default()).then_some(Question::Fields(fields)),
            Some(query) => {
                let text = query.get(row)?;
                let is_alone = fields == Structured::default();
                let named = Structured { name: Some(text), ..fields };
                Some(if is_alone { Question::Text(text) } else { Question::Fields(named) })
            }
        }
    }
}

fn non_blank(text: Option<&str>) -> Option<&str> {
    text.filter(|text| !text.trim().is_empty())
}

/// Answers all rows, on `jobs` threads.
fn run(
    (py, engine): (Python<'_>, &Engine),
    rows: usize,
    jobs: usize,
    columns: Columns,
    answer: impl Fn(&Batch, usize) -> Answer + Sync,
) -> PyResult<Answers> {
    let batches = on_threads(py, rows, jobs, |rows, stopped| {
        // Once stopped, what is left is answered at once, and thrown away.
        let answer = |batch: &Batch, row| match stopped.load(Ordering::Relaxed) {
            true => Answer::Missing,
            false => answer(batch, row),
        };
        answer_rows(engine, rows, &columns, &answer).map_err(|error| PyRuntimeError::new_err(error.to_string()))
    })?;
    Ok(Answers::new(columns.schema(), batches))
}

/// Has `jobs` threads work on parts of the rows, in order. The calling thread only waits for them, and for Ctrl+C, after which
/// the work is told to stop.
///
/// # Errors
/// What the work on a part fails with; what a signal handler raises.
pub fn on_threads<T: Send>(
    py: Python<'_>,
    rows: usize,
    jobs: usize,
    work: impl Fn(Range<usize>, &AtomicBool) -> PyResult<T> + Sync,
) -> PyResult<Vec<T>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build();
    let pool = pool.map_err(|error| {
        PyRuntimeError::new_err(format!("the threads of the batch cannot start: {error}; try fewer jobs"))
    })?;
    let (stopped, done, waiting) = (AtomicBool::new(false), AtomicBool::new(false), thread::current());
    let all = || -> PyResult<Vec<T>> {
        let parts: Vec<_> = pieces(0..rows, ROWS_OF_BATCH).collect();
        let made = pool.install(|| parts.into_par_iter().map(|rows| work(rows, &stopped)).collect());
        done.store(true, Ordering::Release);
        waiting.unpark();
        made
    };
    thread::scope(|scope| {
        let worker = scope.spawn(all);
        while !done.load(Ordering::Acquire) && !worker.is_finished() {
            py.detach(|| thread::park_timeout(BETWEEN_LOOKS));
            py.check_signals().inspect_err(|_| stopped.store(true, Ordering::Relaxed))?;
        }
        worker.join().map_err(|_| PyRuntimeError::new_err("the engine failed at a row: please report it"))?
    })
}

fn answer_rows(
    engine: &Engine,
    rows: Range<usize>,
    columns: &Columns,
    answer: &(impl Fn(&Batch, usize) -> Answer + Sync),
) -> Result<RecordBatch, ArrowError> {
    let tasks: Vec<_> = pieces(rows, ROWS_OF_TASK).collect();
    let made = tasks.into_par_iter().map(|rows| {
        let batch = Batch::new(engine);
        columns.batch(&rows.map(|row| answer(&batch, row)).collect::<Vec<_>>())
    });
    let made: Vec<RecordBatch> = made.collect::<Result<_, _>>()?;
    concat_batches(&columns.schema(), &made)
}

/// Splits the range into pieces of at most `length`.
fn pieces(range: Range<usize>, length: usize) -> impl Iterator<Item = Range<usize>> {
    let end = range.end;
    range.step_by(length).map(move |start| start..end.min(start + length))
}
