//! Receiver of the readers' rows: collects them into chunks, and hands these to the workers in order.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use anyhow::{Result, bail};

use super::render::Renderer;
use super::row::{Head, Record};

/// Most rows of a chunk: some milliseconds of work, so that handing it over costs nothing beside it.
const CHUNK_ROWS: usize = 256;

/// Most bytes of the rows of a chunk, but for one larger row.
const CHUNK_BYTES: usize = 1024 * 1024;

/// Rows for a worker.
pub struct Job {
    /// The rows, in order.
    pub records: Vec<Record>,
    /// The number of the first one, counted from 0.
    pub first: u64,
    /// Writes them.
    pub renderer: Arc<Renderer>,
    /// Takes what the worker makes of them.
    pub done: SyncSender<Done>,
}

/// Output of a worker for a job.
#[derive(Default)]
pub struct Done {
    /// The rows as they are written.
    pub bytes: Vec<u8>,
    /// Number of rows.
    pub rows: u64,
    /// Number of rows by their state, in the order of [`super::geocode::Status::ALL`].
    pub counts: [u64; 4],
    /// The first rows with an error: line and reason.
    pub errors: Vec<(u64, String)>,
    /// Reason why the whole run has to end.
    pub fatal: Option<String>,
}

/// The channels behind a sink, and when it stops.
pub struct Outlet<'s> {
    /// Channel to the workers.
    pub jobs: SyncSender<Job>,
    /// Channel to the writer: where each job's result will come from, in order.
    pub order: SyncSender<Receiver<Done>>,
    /// True once a person stops the run.
    pub stop: &'s AtomicBool,
    /// Makes the renderer when the head of the table is known.
    pub renderer: &'s (dyn Fn(Head) -> Result<Renderer> + Sync),
    /// Refuses a table by its first rows.
    pub check: &'s (dyn Fn(&[Record]) -> Result<()> + Sync),
}

/// Takes rows.
pub struct Sink<'s> {
    outlet: Outlet<'s>,
    renderer: Option<Arc<Renderer>>,
    records: Vec<Record>,
    bytes: usize,
    /// Number of rows so far.
    row: u64,
    /// Rows that an earlier run wrote, which are read and left out.
    skip: u64,
    /// True if anything was handed over: the bytes before the first row.
    is_open: bool,
    refused: bool,
}

impl<'s> Sink<'s> {
    /// Leaves out the first `skip` rows.
    pub fn new(outlet: Outlet<'s>, skip: u64) -> Self {
        Self { outlet, renderer: None, records: Vec::new(), bytes: 0, row: 0, skip, is_open: false, refused: false }
    }

    /// Takes the head of the table, before the first row.
    pub fn begin(&mut self, head: Head) -> Result<()> {
        self.renderer = Some(Arc::new((self.outlet.renderer)(head)?));
        Ok(())
    }

    /// Tells whether the head is known.
    pub fn has_begun(&self) -> bool {
        self.renderer.is_some()
    }

    /// Tells whether a row was refused because the run ends.
    pub fn was_refused(&self) -> bool {
        self.refused
    }

    /// Takes a row.
    pub fn push(&mut self, record: Record) -> Result<()> {
        self.row += 1;
        if self.row <= self.skip {
            return Ok(());
        }
        self.bytes += record.row.size();
        self.records.push(record);
        if self.records.len() >= CHUNK_ROWS || self.bytes >= CHUNK_BYTES { self.send() } else { Ok(()) }
    }

    /// Ends the table. `members`: of a GeoJSON file besides its features.
    pub fn finish(mut self, members: &str) -> Result<()> {
        self.open()?;
        self.send()?;
        let Some(renderer) = &self.renderer else { return Ok(()) };
        let bytes = renderer.end(members);
        self.hand_over(Done { bytes, ..Done::default() })
    }

    /// Hands the rows so far to a worker.
    pub fn send(&mut self) -> Result<()> {
        if self.outlet.stop.load(Ordering::Relaxed) {
            return self.refuse();
        }
        let Some(renderer) = self.renderer.clone().filter(|_| !self.records.is_empty()) else { return Ok(()) };
        self.open()?;
        let records = std::mem::take(&mut self.records);
        self.bytes = 0;
        let (done, result) = sync_channel(1);
        let first = self.row - records.len() as u64;
        // The order first: the writer holds back the reader, so that few results wait at any time.
        let is_taken = self.outlet.order.send(result).is_ok()
            && self.outlet.jobs.send(Job { records, first, renderer, done }).is_ok();
        if is_taken { Ok(()) } else { self.refuse() }
    }

    /// Hands over what is before the first row, once the first rows are known and good: what is refused has no output. An
    /// earlier run did so if there is something to skip.
    fn open(&mut self) -> Result<()> {
        let renderer = self.renderer.clone().filter(|_| !self.is_open && self.skip == 0);
        self.is_open = true;
        let Some(renderer) = renderer else { return Ok(()) };
        (self.outlet.check)(&self.records)?;
        self.hand_over(Done { bytes: renderer.begin()?, ..Done::default() })
    }

    /// Hands something to the writer that is not work.
    fn hand_over(&mut self, made: Done) -> Result<()> {
        let (done, result) = sync_channel(1);
        let is_taken = done.send(made).is_ok() && self.outlet.order.send(result).is_ok();
        if is_taken { Ok(()) } else { self.refuse() }
    }

    fn refuse(&mut self) -> Result<()> {
        self.refused = true;
        bail!("the run was stopped")
    }
}
