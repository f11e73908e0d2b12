//! Writes RESULTS.md and the plots from the measurements.

use std::collections::HashMap;
use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result};

use crate::growth::{self, Size};
use crate::judge::{Judged, judge};
use crate::measure::{Measured, questions};
use crate::plot;
use crate::prepare::Questions;

/// Engines that the others are compared with: native engines with the native one, Node's with the same engine in wasm.
const NATIVE: &str = "Toponym, native";
const WASM: &str = "Toponym, wasm in Node";

/// Engines in the order of the report, with whether they run natively.
const ENGINES: [(&str, bool); 11] = [
    (NATIVE, true),
    ("geosuggest", true),
    ("rrgeo", true),
    ("country-boundaries", true),
    (WASM, false),
    ("sorted scan", false),
    ("minisearch", false),
    ("flexsearch", false),
    ("fuse.js", false),
    ("kdbush + geokdbush", false),
    ("kdt (local-reverse-geocoder)", false),
];

const INTRODUCTION: &str = "# Speed beside the peers

Written by `cargo xtask bench`; all rows are of one run on one machine, on the same places and the same questions, so
compare rows, not machines. The time of a question is that of its fastest round; percentiles are over the questions. A
slow engine is asked fewer of them. Times are in microseconds and include making the answer: Toponym labels every place
with its hierarchy, most of the others return a row number or a record.

What counts as right: for text, the place asked for, or one of its name that is as important (of a prefix: the most
important place of all whose name begins so), `first` as the first answer, `of 5` among five. For points, `first` is the
nearest city or quarter on the sphere to points on land, which Toponym gives only where it lies in the country of the
point; `country` is the share of the answers that name the right country, by the polygons of OpenStreetMap in the crate
country-boundaries (they include territorial waters); `silent` is the share of points in no country that get no answer,
as they should. `x` is the median over that
of Toponym on the same platform.
";

/// An engine's judged operations.
pub type Results = HashMap<String, HashMap<String, Judged>>;

/// Cells of the table in the README, one number a cell: a column's title, the operation, and what is shown of it.
const SUMMARY: [(&str, &str, fn(&Judged) -> String); 6] = [
    ("3 letters", "prefix 3", |judged| plain(judged.p50)),
    ("one slip", "typo 1", |judged| plain(judged.p50)),
    ("one slip, right", "typo 1", |judged| share(judged.first)),
    ("other language, right", "other language", |judged| share(judged.first)),
    ("nearest city", "reverse city", |judged| plain(judged.p50)),
    ("right country at borders", "reverse border", |judged| share(judged.country)),
];

/// Around the part of the README that is written here.
const BEGIN: &str = "<!-- speed: written by `cargo xtask bench` -->\n";
const END: &str = "<!-- end of speed -->";

/// Writes RESULTS.md and the plots to `out`, and the summary into `readme`.
pub fn run(work: &Path, out: &Path, readme: &Path) -> Result<()> {
    let questions = questions(work)?;
    let measured = measured(work)?;
    let results: Results =
        measured.iter().map(|measured| (measured.engine.clone(), judged(measured, &questions))).collect();
    let mut text = INTRODUCTION.to_owned();
    text += &start(&measured);
    for operation in &questions {
        text += &operation_table(&operation.name, &results);
    }
    let order: Vec<&str> = ENGINES.iter().map(|(engine, _)| *engine).collect();
    plot::latency(&out.join("latency.svg"), &order, &results)?;
    let path = work.join(growth::FILE);
    if path.is_file() {
        let sizes: Vec<Size> = serde_json::from_slice(&fs_err::read(path)?)?;
        text += &growth_table(&sizes);
        plot::growth(&out.join("growth.svg"), &sizes)?;
    }
    fs_err::write(out.join("RESULTS.md"), text)?;
    let whole = fs_err::read_to_string(readme)?;
    Ok(fs_err::write(readme, with_summary(&whole, &summary(&results)).context("the README has no place for speed")?)?)
}

/// Formats the columns of [`SUMMARY`] for each engine.
fn summary(results: &Results) -> String {
    let titles: Vec<&str> = SUMMARY.iter().map(|(title, ..)| *title).collect();
    let mut text = format!("| engine | {} |\n|---|{}", titles.join(" | "), "---:|".repeat(SUMMARY.len()));
    for (engine, _) in ENGINES.iter().filter(|(engine, _)| results.contains_key(*engine)) {
        write!(text, "\n| {engine} |").expect(INFALLIBLE);
        for (_, operation, shown) in SUMMARY {
            let cell = results[*engine].get(operation).map_or_else(|| "-".to_owned(), shown);
            write!(text, " {cell} |").expect(INFALLIBLE);
        }
    }
    text + "\n"
}

fn with_summary(readme: &str, summary: &str) -> Option<String> {
    let (before, rest) = readme.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}\n{summary}\n{END}{after}"))
}

