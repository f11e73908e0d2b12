//! `toponym batch`: geocodes a table of any size, over all cores, and goes on where it was stopped.

mod columns;
mod format;
mod geocode;
mod input;
mod pipeline;
mod progress;
mod read_cells;
mod read_json;
mod render;
mod resume;
mod row;
mod sink;
mod values;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use indicatif::HumanCount;
use toponym_engine::request::{NearOptions, Operation, Options as RequestOptions};
use toponym_terminal::report;

use crate::ask::NOTHING_FOUND;
use crate::index_files::{IndexFiles, Opened};
use crate::parameters::{Flags, SHARED, put_focus};
use columns::{Asks, Columns};
use format::FileFormat;
use geocode::{Settings, Status};
use input::{Count, Input};
use pipeline::{Lasting, Run, Sources, Target};
use progress::{Progress, rate};
use render::Renderer;
use resume::{Files, Identity, State, digest};
use row::{Head, Record};
use sink::Sink;

/// The exit code if some rows have errors.
const ROWS_WITH_ERRORS: u8 = NOTHING_FOUND;

/// The exit code of a program stopped by Ctrl-C.
const INTERRUPTED: u8 = 130;

/// True after Ctrl-C.
static STOP: AtomicBool = AtomicBool::new(false);

/// Arguments of `toponym batch`.
#[derive(Args)]
pub struct Arguments {
    /// The table; - is standard input
    input: PathBuf,
    /// Output file, with the answers; - is standard output
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    columns: Columns,
    /// Format of the table [default: by the ending of the file, else csv]
    #[arg(long, value_enum, value_name = "FORMAT")]
    from: Option<FileFormat>,
    /// Format of the output [default: by the ending of the file, else that of the table]
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Option<FileFormat>,
    /// Separator of the cells of the table, one character; CSV is written as it was read [default: a comma, in TSV a tab]
    #[arg(long, value_name = "CHARACTER")]
    delimiter: Option<String>,
    /// Begins the names of the result columns
    #[arg(long, default_value = "toponym_")]
    prefix: String,
    /// Marks places with less confidence as doubtful: from 0 to 1
    #[arg(long, value_name = "CONFIDENCE", default_value_t = 0.5)]
    doubtful_below: f64,
    /// Prefers places near this point: latitude,longitude
    #[arg(long, value_name = "POINT", allow_hyphen_values = true)]
    focus: Option<String>,
    #[command(flatten)]
    shared: Flags<SHARED>,
    /// Number of threads that answer [default: one for each core]
    #[arg(long, value_name = "NUMBER")]
    jobs: Option<usize>,
    /// Begins anew where an earlier run was stopped
    #[arg(long)]
    restart: bool,
    /// Shows no progress
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    index: IndexFiles,
}

/// The formats of a run.
#[derive(Clone, Copy)]
struct Formats {
    from: FileFormat,
    to: FileFormat,
    delimiter: u8,
    /// Delimiter in the output.
    delimiter_out: u8,
}

/// Geocodes the table.
pub fn run(root: &Path, arguments: &Arguments) -> Result<ExitCode> {
    let formats = arguments.formats()?;
    let settings = arguments.settings(formats.from)?;
    let Opened { engine, digests } = arguments.index.open(root)?;
    settings.text.filters.known_types(&engine)?;
    let read = Count::default();
    let is_streamed = is_standard(&arguments.input);
    let total = if is_streamed { None } else { Some(fs_err::metadata(&arguments.input)?.len()) };
    let stop = &STOP;
    let columns = settings.columns();
    let renderer = |head: Head| {
        if formats.from.has_header() {
            settings.wanted.places(&head.names)?;
        }
        Renderer::new((formats.from, formats.to, formats.delimiter_out), head, &arguments.prefix, &columns)
    };
    let check = |rows: &[Record]| settings.wanted.check(rows);
    let read_rows = |sink: &mut Sink| read_table(Input::open(&arguments.input, read.clone())?, formats, sink);
    let jobs = arguments.jobs()?;
    let sources = Sources { renderer: &renderer, check: &check, read: &read_rows };
    let run = Run { engine: &engine, settings: &settings, jobs, stop, sources };
    let progress = Progress::new(read.clone(), total, arguments.quiet);
    if is_standard(&arguments.out) {
        let target = Target { out: std::io::stdout(), files: None, state: State::default(), errors: Vec::new() };
        handle_interrupts()?;
        return end(run, target, progress, arguments);
    }
    ensure!(!is_same(&arguments.input, &arguments.out), "the output would replace the input: name another file");
    let files = Files::of(&arguments.out);
    let identity = arguments.identity(&digests, is_streamed)?;
    let mut out = files.claim()?;
    let earlier = if arguments.restart || is_streamed { None } else { files.earlier(&identity)? };
    let state = earlier.unwrap_or_else(|| State { identity, ..State::default() });
    if state.rows > 0 && !arguments.quiet {
        report::remark(&format!("going on behind row {}", HumanCount(state.rows)));
    }
    handle_interrupts()?;
    files.resume(&mut out, state.bytes)?;
    let target = Target { out, files: Some(files), state, errors: Vec::new() };
    end(run, target, progress, arguments)
}

