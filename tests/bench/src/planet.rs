//! Asks indexes in pages of growing size the questions of the default index, each question with no page in memory, and counts what
//! it fetches. Writes PLANET.md and planet.svg.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Instant;

use anyhow::{Context, Error, Result, ensure};
use bytes::Bytes;
use toponym_builder::unpack;
use toponym_engine::pages::{PageId, Paged};
use toponym_engine::{Answer, Geocode, Search, Shown};
use toponym_workload::Question;

use crate::judge::percentile;
use crate::measure;
use crate::plot;
use crate::prepare::Questions;

/// Number of suggestions that a search field shows.
const LIMIT: usize = 5;

/// A question is answered after this many fetches at most.
const ROUNDS: usize = 2;

/// Questions of each operation: as many as the workload has of most.
const QUESTIONS: usize = 500;

/// An answer is timed so often, and the fastest counts.
const TIMES: usize = 3;

/// Pages in memory.
type Unpacked = BTreeMap<PageId, Bytes>;

/// An index in pages.
#[derive(Clone, Debug)]
pub struct Folder {
    places: usize,
    path: PathBuf,
}

impl FromStr for Folder {
    type Err = Error;

    /// Parses `PLACES=FOLDER`.
    fn from_str(text: &str) -> Result<Self> {
        let (places, path) = text.split_once('=').context("write PLACES=FOLDER")?;
        Ok(Self { places: places.parse().context("PLACES is a number")?, path: path.into() })
    }
}

/// Measurements of one index.
pub struct Size {
    /// Number of places.
    pub places: usize,
    /// Bytes of the root as it is fetched, and of all pages.
    pub root: u64,
    pub pages: u64,
    /// Number of pages.
    pub count: usize,
    /// Pages and bytes that questions fetched, by operation.
    pub operations: BTreeMap<&'static str, Fetched>,
}

/// Sorted numbers of the questions of one operation.
#[derive(Default)]
pub struct Fetched {
    pub pages: Vec<f64>,
    pub kilobytes: Vec<f64>,
    pub rounds: Vec<f64>,
    /// Time of an answer when all pages of all questions are in memory.
    pub micros: Vec<f64>,
}

impl Fetched {
    /// Formats median, 90 and 99 in 100, rounded.
    fn shown(of: &[f64]) -> String {
        [0.5, 0.9, 0.99].map(|share| format!("{:.0}", percentile(of, share))).join(" / ")
    }

    fn sort(&mut self) {
        let Self { pages, kilobytes, rounds, micros } = self;
        [pages, kilobytes, rounds, micros].into_iter().for_each(|numbers| numbers.sort_by(f64::total_cmp));
    }
}

/// Measures each index, and writes the table and the plot to `out`.
pub fn run(folders: &[Folder], work: &Path, out: &Path) -> Result<()> {
    let questions = measure::questions(work)?;
    let sizes = folders.iter().map(|folder| measured(folder, &questions)).collect::<Result<Vec<_>>>()?;
    plot::planet(&out.join("planet.svg"), &sizes)?;
    Ok(fs_err::write(out.join("PLANET.md"), table(&sizes))?)
}

fn measured(folder: &Folder, questions: &[Questions]) -> Result<Size> {
    let path = &folder.path;
    let packed = fs_err::metadata(path.join("root"))?.len();
    let mut paged = Paged::open(fs_err::read(path.join("root.toponym"))?)?;
    let names = (0..).map_while(|page| paged.file_name(PageId::of(page))).collect::<Vec<_>>();
    let sizes = names.iter().map(|name| Ok(fs_err::metadata(path.join(name))?.len()));
    let pages = sizes.sum::<Result<u64>>()?;
    let mut operations: BTreeMap<&'static str, Fetched> = BTreeMap::new();
    let mut all = Unpacked::new();
    let asked = || {
        questions.iter().filter(|operation| !matches!(operation.cases[0].question, Question::Batch(_))).flat_map(
            |operation| operation.cases.iter().take(QUESTIONS).map(|case| (kind(&operation.name), &case.question)),
        )
    };
    for (kind, question) in asked() {
        let of_kind = operations.entry(kind).or_default();
        let [pages, bytes, rounds] = fetched(&mut paged, path, question, &mut all)?;
        of_kind.pages.push(pages as f64);
        of_kind.kilobytes.push(bytes as f64 / 1e3);
        of_kind.rounds.push(rounds as f64);
    }
    for (page, bytes) in all {
        paged.insert(page, bytes)?;
    }
    for (kind, question) in asked() {
        let micros = (0..TIMES).map(|_| {
            let started = Instant::now();
            black_box(missing(&paged, black_box(question)));
            started.elapsed().as_secs_f64() * 1e6
        });
        operations.entry(kind).or_default().micros.push(micros.fold(f64::INFINITY, f64::min));
    }
    operations.values_mut().for_each(Fetched::sort);
    Ok(Size { places: folder.places, root: packed, pages, count: names.len(), operations })
}