fn measured(work: &Path) -> Result<Vec<Measured>> {
    let read = |engine: &str| -> Result<Option<Measured>> {
        let path = work.join(format!("measured-{engine}.json"));
        if !path.is_file() {
            return Ok(None);
        }
        serde_json::from_slice(&fs_err::read(&path)?).map(Some).with_context(|| path.display().to_string())
    };
    ENGINES.iter().filter_map(|(engine, _)| read(engine).transpose()).collect()
}

fn judged(measured: &Measured, questions: &[Questions]) -> HashMap<String, Judged> {
    let of = |name: &str| questions.iter().find(|questions| questions.name == name);
    let asked = measured.operations.iter();
    asked.filter_map(|asked| Some((asked.name.clone(), judge(asked, of(&asked.name)?)))).collect()
}

fn start(measured: &[Measured]) -> String {
    let mut text = "\n## Start\n\nMemory is what the process grew by; for Toponym it is the file and little else.\n\n\
        | engine | file MB | load ms | of it open ms | first answer ms | memory MB |\n|---|---:|---:|---:|---:|---:|\n"
        .to_owned();
    for Measured { engine, load_ms, memory_mb, file_mb, open_ms, first_answer_ms, .. } in measured {
        let file = number(*file_mb);
        let open = number(*open_ms);
        let first = number(*first_answer_ms);
        line(
            &mut text,
            format_args!("| {engine} | {file} | {} | {open} | {first} | {} |", plain(*load_ms), plain(*memory_mb)),
        );
    }
    text
}

fn operation_table(operation: &str, results: &Results) -> String {
    let of = |engine: &str| results.get(engine)?.get(operation);
    let is_reverse = operation.starts_with("reverse");
    let (names, rule) =
        if is_reverse { ("first | country | silent", "---:|---:|---:") } else { ("first | of 5", "---:|---:") };
    let mut text =
        format!("\n## {operation}\n\n| engine | asked | p50 | p99 | x | {names} |\n|---|---:|---:|---:|---:|{rule}|\n");
    for (engine, is_native) in ENGINES {
        let Some(judged) = of(engine) else { continue };
        let base = of(if is_native { NATIVE } else { WASM });
        let ratio = base.filter(|_| engine != NATIVE && engine != WASM).map(|base| judged.p50 / base.p50);
        let right = match is_reverse {
            true => [judged.first, judged.country, judged.silent].map(share).join(" | "),
            false => [judged.first, judged.any].map(share).join(" | "),
        };
        let Judged { questions, p50, p99, .. } = judged;
        let p50 = plain(*p50);
        let p99 = plain(*p99);
        let ratio = number(ratio);
        line(&mut text, format_args!("| {engine} | {questions} | {p50} | {p99} | {ratio} | {right} |"));
    }
    text
}

fn growth_table(sizes: &[Size]) -> String {
    let mut text =
        "\n## Growth\n\nMeasured on request (`--growth`), so it may be of an earlier run. The same questions to gazetteers of rising size; above the real one they are synthetic. \
        Each cell is p50 / p99 in microseconds.\n\n| operation |"
            .to_owned();
    sizes.iter().for_each(|size| write!(text, " {} |", size.places).expect(INFALLIBLE));
    text += "\n|---|";
    sizes.iter().for_each(|_| text += "---:|");
    text += "\n| index MB |";
    sizes.iter().for_each(|size| write!(text, " {} |", plain(size.megabytes)).expect(INFALLIBLE));
    for (row, (operation, ..)) in sizes.first().iter().flat_map(|size| &size.operations).enumerate() {
        write!(text, "\n| {operation} |").expect(INFALLIBLE);
        for (_, p50, p99) in sizes.iter().map(|size| &size.operations[row]) {
            write!(text, " {} / {} |", plain(*p50), plain(*p99)).expect(INFALLIBLE);
        }
    }
    text + "\n"
}

const INFALLIBLE: &str = "a string takes everything";

fn line(text: &mut String, line: std::fmt::Arguments) {
    writeln!(text, "{line}").expect(INFALLIBLE);
}

fn share(share: Option<f64>) -> String {
    share.map_or_else(|| "-".to_owned(), |share| format!("{share:.3}"))
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), plain)
}

/// Formats a number with three figures or so.
fn plain(value: f64) -> String {
    match value.abs() {
        0.0..10.0 => format!("{value:.2}"),
        10.0..100.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readme_has_a_place_for_the_summary() {
        let readme = std::fs::read_to_string("../../README.md").expect("there is a README");
        let renewed = with_summary(&readme, "| table |\n").expect("it has a place");
        assert!(renewed.contains("| table |") && renewed.len() < readme.len());
        assert_eq!(with_summary("no place", ""), None);
    }
}
