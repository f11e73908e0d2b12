//! Measures `toponym batch` on rows of mixed quality, and writes tests/bench/BATCH.md.
//!
//! ```sh
//! cargo build --release -p toponym-cli --no-default-features
//! cargo run -p toponym-cli --example batch_figures -- target/release/toponym 1000000
//! ```
//!
//! The arguments are the program to measure and the number of rows. Linux only: the peak of the memory is read from /proc.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use fastrand::Rng;
use toponym_workload::{MixedRow, gazetteer, mixed_rows};

/// Rows if none are asked for.
const ROWS: usize = 1_000_000;

/// Distinct rows a second that two workers are to reach: a million in five seconds.
const GOAL: f64 = 200_000.0;

/// Distinct rows of the table that repeats itself, as a table of orders repeats its towns.
const DISTINCT: usize = 20_000;

/// The seed of their order.
const SEED: u64 = 0x6f72_6465_7273;

/// Time between two looks at the memory.
const TICK: Duration = Duration::from_millis(20);

/// A table to measure with.
struct Table {
    title: &'static str,
    options: &'static [&'static str],
    rows: Vec<MixedRow>,
    jobs: &'static [usize],
}

/// One run of a table.
struct Line {
    title: &'static str,
    rows: usize,
    jobs: usize,
    figures: Figures,
}

impl Line {
    /// Returns the rows a second.
    fn rate(&self) -> f64 {
        self.rows as f64 / self.figures.seconds
    }

    /// Returns the microseconds of the processor for a row.
    fn cost(&self) -> f64 {
        1e6 * self.figures.cpu_seconds / self.rows as f64
    }
}

/// Time and memory that one run took.
struct Figures {
    seconds: f64,
    /// Seconds of the processor, over all threads: what a busy machine does not change much.
    cpu_seconds: f64,
    peak_mb: f64,
}

/// Rows by their state, and how many of each are right.
#[derive(Default)]
struct Shares {
    rows: [usize; 4],
    right: [usize; 4],
}

const STATES: [&str; 4] = ["ok", "doubtful", "not_found", "error"];
const FIELDS: &[&str] = &["--city-column", "city", "--country-column", "country"];
const POINTS: &[&str] = &["--lat-column", "lat", "--lon-column", "lon"];

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let program = arguments.next().context("name the program to measure, such as target/release/toponym")?;
    let program = Path::new(&program).canonicalize()?;
    let count = arguments.next().map_or(Ok(ROWS), |count| count.parse())?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let index = root.join("build/index.toponym");
    let places = gazetteer(fs_err::read(&index)?)?;
    let distinct = mixed_rows(&places, count);
    let mut rng = Rng::with_seed(SEED);
    let repeated = (0..count).map(|_| distinct[rng.usize(..DISTINCT.min(count))].clone()).collect();
    let exact = exact_rows(&places, &distinct);
    let tables = [
        Table { title: "distinct, mixed", options: FIELDS, rows: distinct.clone(), jobs: &[1, 2] },
        Table { title: "distinct, exact name and country", options: FIELDS, rows: exact, jobs: &[2] },
        Table { title: "20,000 distinct, repeated", options: FIELDS, rows: repeated, jobs: &[2] },
        Table { title: "points", options: POINTS, rows: distinct, jobs: &[2] },
    ];
    let folder = tempfile::tempdir()?;
    let mut lines: Vec<Line> = Vec::new();
    let mut shares = String::new();
    for table in &tables {
        write_rows(&folder.path().join("rows.csv"), &table.rows)?;
        for &jobs in table.jobs {
            let figures = measure(&program, folder.path(), &index, (table.options, jobs))?;
            lines.push(Line { title: table.title, rows: table.rows.len(), jobs, figures });
        }
        if table.options == FIELDS {
            let Shares { rows, right } = shares_of(&folder.path().join("out.csv"))?;
            for ((state, rows), right) in STATES.iter().zip(rows).zip(right).filter(|((_, rows), _)| *rows > 0) {
                writeln!(shares, "| {} | {state} | {rows} | {:.4} |", table.title, right as f64 / rows as f64)?;
            }
        }
    }
    fs_err::write(root.join("tests/bench/BATCH.md"), report(count, &lines, &shares))?;
    Ok(())
}

/// Keeps the rows with a country whose city is written as the index has it.
fn exact_rows(places: &toponym_engine::Gazetteer, rows: &[MixedRow]) -> Vec<MixedRow> {
    let names: std::collections::HashSet<&str> = places.places.iter().map(|place| &*place.names[0].text).collect();
    rows.iter().filter(|row| !row.country.is_empty() && names.contains(row.city.as_str())).cloned().collect()
}

fn write_rows(path: &Path, rows: &[MixedRow]) -> Result<()> {
    let mut writer = csv::Writer::from_path(path)?;
    writer.write_record(["id", "city", "country", "lat", "lon", "expected_id"])?;
    for (id, MixedRow { city, country, point, expected_id }) in (1..).zip(rows) {
        let numbers = [point.lat().to_string(), point.lon().to_string(), expected_id.to_string()];
        let [lat, lon, expected] = &numbers;
        let id: u32 = id;
        writer.write_record([&id.to_string(), city, country, lat, lon, expected])?;
    }
    Ok(writer.flush()?)
}