/// Returns what an operation of the workload asks for.
fn kind(operation: &str) -> &'static str {
    match operation.split(' ').next() {
        Some("prefix") => BEGINNINGS,
        Some("typo") => SLIPS,
        Some("reverse") => POINTS,
        _ => "whole names",
    }
}

pub const BEGINNINGS: &str = "beginnings";
pub const SLIPS: &str = "slips";
pub const POINTS: &str = "points";

/// Counts pages, bytes and fetches one after the other that a question takes. Adds the pages to `all`.
fn fetched(paged: &mut Paged, folder: &Path, question: &Question, all: &mut Unpacked) -> Result<[usize; 3]> {
    let mut here = Vec::new();
    let mut bytes = 0;
    let mut rounds = 0;
    while let Some(missing) = missing(paged, question) {
        rounds += 1;
        ensure!(rounds <= ROUNDS, "{question:?} takes more than {ROUNDS} fetches");
        for page in missing {
            let file = fs_err::read(folder.join(paged.file_name(page).context("it has no such page")?))?;
            bytes += file.len();
            let unpacked = Bytes::from(unpack(&file)?);
            all.insert(page, unpacked.clone());
            paged.insert(page, unpacked)?;
            here.push(page);
        }
    }
    here.iter().for_each(|&page| paged.remove(page));
    Ok([here.len(), bytes, rounds])
}

fn missing(paged: &Paged, question: &Question) -> Option<Vec<PageId>> {
    fn of<T>(answer: Answer<T>) -> Option<Vec<PageId>> {
        match answer {
            Answer::Ready(_) => None,
            Answer::Missing(pages) => Some(pages),
        }
    }
    match question {
        Question::Autocomplete(text) => of(paged.autocomplete(&Search::new(text, LIMIT))),
        Question::Forward(text) => of(paged.forward(&Search::new(text, LIMIT))),
        Question::Reverse(point) => of(paged.reverse(*point, Shown::default())),
        Question::Batch(_) => None,
    }
}

const INTRODUCTION: &str = "# Bytes and fetches against the number of places

Written by `toponym-bench planet`. Questions are those of the default index (`toponym-bench prepare`): beginnings of one to six letters, \
slips, whole names, a city with its country, and points. Each is asked with the root alone in memory. Three numbers are the median, \
90 and 99 of 100 questions. No question took more than two fetches one after the other. A root is packed as it is fetched; the places \
beyond those of the default index are synthetic (`own_places`). µs is the time of an answer, natively, when the pages of all these \
questions are in memory.

![planet.svg](planet.svg)

| places | root, kB | pages | all pages, MB | largest number of fetches |";

fn table(sizes: &[Size]) -> String {
    let mut text = format!("{INTRODUCTION}\n|---:|---:|---:|---:|---:|");
    for Size { places, root, pages, count, operations } in sizes {
        let rounds = operations.values().filter_map(|fetched| fetched.rounds.last()).copied().fold(0.0, f64::max);
        let root = *root as f64 / 1e3;
        let pages = *pages as f64 / 1e6;
        write!(text, "\n| {places} | {root:.0} | {count} | {pages:.0} | {rounds} |").expect("a string takes all");
    }
    text += "\n\n| places | operation | questions | pages | kB | no page | µs |\n|---:|---|---:|---:|---:|---:|---:|";
    for Size { places, operations, .. } in sizes {
        for (name, Fetched { pages, kilobytes, micros, .. }) in operations {
            let none = pages.iter().filter(|&&pages| pages == 0.0).count() * 100 / pages.len();
            let count = pages.len();
            let [pages, kilobytes, micros] = [pages, kilobytes, micros].map(|numbers| Fetched::shown(numbers));
            write!(text, "\n| {places} | {name} | {count} | {pages} | {kilobytes} | {none} % | {micros} |")
                .expect("a string takes all");
        }
    }
    text + "\n"
}
