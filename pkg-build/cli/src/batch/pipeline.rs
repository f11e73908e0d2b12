//! Runs a batch: one thread reads, some answer, and this one writes in order. All that waits between them is bounded.
//!
//! ```text
//! reader ─> chunks ─> workers ─> results
//!    └───────> their order ────────> writer ─> output, state, progress
//! ```

use std::io::Write;
use std::rc::Rc;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use toponym_engine::Engine;

use super::geocode::{Answer, Geocoder, Settings, Status};
use super::progress::Progress;
use super::render::Renderer;
use super::resume::{Files, State};
use super::row::{Head, Record, Row};
use super::sink::{Done, Job, Outlet, Sink};
use super::values::Values;

/// Chunks in flight for each worker: enough that none waits for the reader.
const CHUNKS_PER_WORKER: usize = 4;

/// Time between two notes of how far the run has come. What a crash loses is computed again.
const BETWEEN_STATES: Duration = Duration::from_secs(2);

/// Most rows with errors that are shown.
const SHOWN_ERRORS: usize = 10;

/// Inputs and settings of a run.
pub struct Run<'r> {
    /// Answers.
    pub engine: &'r Engine,
    /// Settings of the questions.
    pub settings: &'r Settings,
    /// Number of workers.
    pub jobs: usize,
    /// True once a person stops the run.
    pub stop: &'r AtomicBool,
    /// Sources of the rows.
    pub sources: Sources<'r>,
}

/// Functions that read a table.
#[derive(Clone, Copy)]
pub struct Sources<'r> {
    /// Makes the renderer when the head of the table is known.
    pub renderer: &'r (dyn Fn(Head) -> Result<Renderer> + Sync),
    /// Refuses a table by its first rows.
    pub check: &'r (dyn Fn(&[Record]) -> Result<()> + Sync),
    /// Reads the input. Returns the members of a GeoJSON file besides its features.
    pub read: &'r (dyn Fn(&mut Sink) -> Result<String> + Sync),
}

/// Target of the rows.
pub struct Target<W> {
    /// The output.
    pub out: W,
    /// Files in which it is stored how far the run has come; `None` for standard output.
    pub files: Option<Files>,
    /// State that the run has reached.
    pub state: State,
    /// The first rows with errors: line and reason.
    pub errors: Vec<(u64, String)>,
}

/// An output whose bytes can be made to last.
pub trait Lasting: Write {
    /// Writes everything to the disk.
    fn sync(&mut self) -> std::io::Result<()>;
}

impl Lasting for std::fs::File {
    fn sync(&mut self) -> std::io::Result<()> {
        self.sync_data()
    }
}

impl Lasting for std::io::Stdout {
    fn sync(&mut self) -> std::io::Result<()> {
        self.flush()
    }
}

impl Run<'_> {
    /// Runs to the end, or until it is stopped. Whatever was written is stored in the state.
    pub fn run<W: Lasting>(&self, target: &mut Target<W>, progress: &mut Progress) -> Result<()> {
        let in_flight = CHUNKS_PER_WORKER * self.jobs;
        let (jobs, queue) = sync_channel::<Job>(in_flight);
        let (order, results) = sync_channel::<Receiver<Done>>(in_flight);
        let queue = &Mutex::new(queue);
        let skip = target.state.rows;
        std::thread::scope(|scope| {
            let reader = scope.spawn(move || self.read(jobs, order, skip));
            for _ in 0..self.jobs {
                scope.spawn(move || self.work(queue));
            }
            let written = target.write_all(results, progress);
            // The writer's error first: it is the reason why the reader stopped.
            let read = reader.join().map_err(|_| anyhow!("the reader failed: please report this"))?;
            written.and(read)
        })
    }

    fn read(&self, jobs: SyncSender<Job>, order: SyncSender<Receiver<Done>>, skip: u64) -> Result<()> {
        let Sources { renderer, check, read } = self.sources;
        let outlet = Outlet { jobs, order, stop: self.stop, renderer, check };
        let mut sink = Sink::new(outlet, skip);
        match read(&mut sink) {
            Ok(members) => sink.finish(&members),
            Err(error) => {
                // The rows before the error are good.
                let _ = if sink.was_refused() { Ok(()) } else { sink.send() };
                Err(error)
            }
        }
    }

    fn work(&self, queue: &Mutex<Receiver<Job>>) {
        let mut geocoder = Geocoder::new(self.engine, self.settings);
        let mut values = Values::default();
        loop {
            let Ok(job) = queue.lock().map_or_else(|_| Err(std::sync::mpsc::RecvError), |queue| queue.recv()) else {
                return;
            };
            let done = job.done.clone();
            let made = self.answer(job, &mut geocoder, &mut values);
            // Without a writer the run is over.
            if done.send(made).is_err() {
                return;
            }
        }
    }

    fn answer(&self, job: Job, geocoder: &mut Geocoder, values: &mut Values) -> Done {
        let Job { records, first, renderer, .. } = job;
        let mut made = Done { rows: records.len() as u64, ..Done::default() };
        let mut rows: Vec<(Row, Rc<Answer>)> = Vec::with_capacity(records.len());
        for Record { line, row } in records {
            let answer = match values.of(&row, renderer.head(), &self.settings.wanted) {
                Ok(values) => geocoder.answer(&values),
                Err(reason) => Rc::new(geocoder.error(reason)),
            };
            made.counts[Status::ALL.iter().position(|&status| status == answer.status).unwrap_or(0)] += 1;
            if answer.status == Status::Error && made.errors.len() < SHOWN_ERRORS {
                made.errors.push((line, answer.reason().to_owned()));
            }
            rows.push((row, answer));
        }
        if let Err(error) = renderer.rows(&rows, first, &mut made.bytes) {
            made.fatal = Some(format!("{error:#}"));
        }
        made
    }
}

impl<W: Lasting> Target<W> {
    fn write_all(&mut self, results: Receiver<Receiver<Done>>, progress: &mut Progress) -> Result<()> {
        let mut stored: Option<Instant> = None;
        for result in results {
            let done = result.recv().map_err(|_| anyhow!("a worker failed: please report this"))?;
            if let Some(fatal) = done.fatal {
                self.store()?;
                bail!(fatal);
            }
            self.out.write_all(&done.bytes).context("the output cannot be written")?;
            self.state.rows += done.rows;
            self.state.bytes += done.bytes.len() as u64;
            self.state.counts.iter_mut().zip(done.counts).for_each(|(count, more)| *count += more);
            let room = SHOWN_ERRORS.saturating_sub(self.errors.len());
            self.errors.extend(done.errors.into_iter().take(room));
            progress.add(done.rows);
            if self.state.rows > 0 && stored.is_none_or(|stored| stored.elapsed() >= BETWEEN_STATES) {
                self.store()?;
                stored = Some(Instant::now());
            }
        }
        self.store()
    }

    fn store(&mut self) -> Result<()> {
        self.out.sync().context("the output cannot be written")?;
        self.files.as_ref().map_or(Ok(()), |files| files.store(&self.state))
    }
}