fn measure(program: &Path, folder: &Path, index: &Path, (options, jobs): (&[&str], usize)) -> Result<Figures> {
    let since = Instant::now();
    let mut child = Command::new(program)
        .args(["batch", "rows.csv", "-o", "out.csv", "--restart", "--quiet", "--jobs", &jobs.to_string()])
        .args(options)
        .current_dir(folder)
        .env("TOPONYM_INDEX", index)
        .stdin(Stdio::null())
        .spawn()?;
    let status = format!("/proc/{}/status", child.id());
    let stat = format!("/proc/{}/stat", child.id());
    let mut peak_kb = 0.0_f64;
    let mut cpu_seconds = 0.0_f64;
    while child.try_wait()?.is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kb = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
        peak_kb = peak_kb.max(kb.unwrap_or(0.0));
        cpu_seconds = cpu_seconds.max(cpu_of(&std::fs::read_to_string(&stat).unwrap_or_default()));
        std::thread::sleep(TICK);
    }
    let seconds = since.elapsed().as_secs_f64();
    ensure!(child.wait()?.success(), "the batch failed");
    Ok(Figures { seconds, cpu_seconds, peak_mb: peak_kb / 1024.0 })
}

/// Reads the seconds of the processor from the text of /proc/PID/stat: its 14th and 15th fields, in ticks.
fn cpu_of(stat: &str) -> f64 {
    /// Clock ticks in a second of Linux, the same for all programs.
    const TICKS_PER_SECOND: f64 = 100.0;
    // The second field, the name of the program, ends with the last parenthesis.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / TICKS_PER_SECOND
}

fn shares_of(out: &Path) -> Result<Shares> {
    let mut reader = csv::Reader::from_path(out)?;
    let header = reader.headers()?.clone();
    let place = |name: &str| header.iter().position(|column| column == name).context("a column is missing");
    let expected = place("expected_id")?;
    let id = place("toponym_id")?;
    let state = place("toponym_status")?;
    let mut shares = Shares::default();
    for row in reader.records() {
        let row = row?;
        let at = STATES.iter().position(|name| *name == &row[state]).context("an unknown state")?;
        shares.rows[at] += 1;
        shares.right[at] += usize::from(row[expected] == row[id]);
    }
    Ok(shares)
}

/// Says what is reached of the goal, and why not all of it: the time of a row, by its class.
fn of_goal(lines: &[Line]) -> String {
    let ended: Vec<&Line> = lines.iter().filter(|line| line.jobs == 2).collect();
    let reached = ended.first().map_or(0.0, |line| line.rate());
    let costs: Vec<String> = ended.iter().map(|line| format!("{} {:.0}", line.title, line.cost())).collect();
    format!(
        "The goal is {GOAL:.0} distinct rows/s on two cores, which leaves {:.0} µs of the processor for a row. Distinct, mixed rows \
         reach {reached:.0}, {:.0} % of it. The reason is the time of a row, µs of the processor by class: {}. Rows that repeat \
         themselves show what reading and writing take: the rest is the search of the engine, which looks up many names for a slip, \
         another language or a missing country.\n\n",
        2e6 / GOAL,
        100.0 * reached / GOAL,
        costs.join("; "),
    )
}

fn report(count: usize, lines: &[Line], shares: &str) -> String {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load
        .split(' ')
        .nth(2)
        .map(|load| format!(", whose load over a quarter of an hour was {load}"))
        .unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let goal = of_goal(lines);
    let lines: String = lines.iter().map(figures_row).collect();
    format!(
        "# Batches in the terminal\n\n\
         `toponym batch` on rows made from the index's own names with a fixed seed (`mixed_rows` of the workload): exact names, \
         capitals, other languages, 5 % slips; a country as a code, in English, in another language, or none in a fifth of the \
         rows. Written by `cargo run -p toponym-cli --example batch_figures -- target/release/toponym {count}`, on a machine with \
         {cores} cores{load}. Each line is one run from start to end, with reading the index.\n\n\
         | rows | number | workers | seconds | rows/s | CPU, µs/row | peak memory, MB |\n|---|---:|---:|---:|---:|---:|---:|\n{lines}\n\
         {goal}Right means the most important city of that name in that country, or in the world if the row has no country.\n\n\
         | rows | state | number | share right |\n|---|---|---:|---:|\n{shares}"
    )
}

fn figures_row(line: &Line) -> String {
    let Line { title, rows, jobs, figures } = line;
    let rate = line.rate();
    let cost = line.cost();
    let Figures { seconds, peak_mb, .. } = figures;
    format!("| {title} | {rows} | {jobs} | {seconds:.1} | {rate:.0} | {cost:.0} | {peak_mb:.0} |\n")
}