/// Runs, and tells how it went.
fn end<W: Lasting>(run: Run, mut target: Target<W>, mut progress: Progress, arguments: &Arguments) -> Result<ExitCode> {
    let outcome = run.run(&mut target, &mut progress);
    let (rows, took) = progress.finish();
    for (line, reason) in &target.errors {
        report::say(&format!("✗ line {line}: {reason}"));
    }
    if let Err(error) = outcome {
        if let Some(files) = target.files.as_ref().filter(|_| target.state.rows == 0) {
            // What cannot be removed is in nobody's way, and the error tells more.
            let _ = files.forget();
        }
        if !STOP.load(Ordering::Relaxed) {
            return Err(error);
        }
        let advice = target.files.as_ref().filter(|_| !is_standard(&arguments.input));
        let advice = advice.map_or("", |_| "; run the same command again to go on");
        report::say(&format!("✗ stopped behind row {}{advice}", HumanCount(target.state.rows)));
        return Ok(ExitCode::from(INTERRUPTED));
    }
    if let Some(files) = &target.files {
        files.complete()?;
    }
    if !arguments.quiet {
        report::say(&format!("✓ {}", summary(&arguments.out, rows, took, &target.state)));
    }
    let has_errors = target.state.counts[Status::ALL.len() - 1] > 0;
    Ok(if has_errors { ExitCode::from(ROWS_WITH_ERRORS) } else { ExitCode::SUCCESS })
}

fn summary(out: &Path, rows: u64, took: Duration, state: &State) -> String {
    let counts = Status::ALL
        .iter()
        .zip(state.counts)
        .map(|(status, count)| format!("{} {}", HumanCount(count), status.name().replace('_', " ")));
    let counts = counts.collect::<Vec<_>>().join(", ");
    let out = if is_standard(out) { String::new() } else { format!("{}: ", out.display()) };
    let all = HumanCount(state.rows);
    let rate = HumanCount(rate(rows, took));
    format!("{out}{all} rows in {}, {rate} rows/s: {counts}", report::duration(took))
}

/// Reads the rows of a table into `sink`. Returns the members of a GeoJSON file besides its features.
fn read_table(input: Input, formats: Formats, sink: &mut Sink) -> Result<String> {
    match formats.from {
        FileFormat::Csv | FileFormat::Tsv => read_cells::read(input, formats.delimiter, sink).map(|()| String::new()),
        FileFormat::Ndjson => read_json::read_lines(input, sink).map(|()| String::new()),
        FileFormat::Json => read_json::read_array(input, sink).map(|()| String::new()),
        FileFormat::Geojson => read_json::read_features(input, sink),
    }
}

/// Handles Ctrl-C: the first one ends the run behind the rows that are being answered; the second ends it at once.
fn handle_interrupts() -> Result<()> {
    ctrlc::set_handler(stop_or_exit).context("cannot handle signals")
}

fn stop_or_exit() {
    if STOP.swap(true, Ordering::Relaxed) {
        std::process::exit(INTERRUPTED.into());
    }
}

fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

fn is_same(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

impl Arguments {
    fn formats(&self) -> Result<Formats> {
        let from = self.from.or_else(|| FileFormat::of(&self.input)).unwrap_or(FileFormat::Csv);
        let to = self.to.or_else(|| FileFormat::of(&self.out)).unwrap_or(from);
        let given = match self.delimiter.as_deref().map(str::as_bytes) {
            None => None,
            Some(&[byte]) if byte.is_ascii() && !b"\"\r\n".contains(&byte) => Some(byte),
            Some(b"\\t") => Some(b'\t'),
            Some(_) => {
                bail!("--delimiter must be one character such as ; and neither a letter of another script nor a quote")
            }
        };
        // CSV stays as it is; of a table that has no cells, the output is the only one that can be meant. TSV has tabs always.
        let is_meant = to == FileFormat::Csv && (from == to || !from.has_header());
        let delimiter_out = given.filter(|_| is_meant).unwrap_or(to.delimiter());
        Ok(Formats { from, to, delimiter: given.unwrap_or(from.delimiter()), delimiter_out })
    }

    fn settings(&self, from: FileFormat) -> Result<Settings> {
        ensure!((0.0..=1.0).contains(&self.doubtful_below), "--doubtful-below must be from 0 to 1");
        let wanted = self.columns.wanted_columns(from == FileFormat::Geojson)?;
        let mut values = self.shared.values();
        put_focus(&mut values, Operation::Forward, self.focus.as_deref())?;
        let is_point = matches!(wanted.asks, Asks::Point | Asks::Geometry);
        ensure!(!is_point || self.focus.is_none(), "--focus is for names, and the rows have points");
        let of_text = RequestOptions::with_focus(&values)?;
        let of_point = NearOptions::read(&values)?;
        Ok(Settings { wanted, text: of_text, point: of_point, doubtful_below: self.doubtful_below })
    }

    fn jobs(&self) -> Result<usize> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let jobs = self.jobs.unwrap_or(cores);
        ensure!(jobs > 0, "--jobs must be at least 1");
        Ok(jobs)
    }

    /// Returns what decides the bytes of the output.
    fn identity(&self, digests: &[u64], is_streamed: bool) -> Result<Identity> {
        let Self { columns, prefix, doubtful_below, focus, shared, .. } = self;
        let Formats { from, to, delimiter, .. } = self.formats()?;
        let options = format!("{columns:?} {from:?} {to:?} {delimiter} {prefix} {doubtful_below} {focus:?} {shared:?}");
        Ok(Identity {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            input: if is_streamed { (0, String::new()) } else { digest(&self.input)? },
            indexes: digests.iter().map(|digest| format!("{digest:016x}")).collect(),
            options,
        })
    }
}
